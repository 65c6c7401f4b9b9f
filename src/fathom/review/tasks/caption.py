"""Caption: several people each describe an object in one or two sentences, from all of its views.

Ref: 4D-Bench §3.3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fathom.review.records import FormField, ReviewItem, ReviewStage, Values
from fathom.review.results import Results
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import write_table

FEWEST_WORDS, MOST_WORDS = 5, 120

_STAGE = ReviewStage(
    name="caption",
    title="What do you see?",
    fields=(FormField(name="caption", kind="text", title="Your description", rows=4),),
)


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield one item for each object that the dataset has captions of."""
    for question in source.questions():
        if question.references:
            yield source.item(question, text="Describe what is shown, how it looks and what it does.")


def _check(item: ReviewItem, values: Values) -> str:
    count = len(str(values.get("caption") or "").split())
    if not FEWEST_WORDS <= count <= MOST_WORDS:
        return f"write {FEWEST_WORDS} to {MOST_WORDS} words; there are {count}"
    return ""


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return "written" if said.get("caption", {}).get("caption") else ""


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write captions.csv, which `fathom captions` takes: folder_name, writer, caption_1 …"""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, by_person in results.said.items():
        for person, said in by_person.items():
            if text := said.get("caption", {}).get("caption"):
                found[results.items[name].cluster].append((person, str(text)))
    most = max((len(v) for v in found.values()), default=1)
    rows = [
        (
            name,
            ", ".join(person for person, _ in said),
            *(text for _, text in said),
            *[""] * (most - len(said)),
        )
        for name, said in found.items()
    ]
    columns = ("folder_name", "writer", *(f"caption_{k}" for k in range(1, most + 1)))
    return [write_table(out / "captions.csv", columns, rows)]


CAPTION = ReviewTask(
    name="caption",
    title="Describe objects",
    guidelines=(
        "Describe how the object looks and what it does, in one or two sentences.",
        "Look at all views and play them to the end. Leave out the background and the camera.",
        "Name colors, parts and the order of what happens. Do not guess what cannot be seen.",
    ),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
    check=_check,
)
