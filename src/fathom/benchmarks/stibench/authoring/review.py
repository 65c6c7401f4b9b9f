"""What people decide of descriptions and questions of videos, in WORK/review.jsonl.

id …         what it is about, the words, and why people are asked
best_seen    of a description: the frame in which most of the object is seen, and its box there (pixels)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from fathom.authoring.review import (
    FILE,
    OUTCOMES,
    REVIEW,
    Decision,
    ReviewFile,
    WaitingDraft,
    together,
)
from fathom.authoring.work import Work
from fathom.records import DraftDecision

_TITLES = {
    "description": "Do these words fit what is marked, and nothing else?",
    "question": "Does this question ask for its fact?",
}

NO_PEOPLE = "only people can decide, and they are not asked"


class OpenLine(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One line of the review file; what people fill in stands there empty."""

    id: str
    about: str
    scene: str
    media: str
    seconds: list[float] = []
    words: str
    object_id: str = ""
    best_seen: dict[str, Any] = {}
    asks: str = ""
    choices: list[str] = []
    answer: str = ""
    why: str = ""
    decision: str = ""
    reviewer: str = ""
    reason: str = ""

    def draft(self) -> WaitingDraft:
        """Return the words with why people are asked, and of a description where its object is seen best."""
        known = {"It is to ask": self.asks, "Why you are asked": self.why}
        mark = None
        if self.best_seen:
            x0, y0, x1, y1 = (float(v) for v in self.best_seen["box_px"])
            mark = (self.media, int(self.best_seen["frame"]), (x0, y0, x1, y1))
        return WaitingDraft(
            subject=self.id, title=_TITLES.get(self.about, self.about), text=self.words,
            choices=tuple(self.choices), answer=self.answer, media=(self.media,), mark=mark,
            span_s=(self.seconds[0], self.seconds[-1]) if self.seconds else None,
            facts={k: v for k, v in known.items() if v}, kind=self.about,
        )  # fmt: skip

    def filled(self, said: DraftDecision) -> OpenLine:
        """Return the line as somebody decided."""
        return msgspec.structs.replace(
            self, decision=said.decision, reviewer=said.reviewer, reason=said.reason
        )


class People:
    """What people decide; where they are not `asked`, what only they can decide goes."""

    def __init__(self, work: Work, asked: bool) -> None:
        self._work = work
        self._file = ReviewFile(work.folder / FILE, OpenLine, lambda line: line.id)
        self._lines = self._file.read()
        self._asked = asked

    def have_seen(self, name: str) -> bool:
        """Return whether anybody has decided about something."""
        return any(decided.decision for decided in self._lines.get(name, ()))

    def decision(self, name: str, setting: str) -> Decision:
        """Return what people decided of something, "" where they are waited for; and count it."""
        decided = [d for d in self._lines.get(name, ()) if d.decision]
        found = together(d.decision for d in decided)
        self._work.outcomes.verdicts += [d.verdict(name) for d in decided]
        outcome = OUTCOMES[found] if found or self._asked else NO_PEOPLE
        self._work.outcomes.count(REVIEW, setting, outcome, found == "keep")
        return found or ("" if self._asked else "reject")

    def why_rejected(self, name: str, reason: str) -> str:
        """Return why something is not taken of which only people could decide, for a reason."""
        return f"{OUTCOMES['reject'] if self.have_seen(name) else NO_PEOPLE} ({reason})"

    def wait_for(self, lines: Sequence[OpenLine]) -> None:
        """Put lines into the file for people to decide. Raises WaitError where there are any."""
        self._file.add(lines)
        self._work.wait_for_people(len(lines))
