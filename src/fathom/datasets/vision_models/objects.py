"""Objects of a fixed list of classes, by a detector of transformers (DETR, RT-DETR, YOLOS and others)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import SeenInstance, VisualInformation, clipped
from fathom.datasets.vision_models.checkpoints import ModelSettings, load, pixels, settings_behind, shares

NAME, VERSION = "objects", "1"


@dataclass(frozen=True)
class DetectorSettings(ModelSettings):
    """Which objects are said to be there.

    score : the least score
    """

    score: float = 0.5


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the detector of a checkpoint. Raises InputError, MissingExtraError."""
    folder, settings = settings_behind(NAME, rest, DetectorSettings())
    model = load(NAME, folder, settings, "AutoModelForObjectDetection", VERSION)
    names = model.model.config.id2label

    def look(given: Sequence[GivenPicture], _: Sequence[VisualInformation]) -> list[VisualInformation]:
        images = pixels(given)
        _, outputs = model.run(images=images)
        found = model.processor.post_process_object_detection(
            outputs, threshold=settings.score, target_sizes=[image.size[::-1] for image in images]
        )
        return [
            VisualInformation(
                id=picture.id,
                instances=instances(
                    image.size, model.name, ((names[k], s, b) for k, s, b in _rows(seen, "labels"))
                ),
            )
            for picture, image, seen in zip(given, images, found, strict=True)
        ]

    return VisionExtractor(model.name, model.version, look, model.batch)


def _rows(seen: Any, labels: str) -> Iterable[tuple[int, float, list[float]]]:
    return zip(seen[labels].tolist(), seen["scores"].tolist(), seen["boxes"].tolist(), strict=True)


def instances(
    size: tuple[int, int], source: str, seen: Iterable[tuple[str, float, Sequence[float]]]
) -> tuple[SeenInstance, ...]:
    """Return objects as records, the surest first: each a class, a score, and a box in pixels.

    A box that has no area within the picture is left out.
    """
    found = [
        SeenInstance(label=label, box=clipped(shares(box, size)), source=source, score=round(score, 4))
        for label, score, box in seen
    ]
    kept = [i for i in found if i.box[0] < i.box[2] and i.box[1] < i.box[3]]
    return tuple(sorted(kept, key=lambda i: -i.score))
