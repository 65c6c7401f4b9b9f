"""Two runs compared by a metric of one's own: its difference, its interval, what is left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from fathom.pages.tables import as_text
from fathom.records import Groups, Question, SampleScore, Score
from fathom.scoring.compare_metrics import compare_metrics, metrics_table
from fathom.store.seeds import rng


def questions(scenes: int) -> list[Question]:
    return [
        Question(id=f"q{k:03d}", task="t", text="Which?", answer="a", groups=Groups(cluster=f"s{k // 3}"))
        for k in range(3 * scenes)
    ]


def samples(asked: Sequence[Question], values: Sequence[float]) -> list[SampleScore]:
    return [
        SampleScore(question=q.id, task="t", extractor="e", status="ok", value=v, how="x", picked="a")
        for q, v in zip(asked, values, strict=True)
    ]


def mean(asked: Sequence[Question], scores: Sequence[SampleScore], seed: int) -> list[Score]:
    # A metric that would go wrong where a question stands twice.
    value = {m.question: m.value for m in scores}
    found = float(np.mean([value[q.id] for q in asked])) if asked else None
    assert len(value) == len(scores)
    return [Score(name="mean", value=found, n=len(asked), method="mean", group={"of": "all"})]


def test_the_interval_of_a_mean_is_that_of_its_clusters_and_covers_the_truth() -> None:
    asked, covered = questions(30), 0
    for k in range(200):
        random = rng("compare metrics", k)
        scene = np.repeat(random.normal(size=30), 3)
        one = 0.6 + 0.2 * scene + 0.1 * random.normal(size=90)
        (found,) = compare_metrics(asked, samples(asked, one.tolist()), samples(asked, [0.5] * 90), [mean])
        assert found.value == pytest.approx(one.mean() - 0.5)
        assert found.low is not None and found.high is not None
        by_scene = one.reshape(30, 3).mean(axis=1)
        error = by_scene.std(ddof=1) / np.sqrt(30)
        assert found.high - found.low == pytest.approx(2 * 2.045 * error, rel=1e-3)
        covered += found.low <= 0.1 <= found.high
    assert 0.91 <= covered / 200 <= 0.99


def test_a_part_is_left_out_of_both_runs_alike_and_what_is_not_asked_alike_of_both() -> None:
    asked = questions(60)
    seen: list[int] = []

    def counted(some: Sequence[Question], scores: Sequence[SampleScore], seed: int) -> list[Score]:
        seen.append(len(some))
        return mean(some, scores, seed)

    values = np.arange(180) / 180
    (found,) = compare_metrics(
        asked,
        samples(asked, values.tolist()),
        samples(asked[:177], (values[:177] - 0.25).tolist()),
        [counted],
    )
    # Alike by the same amount everywhere: nothing is uncertain. 59 scenes in 40 parts, of one or two.
    assert [found.value, found.low, found.high] == pytest.approx([0.25] * 3)
    assert len(seen) == 2 * 41 and seen[:2] == [177, 177] and set(seen[2:]) == {171, 174}
    assert seen[2::2] == seen[3::2]


def test_what_is_unknown_without_a_part_has_no_interval_and_is_printed_so() -> None:
    asked = questions(2)

    def whole_only(some: Sequence[Question], scores: Sequence[SampleScore], seed: int) -> list[Score]:
        value = 12.0 if len(some) == 6 and scores[0].value else None
        return [Score(name="whole", value=value, n=len(some), method="mean")]

    (a, b) = samples(asked, [1.0] * 6), samples(asked, [0.0] * 6)
    (found, known) = compare_metrics(asked, a, b, [whole_only, mean])
    assert (found.first, found.second, found.value, found.low) == (12.0, None, None, None)
    assert known.value == 1.0
    text = as_text(metrics_table((found, known), ("one", "two")))
    assert "whole" in text and "+1.00 [+1.00, +1.00]" in text and "mean, of all" in text
    (alone,) = compare_metrics(asked[:3], a[:3], b[:3], [mean])
    assert alone.value == 1.0 and alone.low is None
    assert "+1.00 [–]" in as_text(metrics_table((alone,), ("one", "two")))
    assert compare_metrics(asked, a, b, []) == ()
