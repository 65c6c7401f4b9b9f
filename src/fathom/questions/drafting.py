"""Drafting question candidates of one scene: filling slots so that answers come out evenly, and checking
them.

Sets of things are bitmasks throughout, so that trying a description costs a few operations on integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product

import msgspec

from fathom.programs.degeneracy import droppable, is_needed, singling
from fathom.programs.engine import OTHERS, Plan, evaluate, operators_on, plan_of, text_of
from fathom.programs.registry import Run
from fathom.programs.values import Pair, Scenes, Stop, Value
from fathom.programs.views.still import StillView, mask_of
from fathom.questions.asking import Asking, Candidate, Chances
from fathom.questions.described import (
    COMPARED,
    ROLES,
    Counted,
    Described,
    Detours,
    Weight,
    answered,
    bits,
    may_answer,
    size_within,
    some_bit,
)
from fathom.questions.notation import Node
from fathom.questions.templates import Template, Words, steps_and_sources

OPERATORS = operators_on(Scenes.STILL)


def planned(template: Template, slots: Mapping[str, Words | str]) -> tuple[Plan, list[tuple[str, ...]]]:
    """Return the plan of a filled template, and the arguments of every step."""
    masks = tuple((bool(w[0]), bool(w[1]), bool(w[2])) for w in (slots[d] for d in template.descriptions))
    plan, sources = _layout(template, masks)
    return plan, [(slots[name][a] if a >= 0 else slots[name],) if name else () for name, a in sources]  # type: ignore[misc]


@lru_cache(maxsize=65536)
def _layout(
    template: Template, masks: tuple[tuple[bool, bool, bool], ...]
) -> tuple[Plan, tuple[tuple[str, int], ...]]:
    """Return the plan of a template whose descriptions have these words, and what fills each argument."""
    slots: dict[str, Words | str] = {
        name: (OPERATORS[op][0].words or ("",))[0] for name, op in template.relations.items()
    }
    for name, (size, color, shape) in zip(template.descriptions, masks, strict=True):
        slots[name] = ("x" if size else "", "x" if color else "", "x" if shape else "")
    steps, sources = steps_and_sources(template, slots)
    return plan_of(steps, Scenes.STILL), sources


def _without(words: Words, place: int) -> Words:
    """Return a description without the word at one of its three places."""
    size, color, shape = words
    return "" if place == 0 else size, "" if place == 1 else color, "" if place == 2 else shape


@lru_cache(maxsize=65536)
def shorter(words: Words) -> tuple[Words, ...]:
    """Return a description with each of its words left out in turn."""
    return tuple(_without(words, a) for a in range(3) if words[a])


Offer = tuple[int, list[Words], list[Words]]
"""A thing that words can single out, with the words that a slot allows, and all of them."""


class _Draft(msgspec.Struct):
    """A question while its slots are being filled.

    `objects` are the things that it has named; `anchors` those that are kept when its sets are described
    anew; `answer` is the answer that it should have, where it is drawn beforehand, `wanted` the same for a
    comparison of two things, and `first` the value that is compared with. `options`
    are all descriptions that single out the last thing, in the slot `option_slot`, and `outers` what is left
    when one of its relations is dropped. `rivals` are, for each thing that was described by a relation (by
    the node of its filter), what else its words fit when one of its relations is dropped. `joined` are the
    words of two relations that are chosen together with their anchors; `path` the relation word, and the
    thing, of each filter of a chain of relations that is chosen as a whole.
    """

    slots: dict[str, Words | str] = {}
    objects: list[int] = []
    anchors: dict[Node, int] = {}
    unique_words: list[tuple[Words, int, bool]] = []
    set_words: list[Words] = []
    answer: str = ""
    wanted: bool | None = None
    first: Value | None = None
    options: list[Words] = []
    option_slot: str = ""
    outers: tuple[Pair, ...] = ()
    rivals: dict[Node, tuple[int, ...]] = {}
    joined: tuple[str, ...] = ()
    path: dict[Node, tuple[str, int]] = {}

    def reset(self) -> None:
        """Take back what was named."""
        self.slots, self.objects, self.anchors, self.unique_words, self.set_words = {}, [], {}, [], []


INDEX = {"size": 0, "color": 1, "shape": 2}
ATTRIBUTES = tuple(INDEX)
_ASKED = {f"{op}_{name}": k for name, k in INDEX.items() for op in ("query", "equal")}
DRAWN = ("count", "exist", "compare")
"""What is asked where the answer is drawn before the words."""

MASKS = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1))
"""Which of size, color and shape a description may mention: nothing, one, two, all."""


def _allowed(found: list[Words], without: Sequence[str], only: Sequence[str] | None) -> list[Words]:
    """Return the descriptions with the words that a slot allows."""
    for attribute in without:
        a = INDEX[attribute]
        found = [w for w in found if not w[a]]
    if only is not None:
        found = [w for w in found if all(bool(w[a]) == (name in only) for name, a in INDEX.items())]
    return found


@lru_cache(maxsize=256)
def _combined(operators: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return all words that relations may have together."""
    return tuple(product(*(OPERATORS[op][0].words or ("",) for op in operators)))


_Way = tuple[int, str, Pair, tuple[Pair]]
"""A thing, a relation's word, what stands in that relation to it, and what is left when it is dropped."""

CROSSINGS = 120
"""How many pairs of relations are looked at for things that stand in both."""

PLACES = 12
"""In how many places of a scene sets are looked for that could be compared."""


def _doubtful(template: Template, plan: Plan, answer: str) -> Sequence[int]:
    """Return the steps that may not be needed; the words of all others were chosen so that they are."""
    if template.sets == 2 or template.bare or answer == "yes":
        return droppable(plan)
    last = plan.inputs[-1][0] if template.tail else -1
    return [k for k, single in singling(plan) if single != last]


@lru_cache(maxsize=4096)
def _asked(template: Template, node: Node) -> int:
    """Return which attribute of the thing that a node describes is asked for or compared, −1 for none."""
    if template.tree.op not in _ASKED:
        return -1
    heads = (template.tree,) if template.compared is None else template.tree.reads
    return _ASKED[template.tree.op] if any(h.reads[0].reads[0] is node for h in heads) else -1


class Desk:
    """Where the candidates of one scene are drafted; it keeps what descriptions denote there."""

    def __init__(self, facts: StillView, hard: StillView | None, asking: Asking, chances: Chances) -> None:
        self.facts = facts
        self.run = Run(facts)
        self.hard = hard
        self.asking = asking
        self.chances = chances
        self.tried: Counter[str] = Counter()
        self.pairs: dict[Words, Pair] = {}
        self.names = [self._names_of(k) for k in range(facts.n)]
        self.sets: dict[
            tuple[tuple[str, ...], tuple[str, ...], bool], dict[tuple[bool, bool, bool], list[Described]]
        ] = {}
        self.dead: set[int] = set()
        self.offers: dict[
            tuple[Pair, tuple[Pair, ...], tuple[str, ...], tuple[str, ...] | None, int],
            list[Offer],
        ] = {}
        self.near: dict[tuple[str, str, int], tuple[Pair, tuple[Pair]]] = {}
        self.fitting: dict[int, list[Described]] = {}
        self.counted: dict[
            tuple[Pair, tuple[Pair, ...], tuple[str, ...], tuple[str, ...] | None], list[Counted]
        ] = {}
        self.crossings: dict[str, list[tuple[_Way, _Way]]] = {}
        self.open_crossings: dict[str, list[tuple[_Way, _Way]]] = {}
        self.instead: dict[Words, list[list[Pair]]] = {}
        self.links: dict[tuple[str, int], list[tuple[str, int]]] = {}
        self.due: dict[str, tuple[str, int]] = {}
        self.barren: set[tuple[str, str]] = set()
        self.spent: set[str] = set()
        self.sizes: dict[
            tuple[Pair, Sequence[str], Sequence[str] | None, tuple[bool, bool, bool]], list[int]
        ] = {}
        self.hopeless: set[tuple[str, str]] = set()
        self.found: Counter[tuple[str, str]] = Counter()
        self.enough: dict[str, int] = {}
        self.weights: dict[tuple[str, str], list[Weight]] = {}
        self.single: dict[tuple[Pair, tuple[Pair, ...]], list[tuple[int, list[Words]]]] = {}
        self.unlike = [self._unlike(k) for k in range(facts.n)]

    def _names_of(self, k: int) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Return the size, color and shape words that fit thing k, "" first."""
        values = self.facts.values
        shape = values["shape"][k]
        shapes = ("", shape) if shape == self.facts.classes[k] else ("", shape, self.facts.classes[k])
        return ("", values["size"][k]), ("", values["color"][k]), shapes

    def _unlike(self, k: int) -> tuple[int, ...]:
        """Return, for each attribute, the things that certainly have another value than thing k."""
        masks = []
        for attribute in INDEX:
            values = self.facts.values[attribute]
            masks.append(mask_of(v != "" and v != values[k] for v in values))
        return tuple(masks)

    def pair(self, words: Words) -> Pair:
        """Return the masks of what a description fits."""
        found = self.pairs.get(words)
        if found is None:
            yes, maybe = self.facts.scene_masks
            for attribute, word in zip(("size", "color", "shape"), words, strict=True):
                if word:
                    marks = self.facts.marks[attribute]
                    mark = marks.get(word) or marks.get("") or (0, 0)
                    yes, maybe = yes & mark[0], maybe & mark[1]
            found = self.pairs[words] = (yes, maybe)
        return found

    def rounded(self, wanted: float) -> int:
        """Return a whole number of candidates that is `wanted` on average."""
        whole = int(wanted)
        return whole + (self.chances.below(1000) < (wanted - whole) * 1000)

    def propose(self, kin: Sequence[Template]) -> list[Candidate]:
        """Return candidates of templates that ask about the same thing, none where this try came to
        nothing.
        """
        template = kin[self.chances.below(len(kin))]
        draft = _Draft(answer=self._answer_due(template))
        if template.compared is not None:
            draft.wanted = draft.answer == "yes"
        found = self._proposed(kin, template, draft)
        if draft.answer:
            self._tell(template, draft.answer, any(c.template == template.id for c in found))
        return found

    def is_barren(self, template: Template) -> bool:
        """Return whether every answer of a template was looked for in vain, or found often enough."""
        return template.id in self.spent or (template.id, "") in self.hopeless

    def _answer_due(self, template: Template) -> str:
        """Return the answer that the next candidate should have, "" where it is not drawn beforehand."""
        if template.asks not in DRAWN:
            return ""
        if template.id in self.due:
            return self.due[template.id][0]
        answers = [a for a in self.asking.vocabulary.answers(template) if (template.id, a) not in self.barren]
        answer = answers[self.chances.below(len(answers))]
        self.due[template.id] = answer, 0
        return answer

    def _tell(self, template: Template, answer: str, found: bool) -> None:
        """Keep an answer due until it is found, or was looked for in vain often enough."""
        key = template.id, answer
        tries = self.due[template.id][1] + 1
        if found:
            self.found[key] += 1
        if found or tries >= template.patience or key in self.hopeless:
            del self.due[template.id]
            if not found or self.found[key] >= self.enough.get(template.id, 24):
                self.barren.add(key)
                if all((template.id, a) in self.barren for a in self.asking.vocabulary.answers(template)):
                    self.spent.add(template.id)
        else:
            self.due[template.id] = answer, tries

    def wants(self, template: Template, wanted: int) -> None:
        """Say how many candidates of a template the scene should offer."""
        if template.asks in DRAWN:
            self.enough[template.id] = -(-wanted * 3 // (2 * len(self.asking.vocabulary.answers(template))))

    def _proposed(self, kin: Sequence[Template], template: Template, draft: _Draft) -> list[Candidate]:
        try:
            if template.joint is not None and draft.answer != "0" and not self._cross(template, draft):
                return []
            if template.chain and not self._walk(template, draft):
                return []
            if template.sets == 2 and self.asking.enforce and template.tree.op in COMPARED:
                filled = self._weigh(template, draft)
            elif template.sets == 2:
                filled = self._fill_two(template, draft)
            else:
                filled = self._fill(template, template.tree, draft, None) is not None
        except Stop:
            return []
        if not filled:
            if template.direct and draft.unique_words:
                self.dead.add(draft.unique_words[0][1])
            return []
        out = []
        # The template itself comes first: the others put their own words into its slots.
        for other in (template, *[k for k in kin if k is not template]):
            if other is template or self._reworded(other, draft):
                self.tried["proposed"] += 1
                candidate = self._checked(other, draft)
                if candidate is not None:
                    out.append(candidate)
        return out

    def _reworded(self, other: Template, draft: _Draft) -> bool:
        """Describe the thing asked about anew, for a question about another attribute of it; say if it
        worked.
        """
        if not draft.options:
            return True
        slot = draft.option_slot
        _, k, anywhere = draft.unique_words[-1]
        fitting = [w for w in draft.options if not any(w[INDEX[a]] for a in other.without.get(slot, ()))]
        fitting = self._telling(fitting, k, INDEX[other.asks], draft.outers)
        if not fitting:
            return False
        draft.slots[slot] = words = fitting[self.chances.below(len(fitting))]
        draft.unique_words[-1] = (words, k, anywhere)
        return True

    def _cross(self, template: Template, draft: _Draft) -> bool:
        """Choose two anchors with a relation each such that something stands in both, and each is needed;
        return whether there are any.
        """
        node = template.joint
        assert node is not None
        asked = _asked(template, node)
        found = self.open_crossings.get(template.id)
        if found is None:
            found = self.open_crossings[template.id] = list(self._crossings(node.related[0].op))
        for _ in range(min(CROSSINGS, len(found))):
            at = self.chances.below(len(found))
            (i, one, (y0, m0), ((o0, p0),)), (j, two, (y1, m1), ((o1, p1),)) = found[at]
            outers = (o0 & y1, p0 & m1), (o1 & y0, p1 & m0)
            if asked < 0 or self._offers(node, template, (y0 & y1, m0 & m1), outers, asked):
                break
            # What offers nothing is not looked at again.
            found[at] = found[-1]
            found.pop()
        else:
            self.hopeless.add((template.id, draft.answer))
            return False
        pairs = [(i, one), (j, two)]
        if self.chances.below(2):
            pairs.reverse()
        for branch, (k, _) in zip(node.related, pairs, strict=True):
            self._name(branch.reads[0], k, draft)
        draft.joined = tuple([word for _, word in pairs])
        return True

    def _crossings(self, op: str) -> list[tuple[_Way, _Way]]:
        """Return the pairs of anchors, each with a relation word, such that something stands in both
        relations, and more in each of them alone.
        """
        found = self.crossings.get(op)
        if found is not None:
            return found
        found = self.crossings[op] = []
        ways = [(k, w, *self._near(op, w, k)) for k in self._nameable for w in OPERATORS[op][0].words or ()]
        for at, one in enumerate(ways):
            i, _, (y0, _), ((o0, _),) = one
            if y0 & (y0 - 1):
                for two in ways[at + 1 :]:
                    inside = y0 & two[2][0]
                    if (
                        inside
                        and inside != y0
                        and i != two[0]
                        and o0 & two[2][0] != inside != two[3][0][0] & y0
                    ):
                        found.append((one, two))
        return found

    def _walk(self, template: Template, draft: _Draft) -> bool:
        """Choose a chain of things of which words can single out each by its relation to the one before;
        return whether there is any.
        """
        nodes = template.chain
        op = nodes[-1].related[0].op
        starts = list(self._nameable)
        while starts:
            start = starts.pop(self.chances.below(len(starts)))
            if found := self._path(op, nodes[1], [("", start)], len(nodes), template):
                draft.path = dict(zip(nodes, found, strict=True))
                return True
        self.hopeless.add((template.id, ""))
        return False

    def _path(
        self, op: str, node: Node, path: list[tuple[str, int]], length: int, template: Template
    ) -> list[tuple[str, int]]:
        """Return a path of so many things that goes on from `path`, nothing where there is none."""
        if len(path) == length:
            return path
        ways = list(self._links(op, path[-1][1], node, template))
        while ways:
            way = ways.pop(self.chances.below(len(ways)))
            if all(way[1] != k for _, k in path) and (
                found := self._path(op, node, [*path, way], length, template)
            ):
                return found
        return []

    def _links(self, op: str, k: int, node: Node, template: Template) -> list[tuple[str, int]]:
        """Return the relation words and things such that the thing can be singled out by its relation to
        thing k.
        """
        found = self.links.get((op, k))
        if found is None:
            found = self.links[op, k] = [
                (word, other)
                for word in OPERATORS[op][0].words or ()
                for other, *_ in self._offers(node, template, *self._near(op, word, k), -1)
                if other != k
            ]
        return found

    def _fill_two(self, template: Template, draft: _Draft) -> bool:
        """Fill a template that counts two sets, together or against each other; return whether that
        worked.
        """
        sides: list[tuple[Node, Pair, tuple[Pair, ...]]] = []
        for node in template.set_nodes:
            source = node.reads[0]
            within: Pair = self.facts.scene_masks
            outers: tuple[Pair, ...] = ()
            if source.op != "scene":
                anchor = self._fill(template, source.reads[0], draft, source)
                if anchor is None:
                    return False
                within, outers = self._related([source], [anchor], [self._word(source, draft)])
            sides.append((node, within, outers))
        find = self._together if template.tree.op == "count" else self._against
        found = find(template, sides, draft)
        if found is None:
            return False
        draft.slots[sides[0][0].slot], draft.slots[sides[1][0].slot] = found
        draft.set_words += found
        return True

    def _together(
        self, template: Template, sides: Sequence[tuple[Node, Pair, tuple[Pair, ...]]], draft: _Draft
    ) -> tuple[Words, Words] | None:
        """Return the words of two sets that are counted together, None where nothing suits."""
        (one, in_one, out_one), (two, in_two, out_two) = sides
        sets_one, sets_two = self._some_sets(template, one), self._some_sets(template, two)
        unit, many_one, many_two, wanted = self.chances.unit, len(sets_one), len(sets_two), int(draft.answer)
        for _ in range(24):
            a, b = sets_one[int(unit() * many_one)], sets_two[int(unit() * many_two)]
            x, y = a.yes & in_one[0], b.yes & in_two[0]
            if (x | y).bit_count() != wanted or x != a.maybe & in_one[1] or y != b.maybe & in_two[1]:
                continue
            if not self.asking.enforce or not (
                any((m | y).bit_count() == wanted for m in a.grown(in_one, out_one))
                or any((x | m).bit_count() == wanted for m in b.grown(in_two, out_two))
            ):
                return a.words, b.words
        return None

    def _against(
        self, template: Template, sides: Sequence[tuple[Node, Pair, tuple[Pair, ...]]], draft: _Draft
    ) -> tuple[Words, Words] | None:
        """Return the words of two sets whose counts are compared, None where nothing suits."""
        ones, twos = (self._counted(template, *side) for side in sides)
        holds = COMPARED[template.tree.op]
        for _ in range(24 if ones and twos else 0):
            a, b = ones[self.chances.below(len(ones))], twos[self.chances.below(len(twos))]
            if holds(a.count, b.count) is (draft.answer == "yes"):
                return a.words, b.words
        return None

    def _weigh(self, template: Template, draft: _Draft) -> bool:
        """Fill a template that compares two counts, each word of it needed; return whether that worked."""
        one, two = template.set_nodes
        op, answer = template.tree.op, draft.answer
        roles = ROLES[op, answer]
        ones, twos = self._weights(template, one, roles[0]), self._weights(template, two, roles[1])
        by_count: dict[int, list[Weight]] = {}
        for w in twos:
            by_count.setdefault(w[2].count, []).append(w)
        start = self.chances.below(max(len(ones), 1))
        for at in range(len(ones)):
            first = ones[at - start]
            for second in self._matching(op, answer, first, by_count):
                if self._put(one, first, draft) and self._put(two, second, draft):
                    return True
                draft.reset()
        self.hopeless.add((template.id, answer))
        return False

    def _matching(
        self, op: str, answer: str, first: Weight, by_count: Mapping[int, list[Weight]]
    ) -> list[Weight]:
        """Return up to three sets, in random order, that may be compared with this one."""
        covers, (k, _, a) = self.asking.vocabulary.covers, first
        found = [
            w
            for count, some in by_count.items()
            if may_answer(op, answer, a.count, count)
            for w in some
            if (k < 0 or w[0] != k)
            and answered(op, answer, a, w[2])
            and not covers(a.words, w[2].words)
            and not covers(w[2].words, a.words)
        ]
        return [found.pop(self.chances.below(len(found))) for _ in range(min(3, len(found)))]

    def _put(self, node: Node, weight: Weight, draft: _Draft) -> bool:
        """Write a set, and what it stands in relation to, into a draft; return whether the words of one
        thing do not tell how many the set has.
        """
        k, word, counted = weight
        if k >= 0:
            source = node.reads[0]
            draft.slots[source.slot] = word
            self._name(source.reads[0], k, draft)
        draft.slots[node.slot] = counted.words
        draft.set_words.append(counted.words)
        covers = self.asking.vocabulary.covers
        return not any(covers(words, some) for words, _, _ in draft.unique_words for some in draft.set_words)

    def _name(self, one: Node, k: int, draft: _Draft) -> None:
        """Describe thing k, which words can single out, in the filter below a `unique`."""
        fitting = self._nameable[k]
        draft.slots[one.reads[0].slot] = words = fitting[self.chances.below(len(fitting))]
        draft.unique_words.append((words, k, True))
        draft.objects.append(k)
        draft.anchors[one] = k

    @cached_property
    def _nameable(self) -> dict[int, list[Words]]:
        """The things that words single out in the scene, each with all such words."""
        return dict(self._alone(self.facts.scene_masks, ()))

    def _weights(self, template: Template, node: Node, role: str) -> list[Weight]:
        """Return sets whose counts could be compared, each with the thing that it stands in relation to, −1
        for the whole scene, and the relation's word; of large scenes some. `role` is "grows" where leaving
        out a word must change the answer, "stays" where another word must, "" for both.
        """
        source = node.reads[0]
        found = self.weights.get((source.op, role))
        if found is None:
            places: list[tuple[int, str, Pair, tuple[Pair, ...]]] = [(-1, "", self.facts.scene_masks, ())]
            if source.op != "scene":
                ways = [(k, w) for k in self._nameable for w in OPERATORS[source.op][0].words or ()]
                some = [ways.pop(self.chances.below(len(ways))) for _ in range(min(PLACES, len(ways)))]
                places = [(k, w, *self._near(source.op, w, k)) for k, w in some]
            every = [
                (k, word, c)
                for k, word, within, outers in places
                for c in self._counted(template, node, within, outers)
            ]
            grows = [w for w in every if w[2].count < w[2].fewest <= self.facts.n]
            stays = [w for w in every if w[2].least < w[2].count]
            for name, some_of_them in (("", every), ("grows", grows), ("stays", stays)):
                self.weights[source.op, name] = some_of_them
            found = self.weights[source.op, role]
        return found

    def _some_sets(self, template: Template, node: Node) -> list[Described]:
        """Return the descriptions of sets that a slot may have."""
        sets = self._sets(template.without.get(node.slot, ()), template.only.get(node.slot), True)
        return [s for some in sets.values() for s in some]

    def _counted(
        self, template: Template, node: Node, within: Pair, outers: tuple[Pair, ...]
    ) -> list[Counted]:
        """Return the descriptions that a slot may have whose count is decided within a set."""
        key = within, outers, template.without.get(node.slot, ()), template.only.get(node.slot)
        found = self.counted.get(key)
        if found is None:
            found = self.counted[key] = []
            for s in self._some_sets(template, node):
                fits = s.yes & within[0]
                if fits == s.maybe & within[1]:
                    found.append(self._counted_one(s, fits.bit_count(), within, outers))
        return found

    def _counted_one(self, s: Described, count: int, within: Pair, outers: tuple[Pair, ...]) -> Counted:
        inside, perhaps = within
        wider = [(yes & inside, maybe & perhaps) for yes, maybe in map(self.pair, shorter(s.words))]
        wider += [(s.yes & outer[0], s.maybe & outer[1]) for outer in outers]
        # Where one of them is not decided, nobody can say that leaving out a word changes the answer.
        sizes = [yes.bit_count() for yes, maybe in wider if yes == maybe] or [self.facts.n + 1]
        sure = all(yes == maybe for yes, maybe in wider)
        others = [
            frozenset((yes & inside).bit_count() for yes, maybe in some if yes & inside == maybe & perhaps)
            for some in self._instead(s.words)
        ]
        least = max((min(counts, default=count) for counts in others), default=0)
        return Counted(s.words, count, min(sizes) if sure else 0, max(sizes), tuple(others), least)

    def _instead(self, words: Words) -> list[list[Pair]]:
        """Return for each word of a description what it fits with each other word of the scene instead."""
        found = self.instead.get(words)
        if found is None:
            found = self.instead[words] = []
            for a, name in enumerate(ATTRIBUTES):
                if words[a]:
                    marks = self.facts.marks[name]
                    own = marks.get(words[a], (0, 0))[1]
                    yes, maybe = self.pair(_without(words, a))
                    found.append(
                        [(yes & m[0], maybe & m[1]) for w, m in marks.items() if w and not m[1] & own]
                    )
        return found

    def _fill(self, template: Template, node: Node, draft: _Draft, reader: Node | None) -> Value | None:
        """Fill the slots below a node and return the node's value, None where nothing suits."""
        if node in draft.anchors:
            return draft.anchors[node]
        if node.op == "filter":
            if reader is not None and reader.op == "unique" and node.reads[0].op == "scene":
                return self._describe_one(template, node, self.facts.scene_masks, (), draft)
            return self._describe(template, node, draft, reader)
        inputs: list[Value] = []
        for child in node.reads:
            value = self._fill(template, child, draft, node)
            if value is None:
                return None
            inputs.append(value)
            if node is template.tree and template.compared is not None:
                draft.first = value
        word = self._word(node, draft) if node.slot else ""
        value = OPERATORS[node.op][0].act(self.run, inputs, (word,))
        if node.op == "unique":
            if node.reads[0].op != "filter":
                draft.options = []
            if value in draft.objects:
                return None
            draft.objects.append(value)
            draft.anchors[node] = value
        return value

    def _word(self, node: Node, draft: _Draft) -> str:
        words = OPERATORS[node.op][0].words or ()
        draft.slots[node.slot] = word = words[self.chances.below(len(words))]
        return word

    def _describe(self, template: Template, node: Node, draft: _Draft, reader: Node | None) -> Pair | None:
        """Choose the words of a filter, and with them those of the relations that it reads."""
        source, related = node.reads[0], node.related
        one = reader is not None and reader.op == "unique"
        if not related:
            within = self._fill(template, source, draft, node)
            if within is None:
                return None
            outers: tuple[Pair, ...] = () if source.op == "scene" else (self.facts.scene_masks,)
            if one:
                return self._describe_one(template, node, within, outers, draft)
            return self._describe_some(template, node, within, outers, draft)
        anchors = []
        for branch in related:
            anchor = self._fill(template, branch.reads[0], draft, branch)
            if anchor is None:
                return None
            anchors.append(anchor)
        chosen = draft.joined if len(related) > 1 else draft.path[node][:1] if node in draft.path else ()
        for words in (chosen,) if chosen else self._relation_words(related):
            for branch, word in zip(related, words, strict=True):
                if branch.slot:
                    draft.slots[branch.slot] = word
            within, outers = self._related(related, anchors, words)
            if one and not within[0]:
                continue
            detours = self._detours(related, words, draft)
            found = (
                self._describe_one(template, node, within, outers, draft, detours)
                if one
                else self._describe_some(template, node, within, outers, draft, detours)
            )
            if found is not None:
                return found
        return None

    def _relation_words(self, related: Sequence[Node]) -> Iterator[tuple[str, ...]]:
        """Yield the words that relations may have together, in random order, not all of them if many."""
        combined = list(_combined(tuple([b.op for b in related])))
        unit = self.chances.unit
        for left in range(len(combined), max(len(combined) - 6, 0), -1):
            k = int(unit() * left)
            yield combined[k]
            combined[k] = combined[left - 1]

    def _related(
        self, related: Sequence[Node], anchors: Sequence[int], words: Sequence[str]
    ) -> tuple[Pair, tuple[Pair, ...]]:
        """Return what stands in all the relations, and for each of them what is left when it is dropped."""
        if len(related) == 1:
            return self._near(related[0].op, words[0], anchors[0])
        found = [self._near(b.op, word, i) for b, i, word in zip(related, anchors, words, strict=True)]
        ((y0, m0), ((o0, p0),)), ((y1, m1), ((o1, p1),)) = found
        return (y0 & y1, m0 & m1), ((o0 & y1, p0 & m1), (o1 & y0, p1 & m0))

    def _detours(self, related: Sequence[Node], words: Sequence[str], draft: _Draft) -> Detours:
        """Return where a chain of relations leads when the one before is ignored and a rival is taken for the
        thing that it singled out.
        """
        if len(related) > 1 or not (rivals := draft.rivals.get(related[0].reads[0].reads[0])):
            return ()
        return tuple([self._near(related[0].op, words[0], k)[0] for k in bits(some)] for some in rivals)

    def _near(self, op: str, word: str, anchor: int) -> tuple[Pair, tuple[Pair]]:
        """Return what stands in a relation to a thing, and what is left when the relation is dropped."""
        found = self.near.get((op, word, anchor))
        if found is None:
            inside = OPERATORS[op][0].act(self.run, [anchor], (word,))
            found = self.near[op, word, anchor] = inside, (OTHERS.act(self.run, [anchor], ()),)
        return found

    def _describe_one(
        self,
        template: Template,
        node: Node,
        within: Pair,
        outers: tuple[Pair, ...],
        draft: _Draft,
        detours: Detours = (),
    ) -> Pair | None:
        """Choose a thing in a set and words that fit it alone there, none of them needless."""
        asked = _asked(template, node)
        offers = self._offers(node, template, within, outers, asked)
        if node is template.compared and draft.wanted is not None:
            offers = self._comparable(offers, asked, outers, draft)
        if not offers:
            return None
        unit, named, dead = self.chances.unit, draft.objects, self.dead
        if node in draft.path:
            offers = [o for o in offers if o[0] == draft.path[node][1]]
            if not offers:
                return None
        start = int(unit() * len(offers))
        for at in range(len(offers)):
            k, fitting, options = offers[at - start]
            if k in named or (not named and k in dead):
                continue
            if detours and asked >= 0:
                fitting = [w for w in fitting if self._turns(w, k, asked, detours)]
                if not fitting:
                    continue
            draft.options, draft.option_slot, draft.outers = options, node.slot, outers
            words = fitting[int(unit() * len(fitting))]
            draft.slots[node.slot] = words
            if outers:
                fits = self.pair(words)[0]
                draft.rivals[node] = tuple([fits & outer[0] & ~(1 << k) for outer in outers])
            draft.unique_words.append((words, k, node.reads[0].op == "scene"))
            return 1 << k, 1 << k
        return None

    def _comparable(
        self, offers: Sequence[Offer], asked: int, outers: tuple[Pair, ...], draft: _Draft
    ) -> list[Offer]:
        """Return what makes a comparison come out as wanted, and otherwise where a relation is ignored."""
        values = self.facts.values[ATTRIBUTES[asked]]
        kept = [o for o in offers if (values[o[0]] == draft.first) is draft.wanted]
        if draft.wanted or not self.asking.enforce:
            return kept
        for rivals in [r for some in draft.rivals.values() for r in some]:
            kept = [o for o in kept if rivals & ~self.unlike[o[0]][asked]]
        alike = mask_of(v == draft.first for v in values)
        for outer in outers:
            like = alike & outer[0]
            some = [(k, [w for w in fitting if self.pair(w)[0] & like], o) for k, fitting, o in kept]
            kept = [o for o in some if o[1]]
        return kept

    def _turns(self, words: Words, k: int, asked: int, detours: Detours) -> bool:
        """Return whether of every relation's detours one certainly ends at nothing, or at another value than
        that of thing k.
        """
        yes, maybe = self.pair(words)
        for ways in detours:
            for inside, perhaps in ways:
                sure, all_ = yes & inside, maybe & perhaps
                if not all_ or (sure & self.unlike[k][asked] and (sure & (sure - 1) or sure == all_)):
                    break
            else:
                return False
        return True

    def _offers(
        self, node: Node, template: Template, within: Pair, outers: tuple[Pair, ...], asked: int
    ) -> list[Offer]:
        """Return the things that words can single out, with the words that the slot allows, and all words."""
        without, only = template.without.get(node.slot, ()), template.only.get(node.slot)
        key = within, outers, without, only, asked
        found = self.offers.get(key)
        if found is None:
            alone = self._alone(within, outers)
            every = [
                (k, self._telling(_allowed(options, without, only), k, asked, outers), options)
                for k, options in alone
            ]
            found = self.offers[key] = [o for o in every if o[1]]
        return found

    def _alone(self, within: Pair, outers: tuple[Pair, ...]) -> list[tuple[int, list[Words]]]:
        """Return the things of a set that words can single out there, each with all such words."""
        found = self.single.get((within, outers))
        if found is None:
            found = self.single[within, outers] = []
            inside, perhaps = within
            for k in bits(inside):
                bit = 1 << k
                words = [
                    one.words
                    for one in self._fitting(k)
                    if one.yes & inside == bit
                    and one.maybe & perhaps == bit
                    and (not self.asking.enforce or one.is_needed(inside, outers))
                ]
                if words:
                    found.append((k, words))
        return found

    def _telling(self, fitting: list[Words], k: int, asked: int, outers: tuple[Pair, ...]) -> list[Words]:
        """Return the words for thing k that, wherever a relation is dropped, fit a thing of another value of
        the attribute `asked`; all of them where none is asked for.
        """
        if asked < 0 or not self.asking.enforce:
            return fitting
        unlike = self.unlike[k][asked]
        for outer in outers:
            others = outer[0] & unlike
            fitting = [w for w in fitting if self.pairs[w][0] & others]
        return fitting

    def _fitting(self, k: int) -> list[Described]:
        """Return all descriptions that fit thing k."""
        found = self.fitting.get(k)
        if found is None:
            found = self.fitting[k] = [
                Described(w, *self.pair(w), tuple(self.pair(rest)[0] for rest in shorter(w)))
                for w in product(*self.names[k])
            ]
        return found

    def _sets(
        self, without: Sequence[str], only: Sequence[str] | None, short: bool
    ) -> dict[tuple[bool, bool, bool], list[Described]]:
        """Return descriptions of sets by which words they have, of words that things of the scene have, not
        always the same thing.
        """
        key = (tuple(without), tuple(only or ()), short)
        found = self.sets.get(key)
        if found is None:
            allowed = [a not in without and (only is None or a in only) for a in ("size", "color", "shape")]
            words: dict[Words, None] = {}
            if only is None:
                words[("", "", "")] = None
            for _ in range(24 if short else 56):
                words[self._some_words(allowed, only is not None, short)] = None
            found = self.sets[key] = {}
            for w in words:
                one = Described(w, *self.pair(w), tuple(self.pair(r)[0] for r in shorter(w)))
                found.setdefault((bool(w[0]), bool(w[1]), bool(w[2])), []).append(one)
        return found

    def _some_words(self, allowed: Sequence[bool], all_of_them: bool, short: bool) -> Words:
        below = self.chances.below
        mask: Sequence[int] = allowed if all_of_them else MASKS[1 + below(3 if short else 7)]
        # Half of the descriptions fit some thing; the other half mix the words of several.
        same = below(self.facts.n) if below(2) else -1
        out = []
        for a in range(3):
            if not (mask[a] and allowed[a]):
                out.append("")
                continue
            names = self.names[below(self.facts.n) if same < 0 else same][a]
            out.append(names[1] if len(names) == 2 else names[1 + below(len(names) - 1)])
        return out[0], out[1], out[2]

    def _describe_some(
        self,
        template: Template,
        node: Node,
        within: Pair,
        outers: Sequence[Pair],
        draft: _Draft,
        detours: Detours = (),
    ) -> Pair | None:
        """Choose words for the set that is counted or found empty, so that answers come out evenly."""
        words = self._words_by_answer(template, node, within, outers, detours, draft)
        if words is None:
            return None
        draft.slots[node.slot] = words
        draft.set_words.append(words)
        yes, maybe = self.pair(words)
        return within[0] & yes, within[1] & maybe

    def _words_by_answer(
        self,
        template: Template,
        node: Node,
        within: Pair,
        outers: Sequence[Pair],
        detours: Detours,
        draft: _Draft,
    ) -> Words | None:
        """Return words for the set that is counted or found empty, so that the answer is the one wanted."""
        wanted = draft.answer
        exactly = int(wanted) if template.asks == "count" else 0
        if (within[0] if wanted == "yes" else within[1]).bit_count() < max(exactly, wanted == "yes"):
            return None
        # Which words it has is drawn before them, so that answers differ as little as can be in that.
        without, only = template.without.get(node.slot, ()), template.only.get(node.slot)
        sets = self._sets(without, only, False)
        masks = list(sets)
        for _ in range(len(masks) if draft.joined else min(3, len(masks))):
            mask = masks.pop(self.chances.below(len(masks)))
            if wanted == "yes":
                words = self._words_of(some_bit(within[0], self.chances), mask)
                perhaps = self.pair(words)[1] if detours else 0
                if all(any(not perhaps & way[1] for way in ways) for ways in detours):
                    return words
                continue
            some = sets[mask]
            start = self.chances.below(len(some))
            key = within, without, only, mask
            sizes = self.sizes.get(key)
            if sizes is None:
                sizes = self.sizes[key] = [size_within(one, within) for one in some]
            if exactly not in sizes:
                continue
            for k in range(-start, len(some) - start):
                if sizes[k] == exactly and (
                    not self.asking.enforce or some[k].tells(exactly, within, outers, detours)
                ):
                    return some[k].words
        return None

    def _words_of(self, k: int, mask: Sequence[bool]) -> Words:
        """Return words that fit thing k, of size, color and shape those in a mask."""
        size, color, shapes = self.names[k]
        shape = shapes[1 + self.chances.below(len(shapes) - 1)] if mask[2] else ""
        return size[1] if mask[0] else "", color[1] if mask[1] else "", shape

    def _checked(self, template: Template, draft: _Draft) -> Candidate | None:
        """Return the candidate if it passes every check; what fails is counted by its reason."""
        if self._given_away(template, draft):
            self.tried["words give it away"] += 1
            return None
        plan, args = planned(template, draft.slots)
        try:
            values = evaluate(plan, args, self.run, [])
        except Stop as stop:
            self.tried["undecided" if stop.open else "no answer"] += 1
            return None
        answer = text_of(values[-1])
        allowed = self.asking.vocabulary.answers(template)
        ruled_out = self._ruled_out(template, draft)
        left = [a for a in allowed if a not in ruled_out] if ruled_out else allowed
        if answer not in left or len(left) < 2:
            self.tried["answer not asked for"] += 1
            return None
        if self.asking.enforce:
            if not all(is_needed(plan, args, self.run, values, k) for k in _doubtful(template, plan, answer)):
                self.tried["word not needed"] += 1
                return None
            if self.hard is not None and not self._stands(plan, args, answer):
                self.tried["jitter"] += 1
                return None
        self.tried["accepted"] += 1
        slots = tuple((name, draft.slots[name]) for name in sorted(draft.slots))
        named = tuple([values[k] for k in plan.singled])
        return Candidate(self.facts.scene, template.id, slots, answer, ruled_out, named, self.facts.n)

    def _stands(self, plan: Plan, args: Sequence[tuple[str, ...]], answer: str) -> bool:
        """Return whether the answer is the same, and decided, whatever the jitter test does."""
        assert self.hard is not None
        try:
            values = evaluate(plan, args, Run(self.hard), [])
        except Stop:
            return False
        return text_of(values[-1]) == answer

    def _ruled_out(self, template: Template, draft: _Draft) -> frozenset[str]:
        if template.asks not in ("size", "color", "shape") or not draft.unique_words:
            return frozenset()
        known, target, _ = draft.unique_words[-1]
        if target != draft.objects[-1]:
            known, target = ("", "", ""), draft.objects[-1]
        out: frozenset[str] = frozenset()
        for words, k, anywhere in draft.unique_words:
            if anywhere and k != target:
                out |= self.asking.vocabulary.ruled_out(template.asks, words, known)
        return out

    def _given_away(self, template: Template, draft: _Draft) -> bool:
        """Return whether the words alone give an answer: a set inside a single thing's description, or two
        alike.
        """
        covers = self.asking.vocabulary.covers
        if any(covers(words, some) for words, _, _ in draft.unique_words for some in draft.set_words):
            return True
        for a, b in template.apart:
            one, two = draft.slots[a], draft.slots[b]
            assert not isinstance(one, str) and not isinstance(two, str)
            if covers(one, two) or covers(two, one):
                return True
        return False
