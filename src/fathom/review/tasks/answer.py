"""Answer: people as a model. They see exactly the pictures and the frames that the protocol samples.

What they say becomes a run (`fathom review WORK --export OUT`), which is scored, compared and reported like
any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from fathom.records import ClipPart, MediaPart
from fathom.review.records import FormChoice, FormField, ReviewClip, ReviewItem, ReviewStage, Values
from fathom.review.results import Results
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import write_table

DONT_KNOW = "don't know"

_STAGE = ReviewStage(
    name="answer",
    title="What is the answer?",
    fields=(
        FormField(name="picked", kind="option", title="Your answer", needed=False),
        FormField(
            name="unknown", kind="choice", title="", needed=False,
            choices=(FormChoice(value=DONT_KNOW, title="I do not know", key="x"),),
        ),
    ),
)  # fmt: skip


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every question as the protocol puts it: its pictures and clips, and no word of its answer."""
    for request in source.requests():
        pictures = tuple(part for part in request.prompt.parts if isinstance(part, MediaPart))
        clips = tuple(
            ReviewClip(frames=part.frames, fps=part.fps, whole=part.whole)
            for part in request.prompt.parts
            if isinstance(part, ClipPart)
        )
        yield source.item(request.question, pictures=pictures, clips=clips)


def planted(item: ReviewItem, g: np.random.Generator) -> tuple[ReviewItem, str]:
    """Return an item that asks nothing and says what to choose."""
    choice = item.options[int(g.integers(len(item.options)))] if item.options else DONT_KNOW
    told = f"choose “{choice}”" if item.options else "say that you do not know"
    text = f"This is no question: it shows that what is written here is read. Please {told}."
    return replace(item, text=text), choice


def _check(item: ReviewItem, values: Values) -> str:
    if not values.get("picked") and not values.get("unknown"):
        return "choose an answer, or say that you do not know"
    if values.get("picked") and item.options and values["picked"] not in item.options:
        return "choose one of the options"
    return ""


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    values = said.get("answer", {})
    return str(values.get("picked") or values.get("unknown") or "")


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write answers.csv: question, person, what was answered ("" for don't know), and how long it took."""
    rows = [
        (
            results.items[name].about[0],
            person,
            "" if label == DONT_KNOW else label,
            round(results.seconds[name][person], 1),
        )
        for name, by_person in results.labels.items()
        for person, label in by_person.items()
    ]
    return [write_table(out / "answers.csv", ("question", "person", "answer", "seconds"), rows)]


ANSWER = ReviewTask(
    name="answer",
    title="Answer questions",
    guidelines=(
        "Answer each question from what is shown. You see what a model is shown, no more and no less.",
        "Take the time that you need; it is noted, and not judged.",
        "Where you cannot tell, say that you do not know rather than guess.",
    ),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
    check=_check,
    drawn_options=True,
    checks=True,
    plant=planted,
)
