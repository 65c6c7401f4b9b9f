"""Which candidates become questions: answers are drawn first, then films that have them.

The mix is kept: each task its share, no form more than its own, and at least as many questions as wanted that
need several views and several times.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fathom.questions.distractors.drawing import CHOICES, FIXED, draw, windows
from fathom.questions.repeating.animated import VERBAL
from fathom.questions.sampling.animated_candidates import (
    AnimatedCandidate,
    AnimatedQuestionRecipe,
    Picked,
    SceneCandidates,
    Told,
)
from fathom.questions.templates import Template
from fathom.store.seeds import rng

OVER = 0.08
"""By how much more than wanted is aimed for, of questions that need several views and times."""

SHARES_THEN = (0.2, 0.35)
"""The largest shares that a form may have of its task where the other forms have no more to offer."""

ALWAYS_FREE = 1
"""How many times an answer may be right in a form without ever having been offered where it is false."""

MOST_DEEDS = 2
"""How often the same action may be the answer in one film."""

NEXT_FREE, NEXT_SHARE = 2, 0.15
"""How often, and for which share of the questions, one action may be what comes next."""

LEVEL = 0.5
"""How much less likely a number is drawn for each time that it was the answer more often than others."""

REHEARSALS = 4
"""How many times everything is also chosen otherwise, to learn how often each text is right on average."""

MOST_MISSES = 6
"""After how many answers drawn in vain no more of a form is asked."""


@dataclass
class AnimatedSelection:
    """What is asked of each film, and how many questions of each task could not be had."""

    picked: dict[str, list[Picked]]
    short: Counter[str] = field(default_factory=Counter)


@dataclass
class _AnswerStrata:
    """The candidates of one form that are left, by answer, and the rows of numbers that are still drawn from:
    the first number → how many questions more.
    """

    form: Template
    left: dict[str, list[AnimatedCandidate]]
    rows: dict[int, int]
    misses: int = 0

    @property
    def is_open(self) -> bool:
        """Whether something may still be had."""
        full = self.form.asks != "numbers" or any(self.rows.values())
        return full and self.misses < MOST_MISSES and any(self.left.values())

    def has_both(self, room: Mapping[str, int]) -> bool:
        """Return whether a candidate is left that needs several views and several times."""
        return any(c.both and room[c.scene] > 0 for found in self.left.values() for c in found)

    def number(self, g: np.random.Generator, asked: Counter[tuple[int, int]]) -> tuple[str, int]:
        """Return a number to be asked for, and the first of its choices.

        `asked` has how often each was the answer among the choices from a first one on. Rows of rare numbers
        and numbers that are rare in their row are drawn more often, so that neither tells anything.
        """
        firsts = sorted(f for f, room in self.rows.items() if room)
        so_far = Counter({n: 0 for f in firsts for n in range(f, f + CHOICES)})
        for (_, n), count in asked.items():
            so_far[n] += count
        rooms = np.array([self.rows[f] / (1 + so_far[f] + so_far[f + CHOICES - 1]) for f in firsts])
        first = firsts[int(g.choice(len(firsts), p=rooms / rooms.sum()))]
        self.rows[first] -= 1
        row = np.array([asked[first, n] for n in range(first, first + CHOICES)], dtype=float)
        chances = LEVEL ** (row - row.min())
        return str(first + int(g.choice(CHOICES, p=chances / chances.sum()))), first


_FIXED_KEYS = {
    "sides": ("front", "left", "behind", "right"),
    "views": ("front", "left", "behind", "right"),
    "even numbers": ("2", "4", "6", "8"),
    "goes": ("forward", "backward", "left", "right"),
}


def select(lots: Sequence[SceneCandidates], recipe: AnimatedQuestionRecipe) -> AnimatedSelection:
    """Return what is asked of each film. A pure function of the lots in their order and the recipe."""
    forms = {f.id: f for f in recipe.forms}
    by_task: dict[str, dict[str, list[AnimatedCandidate]]] = defaultdict(lambda: defaultdict(list))
    for lot in lots:
        for c in lot.candidates:
            by_task[forms[c.form].task][c.form].append(c)
    scenes = [lot.scene for lot in lots]
    desk, short = _chosen(by_task, scenes, recipe, forms)
    rehearsed = []
    for k in range(REHEARSALS):
        other = replace(recipe, seed=f"{recipe.seed} rehearsal {k}")
        rehearsed.append(_chosen(by_task, scenes, other, forms)[0].chosen)
    choices = draw(desk.chosen, forms, desk.firsts, recipe.seed, rehearsed)
    picked: dict[str, list[Picked]] = {scene: [] for scene in scenes}
    for c, options in zip(desk.chosen, choices, strict=True):
        picked[c.scene].append(Picked(c, options))
    for scene, found in picked.items():
        order = rng(recipe.seed, "order", scene).permutation(len(found))
        picked[scene] = [found[int(k)] for k in order]
    return AnimatedSelection(picked, short)


def _chosen(
    by_task: Mapping[str, Mapping[str, Sequence[AnimatedCandidate]]],
    scenes: Sequence[str],
    recipe: AnimatedQuestionRecipe,
    forms: Mapping[str, Template],
) -> tuple[_Sampler, Counter[str]]:
    """Return the desk with what is chosen on it, and how much of each task could not be had."""
    desk = _Sampler(recipe, forms, scenes)
    desk.take_against_knowledge(by_task)
    short: Counter[str] = Counter()
    total = recipe.mix.questions_per_object * len(scenes)
    for task in _scarcest_first(by_task, recipe):
        wanted = round(total * recipe.mix.shares[task])
        short[task] = wanted - desk.fill(task, by_task.get(task, {}), wanted)
    return desk, short


def _scarcest_first(
    by_task: Mapping[str, Mapping[str, Sequence[AnimatedCandidate]]], recipe: AnimatedQuestionRecipe
) -> list[str]:
    """Return the tasks, those first that have the fewest candidates for what is wanted of them."""
    plenty = {t: sum(len(c) for c in by_task.get(t, {}).values()) for t in recipe.mix.shares}
    return sorted(plenty, key=lambda t: plenty[t] / max(recipe.mix.shares[t], 1e-9))


class _Sampler:
    """The selection while it grows."""

    def __init__(
        self, recipe: AnimatedQuestionRecipe, forms: Mapping[str, Template], scenes: Sequence[str]
    ) -> None:
        self.recipe, self.forms = recipe, forms
        self.chosen: list[AnimatedCandidate] = []
        self.firsts: list[int] = []
        self.of_task: Counter[tuple[str, str]] = Counter()
        self.before: Counter[tuple[str, str]] = Counter()
        self.room = dict.fromkeys(scenes, recipe.mix.most_per_object)
        self.told: set[Told] = set()
        self.stated: set[Told] = set()
        self.deeds: Counter[tuple[str, str]] = Counter()
        self.nexts: Counter[str] = Counter()
        self.numbers: Counter[tuple[int, int]] = Counter()
        self.right: Counter[tuple[str, str]] = Counter()
        self.could_be_false: Counter[tuple[str, str]] = Counter()
        self._known: dict[int, set[Told]] = {}
        self.both = 0
        self.beyond = 0

    def take_against_knowledge(
        self, by_task: Mapping[str, Mapping[str, Sequence[AnimatedCandidate]]]
    ) -> None:
        """Choose one question of each film to which world knowledge has the wrong answer: there are few."""
        found: dict[str, list[AnimatedCandidate]] = defaultdict(list)
        for by_form in by_task.values():
            for c in (c for cs in by_form.values() for c in cs if c.prior):
                found[c.scene].append(c)
        for scene, candidates in found.items():
            g = rng(self.recipe.seed, "against knowledge", scene)
            c = candidates[int(g.integers(len(candidates)))]
            form = self.forms[c.form]
            if self._possible(c, form):
                self._add(c, form, 0)
                self.before[form.task, c.form] += 1

    def fill(self, task: str, found: Mapping[str, Sequence[AnimatedCandidate]], wanted: int) -> int:
        """Choose up to `wanted` questions of a task, and return how many there are."""
        g = rng(self.recipe.seed, "select", task)
        urns = {name: self._urn(self.forms[name], found[name], g) for name in sorted(found)}
        asked = Counter({name: self.before[task, name] for name in found})
        for share in (self.recipe.mix.form_share, *SHARES_THEN):
            self._fill_up(urns, asked, wanted, max(1, round(share * wanted)), g)
        return sum(asked.values())

    def _fill_up(
        self,
        urns: Mapping[str, _AnswerStrata],
        asked: Counter[str],
        wanted: int,
        most: int,
        g: np.random.Generator,
    ) -> None:
        """Choose questions of a task up to what is wanted, of no form more than `most`."""
        while sum(asked.values()) < wanted:
            live = [n for n, u in urns.items() if asked[n] < most and u.is_open]
            if not live:
                break
            if self._eager:
                live = [n for n in live if urns[n].has_both(self.room)] or live
            weights = np.array([urns[n].form.weight / (1 + asked[n]) ** 0.5 for n in live])
            name = live[int(g.choice(len(live), p=weights / weights.sum()))]
            asked[name] += self._take(urns[name], g)

    def _urn(
        self, form: Template, candidates: Sequence[AnimatedCandidate], g: np.random.Generator
    ) -> _AnswerStrata:
        left: dict[str, list[AnimatedCandidate]] = defaultdict(list)
        for k in g.permutation(len(candidates)):
            left[candidates[int(k)].answer.key].append(candidates[int(k)])
        rows: dict[int, int] = {}
        if form.asks == "numbers":
            usable = {int(a): len({c.scene for c in cs}) for a, cs in left.items()}
            # Drawn until one of the four cannot be had, the rarest comes up that often on average.
            rows = {first: (room + 1) * CHOICES for first, room in windows(usable, form.least).items()}
        return _AnswerStrata(form, left, rows)

    def _take(self, urn: _AnswerStrata, g: np.random.Generator) -> int:
        """Choose one candidate with an answer drawn before it; return how many were found."""
        found = {key: [c for c in cs if self._possible(c, urn.form)] for key, cs in urn.left.items()}
        urn.left = found
        eager, first, options = self._eager, 0, urn.form.asks
        if options == "numbers":
            answer, first = urn.number(g, self.numbers)
            row = {str(n) for n in range(first, first + CHOICES)}
            found = {answer: [c for c in found.get(answer, []) if row <= _keys(c)]}
        else:
            found = {key: [c for c in cs if self._eligible(c, urn.form)] for key, cs in found.items()}
            if options in _FIXED_KEYS:
                # What is drawn must not depend on what there is.
                answer = _FIXED_KEYS[options][int(g.integers(CHOICES))]
            else:
                keys = sorted(key for key, cs in found.items() if cs)
                if eager:
                    keys = [key for key in keys if any(c.both for c in found[key])] or keys
                answer = keys[int(g.integers(len(keys)))] if keys else ""
        candidates = found.get(answer, [])
        if not candidates:
            urn.misses += 1
            if options in _FIXED_KEYS and not urn.left.get(answer):
                # All four must go on being as likely.
                urn.misses = MOST_MISSES
            if first:
                urn.rows[first] = 0
            return 0
        # The emptier its film still is, the likelier a candidate.
        c = min(candidates, key=lambda c: (-(eager * c.worth), -self.room[c.scene]))
        urn.left[answer].remove(c)
        self._add(c, urn.form, first)
        return 1

    def _add(self, c: AnimatedCandidate, form: Template, first: int) -> None:
        self.chosen.append(c)
        self.firsts.append(first)
        if first:
            self.numbers[first, int(c.answer.key)] += 1
        self.room[c.scene] -= 1
        self.of_task[c.scene, form.task] += 1
        self.told |= self._tells(c, form)
        self.stated |= _statings(c)
        self.deeds[c.scene, c.answer.key] += form.asks in VERBAL
        if form.id in self.recipe.language.next_forms:
            self.nexts[c.answer.key] += 1
        self.right[c.form, c.answer.text] += 1
        self.could_be_false.update((c.form, o.text) for o in c.pool)
        self.both += c.both
        self.beyond += not c.shown

    def _eligible(self, candidate: AnimatedCandidate, form: Template) -> bool:
        """Return whether neither its answer nor what it takes to see it has been asked for too often."""
        beyond = self.beyond >= self.recipe.mix.beyond * (len(self.chosen) + 1)
        return (
            (candidate.shown or not beyond)
            and self._can_be_false(candidate, form)
            and self._can_be_next(candidate, form)
        )

    def _can_be_next(self, candidate: AnimatedCandidate, form: Template) -> bool:
        """Return whether an action is not yet what comes next too often: many a film ends in a fall."""
        if form.id not in self.recipe.language.next_forms:
            return True
        most = NEXT_FREE + NEXT_SHARE * sum(self.nexts.values())
        return self.nexts[candidate.answer.key] < most

    def _can_be_false(self, candidate: AnimatedCandidate, form: Template) -> bool:
        """Return whether a form's other questions have enough room for an answer among their false choices:
        what is right whenever it is offered needs no film.
        """
        text = (form.id, candidate.answer.text)
        room = self.could_be_false[text] / (CHOICES - 1)
        return form.asks in FIXED or self.right[text] < ALWAYS_FREE + room

    @property
    def _eager(self) -> bool:
        """Whether questions that need several views and times are still fewer than wanted."""
        return self.both < (self.recipe.mix.both + OVER) * (len(self.chosen) + 1)

    def _possible(self, candidate: AnimatedCandidate, form: Template) -> bool:
        of_task = self.of_task[candidate.scene, form.task]
        return (
            self.room[candidate.scene] > 0
            and of_task < self.recipe.mix.most_per_task
            and self.deeds[candidate.scene, candidate.answer.key] < MOST_DEEDS
            and self.told.isdisjoint(self._tells(candidate, form))
            and self.stated.isdisjoint(self._tells(candidate, form))
            and self.told.isdisjoint(_statings(candidate))
        )

    def _tells(self, candidate: AnimatedCandidate, form: Template) -> set[Told]:
        """Return what a question tells, worked out once."""
        known = self._known.get(id(candidate))
        if known is None:
            known = self._known[id(candidate)] = _tellings(candidate, form)
        return known


def _keys(candidate: AnimatedCandidate) -> set[str]:
    return {candidate.answer.key, *(o.key for o in candidate.pool)}


def _tellings(candidate: AnimatedCandidate, form: Template) -> set[Told]:
    """Return what a question tells that no other may ask: its program in its film; its form and answer
    there; the facts that it asks for; and for what is always so, what it asks of the asset.
    """
    steps = tuple(f"{s.op}{s.inputs}{s.args}" for s in candidate.steps)
    told = {
        ("program", candidate.scene, *steps),
        ("answer", candidate.scene, form.id, candidate.answer.key),
        *(("fact", candidate.scene, *fact) for fact in candidate.asks),
    }
    if form.once:
        told.add(("asset", candidate.asset, *candidate.identity, candidate.answer.key))
    return told


def _statings(candidate: AnimatedCandidate) -> set[Told]:
    """Return what a question's words tell, which no other may ask."""
    return {("fact", candidate.scene, *fact) for fact in candidate.tells}
