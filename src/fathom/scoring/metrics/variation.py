"""The coefficient of variation of label frequencies: 0 where all labels come equally often.

With K labels and all answers the same it is √(K − 1) with the population's σ, √K with that of a sample. Even
fair answers give more than 0: about √(K / n) for n answers; so the right answers' own stands beside it, and
the interval is of what sets of as many scenes give.

Ref: PulseCheck457 §4.4, equation 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fathom.records import Score
from fathom.scoring.metrics.labels import AttributeLabels
from fathom.stats.bootstrap import centred_interval, drawn_sums

Floats = NDArray[np.float64]


def coefficient_of_variation(counts: ArrayLike, sample: bool = False) -> Floats:
    """Return σ / μ of label counts (..., labels), (...); NaN without answers, or a sample of one label."""
    n = np.asarray(counts, dtype=float)
    k = n.shape[-1]
    mean = n.mean(axis=-1)
    spread = np.sqrt(((n - mean[..., None]) ** 2).sum(axis=-1) / (k - 1 if sample and k > 1 else k))
    result = np.divide(spread, mean, out=np.full(np.shape(mean), np.nan), where=mean > 0)
    return np.where(np.full(np.shape(mean), sample and k < 2), np.nan, result)


def variation(labels: AttributeLabels, seed: int, draws: int = 2_000) -> list[Score]:
    """Return the coefficient of variation of what was picked and of what was right, population and sample.

    Picked words that are no label, and what could not be read, are left out; `n` counts what is left.
    """
    picked = [b for _, b in labels.pairs]
    right = [a for a, _ in labels.pairs]
    return [
        score
        for of, chosen in (("predictions", picked), ("answers", right))
        for score in _both(labels, chosen, of, seed, draws)
    ]


def _both(labels: AttributeLabels, chosen: Sequence[str], of: str, seed: int, draws: int) -> list[Score]:
    scenes = sorted(set(labels.scenes))
    counts = _counts(labels, chosen, scenes)
    drawn = drawn_sums(counts, draws, seed) if len(scenes) > 1 else np.zeros((0, 1))
    scores = []
    for name, sample in (("cv_population", False), ("cv_sample", True)):
        value = float(coefficient_of_variation(counts.sum(axis=0), sample)) if counts.size else float("nan")
        known = bool(np.isfinite(value))
        bounds = None
        if known and len(drawn):
            drawn_values = coefficient_of_variation(drawn, sample)
            bounds = centred_interval(value, drawn_values, len(scenes), least=0.0)
        scores.append(
            Score(
                name=name,
                value=value if known else None,
                n=int(counts.sum()),
                method=f"σ / μ over {len(labels.names)} labels, σ of the {name.removeprefix('cv_')}",
                group={"attribute": labels.attribute, "of": of},
                low=bounds[0] if bounds else None,
                high=bounds[1] if bounds else None,
            )
        )
    return scores


def _counts(labels: AttributeLabels, chosen: Sequence[str], scenes: Sequence[str]) -> Floats:
    row = {s: i for i, s in enumerate(scenes)}
    column = {name: i for i, name in enumerate(labels.names)}
    counts = np.zeros((len(scenes), len(labels.names)))
    for scene, label in zip(labels.scenes, chosen, strict=True):
        if label in column:
            counts[row[scene], column[label]] += 1
    return counts
