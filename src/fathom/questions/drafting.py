"""Drafting question candidates of one scene: filling slots so that answers come out evenly.

Sets of objects are bitmasks throughout, so that trying a description costs a few operations on integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fathom.programs.registry import ProgramRun
from fathom.programs.values import Pair, Unanswerable, Value, ValueType
from fathom.programs.views.still import StillView, mask_of
from fathom.questions.aiming import Aims
from fathom.questions.asking import Asking, Chances, StillCandidate
from fathom.questions.checking import Checker
from fathom.questions.described import COMPARED, ROLES, Detours, Weight, bits, some_bit
from fathom.questions.drafts import ATTRIBUTES, DRAWN, INDEX, OPERATORS, Draft
from fathom.questions.notation import OperatorNode
from fathom.questions.places import Places, asked_of
from fathom.questions.scene_words import Offer, SceneWords
from fathom.questions.set_pairs import SetPairs, Side
from fathom.questions.templates import Limits, Template, Words

_Way = tuple[int, str, Pair, tuple[Pair]]
"""An object, a relation's word, what stands in that relation to it, and what is left when it is dropped."""

CROSSINGS = 120
"""How many pairs of relations are looked at for objects that stand in both."""


(UNIQUE,) = (o for o in OPERATORS["unique"] if o.gives is ValueType.OBJECT)


class CandidateSampler:
    """Where the candidates of one scene are drafted; it keeps what was found, or looked for in vain.

    What is drafted holds in the `hard` facts, where there are any: what the jitter test would take out is not
    drafted.
    """

    def __init__(self, facts: StillView, hard: StillView | None, asking: Asking, chances: Chances) -> None:
        self.facts = facts if hard is None else hard
        self.run = ProgramRun(self.facts)
        self.asking = asking
        self.chances = chances
        self.tried: Counter[str] = Counter()
        self.words = SceneWords(self.facts, chances, asking.enforce)
        self.places = Places(self.words)
        self.aims = Aims(self.places)
        self.both = SetPairs(self.words, asking, chances)
        self.checker = Checker(ProgramRun(facts), self.run, asking, self.tried)
        self.dead: set[int] = set()
        self.crossings: dict[tuple[str, bool], list[tuple[_Way, _Way]]] = {}
        self.open_crossings: dict[tuple[str, str], list[tuple[_Way, _Way]]] = {}
        self.links: dict[tuple[str, int], list[tuple[str, int]]] = {}
        self.asked: dict[OperatorNode, int] = {}
        self.due: dict[str, tuple[str, int]] = {}
        self.barren: set[tuple[str, str]] = set()
        self.spent: set[str] = set()
        self.hopeless: set[tuple[str, str]] = set()
        self.found: Counter[tuple[str, str]] = Counter()
        self.enough: dict[str, int] = {}

    def propose(self, kin: Sequence[Template]) -> list[StillCandidate]:
        """Return candidates of templates that ask about the same object, none where this try came to
        nothing.
        """
        template = kin[self.chances.below(len(kin))]
        draft = Draft(answer=self._answer_due(template))
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

    def _proposed(self, kin: Sequence[Template], template: Template, draft: Draft) -> list[StillCandidate]:
        try:
            if not self.aims.aim(template, draft):
                self.hopeless.add((template.id, draft.answer))
                return []
            if template.joint is not None and not self._cross(template, draft):
                return []
            if template.chain and not self._walk(template, draft):
                return []
            if template.sets == 2 and self.asking.enforce and template.tree.op in COMPARED:
                filled = self._weigh(template, draft)
            elif template.sets == 2:
                filled = self._fill_two(template, draft)
            else:
                filled = self._fill(template, template.tree, draft) is not None
        except Unanswerable:
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
                candidate = self.checker.checked(other, draft)
                if candidate is not None:
                    out.append(candidate)
        return out

    def _reworded(self, other: Template, draft: Draft) -> bool:
        """Describe the object asked about anew, for a question about another attribute of it; say if it
        worked.
        """
        if not draft.options:
            return True
        slot = draft.option_slot
        _, k, anywhere = draft.unique_words[-1]
        some = draft.options & self.words.allowed((other.without.get(slot, ()), None))
        fitting = self.words.said(self.words.telling(some, k, INDEX[other.asks], draft.outers))
        if not fitting:
            return False
        draft.slots[slot] = words = fitting[self.chances.below(len(fitting))]
        draft.unique_words[-1] = (words, k, anywhere)
        return True

    def _cross(self, template: Template, draft: Draft) -> bool:
        """Choose two anchors with a relation each such that something stands in both, and each is needed;
        return whether there are any.
        """
        node = template.joint
        assert node is not None
        asked, limits = asked_of(template, node), template.limits[node.slot]
        count = int(draft.answer) if asked < 0 else 1
        key = template.id, draft.answer
        found = self.open_crossings.get(key)
        if found is None:
            found = self.open_crossings[key] = [
                both
                for both in self._crossings(node.related[0].op, met=count > 0)
                if count < 2 or (both[0][2][0] & both[1][2][0]).bit_count() >= count
            ]
        for _ in range(min(CROSSINGS, len(found))):
            at = self.chances.below(len(found))
            (i, one, (y0, m0), ((o0, p0),)), (j, two, (y1, m1), ((o1, p1),)) = found[at]
            outers = (o0 & y1, p0 & m1), (o1 & y0, p1 & m0)
            within = y0 & y1, m0 & m1
            if (
                self.words.offers(limits, within, outers, asked)
                if asked >= 0
                else count in self.places.numbers(limits, within, outers)
            ):
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

    def _crossings(self, op: str, met: bool) -> list[tuple[_Way, _Way]]:
        """Return the pairs of anchors, each with a relation word, such that something stands in each of the
        relations alone, and where they are to be `met`, in both.
        """
        found = self.crossings.get((op, met))
        if found is not None:
            return found
        found = self.crossings[op, met] = []
        ways = [
            (k, w, *self.words.near(op, w, k))
            for k in self.words.nameable
            for w in OPERATORS[op][0].words or ()
        ]
        for at, one in enumerate(ways):
            i, _, (y0, _), ((o0, _),) = one
            if not y0 or (met and not y0 & (y0 - 1)):
                continue
            for two in ways[at + 1 :]:
                j, _, (y1, _), ((o1, _),) = two
                inside = y0 & y1
                if (
                    i != j
                    and o0 & y1 != inside != o1 & y0
                    and (inside != 0 and inside != y0 if met else True)
                ):
                    found.append((one, two))
        return found

    def _walk(self, template: Template, draft: Draft) -> bool:
        """Choose a chain of objects of which words can single out each by its relation to the one before;
        return whether there is any.
        """
        nodes = template.chain
        op, ends = nodes[-1].related[0].op, draft.among.get(nodes[-1], -1)
        starts = list(self.words.nameable)
        while starts:
            start = starts.pop(self.chances.below(len(starts)))
            if found := self._path(op, nodes[1], [("", start)], len(nodes), template, ends):
                draft.path = dict(zip(nodes, found, strict=True))
                return True
        self.hopeless.add((template.id, draft.answer))
        return False

    def _path(
        self,
        op: str,
        node: OperatorNode,
        path: list[tuple[str, int]],
        length: int,
        template: Template,
        ends: int,
    ) -> list[tuple[str, int]]:
        """Return a path of so many objects that goes on from `path` to one of the `ends`, nothing where there
        is none.
        """
        if len(path) == length:
            return path
        ways = list(self._links(op, path[-1][1], node, template))
        if len(path) == length - 1:
            ways = [w for w in ways if ends >> w[1] & 1]
        while ways:
            way = ways.pop(self.chances.below(len(ways)))
            if all(way[1] != k for _, k in path) and (
                found := self._path(op, node, [*path, way], length, template, ends)
            ):
                return found
        return []

    def _links(self, op: str, k: int, node: OperatorNode, template: Template) -> list[tuple[str, int]]:
        """Return the relation words and objects such that the object can be singled out by its relation to
        object k.
        """
        found = self.links.get((op, k))
        if found is None:
            found = self.links[op, k] = [
                (word, other)
                for word in OPERATORS[op][0].words or ()
                for other, *_ in self.words.offers(
                    template.limits[node.slot], *self.words.near(op, word, k), -1
                )
                if other != k
            ]
        return found

    def _fill_two(self, template: Template, draft: Draft) -> bool:
        """Fill a template that counts two sets, together or against each other; return whether that
        worked.
        """
        sides: list[Side] = []
        for node in template.set_nodes:
            source = node.reads[0]
            within: Pair = self.facts.scene_masks
            outers: tuple[Pair, ...] = ()
            if source.op != "scene":
                anchor = self._fill(template, source.reads[0], draft)
                if anchor is None:
                    return False
                within, outers = self.words.related([source], [anchor], [self._word(source, draft)])
            sides.append((node, within, outers))
        find = self.both.together if template.tree.op == "count" else self.both.against
        found = find(template, sides, draft)
        if found is None:
            if not template.relations and template.tree.op == "count":
                # All was looked at: nothing else could be found another time.
                self.hopeless.add((template.id, draft.answer))
            return False
        draft.slots[sides[0][0].slot], draft.slots[sides[1][0].slot] = found
        draft.set_words += found
        return True

    def _weigh(self, template: Template, draft: Draft) -> bool:
        """Fill a template that compares two counts, each word of it needed; return whether that worked."""
        one, two = template.set_nodes
        answer = draft.answer
        roles = ROLES[template.tree.op, answer]
        ones = self.both.weights(template, one, roles[0])
        self.both.weights(template, two, roles[1])
        start = self.chances.below(max(len(ones), 1))
        for k in range(len(ones)):
            at = (k - start) % len(ones)
            for second in self.both.matching(template, answer, at):
                if self._put(one, ones[at], draft) and self._put(two, second, draft):
                    return True
                draft.reset()
        self.hopeless.add((template.id, answer))
        return False

    def _put(self, node: OperatorNode, weight: Weight, draft: Draft) -> bool:
        """Write a set, and what it stands in relation to, into a draft; return whether the words of one
        object do not tell how many the set has.
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

    def _name(self, one: OperatorNode, k: int, draft: Draft) -> None:
        """Describe object k, which words can single out, in the filter below a `unique`."""
        fitting = self.words.nameable[k]
        draft.slots[one.reads[0].slot] = words = fitting[self.chances.below(len(fitting))]
        draft.unique_words.append((words, k, True))
        draft.objects.append(k)
        draft.anchors[one] = k

    def _fill(self, template: Template, node: OperatorNode, draft: Draft) -> Value | None:
        """Fill the slots below a node and return the node's value, None where nothing suits."""
        if node.op == "scene":
            return self.facts.scene_masks
        if node.op == "unique":
            return self._single_out(template, node, draft)
        if node.op == "filter":
            return self._describe(template, node, draft, False)
        inputs: list[Value] = []
        for child in node.reads:
            value = self._fill(template, child, draft)
            if value is None:
                return None
            inputs.append(value)
            if node is template.tree and template.compared is not None and len(inputs) == 1:
                draft.first = value
                if not self.aims.aim_second(template, draft):
                    return None
        word = self._word(node, draft) if node.slot else ""
        return OPERATORS[node.op][0].act(self.run, inputs, (word,))

    def _single_out(self, template: Template, node: OperatorNode, draft: Draft) -> int | None:
        """Fill the slots below a `unique` and return the object that it singles out, None where nothing
        suits.
        """
        if node in draft.anchors:
            return draft.anchors[node]
        source = node.reads[0]
        if source.op != "filter":
            value = self._fill(template, source, draft)
        elif source.reads[0].op == "scene":
            value = self._describe_one(template, source, self.facts.scene_masks, (), draft)
        else:
            value = self._describe(template, source, draft, True)
        if value is None:
            return None
        k: int = UNIQUE.act(self.run, (value,), ())
        if source.op != "filter":
            draft.options = 0
        if k in draft.objects:
            return None
        draft.objects.append(k)
        draft.anchors[node] = k
        return k

    def _word(self, node: OperatorNode, draft: Draft) -> str:
        words = OPERATORS[node.op][0].words or ()
        draft.slots[node.slot] = word = words[self.chances.below(len(words))]
        return word

    def _describe(self, template: Template, node: OperatorNode, draft: Draft, one: bool) -> Pair | None:
        """Choose the words of a filter that is to keep one object, or several, and with them those of the
        relations that it reads.
        """
        source, related = node.reads[0], node.related
        if not related:
            within = self._fill(template, source, draft)
            if within is None:
                return None
            outers: tuple[Pair, ...] = () if source.op == "scene" else (self.facts.scene_masks,)
            return self._described(template, node, within, outers, draft, (), one)
        anchors = []
        for branch in related:
            anchor = self._fill(template, branch.reads[0], draft)
            if anchor is None:
                return None
            anchors.append(anchor)
        if len(related) == 1:
            return self._describe_beside(template, node, anchors[0], draft, one)
        for branch, word in zip(related, draft.joined, strict=True):
            if branch.slot:
                draft.slots[branch.slot] = word
        within, outers = self.words.related(related, anchors, draft.joined)
        return self._described(template, node, within, outers, draft, (), one)

    def _describe_beside(
        self, template: Template, node: OperatorNode, anchor: int, draft: Draft, one: bool
    ) -> Pair | None:
        """Choose the words of a filter and of the one relation that it reads, to an object that is known."""
        (branch,), words, near = node.related, self.words, self.words.near
        rivals = draft.rivals.get(branch.reads[0].reads[0], ())
        for word in draft.path[node][:1] if node in draft.path else self._relation_words(branch):
            if branch.slot:
                draft.slots[branch.slot] = word
            within, outers = words.near(branch.op, word, anchor)
            if within[0] or not one:
                # Where a chain leads when the relation before is ignored, and a rival is taken for the object
                # that it singled out.
                detours = tuple([[near(branch.op, word, k)[0] for k in bits(some)] for some in rivals])
                found = self._described(template, node, within, outers, draft, detours, one)
                if found is not None:
                    return found
        return None

    def _described(
        self,
        template: Template,
        node: OperatorNode,
        within: Pair,
        outers: tuple[Pair, ...],
        draft: Draft,
        detours: Detours,
        one: bool,
    ) -> Pair | None:
        """Choose the words of a filter within a set, of one object or of several."""
        describe = self._describe_one if one else self._describe_some
        return describe(template, node, within, outers, draft, detours)

    def _relation_words(self, branch: OperatorNode) -> Iterator[str]:
        """Yield the words that a relation may have, in random order, not all of them if many."""
        words = list(OPERATORS[branch.op][0].words or ("",))
        unit = self.chances.unit
        for left in range(len(words), max(len(words) - 6, 0), -1):
            k = int(unit() * left)
            yield words[k]
            words[k] = words[left - 1]

    def _describe_one(
        self,
        template: Template,
        node: OperatorNode,
        within: Pair,
        outers: tuple[Pair, ...],
        draft: Draft,
        detours: Detours = (),
    ) -> Pair | None:
        """Choose an object in a set and words that fit it alone there, none of them needless."""
        asked = self._asked(template, node)
        offers = self._offered(template, node, within, outers, draft, asked)
        if not offers:
            return None
        unit, named, dead = self.chances.unit, draft.objects, self.dead
        if node in draft.among:
            mask = draft.among[node]
            offers = [o for o in offers if mask >> o[0] & 1]
        start = int(unit() * len(offers))
        for at in range(len(offers)):
            k, some, options = offers[at - start]
            if k in named or (not named and k in dead):
                continue
            fitting = self.words.said(some)
            if detours and asked >= 0:
                fitting = [w for w in fitting if self._turns(w, k, asked, detours)]
                if not fitting:
                    continue
            elif detours:
                # The others may be needed too, but most are not.
                fitting = [w for w in fitting if self._is_cut_off(w, detours)] or fitting
            draft.options, draft.option_slot, draft.outers = options, node.slot, outers
            words = fitting[int(unit() * len(fitting))]
            draft.slots[node.slot] = words
            if outers:
                fits = self.words.pair(words)[0]
                draft.rivals[node] = tuple([fits & outer[0] & ~(1 << k) for outer in outers])
            draft.unique_words.append((words, k, node.reads[0].op == "scene"))
            return 1 << k, 1 << k
        return None

    def _offered(
        self,
        template: Template,
        node: OperatorNode,
        within: Pair,
        outers: tuple[Pair, ...],
        draft: Draft,
        asked: int,
    ) -> list[Offer]:
        """Return the objects of a set that a draft may choose, with the words that fit each alone."""
        offers = self.words.offers(template.limits[node.slot], within, outers, asked)
        if node is template.compared and draft.wanted is not None:
            offers = self._comparable(offers, asked, outers, draft)
        if node in draft.path:
            end = draft.path[node][1]
            offers = [o for o in offers if o[0] == end]
        return offers

    def _asked(self, template: Template, node: OperatorNode) -> int:
        """Return which attribute of the object that a node describes is asked for, −1 for none."""
        found = self.asked.get(node)
        if found is None:
            found = self.asked[node] = asked_of(template, node)
        return found

    def _comparable(
        self, offers: Sequence[Offer], asked: int, outers: tuple[Pair, ...], draft: Draft
    ) -> list[Offer]:
        """Return what makes a comparison come out as wanted, and otherwise where a relation is ignored."""
        values = self.facts.values[ATTRIBUTES[asked]]
        kept = [o for o in offers if (values[o[0]] == draft.first) is draft.wanted]
        if draft.wanted or not self.asking.enforce:
            return kept
        for rivals in [r for some in draft.rivals.values() for r in some]:
            kept = [o for o in kept if rivals & ~self.words.unlike[o[0]][asked]]
        alike = mask_of(v == draft.first for v in values)
        for outer in outers:
            fits = self.words.table.fit_any(alike & outer[0])
            kept = [(k, some & fits, options) for k, some, options in kept if some & fits]
        return kept

    def _is_cut_off(self, words: Words, detours: Detours) -> bool:
        """Return whether of every relation's detours one certainly ends at nothing that the words fit."""
        maybe = self.words.pair(words)[1]
        return all(any(not maybe & perhaps for _, perhaps in ways) for ways in detours)

    def _turns(self, words: Words, k: int, asked: int, detours: Detours) -> bool:
        """Return whether of every relation's detours one certainly ends at nothing, or at another value than
        that of object k.
        """
        yes, maybe = self.words.pair(words)
        for ways in detours:
            for inside, perhaps in ways:
                sure, all_ = yes & inside, maybe & perhaps
                if not all_ or (sure & self.words.unlike[k][asked] and (sure & (sure - 1) or sure == all_)):
                    break
            else:
                return False
        return True

    def _describe_some(
        self,
        template: Template,
        node: OperatorNode,
        within: Pair,
        outers: Sequence[Pair],
        draft: Draft,
        detours: Detours = (),
    ) -> Pair | None:
        """Choose words for a set: for one that is counted or found empty so that answers come out evenly, for
        one that another operator reads so that there is something in it.
        """
        if template.asks in DRAWN:
            words = self._words_by_answer(template, node, within, outers, detours, draft)
        else:
            words = self._words_of_some(template, node, within)
        if words is None:
            return None
        draft.slots[node.slot] = words
        draft.set_words.append(words)
        yes, maybe = self.words.pair(words)
        return within[0] & yes, within[1] & maybe

    def _words_of_some(self, template: Template, node: OperatorNode, within: Pair) -> Words | None:
        """Return words that fit an object of a set, None where the set is empty."""
        if not within[0]:
            return None
        masks = list(self.words.sets(template.limits[node.slot], False))
        mask = masks[self.chances.below(len(masks))]
        return self.words.words_of(some_bit(within[0], self.chances), mask)

    def _words_by_answer(
        self,
        template: Template,
        node: OperatorNode,
        within: Pair,
        outers: Sequence[Pair],
        detours: Detours,
        draft: Draft,
    ) -> Words | None:
        """Return words for the set that is counted or found empty, so that the answer is the one wanted."""
        limits = template.limits[node.slot]
        if draft.answer == "yes":
            return self._words_of_any(limits, within, detours)
        exactly = int(draft.answer) if template.asks == "count" else 0
        # Which words it has is drawn before them, so that answers differ as little as can be in that.
        masks = self.places.counted(limits, within, tuple(outers), exactly)
        while masks:
            some = masks.pop(self.chances.below(len(masks)))
            start = self.chances.below(len(some))
            for k in range(-start, len(some) - start):
                if not self.asking.enforce or some[k].turns(exactly, detours):
                    return some[k].words
        return None

    def _words_of_any(self, limits: Limits, within: Pair, detours: Detours) -> Words | None:
        """Return words that fit an object of a set and, where a relation before is ignored, may fit none."""
        if not within[0]:
            return None
        masks = list(self.words.sets(limits, False))
        for _ in range(min(3, len(masks))):
            mask = masks.pop(self.chances.below(len(masks)))
            words = self.words.words_of(some_bit(within[0], self.chances), mask)
            perhaps = self.words.pair(words)[1] if detours else 0
            if all(any(not perhaps & way[1] for way in ways) for ways in detours):
                return words
        return None
