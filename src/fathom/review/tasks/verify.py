"""Verify: is the answer right, wrong, ambiguous, or not to be seen? First without it, then with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from fathom.records import Question, Verdict
from fathom.review.records import FormChoice, FormField, ReviewItem, ReviewStage, Values
from fathom.review.results import Results, ReviewTable, consensus
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import lines_file, write_lines

KEEP = "right"
DISCARDED = ("wrong", "ambiguous", "unseen")
ANSWER = "The dataset's answer"
TASK = "Task"
"""Shown with the answer: what a question's task is called may tell what to look for."""

_VERDICTS = (
    FormChoice(value=KEEP, title="Right", key="r", meaning="the answer is right, and the only right one"),
    FormChoice(value="wrong", title="Wrong", key="w", meaning="another answer is right"),
    FormChoice(value="ambiguous", title="Ambiguous", key="a", meaning="several answers can be defended"),
    FormChoice(
        value="unseen", title="Cannot be seen", key="u", meaning="nobody could tell from what is shown"
    ),
)
_REPORTED = {"verdict": DISCARDED}

FIRST = ReviewStage(
    name="blind",
    title="What is the answer?",
    fields=(
        FormField(name="picked", kind="option", title="Your answer", needed=False),
        FormField(
            name="problem", kind="choice", title="Or what stands in the way", needed=False, left_out="",
            choices=(
                FormChoice(value="ambiguous", title="Several are right", key="a"),
                FormChoice(value="none", title="None is right", key="n"),
                FormChoice(value="unseen", title="Cannot be seen", key="u"),
                FormChoice(value="blind", title="Known without looking", key="k"),
            ),
        ),
    ),
)  # fmt: skip
SECOND = ReviewStage(
    name="shown",
    title="Is the dataset's answer right?",
    reveals=(ANSWER, TASK),
    fields=(
        FormField(name="verdict", kind="choice", title="Verdict", choices=_VERDICTS),
        FormField(
            name="reason", kind="text", title="Why", when=_REPORTED, placeholder="what is wrong with it"
        ),
        FormField(name="task", kind="text", title="Belongs to another task", needed=False, when=_REPORTED),
        FormField(
            name="text", kind="text", title="Better wording of the question", needed=False, when=_REPORTED
        ),
        FormField(
            name="options",
            kind="lines",
            title="Better options, one a line",
            needed=False,
            most=10,
            when=_REPORTED,
        ),
    ),
)


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every question, its answer hidden until the second stage."""
    for question in source.questions():
        task = source.tasks.get(question.task, question.task)
        yield source.item(question, title="", hidden={ANSWER: question.answer, TASK: task})


def _check(item: ReviewItem, values: Values) -> str:
    if "picked" in values and item.options and values["picked"] not in item.options:
        return "choose one of the options"
    if not any(values.get(name) for name in ("picked", "problem", "verdict")):
        return "choose an answer, or say what stands in the way"
    return ""


def planted(item: ReviewItem, g: np.random.Generator) -> tuple[ReviewItem, str] | None:
    """Return an item whose dataset's answer is another one, which makes it wrong; None where none is known.

    Of options another one is drawn; a number becomes a half or twice as large.
    """
    answer = item.hidden[ANSWER]
    others = [o for o in item.options if o != answer]
    if others:
        other = others[int(g.integers(len(others)))]
    elif (value := _number(answer)) is not None:
        other = f"{value * (0.5 if g.random() < 0.5 else 2.0):g}"
    else:
        return None
    return replace(item, hidden={**item.hidden, ANSWER: other}), "wrong"


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value and math.isfinite(value) else None


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return str(said.get("shown", {}).get("verdict", ""))


def verdicts(results: Results) -> list[Verdict]:
    """Return what each person decided about each question."""
    found = []
    for name, by_person in results.said.items():
        for person, said in by_person.items():
            label, more = _label(said), said.get("shown", {})
            if not label:
                continue
            words = [label, *(str(more[k]) for k in ("reason",) if more.get(k))]
            found.append(
                Verdict(
                    question=results.items[name].about[0],
                    reviewer=person,
                    decision="keep" if label == KEEP else "reject",
                    answer_given=str(said.get("blind", {}).get("picked", "") or ""),
                    reason="" if label == KEEP else ": ".join(words),
                )
            )
    return found


def proposals(results: Results) -> list[dict[str, Any]]:
    """Return the edits that people propose: question, person, and the new task, text or options."""
    return [
        {"question": results.items[name].about[0], "person": person, **edits}
        for name, by_person in results.said.items()
        for person, said in by_person.items()
        if (edits := {k: v for k in ("task", "text", "options") if (v := said.get("shown", {}).get(k))})
    ]


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write verdicts.jsonl, and edits.jsonl where somebody proposes any."""
    files = [lines_file(out / "verdicts.jsonl", verdicts(results))]
    if edits := proposals(results):
        files.append(write_lines(out / "edits.jsonl", edits))
    return files


def edited(question: Question, edit: Mapping[str, Any]) -> Question:
    """Return a question with an edit that people proposed; its program no longer proves its words.

    The answer stays; where the new options do not have it, nothing is changed.
    """
    choices = tuple(edit.get("options") or question.choices)
    if choices and question.answer not in choices:
        return question
    text, task = str(edit.get("text") or question.text), str(edit.get("task") or question.task)
    return replace(question, text=text, task=task, choices=choices)


def kept_by_week(results: Results) -> tuple[ReviewTable, ...]:
    """Return what share of the questions stays, by the week in which people last judged them.

    A question stays where more than half of its judges find it right. Ref: 4D-Bench §3.3.2.
    """
    last = {e.item: e.at for e in results.entries if not e.undone}
    weeks: dict[str, list[bool]] = {}
    for name, labels in results.labels.items():
        if label := consensus(labels.values(), "majority"):
            weeks.setdefault(_week(last[name]), []).append(label == KEEP)
    rows = tuple((week, len(kept), sum(kept), sum(kept) / len(kept)) for week, kept in sorted(weeks.items()))
    return (
        ReviewTable("Kept by week of the last judgement", ("week", "decided", "kept", "share kept"), rows),
    )


def _week(at: str) -> str:
    year, week, _ = datetime.fromisoformat(at).isocalendar()
    return f"{year}, week {week}"


VERIFY = ReviewTask(
    name="verify",
    title="Check questions",
    guidelines=(
        "First answer the question as it stands, from what is shown alone. The dataset's answer is hidden.",
        "Then you are shown the dataset's answer. Say whether it is right.",
        "A question is ambiguous where two careful people could defend different answers.",
    ),
    stages=(FIRST, SECOND),
    items=items,
    label=_label,
    write=write,
    check=_check,
    checks=True,
    plant=planted,
    tables=kept_by_week,
)
