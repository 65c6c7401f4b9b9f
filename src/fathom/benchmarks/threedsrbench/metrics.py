"""The scores that are 3DSRBench's own: what is lost from a common to an uncommon viewpoint, and pairs.

Ref: 3DSRBench §3.2, §4.4, Table 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fathom.benchmarks.threedsrbench.paper import CATEGORIES
from fathom.benchmarks.threedsrbench.tasks import SPLITS, category_of, split_of
from fathom.records import Question, SampleScore, Score
from fathom.scoring.groups import Grouping, PassGroup, form_groups, values_of
from fathom.stats.intervals import accuracy_interval
from fathom.stats.paired import paired_difference

REAL, COMMON, UNCOMMON = SPLITS
LEAST = 2
"""From so many pairs, on as many scenes, on a difference is told."""


def scores(questions: Sequence[Question], sample_scores: Sequence[SampleScore], seed: int) -> list[Score]:
    """Return how much higher the accuracy is on common viewpoints, over the same questions on both, with its
    interval, and how many complementary pairs are solved: of all and by category, in circular groups where
    options were rotated.
    """
    rotated = any(s.variant.option_order for s in sample_scores)
    grouping: Grouping = "circular" if rotated else "plain"
    groups, _ = form_groups(questions, values_of(sample_scores), grouping)
    views = _joined(groups, room_of, split_of)
    pairs = [*_joined(groups, split_of, room_of), *_photographed(groups)]
    found = [_drop(views, {}, grouping, seed), _solved(pairs, {}, grouping)]
    for category in CATEGORIES.values():
        some = [_of_category(joined, category) for joined in (views, pairs)]
        found.append(_drop(some[0], {"category": category}, grouping, seed))
        found.append(_solved(some[1], {"category": category}, grouping))
    for split in SPLITS:
        own = [p for p in pairs if split_of(next(iter(p.values())).question) == split]
        found.append(_solved(own, {"split": split}, grouping))
    return [s for s in found if s is not None]


def room_of(question: Question) -> str:
    """Return whether the room was as it was, or changed."""
    return question.tags.get("room", "")


def _joined(
    groups: Sequence[PassGroup], same: Callable[[Question], str], differ: Callable[[Question], str]
) -> list[dict[str, PassGroup]]:
    """Return questions in the same words that have one thing the same, by what differs: two of each."""
    found: dict[tuple[str, str, str], dict[str, PassGroup]] = {}
    for group in groups:
        q = group.question
        if q.groups.pair and split_of(q) in (COMMON, UNCOMMON):
            image = q.tags.get("mirrored", "")
            found.setdefault((q.groups.pair, same(q), image), {})[differ(q)] = group
    return [f for f in found.values() if len(f) == 2]


def _photographed(groups: Sequence[PassGroup]) -> list[dict[str, PassGroup]]:
    """Return questions in the same words about two photographs, by their answers: two of each."""
    found: dict[tuple[str, str], dict[str, PassGroup]] = {}
    for group in groups:
        q = group.question
        if q.groups.pair and split_of(q) == REAL:
            found.setdefault((q.groups.pair, q.tags.get("flipped", "")), {})[q.answer] = group
    return [f for f in found.values() if len(f) == 2]


def _of_category(joined: Sequence[dict[str, PassGroup]], category: str) -> list[dict[str, PassGroup]]:
    return [p for p in joined if category_of(next(iter(p.values())).question) == category]


def _solved(pairs: Sequence[dict[str, PassGroup]], group: dict[str, str], grouping: Grouping) -> Score | None:
    clusters = [next(iter(p.values())).cluster for p in pairs]
    if len(set(clusters)) < LEAST:
        return None
    right = [float(all(g.right is True for g in p.values())) for p in pairs]
    found = accuracy_interval(right, clusters)
    return Score(
        name="accuracy_pairs",
        value=found.value,
        n=found.n,
        method=f"pairs with opposite answers of which both are right ({grouping}); Wilson interval, 95 %",
        group=group,
        low=found.low,
        high=found.high,
    )


def _drop(
    pairs: Sequence[dict[str, PassGroup]], group: dict[str, str], grouping: Grouping, seed: int
) -> Score | None:
    clusters = [p[COMMON].cluster for p in pairs]
    if len(set(clusters)) < LEAST:
        return None
    worth = [[float(p[split].right is True) for p in pairs] for split in (COMMON, UNCOMMON)]
    found = paired_difference(worth[0], worth[1], clusters, seed=seed)
    return Score(
        name="viewpoint_drop",
        value=found.value,
        n=found.n,
        method=f"accuracy ({grouping}) on common less that on uncommon viewpoints, the same questions",
        group=group,
        low=found.low,
        high=found.high,
    )
