"""The file in which people decide: WORK/review.jsonl, a line a question or whatever else waits for them.

    decision     to be filled in: keep or reject
    reviewer     who it was
    reason       why

The rest of a line says what it is about. Lines that are there are never changed: new ones come behind them.
A second reviewer copies the line; what anybody rejects goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, Protocol, TypeVar

import msgspec

from fathom.records import InputError, Verdict
from fathom.store.files import write_bytes
from fathom.store.lines import read_numbered

FILE = "review.jsonl"
REVIEW = "review"
KEPT, REJECTED, WAITING = "kept by people", "rejected by people", "waits for people"

Decision = Literal["", "keep", "reject"]
"""What people decided; "" before they have."""

OUTCOMES: dict[Decision, str] = {"keep": KEPT, "reject": REJECTED, "": WAITING}


class ReviewLine(Protocol):
    """What people fill in of a line; it stands there empty."""

    decision: str
    reviewer: str
    reason: str


L = TypeVar("L", bound=ReviewLine)


@dataclass(frozen=True)
class ReviewedLine(Generic[L]):
    """A line with its place in the file, and what was decided there."""

    where: str
    line: L
    decision: Decision

    def verdict(self, name: str, answer_given: str = "") -> Verdict:
        """Return the decision as a verdict about something."""
        return Verdict(
            question=name,
            reviewer=f"{REVIEW}:{self.line.reviewer.strip() or 'unnamed'}",
            decision="keep" if self.decision == "keep" else "reject",
            answer_given=answer_given,
            reason=self.line.reason,
        )


@dataclass(frozen=True)
class ReviewFile(Generic[L]):
    """The review file of a work folder; `name_of` says what a line is about."""

    path: Path
    form: type[L]
    name_of: Callable[[L], str]

    def add(self, lines: Sequence[L]) -> None:
        """Add the lines about what no line is about yet."""
        old = self.path.read_bytes() if self.path.exists() else b""
        known = {self.name_of(line) for _, line in read_numbered(self.path, self.form)} if old else set()
        new = [line for line in lines if self.name_of(line) not in known]
        if new:
            begun = old if not old or old.endswith(b"\n") else old + b"\n"
            write_bytes(self.path, begun + b"".join(msgspec.json.encode(line) + b"\n" for line in new))

    def read(self) -> dict[str, list[ReviewedLine[L]]]:
        """Return the lines with what was decided, by what they are about.

        Raises InputError with file and line for a decision that is none, DataError for a line that does not
        validate.
        """
        found: dict[str, list[ReviewedLine[L]]] = {}
        for number, line in read_numbered(self.path, self.form) if self.path.exists() else ():
            where = f"{self.path}:{number}"
            decided = ReviewedLine(where, line, _decision(line.decision, where))
            found.setdefault(self.name_of(line), []).append(decided)
        return found


def _decision(text: str, where: str) -> Decision:
    decision = text.strip().casefold()
    if decision not in OUTCOMES:
        raise InputError(f"{where}: expected the decision keep or reject, found {text!r}; correct it")
    return decision


def together(decisions: Iterable[Decision]) -> Decision:
    """Return what several people decided together: one that rejects is enough."""
    found = set(decisions)
    return "reject" if "reject" in found else "keep" if "keep" in found else ""
