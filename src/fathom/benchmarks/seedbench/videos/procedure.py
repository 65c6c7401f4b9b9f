"""Procedure understanding: which actions a stretch of a video of Breakfast shows, in order.

Wrong options are the same actions in another order, or lists that other videos of the same activity show.
How common an order is in other videos is a cue: "carry milk" is never first. It is levelled like the others.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, pairwise, permutations

import numpy as np

from fathom.benchmarks.seedbench.videos.drafts import WRONG, VideoDraft, VideoOption, WrongOptions, pick
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.formats.actions.breakfast import NOTHING
from fathom.formats.actions.record import BREAKFAST, ActionAnnotations, AnnotatedVideo, LabelledAction
from fathom.formats.import_findings import ImportFindings
from fathom.store.seeds import rng

TASK = "procedure_understanding"
TEXT = "Can you recognize the actions in this video and list them in order?"
OTHER_ORDER = "same actions, other order"
OTHER_LISTS = "lists of the same activity"

TOO_SHORT = "a video without so many different actions one after the other"

OTHER_LENGTH = "a list with more or fewer actions than the right one"
SAME_ORDER = "a list of the same actions in the same order"
NO_ACTION = "a list with an action that the activity does not have"
TWICE = "a list with an action twice"

_BETWEEN = re.compile(r"\s*(?:[,;]|->|→)\s*")
_NEAR = 3
"""So many actions before and after a stretch are told."""

_ORDERS = 720
"""So many orders of a list are looked at: all of six actions."""

Steps = tuple[str, ...]


@dataclass(frozen=True)
class _Activity:
    """What is done in all videos of one activity: lists, and which action comes after which, by video."""

    name: str
    lists: tuple[tuple[str, Steps], ...]
    followed: Counter[tuple[str, str]]
    by_video: dict[str, Counter[tuple[str, str]]]
    vocabulary: tuple[str, ...]

    def likely(self, steps: Steps, without: str) -> float:
        """Return how likely an order is by the videos other than one: a sum of logarithms of counts."""
        own = self.by_video[without]
        pairs = list(pairwise(("", *steps)))
        return round(sum(math.log1p(self.followed[p] - own[p]) for p in pairs), 9)


@dataclass(frozen=True)
class _Shown:
    """A stretch of a video, and what its activity has besides."""

    activity: _Activity
    video: AnnotatedVideo
    window: tuple[LabelledAction, ...]

    def told(self) -> Mapping[str, Sequence[str]]:
        """Return the activity, its actions, those of the clip in their order, and those around it."""
        first, last = (self.video.actions.index(a) for a in (self.window[0], self.window[-1]))
        around = {
            "Before the clip": self.video.actions[max(0, first - _NEAR) : first],
            "After the clip": self.video.actions[last + 1 : last + 1 + _NEAR],
        }
        named = {title: tuple(a.text for a in some if a.words != NOTHING) for title, some in around.items()}
        return {
            "The activity": (self.activity.name,),
            "All actions that this activity has": self.activity.vocabulary,
            "The actions of the clip, in their order": self._steps,
            **{title: lines or ("nothing that is annotated",) for title, lines in named.items()},
        }

    def option(self, text: str) -> VideoOption:
        """Return an option, its actions in the words of the annotations."""
        return _option(self.activity, self.video.id, self._read(text))

    def wrong(self, text: str) -> str:
        """Return why a list is none of as many different actions of the activity, in another order."""
        steps = self._read(text)
        if len(steps) != len(self._steps):
            return OTHER_LENGTH
        if not set(steps) <= set(self.activity.vocabulary):
            return NO_ACTION
        if len(set(steps)) < len(steps):
            return TWICE
        return SAME_ORDER if steps == self._steps else ""

    @cached_property
    def _steps(self) -> Steps:
        return tuple(a.text for a in self.window)

    def _read(self, text: str) -> Steps:
        known = {words.casefold(): words for words in self.activity.vocabulary}
        said = [" ".join(step.replace("_", " ").split()) for step in _BETWEEN.split(text.strip())]
        return tuple(known.get(step.casefold(), step) for step in said)


def procedure_drafts(
    annotations: ActionAnnotations, settings: VideoQuestionSettings, findings: ImportFindings
) -> Iterator[VideoDraft]:
    """Yield a draft for each stretch of so many different actions one after the other."""
    videos = [v for v in annotations.videos if v.source == BREAKFAST]
    windows = {v.id: list(_windows(v, settings)) for v in videos}
    for activity in dict.fromkeys(v.activity for v in videos):
        some = [v for v in videos if v.activity == activity]
        known = _activity(activity, some, windows)
        for video in some:
            if not windows[video.id]:
                findings.leave_out(TOO_SHORT, video.id)
            for window in windows[video.id]:
                yield _draft(video, window, known)


def _windows(video: AnnotatedVideo, settings: VideoQuestionSettings) -> Iterator[tuple[LabelledAction, ...]]:
    """Yield stretches that share no action: different actions, and nothing unknown between them."""
    draw = rng(settings.seed, "procedure", video.id)
    for run in _runs(video.actions):
        at = int(draw.integers(max(1, len(run) - settings.most_steps + 1)))
        while at + settings.fewest_steps <= len(run):
            wanted = int(draw.integers(settings.fewest_steps, settings.most_steps + 1))
            window = run[at : at + min(wanted, len(run) - at)]
            if len({a.text for a in window}) == len(window):
                yield tuple(window)
                at += len(window)
            else:
                at += 1


def _runs(actions: Sequence[LabelledAction]) -> Iterator[list[LabelledAction]]:
    """Yield actions that follow one another, without stretches in which nothing is done or known."""
    run: list[LabelledAction] = []
    for action in actions:
        if action.after_gap or action.words == NOTHING:
            yield run
            run = []
        if action.words != NOTHING:
            run.append(action)
    yield run


def _activity(
    name: str, videos: Sequence[AnnotatedVideo], windows: dict[str, list[tuple[LabelledAction, ...]]]
) -> _Activity:
    lists = [(v.id, tuple(a.text for a in w)) for v in videos for w in windows[v.id]]
    by_video = {v.id: Counter[tuple[str, str]]() for v in videos}
    for video in videos:
        for run in _runs(video.actions):
            by_video[video.id].update(pairwise(a.text for a in run))
    for video_id, steps in lists:
        by_video[video_id]["", steps[0]] += 1
    followed = Counter[tuple[str, str]]()
    for counted in by_video.values():
        followed.update(counted)
    words = {a.text for v in videos for a in v.actions if a.words != NOTHING}
    return _Activity(name, tuple(lists), followed, by_video, tuple(sorted(words)))


def _draft(video: AnnotatedVideo, window: tuple[LabelledAction, ...], activity: _Activity) -> VideoDraft:
    steps = tuple(a.text for a in window)
    orders = [o for o in islice(permutations(steps), _ORDERS) if o != steps]
    lists = [s for s in dict.fromkeys(s for _, s in activity.lists) if len(s) == len(steps) and s != steps]
    option = partial(_option, activity, video.id)
    return VideoDraft(
        id=f"{TASK}:{window[0].id}",
        task=TASK,
        text=TEXT,
        answer=option(steps),
        video=video,
        actions=window,
        rules={
            OTHER_ORDER: partial(_drawn, tuple(option(o) for o in orders)),
            OTHER_LISTS: partial(_drawn, tuple(option(s) for s in lists)),
        },
        group=activity.name,
        ground=_Shown(activity, video, window),
        start_s=window[0].start_s,
        stop_s=window[-1].stop_s,
    )


def _option(activity: _Activity, video: str, steps: Steps) -> VideoOption:
    keys = (("first", activity.name, steps[0]), ("last", activity.name, steps[-1]))
    return VideoOption(", ".join(steps), keys, {"order": activity.likely(steps, video)})


def _drawn(options: WrongOptions, draw: np.random.Generator) -> WrongOptions | None:
    """Return wrong options: every other time of those that are commonest elsewhere, which else are rare."""
    if draw.integers(2):
        options = tuple(sorted(options, key=lambda o: -o.cues["order"])[: max(2 * WRONG, len(options) // 4)])
    return pick(draw, options, WRONG)
