"""Of which objects a draft may speak, so that the answer that it should have can be had."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from fathom.programs.views.still import mask_of
from fathom.questions.described import bits
from fathom.questions.drafts import ATTRIBUTES, DRAWN, Draft
from fathom.questions.notation import OperatorNode
from fathom.questions.places import SOME, Places, anchor_of, asked_of, end_of, sides_of
from fathom.questions.templates import Template

Among = dict[OperatorNode, int]
"""Filters, each with the objects (as a mask) of which it may single out one."""

Sides = tuple[OperatorNode, OperatorNode]
"""The filters of two objects that are compared."""


class Aims:
    """Says of the drafts of one scene which objects they may single out; what it found it keeps."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.facts = places.words.facts
        self._known: dict[tuple[str, str], Among | None] = {}

    def aim(self, template: Template, draft: Draft) -> bool:
        """Say of a draft beside which objects its answer can be had; return whether there are any."""
        key = template.id, draft.answer
        if key not in self._known:
            self._known[key] = self._aimed(template, draft)
        found = self._known[key]
        if found:
            draft.among = dict(found)
        return found is not None

    def aim_second(self, template: Template, draft: Draft) -> bool:
        """Say which object may be the second of two that are compared; return whether there is any."""
        sides = sides_of(template)
        if sides is None:
            return True
        values = self.facts.values[ATTRIBUTES[asked_of(template, sides[1])]]
        good = mask_of((v == draft.first) is draft.wanted for v in values)
        for k in draft.objects:
            good &= ~(1 << k)
        beside = self._beside(sides[1], _anchors(self._reach(template, sides[1]), good))
        if beside is None:
            return False
        draft.among |= {sides[1]: good, **beside}
        return True

    def _aimed(self, template: Template, draft: Draft) -> Among | None:
        """Return which objects may be singled out by which filters, None where the answer cannot be had."""
        sides = sides_of(template)
        if sides is not None:
            return self._firsts(template, sides, draft)
        node = end_of(template)
        if node is None:
            return {}
        limits, asked = template.limits[node.slot], asked_of(template, node)
        if asked >= 0:
            return self._beside(node, sum(1 << k for k in self.places.targets(node, limits, asked)))
        if template.asks in DRAWN:
            return self._beside(node, self.places.beside(node, limits).get(_number(draft.answer), 0))
        return {}

    def _firsts(self, template: Template, sides: Sides, draft: Draft) -> Among | None:
        """Return which object may be the first of two so that a second can be found for the answer."""
        one, two = (self._reach(template, side) for side in sides)
        values, seconds = self.facts.values[ATTRIBUTES[asked_of(template, sides[0])]], bits(_any(two))
        good = mask_of(
            any(u != t and (values[u] == values[t]) is draft.wanted for u in seconds)
            for t in range(self.facts.n)
        )
        beside = self._beside(sides[0], _anchors(one, good))
        return {sides[0]: good, **beside} if good & _any(one) and beside is not None else None

    def _beside(self, node: OperatorNode, ends: int) -> Among | None:
        """Return that what a filter's objects are related to is one of some objects, None where it cannot."""
        anchor = anchor_of(node)
        if anchor is None:
            return {}
        if anchor.reads[0].op == "scene":
            ends &= self._named
        return {anchor: ends} if ends else None

    @cached_property
    def _named(self) -> int:
        """The objects that words single out in the scene."""
        return sum(1 << k for k in self.places.words.nameable)

    def _reach(self, template: Template, node: OperatorNode) -> Mapping[int, int]:
        return self.places.targets(node, template.limits[node.slot], asked_of(template, node))


def _number(answer: str) -> int:
    """Return how many objects the set has that an answer is about."""
    return SOME if answer == "yes" else 0 if answer == "no" else int(answer)


def _any(reach: Mapping[int, int]) -> int:
    """Return the objects that can be singled out beside any object."""
    found = 0
    for mask in reach.values():
        found |= mask
    return found


def _anchors(reach: Mapping[int, int], wanted: int) -> int:
    """Return the objects beside which one of those `wanted` can be singled out."""
    return sum(1 << k for k, mask in reach.items() if k >= 0 and mask & wanted)
