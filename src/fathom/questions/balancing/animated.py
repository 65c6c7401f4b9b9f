"""Which candidates become questions: answers are drawn first, then films that have them.

The mix is kept: each task its share, no form more than its own, and at least as many questions as wanted that
need several views and several times.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from fathom.questions.animated_candidate import (
    AnimatedCandidate,
    AnimatedQuestionRecipe,
    AnimatedSelected,
)
from fathom.questions.balancing.answer_strata import (
    FIXED_KEYS,
    AnswerStrata,
    answers_of,
)
from fathom.questions.balancing.false_choices import CHOICES, FIXED, draw, windows
from fathom.questions.balancing.film_topics import is_grown, is_lined, is_painted
from fathom.questions.balancing.sampler import QuestionSampler, Strata, strata_of
from fathom.questions.candidate import Cell, SceneCandidates, Selected, Selection, Stratum
from fathom.questions.repeating.animated import VERBAL, FactsCheck
from fathom.store.seeds import rng

TRAITS = ("both", "several_views", "several_times")
"""What a question may need: shares of the questions are wanted that do."""

SHARES_THEN = (0.2, 0.35)
"""The largest shares that a form may have of its task where the other forms have no more to offer."""

ALWAYS_FREE = 1
"""How many times an answer may be right in a form without ever having been offered where it is false."""

MOST_DEEDS = 2
"""How often the same action may be the answer in one film."""

MOST_PAINTED = 2
"""How many questions of one film may be about paint: most are to be about the object itself."""

MOST_LINED = 1
"""How many questions of one film may be about the line along which a limb moves, or which keeps still."""

MOST_GROWN = 4
"""How many questions of one film may be about what grows on the actor, and comes or goes."""

NEXT_FREE, NEXT_SHARE = 2, 0.15
"""How often, and for which share of the questions, one action may be what comes next."""

REHEARSALS = 4
"""How many times everything is also chosen otherwise, to learn how often each text is right on average."""

MOST_GIVEN_UP = 0.1
"""Which share of the questions may be given up so that enough of them need several views and times."""

TOO_EASY = "more of it would need one view and one time alone, and too many questions do already"
NO_MORE = (
    "its scenes already have as many questions as one scene may have, or its answers would be too uneven"
)


def select(
    offered: Sequence[SceneCandidates[AnimatedCandidate]], recipe: AnimatedQuestionRecipe
) -> Selection[AnimatedSelected]:
    """Return what is asked, film by film. A pure function of what is offered, in order, and the recipe."""
    chosen = _sampled(offered, recipe)
    rehearsed = [
        _sampled(offered, replace(recipe, seed=f"{recipe.seed} rehearsal {k}")).chosen
        for k in range(REHEARSALS)
    ]
    choices = draw(chosen.chosen, chosen.firsts, recipe.seed, rehearsed)
    asked: dict[str, list[AnimatedSelected]] = {one.scene: [] for one in offered}
    for c, options in zip(chosen.chosen, choices, strict=True):
        asked[c.scene].append(Selected(c, options))
    for scene, found in asked.items():
        order = rng(recipe.seed, "order", scene).permutation(len(found))
        chosen.selection.selected += [found[int(k)] for k in order]
    chosen.selection.tried = sum((one.tried for one in offered), Counter())
    return chosen.selection


def _sampled(
    offered: Sequence[SceneCandidates[AnimatedCandidate]], recipe: AnimatedQuestionRecipe
) -> AnimatedSampler:
    sampler = AnimatedSampler(recipe)
    candidates = [c for one in offered for c in one.candidates]
    sampler.take_against_knowledge(candidates)
    sampler.sample(candidates, recipe.mix.wanted([""] * len(offered)), sampler.fill)
    sampler.give_up()
    return sampler


class AnimatedSampler(QuestionSampler[AnimatedCandidate, AnimatedSelected]):
    """The questions on films while they are selected. Their choices are drawn when all are known.

    Tasks share the facts of a film, so that all are filled quarter by quarter: what is missing in the end is
    missing of all.
    """

    PARTS = (0.25, 0.5, 0.75, 1.0)

    def __init__(self, recipe: AnimatedQuestionRecipe) -> None:
        super().__init__(recipe.mix, FactsCheck())
        self.recipe = recipe
        self.chosen: list[AnimatedCandidate] = []
        self.firsts: list[int] = []
        self.before: Counter[tuple[Cell, Stratum]] = Counter()
        self.deeds: Counter[tuple[str, str]] = Counter()
        self.painted: Counter[str] = Counter()
        self.grown: Counter[str] = Counter()
        self.lined: Counter[str] = Counter()
        self.nexts: Counter[str] = Counter()
        self.numbers: Counter[tuple[int, int]] = Counter()
        self.right: Counter[tuple[str, str]] = Counter()
        self.could_be_false: Counter[tuple[str, str]] = Counter()
        self.has: Counter[str] = Counter()
        self.beyond = 0
        self.answers: dict[Cell, dict[Stratum, AnswerStrata]] = {}
        self.asked: dict[Cell, Counter[Stratum]] = {}

    def take_against_knowledge(self, candidates: Sequence[AnimatedCandidate]) -> None:
        """Choose one question of each film to which world knowledge has the wrong answer: there are few."""
        found: dict[str, list[AnimatedCandidate]] = defaultdict(list)
        for strata in strata_of(candidates).values():
            # Numbers are drawn in rows of four.
            for c in (c for cs in strata.values() for c in cs if c.prior and c.template.asks != "numbers"):
                found[c.scene].append(c)
        for scene, own in found.items():
            g = rng(self.recipe.seed, "against knowledge", scene)
            c = own[int(g.integers(len(own)))]
            if self.has_room(c):
                self._add(c, 0)
                self.before[c.cell, c.stratum] += 1

    def plenty(self, cell: Cell, strata: Strata[AnimatedCandidate], wanted: Mapping[Cell, int]) -> float:
        """Return in how many films a task's forms have something to ask that is its own, for its share of the
        questions: no fact that another task's ask for as well, and of what grows on an object alone nothing,
        since all tasks share the few questions about it. Of numbers, as much as lets all four in a row be as
        often right.
        """
        others = {
            (c.scene, fact)
            for other, named in strata.items()
            if other != cell
            for own in named.values()
            for c in own
            for fact in c.asks
        }
        count = 0
        for named in strata.get(cell, {}).values():
            found: dict[str, set[tuple[str, str]]] = defaultdict(set)
            for c in named:
                shared = any((c.scene, fact) in others for fact in c.asks)
                if not shared and not (self.recipe.only_shown and is_grown(c)):
                    found[c.answer.key if c.template.asks == "numbers" else ""].add((c.form, c.scene))
            if named[0].template.asks == "numbers":
                rows = windows({int(n): len(some) for n, some in found.items()}, named[0].template.least)
                count += CHOICES * sum(rows.values())
            else:
                count += len(found[""])
        return count / max(self.recipe.mix.shares[cell[0]], 1e-9)

    def fill(
        self, cell: Cell, strata: Mapping[Stratum, Sequence[AnimatedCandidate]], wanted: int
    ) -> tuple[int, str]:
        """Choose up to `wanted` questions of a task, and return how many there are."""
        g = rng(self.recipe.seed, "select", cell[0], wanted)
        if cell not in self.answers:
            self.answers[cell] = {name: answers_of(strata[name], g) for name in sorted(strata)}
            self.asked[cell] = Counter({name: self.before[cell, name] for name in strata})
        answers, asked = self.answers[cell], self.asked[cell]
        for share in (self.recipe.mix.form_share, *SHARES_THEN):
            self._fill_up(answers, asked, wanted, max(1, round(share * wanted)), g)
        return sum(asked.values()), NO_MORE

    def _fill_up(
        self,
        strata: Mapping[Stratum, AnswerStrata],
        asked: Counter[Stratum],
        wanted: int,
        most: int,
        g: np.random.Generator,
    ) -> None:
        """Choose questions of a task up to what is wanted, of no form more than `most`."""
        while sum(asked.values()) < wanted:
            live = [n for n, s in strata.items() if asked[n] < most * len(s.templates) and s.is_open]
            if not live:
                break
            for trait in self._short_of:
                some = [n for n in live if strata[n].has(trait, self.room)]
                if some:
                    live = some
                    break
            weights = np.array([strata[n].weight / (1 + asked[n]) ** 0.5 for n in live])
            name = live[int(g.choice(len(live), p=weights / weights.sum()))]
            asked[name] += self._take(strata[name], max(1, round(SHARES_THEN[-1] * wanted)), g)

    def _take(self, strata: AnswerStrata, most: int, g: np.random.Generator) -> int:
        """Choose one candidate with an answer drawn before it, of no form more than `most`; return how many
        were found.
        """
        strata.left = {key: [c for c in cs if self.has_room(c)] for key, cs in strata.left.items()}
        forms = Counter(c.form for c in self.chosen)
        found = {key: [c for c in cs if forms[c.form] < most] for key, cs in strata.left.items()}
        short, first, options = self._short_of, 0, strata.asks
        if options == "numbers":
            answer, first = strata.number(g, self.numbers)
            row = {str(n) for n in range(first, first + CHOICES)}
            found = {answer: [c for c in found.get(answer, []) if row <= _keys(c)]}
        else:
            found = {key: [c for c in cs if self._eligible(c)] for key, cs in found.items()}
            if options in FIXED_KEYS:
                answer = strata.key(g)
            else:
                keys = sorted(key for key, cs in found.items() if cs)
                keys = _with(short, keys, found)
                answer = keys[int(g.integers(len(keys)))] if keys else ""
        candidates = found.get(answer, [])
        if not candidates:
            strata.miss(answer, first, self.numbers)
            return 0
        strata.drawn[answer] += 1
        # The emptier its film still is, the likelier a candidate.
        c = min(candidates, key=lambda c: (_rank(c, short), forms[c.form], -self.room.of_scene(c.scene)))
        strata.left[answer].remove(c)
        self._add(c, first)
        return 1

    def _add(self, c: AnimatedCandidate, first: int) -> None:
        template = c.template
        self.chosen.append(c)
        self.firsts.append(first)
        if first:
            self.numbers[first, int(c.answer.key)] += 1
        self.room.count(c)
        self.repeats.add(c)
        self.deeds[c.scene, c.answer.key] += template.asks in VERBAL
        self.painted[c.scene] += is_painted(c)
        self.grown[c.scene] += is_grown(c)
        self.lined[c.scene] += is_lined(c)
        if template.id in self.recipe.language.next_forms:
            self.nexts[c.answer.key] += 1
        self.right[template.id, c.answer.text] += 1
        self.could_be_false.update((template.id, o.text) for o in c.pool)
        self.has.update(trait for trait in TRAITS if getattr(c, trait))
        self.beyond += not c.shown

    def give_up(self) -> None:
        """Give up what one view and one time tell where too few questions need several: the last ones of the
        forms that have most of it. Where a tenth of all is not enough nothing is given up.
        """
        kept, mix = list(zip(self.chosen, self.firsts, strict=True)), self.recipe.mix
        wanted = tuple(zip(TRAITS, (mix.both, mix.views, mix.times), strict=True))
        gone: Counter[Cell] = Counter()
        while any(self.has[trait] < share * len(kept) for trait, share in wanted):
            easy = Counter(c.form for c, _ in kept if not c.worth and not c.prior)
            if not easy or gone.total() >= MOST_GIVEN_UP * len(self.chosen):
                return
            form = max(sorted(easy), key=lambda name: easy[name])
            last = max(k for k, (c, _) in enumerate(kept) if c.form == form and not c.worth and not c.prior)
            gone[kept.pop(last)[0].cell] += 1
        self.chosen, self.firsts = [c for c, _ in kept], [first for _, first in kept]
        for cell, count in gone.items():
            self.selection.short[cell] += count
            self.selection.reasons[cell] = TOO_EASY

    def _eligible(self, candidate: AnimatedCandidate) -> bool:
        """Return whether neither its answer nor what it takes to see it has been asked for too often."""
        beyond = self.beyond >= self.recipe.mix.beyond * (len(self.chosen) + 1)
        return (
            (candidate.shown or not beyond) and self._can_be_false(candidate) and self._can_be_next(candidate)
        )

    def _can_be_next(self, candidate: AnimatedCandidate) -> bool:
        """Return whether an action is not yet what comes next too often: many a film ends in a fall."""
        if candidate.form not in self.recipe.language.next_forms:
            return True
        most = NEXT_FREE + NEXT_SHARE * sum(self.nexts.values())
        return self.nexts[candidate.answer.key] < most

    def _can_be_false(self, candidate: AnimatedCandidate) -> bool:
        """Return whether a form's other questions have enough room for an answer among their false choices:
        what is right whenever it is offered needs no film.
        """
        text = (candidate.form, candidate.answer.text)
        room = self.could_be_false[text] / (CHOICES - 1)
        return candidate.template.asks in FIXED or self.right[text] < ALWAYS_FREE + room

    @property
    def _short_of(self) -> tuple[str, ...]:
        """The traits of which fewer questions than wanted have been chosen."""
        mix = self.recipe.mix
        wanted = dict(zip(TRAITS, (mix.both, mix.views, mix.times), strict=True))
        return tuple(t for t, share in wanted.items()
                     if share and self.has[t] < (share + mix.over) * (len(self.chosen) + 1))  # fmt: skip

    def has_room(self, candidate: AnimatedCandidate) -> bool:
        """Return whether a film may be asked one more question like this."""
        if is_painted(candidate) and self.painted[candidate.scene] >= MOST_PAINTED:
            return False
        if is_lined(candidate) and self.lined[candidate.scene] >= MOST_LINED:
            return False
        if self.recipe.only_shown and is_grown(candidate) and self.grown[candidate.scene] >= MOST_GROWN:
            return False
        return self.deeds[candidate.scene, candidate.answer.key] < MOST_DEEDS and super().has_room(candidate)


def _with(
    traits: Sequence[str], keys: list[str], found: Mapping[str, Sequence[AnimatedCandidate]]
) -> list[str]:
    """Return the answers with a candidate that has the first of some traits that any has; all without one."""
    for trait in traits:
        some = [key for key in keys if any(getattr(c, trait) for c in found[key])]
        if some:
            return some
    return keys


def _rank(candidate: AnimatedCandidate, traits: Sequence[str]) -> tuple[int, int]:
    """Return how late a candidate comes where questions with some traits are wanted: whoever has the first of
    them comes first, then who takes most.
    """
    place = next((k for k, trait in enumerate(traits) if getattr(candidate, trait)), len(traits))
    return place, -candidate.worth if traits else 0


def _keys(candidate: AnimatedCandidate) -> set[str]:
    return {candidate.answer.key, *(o.key for o in candidate.pool)}
