"""Accuracy against margin: is it harder where the relation barely holds?"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fathom.records import Question, Score
from fathom.scoring.answers import Answers
from fathom.scoring.metrics.accuracy import accuracy
from fathom.stats.intervals import cluster_codes, t_quantile

Floats = NDArray[np.float64]

EDGES = (0.0, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, float("inf"))
"""Of the bins, in units of the relation's tolerance; a margin on an edge belongs to the bin above."""
NO_THRESHOLD = "no threshold"


def margin_bins() -> tuple[str, ...]:
    """Return the names of the bins from the smallest margin on, then that of questions without one."""
    names = [f"{a:g} to {b:g}" for a, b in pairwise(EDGES[:-1])]
    return (f"below {EDGES[1]:g}", *names[1:], f"{EDGES[-2]:g} and more", NO_THRESHOLD)


def bin_of(question: Question) -> str:
    """Return the name of the bin that the question's margin falls into."""
    if question.margin is None:
        return NO_THRESHOLD
    return margin_bins()[max(0, int(np.searchsorted(EDGES, question.margin.ratio, side="right")) - 1)]


def accuracy_by_margin(answers: Answers) -> list[Score]:
    """Return the accuracy in each bin of margins: over all questions, by task, and by relation."""
    scores = _in_bins(answers, {})
    for task, some in answers.by(lambda q: q.task).items():
        scores += _in_bins(some, {"task": task})
    for relation, some in answers.by(lambda q: q.margin.relation if q.margin else "").items():
        units = sorted({q.margin.unit for q in some.questions if q.margin})
        scores += _in_bins(some, {"relation": relation, "unit": ", ".join(units)})
    return scores


def _in_bins(answers: Answers, group: dict[str, str]) -> list[Score]:
    bins = answers.by(bin_of)
    return [accuracy(bins[name], {**group, "margin": name}) for name in margin_bins() if name in bins]


def margin_slope(answers: Answers) -> list[Score]:
    """Return how the log-odds of a right answer change when the margin doubles, overall and by relation.

    A logistic regression on log2 of the margin, its interval from the sandwich error clustered by scene.
    Empty where margins or answers are all alike, or separate right from wrong without a rest.
    """
    with_margin = answers.where(lambda q: q.margin is not None and q.margin.ratio > 0)
    groups = {"": with_margin} | with_margin.by(lambda q: q.margin.relation if q.margin else "")
    scores = []
    for relation, some in groups.items():
        x = np.log2([q.margin.ratio for q in some.questions if q.margin])
        fitted = logistic_slope(x, some.values, cluster_codes(some.clusters, len(x)))
        if fitted is None:
            continue
        slope, error, degrees = fitted
        half = t_quantile(0.975, degrees) * error
        scores.append(
            Score(name="margin_slope", value=slope, n=len(x), low=slope - half, high=slope + half,
                  method="log-odds per doubling of the margin, 95 %, clustered by scene",
                  group={"relation": relation} if relation else {})
        )  # fmt: skip
    return scores


def logistic_slope(x: Floats, y: Floats, codes: NDArray[np.intp]) -> tuple[float, float, float] | None:
    """Return slope, clustered standard error and degrees of freedom of y (n,) on x (n,), if there are any."""
    groups = int(codes.max()) + 1 if len(codes) else 0
    if groups < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    design = np.column_stack([np.ones_like(x), x - x.mean()])
    beta = np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
        bread = design.T @ (design * (p * (1 - p))[:, None])
        if np.linalg.cond(bread) > 1e12:
            return None
        step = np.linalg.solve(bread, design.T @ (y - p))
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    else:
        return None
    residuals = design * (y - p)[:, None]
    pulls = np.column_stack([np.bincount(codes, weights=residuals[:, j]) for j in (0, 1)])
    inverse = np.linalg.inv(bread)
    covariance = groups / (groups - 1) * inverse @ (pulls.T @ pulls) @ inverse
    return float(beta[1]), float(np.sqrt(covariance[1, 1])), float(groups - 1)
