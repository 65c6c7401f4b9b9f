"""Quality: is an object good enough for a benchmark? High or low, at one key a preview.

Ref: 4D-Bench §3.1 (data curation).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fathom.records import Verdict
from fathom.review.records import FormChoice, FormField, ReviewItem, ReviewStage
from fathom.review.results import Results
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import lines_file

_STAGE = ReviewStage(
    name="quality",
    title="Is the quality high or low?",
    fields=(
        FormField(
            name="quality", kind="choice", title="Quality",
            choices=(
                FormChoice(value="high", title="High", key="h", meaning="whole, moves as it should"),
                FormChoice(value="low", title="Low", key="l", meaning="broken, empty, or hardly moves"),
            ),
        ),
        FormField(
            name="reason", kind="text", title="What is wrong", needed=False, when={"quality": ("low",)}
        ),
    ),
)  # fmt: skip


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every scene or object once."""
    seen: set[str] = set()
    for question in source.questions():
        name = question.scene or question.groups.cluster or question.id
        if name not in seen:
            seen.add(name)
            yield source.item(
                question, name=name, text="", options=(), title=name, about=(name,), group="quality"
            )


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return str(said.get("quality", {}).get("quality", ""))


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write verdicts.jsonl, which `fathom curate` learns from: an object of low quality is rejected."""
    verdicts = [
        Verdict(
            question=name, reviewer=person, decision="keep" if label == "high" else "reject",
            reason=str(results.said[name][person]["quality"].get("reason") or ""),
        )
        for name, by_person in results.labels.items()
        for person, label in by_person.items()
    ]  # fmt: skip
    return [lines_file(out / "verdicts.jsonl", verdicts)]


QUALITY = ReviewTask(
    name="quality",
    title="Judge the quality of objects",
    guidelines=(
        "Press h for high and l for low: of the object that is framed; the next one is framed then.",
        "Look closely where you are not sure: all views are played, and you can say what is wrong.",
    ),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
    group_title="set",
    together=12,
)
