"""Outlines of the objects that extractors before it found, by a model that segments boxes (SAM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import SeenInstance, VisualInformation
from fathom.datasets.vision_models.checkpoints import (
    ModelSettings,
    VisionCheckpoint,
    load,
    pixels,
    settings_behind,
)
from fathom.media.outlines import outline_paths
from fathom.records import InputError

Mask = NDArray[np.bool_]

NAME, VERSION = "outlines", "1"


@dataclass(frozen=True)
class OutlineSettings(ModelSettings):
    """Which outlines are kept.

    score : the least overlap with the object that the model itself predicts
    """

    score: float = 0.5


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the segmenter of a checkpoint, which takes one picture at a time, with all its boxes.

    Raises InputError, MissingExtraError.
    """
    folder, settings = settings_behind(NAME, rest, OutlineSettings())
    if settings.batch > 1:
        raise InputError(
            f"--extractors {NAME}={folder}: batch={settings.batch}: all boxes of a picture go "
            "through together, and pictures one by one; leave batch out"
        )
    model = load(NAME, folder, settings, "AutoModelForMaskGeneration", VERSION)

    def look(given: Sequence[GivenPicture], said: Sequence[VisualInformation]) -> list[VisualInformation]:
        (picture,), (before,) = given, said
        if not before.instances:
            raise InputError(f"{picture.id}: no box to outline; let an extractor of objects go before")
        (image,) = pixels(given)
        inputs = model.processor(
            images=image, input_boxes=[_in_pixels(before.instances, image.size)], return_tensors="pt"
        ).to(model.device)
        masks, scores = _masks(model, inputs)
        return [
            VisualInformation(
                id=picture.id,
                instances=tuple(
                    _outlined(instance, mask, model.name, score)
                    for instance, mask, score in zip(before.instances, masks, scores, strict=True)
                    if score >= settings.score and mask.any()
                ),
            )
        ]

    return VisionExtractor(model.name, model.version, look)


def _in_pixels(found: Sequence[SeenInstance], size: tuple[int, int]) -> list[list[float]]:
    return [[v * size[k % 2] for k, v in enumerate(instance.box)] for instance in found]


def _masks(model: VisionCheckpoint, inputs: Any) -> tuple[list[Mask], list[float]]:
    """Return of each box the mask that the model is surest of, in pixels of the picture, and how sure."""
    import torch

    with torch.inference_mode():
        outputs = model.model(**inputs)
    more = (inputs["reshaped_input_sizes"].cpu(),) if "reshaped_input_sizes" in inputs else ()
    (masks,) = model.processor.post_process_masks(
        outputs.pred_masks.cpu(), inputs["original_sizes"].cpu(), *more
    )
    scores, best = outputs.iou_scores[0].cpu().max(dim=-1)
    return [row[int(k)].numpy() for row, k in zip(masks, best, strict=True)], scores.tolist()


def _outlined(instance: SeenInstance, mask: Mask, source: str, score: float) -> SeenInstance:
    height, width = mask.shape
    paths = outline_paths(mask)
    return SeenInstance(
        label=instance.label,
        box=instance.box,
        source=source,
        score=round(score, 4),
        polygons=tuple(
            tuple(round(v / (height if k % 2 else width), 4) for k, v in enumerate(path)) for path in paths
        ),
    )
