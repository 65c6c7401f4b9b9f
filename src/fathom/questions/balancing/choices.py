"""Which questions with four options are asked, and which false options they have: words alone do not tell.

Questions of a task are taken one by one: of some that are drawn the one that makes most even what is uneven
so far: how often each form is asked, how often each answer is right, and with less weight how often it is
right beside a noun, or, of an order, at which place each thing stands. Then false options are drawn so that a
text that is right k times stands among the options 4k times, as near as the scenes allow.

Ref: SEED-Bench §3.2, §3.3.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from fathom.questions.balancing.sampler import QuestionSampler
from fathom.questions.candidate import Cell, Selection, Stratum
from fathom.questions.choice_candidate import CHOICES, ChoiceCandidate, ChoiceSelected, DrawnOption
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.sampling.choice_pools import COUNTED
from fathom.questions.templates import Template
from fathom.store.seeds import rng

COMPARED = 60
"""Of so many candidates the one is taken that makes most even what is uneven; of every form as many are
looked at, as far as there are."""

SCARCE_COSTS = 3.0
"""What is offered seldom is taken first: every time as many candidates of a form cost so much more."""

WEIGHTS = {"form": 3.0, "answer": 2.0, "noun": 0.4, "scene": 0.5, "hint": 2.0, "place": 0.8}
EVEN_BY_NOUN = {"dealing": 0, "how_many": 1, "does_to": 1}
"""Operators whose answers a noun suggests: beside the first, each is right as often, but for one more, and so
many besides."""

MOST_OVER, MOST_SHARE = 4, 1.3
"""What may be right as often as the rarest answer: so many times as often, and so many times more."""

WITH_OBJECTS = ("doings", "deeds")
"""What is asked whose options say what is done, and with which object."""

SWEEPS = 8
NOISE = 1.0

SCARCE = "no scene shows what it asks for with an answer that is rare so far"


class NoFactTwice:
    """What the questions asked so far tell: nothing is asked twice, in whatever words."""

    def __init__(self) -> None:
        self._told: set[tuple[str, ...]] = set()

    def clashes(self, candidate: ChoiceCandidate) -> bool:
        """Return whether a question asks what is told already."""
        return any(fact in self._told for fact in candidate.facts)

    def add(self, candidate: ChoiceCandidate) -> None:
        """Take in a question that is asked."""
        self._told.update(candidate.facts)


class ChoiceSampler(QuestionSampler[ChoiceCandidate, ChoiceSelected]):
    """The questions with four options while they are selected."""

    def __init__(self, recipe: VideoQuestionRecipe) -> None:
        super().__init__(recipe.mix, NoFactTwice())
        self.recipe = recipe
        self.counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self.taken: list[ChoiceCandidate] = []

    def fill(
        self, cell: Cell, strata: Mapping[Stratum, Sequence[ChoiceCandidate]], wanted: int
    ) -> tuple[int, str]:
        """Ask up to so many questions of a task; return how many there are, and why there are no more."""
        left = [c for candidates in strata.values() for c in candidates]
        g = rng(self.recipe.seed, "choices", *cell)
        given = 0
        while given < wanted:
            left = [c for c in left if self.has_room(c)]
            # What is too often right now may be rare again later, once others have caught up.
            fair = [c for c in left if not self._too_often(c)]
            if not fair:
                return given, SCARCE
            offered = Counter(map(_family, fair))
            some = _by_form([fair[int(k)] for k in g.permutation(len(fair))], offered)
            best = min(some, key=lambda c: self._cost(c) + SCARCE_COSTS * math.log(offered[_family(c)]))
            self.room.count(best)
            self.repeats.add(best)
            self.taken.append(best)
            for key, outcome in told(best):
                self.counts[key][outcome] += 1
            given += 1
        return wanted, ""

    def _too_often(self, candidate: ChoiceCandidate) -> bool:
        """Return whether a number, or one of a form's fixed answers, would be right clearly more often than
        the rarest of them.
        """
        form = candidate.template
        known = _equals(form)
        more = EVEN_BY_NOUN.get(form.quantity, 0)
        for place, noun in enumerate(candidate.nouns if form.quantity in EVEN_BY_NOUN else ()):
            beside = self.counts["noun", form.id, noun]
            if beside[candidate.answer.value] > min(beside[value] for value in known) + place + more:
                return True
        counts = self.counts["answer", form.id]
        least = min((counts[value] for value in known), default=0)
        return bool(known) and counts[_counted(candidate)] >= MOST_SHARE * least + MOST_OVER

    def _cost(self, candidate: ChoiceCandidate) -> float:
        return sum(WEIGHTS[key[0]] * self.counts[key][outcome] for key, outcome in told(candidate))


def _equals(form: Template) -> Sequence[str]:
    """Return the answers of which none may be right clearly more often than the rarest. Of parts of a picture
    some hardly occur: they are as seldom offered.
    """
    if form.asks == "counts":
        return COUNTED
    return () if form.asks == "cells" else tuple(form.options)


def _by_form(candidates: Sequence[ChoiceCandidate], offered: Mapping[str, int]) -> list[ChoiceCandidate]:
    """Return the first candidates of each form: as many of one as of the others, as far as there are."""
    each = math.ceil(COMPARED / len(offered))
    seen: Counter[str] = Counter()
    out = []
    for c in candidates:
        seen[_family(c)] += 1
        out += [c] if seen[_family(c)] <= each else []
    return out


def _family(candidate: ChoiceCandidate) -> str:
    """Return what is asked as often as the others of a task: a form; orders of three and of four are one."""
    return candidate.template.asks if candidate.placed else candidate.form


def told(candidate: ChoiceCandidate) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what is counted of a question: under which head, and what came out."""
    form = candidate.form
    yield ("form", candidate.template.task), _family(candidate)
    yield ("answer", form), _counted(candidate)
    yield ("scene",), candidate.scene
    if candidate.hint:
        yield ("hint", form), candidate.hint
    for noun in () if candidate.placed else candidate.nouns:
        yield ("noun", form, noun), _counted(candidate)
    many = str(len(candidate.placed))
    for place, thing in enumerate(candidate.placed):
        yield ("place", form, many, thing), str(place)
        yield ("place", form, many, candidate.answer.value.split()[place]), str(place)


def _counted(candidate: ChoiceCandidate) -> str:
    """Return an answer as it is counted: of what stands in the scene its text, since ids say nothing."""
    if candidate.template.asks in WITH_OBJECTS:
        return candidate.answer.kind
    return candidate.answer.value if candidate.template.asks != "nouns" else candidate.answer.text


def _said(candidate: ChoiceCandidate, option: DrawnOption) -> tuple[str, str]:
    """Return the form, and an option as it is counted: of what is done in whatever words, what is done."""
    named = candidate.template.asks in (*WITH_OBJECTS, "words")
    return candidate.form, option.kind if named else option.text


def with_options(taken: Sequence[ChoiceCandidate], seed: str) -> list[ChoiceSelected]:
    """Return the questions with their options drawn and in the order that they have."""
    g = rng(seed, "options")
    right = Counter(_said(c, c.answer) for c in taken)
    wrong: Counter[tuple[str, str]] = Counter()
    false: list[list[DrawnOption]] = [[] for _ in taken]
    before = _levelled(taken)
    for _ in range(SWEEPS):
        for k in g.permutation(len(taken)).tolist():
            c = taken[k]
            wrong.subtract(_said(c, o) for o in false[k])
            false[k] = _owed(c, right, wrong, g, before.get(k))
            wrong.update(_said(c, o) for o in false[k])
    out = []
    for c, others in zip(taken, false, strict=True):
        every = [c.answer, *others]
        out.append(ChoiceSelected(c, tuple(every[int(k)] for k in g.permutation(CHOICES))))
    return out


def _levelled(taken: Sequence[ChoiceCandidate]) -> dict[int, int]:
    """Return of each question in which options have sides how many false ones come before the right one, so
    that it is the first, second, third and last of four as often, as near as there are options.
    """
    could = {k: _could_precede(c) for k, c in enumerate(taken) if any(o.side for o in c.pool)}
    counts: Counter[tuple[str, int]] = Counter()
    found = {}
    for k in sorted(could, key=lambda k: (len(could[k]), k)):
        found[k] = min(could[k], key=lambda n: (counts[taken[k].form, n], n))
        counts[taken[k].form, found[k]] += 1
    return found


def _could_precede(c: ChoiceCandidate) -> list[int]:
    """Return how many of three false options can come before the right one."""
    before = sum(o.side < 0 for o in c.pool)
    return [n for n in range(CHOICES) if n <= before and CHOICES - 1 - n <= len(c.pool) - before]


def _owed(
    c: ChoiceCandidate,
    right: Counter[tuple[str, str]],
    wrong: Counter[tuple[str, str]],
    g: np.random.Generator,
    before: int | None = None,
) -> list[DrawnOption]:
    """Return the three false options that are shown too seldom so far, for how often they are right; so many
    of them `before` the right one, where that is told.
    """
    pool = [o for o in c.pool if o.text != c.answer.text]
    noise = g.random(len(pool)) * NOISE
    cost = [
        wrong[_said(c, o)] - (CHOICES - 1) * right[_said(c, o)] + n for o, n in zip(pool, noise, strict=True)
    ]
    if any(o.group for o in pool):
        costs: Counter[int] = Counter()
        for o, own in zip(pool, cost, strict=True):
            costs[o.group] += own
        return [o for o in pool if o.group == min(costs, key=lambda group: costs[group])]
    order = [pool[int(k)] for k in np.argsort(cost, kind="stable")]
    if before is None:
        return order[: CHOICES - 1]
    near, far = ([o for o in order if (o.side < 0) == first] for first in (True, False))
    return [*near[:before], *far[: CHOICES - 1 - before]]


def chosen(
    candidates: Sequence[ChoiceCandidate], wanted: Mapping[Cell, int], recipe: VideoQuestionRecipe
) -> Selection[ChoiceSelected]:
    """Return what is asked: of each task as many as are wanted, where there are."""
    sampler = ChoiceSampler(recipe)
    sampler.sample(candidates, wanted, sampler.fill)
    sampler.selection.selected = with_options(sampler.taken, recipe.seed)
    return sampler.selection
