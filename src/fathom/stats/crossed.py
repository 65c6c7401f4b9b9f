"""Intervals for what several people answered about the same scenes: both people and scenes were drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from fathom.stats.bootstrap import percentile_interval
from fathom.stats.intervals import Interval, accuracy_interval, cluster_codes
from fathom.store.seeds import rng

DRAWS = 2_000


def crossed_interval(
    values: ArrayLike, people: Sequence[str], scenes: Sequence[str], seed: int | str, confidence: float = 0.95
) -> Interval:
    """Return the mean of answers (n,), each from 0 to 1, with an interval over people and over scenes.

    People and scenes are drawn again, each by themselves, and an answer counts as often as its person times
    its scene was drawn (Owen 2007). The interval is never narrower than that over scenes alone; of one person
    it is that one, for nothing is known of others.

    >>> one = crossed_interval([1, 1, 0, 1], ["Ana"] * 4, ["a", "b", "c", "d"], "0")
    >>> one.value, one.low < 0.75 < one.high
    (0.75, True)
    """
    y = np.asarray(values, dtype=float)
    found = accuracy_interval(y, scenes, confidence)
    who, where = cluster_codes(people, len(y)), cluster_codes(scenes, len(y))
    drawn_from = int(who.max()) + 1, int(where.max()) + 1
    if drawn_from[0] < 2:
        return found
    g = rng(seed, "bootstrap by people and scenes")
    of_people, of_scenes = (g.multinomial(n, np.full(n, 1 / n), size=DRAWS) for n in drawn_from)
    weights = of_people[:, who] * of_scenes[:, where]
    totals = weights.sum(axis=1)
    means = (weights @ y)[totals > 0] / totals[totals > 0]
    bounds = percentile_interval(means, min(drawn_from), confidence)
    low, high = bounds or (0.0, 1.0)
    return Interval(
        found.value, max(0.0, min(found.low, low)), min(1.0, max(found.high, high)), found.n, found.clusters,
        float(means.std()), min(drawn_from) - 1.0,
    )  # fmt: skip
