"""The questions on videos while they are selected: five options are drawn for each as it is taken."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from fathom.questions.balancing.option_places import OptionPlaces
from fathom.questions.balancing.sampler import QuestionSampler, Strata
from fathom.questions.balancing.video_numbers import is_ranked, room_in
from fathom.questions.candidate import Cell
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.numeric.option_sets import Options
from fathom.questions.repeating.video import SpansCheck
from fathom.questions.video_candidate import OptionPlan, VideoCandidate, VideoSelected
from fathom.questions.writing.video import drawn_of


class VideoSampler(QuestionSampler[VideoCandidate, VideoSelected]):
    """The questions on videos while they are selected.

    answers : how often each answer is written in a video: no two questions of one ask for the same number
    refused : what was tried in vain
    told : by quantity, the trajectories and turns of each video that are options of a question: two that
        could not both be asked about are not options of two questions, else what was right in one would be
        false in the other
    """

    def __init__(self, recipe: VideoQuestionRecipe, places: OptionPlaces) -> None:
        self.asked = SpansCheck()
        super().__init__(recipe.mix, self.asked)
        self.recipe, self.places = recipe, places
        self.answers: Counter[tuple[str, str]] = Counter()
        self.refused: set[tuple[object, ...]] = set()
        self.told: dict[str, SpansCheck] = defaultdict(SpansCheck)

    def plenty(self, cell: Cell, strata: Strata[VideoCandidate], wanted: Mapping[Cell, int]) -> float:
        """Return about how many questions there could be of a cell for each that is wanted."""
        return sum(map(room_in, strata.get(cell, {}).values())) / max(wanted[cell], 1)

    def has_room(self, candidate: VideoCandidate) -> bool:
        """Return whether a video may be asked one more question like this."""
        real = candidate.is_among_real
        told = real and self.told[candidate.template.quantity].clashes(candidate)
        return super().has_room(candidate) and not told

    def take(self, plan: OptionPlan) -> bool:
        """Ask a question, and return whether five options could be found for it; else it is left."""
        candidate = plan.candidate
        key = (*candidate.names, plan.slot, *(d.names for d in plan.beside))
        if key in self.refused or not all(map(self.has_room, (candidate, *plan.beside))):
            return False
        drawn = drawn_of(plan, self.recipe, self._judge(plan))
        if drawn is None or self.answers[_said(drawn)]:
            self.refused.add(key)
            self.selection.refused[candidate.stratum] += drawn is None
            return False
        self._count(drawn, 1)
        self.asked.add(candidate)
        for one in _told(plan):
            self.told[one.template.quantity].add(one)
        self.selection.selected.append(drawn)
        return True

    def leave(self, selected: VideoSelected) -> None:
        """Ask a question no more."""
        self.selection.selected.remove(selected)
        self.asked.remove(selected.candidate)
        for one in _told(selected.plan):
            self.told[one.template.quantity].remove(one)
        self._count(selected, -1)

    def _judge(self, plan: OptionPlan) -> Callable[[Options], int] | None:
        """Return what tells which of several fives is best, of answers that have no order: where the answer
        is not again at the place where it was.
        """
        one = plan.candidate
        if plan.vector is None or is_ranked(one):
            return None
        return lambda options: self.places.lopsided(one, options)

    def _count(self, selected: VideoSelected, by: int) -> None:
        self.room.count(selected.candidate, by)
        self.answers[_said(selected)] += by
        self.places.count(selected, by)


def _told(plan: OptionPlan) -> tuple[VideoCandidate, ...]:
    """Return the trajectories or turns that are the options of a question."""
    return (plan.candidate, *plan.beside) if plan.beside else ()


def _said(selected: VideoSelected) -> tuple[str, str]:
    """Return the answer as it is written, in its video."""
    candidate, options = selected.candidate, selected.options
    text = options.texts[options.index] if options.numbers else "/".join(candidate.names)
    return candidate.scene, text
