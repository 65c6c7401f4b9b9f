"""How far people agree: raw, Cohen's κ, Krippendorff's α with its interval, and what a clean sample shows.

Labels are texts. An item is a mapping person → label; who did not judge it is not in the mapping.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fathom.stats.intervals import beta_cdf
from fathom.store.seeds import rng

DRAWS = 1000
"""How many bootstrap samples an interval is made of."""

Labels = Mapping[str, str]
"""Who said what about one item."""


@dataclass(frozen=True)
class RaterAgreement:
    """How far people agree over items that at least two of them judged.

    raw : the share of pairs of judgements of one item that are the same; None without a pair
    alpha : Krippendorff's α for nominal labels, with `low` and `high` of its 95 % interval (items are drawn
        with replacement); None where nobody ever used a second label
    items, pairs : how many items have at least two judgements, and how many pairs these make
    """

    raw: float | None
    alpha: float | None
    low: float | None
    high: float | None
    items: int
    pairs: int


def agreement(items: Sequence[Labels], seed: str = "0") -> RaterAgreement:
    """Return how far people agree.

    >>> agreement([{"a": "right", "b": "right"}, {"a": "wrong", "b": "right"}]).raw
    0.5

    Ref: Krippendorff, Content Analysis, chapter 11 (coincidence matrix of nominal data).
    """
    judged = [tuple(labels.values()) for labels in items if len(labels) > 1]
    pairs = [a == b for labels in judged for a, b in combinations(labels, 2)]
    names = sorted({label for labels in judged for label in labels})
    counts = np.zeros((len(judged), len(names)))
    for row, labels in enumerate(judged):
        for label, n in Counter(labels).items():
            counts[row, names.index(label)] = n
    alpha = nominal_alpha(counts)
    low = high = None
    if alpha is not None and len(judged) > 1:
        draw = rng(seed, "agreement")
        drawn = (nominal_alpha(counts[draw.integers(len(judged), size=len(judged))]) for _ in range(DRAWS))
        told = [a for a in drawn if a is not None]
        if len(told) > DRAWS // 2:
            low, high = (float(v) for v in np.quantile(told, (0.025, 0.975)))
    raw = sum(pairs) / len(pairs) if pairs else None
    return RaterAgreement(raw, alpha, low, high, len(judged), len(pairs))


def nominal_alpha(counts: NDArray[np.float64]) -> float | None:
    """Return Krippendorff's α of (items, labels) counts of judgements; every item has at least two.

    None where there is no item, or only one label: disagreement could not have been seen.
    """
    if not len(counts):
        return None
    n_item = counts.sum(axis=1)
    total = counts.sum(axis=0)
    n = n_item.sum()
    expected = n * n - (total**2).sum()
    if not expected:
        return None
    observed = ((n_item**2 - (counts**2).sum(axis=1)) / (n_item - 1)).sum()
    return float(1 - (n - 1) * observed / expected)


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return Cohen's κ of two people's labels of the same items, in the same order.

    None where there are no items, or both only ever use one and the same label.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    if len(first) != len(second):
        raise ValueError(f"expected as many labels of both people, found {len(first)} and {len(second)}")
    n = len(first)
    if not n:
        return None
    agreed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    one, other = Counter(first), Counter(second)
    by_chance = sum(one[label] * other[label] for label in one) / n**2
    return None if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def pairwise_kappa(items: Sequence[Labels]) -> dict[tuple[str, str], tuple[float | None, int]]:
    """Return for each pair of people Cohen's κ over what both judged, and over how many items."""
    both: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for labels in items:
        for a, b in combinations(sorted(labels), 2):
            both[a, b].append((labels[a], labels[b]))
    return {
        pair: (cohen_kappa([a for a, _ in said], [b for _, b in said]), len(said))
        for pair, said in sorted(both.items())
    }


def share_bound(wrong: int, looked_at: int, confidence: float = 0.95) -> float:
    """Return the share of wrong items that a sample rules out to be exceeded (Clopper–Pearson, one-sided).

    >>> round(share_bound(0, 59), 3)
    0.05
    """
    if not 0 <= wrong <= looked_at:
        raise ValueError(f"expected 0 to {looked_at} wrong items, found {wrong}")
    if wrong == looked_at:
        return 1.0
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        # P(at most `wrong` of `looked_at` | share) = 1 − I_share(wrong + 1, looked_at − wrong)
        if 1 - beta_cdf(middle, wrong + 1, looked_at - wrong) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def sample_needed(share: float, wrong: int = 0, confidence: float = 0.95) -> int:
    """Return how many items have to be looked at so that `wrong` wrong ones rule out a share above `share`.

    >>> sample_needed(0.05)
    59
    """
    if not 0 < share < 1:
        raise ValueError(f"expected a share between 0 and 1, found {share}")
    n = wrong + 1
    while share_bound(wrong, n, confidence) > share:
        n += 1
    return n
