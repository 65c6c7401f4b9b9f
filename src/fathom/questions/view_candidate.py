"""What a question is that is asked of pictures of the same room, before it is written out."""

from __future__ import annotations

from dataclasses import dataclass

from fathom.programs.engine import Trace
from fathom.questions.candidate import Candidate, Selected
from fathom.records import Step
from fathom.store.seeds import rng

VIEWPOINTS = 2
"""The pictures of a room that is not changed."""

OF_PARTS = ("higher_of", "above", "nearer_of", "closer_of")
"""Operators that parts of objects are asked about with."""


@dataclass(frozen=True)
class AskedView:
    """A question about one of the pictures.

    program, answered, steps : its steps, what they come to, and the objects that each selects
    smallest_px, smallest_share : of the objects that it speaks of, what shows of the one that shows least
    guess : what somebody says who sees boxes in the picture and nothing of the room
    """

    program: tuple[Step, ...]
    answered: Trace
    steps: tuple[tuple[str, ...], ...]
    smallest_px: int
    smallest_share: float
    guess: str

    @property
    def value(self) -> str:
        """The answer, as programs call it."""
        return str(self.answered.value)

    @property
    def fooled(self) -> bool:
        """Whether the picture suggests another answer than the right one."""
        return self.guess != self.value


@dataclass(frozen=True, kw_only=True)
class ViewCandidate(Candidate):
    """A question that could be asked of pictures of a room.

    objects, words, nouns : whom it speaks of, and how they are called
    views : the question about each picture: from the common viewpoint, from the uncommon one, and where the
        answers are others after the room was changed, from both then; `program` is the first one's
    parts : which of `objects`, by their places, are parts of others
    opposite : its opposite, about the same objects in the same pictures; None where that is not asked
    """

    objects: tuple[str, ...]
    words: tuple[str, ...]
    nouns: tuple[str, ...]
    views: tuple[AskedView, ...]
    parts: tuple[int, ...] = ()
    opposite: ViewCandidate | None = None

    @property
    def with_part(self) -> bool:
        """Whether it speaks of a part of an object."""
        return bool(self.parts)

    @property
    def complementary(self) -> bool:
        """Whether the room as it was and the changed one have different answers from both viewpoints."""
        return len(self.views) > VIEWPOINTS

    @property
    def values(self) -> tuple[str, ...]:
        """The answers, as programs call them."""
        return tuple(v.value for v in self.views)


@dataclass(frozen=True)
class ViewSelected(Selected[ViewCandidate, tuple[str, ...]]):
    """A question that is asked; `options` are its answers in the order that they have."""


def selected(candidate: ViewCandidate, seed: str) -> ViewSelected:
    """Return a candidate as it is asked, its options in an order that is drawn."""
    values = list(candidate.template.options)
    order = rng(seed, "options", candidate.scene, candidate.form, *candidate.objects)
    return ViewSelected(candidate, tuple(values[int(k)] for k in order.permutation(len(values))))
