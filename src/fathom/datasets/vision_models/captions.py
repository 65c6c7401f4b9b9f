"""Captions of whole pictures, by any captioner of transformers (GIT, BLIP, BLIP-2, Florence-2 and others)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import CaptionOf, VisualInformation
from fathom.datasets.vision_models.checkpoints import (
    ModelSettings,
    VisionCheckpoint,
    load,
    pixels,
    settings_behind,
)
from fathom.records import InputError

NAME, VERSION = "captions", "1"


@dataclass(frozen=True)
class CaptionSettings(ModelSettings):
    """How captions are written.

    prompt : what the model goes on from, or the name of its task
    tokens : how many tokens a caption has at most
    """

    prompt: str = ""
    tokens: int = 60


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the captioner of a checkpoint. Raises InputError, MissingExtraError."""
    folder, settings = settings_behind(NAME, rest, CaptionSettings())
    model = load(NAME, folder, settings, "AutoModelForImageTextToText", VERSION)

    def look(given: Sequence[GivenPicture], _: Sequence[VisualInformation]) -> list[VisualInformation]:
        texts = written(model, pixels(given), settings.prompt, settings.tokens)
        return [_said(p, text, model.name) for p, text in zip(given, texts, strict=True)]

    return VisionExtractor(model.name, model.version, look, model.batch)


def _said(picture: GivenPicture, text: str, source: str) -> VisualInformation:
    if not text:
        raise InputError(f"{picture.id}: the model says nothing of it")
    return VisualInformation(id=picture.id, captions=(CaptionOf(text=text, source=source),))


def written(model: VisionCheckpoint, images: Sequence[Any], prompt: str, tokens: int) -> list[str]:
    """Return what a model writes of each image: the likeliest token each time, without what it was given."""
    rows, _ = generated(model, images, prompt, tokens)
    said = model.processor.batch_decode(rows, skip_special_tokens=True)
    return [" ".join(text.split()).removeprefix(prompt).strip() for text in said]


def generated(model: VisionCheckpoint, images: Sequence[Any], prompt: str, tokens: int) -> tuple[Any, Any]:
    """Return the tokens that a model writes of each image, and what it was given."""
    import torch

    tokenizer = model.processor.tokenizer
    tokenizer.padding_side = "left"
    text = {"text": [prompt] * len(images), "padding": True} if prompt or _wants_text(model) else {}
    inputs = model.processor(images=list(images), return_tensors="pt", **text).to(model.device)
    with torch.inference_mode():
        rows = model.model.generate(
            **inputs,
            max_new_tokens=tokens,
            do_sample=False,
            num_beams=1,
            pad_token_id=tokenizer.pad_token_id or 0,
        )
    return rows, inputs


def _wants_text(model: VisionCheckpoint) -> bool:
    """Return whether pictures stand among the tokens of a text, so that there has to be one."""
    return (
        getattr(model.model.config, "image_token_id", getattr(model.model.config, "image_token_index", None))
        is not None
    )
