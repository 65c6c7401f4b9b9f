"""Marks, scores and verdicts."""

from __future__ import annotations

from typing import Literal

from fathom.records.response import Status, Variant
from fathom.records.scene import Record


class SampleScore(Record, frozen=True, kw_only=True):
    """How one response was read, and what it is worth.

    `picked` is None where nothing could be read; `how` names the rule that read it. `value` is 1 for
    correct, 0 for wrong, and may be between for partial credit. `cut_off`: the answer came to the limit of
    its length.
    """

    question: str
    task: str
    extractor: str
    status: Status
    value: float
    picked: str | None = None
    how: str = ""
    cluster: str = ""
    variant: Variant = Variant()
    details: dict[str, float] = {}
    cut_off: bool = False


class Score(Record, frozen=True, kw_only=True):
    """One number with its interval; `low` and `high` are None where no interval is meant.

    `incomplete` says of a run's number how many of the answers that were due are not there.
    """

    name: str
    value: float | None
    n: int
    method: str
    group: dict[str, str] = {}
    low: float | None = None
    high: float | None = None
    note: str = ""
    incomplete: str = ""


class Verdict(Record, frozen=True, kw_only=True):
    """What a person, a filter or a validator decided about one question."""

    question: str
    reviewer: str
    decision: Literal["keep", "reject"]
    answer_given: str = ""
    reason: str = ""


DECISIONS = "decisions.jsonl"
"""Where a review writes what people decided about drafts."""


class DraftDecision(Record, frozen=True, kw_only=True):
    """What one person decided of a draft; texts that they leave as they are stay empty."""

    subject: str
    reviewer: str
    decision: Literal["keep", "reject"]
    reason: str = ""
    answer_given: str = ""
    kind: str = ""
    text: str = ""
    choices: tuple[str, ...] = ()
    answer: str = ""
