"""Questions about videos before their wrong options are chosen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from fathom.formats.actions.record import AnnotatedVideo, LabelledAction
from fathom.store.seeds import digest

Key = tuple[str, ...]
WRONG = 3
"""How many wrong options a question has."""


@dataclass(frozen=True)
class VideoOption:
    """One option.

    keys : what it is made of (verb, noun, template …), by which it is counted how often that is the answer
    cues : what can be known of it without knowing the answer, by name
    """

    text: str
    keys: tuple[Key, ...]
    cues: Mapping[str, float] = field(default_factory=dict)


WrongOptions = tuple[VideoOption, ...]
Draw = Callable[[np.random.Generator], WrongOptions | None]
"""Draws wrong options by one rule; None where there are too few."""

Exchange = Callable[[Sequence[VideoOption]], WrongOptions | None]
"""From options to the same as wrong ones beside another answer; None where one of them cannot be wrong."""


class Surroundings(Protocol):
    """What is annotated around a question, for who writes its wrong options and for who reads them."""

    def told(self) -> Mapping[str, Sequence[str]]:
        """Return what a writer is told, title → lines."""

    def option(self, text: str) -> VideoOption:
        """Return an option of these words."""

    def wrong(self, text: str) -> str:
        """Return why an option of these words cannot be a wrong one, "" where it can."""


@dataclass(frozen=True)
class VideoDraft:
    """One question with its right option, and the rules by which wrong ones can be drawn.

    start_s, stop_s : what of the video is shown; both 0: all of it
    group : what questions are drawn evenly over
    actions : the annotations that it comes from
    ground : what is annotated around it
    exchange : from options to the same as wrong ones beside this answer, None where one of them cannot be;
        None: no question of another clip can have the same options
    """

    id: str
    task: str
    text: str
    answer: VideoOption
    video: AnnotatedVideo
    actions: tuple[LabelledAction, ...]
    rules: Mapping[str, Draw]
    group: str
    ground: Surroundings
    start_s: float = 0.0
    stop_s: float = 0.0
    exchange: Exchange | None = None


@dataclass(frozen=True)
class DraftWithOptions:
    """A draft with the wrong options that were chosen, and the rule that they were drawn by."""

    draft: VideoDraft
    rule: str
    wrong: WrongOptions

    @property
    def options(self) -> tuple[VideoOption, ...]:
        """All options, the right one first."""
        return (self.draft.answer, *self.wrong)


def pick(rng: np.random.Generator, things: Sequence[VideoOption], count: int) -> WrongOptions | None:
    """Return so many of some options without repeating one; None where there are too few."""
    if len(things) < count:
        return None
    return tuple(things[i] for i in rng.choice(len(things), count, replace=False))


def drawn_evenly(drafts: Sequence[VideoDraft], most: int, seed: int) -> list[VideoDraft]:
    """Return at most so many drafts of each task, in turn from each of its groups; 0: all of them."""
    if not most:
        return list(drafts)
    kept: set[str] = set()
    for task in dict.fromkeys(d.task for d in drafts):
        groups: dict[str, list[VideoDraft]] = defaultdict(list)
        for draft in drafts:
            if draft.task == task:
                groups[draft.group].append(draft)
        kept |= {draft.id for draft in list(_in_turn(groups, seed))[:most]}
    return [draft for draft in drafts if draft.id in kept]


def _in_turn(groups: Mapping[str, list[VideoDraft]], seed: int) -> Iterator[VideoDraft]:
    order = sorted(groups, key=lambda name: digest(seed, "group", name))
    mixed = [sorted(groups[name], key=lambda d: digest(seed, "question", d.id)) for name in order]
    for turn in range(max(map(len, mixed), default=0)):
        yield from (some[turn] for some in mixed if turn < len(some))
