"""The file in which people decide: WORK/review.jsonl, a line a question or whatever else waits for them.

    decision     to be filled in: keep or reject
    reviewer     who it was
    reason       why

The rest of a line says what it is about. Lines that are there are never changed: new ones come behind them.
A second reviewer copies the line; what anybody rejects goes. `fathom review WORK --task drafts` asks for the
same on pages, and `take_decisions` fills the file in from what people said there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Generic, Literal, Protocol, Self, TypeVar

import msgspec

from fathom.records import DECISIONS, DraftDecision, InputError, Verdict
from fathom.store.files import read_jsonl, write_bytes
from fathom.store.lines import read_numbered

FILE = "review.jsonl"
DESCRIBED = "described.jsonl"
"""Descriptions of objects that several models described, in lines as of the review file."""

REVIEW = "review"
KEPT, REJECTED, WAITING = "kept by people", "rejected by people", "waits for people"

Decision = Literal["", "keep", "reject"]
"""What people decided; "" before they have."""

OUTCOMES: dict[Decision, str] = {"keep": KEPT, "reject": REJECTED, "": WAITING}


@dataclass(frozen=True)
class WaitingDraft:
    """What a line asks people to decide about, as it is shown to them.

    subject : the id of the question or description; several lines may be about the same
    title : what it is, in a word or two
    text, choices : its words and its options
    answer : the option that is marked as right; "" where people are to find it themselves
    media : ids of the pictures or videos that show it
    span_s : the stretch of a video that it is about, in seconds; None: all of it
    mark : media id, frame (-1: a picture), and box (x0, y0, x1, y1 in pixels) of what is meant
    facts : what else there is to know, title → text
    kinds : what it may belong to, among which people choose; () where that is settled
    mendable : whether its words, options and answer may be changed
    """

    subject: str
    title: str
    text: str
    choices: tuple[str, ...] = ()
    answer: str = ""
    media: tuple[str, ...] = ()
    span_s: tuple[float, float] | None = None
    mark: tuple[str, int, tuple[float, float, float, float]] | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""
    kinds: tuple[str, ...] = ()
    mendable: bool = False

    @property
    def answered(self) -> bool:
        """Whether people give the right option themselves."""
        return bool(self.choices) and not self.answer


class ReviewLine(Protocol):
    """A line of the file; what people fill in stands there empty."""

    decision: str
    reviewer: str
    reason: str

    def draft(self) -> WaitingDraft:
        """Return what the line asks people to decide about."""

    def filled(self, said: DraftDecision) -> Self:
        """Return the line as it stands when somebody has decided."""


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


def drafts_in(path: Path, form: type[L]) -> list[WaitingDraft]:
    """Return what the lines of a review file are about, each once, in its order; nothing without a file."""
    found: dict[str, WaitingDraft] = {}
    for _, line in read_numbered(path, form) if path.exists() else ():
        draft = line.draft()
        found.setdefault(draft.subject, draft)
    return list(found.values())


def take_decisions(path: Path, form: type[L], decided: Sequence[DraftDecision]) -> int:
    """Fill a review file in with what people decided elsewhere; return how many decisions are new.

    Each takes the first line about its subject that nobody has filled in, or a copy of one where all are.
    Who decides again takes the place of their own line. Raises InputError, and changes nothing, where a
    decision is about something that is not there.
    """
    lines = [line for _, line in read_numbered(path, form)] if path.exists() else []
    about = [line.draft().subject for line in lines]
    new = 0
    for said in decided:
        if said.subject not in about:
            raise InputError(
                f"{path}: has no line about {said.subject}, which {said.reviewer} decided; give the "
                "decisions of a review of this work"
            )
        own = [k for k, name in enumerate(about) if name == said.subject]
        theirs = [k for k in own if lines[k].decision and lines[k].reviewer == said.reviewer]
        empty = [k for k in own if not lines[k].decision]
        at = next(iter(theirs + empty), None)
        filled = lines[own[0] if at is None else at].filled(said)
        new += at is None or filled != lines[at]
        if at is None:
            lines.append(filled)
            about.append(said.subject)
        else:
            lines[at] = filled
    if new:
        write_bytes(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return new


def read_decisions(path: Path) -> list[DraftDecision]:
    """Return the decisions that a review wrote, from its file or from the folder of its export.

    Raises InputError where there are none.
    """
    file = path / DECISIONS if path.is_dir() else path
    if not file.is_file():
        raise InputError(
            f"{file}: expected what people decided, and there is no such file; write it with fathom review "
            "REVIEW --export FOLDER"
        )
    return list(read_jsonl(file, DraftDecision))


def pairs_in(path: Path, form: type[L]) -> list[tuple[WaitingDraft, WaitingDraft]]:
    """Return every two descriptions of the same object in a file."""
    alike: dict[object, list[WaitingDraft]] = {}
    for draft in drafts_in(path, form):
        alike.setdefault((draft.media, draft.span_s, draft.mark), []).append(draft)
    return [pair for drafts in alike.values() for pair in combinations(drafts, 2)]
