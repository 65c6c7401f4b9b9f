"""A question before it is written: what a scene offers, and what of that is selected."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from fathom.questions.templates import Template
from fathom.records import Record, Step

Cell = tuple[str, str]
"""A task, and a setting of videos or ""."""

Stratum = tuple[str, ...]
"""What candidates have in common whose answers are balanced together."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A question that could be asked of a scene, before its options are drawn.

    program : its steps, without a choice among options
    setting : where a video was taken; "" of other scenes
    """

    scene: str
    template: Template
    program: tuple[Step, ...]
    setting: str = ""

    @property
    def form(self) -> str:
        """The id of its template."""
        return self.template.id

    @property
    def cell(self) -> Cell:
        """The task and the setting, of which so many questions are wanted."""
        return self.template.task, self.setting

    @property
    def stratum(self) -> Stratum:
        """With which other candidates its answers are balanced: those of its template."""
        return (self.template.id,)


C = TypeVar("C")
Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class SceneCandidates(Generic[C]):
    """What one scene offers, and what became of everything that was tried there."""

    scene: str
    candidates: tuple[C, ...]
    tried: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Selected(Generic[C, Drawn]):
    """A candidate that becomes a question, and its options."""

    candidate: C
    options: Drawn


S = TypeVar("S", bound=Selected[Any, Any])


@dataclass
class Selection(Generic[S]):
    """What is asked of a build, and what became of what is wanted.

    wanted : how many questions are wanted of each task and setting, and how many of them are `short`
    reasons : why there are fewer, by task and setting
    tried : what became of all that was tried, by outcome
    missing : stratum → the share of a level spread that its answers lack
    refused : stratum → of how many candidates no options were found that anybody could tell apart
    levels : how many questions of a level are missing in a setting
    """

    selected: list[S] = field(default_factory=list)
    wanted: dict[Cell, int] = field(default_factory=dict)
    short: Counter[Cell] = field(default_factory=Counter)
    reasons: dict[Cell, str] = field(default_factory=dict)
    tried: Counter[str] = field(default_factory=Counter)
    missing: dict[Stratum, float] = field(default_factory=dict)
    refused: Counter[Stratum] = field(default_factory=Counter)
    levels: dict[tuple[str, str], int] = field(default_factory=dict)

    def by_scene(self) -> dict[str, list[S]]:
        """Return what is asked of each scene, in the order of the selection."""
        found: dict[str, list[S]] = defaultdict(list)
        for s in self.selected:
            found[s.candidate.scene].append(s)
        return dict(found)


AnySelection = Selection[Any]
"""What is asked of scenes of any kind."""


class SelectionCounts(Record, frozen=True, kw_only=True):
    """What is kept of a selection beside the questions: see `Selection`."""

    wanted: tuple[tuple[Cell, int], ...] = ()
    short: tuple[tuple[Cell, int], ...] = ()
    reasons: tuple[tuple[Cell, str], ...] = ()
    tried: dict[str, int] = {}
    missing: tuple[tuple[Stratum, float], ...] = ()
    levels: tuple[tuple[tuple[str, str], int], ...] = ()

    @property
    def selection(self) -> AnySelection:
        """What is known of the selection, without the questions."""
        return Selection(
            wanted=dict(self.wanted),
            short=Counter(dict(self.short)),
            reasons=dict(self.reasons),
            tried=Counter(self.tried),
            missing=dict(self.missing),
            levels=dict(self.levels),
        )


def counts_of(selection: AnySelection) -> SelectionCounts:
    """Return what is kept of a selection."""
    return SelectionCounts(
        wanted=tuple(selection.wanted.items()),
        short=tuple((cell, n) for cell, n in selection.short.items() if n),
        reasons=tuple(selection.reasons.items()),
        tried=dict(selection.tried),
        missing=tuple(selection.missing.items()),
        levels=tuple(selection.levels.items()),
    )
