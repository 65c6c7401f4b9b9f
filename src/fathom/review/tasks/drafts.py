"""Drafts: what models wrote and only people can decide: questions, or words that describe an object.

Ref: 4D-Bench §3.2; SEED-Bench §3.3; STI-Bench §3.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fathom.records import DECISIONS, DraftDecision
from fathom.review.records import FormChoice, FormField, ReviewItem, ReviewStage, Values
from fathom.review.results import Results
from fathom.review.source import OpenDraft, ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import lines_file

MARKED = "Marked as right"

_KEPT, _REJECTED = {"decision": ("keep",)}, {"decision": ("reject",)}
_MENDING = ("text", "options", "answer")
_KEYS = "abcdefghijlmnopqstuvwxy"
"""Of what a question may belong to; k keeps, r rejects, z takes back."""

_STAGE = ReviewStage(
    name="decide",
    title="Keep it?",
    fields=(
        FormField(name="picked", kind="option", title="The right option", needed=False),
        FormField(
            name="decision", kind="choice", title="Keep it?",
            choices=(
                FormChoice(value="keep", title="Keep", key="k"),
                FormChoice(value="reject", title="Reject", key="r"),
            ),
        ),
        FormField(name="kind", kind="choice", title="It belongs to", when=_KEPT),
        FormField(
            name="reason", kind="text", title="Why it goes", when=_REJECTED,
            placeholder="cannot be answered by looking, none is right, several are right, or in your words",
        ),
        FormField(name="text", kind="text", title="Better words", needed=False, when=_KEPT),
        FormField(
            name="options", kind="lines", title="Better options, one a line", needed=False, most=10,
            when=_KEPT,
        ),
        FormField(
            name="answer", kind="text", title="The right one of them", needed=False, rows=1, when=_KEPT
        ),
    ),
)  # fmt: skip


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield everything that waits for people."""
    for draft in source.drafts():
        yield _item(source, draft)


def _item(source: ReviewSource, draft: OpenDraft) -> ReviewItem:
    question = draft.question
    marked = {MARKED: question.answer} if question.answer else {}
    answered = bool(question.choices) and not question.answer
    without = () if draft.mendable else _MENDING
    without = (*without, *(() if answered else ("picked",)), *(() if draft.kinds else ("kind",)))
    kinds = tuple(
        FormChoice(value=kind, title=source.tasks.get(kind, kind), key=key)
        for kind, key in zip(draft.kinds, _KEYS, strict=False)
    )
    return source.item(
        question, title=draft.title, facts={**marked, **draft.facts}, pictures=draft.pictures,
        clips=draft.clips, choices=kinds,
        without=without, outlined={0: draft.outlined} if draft.outlined else {},
        group=question.task,
    )  # fmt: skip


def _check(item: ReviewItem, values: Values) -> str:
    keeps = values.get("decision") == "keep"
    if keeps and "picked" not in item.without and not values.get("picked"):
        return "choose the option that is right, or reject the question"
    options = tuple(str(t) for t in values.get("options") or item.options)
    if keeps and ("options" in values or "answer" in values):
        right = str(values.get("answer") or item.facts.get(MARKED, ""))
        if len({o.casefold() for o in options}) < len(options):
            return "write options that differ"
        if right not in options:
            return "the right one is not among the options; write it in its field, letter for letter"
    return ""


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return str(said.get("decide", {}).get("decision", ""))


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write decisions.jsonl, which `fathom write-questions … --decisions` takes."""
    decided = []
    for name, by_person in results.said.items():
        for person, said in by_person.items():
            values = said.get("decide", {})
            if not values:
                continue
            decided.append(
                DraftDecision(
                    subject=results.items[name].about[0], reviewer=person, decision=values["decision"],
                    reason=str(values.get("reason") or ""), answer_given=str(values.get("picked") or ""),
                    kind=str(values.get("kind") or ""), text=str(values.get("text") or ""),
                    choices=tuple(values.get("options") or ()), answer=str(values.get("answer") or ""),
                )
            )  # fmt: skip
    return [lines_file(out / DECISIONS, decided)]


DRAFTS = ReviewTask(
    name="drafts",
    title="Decide about drafts",
    guidelines=(
        "Models wrote this. Keep what can be answered by looking, in one way only, and reads well.",
        "Where no option is marked as right, choose the right one yourself before you keep the question.",
        "What you reject goes. What could be kept with other words: change them, where that is offered.",
    ),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
    check=_check,
    source="work",
)
