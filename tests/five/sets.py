"""Small sets of official files of all five benchmarks, with pictures and films that can be told apart.

Rows have the shapes of tests/importing; here are as many as it takes for every task to be asked. Each frame
of a film says which film it is and which of its frames, in two rows of fields: red for a one and blue for a
zero.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fathom import api
from fathom.benchmarks.pulsecheck457.tasks import TASKS as SPATIAL_TASKS
from fathom.benchmarks.seedbench.tasks import FIRST
from fathom.benchmarks.stibench.tasks import TASKS as STI_TASKS
from fathom.benchmarks.threedsrbench.paper import OPTIONS as THREED_OPTIONS
from fathom.store.datasets import Dataset, open_dataset
from tests.importing import shapes

SIZE = (48, 32)
_BITS = 6
_FIELD = SIZE[0] // _BITS
_ONE, _ZERO = (210, 50, 40), (40, 50, 210)

_CODECS = {".mp4": ("mp4", "libx264"), ".avi": ("avi", "mpeg4"), ".webm": ("webm", "libvpx-vp9")}


def write_film(path: Path, number: int, frames: int, fps: int) -> None:
    """Write a film whose frames say its number and theirs; both are below 64."""
    path.parent.mkdir(parents=True, exist_ok=True)
    container_name, codec = _CODECS[path.suffix.lower()]
    with av.open(str(path), "w", format=container_name) as container:
        stream: Any = container.add_stream(codec, rate=fps)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        if codec == "mpeg4":
            stream.bit_rate = 4_000_000
        for k in range(frames):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(_frame(number, k), format="rgb24")))
        container.mux(stream.encode())


def _frame(film: int, frame: int) -> NDArray[np.uint8]:
    fields = [[_ONE if number >> bit & 1 else _ZERO for bit in range(_BITS)] for number in (film, frame)]
    return np.array(fields, dtype=np.uint8).repeat(SIZE[1] // 2, axis=0).repeat(_FIELD, axis=1)


def told(picture: bytes) -> tuple[int, int]:
    """Return the number of the film that a picture was taken from, and that of its frame."""
    with Image.open(io.BytesIO(picture)) as image:
        pixels = np.asarray(image.convert("RGB"), dtype=int)
    middles = pixels[SIZE[1] // 4 :: SIZE[1] // 2, _FIELD // 2 :: _FIELD]
    film, frame = ((middles[..., 0] > middles[..., 2]) << np.arange(_BITS)).sum(axis=1)
    return int(film), int(frame)


# Each writer returns the folder that is to be imported.

VIEWS = shapes.VIEWS
OBJECT_FRAMES = 24
_SUBTASKS = {
    "motion": "Action",
    "object_counting": "Object Counting",
    "temporal_relationship": "Temporal Relationship",
    "spatial_relationship": "Spatial Relationship",
    "appearance": "Appearance",
}


def _objects(folder: Path) -> None:
    for o, uid in enumerate(shapes.UIDS):
        for v, view in enumerate(VIEWS):
            video = folder / "4d_object_multi_view_videos" / uid / f"view_{view}_rgb_white_bg.mp4"
            write_film(video, len(VIEWS) * o + v, OBJECT_FRAMES, 6)


def film_of(uid: str, view: int) -> int:
    """Return the number of the film of an object from a view."""
    return len(VIEWS) * shapes.UIDS.index(uid) + VIEWS.index(view)


def fourd(folder: Path) -> Path:
    """4D-Bench's questions: three objects, each asked about in all five tasks."""
    record = dict(next(iter(shapes.fourd_questions().values())))
    questions = {
        f"{uid}_{subtask}": record | {"Answer index": 1 + (3 * o + s) % 4, "Category": category}
        for o, uid in enumerate(shapes.UIDS)
        for s, (subtask, category) in enumerate(_SUBTASKS.items())
    }
    shapes.write(folder / "data" / "4d_qa.json", json.dumps(questions, indent=2))
    _objects(folder)
    return folder


def fourd_captions(folder: Path) -> Path:
    """4D-Bench's captions: three objects with five each."""
    shapes.fourd_captions(folder, b"")
    _objects(folder)
    return folder


SEED_FILMS = {
    "10": ("ssv2/77.webm", 40, 12),
    "11": ("epic/P03/P03_24.MP4", 50, 10),
    "12": ("breakfast/P06/cam01/x.avi", 60, 15),
}
"""Question type → where its film lies, its frames and its frames a second."""


def seed(folder: Path) -> Path:
    """SEED-Bench: a question of each dimension, and two of the first five."""
    first, *_, recognised, predicted, procedure = shapes.seed_questions()
    questions: list[Mapping[str, object]] = []
    for kind in (*range(1, 10), *range(1, 6)):
        place = len(questions)
        name = f"{place % 3}_34"
        questions.append(
            first | {"question_id": str(place), "question_type_id": kind, "data_id": name}
            | {"answer": "ABCD"[place % 4], "question": f"How many cups are there in row {place}?"}
        )  # fmt: skip
        shapes.write(folder / "images" / name, shapes.png(80 * (place % 3), *SIZE))
    questions += [recognised, predicted, procedure]
    types = {title: number for number, title in enumerate(FIRST.values(), 1)}
    shapes.write(folder / "SEED-Bench.json", json.dumps({"questions": questions, "question_type": types}))
    for number, (name, frames, fps) in enumerate(SEED_FILMS.values()):
        write_film(folder / name, number, frames, fps)
    return folder


def spatial457(folder: Path) -> Path:
    """PulseCheck457: three questions of each of the seven tasks, about three pictures."""
    answers: Mapping[str, tuple[object, ...]] = {
        task: (("left", 3, True), ("double bus", "red", False))[t % 2] for t, task in enumerate(SPATIAL_TASKS)
    }
    for t, (task, said) in enumerate(answers.items()):
        records = [
            {
                "image_filename": f"superCLEVR_new_00{i:04d}.png",
                "question": f"What is the large red thing of {task}?",
                "answer": answer,
                "program": [{"type": "scene", "inputs": [], "_output": [0, 1]}],
                "question_index": 100_000 * t + i,
            }
            for i, answer in enumerate(said)
        ]
        shapes.write(folder / "questions" / f"{task}.json", json.dumps({"info": {}, "questions": records}))
    for i in range(3):
        shapes.write(folder / "images" / f"superCLEVR_new_00{i:04d}.png", shapes.png(80 * i, *SIZE))
    return folder


STI_FRAMES, STI_FPS = 61, 10


def sti(folder: Path) -> Path:
    """STI-Bench: a question of each of the eight tasks, about three videos from three kinds of scenes."""
    films = shapes.sti_rows()
    rows = [
        films[i % 3] | {"Task": title, "ID": 20 + i, "Answer": "CADEB"[i % 5]}
        for i, title in enumerate(STI_TASKS.values())
    ]
    shapes.parquet(folder / "qa.parquet", rows)
    for number, row in enumerate(films):
        write_film(folder / "video" / str(row["Video"]), number, STI_FRAMES, STI_FPS)
    return folder


def threed(folder: Path) -> Path:
    """3DSRBench: a question of each of the twelve types, each with its mirrored one, about four pictures."""
    two, _, four = shapes.threed_rows()
    rows: list[Mapping[str, object]] = []
    for t, (task, options) in enumerate(THREED_OPTIONS.items()):
        base = four if options == 4 else two
        url = shapes.URL.format(f"{1 + t % 4:012d}")
        for flip in ("", "-flip"):
            more = {"qid": f"QQ{t:02d}CD34{flip}", "index": len(rows), "category": task, "image_url": url}
            rows.append(base | more | {"answer": "AB"[t % 2]})
    shapes.table(folder / "3dsrbench_v1.csv", rows)
    for i in range(1, 5):
        shapes.write(folder / "coco" / "train2017" / f"{i:012d}.jpg", shapes.png(50 * i, *SIZE))
    return folder


@dataclass(frozen=True)
class Official:
    """A benchmark's small set of official files: who writes it, how many questions it has, of how many tasks.

    `requests` is how many requests its paper's protocol makes of them.
    """

    benchmark: str
    write: Callable[[Path], Path]
    questions: int
    tasks: int
    requests: int


OFFICIAL: Mapping[str, Official] = {
    "4d-bench": Official("4d-bench", fourd, 15, 5, 15),
    "4d-bench-captions": Official("4d-bench", fourd_captions, 3, 1, 3),
    "seed-bench": Official("seed-bench", seed, 17, 12, 17),
    "pulsecheck457": Official("pulsecheck457", spatial457, 21, 7, 21),
    "sti-bench": Official("sti-bench", sti, 8, 8, 8),
    "3dsrbench": Official("3dsrbench", threed, 24, 12, 20 * 2 + 4 * 4),
}


def make(name: str, folder: Path) -> Dataset:
    """Write official files, import them, and return the dataset."""
    official = OFFICIAL[name]
    api.import_dataset(official.benchmark, official.write(folder / "official"), folder / "dataset")
    dataset = open_dataset(folder / "dataset")
    dataset.verify()
    return dataset
