"""Objects of any words, by an open-vocabulary detector of transformers (OWLv2, Grounding DINO and others).

The words are those that are given, or the nouns of what extractors before it said of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.nouns import nouns_in
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import VisualInformation
from fathom.datasets.vision_models.checkpoints import ModelSettings, load, pixels, settings_behind
from fathom.datasets.vision_models.objects import instances
from fathom.records import InputError

NAME, VERSION = "words", "1"


@dataclass(frozen=True)
class WordSettings(ModelSettings):
    """What is looked for.

    find : the words, separated by semicolons; without any, the nouns of the captions said before
    score : the least score
    """

    find: str = ""
    score: float = 0.3


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the detector of a checkpoint. Raises InputError, MissingExtraError."""
    folder, settings = settings_behind(NAME, rest, WordSettings())
    model = load(NAME, folder, settings, "AutoModelForZeroShotObjectDetection", VERSION)
    always = [word.strip() for word in settings.find.split(";") if word.strip()]

    def look(given: Sequence[GivenPicture], said: Sequence[VisualInformation]) -> list[VisualInformation]:
        (picture,), (before,) = given, said
        words = always or list(dict.fromkeys(n for c in before.captions for n in nouns_in(c.text)))
        if not words:
            raise InputError(
                f"{picture.id}: no word to look for; give some with find=, or captions by an extractor before"
            )
        (image,) = pixels(given)
        inputs, outputs = model.run(images=[image], text=[words])
        more = {"input_ids": inputs["input_ids"]} if "input_ids" in inputs and _grounded(model.model) else {}
        (found,) = model.processor.post_process_grounded_object_detection(
            outputs,
            threshold=settings.score,
            target_sizes=[image.size[::-1]],
            text_labels=[words],
            **more,
        )
        seen = zip(found["text_labels"], found["scores"].tolist(), found["boxes"].tolist(), strict=True)
        return [
            VisualInformation(
                id=picture.id,
                instances=instances(image.size, model.name, ((w, s, b) for w, s, b in seen if w)),
            )
        ]

    return VisionExtractor(model.name, model.version, look)


def _grounded(model: Any) -> bool:
    """Return whether the tokens of all words are read as one text, from which spans are taken."""
    return "input_ids" in model.forward.__code__.co_varnames and "Grounding" in type(model).__name__
