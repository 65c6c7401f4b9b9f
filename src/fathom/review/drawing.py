"""Which items of a source a review has, where it has a sample of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from fathom.review.records import ReviewItem
from fathom.store.seeds import rng

Stratum = Callable[[ReviewItem], tuple[str, ...]]


def drawn_items(
    items: Sequence[ReviewItem], wanted: int, seed: str, stratum: Stratum | None = None
) -> list[ReviewItem]:
    """Return `wanted` items in the order in which they came; all of them where there are no more, or for 0.

    With `stratum`, each stratum has as many as the others where it has so many, so that rare kinds are looked
    at as well; `weight` is how many items of its stratum one stands for.
    """
    if not wanted or wanted >= len(items):
        return list(items)
    if stratum is None:
        chosen = rng(seed, "sample of a review").permutation(len(items))[:wanted]
        return [items[k] for k in sorted(chosen)]
    strata: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for k, item in enumerate(items):
        strata[stratum(item)].append(k)
    taken = shared_out({key: len(there) for key, there in strata.items()}, wanted)
    weights: dict[int, float] = {}
    for key, there in strata.items():
        order = rng(seed, "sample of a review", *key).permutation(len(there))[: taken[key]]
        weights |= {there[k]: len(there) / taken[key] for k in order}
    return [replace(items[k], weight=weights[k]) for k in sorted(weights)]


def shared_out(sizes: Mapping[tuple[str, ...], int], wanted: int) -> dict[tuple[str, ...], int]:
    """Return how many of each stratum are taken: as many of each as it has, filled up evenly."""
    taken = dict.fromkeys(sizes, 0)
    left = min(wanted, sum(sizes.values()))
    while left:
        open_ones = [key for key in sorted(sizes) if taken[key] < sizes[key]]
        for key in open_ones[:left] if left < len(open_ones) else open_ones:
            taken[key] += 1
            left -= 1
    return taken
