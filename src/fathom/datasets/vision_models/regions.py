"""Short sentences about regions: dense captions by Florence-2, or any captioner on boxes found before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import Box, RegionCaption, VisualInformation, clipped
from fathom.datasets.vision_models.captions import generated, written
from fathom.datasets.vision_models.checkpoints import (
    ModelSettings,
    VisionCheckpoint,
    load,
    pixels,
    settings_behind,
    shares,
)
from fathom.records import InputError

NAME, VERSION = "regions", "1"

DENSE = "<DENSE_REGION_CAPTION>"
"""The task of a model that finds regions by itself."""


@dataclass(frozen=True)
class RegionSettings(ModelSettings):
    """How regions are described.

    prompt : what a captioner goes on from
    tokens : how many tokens a sentence has at most; a model that finds regions by itself writes twenty
        times as many for all of them
    most : how many regions of a picture at most
    """

    prompt: str = ""
    tokens: int = 30
    most: int = 20


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the model of a checkpoint that describes regions. Raises InputError, MissingExtraError."""
    folder, settings = settings_behind(NAME, rest, RegionSettings())
    model = load(NAME, folder, settings, "AutoModelForImageTextToText", VERSION)
    forms = getattr(model.processor, "post_processor_config", None) or {}
    find = _dense if "description_with_bboxes" in forms else _boxed

    def look(given: Sequence[GivenPicture], said: Sequence[VisualInformation]) -> list[VisualInformation]:
        found = find(model, pixels(given), said, settings)
        return [_said(p, some, model.name, settings.most) for p, some in zip(given, found, strict=True)]

    return VisionExtractor(model.name, model.version, look, model.batch)


def _said(
    picture: GivenPicture, found: Sequence[tuple[str, Box]], source: str, most: int
) -> VisualInformation:
    regions = [RegionCaption(text=text, box=box, source=source) for text, box in found if text]
    if not regions:
        raise InputError(f"{picture.id}: no region of it is described")
    return VisualInformation(id=picture.id, regions=tuple(regions[:most]))


def _dense(
    model: VisionCheckpoint,
    images: Sequence[Any],
    said: Sequence[VisualInformation],
    settings: RegionSettings,
) -> list[list[tuple[str, Box]]]:
    """Return the regions that the model itself finds in each image, each with its sentence."""
    rows, _ = generated(model, images, DENSE, 20 * settings.tokens)
    texts = model.processor.batch_decode(rows, skip_special_tokens=False)
    found = []
    for text, image in zip(texts, images, strict=True):
        seen = model.processor.post_process_generation(text, task=DENSE, image_size=image.size)[DENSE]
        boxes = [clipped(shares(box, image.size)) for box in seen["bboxes"]]
        found.append(list(zip((" ".join(label.split()) for label in seen["labels"]), boxes, strict=True)))
    return found


def _boxed(
    model: VisionCheckpoint,
    images: Sequence[Any],
    said: Sequence[VisualInformation],
    settings: RegionSettings,
) -> list[list[tuple[str, Box]]]:
    """Return the boxes that were found before in each image, each with what the captioner says of it."""
    boxes = [list(dict.fromkeys(i.box for i in one.instances))[: settings.most] for one in said]
    crops = [
        image.crop(_corners(box, image.size))
        for image, some in zip(images, boxes, strict=True)
        for box in some
    ]
    texts: list[str] = []
    for start in range(0, len(crops), model.batch):
        texts += written(model, crops[start : start + model.batch], settings.prompt, settings.tokens)
    left = iter(texts)
    return [[(next(left), box) for box in some] for some in boxes]


def _corners(box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return a box in whole pixels, at least one wide and high."""
    width, height = size
    left, top = min(int(box[0] * width), width - 1), min(int(box[1] * height), height - 1)
    return left, top, max(left + 1, round(box[2] * width)), max(top + 1, round(box[3] * height))
