"""The questions of a build while they are chosen: how much room videos have left, what has been asked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from fathom.questions.balancing.option_places import OptionPlaces
from fathom.questions.balancing.video_numbers import is_ranked
from fathom.questions.distractors.numeric.option_sets import Options
from fathom.questions.repeating.video import new
from fathom.questions.sampling.video_candidates import OptionPlan, VideoCandidate, VideoQuestionRecipe
from fathom.questions.writing.video import drawn_of


@dataclass
class VideoSelection:
    """What is asked, how much of each task and setting could not be had, and what became of each form's pool.

    missing : pool → the share of a level spread that its answers lack
    refused : pool → how many of its drafts found no five options that anybody could tell apart
    wanted : how many questions are wanted of each task and setting
    reasons : why there are fewer, by task and setting
    levels : how many questions of a level are missing in a setting
    """

    picked: list[OptionPlan] = field(default_factory=list)
    short: Counter[tuple[str, str]] = field(default_factory=Counter)
    missing: dict[tuple[str, ...], float] = field(default_factory=dict)
    refused: Counter[tuple[str, ...]] = field(default_factory=Counter)
    wanted: dict[tuple[str, str], int] = field(default_factory=dict)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)
    levels: dict[tuple[str, str], int] = field(default_factory=dict)


@dataclass
class VideoSampler:
    """The selection while it grows: how much room each video, task and form of a video has left.

    answers : how often each answer is written in a video: no two questions of one ask for the same number
    told : the trajectories of each video that are options of a question: two that could not both be asked
        about are not options of two questions, else what was right in one would be false in the other
    """

    recipe: VideoQuestionRecipe
    deck: OptionPlaces
    selection: VideoSelection = field(default_factory=VideoSelection)
    used: Counter[tuple[str, ...]] = field(default_factory=Counter)
    asked: dict[str, list[VideoCandidate]] = field(default_factory=lambda: defaultdict(list))
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: set[tuple[object, ...]] = field(default_factory=set)
    told: dict[str, list[VideoCandidate]] = field(default_factory=lambda: defaultdict(list))

    def has_room(self, draft: VideoCandidate) -> bool:
        """Return whether a video may be asked one more question like this."""
        mix, scene = self.recipe.mix, draft.scene
        return (
            self.used[(scene,)] < mix.most_per_video
            and self.used[scene, draft.form.task] < mix.most_per_task
            and self.used[scene, draft.form.task, draft.form.id] < mix.most(draft.form)
            and new(draft, self.asked[scene])
            and (draft.form.asks != "trajectory" or new(draft, self.told[scene]))
        )

    def take(self, picked: OptionPlan) -> bool:
        """Ask a question, and return whether five options could be found for it; else it is left."""
        draft = picked.draft
        key = (*draft.names, picked.slot, *(d.names for d in picked.beside))
        if key in self.refused or not all(map(self.has_room, (draft, *picked.beside))):
            return False
        drawn = drawn_of(picked, self.recipe, self._judge(picked))
        if drawn is None or self.answers[_said(draft, drawn.options)]:
            self.refused.add(key)
            self.selection.refused[draft.pool] += drawn is None
            return False
        taken = replace(picked, options=drawn.options)
        self._count(taken, drawn.options, 1)
        self.asked[draft.scene].append(draft)
        for one in _told(picked):
            self.told[one.scene].append(one)
        self.selection.picked.append(taken)
        return True

    def leave(self, picked: OptionPlan) -> None:
        """Ask a question no more."""
        self.selection.picked.remove(picked)
        self.asked[picked.draft.scene].remove(picked.draft)
        for one in _told(picked):
            self.told[one.scene].remove(one)
        if picked.options is not None:
            self._count(picked, picked.options, -1)

    def _judge(self, picked: OptionPlan) -> Callable[[Options], int] | None:
        """Return what tells which of several fives is best, of answers that have no order: where the answer
        is not again at the place where it was.
        """
        one = picked.draft
        if picked.vector is None or is_ranked(one):
            return None
        return lambda options: self.deck.lopsided(one, options)

    def _count(self, picked: OptionPlan, options: Options, by: int) -> None:
        draft = picked.draft
        for k in range(3):
            self.used[(draft.scene, draft.form.task, draft.form.id)[: k + 1]] += by
        self.answers[_said(draft, options)] += by
        self.deck.count(picked, options, by)


def _told(picked: OptionPlan) -> tuple[VideoCandidate, ...]:
    """Return the trajectories that are the options of a question."""
    return (picked.draft, *picked.beside) if picked.beside else ()


def _said(draft: VideoCandidate, options: Options) -> tuple[str, str]:
    """Return the answer as it is written, in its video."""
    return draft.scene, options.texts[options.index] if options.numbers else "/".join(draft.names)
