"""What checkers and blind readers said of a question, as verdicts."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from fathom.build.written.candidates import Candidate
from fathom.build.written.rules import rules_of
from fathom.reading.stated import POLICY
from fathom.records import Question, Response, Verdict

CHECK, BLIND, REVIEW = "check", "blind", "review"

Outcome = Literal["keep", "reject", "refused", "unreadable", "failed"]
"""What came of asking one model: a decision, or why there is none. A reader that reads nothing has no right
answer, so that it keeps a question; a checker that says nothing readable passes none."""

_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.DOTALL | re.IGNORECASE)
_LONGEST = 20_000


class _Checked(msgspec.Struct, forbid_unknown_fields=True):
    broken: list[int]
    reason: str = ""


def checked(candidate: Candidate, response: Response | None, model: str) -> tuple[Outcome, Verdict | None]:
    """Return what a checker decided, and its verdict where it can be read."""
    if response is None or response.status == "failed":
        return "failed", None
    if response.status == "refused":
        return "refused", None
    text = response.text.strip()[: _LONGEST + 1]
    fenced = _FENCE.match(text)
    try:
        said = msgspec.json.decode(fenced[1] if fenced else text, type=_Checked)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return "unreadable", None
    rules = rules_of(candidate.task)
    if not all(1 <= n <= len(rules) for n in said.broken):
        return "unreadable", None
    broken = ", ".join(str(n) for n in sorted(set(said.broken)))
    why = " ".join(said.reason.split())[:300]
    reason = f"breaks rule {broken}: {why}".rstrip(": ") if broken else why
    return _verdict(candidate, f"{CHECK}:{model}", not broken, "", reason)


def tried(candidate: Candidate, response: Response | None, model: str) -> tuple[Outcome, Verdict | None]:
    """Return whether a blind reader was right ("reject") or not ("keep"), and its verdict."""
    if response is None or response.status == "failed":
        return "failed", None
    if response.status == "refused":
        return "refused", None
    reading = POLICY.read(as_question(candidate), response.text)
    if reading.picked is None:
        return "unreadable", None
    right = reading.picked == candidate.answer
    reason = "right without seeing the object" if right else "wrong without seeing the object"
    return _verdict(candidate, f"{BLIND}:{model}", not right, reading.picked, reason)


def as_question(candidate: Candidate) -> Question:
    """Return a candidate as the question that it would be, without its media."""
    return Question(
        id=candidate.id,
        task=candidate.task,
        text=candidate.text,
        choices=candidate.choices,
        answer=candidate.answer,
    )


def _verdict(
    candidate: Candidate, reviewer: str, keep: bool, answer: str, reason: str
) -> tuple[Outcome, Verdict]:
    decision: Literal["keep", "reject"] = "keep" if keep else "reject"
    return decision, Verdict(
        question=candidate.id, reviewer=reviewer, decision=decision, answer_given=answer, reason=reason
    )
