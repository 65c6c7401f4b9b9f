"""Drafting question candidates of one scene: filling slots so that answers come out evenly, and checking
them.

Sets of things are bitmasks throughout, so that trying a description costs a few operations on integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import msgspec

from fathom.build.questions.asking import Asking, Candidate, Chances
from fathom.build.questions.templates import Node, Template, Words, steps_and_sources
from fathom.programs.degeneracy import droppable, is_needed, singling
from fathom.programs.engine import OTHERS, Plan, answer_text, evaluate, plan_of
from fathom.programs.facts import Facts, Pair, mask_of
from fathom.programs.operators import OPERATORS, Stop, Value


def _bits(mask: int) -> list[int]:
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def _some_bit(mask: int, chances: Chances) -> int:
    """Return one of the things in a mask that is not empty."""
    found = _bits(mask)
    return found[chances.below(len(found))]


def planned(template: Template, slots: Mapping[str, Words | str]) -> tuple[Plan, list[str]]:
    """Return the plan of a filled template, and the argument of every step."""
    masks = tuple((bool(w[0]), bool(w[1]), bool(w[2])) for w in (slots[d] for d in template.descriptions))
    plan, sources = _layout(template, masks)
    return plan, [slots[name][a] if a >= 0 else slots[name] if name else "" for name, a in sources]  # type: ignore[misc]


@lru_cache(maxsize=65536)
def _layout(
    template: Template, masks: tuple[tuple[bool, bool, bool], ...]
) -> tuple[Plan, tuple[tuple[str, int], ...]]:
    """Return the plan of a template whose descriptions have these words, and what fills each argument."""
    slots: dict[str, Words | str] = {
        name: (OPERATORS[op][0].args or ("",))[0] for name, op in template.relations.items()
    }
    for name, (size, color, shape) in zip(template.descriptions, masks, strict=True):
        slots[name] = ("x" if size else "", "x" if color else "", "x" if shape else "")
    steps, sources = steps_and_sources(template, slots)
    return plan_of(steps), sources


@lru_cache(maxsize=65536)
def shorter(words: Words) -> tuple[Words, ...]:
    """Return a description with each of its words left out in turn."""
    size, color, shape = words
    out: list[Words] = []
    if size:
        out.append(("", color, shape))
    if color:
        out.append((size, "", shape))
    if shape:
        out.append((size, color, ""))
    return tuple(out)


Offer = tuple[int, list[Words], list[Words]]
"""A thing that words can single out, with the words that a slot allows, and all of them."""

Detours = tuple[list[Pair], ...]
"""For each relation that may be ignored, the sets that are then come to instead of the right one."""


class _Draft(msgspec.Struct):
    """A question while its slots are being filled.

    `objects` are the things that it has named; `anchors` those that are kept when its sets are described
    anew; `wanted` is the answer that a comparison should have, `first` the value it compares with. `options`
    are all descriptions that single out the last thing, in the slot `option_slot`, and `outers` what is left
    when one of its relations is dropped. `rivals` are, for each thing that was described by a relation (by
    the node of its filter), what else its words fit when one of its relations is dropped.
    """

    slots: dict[str, Words | str] = {}
    objects: list[int] = []
    anchors: dict[Node, int] = {}
    unique_words: list[tuple[Words, int, bool]] = []
    set_words: list[Words] = []
    wanted: bool | None = None
    first: Value | None = None
    options: list[Words] = []
    option_slot: str = ""
    outers: tuple[Pair, ...] = ()
    rivals: dict[Node, tuple[int, ...]] = {}


INDEX = {"size": 0, "color": 1, "shape": 2}
ATTRIBUTES = tuple(INDEX)
_ASKED = {f"{op}_{name}": k for name, k in INDEX.items() for op in ("query", "equal")}
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
    return tuple(product(*(OPERATORS[op][0].args or ("",) for op in operators)))


def _yes_no(truth: bool) -> str:
    return "yes" if truth else "no"


COUNTING: dict[str, Callable[[int, int], str]] = {
    "count": lambda a, b: str((a | b).bit_count()),
    "greater_than": lambda a, b: _yes_no(a.bit_count() > b.bit_count()),
    "less_than": lambda a, b: _yes_no(a.bit_count() < b.bit_count()),
    "equal_integer": lambda a, b: _yes_no(a.bit_count() == b.bit_count()),
}
"""The answer of a template about two sets, from the two masks."""

LEFT_STAYS = {"greater_than": "yes", "less_than": "no"}
RIGHT_STAYS = {"greater_than": "no", "less_than": "yes"}
"""The answer that a larger first, or second, set cannot change."""


@dataclass(frozen=True)
class _Set:
    """A description, what it fits in the scene, and what it certainly fits with each word left out."""

    words: Words
    yes: int
    maybe: int
    shorter: tuple[int, ...]

    def grown(self, within: Pair, outers: Sequence[Pair], stays: bool) -> list[int]:
        """Return the set with each word and relation dropped, nothing where the answer cannot change by
        that.
        """
        if stays:
            return []
        return [rest & within[0] for rest in self.shorter] + [self.yes & outer[0] for outer in outers]

    def is_needed(self, inside: int, outers: Sequence[Pair]) -> bool:
        """Return whether several things fit as soon as one of the words, or a relation, is left out."""
        for outer in outers:
            left = self.yes & outer[0]
            if not left & (left - 1):
                return False
        for rest in self.shorter:
            left = rest & inside
            if not left & (left - 1):
                return False
        return True

    def tells(self, count: int, within: Pair, outers: Sequence[Pair], detours: Detours) -> bool:
        """Return whether, as far as this set goes, every word and every relation may be needed."""
        return (
            all((self.yes & outer[0]).bit_count() != count for outer in outers)
            and all((rest & within[0]).bit_count() != count for rest in self.shorter)
            and all(
                any(
                    not (self.yes & inside).bit_count() <= count <= (self.maybe & perhaps).bit_count()
                    for inside, perhaps in ways
                )
                for ways in detours
            )
        )


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

    def __init__(self, facts: Facts, hard: Facts | None, asking: Asking, chances: Chances) -> None:
        self.facts = facts
        self.hard = hard
        self.asking = asking
        self.chances = chances
        self.tried: Counter[str] = Counter()
        self.pairs: dict[Words, Pair] = {}
        self.names = [self._names_of(k) for k in range(facts.n)]
        self.sets: dict[
            tuple[tuple[str, ...], tuple[str, ...], bool], dict[tuple[bool, bool, bool], list[_Set]]
        ] = {}
        self.dead: set[int] = set()
        self.offers: dict[
            tuple[Pair, tuple[Pair, ...], tuple[str, ...], tuple[str, ...] | None, int],
            list[Offer],
        ] = {}
        self.near: dict[tuple[str, str, int], tuple[Pair, tuple[Pair]]] = {}
        self.fitting: dict[int, list[_Set]] = {}
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
        draft = _Draft()
        if template.compared is not None:
            draft.wanted = self.chances.below(2) == 0
        try:
            if template.sets == 2:
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

    def _fill_two(self, template: Template, draft: _Draft) -> bool:
        """Fill a template that counts two sets, together or against each other; return whether that
        worked.
        """
        sides: list[tuple[Node, Pair, tuple[Pair, ...], list[_Set]]] = []
        for node in template.set_nodes:
            source = node.reads[0]
            within: Pair = self.facts.scene_masks
            outers: tuple[Pair, ...] = ()
            if source.op != "scene":
                anchor = self._fill(template, source.reads[0], draft, source)
                if anchor is None:
                    return False
                within, outers = self._related([source], [anchor], [self._word(source, draft)])
            sets = self._sets(template.without.get(node.slot, ()), template.only.get(node.slot), True)
            sides.append((node, within, outers, [s for some in sets.values() for s in some]))
        (one, in_one, out_one, sets_one), (two, in_two, out_two, sets_two) = sides
        answers = self.asking.vocabulary.answers(template)
        wanted = answers[self.chances.below(len(answers))]
        counts = COUNTING[template.tree.op]
        unit, many_one, many_two = self.chances.unit, len(sets_one), len(sets_two)
        for _ in range(24):
            a, b = sets_one[int(unit() * many_one)], sets_two[int(unit() * many_two)]
            x, y = a.yes & in_one[0], b.yes & in_two[0]
            if x != a.maybe & in_one[1] or y != b.maybe & in_two[1] or counts(x, y) != wanted:
                continue
            if self.asking.enforce and not (
                all(
                    counts(m, y) != wanted
                    for m in a.grown(in_one, out_one, wanted == LEFT_STAYS.get(template.tree.op))
                )
                and all(
                    counts(x, m) != wanted
                    for m in b.grown(in_two, out_two, wanted == RIGHT_STAYS.get(template.tree.op))
                )
            ):
                continue
            draft.slots[one.slot], draft.slots[two.slot] = a.words, b.words
            draft.set_words += [a.words, b.words]
            return True
        return False

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
        value = OPERATORS[node.op][0].act(self.facts, inputs, word)
        if node.op == "unique":
            if node.reads[0].op != "filter":
                draft.options = []
            if value in draft.objects:
                return None
            draft.objects.append(value)
            draft.anchors[node] = value
        return value

    def _word(self, node: Node, draft: _Draft) -> str:
        words = OPERATORS[node.op][0].args or ()
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
        for words in self._relation_words(related):
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
        return tuple([self._near(related[0].op, words[0], k)[0] for k in _bits(some)] for some in rivals)

    def _near(self, op: str, word: str, anchor: int) -> tuple[Pair, tuple[Pair]]:
        """Return what stands in a relation to a thing, and what is left when the relation is dropped."""
        found = self.near.get((op, word, anchor))
        if found is None:
            inside = OPERATORS[op][0].act(self.facts, [anchor], word)
            found = self.near[op, word, anchor] = inside, (OTHERS.act(self.facts, [anchor], ""),)
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
            for k in _bits(inside):
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

    def _fitting(self, k: int) -> list[_Set]:
        """Return all descriptions that fit thing k."""
        found = self.fitting.get(k)
        if found is None:
            found = self.fitting[k] = [
                _Set(w, *self.pair(w), tuple(self.pair(rest)[0] for rest in shorter(w)))
                for w in product(*self.names[k])
            ]
        return found

    def _sets(
        self, without: Sequence[str], only: Sequence[str] | None, short: bool
    ) -> dict[tuple[bool, bool, bool], list[_Set]]:
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
                one = _Set(w, *self.pair(w), tuple(self.pair(r)[0] for r in shorter(w)))
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
        words = self._words_by_answer(template, node, within, outers, detours)
        if words is None:
            return None
        draft.slots[node.slot] = words
        draft.set_words.append(words)
        yes, maybe = self.pair(words)
        return within[0] & yes, within[1] & maybe

    def _words_by_answer(
        self, template: Template, node: Node, within: Pair, outers: Sequence[Pair], detours: Detours
    ) -> Words | None:
        """Return words for the set that is counted or found empty, with an answer drawn before them."""
        answers = self.asking.vocabulary.answers(template)
        wanted = answers[self.chances.below(len(answers))]
        exactly = int(wanted) if template.asks == "count" else 0
        if (within[0] if wanted == "yes" else within[1]).bit_count() < max(exactly, wanted == "yes"):
            return None
        # Which words it has is drawn before them, so that answers differ as little as can be in that.
        without, only = template.without.get(node.slot, ()), template.only.get(node.slot)
        sets = self._sets(without, only, False)
        masks = list(sets)
        for _ in range(min(3, len(masks))):
            mask = masks.pop(self.chances.below(len(masks)))
            if wanted == "yes":
                words = self._words_of(_some_bit(within[0], self.chances), mask)
                perhaps = self.pair(words)[1] if detours else 0
                if all(any(not perhaps & way[1] for way in ways) for ways in detours):
                    return words
                continue
            some = sets[mask]
            start = self.chances.below(len(some))
            for k in range(len(some)):
                one = some[k - start]
                yes = one.yes & within[0]
                if (
                    yes.bit_count() == exactly
                    and yes == one.maybe & within[1]
                    and (not self.asking.enforce or one.tells(exactly, within, outers, detours))
                ):
                    return one.words
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
            values = evaluate(plan, args, self.facts, [])
        except Stop as stop:
            self.tried["undecided" if stop.open else "no answer"] += 1
            return None
        answer = answer_text(values[-1], plan.kinds[-1])
        allowed = self.asking.vocabulary.answers(template)
        ruled_out = self._ruled_out(template, draft)
        left = [a for a in allowed if a not in ruled_out]
        if answer not in left or len(left) < 2:
            self.tried["answer not asked for"] += 1
            return None
        if self.asking.enforce:
            if not all(
                is_needed(plan, args, self.facts, values, k) for k in _doubtful(template, plan, answer)
            ):
                self.tried["word not needed"] += 1
                return None
            if self.hard is not None and not self._stands(plan, args, answer):
                self.tried["jitter"] += 1
                return None
        self.tried["accepted"] += 1
        slots = tuple((name, draft.slots[name]) for name in sorted(draft.slots))
        target = draft.objects[-1] if draft.objects else -1
        return Candidate(self.facts.scene, template.id, slots, answer, ruled_out, target, self.facts.n)

    def _stands(self, plan: Plan, args: Sequence[str], answer: str) -> bool:
        """Return whether the answer is the same, and decided, whatever the jitter test does."""
        assert self.hard is not None
        try:
            values = evaluate(plan, args, self.hard, [])
        except Stop:
            return False
        return answer_text(values[-1], plan.kinds[-1]) == answer

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
