"""What describers and writers of questions about videos read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fathom.authoring.prompts import read_prompts
from fathom.benchmarks.stibench.authoring.settings import Fact, Target
from fathom.benchmarks.stibench.authoring.vocabulary import LAST, MOTIONS, ORDERS, RELATIONS
from fathom.media.sampling import sample
from fathom.records import Media, MediaPart, Part, Prompt, TextPart
from fathom.store.datasets import has_film

PROMPTS = read_prompts(Path(__file__).with_name("prompts.toml"))


def describe_prompt(
    target: Target, truth: Mapping[str, Any], media: Media, shown: Sequence[int], frames: int
) -> Prompt:
    """Return what a describer reads of one video and span: its pictures, where there are any, and the truth.

    `shown` are the frames of the span that are shown.
    """
    text = PROMPTS.text(
        "describe",
        truth=msgspec.json.encode(truth).decode(),
        names=", ".join(target.objects),
        relations=", ".join(RELATIONS),
        motions=", ".join(MOTIONS),
        orders=", ".join((*ORDERS, *LAST)),
    )
    parts = [*seen(media, shown, frames), TextPart(text=text)]
    return Prompt(system=PROMPTS.text("describer"), parts=tuple(parts))


def seen(media: Media, shown: Sequence[int], frames: int) -> list[Part]:
    """Return frames of a video, each after its time; nothing of a video without pictures."""
    there = [f for f in shown if f in media.stills or (not media.stills and has_film(media))]
    if not there or not frames:
        return []
    parts: list[Part] = []
    for k in sample(len(there), min(frames, len(there)), "linspace"):
        parts += [
            TextPart(text=f"{there[k] / media.fps:.2f} s:"),
            MediaPart(media=media.id, frame=there[k]),
        ]
    return parts


def question_prompt(fact: Fact) -> Prompt:
    """Return what a writer of questions reads of one fact."""
    q = fact.question
    said = {
        "asks": q.text,
        "things": fact.words,
        "times": [f"{t} s" for t in fact.times],
        "word_for_word": fact.fixed,
        "options": q.choices,
        "answer": q.answer,
    }
    text = PROMPTS.text("write", fact=msgspec.json.encode(said).decode())
    return Prompt(system=PROMPTS.text("writer"), parts=(TextPart(text=text),))
