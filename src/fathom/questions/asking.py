"""What is asked, how much of it, and what a question is before it is written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import msgspec

from fathom.questions.candidate import Selected
from fathom.questions.templates import Template, Words
from fathom.questions.vocabulary import Vocabulary
from fathom.store.seeds import digest

FEWEST = 5
"""How often every family is meant to be asked, from this many scenes on:"""

FROM_SCENES = 150

USUAL_OBJECTS, MANY_OBJECTS = 6.5, 10.0
"""Objects in a scene, on average, of the sets in which templates were given their effort, and of the fullest
in which it was counted what scenes offer."""

BATCH = 6
"""How many candidates of a template that asks about sets a full scene of many is asked for at a time: most of
the work is done before the first, so fewer scenes are rather asked for more. Usual scenes are all asked, as
few of them have what is rare."""

Slots = tuple[tuple[str, Words | str], ...]


class StillCandidate(msgspec.Struct, frozen=True, gc=False):
    """A question that could be asked: its template, what fills its slots, its answer, and what its words
    rule out.

    `named` are the objects that its words single out, in the order in which its program does; `things` is how
    many objects the scene has.
    """

    scene: str
    template: str
    slots: Slots
    answer: str
    ruled_out: frozenset[str] = frozenset()
    named: tuple[int, ...] = ()
    objects: int = 0


StillSelected = Selected[StillCandidate, tuple[str, ...]]
"""A candidate of a still that becomes a question, and the answers that questions with its words may have."""


@dataclass(frozen=True)
class Asking:
    """What is asked and how much: templates, words, questions per scene and task, and what is enforced.

    `depth` is how many candidates a scene should offer for each question that is wanted of it, `objects` how
    many objects a scene has on average, and `scenes` how many scenes there are, 0 where that is not known.
    """

    templates: tuple[Template, ...]
    vocabulary: Vocabulary
    amounts: Mapping[str, float]
    enforce: bool
    depth: float = 6.0
    objects: float = USUAL_OBJECTS
    scenes: int = 0

    @cached_property
    def wanted(self) -> dict[str, float]:
        """How many candidates of each template a scene should offer, on average, by its id."""
        found = {}
        for t in self.templates:
            mean = self.depth * self.amounts.get(t.task, 0.0) * self.shares[t.id]
            few = len(self.vocabulary.answers(t)) == 2
            # Where scenes are fuller than usual, each offers more, and less has to be wanted of it.
            effort = t.effort * self.scarcity**t.growth
            found[t.id] = min(mean * effort * (0.7 if few else 1.3), 24.0)
        return found

    @property
    def scarcity(self) -> float:
        """The number of objects of usual scenes against that of these, where these have more; beyond so many
        words no longer tell objects apart, and it goes back to 1.
        """
        if self.objects > MANY_OBJECTS:
            return min(1.0, USUAL_OBJECTS * self.objects / MANY_OBJECTS**2)
        return USUAL_OBJECTS / max(self.objects, USUAL_OBJECTS)

    @property
    def batch(self) -> int:
        """How many candidates of a template that asks about sets a scene should offer at least, if any."""
        if self.scenes < FROM_SCENES or not USUAL_OBJECTS < self.objects <= MANY_OBJECTS:
            return 1
        return round(1 + (BATCH - 1) * (self.objects - USUAL_OBJECTS) / (MANY_OBJECTS - USUAL_OBJECTS))

    @cached_property
    def kin(self) -> tuple[tuple[Template, ...], ...]:
        """The templates in groups that ask for different attributes of the same object."""
        groups: dict[str, list[Template]] = {}
        for t in self.templates:
            groups.setdefault(t.tail or t.id, []).append(t)
        return tuple(tuple(g) for g in groups.values())

    @cached_property
    def shares(self) -> dict[str, float]:
        """The share of its task's questions that each template should be, by its id."""
        totals: Counter[str] = Counter()
        for t in self.templates:
            totals[t.task] += t.weight  # type: ignore[assignment]
        return {t.id: t.weight / totals[t.task] for t in self.templates}

    def targets(self, scenes: int) -> dict[str, float]:
        """Return the share of its task's questions that each template should be in a set of so many scenes:
        from FROM_SCENES on so much at least that it is asked FEWEST times.
        """
        if scenes < FROM_SCENES:
            return self.shares
        found: dict[str, float] = {}
        for task, amount in self.amounts.items():
            own = {t.id: self.shares[t.id] for t in self.templates if t.task == task}
            least = FEWEST / max(amount * scenes, 1e-9)
            rare = {name: least for name, share in own.items() if share < least}
            if least * len(own) > 1:
                rare = {}
            rest = sum(share for name, share in own.items() if name not in rare)
            scale = (1 - sum(rare.values())) / max(rest, 1e-9)
            found |= {name: rare.get(name, share * scale) for name, share in own.items()}
        return found


class Chances:
    """A stream of uniform numbers in [0, 1) that belongs to stable names: `unit()` is the next of them."""

    __slots__ = ("unit",)

    def __init__(self, *names: str | int) -> None:
        # Numbers are drawn one by one, by the hundred thousand: here the standard library is the fast one.
        self.unit = Random(int.from_bytes(digest("chances", *names)[:16], "big")).random

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n − 1."""
        return int(self.unit() * n)


def asking_under(
    rules: str,
    templates: Sequence[Template],
    vocabulary: Vocabulary,
    amounts: Mapping[str, float],
    enforce: bool,
) -> Asking:
    """Return what is asked under a rule set: the templates that belong to it, of the tasks that are
    wanted.
    """
    kept = tuple(t for t in templates if amounts.get(t.task, 0) > 0 and (not t.rules or rules in t.rules))
    return Asking(kept, vocabulary, amounts, enforce)
