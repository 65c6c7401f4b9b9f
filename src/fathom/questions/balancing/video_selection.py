"""The questions on videos while they are selected: five options are drawn for each as it is taken."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from fathom.questions.balancing.camera_paces import CameraPaces
from fathom.questions.balancing.option_places import OptionPlaces
from fathom.questions.balancing.sampler import QuestionSampler, Strata
from fathom.questions.balancing.video_numbers import room_in
from fathom.questions.candidate import Cell
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.repeating.video import SpansCheck, goes_with, tells_option
from fathom.questions.video_candidate import OptionPlan, VideoCandidate, VideoSelected
from fathom.questions.writing.video import drawn_of


class VideoSampler(QuestionSampler[VideoCandidate, VideoSelected]):
    """The questions on videos while they are selected.

    answers : how often each answer is written in a video: no two questions of one ask for the same number
    refused : what was tried in vain
    paces : where cameras were; of one of which a pose is asked, ways and speeds are asked among those of the
        same five cameras
    among : for each video of whose camera a turn or pose is asked, the four videos whose cameras stand beside
        its own, with −1 where they are told as in a mirror
    told : by quantity, the trajectories, turns and poses of each video that are options of a question: two
        that are nearly the same are not options of two questions, else what was right in one would be false
        in the other
    """

    def __init__(
        self, recipe: VideoQuestionRecipe, places: OptionPlaces, paces: CameraPaces | None = None
    ) -> None:
        self.asked, self._repeated = SpansCheck(goes_with), SpansCheck()
        super().__init__(recipe.mix, self.asked)
        self.recipe, self.places, self.paces = recipe, places, paces or CameraPaces(())
        self.answers: Counter[tuple[str, str]] = Counter()
        self.refused: set[tuple[object, ...]] = set()
        self.among: dict[str, dict[str, int]] = {}
        self.told: dict[str, SpansCheck] = defaultdict(lambda: SpansCheck(tells_option))

    def plenty(self, cell: Cell, strata: Strata[VideoCandidate], wanted: Mapping[Cell, int]) -> float:
        """Return about how many questions there could be of a cell for each that is wanted. Trajectories come
        first: beside them neither turns nor poses are asked.
        """
        found = strata.get(cell, {})
        told = any(own and own[0].template.asks == "trajectory" for own in found.values())
        return -1.0 if told else sum(map(room_in, found.values())) / max(wanted[cell], 1)

    def has_room(self, candidate: VideoCandidate) -> bool:
        """Return whether a video may be asked one more question like this."""
        return super().has_room(candidate) and not self.is_told(candidate)

    def has_room_among(self, candidate: VideoCandidate) -> bool:
        """Return whether a video may be asked one more question like this, among five cameras of which
        something is asked.
        """
        clashes = self._repeated.clashes(candidate)
        return self.room.left(candidate) > 0 and not clashes and not self.is_told(candidate)

    def is_told(self, candidate: VideoCandidate) -> bool:
        """Return whether a trajectory, turn or pose is nearly the same as an option of another question."""
        real = candidate.is_among_real
        return real and self.told[candidate.template.quantity].clashes(candidate)

    def take(self, plan: OptionPlan) -> bool:
        """Ask a question, and return whether five options could be found for it; else it is left."""
        candidate = plan.candidate
        key = (*candidate.names, plan.slot, *(d.names for d in plan.beside))
        has_room = self.has_room_among if candidate.is_pace and plan.others else self.has_room
        if key in self.refused or not has_room(candidate) or any(map(self.is_told, plan.beside)):
            return False
        drawn = drawn_of(plan, self.recipe)
        if drawn is None or self.answers[_said(drawn)]:
            self.refused.add(key)
            self.selection.refused[candidate.stratum] += drawn is None
            return False
        self._count(drawn, 1)
        self.asked.add(candidate)
        self._repeated.add(candidate)
        for one in _told(plan):
            self.told[one.template.quantity].add(one)
        if candidate.is_among_cameras:
            scenes = (d.scene for d in plan.beside)
            self.among.setdefault(candidate.scene, dict(zip(scenes, plan.sides, strict=True)))
        self.selection.selected.append(drawn)
        return True

    def leave(self, selected: VideoSelected) -> None:
        """Ask a question no more."""
        self.selection.selected.remove(selected)
        self.asked.remove(selected.candidate)
        self._repeated.remove(selected.candidate)
        for one in _told(selected.plan):
            self.told[one.template.quantity].remove(one)
        self._count(selected, -1)

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
