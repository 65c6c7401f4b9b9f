"""Sets of objects in one scene, as bitmasks: what a description fits, and whether each word is needed.

Two sets may be compared by their sizes, and the answer must hang on every word of both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fathom.programs.values import Pair
from fathom.questions.asking import Chances
from fathom.questions.templates import Words

Detours = tuple[list[Pair], ...]
"""For each relation that may be ignored, the sets that are then come to instead of the right one."""


def bits(mask: int) -> list[int]:
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def some_bit(mask: int, chances: Chances) -> int:
    """Return one of the objects in a mask that is not empty."""
    found = bits(mask)
    return found[chances.below(len(found))]


@dataclass(frozen=True)
class Counted:
    """A description of a set that is decided: how many objects it fits, the fewest and the most that it fits
    with one of its words, or its relation, left out, and for each of its words how many it fits with another
    word instead; `least` is the fewest to which some other word in the place of each can bring it.
    """

    words: Words
    count: int
    fewest: int
    most: int
    others: tuple[frozenset[int], ...]
    least: int


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


def may_answer(op: str, answer: str, x: int, y: int) -> bool:
    """Return whether a comparison of two counts has this answer."""
    return COMPARED[op](x, y) is (answer == "yes")


def answered(op: str, answer: str, a: Counted, b: Counted) -> bool:
    """Return whether a comparison of two counts has this answer, and no longer has it as soon as a word is
    left out, or, on the side that would only grow where it may, replaced by another.
    """
    x, y = a.count, b.count
    if op == "equal_integer":
        if answer == "yes":
            return x == y and a.fewest > x and b.fewest > y
        if y < x:
            a, b, x, y = b, a, y, x
        return x < y and a.fewest == a.most == y and all(x in counts for counts in b.others)
    if op == "less_than":
        a, b, x, y = b, a, y, x
    if answer == "yes":
        return y < x <= b.fewest and a.least <= y
    return x <= y < a.fewest and b.least < x


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "greater_than": lambda x, y: x > y,
    "less_than": lambda x, y: x < y,
    "equal_integer": lambda x, y: x == y,
}


@dataclass(frozen=True)
class Described:
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
