"""Revise: a reviewer reads the captions of one object together, and accepts, changes or rejects each.

Ref: 4D-Bench §3.3.
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
    name="revise",
    title="Is this caption good?",
    fields=(
        FormField(
            name="decision", kind="choice", title="Decision",
            choices=(
                FormChoice(value="keep", title="Accept", key="a", meaning="true, and unlike the others"),
                FormChoice(value="revise", title="Revise", key="e", meaning="write what it should say"),
                FormChoice(value="reject", title="Reject", key="r", meaning="wrong, or says nothing"),
            ),
        ),
        FormField(
            name="text", kind="text", title="What it should say", when={"decision": ("revise",)}, rows=4
        ),
        FormField(
            name="reason", kind="text", title="Why", when={"decision": ("revise", "reject")}, needed=False
        ),
    ),
)  # fmt: skip


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield one item a caption, with the other captions of its object beside it."""
    for question in source.questions():
        for k, caption in enumerate(question.references, 1):
            others = {f"Caption {j}": c for j, c in enumerate(question.references, 1) if j != k}
            yield source.item(
                question, name=f"{question.id} caption {k}", text=caption, facts=others, options=(),
                title=f"Caption {k} of {len(question.references)}",
            )  # fmt: skip


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return str(said.get("revise", {}).get("decision", ""))


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write revisions.csv, a row a caption and a person, which `fathom captions` takes."""
    rows = []
    for name, by_person in results.said.items():
        for person, said in by_person.items():
            values = said.get("revise", {})
            if values:
                number = name.rpartition(" caption ")[2]
                text, why = str(values.get("text") or ""), str(values.get("reason") or "")
                rows.append((results.items[name].cluster, number, values["decision"], text, person, why))
    columns = ("object", "caption", "decision", "text", "reviewer", "reason")
    return [write_table(out / "revisions.csv", columns, rows)]


REVISE = ReviewTask(
    name="revise",
    title="Review captions",
    guidelines=(
        "Accept a caption that is true, detailed, and says something that the others do not.",
        "Revise one that is nearly so. Reject one that is wrong or says nothing.",
    ),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
)
