"""Sets of objects in one scene, as bitmasks: what a description fits, and whether each word is needed.

Two sets may be compared by their sizes, and the answer must hang on every word of both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from fathom.programs.values import Pair
from fathom.questions.asking import Chances
from fathom.questions.templates import Words

Detours = tuple[list[Pair], ...]
"""For each relation that may be ignored, the sets that are then come to instead of the right one."""


@lru_cache(maxsize=65536)
def bits(mask: int) -> tuple[int, ...]:
    """Return the objects in a mask, in order."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return tuple(out)


def some_bit(mask: int, chances: Chances) -> int:
    """Return one of the objects in a mask that is not empty."""
    found = bits(mask)
    return found[chances.below(len(found))]


class Counted(msgspec.Struct, frozen=True, gc=False):
    """A description of a set that is decided: how many objects it fits, and the fewest and the most that it
    fits with one of its words, or its relation, left out. `reached` has a bit for each number that it comes
    to with some other word instead, whichever of its words that stands for; whichever is replaced, some other
    word brings it to `least` at most.
    """

    words: Words
    count: int
    fewest: int
    most: int
    reached: int
    least: int

    def meets(self, need: Need) -> bool:
        """Return whether it is as it needs to be."""
        what, number = need
        if what == "grows":
            return self.fewest >= number
        if what == "shrinks":
            return self.least <= number
        if what == "becomes":
            return self.fewest == self.most == number
        return bool(self.reached >> number & 1)


Need = tuple[str, int]
"""What a set needs so that a comparison hangs on each word of it: left out, a word "grows" it to so many at
least, or it "becomes" just so many; another word instead "shrinks" it to so many at most, or "turns" it into
so many.
"""

Weight = tuple[int, str, Counted]
"""A set that may be compared with another: the object that it is related to, the relation's word, the set."""

ROLES = {
    ("greater_than", "yes"): ("stays", "grows"),
    ("greater_than", "no"): ("grows", "stays"),
    ("less_than", "yes"): ("grows", "stays"),
    ("less_than", "no"): ("stays", "grows"),
    ("equal_integer", "yes"): ("grows", "grows"),
    ("equal_integer", "no"): ("", ""),
}
"""For each comparison and answer, which of the two sets must not grow, and which must not be another."""


def needed(op: str, answer: str, a: Counted, y: int) -> Need | None:
    """Return what a set of y objects needs so that its comparison with `a` has this answer, and no longer has
    it as soon as a word of either is left out, or, on the side that would only grow where it may, replaced by
    another; None where it cannot be so.
    """
    x = a.count
    if op == "equal_integer":
        if answer == "yes":
            return ("grows", y + 1) if x == y < a.fewest else None
        if x < y:
            return ("turns", x) if a.fewest == a.most == y else None
        return ("becomes", x) if y < x and a.reached >> y & 1 else None
    if op == "greater_than":
        if answer == "yes":
            return ("grows", x) if a.least <= y < x else None
        return ("shrinks", x - 1) if x <= y < a.fewest else None
    if answer == "yes":
        return ("shrinks", x) if x < y <= a.fewest else None
    return ("grows", x + 1) if a.least < y <= x else None


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "greater_than": lambda x, y: x > y,
    "less_than": lambda x, y: x < y,
    "equal_integer": lambda x, y: x == y,
}


class Described(msgspec.Struct, frozen=True, gc=False):
    """A description, what it fits in the scene, and what it certainly fits with each word left out."""

    words: Words
    yes: int
    maybe: int
    shorter: tuple[int, ...]

    def grown(self, within: Pair, outers: Sequence[Pair]) -> list[int]:
        """Return the set with each word and relation dropped."""
        return [rest & within[0] for rest in self.shorter] + [self.yes & outer[0] for outer in outers]

    def turns(self, count: int, detours: Detours) -> bool:
        """Return whether of every relation's detours one certainly comes to another number."""
        for ways in detours:
            for inside, perhaps in ways:
                if not (self.yes & inside).bit_count() <= count <= (self.maybe & perhaps).bit_count():
                    break
            else:
                return False
        return True
