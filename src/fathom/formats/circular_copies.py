"""Rows of one question brought together: copies with the options turned, repeats, and rows that disagree.

A circular copy is a way of putting a question, and not a question. It is checked against its question (the
same words, the same options in a turned order, the same answer) and folded into it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from fathom.formats.import_findings import ImportFindings, LeftOutError
from fathom.formats.layouts import ImportedQuestion

REPEATED = "a row that is there twice"
DISAGREE = "two rows of one question that disagree; the first counts"
TURNED_OTHERWISE = "a circular copy that disagrees with its question"
NO_FIRST = "a question of which only circular copies are there"

Met = Literal["new", "held", "folded"]


@dataclass(frozen=True)
class WaitingCopy:
    """A circular copy whose question has not come yet."""

    draft: ImportedQuestion
    media: tuple[str, ...]
    where: str


class Folding:
    """What was met of each question: 16 bytes for what it says, and the index of its row."""

    def __init__(self) -> None:
        self.folded = 0
        self._met: dict[str, tuple[bytes, str]] = {}
        self._held: dict[str, list[WaitingCopy]] = {}

    def meet(self, draft: ImportedQuestion) -> Met:
        """Return whether a row is a new question, a circular copy of one that was met, or of one to come.

        Raises LeftOutError for a row that is there twice, and for one that disagrees with what was met.
        """
        said = content(draft)
        before = self._met.get(draft.id)
        if before is None:
            if draft.rotation:
                return "held"
            self._met[draft.id] = said, draft.index
            return "new"
        if draft.rotation:
            if before[0] != said:
                raise LeftOutError(TURNED_OTHERWISE, draft.id)
            self.folded += 1
            return "folded"
        raise LeftOutError(REPEATED if before[0] == said else DISAGREE, draft.id)

    def index_of(self, question_id: str) -> str:
        """Return the index of the row of a question that was met."""
        return self._met[question_id][1]

    def forget(self, draft: ImportedQuestion) -> None:
        """Take back that a question was met, because it could not be imported."""
        self._met.pop(draft.id, None)

    def hold(self, held: WaitingCopy) -> None:
        """Keep a circular copy until its question comes."""
        self._held.setdefault(held.draft.id, []).append(held)

    def settle(self, draft: ImportedQuestion, findings: ImportFindings) -> None:
        """Fold the copies that came before their question."""
        for held in self._held.pop(draft.id, ()):
            try:
                self.meet(held.draft)
            except LeftOutError as e:
                findings.leave_out(e.reason, held.where, e.detail)

    def orphans(self, findings: ImportFindings) -> list[WaitingCopy]:
        """Return, for every question of which only copies came, one with the options turned back."""
        found = []
        for copies in self._held.values():
            first = min(copies, key=lambda held: held.draft.rotation)
            findings.note(NO_FIRST, first.where, first.draft.id)
            back = replace(first, draft=turned_back(first.draft))
            self._met[back.draft.id] = content(back.draft), back.draft.index
            found.append(back)
            for held in copies:
                if held is not first:
                    try:
                        self.meet(held.draft)
                    except LeftOutError as e:
                        findings.leave_out(e.reason, held.where, e.detail)
        self._held.clear()
        return found


def content(draft: ImportedQuestion) -> bytes:
    """Return 16 bytes for what a row says, the same for all turns of its options."""
    choices = draft.choices
    turns: Sequence[tuple[str, ...]] = [choices[i:] + choices[:i] for i in range(len(choices))] or [()]
    said = [draft.text, min(turns), draft.answer, draft.references, draft.span_s]
    return hashlib.sha256(msgspec.json.encode(said)).digest()[:16]


def turned_back(draft: ImportedQuestion) -> ImportedQuestion:
    """Return a circular copy with its options in their first order: copy k begins with option k."""
    k = draft.rotation % len(draft.choices) if draft.choices else 0
    cut = len(draft.choices) - k
    return replace(draft, choices=draft.choices[cut:] + draft.choices[:cut], rotation=0)
