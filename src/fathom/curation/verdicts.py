"""What people decided about objects and questions, and what goes because of it.

A line of `verdicts.jsonl` names an object or a question (`Verdict.question`). Of several lines of one
reviewer the last counts. Where as many reject as keep, or more, the object or question goes; without a
verdict it stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from fathom.records import Verdict
from fathom.store.files import read_jsonl

FILE = "verdicts.jsonl"

FILTER = "filter:"
"""What the names of reviewers begin with that are programs; nothing is learnt from them."""

T = TypeVar("T")


@dataclass(frozen=True)
class ObjectVerdicts:
    """The verdicts of all reviewers on one object or question."""

    keeps: tuple[Verdict, ...]
    rejects: tuple[Verdict, ...]

    @property
    def is_rejected(self) -> bool:
        """Whether it goes."""
        return len(self.rejects) >= max(1, len(self.keeps))

    @property
    def is_disputed(self) -> bool:
        """Whether as many keep as reject, so that nothing can be learnt from it."""
        return len(self.keeps) == len(self.rejects)

    @property
    def reason(self) -> str:
        """Why it goes, in the words of those who rejected it."""
        said = "; ".join(f"{v.reviewer}: {v.reason or 'no reason given'}" for v in self.rejects)
        against = f", kept by {len(self.keeps)}" if self.keeps else ""
        return f"rejected by {len(self.rejects)}{against} ({said})"


def read_verdicts(path: Path) -> list[Verdict]:
    """Return the lines of a file. Raises DataError with file and line where one does not validate."""
    return list(read_jsonl(path, Verdict))


def judged(verdicts: Iterable[Verdict]) -> dict[str, ObjectVerdicts]:
    """Return what was decided about each name, the last line of each reviewer alone."""
    last: dict[str, dict[str, Verdict]] = {}
    for verdict in verdicts:
        last.setdefault(verdict.question, {})[verdict.reviewer] = verdict
    return {
        name: ObjectVerdicts(
            keeps=tuple(v for _, v in sorted(lines.items()) if v.decision == "keep"),
            rejects=tuple(v for _, v in sorted(lines.items()) if v.decision == "reject"),
        )
        for name, lines in last.items()
    }


def labels(verdicts: Iterable[Verdict]) -> dict[str, bool]:
    """Return what people decided, name → keep; what they are divided over is not among them."""
    found = judged(v for v in verdicts if not v.reviewer.startswith(FILTER))
    return {name: not j.is_rejected for name, j in found.items() if not j.is_disputed}


@dataclass(frozen=True)
class Applied:
    """What stays, why the rest goes, and which names in the verdicts nothing here has."""

    kept: tuple[str, ...]
    dropped: Mapping[str, str]
    unknown: tuple[str, ...]


def apply_verdicts(
    names: Sequence[str], verdicts: Iterable[Verdict], belongs_to: Mapping[str, str] | None = None
) -> Applied:
    """Return which of the names stay. A name goes as well where what it belongs to was rejected.

    `belongs_to` gives the object of a question. Names in the verdicts that are neither among `names` nor what
    one of them belongs to are returned as unknown: they are misspelt, or of another dataset.
    """
    decided = judged(verdicts)
    owner = belongs_to or {}
    kept, dropped = [], {}
    for name in names:
        own, above = decided.get(name), decided.get(owner.get(name, ""))
        if own is not None and own.is_rejected:
            dropped[name] = own.reason
        elif above is not None and above.is_rejected:
            dropped[name] = f"its object {owner[name]} was {above.reason}"
        else:
            kept.append(name)
    known = {*names, *(owner[name] for name in names if name in owner)}
    return Applied(tuple(kept), dropped, tuple(sorted(set(decided) - known)))
