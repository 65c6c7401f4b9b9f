"""Where in one scene what a question wants can be described: beside which objects, and by which words.

What is looked for is known before words are drawn, so that hardly anything is drawn in vain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from fathom.programs.values import Pair, Unanswerable
from fathom.questions.described import Described
from fathom.questions.description_table import DescriptionTable
from fathom.questions.drafts import INDEX, OPERATORS
from fathom.questions.notation import OperatorNode
from fathom.questions.scene_words import SceneWords
from fathom.questions.templates import Limits, Template

_ASKED = {f"{op}_{name}": k for name, k in INDEX.items() for op in ("query", "equal")}

SOME = -1
"""The number of a set that is only meant not to be empty."""

_Table = tuple[DescriptionTable, list[list[tuple[int, Described]]]]
"""Descriptions, and those with the same kinds of words together, each with its number."""

Alike = list[list[Described]]
"""Descriptions of sets, those with the same kinds of words together."""


@lru_cache(maxsize=4096)
def asked_of(template: Template, node: OperatorNode) -> int:
    """Return which attribute of the object that a node describes is asked for or compared, −1 for none."""
    if template.tree.op not in _ASKED:
        return -1
    heads = (template.tree,) if template.compared is None else template.tree.reads
    return _ASKED[template.tree.op] if any(h.reads[0].reads[0] is node for h in heads) else -1


def anchor_of(node: OperatorNode) -> OperatorNode | None:
    """Return the filter by which the one object is singled out that a described set or object is related to,
    None where there is none, or where there are two.
    """
    if len(node.related) != 1 or node.reads[0].op == "intersect":
        return None
    one = node.related[0].reads[0]
    return one.reads[0] if one.op == "unique" and one.reads[0].op == "filter" else None


@lru_cache(maxsize=4096)
def end_of(template: Template) -> OperatorNode | None:
    """Return the filter on which the answer of a template hangs alone, if it is related to one object."""
    top = template.tree.reads[0] if len(template.tree.reads) == 1 else None
    if top is not None and top.op == "unique":
        top = top.reads[0]
    return top if top is not None and top.op == "filter" and anchor_of(top) is not None else None


@lru_cache(maxsize=4096)
def sides_of(template: Template) -> tuple[OperatorNode, OperatorNode] | None:
    """Return the filters of two objects that are compared, None where none are."""
    if template.compared is None:
        return None
    first = template.tree.reads[0].reads[0].reads[0]
    return (first, template.compared) if first.op == "filter" else None


class Places:
    """Where sets and objects of one scene can be described; everything is worked out once and kept."""

    def __init__(self, words: SceneWords) -> None:
        self.words = words
        self._numbers: dict[Limits, dict[tuple[Pair, tuple[Pair, ...]], dict[int, int]]] = defaultdict(dict)
        self._tables: dict[Limits, _Table] = {}
        self._beside: dict[tuple[str, Limits], dict[int, int]] = {}
        self._targets: dict[tuple[str, Limits, int], dict[int, int]] = {}

    def numbers(self, limits: Limits, within: Pair, outers: tuple[Pair, ...]) -> dict[int, int]:
        """Return, by their number, the sets within a set that can be described so that every word, and every
        relation, may be needed: as a mask of the descriptions that a slot may have.
        """
        by_place = self._numbers[limits]
        found = by_place.get((within, outers))
        if found is None:
            table, inside = self._table(limits)[0], within[0]
            found = by_place[within, outers] = table.by_number(table.decided(within, outers), inside)
        return found

    def counted(self, limits: Limits, within: Pair, outers: tuple[Pair, ...], number: int) -> Alike:
        """Return the descriptions by which `numbers` finds sets of so many objects."""
        some = self.numbers(limits, within, outers).get(number, 0)
        if not some:
            return []
        _, groups = self._table(limits)
        found = [[one for r, one in group if some >> r & 1] for group in groups]
        return [those for those in found if those]

    def _table(self, limits: Limits) -> _Table:
        """Return the descriptions that a slot may have."""
        found = self._tables.get(limits)
        if found is None:
            groups, first = [], 0
            for some in self.words.sets(limits, False).values():
                groups.append(list(enumerate(some, first)))
                first += len(some)
            rows = [one.words for group in groups for _, one in group]
            table = DescriptionTable(rows, self.words.facts, self.words.enforce)
            found = self._tables[limits] = table, groups
        return found

    def beside(self, node: OperatorNode, limits: Limits) -> dict[int, int]:
        """Return, by the number of a set, the objects (as a mask) in relation to which there is such a
        set.
        """
        op = node.related[0].op
        found = self._beside.get((op, limits))
        if found is None:
            found = self._beside[op, limits] = {}
            for k, within, outers in self._near(op):
                for count in self.numbers(limits, within, outers):
                    found[count] = found.get(count, 0) | 1 << k
                if within[0]:
                    found[SOME] = found.get(SOME, 0) | 1 << k
        return found

    def targets(self, node: OperatorNode, limits: Limits, asked: int) -> dict[int, int]:
        """Return the objects (as a mask) that words can single out: for each object in relation to which they
        do, and at −1 where they do in the whole scene.
        """
        op = node.related[0].op if node.related else ""
        found = self._targets.get((op, limits, asked))
        if found is None:
            found = self._targets[op, limits, asked] = {}
            scene = self.words.facts.scene_masks
            for k, within, outers in self._near(op) if op else [(-1, scene, ())]:
                for other, *_ in self.words.offers(limits, within, outers, asked):
                    if other != k:
                        found[k] = found.get(k, 0) | 1 << other
        return found

    def _near(self, op: str) -> Iterator[tuple[int, Pair, tuple[Pair, ...]]]:
        """Yield every object with what stands in a relation to it, and what is left without the relation."""
        for word in OPERATORS[op][0].words or ("",):
            for k in range(self.words.facts.n):
                try:
                    yield k, *self.words.near(op, word, k)
                except Unanswerable:  # nothing stands in a relation to what is not seen well enough
                    continue
