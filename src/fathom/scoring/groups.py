"""Groups of passes that are right together or not at all: circular, flip, both, beside each pass by itself.

plain      each pass: one order of the options, on one image
circular   all rotations of a question's options
flip       a question and the one on the mirror image, in the same rotation
both       all rotations, on the image and on its mirror image

A pass is right when its sample score is worth 1. Where a pass has no answer (it failed, or never came), a
wrong one still decides its group; without one the group is open: not right, and counted in the score's note.
A group of which a question was not asked at all is left out, whatever the others say.

Ref: 3DSRBench §3.4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fathom.pages.names import number_of
from fathom.pages.published import NOT_AVAILABLE
from fathom.records import Question, SampleScore, Score
from fathom.stats.clusters import cluster_of
from fathom.stats.intervals import interval_of_passes

Grouping = Literal["plain", "circular", "flip", "both"]

GROUPINGS: tuple[Grouping, ...] = ("plain", "circular", "flip", "both")
ROTATED: tuple[Grouping, ...] = ("circular", "both")
FLIPPED: tuple[Grouping, ...] = ("flip", "both")

Facets = Mapping[str, Callable[[Question], str]]
Values = Mapping[tuple[str, int], Sequence[float | None]]
"""What each pass is worth, by question and rotation; None where no answer came. Several are repeats."""


@dataclass(frozen=True)
class Stopped:
    """That a run was stopped early: under which grouping and which extractor its verdicts are decided."""

    grouping: Grouping
    extractor: str

    def knows(self, grouping: Grouping) -> bool:
        """Return whether verdicts of `grouping` are decided; those of both follow from circular ones."""
        return grouping == self.grouping or (self.grouping == "circular" and grouping == "both")


@dataclass(frozen=True)
class PassGroup:
    """Passes that count as one: the first question of them, how many there are, whether they are right.

    `right` is None where that is open.
    """

    question: Question
    passes: int
    right: bool | None

    @property
    def chance(self) -> float:
        """Return how likely a guesser is right who draws an option in each pass; 0 where none are given."""
        options = len(self.question.choices or self.question.possible)
        return float(options**-self.passes) if options else 0.0

    @property
    def cluster(self) -> str:
        """Return what the group shares its errors with."""
        return cluster_of(self.question) or self.question.id


def all_right(values: Iterable[float | None]) -> bool | None:
    """Return whether every pass is right: False as soon as one is wrong, None where that hangs on one without
    an answer.
    """
    open_ = False
    for value in values:
        if value is not None and value < 1:
            return False
        open_ = open_ or value is None
    return None if open_ else True


def group_name(question_id: str, flip: str, grouping: Grouping) -> str:
    """Return the name of the group that a question's passes belong to."""
    return f"flip/{flip}" if grouping in FLIPPED and flip else f"question/{question_id}"


def rotation_of(sample_score: SampleScore) -> int:
    """Return the number of a sample score's rotation: which option of the official order comes first."""
    return sample_score.variant.option_order[0] if sample_score.variant.option_order else 0


def values_of(sample_scores: Iterable[SampleScore]) -> Values:
    """Return what each pass is worth."""
    values: defaultdict[tuple[str, int], list[float | None]] = defaultdict(list)
    for sample_score in sample_scores:
        values[sample_score.question, rotation_of(sample_score)].append(
            None if sample_score.status == "failed" else sample_score.value
        )
    return values


def form_groups(
    questions: Sequence[Question], values: Values, grouping: Grouping, early: bool = False
) -> tuple[list[PassGroup], int]:
    """Return the groups, in the order of their first questions' ids, and how many were left out.

    Left out are those of which a question has no answer at all, unless the run was stopped `early`: then
    such a question was not needed.
    """
    asked = {question for question, _ in values}
    together: defaultdict[str, list[Question]] = defaultdict(list)
    for q in sorted(questions, key=lambda q: q.id):
        together[group_name(q.id, q.groups.flip, grouping)].append(q)
    groups: list[PassGroup] = []
    left_out = 0
    for members in together.values():
        there = sum(q.id in asked for q in members)
        if there == 0:
            continue
        if there < len(members) and not early:
            left_out += 1
            continue
        groups += _groups_among(members, values, grouping)
    return groups, left_out


def _groups_among(members: Sequence[Question], values: Values, grouping: Grouping) -> list[PassGroup]:
    """Return the one group of these questions, or one for each rotation in which they were put."""
    first = members[0]
    if grouping in ROTATED:
        passes = [(q.id, r) for q in members for r in range(max(1, len(q.choices)))]
        return [_group(first, passes, values)]
    put = sorted({r for q in members for r in range(max(1, len(q.choices))) if (q.id, r) in values})
    return [_group(first, [(q.id, r) for q in members], values) for r in put]


def _group(first: Question, passes: Sequence[tuple[str, int]], values: Values) -> PassGroup:
    worth = [value for p in passes for value in values.get(p) or (None,)]
    return PassGroup(first, len(passes), all_right(worth))


def group_scores(
    questions: Sequence[Question],
    sample_scores: Sequence[SampleScore],
    facets: Facets,
    stopped: Stopped | None = None,
) -> list[Score]:
    """Return the accuracy of each grouping that the run or the dataset has, overall and by facet, and chance.

    `questions` are all of the dataset. Nothing is returned where options were not rotated and there are no
    mirror images. A grouping that cannot be computed has a score without a value that says why.
    """
    values = values_of(sample_scores)
    rotated = any(sample_score.variant.option_order for sample_score in sample_scores)
    flips = [q.groups.flip for q in questions if q.groups.flip]
    paired = len(set(flips)) < len(flips)
    scores: list[Score] = []
    for grouping in GROUPINGS:
        if not (rotated or paired) or (grouping in FLIPPED and not paired):
            continue
        why = _why_not(grouping, rotated, sample_scores, stopped)
        if why:
            scores.append(_score(grouping, [], {}, why))
            continue
        groups, left_out = form_groups(questions, values, grouping, stopped is not None)
        said = f"{number_of(left_out, 'group')} left out: not all of their questions were asked"
        note = said if left_out else ""
        scores += _with_chance(grouping, groups, {}, note)
        for key, name in facets.items():
            parts: defaultdict[str, list[PassGroup]] = defaultdict(list)
            for group in groups:
                parts[name(group.question)].append(group)
            for part in sorted(parts):
                if part:
                    scores += _with_chance(grouping, parts[part], {key: part}, "")
    return scores


def _why_not(
    grouping: Grouping, rotated: bool, sample_scores: Sequence[SampleScore], stopped: Stopped | None
) -> str:
    """Return why a grouping cannot be computed, or ""."""
    if grouping in ROTATED and not rotated:
        return "the options were not rotated; run the model with --protocol circular"
    if stopped is None:
        return ""
    if any(sample_score.extractor != stopped.extractor for sample_score in sample_scores):
        return f"the run was stopped early under the extractor {stopped.extractor}, and is read under another"
    if not stopped.knows(grouping):
        return f"the run was stopped early, once {stopped.grouping} groups were decided"
    return ""


def _with_chance(
    grouping: Grouping, groups: Sequence[PassGroup], group: dict[str, str], note: str
) -> list[Score]:
    if not groups:
        return [_score(grouping, groups, group, "no group was asked as a whole")]
    open_ = sum(g.right is None for g in groups)
    if open_:
        said = number_of(open_, "group is open, and counts", "groups are open, and count")
        note = "; ".join(filter(None, [f"{said} as not right", note]))
    chance = Score(
        name=f"chance_{grouping}",
        value=sum(g.chance for g in groups) / len(groups),
        n=len(groups),
        method="an option drawn in each pass, from the options themselves",
        group=group,
    )
    return [_score(grouping, groups, group, note=note), chance]


def _score(
    grouping: Grouping, groups: Sequence[PassGroup], group: dict[str, str], why_not: str = "", note: str = ""
) -> Score:
    name = f"accuracy_{grouping}"
    if why_not:
        return Score(name=name, value=None, n=0, method=NOT_AVAILABLE, group=group, note=why_not)
    found = interval_of_passes(
        [float(g.right is True) for g in groups],
        [g.question.id for g in groups],
        [g.cluster for g in groups],
    )
    return Score(
        name=name,
        value=found.value,
        n=found.n,
        method=f"Wilson interval, 95 %, clustered by {found.clusters}; right where every pass is",
        group=group,
        low=found.low,
        high=found.high,
        note=note,
    )
