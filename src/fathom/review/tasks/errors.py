"""Errors: why is a model's answer wrong? The reasons are the benchmark's.

Ref: STI-Bench §4.3, Figure 7; 3DSRBench §4.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fathom.review.errors import ErrorLine
from fathom.review.records import FormChoice, FormField, ReviewItem, ReviewStage
from fathom.review.results import Results
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import lines_file

RIGHT, PICKED, WROTE = "Right answer", "The model's answer", "What the model wrote"
OPTIONS, MODEL, SETTING, ASKED = "options", "model", "setting", "asked about"

_STAGE = ReviewStage(
    name="label",
    title="Why is the answer wrong?",
    reveals=(RIGHT, PICKED, WROTE),
    fields=(
        FormField(name="label", kind="choice", title="Reason"),
        FormField(name="note", kind="text", title="Note", needed=False),
    ),
)


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every wrong answer with what the model wrote, and the benchmark's reasons as choices.

    Options have the letters and the order that the model saw.
    """
    choices = tuple(
        FormChoice(value=label.name, title=label.title, key=str(k), meaning=label.meaning)
        for k, label in enumerate(source.error_labels, 1)
    )
    for answer in source.answers():
        hidden = {RIGHT: answer.question.answer, PICKED: answer.picked, WROTE: answer.said}
        listed = [f"{chr(ord('A') + k)}. {text}" for k, text in enumerate(answer.question.choices)]
        facts = {OPTIONS: "\n".join(listed)} if listed else {}
        facts[MODEL] = source.model
        if answer.setting:
            facts[SETTING] = answer.setting
        if answer.asked_s:
            facts[ASKED] = ", ".join(f"{t:.2f} s" for t in answer.asked_s)
        yield source.item(answer.question, hidden=hidden, facts=facts, choices=choices)


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return str(said.get("label", {}).get("label", ""))


def _stratum(item: ReviewItem) -> tuple[str, ...]:
    return item.group, item.facts.get(SETTING, "")


def _line(item: ReviewItem, label: str = "", reviewer: str = "", note: str = "") -> ErrorLine:
    return ErrorLine(
        question=item.about[0], model=item.facts[MODEL], task=item.group, setting=item.facts.get(SETTING, ""),
        cluster=item.cluster, weight=round(item.weight, 6), text=item.text, choices=list(item.options),
        answer=item.hidden[RIGHT], picked=item.hidden[PICKED], reasoning=item.hidden[WROTE],
        label=label, reviewer=reviewer, note=note,
    )  # fmt: skip


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write labels.jsonl, which `fathom errors --labels` reads; an answer without a label is a line too."""
    lines = []
    for name, item in results.items.items():
        said = results.labels.get(name, {})
        for person, label in said.items():
            note = str(results.said[name][person]["label"].get("note") or "")
            lines.append(_line(item, label, person, note))
        if not said:
            lines.append(_line(item))
    return [lines_file(out / "labels.jsonl", lines)]


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
    stratum=_stratum,
)
