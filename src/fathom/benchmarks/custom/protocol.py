"""How anybody's questions are put to a model: what is shown, the question, its options, how to answer.

Images are shown as they are, and of a video frames, evenly from the first to the last; where a question names
a span of seconds, of that span alone. A question without options is to be answered in a few words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from fathom.inference.prompts import (
    check_time_stamps,
    choice_prompt,
    clip_of,
    frames_of,
    how_to_answer,
    labelled,
    option_lines,
    shown_options,
    time_s,
)
from fathom.inference.settings import ChoiceSettings, make_protocol
from fathom.inference.variants import variants_of
from fathom.media.sampling import Rule, sample, span_of
from fathom.records import (
    InputError,
    Media,
    MediaOf,
    MediaPart,
    Part,
    Prompt,
    Protocol,
    UnansweredQuestion,
    Variant,
)

VERSION = "1"

FEW_WORDS = "Reply with the answer in as few words as possible, and with nothing else."
REASON_FIRST = (
    "First reason step by step, in a few sentences. Then write the answer, in as few words as possible, on a "
    "line of its own, in this form:\nAnswer: THE ANSWER"
)


@dataclass(frozen=True)
class OwnSettings(ChoiceSettings):
    """What can be set about videos: which frames are shown, and as what.

    frames : how many frames of a video are shown
    sampling : the rule by which frames are chosen; see docs/protocols.md
    span : what is shown of a video: the span that the question names (segment), or the whole of it, and then
        the question says which span it is about
    show : frames are shown as images (pictures) or as one video (clip)
    time_stamps : each frame is preceded by its time
    """

    frames: int = field(default=16, metadata={"least": 1})
    sampling: Rule = "linspace"
    span: Literal["segment", "whole"] = "segment"
    show: Literal["pictures", "clip"] = "pictures"
    time_stamps: bool = False

    def __post_init__(self) -> None:
        """Raise InputError where two settings contradict each other."""
        super().__post_init__()
        check_time_stamps(self.time_stamps, self.show)


def frames_shown(settings: OwnSettings, asked: UnansweredQuestion, media: Media) -> tuple[int, ...]:
    """Return the numbers of the frames of a video that are shown."""
    span = span_of(media, asked.span_s if settings.span == "segment" else None)
    return tuple(span[i] for i in sample(len(span), settings.frames, settings.sampling))


def prompt(settings: OwnSettings, asked: UnansweredQuestion, variant: Variant, media_of: MediaOf) -> Prompt:
    """Return the prompt: images and frames, question, options where they are shown, how to answer.

    Raises InputError where likelihoods of options are asked and there are none.
    """
    if settings.answer == "likelihood" and not asked.choices:
        raise InputError(
            f"question {asked.id}: has no options whose likelihoods could be compared; name with --task only "
            "tasks that have them, or leave likelihood out"
        )
    options = shown_options(asked, variant)
    parts: list[Part] = [
        part for name in asked.media for part in _media_parts(settings, asked, media_of(name))
    ]
    question = f"Question: {asked.text}"
    if asked.span_s is not None and settings.span == "whole":
        start, end = asked.span_s
        question = f"Question, about the time from {start:g} to {end:g} seconds of the video: {asked.text}"
    lines = f"Options:\n{option_lines(options)}" if options and settings.options == "shown" else ""
    return choice_prompt(settings, variant, parts, [question, lines, _how(settings, asked)], options)


def _how(settings: OwnSettings, asked: UnansweredQuestion) -> str:
    """Return the sentence that says how to reply."""
    if asked.choices:
        return how_to_answer(settings)
    return REASON_FIRST if settings.reasoning else FEW_WORDS


def _media_parts(settings: OwnSettings, asked: UnansweredQuestion, media: Media) -> list[Part]:
    if media.kind != "video":
        return [MediaPart(media=media.id)]
    frames = frames_shown(settings, asked, media)
    if settings.show == "clip":
        return [clip_of(media, frames)]
    pictures = frames_of(media, frames)
    if settings.time_stamps:
        return labelled([f"{time_s(media, frame):.2f} s:" for frame in frames], pictures)
    return list(pictures)


LETTERS_WANTED = OwnSettings()
_RANKED = replace(LETTERS_WANTED, answer="likelihood", continuation="letter")

PROTOCOLS: Mapping[str, Protocol] = {
    name: make_protocol(name, VERSION, settings, prompt, variants_of)
    for name, settings in {
        "default": LETTERS_WANTED,
        "generation": LETTERS_WANTED,
        "likelihood": _RANKED,
        "circular": replace(LETTERS_WANTED, grouping="circular"),
        "flip": replace(LETTERS_WANTED, grouping="flip"),
        "both": replace(LETTERS_WANTED, grouping="both"),
        "blind": replace(LETTERS_WANTED, blind=True),
    }.items()
}
"""`default` shows lettered options once, in their order; `blind` is the question-only baseline."""
