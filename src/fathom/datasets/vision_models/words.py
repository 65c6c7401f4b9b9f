"""Objects of any words, by an open-vocabulary detector of transformers (OWLv2, Grounding DINO and others).

The words are those that are given, or the nouns of what extractors before it said of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.nouns import nouns_in
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import VisualInformation
from fathom.datasets.vision_models.checkpoints import (
    ModelSettings,
    VisionCheckpoint,
    load,
    pixels,
    settings_behind,
)
from fathom.datasets.vision_models.objects import instances
from fathom.records import InputError

NAME, VERSION = "words", "2"


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
        words = [always or _nouns(picture, before) for picture, before in zip(given, said, strict=True)]
        images = pixels(given)
        found: dict[int, VisualInformation] = {}
        for count in sorted({len(some) for some in words}):
            # Beside more words, fewer would be filled up with words that nobody looks for.
            places = [k for k, some in enumerate(words) if len(some) == count]
            seen = _seen(model, [images[k] for k in places], [words[k] for k in places], settings.score)
            for k, one in zip(places, seen, strict=True):
                objects = instances(images[k].size, model.name, one)
                found[k] = VisualInformation(id=given[k].id, instances=objects)
        return [found[k] for k in range(len(given))]

    return VisionExtractor(model.name, model.version, look, model.batch)


def _nouns(picture: GivenPicture, before: VisualInformation) -> list[str]:
    """Return the nouns of what was said before, each once. Raises InputError where there is none."""
    words = list(dict.fromkeys(n for c in before.captions for n in nouns_in(c.text)))
    if not words:
        raise InputError(
            f"{picture.id}: no word to look for; give some with find=, or captions by an extractor before"
        )
    return words


Found = tuple[str, float, Sequence[float]]
"""A word, how sure the detector is, and the box in pixels."""


def _seen(
    model: VisionCheckpoint, images: Sequence[Any], words: Sequence[list[str]], score: float
) -> list[list[Found]]:
    """Return what is found in each image of its words, of which all have as many."""
    inputs, outputs = model.run(images=list(images), text=list(words), padding=_padding(model.model))
    more = {"input_ids": inputs["input_ids"]} if _grounded(model.model) else {}
    found = model.processor.post_process_grounded_object_detection(
        outputs,
        threshold=score,
        target_sizes=[image.size[::-1] for image in images],
        text_labels=list(words),
        **more,
    )
    return [
        list(_named(one, some, model.processor.tokenizer.all_special_tokens))
        for one, some in zip(found, words, strict=True)
    ]


def _named(found: Any, words: Sequence[str], marks: Sequence[str]) -> Iterator[Found]:
    """Yield what was found under the word that it was looked for by; `marks` stand for no word.

    Grounding DINO names an object by the tokens that fit it: all of a word, a part, or those of two words.
    What fits no word, or several, is left out.
    """
    for label, score, box in zip(
        found["text_labels"], found["scores"].tolist(), found["boxes"].tolist(), strict=True
    ):
        if label in words:
            yield label, score, box
            continue
        parts = set(" ".join(w for w in label.split() if w not in marks).replace(".", " ").casefold().split())
        told = [set(word.casefold().split()) for word in words]
        fits = [w for w, t in zip(words, told, strict=True) if parts == t] or [
            w for w, t in zip(words, told, strict=True) if parts and parts <= t
        ]
        if len(fits) == 1:
            yield fits[0], score, box


def _padding(model: Any) -> bool | str:
    """Return how texts become as long as each other: OWLv2 has one length for all."""
    return True if _grounded(model) else "max_length"


def _grounded(model: Any) -> bool:
    """Return whether the tokens of all words are read as one text, from which spans are taken."""
    return "Grounding" in type(model).__name__
