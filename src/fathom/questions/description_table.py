"""Many descriptions of one scene at once: for each object, those that fit it as a bitmask of descriptions.

What would take a loop over descriptions takes a few operations on integers for each object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fathom.programs.values import Pair
from fathom.programs.views.still import ATTRIBUTES, StillView
from fathom.questions.described import bits
from fathom.questions.templates import Words


class DescriptionTable:
    """Descriptions side by side: description r is bit r of its masks, object k bit k of a set of objects.

    `every` are all descriptions, and `fits`, for each object, those that certainly fit it. `enforce` is
    whether each word, and each relation, of a description has to be needed. Whatever is left when a relation
    is dropped holds the set that the relation was about.
    """

    def __init__(self, rows: Sequence[Words], facts: StillView, enforce: bool) -> None:
        seen, every = facts.scene_masks
        self.every, self._enforce = (1 << len(rows)) - 1, enforce
        says = _says(rows)
        self.says = [sum(by_word.values()) for by_word in says]
        sure, may = (_by_object(says, facts, self.every, which) for which in (0, 1))
        self.fits = [a & b & c if seen >> k & 1 else 0 for k, (a, b, c) in enumerate(sure)]
        fits_perhaps = [a & b & c if every >> k & 1 else 0 for k, (a, b, c) in enumerate(may)]
        self._fits_perhaps = fits_perhaps
        self._doubtful = [perhaps ^ fits for perhaps, fits in zip(fits_perhaps, self.fits, strict=True)]
        # By attribute: what fits an object as soon as the word for the attribute is left out.
        self._grows = [
            (b & c & ~a, a & c & ~b, a & b & ~c) if seen >> k & 1 else (0, 0, 0)
            for k, (a, b, c) in enumerate(sure)
        ]
        self._fit_any: dict[int, int] = {}

    def fit_any(self, objects: int) -> int:
        """Return the descriptions that certainly fit one at least of some objects."""
        found = self._fit_any.get(objects)
        if found is None:
            found = 0
            for k in bits(objects):
                found |= self.fits[k]
            self._fit_any[objects] = found
        return found

    def decided(self, within: Pair, outers: tuple[Pair, ...]) -> int:
        """Return the descriptions that are decided within a set, and of which each word may be needed there,
        and each relation: `outers` are what is left when one of these is dropped.
        """
        inside, perhaps = within
        doubtful, (one, two, three) = 0, self.says
        one, two, three = ~one, ~two, ~three
        for k in bits(inside):
            doubtful |= self._doubtful[k]
            a, b, c = self._grows[k]
            one |= a
            two |= b
            three |= c
        for k in bits(perhaps & ~inside):
            doubtful |= self._fits_perhaps[k]
        found = self.every & ~doubtful
        if self._enforce:
            found &= one & two & three
            for outer, _ in outers:
                found &= self.fit_any(outer & ~inside)
        return found

    def by_number(self, some: int, inside: int) -> dict[int, int]:
        """Return some of the descriptions by how many objects of a set they certainly fit."""
        found = [some]
        for k in bits(inside):
            fits, more = self.fits[k], 0
            for number, those in enumerate(found):
                found[number] = those & ~fits | more
                more = those & fits
            if more:
                found.append(more)
        return {number: those for number, those in enumerate(found) if those}

    def alone(self, some: int, inside: int) -> int:
        """Return those of some descriptions that certainly fit one object of a set, and only one."""
        one, none = 0, some
        for k in bits(inside):
            fits = self.fits[k]
            one = one & ~fits | none & fits
            none &= ~fits
        return one


def _says(rows: Sequence[Words]) -> list[dict[str, int]]:
    """Return, for each attribute, the descriptions that have a word for it, by the word."""
    found: list[dict[str, int]] = [{}, {}, {}]
    for r, words in enumerate(rows):
        for word, by_word in zip(words, found, strict=True):
            if word:
                by_word[word] = by_word.get(word, 0) | 1 << r
    return found


def _by_object(
    says: Sequence[Mapping[str, int]], facts: StillView, every: int, which: int
) -> list[list[int]]:
    """Return, for each object and each attribute, the descriptions whose word for the attribute fits it, or
    that have none; those that certainly fit it where `which` is 0, and where it is 1 those that may.
    """
    found = [[every, every, every] for _ in range(facts.n)]
    for a, (attribute, by_word) in enumerate(zip(ATTRIBUTES, says, strict=True)):
        lacks = every & ~sum(by_word.values())
        for one in found:
            one[a] = lacks
        marks = facts.marks[attribute]
        for word, those in by_word.items():
            for k in bits((marks.get(word) or marks.get("") or (0, 0))[which]):
                found[k][a] |= those
    return found
