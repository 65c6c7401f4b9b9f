"""The file in which people decide what only they can: WORK/review.jsonl, a line a description or question.

    id …         what it is about, the words, and why people are asked
    best_seen    of a description: the frame in which most of the thing is seen, and its box there (pixels)
    decision     to be filled in: keep or reject
    reviewer     who it was
    reason       why

Lines that are there are never changed: new ones come behind them. One that anybody rejects goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from fathom.records import InputError, Verdict
from fathom.store.files import write_bytes
from fathom.store.lines import read_numbered

FILE = "review.jsonl"


class Line(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One line of the review file; what people fill in stands there empty."""

    id: str
    about: str
    scene: str
    media: str
    seconds: list[float] = []
    words: str
    thing: str = ""
    best_seen: dict[str, Any] = {}
    asks: str = ""
    choices: list[str] = []
    answer: str = ""
    why: str = ""
    decision: str = ""
    reviewer: str = ""
    reason: str = ""


def add_lines(work: Path, lines: Sequence[Line]) -> Path:
    """Add the lines whose ids are not there yet, and return the file."""
    path = work / FILE
    old = path.read_bytes() if path.exists() else b""
    known = {line.id for _, line in read_numbered(path, Line)} if old else set()
    new = [line for line in lines if line.id not in known]
    if new:
        begun = old if not old or old.endswith(b"\n") else old + b"\n"
        write_bytes(path, begun + b"".join(msgspec.json.encode(line) + b"\n" for line in new))
    return path


def decisions(work: Path) -> dict[str, list[Verdict]]:
    """Return what people decided, by what it is about.

    Raises InputError with file and line for a decision that is none, DataError for a line that does not
    validate.
    """
    path = work / FILE
    out: dict[str, list[Verdict]] = {}
    for number, line in read_numbered(path, Line) if path.exists() else ():
        decision = line.decision.strip().casefold()
        if decision not in ("", "keep", "reject"):
            raise InputError(
                f"{path}:{number}: expected the decision keep or reject, found {line.decision!r}; correct it"
            )
        if decision:
            out.setdefault(line.id, []).append(
                Verdict(
                    question=line.id,
                    reviewer=f"review:{line.reviewer.strip() or 'unnamed'}",
                    decision="keep" if decision == "keep" else "reject",
                    reason=line.reason,
                )
            )
    return out


def decided(verdicts: Sequence[Verdict]) -> str:
    """Return keep, reject, or "" where nobody decided; one that rejects is enough."""
    found = {v.decision for v in verdicts}
    return "reject" if "reject" in found else "keep" if found else ""
