"""What prompts are put together from: options with their letters, pictures, frames with their times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fathom.inference.settings import ChoiceSettings
from fathom.records import (
    ClipPart,
    InputError,
    Media,
    MediaPart,
    Part,
    Prompt,
    TextPart,
    UnansweredQuestion,
    Variant,
)

LETTERS = "ABCDEFGHIJ"

LETTER_ONLY = "Reply with the letter of the best option, and with nothing else."
REASON = (
    "First reason step by step, in a few sentences. Then write the letter of the best option on a line of "
    "its own, in this form:\nAnswer: (X)"
)
UNSEEN = "What the question is about is withheld: give the answer that is most likely."


def shown_options(asked: UnansweredQuestion, variant: Variant) -> tuple[str, ...]:
    """Return the options in the order in which they are shown. Raises InputError for more than ten."""
    if len(asked.choices) > len(LETTERS):
        raise InputError(
            f"question {asked.id}: has {len(asked.choices)} options, and letters go to {LETTERS[-1]}; leave "
            "the question out of the dataset"
        )
    return tuple(asked.choices[i] for i in variant.option_order) or asked.choices


def option_lines(options: Sequence[str], form: Literal["A.", "(A)"] = "A.") -> str:
    """Return a line for each option, with its letter before it."""
    pattern = "({}) {}" if form == "(A)" else "{}. {}"
    return "\n".join(pattern.format(LETTERS[place], text) for place, text in enumerate(options))


def choice_prompt(
    settings: ChoiceSettings,
    variant: Variant,
    media: Sequence[Part],
    texts: Sequence[str],
    options: Sequence[str],
    *,
    lead: str = "",
) -> Prompt:
    """Return a prompt of media and text, in the order of the settings, with what is to be ranked.

    `lead` comes first of all; `texts` are the paragraphs of the text, empty ones left out. Where media are
    withheld, a sentence in their place says so; where likelihood is asked, that would be none of the
    question's own words, and nothing stands there.
    """
    ranked = settings.answer == "likelihood"
    seen = list(media)
    if variant.media_withheld:
        seen = [] if ranked else [TextPart(text=UNSEEN)]
    text = TextPart(text="\n\n".join(t for t in texts if t))
    parts: list[Part] = [*seen, text] if settings.media == "before" else [text, *seen]
    if lead and not variant.media_withheld:
        parts.insert(0, TextPart(text=lead))
    return Prompt(parts=tuple(parts), continuations=ranked_texts(settings, options) if ranked else ())


def ranked_texts(settings: ChoiceSettings, options: Sequence[str]) -> tuple[str, ...]:
    """Return the texts whose likelihood is asked, in the order in which the options are shown."""
    return tuple(options) if settings.continuation == "text" else tuple(LETTERS[: len(options)])


def how_to_answer(settings: ChoiceSettings) -> str:
    """Return the sentence that says how to reply; "Answer:" where likelihoods are asked."""
    if settings.answer == "likelihood":
        return "Answer:"
    return REASON if settings.reasoning else LETTER_ONLY


def frames_of(media: Media, frames: Sequence[int]) -> tuple[MediaPart, ...]:
    """Return frames of a video as pictures."""
    return tuple(MediaPart(media=media.id, frame=frame) for frame in frames)


def clip_of(media: Media, frames: Sequence[int]) -> ClipPart:
    """Return frames of one video as a clip; it stands for the video where it goes from end to end."""
    whole = len(frames) > 1 and frames[0] == 0 and frames[-1] == media.frames - 1
    return ClipPart(
        frames=frames_of(media, frames),
        fps=frame_rate(media, frames) or 1.0,
        whole=media.id if whole else "",
    )


def frame_rate(media: Media, frames: Sequence[int]) -> float:
    """Return how many of the frames shown fall on a second of the video; 0 where that cannot be told."""
    if media.fps <= 0 or len(frames) < 2:
        return 0.0
    return round((len(frames) - 1) * media.fps / (frames[-1] - frames[0]), 4)


def check_time_stamps(time_stamps: bool, show: str) -> None:
    """Raise InputError where time stamps are to stand between the frames of a clip."""
    if time_stamps and show == "clip":
        raise InputError(
            "time-stamps=yes with show=clip: a clip is one piece, with no room for text between its frames; "
            "set show=pictures"
        )


def time_s(media: Media, frame: int) -> float:
    """Return when a frame is shown. Raises InputError where the video does not say its frames a second."""
    if media.fps <= 0:
        raise InputError(
            f"media {media.id!r}: has no frames a second, so that its frames have no times; import the "
            "dataset again with the extra `video` installed, or leave time stamps out"
        )
    return frame / media.fps


def labelled(labels: Sequence[str], pictures: Sequence[MediaPart]) -> list[Part]:
    """Return the pictures, each after a text that says which it is."""
    parts: list[Part] = []
    for label, picture in zip(labels, pictures, strict=True):
        parts += [TextPart(text=label), picture]
    return parts
