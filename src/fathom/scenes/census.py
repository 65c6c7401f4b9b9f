"""What was drawn: the distribution of every attribute and of headings, and whether it is uniform."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fathom.geometry.poses import heading_rad
from fathom.records import Scene

HEADING_BINS = 24


@dataclass(frozen=True)
class Census:
    """One attribute: how often each value was drawn, and the chi-square test against uniform.

    `p_value` is the chance of counts at least as uneven when all values are equally likely.
    """

    name: str
    counts: dict[str, int]
    chi_square: float
    degrees: int
    p_value: float


def tally(name: str, values: Iterable[str], possible: Sequence[str]) -> Census:
    """Return the census of `values` over the `possible` ones."""
    from scipy.stats import chi2

    found = Counter(values)
    counts = {p: found.get(p, 0) for p in possible}
    n, k = sum(counts.values()), len(possible)
    statistic = sum((c - n / k) ** 2 / (n / k) for c in counts.values()) if n else 0.0
    p = float(chi2.sf(statistic, k - 1)) if k > 1 else 1.0
    return Census(name, counts, statistic, k - 1, p)


def headings_rad(scenes: Iterable[Scene]) -> np.ndarray:
    """Return the headings of all objects, in [0, 2π)."""
    return np.array([heading_rad(t.poses[0]) for s in scenes for t in s.objects])


def seen_headings_rad(scenes: Iterable[Scene]) -> np.ndarray:
    """Return the headings of all objects relative to the camera's view of them, in [0, 2π).

    0: it faces away along the ray from the camera to it; a quarter turn: it faces the picture's right.
    """
    out = []
    for s in scenes:
        cx, cy, _ = s.cameras[0].poses[0].position_m
        for t in s.objects:
            x, y, _ = t.poses[0].position_m
            out.append((math.atan2(y - cy, x - cx) - heading_rad(t.poses[0])) % (2 * math.pi))
    return np.array(out)


def census(
    scenes: Sequence[Scene],
    subtypes: Sequence[str],
    sizes: Sequence[str],
    colors: Sequence[str],
    fewest: int,
    most: int,
) -> tuple[Census, ...]:
    """Return the census of what scenes drew: objects a scene, subtype, size, color, heading."""
    objects = [t for s in scenes for t in s.objects]
    bins = (headings_rad(scenes) / (2 * math.pi) * HEADING_BINS).astype(int) % HEADING_BINS
    step = 360 // HEADING_BINS
    return (
        tally("objects", (str(len(s.objects)) for s in scenes), [str(n) for n in range(fewest, most + 1)]),
        tally("subtype", (t.subtype for t in objects), subtypes),
        tally("size", (t.attributes["size"] for t in objects), sizes),
        tally("color", (t.attributes["color"] for t in objects if t.attributes["color"]), colors),
        tally("heading", (f"{b * step}°" for b in bins), [f"{b * step}°" for b in range(HEADING_BINS)]),
    )
