"""How far an answer about a still is from changing.

Membership of a set is not only true or false here but a signed ratio: by how many tolerances the relation
that decides it is clear of its threshold. Intersection is the minimum, union the maximum; a count is as firm
as its least firm member or non-member, an existence as its firmest member. What comes out is the largest
factor on all dead bands at which the program would still give this answer: a question is decided under its
rules exactly when that is at least 1.

How the ratios of a step come from those of its inputs is declared with its operator (`Operator.firm`). In
animated scenes and videos an operator notes itself what its outcome hangs on (`Run.hang_on`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from fathom.programs.values import CERTAIN, SURE, Pair, TruthValue, Value
from fathom.programs.views.still import ObjectPredicate, Relation, StillView, margin_of

Ratios = Sequence[float]
"""For each object of a still, how firmly it belongs to a set (above 0), or does not."""


@dataclass
class Consulted:
    """The relations and states that a program has consulted: each with its anchor, −1 for none, and the
    ratios of all objects.
    """

    all: list[tuple[Relation | ObjectPredicate, int, Ratios]] = field(default_factory=list)

    def add(self, word: Relation | ObjectPredicate, anchor: int, ratios: Ratios) -> Ratios:
        """Return the ratios, and keep where they are from."""
        self.all.append((word, anchor, ratios))
        return ratios

    def binding(self, ratio: float, facts: StillView) -> TruthValue:
        """Return the truth that an answer hangs on whose ratio is this one."""
        if ratio >= CERTAIN:
            return SURE
        for word, anchor, ratios in self.all:
            for j, r in enumerate(ratios):
                if abs(abs(r) - abs(ratio)) < 1e-9:
                    where = (j,) if anchor < 0 else (anchor, j)
                    return margin_of(word.held, r, word.world, where, tuple(facts.objects[k] for k in where))
        clear = round(ratio, 4)
        return TruthValue(clear, "visible", clear, "tolerance")


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """A step of a program over a still, with what is known of it when its firmness is asked for.

    `sets` are the ratios of its inputs, of those that are sets of objects.
    """

    facts: StillView
    arg: str
    inputs: Sequence[Value]
    sets: Sequence[Ratios | None]
    value: Value
    consulted: Consulted

    @property
    def members(self) -> Ratios:
        """The ratios of the set that it reads first."""
        return self.sets[0] or []


Firm = Callable[[Weighed], Ratios | float]
"""What a step comes to: the ratios of a set, or how firm a value is."""


@lru_cache(maxsize=65536)
def crisp(pair: Pair, n: int) -> Ratios:
    """Return the ratios of a set that hangs on no threshold."""
    yes, maybe = pair
    return tuple([CERTAIN if yes >> k & 1 else 0.0 if maybe >> k & 1 else -CERTAIN for k in range(n)])


def weigh(
    firms: Sequence[Firm | None],
    inputs: Sequence[Sequence[int]],
    args: Sequence[Sequence[str]],
    values: Sequence[Value],
    facts: StillView,
) -> TruthValue:
    """Return the least firm truth that an answer hangs on; all steps of its program ran.

    `firms`, `inputs`, `args` and `values` are those of each step. A step without a `firm` that gives a set
    gives one that hangs on no threshold.
    """
    least, consulted = CERTAIN, Consulted()
    sets: list[Ratios | None] = []
    for firm, reads, given, value in zip(firms, inputs, args, values, strict=True):
        if firm is None:
            found = crisp(value, facts.n) if isinstance(value, tuple) else CERTAIN
        else:
            arg, read = given[0] if given else "", [values[i] for i in reads]
            found = firm(Weighed(facts, arg, read, [sets[i] for i in reads], value, consulted))
        if isinstance(found, float | int):
            sets.append(None)
            least = min(least, found)
        else:
            sets.append(found)
    return consulted.binding(least, facts)
