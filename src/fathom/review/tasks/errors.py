"""Errors: why is a model's answer wrong? The reasons are the benchmark's.

Ref: STI-Bench §4.3, Figure 7; 3DSRBench §4.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fathom.review.records import FormChoice, FormField, ReviewItem, ReviewStage
from fathom.review.results import Results
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import write_table

_STAGE = ReviewStage(
    name="label",
    title="Why is the answer wrong?",
    reveals=("Right answer", "The model's answer", "What the model wrote"),
    fields=(
        FormField(name="label", kind="choice", title="Reason"),
        FormField(name="note", kind="text", title="Note", needed=False),
    ),
)


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every wrong answer with what the model wrote, and the benchmark's reasons as choices."""
    choices = tuple(
        FormChoice(value=label.name, title=label.title, key=str(k), meaning=label.meaning)
        for k, label in enumerate(source.error_labels, 1)
    )
    for answer in source.answers():
        hidden = {
            "Right answer": answer.question.answer,
            "The model's answer": answer.picked,
            "What the model wrote": answer.said,
        }
        facts = {"model": source.model, **({"setting": answer.setting} if answer.setting else {})}
        yield source.item(answer.question, hidden=hidden, facts=facts, choices=choices)


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return str(said.get("label", {}).get("label", ""))


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write labels.csv: question, task, person, label, note."""
    rows = [
        (item.about[0], item.group, person, label, str(results.said[name][person]["label"].get("note") or ""))
        for name, by_person in results.labels.items()
        for item in (results.items[name],)
        for person, label in by_person.items()
    ]
    return [write_table(out / "labels.csv", ("question", "task", "person", "label", "note"), rows)]


ERRORS = ReviewTask(
    name="errors",
    title="Say why answers are wrong",
    guidelines=(
        "Each answer is wrong. Read what the model wrote, look at what it was shown, and choose the first "
        "thing that went wrong.",
    ),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
    source="run",
)
