"""What a run's numbers stand on: how many of the questions it put, and how many answers are not there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from fathom.pages.names import number_of
from fathom.records import Score

INCOMPLETE = "incomplete"
"""What stands beside the model's name wherever numbers of a run do of which answers are not there."""

ASK_AGAIN = " `fathom run` with the same arguments asks again what failed or never came."

_PART = re.compile(rf"[\d,]+ of [\d,]+ questions?(, {INCOMPLETE})?\)")

LOST: Mapping[str, tuple[str, str]] = {
    "failed": ("failed", "failed"),
    "missing": ("never came", "never came"),
    "empty": ("is empty", "are empty"),
}
"""Outcome of which no answer came → what is said of one, and of several."""


@dataclass(frozen=True)
class Scope:
    """How many of a dataset's questions a run was to put, and what became of the answers due.

    `asked` and `of` are numbers of questions, `due` is that of answers, and `lost` how many of these failed,
    never came, or hold no text. Each of them counts as wrong.
    """

    asked: int = 0
    of: int = 0
    due: int = 0
    lost: Mapping[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every answer that was due is there."""
        return not self.gone

    @property
    def gone(self) -> int:
        """How many answers are not there."""
        return sum(self.lost.values())

    def named(self, model: str) -> str:
        """Return what the model is called wherever its numbers stand: with what they are not."""
        part = f"{self.asked:,} of {number_of(self.of, 'question')}" if self.asked < self.of else ""
        said = ", ".join(filter(None, [part, "" if self.complete else INCOMPLETE]))
        return f"{model} ({said})" if said else model

    def marked(self, scores: Sequence[Score]) -> list[Score]:
        """Return the run's scores, each saying how many of the answers due are not there, if any are not."""
        if self.complete:
            return list(scores)
        lost = f"{self.gone} of {number_of(self.due, 'answer')} due not there; each counts as wrong"
        return [msgspec.structs.replace(score, incomplete=lost) for score in scores]

    def notes(self, model: str) -> tuple[str, ...]:
        """Return a sentence for each object to know before the numbers are compared with others."""
        found = []
        if self.asked < self.of:
            found.append(f"{model}: was asked {self.asked:,} of {number_of(self.of, 'question')}.")
        if not self.complete:
            lost = ", ".join(f"{n:,} {LOST[name][n != 1]}" for name, n in self.lost.items() if n)
            found.append(
                f"{model}: the run is not complete; of {number_of(self.due, 'answer')} due, {lost}. "
                f"{'Each counts' if self.gone > 1 else 'It counts'} as wrong."
                + (ASK_AGAIN if self.lost.get("failed") or self.lost.get("missing") else "")
            )
        return tuple(found)


def without_sign(name: str) -> tuple[str, str]:
    """Return a model's name without what `Scope.named` adds to it, and that; "" where it adds nothing."""
    model, bracket, said = name.rpartition(" (")
    if bracket and (said == f"{INCOMPLETE})" or _PART.fullmatch(said)):
        return model, f"{bracket}{said}"
    return name, ""


WHOLE_SCOPE = Scope()
"""That of a run of which nothing is missing."""


def sentences(scopes: Sequence[tuple[str, Scope]]) -> tuple[str, ...]:
    """Return what is to be known of several runs by their models' names."""
    return tuple(said for model, scope in scopes for said in scope.notes(model))
