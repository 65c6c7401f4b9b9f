"""Two sets in one question, counted together or against each other: the answer hangs on each word of both."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs.values import Pair
from fathom.questions.asking import Asking, Chances
from fathom.questions.described import COMPARED, ROLES, Need, Weight, needed
from fathom.questions.drafts import OPERATORS, Draft
from fathom.questions.notation import OperatorNode
from fathom.questions.scene_words import SceneWords
from fathom.questions.templates import Limits, Template, Words

PLACES = 12
"""In how many places of a scene sets are looked for that could be compared."""

Side = tuple[OperatorNode, Pair, tuple[Pair, ...]]
"""A filter that describes a set, within which set it does, and what is left there without the relation."""


_Set = tuple[int, list[int], Words]
"""What a description fits in a set, what it fits with each of its words left out, and the description."""

PAIRS = 40
"""How many pairs of sets that together have the number wanted are looked at for one that needs each word."""


def _hangs_on_each(one: _Set, two: _Set, wanted: int) -> bool:
    """Return whether two sets together no longer have the number wanted as soon as a word is left out."""
    (x, more_x, _), (y, more_y, _) = one, two
    without = [more | y for more in more_x] + [x | more for more in more_y]
    return all(left.bit_count() != wanted for left in without)


class SetPairs:
    """Finds the words of two sets in one scene."""

    def __init__(self, words: SceneWords, asking: Asking, chances: Chances) -> None:
        self.words = words
        self.asking = asking
        self.chances = chances
        self._sets: dict[tuple[Limits, Pair, tuple[Pair, ...]], list[_Set]] = {}
        self._pairs: dict[tuple[int, int, int], list[tuple[_Set, _Set]]] = {}
        self._matching: dict[tuple[str, str, str, str, int], list[Weight]] = {}
        self._meeting: dict[tuple[str, str, int, Need], list[Weight]] = {}
        self._by_count: dict[tuple[str, str], dict[int, list[Weight]]] = {}
        self._weights: dict[tuple[str, str], list[Weight]] = {}

    def together(self, template: Template, sides: Sequence[Side], draft: Draft) -> tuple[Words, Words] | None:
        """Return the words of two sets that are counted together, None where nothing suits."""
        (one, in_one, out_one), (two, in_two, out_two) = sides
        ones = self._decided(template.limits[one.slot], in_one, out_one)
        twos = self._decided(template.limits[two.slot], in_two, out_two)
        wanted, enforce = int(draft.answer), self.asking.enforce
        pairs = list(self._together(ones, twos, wanted))
        for _ in range(min(PAIRS, len(pairs))):
            at = self.chances.below(len(pairs))
            one_set, two_set = pairs[at]
            if not enforce or _hangs_on_each(one_set, two_set, wanted):
                return one_set[2], two_set[2]
            pairs[at] = pairs[-1]
            pairs.pop()
        return None

    def _together(self, ones: list[_Set], twos: list[_Set], wanted: int) -> list[tuple[_Set, _Set]]:
        """Return the pairs of two kept lists of sets that together have the number wanted."""
        key = id(ones), id(twos), wanted  # the lists are kept as long as this is
        found = self._pairs.get(key)
        if found is None:
            some = [one for one in twos if one[0].bit_count() <= wanted]
            found = [(a, b) for a in ones for b in some if (a[0] | b[0]).bit_count() == wanted]
            self._pairs[key] = found
        return found

    def _decided(self, limits: Limits, within: Pair, outers: tuple[Pair, ...]) -> list[_Set]:
        """Return the descriptions that a slot may have that are decided within a set."""
        key = limits, within, outers
        found = self._sets.get(key)
        if found is None:
            found = self._sets[key] = []
            for s in self.words.some_sets(limits):
                fits = s.yes & within[0]
                if fits == s.maybe & within[1]:
                    found.append((fits, s.grown(within, outers), s.words))
        return found

    def against(self, template: Template, sides: Sequence[Side], draft: Draft) -> tuple[Words, Words] | None:
        """Return the words of two sets whose counts are compared, None where nothing suits."""
        ones, twos = (
            self.words.counted(template.limits[node.slot], within, outers) for node, within, outers in sides
        )
        holds = COMPARED[template.tree.op]
        for _ in range(24 if ones and twos else 0):
            a, b = ones[self.chances.below(len(ones))], twos[self.chances.below(len(twos))]
            if holds(a.count, b.count) is (draft.answer == "yes"):
                return a.words, b.words
        return None

    def matching(self, template: Template, answer: str, at: int) -> list[Weight]:
        """Return up to three sets, in random order, that may be compared with the `at`-th of the first side's
        under an answer.
        """
        one, two = template.set_nodes
        op = template.tree.op
        key = op, one.reads[0].op, two.reads[0].op, answer, at
        fitting = self._matching.get(key)
        if fitting is None:
            roles = ROLES[op, answer]
            first = self.weights(template, one, roles[0])[at]
            fitting = self._matching[key] = self._answering(template, answer, first, roles[1])
        found = list(fitting)
        return [found.pop(self.chances.below(len(found))) for _ in range(min(3, len(found)))]

    def _answering(self, template: Template, answer: str, first: Weight, role: str) -> list[Weight]:
        """Return the sets of the second side that may be compared with one of the first under an answer."""
        two, op = template.set_nodes[1], template.tree.op
        covers, (k, _, a) = self.asking.vocabulary.covers, first
        found = []
        for count, some in self._counts(template, two, role).items():
            need = needed(op, answer, a, count)
            if need is not None:
                key = two.reads[0].op, role, count, need
                meeting = self._meeting.get(key)
                if meeting is None:
                    meeting = self._meeting[key] = [w for w in some if w[2].meets(need)]
                found += [
                    w
                    for w in meeting
                    if (k < 0 or w[0] != k)
                    and not covers(a.words, w[2].words)
                    and not covers(w[2].words, a.words)
                ]
        return found

    def _counts(self, template: Template, node: OperatorNode, role: str) -> dict[int, list[Weight]]:
        """Return the sets that could be compared in a role by how many objects they have."""
        key = node.reads[0].op, role
        found = self._by_count.get(key)
        if found is None:
            found = self._by_count[key] = {}
            for w in self.weights(template, node, role):
                found.setdefault(w[2].count, []).append(w)
        return found

    def weights(self, template: Template, node: OperatorNode, role: str) -> list[Weight]:
        """Return sets whose counts could be compared, each with the object that it stands in relation to, −1
        for the whole scene, and the relation's word; of large scenes some. `role` is "grows" where leaving
        out a word must change the answer, "stays" where another word must, "" for both.
        """
        source = node.reads[0]
        found = self._weights.get((source.op, role))
        if found is None:
            places: list[tuple[int, str, Pair, tuple[Pair, ...]]] = [
                (-1, "", self.words.facts.scene_masks, ())
            ]
            if source.op != "scene":
                ways = [(k, w) for k in self.words.nameable for w in OPERATORS[source.op][0].words or ()]
                some = [ways.pop(self.chances.below(len(ways))) for _ in range(min(PLACES, len(ways)))]
                places = [(k, w, *self.words.near(source.op, w, k)) for k, w in some]
            every = [
                (k, word, c)
                for k, word, within, outers in places
                for c in self.words.counted(template.limits[node.slot], within, outers)
            ]
            grows = [w for w in every if w[2].count < w[2].fewest <= self.words.facts.n]
            stays = [w for w in every if w[2].least < w[2].count]
            for name, some_of_them in (("", every), ("grows", grows), ("stays", stays)):
                self._weights[source.op, name] = some_of_them
            found = self._weights[source.op, role]
        return found
