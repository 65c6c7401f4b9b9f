"""What a question with four drawn options is, before it is written out."""

from __future__ import annotations

from dataclasses import dataclass

from fathom.programs.engine import Trace
from fathom.questions.candidate import Candidate, Selected

CHOICES = 4

DEEDS = ("heads_for", "right_beside", "held_by", "doing", "sat_on", "pushed_by", "looked_at", "does_to")
"""Operators that tell what somebody does: of nobody it is asked twice, one question telling of another."""


ACTED_AT = ("next_deed", "walks_next")
ACTED = ("does_deed", "deed_object", "put_on", "deed_order", *ACTED_AT)
"""Operators of who acts in time; those that ask, at a frame, for what comes after it."""

ORDERS = ("orders", "deed orders")
"""What is asked for of which options are orders."""

TOLD_BY = {"picks": "hand", "puts": "hand", "sits": "seat", "rises": "seat"}
"""What somebody does → the fact that it tells."""


@dataclass(frozen=True)
class DrawnOption:
    """What could be chosen: the program's value for it, and how it is written.

    side : by what somebody would go by who does not look at what is asked, −1 before the right option, 1
        behind it; 0 where there is no such thing
    group : of which group of three false options it is, where they are shown together; 0 where any three are
    """

    value: str
    text: str
    side: int = 0
    group: int = 0

    @property
    def kind(self) -> str:
        """What is done, without what it is done with."""
        return self.value.partition(" ")[0]


@dataclass(frozen=True, kw_only=True)
class ChoiceCandidate(Candidate):
    """A question that could be asked, and from what its false options are drawn.

    objects, words, nouns : whom it speaks of, and how they are called
    answer : the right option
    pool : what is certainly false; of numbers those around the answer
    answered, steps : what its program comes to, and the objects that each step selects
    media, span_s : what shows it, and the part of a video that is shown
    hint : among which quarter of all options the answer is, by what somebody would go by who does not look
        at what is asked; "" where there is no such thing
    smallest_px, smallest_share : of the objects that it speaks of, what shows of the one that shows least
    """

    objects: tuple[str, ...]
    words: tuple[str, ...]
    nouns: tuple[str, ...]
    answer: DrawnOption
    pool: tuple[DrawnOption, ...]
    answered: Trace
    steps: tuple[tuple[str, ...], ...]
    media: str
    span_s: tuple[float, float] | None = None
    smallest_px: int = 0
    smallest_share: float = 0.0
    hint: str = ""

    @property
    def placed(self) -> tuple[str, ...]:
        """Of orders what is put in order, as it comes: nouns, or what is done; empty of all else."""
        if self.template.asks not in ORDERS:
            return ()
        things = self.nouns if self.template.asks == "orders" else self.program[-1].args[0].split("+")
        return tuple(things[int(k) - 1] for k in self.answer.value.split())

    @property
    def facts(self) -> tuple[tuple[str, ...], ...]:
        """What the question and its answer tell: that one stands on another is one fact in any words."""
        told = sorted({*self.objects, self.answer.value})
        if self.template.quantity in ("carried_by", "carrier_of"):
            return ((self.scene, "on", *told),)
        if self.template.quantity in DEEDS:
            return ((self.scene, "deed", self.objects[0]),)
        if self.template.quantity in ("does_deed", "deed_object", "put_on"):
            args = self.program[-1].args
            deed = args[0] if args else "puts"
            return ((self.scene, "acts", TOLD_BY.get(deed, deed)),)
        return ((self.scene, self.template.task, *told),)


@dataclass(frozen=True)
class ChoiceSelected(Selected[ChoiceCandidate, tuple[DrawnOption, ...]]):
    """A question that is asked, and its options in the order that they have."""
