"""Which questions about two viewpoints are asked, so that neither words nor boxes in the picture tell.

Questions of a type are taken one by one, complementary pairs first: of these nobody can know the answer from
the words, which are the same. Of some that are drawn the one is taken that makes most even what is
uneven so far: how often each answer is right, how often boxes in the picture suggest the right one, how often
a part of an object is asked about, and, with less weight, how often it is right where a noun stands in the
question. Nouns are not levelled further: what is rare for one among some questions would be frequent for it
among the rest. Parts count as one noun besides.

Ref: 3DSRBench §3.2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from fathom.questions.balancing.sampler import QuestionSampler
from fathom.questions.candidate import Cell, Selection, Stratum
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.view_candidate import OF_PARTS, VIEWPOINTS, ViewCandidate, ViewSelected, selected
from fathom.store.seeds import rng

OF_TWO = frozenset({"first", "second"})
OTHER = {"first": "second", "second": "first"}

COMPARED = 60
"""Of so many candidates the one is taken that makes most even what is uneven."""

MOST_OVER = 2.0
"""So many more questions than its share may have the same answer, or one that boxes in the picture tell."""

WEIGHTS = {"answer": 3.0, "guess": 2.0, "part": 0.5, "noun": 0.3}
"""How much it counts that answers, guesses from the picture, parts, or answers beside a noun are uneven."""

PART, PART_SHARE, PARTS_COMPARED = "a part", 0.2, 20
"""As what all parts together count among nouns; in which share of the questions of a type that parts are
asked about with there should be one; so many more with one are compared.
"""

SUGGESTED = str(False)
"""What is counted where boxes in the picture suggest the right answer: nobody is fooled."""

Told = tuple[tuple[str, ...], str, float]
"""What is counted, what came out, and in which share of all it should."""


class NothingTwice:
    """The questions asked so far: of one type no two about the same objects."""

    def __init__(self) -> None:
        self._asked: set[tuple[object, ...]] = set()

    def clashes(self, candidate: ViewCandidate) -> bool:
        """Return whether a question of the type is asked about the same objects."""
        return self._key(candidate) in self._asked

    def add(self, candidate: ViewCandidate) -> None:
        """Take in a question that is asked."""
        self._asked.add(self._key(candidate))

    @staticmethod
    def _key(candidate: ViewCandidate) -> tuple[object, ...]:
        return candidate.scene, candidate.template.task, frozenset(candidate.objects)


class ViewSampler(QuestionSampler[ViewCandidate, ViewSelected]):
    """The questions about viewpoints while they are selected."""

    def __init__(self, recipe: VideoQuestionRecipe) -> None:
        super().__init__(recipe.mix, NothingTwice())
        self.recipe = recipe
        self.counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)

    def fill(
        self, cell: Cell, strata: Mapping[Stratum, Sequence[ViewCandidate]], wanted: int
    ) -> tuple[int, str]:
        """Ask up to so many questions of a type; return how many there are, and why there are no more."""
        left = [c for candidates in strata.values() for c in candidates]
        g = rng(self.recipe.seed, "viewpoints", *cell)
        given = 0
        while given < wanted:
            left = [c for c in left if self.has_room(c)]
            # What would be right too often now may fit later, when others have made up for it.
            fitting = [c for c in left if rooms_of(c) <= wanted - given and not self._too_often(c)]
            if not fitting:
                return given, "no two pictures show what it asks for with an answer that is rare so far"
            pairs = [c for c in fitting if c.complementary] or fitting
            best = min(_some(pairs, g), key=self._cost)
            self._take(best)
            given += rooms_of(best)
        return wanted, ""

    def _too_often(self, candidate: ViewCandidate) -> bool:
        """Return whether an answer would be right clearly more often than its share; of a pair, whether boxes
        in the picture would tell clearly more often than they should.
        """
        kind = "guess" if candidate.complementary else "answer"
        added: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        shares = {}
        for key, outcome, share in told(candidate):
            if key[0] == kind and (kind == "answer" or outcome == SUGGESTED):
                added[key][outcome] += 1
                shares[key, outcome] = share
        after = {key: self.counts[key] + counts for key, counts in added.items()}
        total = {key: self.counts[key].total() + rooms_of(candidate) for key in added}
        return any(
            after[key][outcome] > share * total[key] + MOST_OVER for (key, outcome), share in shares.items()
        )

    def _take(self, candidate: ViewCandidate) -> None:
        self.room.count(candidate, rooms_of(candidate))
        self.repeats.add(candidate)
        for key, outcome, _ in told(candidate):
            self.counts[key][outcome] += 1
        self.selection.selected.append(selected(candidate, self.recipe.seed))

    def _cost(self, candidate: ViewCandidate) -> float:
        """Return by how much a question would make uneven what is told."""
        return sum(
            WEIGHTS[key[0]] * (self.counts[key][outcome] / share - self.counts[key].total())
            for key, outcome, share in told(candidate)
        )


def _some(candidates: Sequence[ViewCandidate], g: np.random.Generator) -> list[ViewCandidate]:
    """Return some of the candidates by chance, and some more in which there is a part of an object."""
    drawn = [candidates[int(k)] for k in g.permutation(len(candidates))]
    return [*drawn[:COMPARED], *[c for c in drawn[COMPARED:] if c.with_part][:PARTS_COMPARED]]


def rooms_of(candidate: ViewCandidate) -> int:
    """Return of how many rooms a question is asked: of the changed one as well where it has a pair."""
    return 1 + candidate.complementary


def told(candidate: ViewCandidate) -> Iterator[Told]:
    """Yield what is counted of a question."""
    form, among = candidate.template, len(candidate.template.options)
    for k, view in enumerate(candidate.views):
        place = str(k % VIEWPOINTS)
        yield ("answer", form.id, place), view.value, 1 / among
        yield ("guess", form.id, place), str(view.fooled), (among - 1 if view.fooled else 1) / among
    if form.quantity in OF_PARTS:
        share = PART_SHARE if candidate.with_part else 1 - PART_SHARE
        yield ("part", form.id), PART if candidate.with_part else "", share
    for value in candidate.values[::VIEWPOINTS]:
        yield from _beside_nouns(candidate, value)


def _beside_nouns(candidate: ViewCandidate, value: str) -> Iterator[Told]:
    """Yield how often which answer is right where a noun stands in the question."""
    form, among = candidate.template, len(candidate.template.options)
    two = set(form.options) == OF_TWO
    for k, noun in enumerate(candidate.nouns):
        wins = k - len(candidate.nouns) + 2 if two else -1
        said = OTHER[value] if wins == 1 else value
        for called in (noun, PART) if k in candidate.parts else (noun,):
            yield ("noun", form.id, "of two" if wins >= 0 else str(k), called), said, 1 / among


def chosen(
    candidates: Sequence[ViewCandidate], wanted: Mapping[Cell, int], recipe: VideoQuestionRecipe
) -> Selection[ViewSelected]:
    """Return what is asked: of each type as many as are wanted, where there are."""
    sampler = ViewSampler(recipe)
    sampler.sample(candidates, wanted, sampler.fill)
    return sampler.selection
