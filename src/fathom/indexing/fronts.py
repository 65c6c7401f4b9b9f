"""Which way a model probably looks: measured on its triangles, and read from the names in the file.

A guess to be corrected by eye, never more: headings are taken from reviewed manifests only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fathom.assets.model import Part, Points
from fathom.store.seeds import rng

_SAMPLES = 4096

_AHEAD = re.compile(
    r"head.?li|light.?front|front|bonnet|hood|wind.?s(c|h)(r|i)e|grill|nose|bow\b|steer|handle"
)
_BEHIND = re.compile(r"tail|light.?back|light.?rear|back|rear|brake|boot|trunk|exhaust|stern|rudder")
_GLASS = re.compile(r"glass|window|wind.?s(c|h)")


@dataclass(frozen=True)
class Guess:
    """A believed front axis, how sure it is (0.5 is a coin, 1 is certain), and what speaks for it."""

    front: str
    confidence: float
    reasons: tuple[str, ...]


def guess_front(parts: Sequence[Part]) -> Guess:
    """Return the believed front of parts in a file's frame, +y up."""
    points, normals, owner = _sampled(parts)
    low, high = points.min(axis=0), points.max(axis=0)
    centred = (points - (low + high) / 2) / max(float((high - low).max()), 1e-12)
    mirrored = {axis: _mirror_error(centred, axis) for axis in (0, 2)}
    along, sure_axis, why = _long_axis(mirrored, high - low)
    votes = _votes(parts, owner, centred, normals, along)
    total = sum(v for v, _ in votes)
    letter = "xyz"[along]
    reasons = (why, *(f"{word} ({'+' if v > 0 else '-'}{letter})" for v, word in votes if abs(v) > 0.15))
    return Guess(
        front=f"{'+' if total >= 0 else '-'}{letter}",
        confidence=round(sure_axis * (1 / (1 + math.exp(-2 * abs(total)))), 2),
        reasons=reasons,
    )


def _sampled(parts: Sequence[Part]) -> tuple[Points, Points, np.ndarray]:
    """Return points spread evenly over the surface, the normals there, and the index of each one's part."""
    corners = np.concatenate([p.vertices[p.faces] for p in parts])
    owner = np.repeat(np.arange(len(parts)), [len(p.faces) for p in parts])
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(cross, axis=1)
    g = rng("front", "samples")
    chosen = g.choice(len(area), _SAMPLES, p=area / area.sum())
    a, b = g.random((2, _SAMPLES))
    flip = a + b > 1
    a, b = np.where(flip, 1 - a, a), np.where(flip, 1 - b, b)
    t = corners[chosen]
    points = t[:, 0] + a[:, None] * (t[:, 1] - t[:, 0]) + b[:, None] * (t[:, 2] - t[:, 0])
    return points, cross[chosen] / area[chosen][:, None], owner[chosen]


def _mirror_error(points: Points, axis: int) -> float:
    """Return the mean distance from the mirrored points to the nearest ones, in lengths of the model."""
    from scipy.spatial import cKDTree

    flipped = points.copy()
    flipped[:, axis] *= -1
    distances, _ = cKDTree(points).query(flipped)
    return float(np.mean(distances))


def _long_axis(error: dict[int, float], size: Points) -> tuple[int, float, str]:
    """Return the axis that the front lies on, how sure that is, and why.

    Objects are alike left and right; where they are alike both ways, they are longer than wide.
    """
    ratio = math.log((error[0] + 1e-4) / (error[2] + 1e-4))
    length = math.log(max(float(size[2]), 1e-9) / max(float(size[0]), 1e-9))
    # A positive score says that x is across and z along.
    score = -1.6 * ratio + 1.2 * length
    along = 2 if score >= 0 else 0
    why = "mirror symmetry" if abs(1.6 * ratio) >= abs(1.2 * length) else "longer than wide"
    return along, 0.5 + 0.5 * math.tanh(abs(score)), why


def _votes(
    parts: Sequence[Part], owner: np.ndarray, points: Points, normals: Points, along: int
) -> list[tuple[float, str]]:
    """Return what speaks for the positive (or, negative, for the other) end of an axis, and its name."""
    names = [f"{p.name} {p.material.name}".lower() for p in parts]
    place = points[:, along]
    votes = []
    for pattern, weight, word in ((_AHEAD, 3.0, "names of the front"), (_BEHIND, -3.0, "names of the rear")):
        named = np.array([bool(pattern.search(n)) for n in names])[owner]
        if named.any() and not named.all():
            votes.append((weight * _far(place[named]), word))
    glass = np.array([bool(_GLASS.search(n)) for n in names])[owner]
    votes.append((_slant(normals[glass & (points[:, 1] > -0.1)], along), "slanting window"))
    votes.append((_low_end(points, along), "lower end"))
    votes.append((0.25 if along == 2 else 0.0, "the format's custom"))
    return votes


def _far(place: Points) -> float:
    """Return how clearly something lies at one end: its mean place, doubled, in −1..1."""
    return float(np.clip(2.5 * place.mean(), -1, 1))


def _slant(normals: Points, along: int) -> float:
    """Return which way the glass that leans back looks: a windscreen leans more than a rear window."""
    if len(normals) < 20:
        return 0.0
    n = np.where(normals[:, 1:2] < 0, -normals, normals)
    leaning = (n[:, 1] > 0.2) & (n[:, 1] < 0.9) & (np.abs(n[:, along]) > 0.3)
    return float(np.clip(3 * n[leaning, along].sum() / len(n), -1.2, 1.2))


def _low_end(points: Points, along: int) -> float:
    """Return which end is lower: bonnets are lower than boots, and tails higher than noses."""
    place = points[:, along]
    reach = float(np.abs(place).max())

    def top(end: np.ndarray) -> float:
        return float(np.quantile(points[end, 1], 0.9)) if end.any() else 0.0

    return float(np.clip(4 * (top(place < -0.6 * reach) - top(place > 0.6 * reach)), -0.8, 0.8))
