"""How SEED-Bench is put to a model: the likelihood of each option's text after the question alone.

The options are not shown; which is the most likely continuation is the model's answer (`default`). Of videos,
eight frames are shown, the middle ones of as many equal parts, within the segment that the question names.

Ref: SEED-Bench §4.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from fathom.benchmarks.seedbench.tasks import WITHOUT_LAST_FRAME
from fathom.inference.prompts import (
    choice_prompt,
    clip_of,
    frames_of,
    how_to_answer,
    option_lines,
    shown_options,
)
from fathom.inference.settings import ChoiceSettings, make_protocol
from fathom.inference.variants import variants_of
from fathom.media.sampling import Rule, sample, span_of
from fathom.records import (
    Media,
    MediaOf,
    MediaPart,
    Part,
    Prompt,
    Protocol,
    TextPart,
    UnansweredQuestion,
    Variant,
)

VERSION = "1"

IMAGE_HERE = "<img>"
"""Where a question of the second version has an image among its words."""


@dataclass(frozen=True)
class SEEDBenchSettings(ChoiceSettings):
    """What is SEED-Bench's own: which frames of a video are shown, and as what.

    frames : how many frames of a video are shown
    sampling : the rule by which frames are chosen; see docs/protocols.md
    span : what is shown of a video: the segment that the question names, or the whole of it
    show : frames are shown as images (pictures) or as one video (clip)
    """

    frames: int = field(default=8, metadata={"least": 1})
    sampling: Rule = "segment-centre"
    span: Literal["segment", "whole"] = "segment"
    show: Literal["pictures", "clip"] = "pictures"


def frames_shown(settings: SEEDBenchSettings, asked: UnansweredQuestion, media: Media) -> tuple[int, ...]:
    """Return the numbers of the frames of a video that are shown.

    The official code leaves the last frame out where an action is to be recognised.
    """
    span = span_of(media, asked.span_s if settings.span == "segment" else None)
    if asked.task in WITHOUT_LAST_FRAME and len(span) > 1:
        span = span[:-1]
    return tuple(span[i] for i in sample(len(span), settings.frames, settings.sampling))


def prompt(
    settings: SEEDBenchSettings, asked: UnansweredQuestion, variant: Variant, media_of: MediaOf
) -> Prompt:
    """Return the prompt: image or frames, question, the options where they are shown, how to answer."""
    options = shown_options(asked, variant)
    media = [part for name in asked.media for part in _media_parts(settings, asked, media_of(name))]
    text = asked.text
    if IMAGE_HERE in text:
        before, text = _among_words(text, media, variant)
        media = [] if variant.media_withheld else before
    question = f"Question: {text}"
    if settings.options == "shown":
        question += f"\n{option_lines(options)}"
    ending = how_to_answer(settings)
    texts = [f"{question}\n{ending}"] if settings.answer == "likelihood" else [question, ending]
    return choice_prompt(settings, variant, media, texts, options)


def _media_parts(settings: SEEDBenchSettings, asked: UnansweredQuestion, media: Media) -> Iterator[Part]:
    if media.kind != "video":
        yield MediaPart(media=media.id)
        return
    frames = frames_shown(settings, asked, media)
    if settings.show == "clip":
        yield clip_of(media, frames)
    else:
        yield from frames_of(media, frames)


def _among_words(text: str, media: list[Part], variant: Variant) -> tuple[list[Part], str]:
    """Return the parts up to the last image among the words, and the words that follow it.

    Where there are more images than places for them, the rest comes before; where there are fewer, a place
    without one is passed over.
    """
    *pieces, last = text.split(IMAGE_HERE)
    if variant.media_withheld:
        return [], " ".join(piece.strip() for piece in (*pieces, last) if piece.strip())
    extra = max(0, len(media) - len(pieces))
    parts, images = list(media[:extra]), iter(media[extra:])
    for piece in pieces:
        if piece.strip():
            parts.append(TextPart(text=piece.strip()))
        parts += [image for image in [next(images, None)] if image is not None]
    return parts, last.strip()


PAPER = SEEDBenchSettings(answer="likelihood", options="hidden")
_WRITTEN = replace(PAPER, answer="generation", options="shown")

PROTOCOLS: Mapping[str, Protocol] = {
    name: make_protocol(name, VERSION, settings, prompt, variants_of)
    for name, settings in {
        "default": PAPER,
        "likelihood": PAPER,
        "generation": _WRITTEN,
        "circular": replace(_WRITTEN, grouping="circular"),
        "blind": replace(PAPER, blind=True),
    }.items()
}
"""`default` is the paper's: the likelihood of each option's text, options not shown."""
