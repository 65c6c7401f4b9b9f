"""How STI-Bench is put to a model: a question about a stretch of time, and frames of the whole video.

30 frames are taken evenly, and the text says how many a second that is; for models that take no more than 20,
set frames=20. The official code steps through the video by a whole number of frames, and so may lose nearly
half of it (sampling=floor-step); evenly is what the paper says, and what other kits do. The words are
Fathom's.

Ref: STI-Bench §4.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from fathom.inference.prompts import (
    check_time_stamps,
    choice_prompt,
    clip_of,
    frame_rate,
    frames_of,
    how_to_answer,
    labelled,
    option_lines,
    shown_options,
    time_s,
)
from fathom.inference.settings import ChoiceSettings, make_protocol
from fathom.inference.variants import variants_of
from fathom.media.sampling import Rule, per_second, sample, span_of
from fathom.records import Media, MediaOf, MediaPart, Part, Prompt, Protocol, UnansweredQuestion, Variant

VERSION = "1"

_UNIT_WORDS = {"°": "degrees", "deg": "degrees"}


@dataclass(frozen=True)
class STIBenchSettings(ChoiceSettings):
    """What is STI-Bench's own: which frames of the video are shown, as what, and what is said of their times.

    frames : how many frames of a video are shown, at most
    sampling : the rule by which frames are chosen; see docs/protocols.md
    rate : frames a second that are shown, at most `frames` in all; 0: `frames`, whatever the length
    span : what is shown of a video: the whole of it, or the segment that the question is about
    show : frames are shown as images (pictures) or as one video (clip)
    fps_sentence : a sentence says how many frames a second are shown
    time_stamps : each frame is preceded by its time
    """

    media: Literal["before", "after"] = "after"
    frames: int = field(default=30, metadata={"least": 1})
    sampling: Rule = "linspace"
    rate: float = 0.0
    span: Literal["segment", "whole"] = "whole"
    show: Literal["pictures", "clip"] = "pictures"
    fps_sentence: bool = True
    time_stamps: bool = False

    def __post_init__(self) -> None:
        """Raise InputError where two settings contradict each other."""
        super().__post_init__()
        check_time_stamps(self.time_stamps, self.show)


def frames_shown(settings: STIBenchSettings, asked: UnansweredQuestion, media: Media) -> tuple[int, ...]:
    """Return the numbers of the frames that are shown: of a built video's segment with the last one."""
    span = span_of(media, asked.span_s if settings.span == "segment" else None, asked.to_last_frame)
    if settings.rate > 0:
        places = per_second(len(span), media.fps, settings.rate, settings.frames)
    else:
        places = sample(len(span), settings.frames, settings.sampling)
    return tuple(span[i] for i in places)


def prompt(
    settings: STIBenchSettings, asked: UnansweredQuestion, variant: Variant, media_of: MediaOf
) -> Prompt:
    """Return the prompt: how frames were taken, the question with its stretch of time, options, frames."""
    options = shown_options(asked, variant)
    parts: list[Part] = []
    about = ""
    for media in map(media_of, asked.media):
        if media.kind != "video":
            parts.append(MediaPart(media=media.id))
            continue
        frames = frames_shown(settings, asked, media)
        parts += _frame_parts(settings, media, frames)
        rate = frame_rate(media, frames)
        if settings.fps_sentence and rate and not variant.media_withheld:
            about = f"You see frames of a video, taken at about {rate:.2f} frames per second."
    if asked.span_s is None:
        question = f"Question: {asked.text}"
    else:
        start, end = asked.span_s
        question = f"Question, about the time from {start:g} to {end:g} seconds of the video: {asked.text}"
    lines = option_lines(options, "(A)") if settings.options == "shown" else ""
    how = how_to_answer(settings) if asked.choices else number_wanted(asked, settings.reasoning)
    return choice_prompt(settings, variant, parts, [about, question, lines, how], options)


def number_wanted(asked: UnansweredQuestion, reasoning: bool) -> str:
    """Return the sentence that says how to reply to a question without options: a number with its unit.

    An angle may be to a side, and the question says where it is.
    """
    unit = _UNIT_WORDS.get(asked.tags.get("unit", ""), asked.tags.get("unit", ""))
    side = ", and the side (left or right) where the question asks for one" if unit == "degrees" else ""
    what = f"one number in {unit}{side}" if unit else "one number with its unit"
    if reasoning:
        return (
            f"First reason step by step, in a few sentences. Then write {what}, with the unit behind it, on "
            "a line of its own, in this form:\nAnswer: NUMBER UNIT"
        )
    return f"Reply with {what}, with the unit behind it, and with nothing else."


def _frame_parts(settings: STIBenchSettings, media: Media, frames: tuple[int, ...]) -> list[Part]:
    if settings.show == "clip":
        return [clip_of(media, frames)]
    pictures = frames_of(media, frames)
    if settings.time_stamps:
        return labelled([f"{time_s(media, frame):.2f} s:" for frame in frames], pictures)
    return list(pictures)


PAPER = STIBenchSettings()

PROTOCOLS: Mapping[str, Protocol] = {
    name: make_protocol(name, VERSION, settings, prompt, variants_of)
    for name, settings in {
        "default": PAPER,
        "generation": PAPER,
        "likelihood": replace(PAPER, answer="likelihood", continuation="letter", media="before"),
        "circular": replace(PAPER, grouping="circular"),
        "blind": replace(PAPER, blind=True),
    }.items()
}
"""`default` is the paper's: five options, the letter alone as the answer."""
