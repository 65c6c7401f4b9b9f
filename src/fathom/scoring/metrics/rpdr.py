"""Relative performance when a factor is added: what share of the accuracy is kept.

Ref: PulseCheck457 §3.5 (there: "Relative Performance Dropping Rate").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.records import Score
from fathom.scoring.answers import Answers
from fathom.stats.bootstrap import bootstrap, percentile_interval, sums_by_scene

Floats = NDArray[np.float64]
Edges = Sequence[tuple[str, str]]


def retention(harder: Floats, easier: Floats) -> Floats:
    """Return min(1, harder / easier), NaN where the easier accuracy is 0 or unknown."""
    kept = np.divide(harder, easier, out=np.full(np.shape(harder), np.nan), where=np.asarray(easier) > 0)
    clipped: Floats = np.minimum(1.0, kept)
    return clipped


def factor_retentions(accuracies: Floats, tasks: Sequence[str], factors: Mapping[str, Edges]) -> Floats:
    """Return each factor's mean retention over its edges, (..., factors), from accuracies (..., tasks).

    `factors` gives for each factor its edges (harder task, easier task).
    """
    place = {task: i for i, task in enumerate(tasks)}
    columns = [
        np.mean([retention(accuracies[..., place[b]], accuracies[..., place[a]]) for b, a in edges], axis=0)
        for edges in factors.values()
    ]
    return np.stack(columns, axis=-1)


def rpdr(answers: Answers, factors: Mapping[str, Edges], seed: int, draws: int = 2_000) -> list[Score]:
    """Return the retention of each factor with its interval.

    All tasks share the draws of scenes, so that a ratio knows how its two accuracies go together, and each
    draw is clipped at 1 by itself.
    """
    tasks = sorted({task for edges in factors.values() for edge in edges for task in edge})
    of_tasks = answers.where(lambda q: q.task in tasks)
    names = [q.task for q in of_tasks.questions]
    scenes = [c or f"question {q.id}" for c, q in zip(of_tasks.clusters, of_tasks.questions, strict=True)]
    sums = sums_by_scene(of_tasks.values, scenes, names, tasks)
    if not sums.scenes:
        return [
            Score(name="rpdr", value=None, n=0, method="no question", group={"factor": f}) for f in factors
        ]
    values, drawn = bootstrap(sums, lambda m: factor_retentions(m, tasks, factors), seed, draws)
    counts = dict(zip(tasks, sums.counts.sum(axis=0).astype(int).tolist(), strict=True))
    scores = []
    for i, (factor, edges) in enumerate(factors.items()):
        known = bool(np.isfinite(values[i]))
        bounds = _bounds(float(values[i]), drawn[:, i], len(sums.scenes)) if known else None
        scores.append(
            Score(
                name="rpdr",
                value=float(values[i]) if known else None,
                n=sum(counts[t] for t in {task for edge in edges for task in edge}),
                method=f"joint bootstrap of {len(sums.scenes)} scenes, {draws} draws, 95 %, clipped in each",
                group={"factor": factor},
                low=bounds[0] if bounds else None,
                high=bounds[1] if bounds else None,
                note=_note(known, bounds),
            )
        )
    return scores


def _bounds(value: float, draws: Floats, scenes: int) -> tuple[float, float] | None:
    """Return the interval of a retention; None where every draw gives the same."""
    found = percentile_interval(draws, scenes)
    if found is None or found[0] == found[1]:
        return None
    return min(found[0], value), max(found[1], value)


def _note(known: bool, bounds: tuple[float, float] | None) -> str:
    if not known:
        return "an easier task has no question, or no right answer"
    return "" if bounds else "no interval: one scene, or every draw of scenes gives the same"
