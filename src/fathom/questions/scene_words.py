"""What descriptions denote in one scene: which objects they fit, alone or as sets, and what each word adds.

Everything is worked out once a scene and kept; sets of objects are bitmasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import product

from fathom.programs.engine import OTHERS
from fathom.programs.registry import ProgramRun
from fathom.programs.values import Pair
from fathom.programs.views.still import StillView, mask_of
from fathom.questions.asking import Chances
from fathom.questions.described import Counted, Described, bits
from fathom.questions.description_table import DescriptionTable
from fathom.questions.drafts import ATTRIBUTES, INDEX, OPERATORS
from fathom.questions.notation import OperatorNode
from fathom.questions.templates import Limits, Words

Offer = tuple[int, int, int]
"""An object that words can single out, with the words that a slot allows, and all of them, as masks of the
descriptions that fit objects of the scene.
"""

MASKS = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1))
"""Which of size, color and shape a description may mention: nothing, one, two, all."""


def _without(words: Words, place: int) -> Words:
    """Return a description without the word at one of its three places."""
    size, color, shape = words
    return "" if place == 0 else size, "" if place == 1 else color, "" if place == 2 else shape


@lru_cache(maxsize=65536)
def shorter(words: Words) -> tuple[Words, ...]:
    """Return a description with each of its words left out in turn."""
    return tuple(_without(words, a) for a in range(3) if words[a])


class SceneWords:
    """What words denote in a scene. Where the words of sets are drawn at random, `chances` say which.

    Where it is to `enforce` that every word is needed, objects are singled out by such words alone.
    """

    def __init__(self, facts: StillView, chances: Chances, enforce: bool) -> None:
        self.facts = facts
        self.run = ProgramRun(facts)
        self.chances = chances
        self.enforce = enforce
        self.names = [self._names_of(k) for k in range(facts.n)]
        self.unlike = [self._unlike(k) for k in range(facts.n)]
        self._pairs: dict[Words, Pair] = {}
        self._sets: dict[tuple[Limits, bool], dict[tuple[bool, bool, bool], list[Described]]] = {}
        self._offers: dict[tuple[Limits, int], dict[tuple[Pair, tuple[Pair, ...]], list[Offer]]] = {}
        self._near: dict[tuple[str, str, int], tuple[Pair, tuple[Pair]]] = {}
        self._counted: dict[tuple[Pair, tuple[Pair, ...], Limits], list[Counted]] = {}
        self._instead: dict[Words, list[list[Pair]]] = {}
        self._single: dict[tuple[Pair, tuple[Pair, ...]], list[tuple[int, int]]] = {}
        self._said: dict[int, list[Words]] = {}
        self._allowed: dict[Limits, int] = {}
        # Of the table: its descriptions, and which of them are those of each object.
        self._rows: list[Words] = []
        self._own = [0] * facts.n

    def _names_of(self, k: int) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Return the size, color and shape words that fit object k, "" first."""
        values = self.facts.values
        shape = values["shape"][k]
        shapes = ("", shape) if shape == self.facts.classes[k] else ("", shape, self.facts.classes[k])
        return ("", values["size"][k]), ("", values["color"][k]), shapes

    def _unlike(self, k: int) -> tuple[int, ...]:
        """Return, for each attribute, the objects that certainly have another value than object k."""
        masks = []
        for attribute in INDEX:
            values = self.facts.values[attribute]
            masks.append(mask_of(v != "" and v != values[k] for v in values))
        return tuple(masks)

    def pair(self, words: Words) -> Pair:
        """Return the masks of what a description fits."""
        found = self._pairs.get(words)
        if found is None:
            yes, maybe = self.facts.scene_masks
            for attribute, word in zip(("size", "color", "shape"), words, strict=True):
                if word:
                    marks = self.facts.marks[attribute]
                    mark = marks.get(word) or marks.get("") or (0, 0)
                    yes, maybe = yes & mark[0], maybe & mark[1]
            found = self._pairs[words] = (yes, maybe)
        return found

    @cached_property
    def table(self) -> DescriptionTable:
        """All descriptions that fit an object that can be made out: first those of the first object."""
        for k in bits(self.facts.scene_masks[0]):
            first = len(self._rows)
            self._rows += product(*self.names[k])
            self._own[k] = (1 << len(self._rows)) - (1 << first)
        return DescriptionTable(self._rows, self.facts, self.enforce)

    def _described(self, words: Words) -> Described:
        return Described(words, *self.pair(words), tuple([self.pair(rest)[0] for rest in shorter(words)]))

    def said(self, mask: int) -> list[Words]:
        """Return the words of descriptions in a mask, in order."""
        found = self._said.get(mask)
        if found is None:
            rows, left = self._rows, mask
            found = self._said[mask] = []
            while left:
                low = left & -left
                found.append(rows[low.bit_length() - 1])
                left ^= low
        return found

    def alone(self, within: Pair, outers: tuple[Pair, ...]) -> list[tuple[int, int]]:
        """Return the objects of a set that words can single out there, each with all such words."""
        found = self._single.get((within, outers))
        if found is None:
            table, inside = self.table, within[0]
            every = table.alone(table.decided(within, outers), inside)
            own = [(k, every & self._own[k] & table.fits[k]) for k in bits(inside)] if every else []
            found = self._single[within, outers] = [one for one in own if one[1]]
        return found

    @cached_property
    def nameable(self) -> dict[int, list[Words]]:
        """The objects that words single out in the scene, each with all such words."""
        return {k: self.said(words) for k, words in self.alone(self.facts.scene_masks, ())}

    def offers(self, limits: Limits, within: Pair, outers: tuple[Pair, ...], asked: int) -> list[Offer]:
        """Return the things that words can single out, with the words that the slot allows, and all words."""
        by_place = self._offers.get((limits, asked))
        if by_place is None:
            by_place = self._offers[limits, asked] = {}
        found = by_place.get((within, outers))
        if found is None:
            found = by_place[within, outers] = []
            allowed = self.allowed(limits)
            for k, options in self.alone(within, outers):
                some = self.telling(options & allowed, k, asked, outers)
                if some:
                    found.append((k, some, options))
        return found

    def allowed(self, limits: Limits) -> int:
        """Return the descriptions that a slot allows."""
        found = self._allowed.get(limits)
        if found is None:
            (without, only), says = limits, self.table.says
            found = self.table.every
            for attribute, a in INDEX.items():
                if attribute in without or (only is not None and attribute not in only):
                    found &= ~says[a]
                elif only is not None:
                    found &= says[a]
            self._allowed[limits] = found
        return found

    def telling(self, some: int, k: int, asked: int, outers: tuple[Pair, ...]) -> int:
        """Return those of some descriptions of thing k that, wherever a relation is dropped, fit a thing of
        another value of the attribute `asked`; all of them where none is asked for.
        """
        if asked >= 0 and self.enforce:
            unlike = self.unlike[k][asked]
            for outer in outers:
                some &= self.table.fit_any(outer[0] & unlike)
        return some

    def sets(self, limits: Limits, short: bool) -> dict[tuple[bool, bool, bool], list[Described]]:
        """Return descriptions of sets by which words they have, of words that objects of the scene have, not
        always the same object.
        """
        found = self._sets.get((limits, short))
        if found is None:
            without, only = limits
            allowed = [a not in without and (only is None or a in only) for a in ("size", "color", "shape")]
            words: dict[Words, None] = {}
            if only is None:
                words[("", "", "")] = None
            for _ in range(24 if short else 56):
                words[self._some_words(allowed, only is not None, short)] = None
            found = self._sets[limits, short] = {}
            for w in words:
                found.setdefault((bool(w[0]), bool(w[1]), bool(w[2])), []).append(self._described(w))
        return found

    def _some_words(self, allowed: Sequence[bool], all_of_them: bool, short: bool) -> Words:
        below = self.chances.below
        mask: Sequence[int] = allowed if all_of_them else MASKS[1 + below(3 if short else 7)]
        # Half of the descriptions fit some object; the other half mix the words of several.
        same = below(self.facts.n) if below(2) else -1
        out = []
        for a in range(3):
            if not (mask[a] and allowed[a]):
                out.append("")
                continue
            names = self.names[below(self.facts.n) if same < 0 else same][a]
            out.append(names[1] if len(names) == 2 else names[1 + below(len(names) - 1)])
        return out[0], out[1], out[2]

    def some_sets(self, limits: Limits) -> list[Described]:
        """Return the descriptions of sets that a slot may have."""
        return [s for some in self.sets(limits, True).values() for s in some]

    def words_of(self, k: int, mask: Sequence[bool]) -> Words:
        """Return words that fit object k, of size, color and shape those in a mask."""
        size, color, shapes = self.names[k]
        shape = shapes[1 + self.chances.below(len(shapes) - 1)] if mask[2] else ""
        return size[1] if mask[0] else "", color[1] if mask[1] else "", shape

    def near(self, op: str, word: str, anchor: int) -> tuple[Pair, tuple[Pair]]:
        """Return what stands in a relation to an object, and what is left when the relation is dropped."""
        found = self._near.get((op, word, anchor))
        if found is None:
            inside = OPERATORS[op][0].act(self.run, [anchor], (word,))
            found = self._near[op, word, anchor] = inside, (OTHERS.act(self.run, [anchor], ()),)
        return found

    def related(
        self, related: Sequence[OperatorNode], anchors: Sequence[int], words: Sequence[str]
    ) -> tuple[Pair, tuple[Pair, ...]]:
        """Return what stands in all the relations, and for each of them what is left when it is dropped."""
        if len(related) == 1:
            return self.near(related[0].op, words[0], anchors[0])
        found = [self.near(b.op, word, i) for b, i, word in zip(related, anchors, words, strict=True)]
        ((y0, m0), ((o0, p0),)), ((y1, m1), ((o1, p1),)) = found
        return (y0 & y1, m0 & m1), ((o0 & y1, p0 & m1), (o1 & y0, p1 & m0))

    def counted(self, limits: Limits, within: Pair, outers: tuple[Pair, ...]) -> list[Counted]:
        """Return the descriptions that a slot may have whose count is decided within a set."""
        key = within, outers, limits
        found = self._counted.get(key)
        if found is None:
            found = self._counted[key] = []
            for s in self.some_sets(limits):
                fits = s.yes & within[0]
                if fits == s.maybe & within[1]:
                    found.append(self._counted_as(s, fits.bit_count(), within, outers))
        return found

    def _counted_as(self, s: Described, count: int, within: Pair, outers: tuple[Pair, ...]) -> Counted:
        inside, perhaps = within
        wider = [(yes & inside, maybe & perhaps) for yes, maybe in map(self.pair, shorter(s.words))]
        wider += [(s.yes & outer[0], s.maybe & outer[1]) for outer in outers]
        # Where one of them is not decided, nobody can say that leaving out a word changes the answer.
        sizes = [yes.bit_count() for yes, maybe in wider if yes == maybe]
        fewest = min(sizes, default=self.facts.n + 1) if len(sizes) == len(wider) else 0
        reached, least = -1, 0
        for some in self.instead(s.words):
            counts = 0
            for yes, maybe in some:
                fits = yes & inside
                if fits == maybe & perhaps:
                    counts |= 1 << fits.bit_count()
            reached &= counts
            least = max(least, (counts & -counts).bit_length() - 1 if counts else count)
        return Counted(s.words, count, fewest, max(sizes, default=self.facts.n + 1), reached, least)

    def instead(self, words: Words) -> list[list[Pair]]:
        """Return for each word of a description what it fits with each other word of the scene instead."""
        found = self._instead.get(words)
        if found is None:
            found = self._instead[words] = []
            for a, name in enumerate(ATTRIBUTES):
                if words[a]:
                    marks = self.facts.marks[name]
                    own = marks.get(words[a], (0, 0))[1]
                    yes, maybe = self.pair(_without(words, a))
                    found.append(
                        [(yes & m[0], maybe & m[1]) for w, m in marks.items() if w and not m[1] & own]
                    )
        return found
