"""From responses to marks: how each answer was read, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from fathom.records import InputError, Mark, Policy, Question, Response, Status, Variant

MISSING = "missing"
"""`Mark.how` of a question that was to be answered and has no response."""

_PREFERRED: dict[Status, int] = {"ok": 0, "refused": 1, "failed": 2}


def mark_responses(
    questions: Sequence[Question], responses: Iterable[Response], policy: Policy
) -> list[Mark]:
    """Return a mark for every question and every variant in which it was put, in the order of the questions.

    What was refused, failed, or never came is worth 0 and keeps its status, so that it is counted and shown
    instead of dropped; `how` says `refused`, `failed` or `missing`. Where a variant has several responses,
    the first that succeeded counts. Judges' and writers' responses are passed over.

    `questions` are those that the run was to answer. Raises InputError where a response belongs to none of
    them.
    """
    of_question: dict[str, dict[Variant, Response]] = {q.id: {} for q in questions}
    for response in responses:
        if response.purpose not in ("answer", "blind"):
            continue
        if response.question not in of_question:
            raise InputError(
                f"response {response.key}: expected a question of the dataset, found {response.question!r}, "
                "which is none of them; score the run with the dataset that it was made on"
            )
        held = of_question[response.question]
        before = held.get(response.variant)
        if before is None or _PREFERRED[response.status] < _PREFERRED[before.status]:
            held[response.variant] = response
    return [mark for q in questions for mark in _marks_of(q, of_question[q.id], policy)]


def _marks_of(question: Question, responses: dict[Variant, Response], policy: Policy) -> list[Mark]:
    if not responses:
        return [_mark(question, policy, Variant(), "failed", MISSING)]
    ordered = sorted(responses.values(), key=lambda r: (r.variant.repeat, r.variant.name, repr(r.variant)))
    return [_read(question, response, policy) for response in ordered]


def _read(question: Question, response: Response, policy: Policy) -> Mark:
    if response.status != "ok":
        return _mark(question, policy, response.variant, response.status, response.status)
    reading = policy.read(as_shown(question, response.variant), response.text)
    value = policy.value(question, reading)
    return _mark(question, policy, response.variant, "ok", reading.how, reading.picked, value)


def as_shown(question: Question, variant: Variant) -> Question:
    """Return the question with its options in the order in which this variant shows them."""
    if not variant.option_order:
        return question
    if sorted(variant.option_order) != list(range(len(question.choices))):
        raise InputError(
            f"question {question.id}: expected an order of its {len(question.choices)} options, found "
            f"{variant.option_order}; score the run with the dataset that it was made on"
        )
    shown = tuple(question.choices[i] for i in variant.option_order)
    return msgspec.structs.replace(question, choices=shown)


def _mark(
    question: Question,
    policy: Policy,
    variant: Variant,
    status: Status,
    how: str,
    picked: str | None = None,
    value: float = 0.0,
) -> Mark:
    return Mark(
        question=question.id,
        task=question.task,
        policy=f"{policy.name}-{policy.version}",
        status=status,
        value=value,
        picked=picked,
        how=how,
        cluster=question.groups.cluster or question.scene,
        variant=variant,
    )
