"""Which candidates become questions: answers are drawn first, then films that have them.

The mix is kept: each task its share, no form more than its own, and at least as many questions as wanted that
need several views and several times.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fathom.build.options.drawing import CHOICES, FIXED, draw, windows
from fathom.build.questions.stories.asking import Candidate, Picked, StoryLot, StoryRecipe
from fathom.build.questions.stories.forms import Form
from fathom.store.seeds import rng

OVER = 0.08
"""By how much more than wanted is aimed for, of questions that need several views and times."""

MOST_MISSES = 6
"""After how many answers drawn in vain no more of a form is asked."""


@dataclass
class Selection:
    """What is asked of each film, and how many questions of each task could not be had."""

    picked: dict[str, list[Picked]]
    short: Counter[str] = field(default_factory=Counter)


@dataclass
class _Urn:
    """The candidates of one form that are left, by answer."""

    form: Form
    left: dict[str, list[Candidate]]
    wanted: Counter[tuple[int, int]]
    misses: int = 0

    def has_both(self, room: Mapping[str, int]) -> bool:
        """Return whether a candidate is left that needs several views and several times."""
        return any(c.both and room[c.scene] > 0 for found in self.left.values() for c in found)

    def answer(self, g: np.random.Generator, room: Mapping[str, int], eager: bool) -> tuple[str, int]:
        """Return the answer to draw next, and for a number the first of its choices.

        If `eager`, it is one of those that something has which needs several views and several times.
        """
        if self.form.options == "numbers":
            firsts = sorted({w for w, _ in self.wanted if self.wanted[w, 0]})
            if not firsts:
                return "", 0
            rooms = np.array([self.wanted[w, 0] for w in firsts], dtype=float)
            first = firsts[int(g.choice(len(firsts), p=rooms / rooms.sum()))]
            return str(first + int(g.integers(CHOICES))), first
        if self.form.options in FIXED and self.form.options != "orders":
            fixed = _FIXED_KEYS[self.form.options]
            return fixed[int(g.integers(len(fixed)))], 0
        keys = sorted(k for k, found in self.left.items() if found)
        if eager:
            keys = [k for k in keys if any(c.both and room[c.scene] > 0 for c in self.left[k])] or keys
        return (keys[int(g.integers(len(keys)))], 0) if keys else ("", 0)


_FIXED_KEYS = {
    "sides": ("front", "left", "behind", "right"),
    "views": ("front", "left", "behind", "right"),
    "even numbers": ("2", "4", "6", "8"),
    "goes": ("forward", "backward", "left", "right"),
}


def select(lots: Sequence[StoryLot], recipe: StoryRecipe) -> Selection:
    """Return what is asked of each film. A pure function of the lots in their order and the recipe."""
    forms = {f.id: f for f in recipe.forms}
    desk = _Desk(recipe, forms, [lot.scene for lot in lots])
    by_task: dict[str, dict[str, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for lot in lots:
        for c in lot.candidates:
            by_task[forms[c.form].task][c.form].append(c)
    short: Counter[str] = Counter()
    total = recipe.mix.questions_per_object * len(lots)
    for task in _scarcest_first(by_task, recipe):
        wanted = round(total * recipe.mix.shares[task])
        short[task] = wanted - desk.fill(task, by_task[task], wanted)
    choices = draw(desk.chosen, forms, desk.firsts, recipe.seed)
    picked: dict[str, list[Picked]] = {lot.scene: [] for lot in lots}
    for c, options in zip(desk.chosen, choices, strict=True):
        picked[c.scene].append(Picked(c, options))
    for scene, found in picked.items():
        order = rng(recipe.seed, "order", scene).permutation(len(found))
        picked[scene] = [found[int(k)] for k in order]
    return Selection(picked, short)


def _scarcest_first(
    by_task: Mapping[str, Mapping[str, Sequence[Candidate]]], recipe: StoryRecipe
) -> list[str]:
    """Return the tasks, those first that have the fewest candidates for what is wanted of them."""
    plenty = {t: sum(len(c) for c in by_task.get(t, {}).values()) for t in recipe.mix.shares}
    return sorted(plenty, key=lambda t: plenty[t] / max(recipe.mix.shares[t], 1e-9))


class _Desk:
    """The selection while it grows."""

    def __init__(self, recipe: StoryRecipe, forms: Mapping[str, Form], scenes: Sequence[str]) -> None:
        self.recipe, self.forms = recipe, forms
        self.chosen: list[Candidate] = []
        self.firsts: list[int] = []
        self.room = dict.fromkeys(scenes, recipe.mix.most_per_object)
        self.told: set[tuple[str, ...]] = set()
        self.both = 0
        self.beyond = 0

    def fill(self, task: str, found: Mapping[str, Sequence[Candidate]], wanted: int) -> int:
        """Choose up to `wanted` questions of a task, and return how many there are."""
        g = rng(self.recipe.seed, "select", task)
        urns = {name: self._urn(self.forms[name], found[name], g) for name in sorted(found)}
        most = max(1, round(self.recipe.mix.form_share * wanted))
        asked: Counter[str] = Counter()
        while sum(asked.values()) < wanted:
            live = [
                n
                for n, u in urns.items()
                if asked[n] < most and u.misses < MOST_MISSES and any(u.left.values())
            ]
            if not live:
                break
            if self._eager:
                live = [n for n in live if urns[n].has_both(self.room)] or live
            weights = np.array([urns[n].form.weight / (1 + asked[n]) ** 0.5 for n in live])
            name = live[int(g.choice(len(live), p=weights / weights.sum()))]
            asked[name] += self._take(urns[name], g)
        return sum(asked.values())

    def _urn(self, form: Form, candidates: Sequence[Candidate], g: np.random.Generator) -> _Urn:
        left: dict[str, list[Candidate]] = defaultdict(list)
        for k in g.permutation(len(candidates)):
            left[candidates[int(k)].answer.key].append(candidates[int(k)])
        wanted: Counter[tuple[int, int]] = Counter()
        if form.options == "numbers":
            usable = {int(a): len({c.scene for c in cs}) for a, cs in left.items()}
            for first, room in windows(usable, form.least).items():
                wanted[first, 0] = room * CHOICES
        return _Urn(form, left, wanted)

    def _take(self, urn: _Urn, g: np.random.Generator) -> int:
        """Choose one candidate with an answer drawn before it; return how many were found."""
        eager = self._eager
        answer, first = urn.answer(g, self.room, eager)
        candidates = [c for c in urn.left.get(answer, []) if self._possible(c, urn.form)]
        urn.left[answer] = candidates
        if self.beyond >= self.recipe.mix.beyond * (len(self.chosen) + 1):
            candidates = [c for c in candidates if c.shown]
        if first:
            candidates = [c for c in candidates if all(str(n) in _keys(c) for n in _row(first))]
            urn.wanted[first, 0] -= 1
        if not candidates:
            urn.misses += 1
            return 0
        # The emptier its film still is, the likelier a candidate.
        ranked = sorted(candidates, key=lambda c: (-(eager * c.worth), -self.room[c.scene]))
        c = ranked[0]
        urn.left[answer].remove(c)
        self.chosen.append(c)
        self.firsts.append(first)
        self.room[c.scene] -= 1
        self.told |= _tellings(c, urn.form)
        self.both += c.both
        self.beyond += not c.shown
        return 1

    @property
    def _eager(self) -> bool:
        """Whether questions that need several views and times are still fewer than wanted."""
        return self.both < (self.recipe.mix.both + OVER) * (len(self.chosen) + 1)

    def _possible(self, candidate: Candidate, form: Form) -> bool:
        return self.room[candidate.scene] > 0 and not self.told & _tellings(candidate, form)


def _row(first: int) -> range:
    return range(first, first + CHOICES)


def _keys(candidate: Candidate) -> set[str]:
    return {candidate.answer.key, *(o.key for o in candidate.pool)}


def _tellings(candidate: Candidate, form: Form) -> set[tuple[str, ...]]:
    """Return what a question tells that no other may ask: its program in its film; its form and answer
    there; and for what is always so, what it asks of the asset.
    """
    steps = tuple(f"{s.op}{s.inputs}{s.args}" for s in candidate.steps)
    told = {
        ("program", candidate.scene, *steps),
        ("answer", candidate.scene, form.id, candidate.answer.key),
    }
    if form.once:
        told.add(("asset", candidate.asset, *candidate.identity, candidate.answer.key))
    return told
