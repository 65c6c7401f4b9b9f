"""Room on the ground: where a prop can stand without touching anything at any time of the film."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.model import Model, Points
from fathom.assets.props.catalogue import SCREEN
from fathom.geometry.poses import pose_at, to_world
from fathom.records import Pose, Scene
from fathom.scenes.scene_at_time import models_at

LOOSE = 0.03
"""How far from the actor what it wears may be, as a share of its longest side."""

MOST_STEPS = 40
MOST_CELLS = 1 << 24
"""Up to how many cells a grid is laid out in memory."""


def surface_points(model: Model, pose: Pose) -> Points:
    """Return (n, 3) world points on a model's surface: corners, middles of edges and of triangles."""
    out = []
    for p in model.parts:
        t = p.vertices[p.faces]
        mid = (t + t[:, [1, 2, 0]]) / 2
        out += [t.reshape(-1, 3), mid.reshape(-1, 3), (t[:, 0] + t[:, 1] + t[:, 2]) / 3]
    return to_world(pose, np.concatenate(out)) if out else np.zeros((0, 3))


def dense_points(model: Model, pose: Pose, apart_m: float) -> Points:
    """Return (n, 3) world points all over a model's surface, about so far apart."""
    out = [surface_points(model, pose)]
    for p in model.parts:
        corners = p.vertices[p.faces]
        longest = float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max())
        steps = min(max(math.ceil(longest / apart_m), 1), MOST_STEPS)
        i, j = np.meshgrid(np.arange(steps + 1), np.arange(steps + 1), indexing="ij")
        a, b = (x[i + j <= steps].ravel() / steps for x in (i, j))
        shares = np.column_stack([a, b, 1 - a - b])
        out.append(to_world(pose, thinned(np.einsum("sk,fkc->fsc", shares, corners).reshape(-1, 3), apart_m)))
    return np.concatenate(out)


def thinned(points: Points, cell_m: float) -> Points:
    """Return one point of each cell of a grid that has any."""
    # Column by column: what reduces over rows of three takes several times as long.
    cells = [np.floor((c - c.min()) / cell_m).astype(np.int64) for c in points.T.copy()]
    x, y, z = (int(c.max()) + 1 for c in cells)
    key = (cells[0] * y + cells[1]) * z + cells[2]
    if x * y * z > MOST_CELLS:
        return points[np.sort(np.unique(key, return_index=True)[1])]
    filled = np.full(x * y * z, -1, dtype=np.int32)
    filled[key[::-1]] = np.arange(len(points) - 1, -1, -1, dtype=np.int32)
    return points[filled[filled >= 0]]


@dataclass(frozen=True)
class Standing:
    """What stands on the ground: the middle of its footprint, its radius and its height, in metres."""

    x: float
    y: float
    radius: float
    height: float


class FreeSpace:
    """The ground about an actor: what has been placed, and where the actor is at some time."""

    def __init__(self, swept_m: Points, gap_m: float, beneath: bool = True) -> None:
        """Take the points (n, 3) that the actor, and what it wears, are at in the whole film.

        Nothing stands under them where it may not be `beneath`.
        """
        self.swept, self.gap, self.stands = swept_m, gap_m, list[Standing]()
        self.beneath = beneath
        # The lowest first, so that what is low enough to be in the way is a piece at the front.
        self._x, self._y, self._z = swept_m[np.argsort(swept_m[:, 2])].T.copy()

    def free(self, x: float, y: float, radius: float, height: float) -> bool:
        """Return whether an upright cylinder touches nothing, the gap included."""
        for s in self.stands:
            if math.hypot(x - s.x, y - s.y) < radius + s.radius + self.gap:
                return False
        low = int(np.searchsorted(self._z, height + self.gap)) if self.beneath else len(self._z)
        dx, dy = self._x[:low] - x, self._y[:low] - y
        return not low or math.sqrt(float((dx * dx + dy * dy).min())) >= radius + self.gap

    def nearest(self, bearing_rad: float, radius: float, height: float, farthest: float) -> float | None:
        """Return how far along a bearing, at least, a cylinder is free; None up to the farthest."""
        step = farthest / 48
        for k in range(1, 49):
            d = k * step
            if self.free(d * math.cos(bearing_rad), d * math.sin(bearing_rad), radius, height):
                return d
        return None

    def put(self, x: float, y: float, radius: float, height: float) -> None:
        """Take a place."""
        self.stands.append(Standing(x, y, radius, height))


@dataclass(frozen=True)
class PlacementAudit:
    """What is wrong with how objects stand in a story; all 0 where nothing is.

    crossing : pairs of objects, not worn, of which one reaches into the other at some frame
    floating : objects that stand on nothing, though they do not hover and are not worn
    sunk : objects, not worn, that reach below the ground
    loose : objects that are worn or held and do not touch the actor at some frame
    checked : the frames looked at
    """

    crossing: int
    floating: int
    sunk: int
    loose: int
    checked: int


def audit(scene: Scene, library: AnimatedLibrary, step: int = 4, tolerance: float = 0.01) -> PlacementAudit:
    """Return what is wrong with how the objects of a story stand, at every `step`th frame.

    `tolerance` is a share of the actor's longest side: how far one object may reach into another.
    """
    size = max(scene.objects[0].size_m)
    eps = tolerance * size
    crossing: set[tuple[str, str]] = set()
    floating: set[str] = set()
    sunk: set[str] = set()
    loose: set[str] = set()
    frames = range(0, len(scene.times_s), step)
    by_id = {t.id: t for t in scene.objects}
    for frame in frames:
        models = models_at(scene, library, frame)
        clouds = {
            t.id: surface_points(models[t.id], pose_at(t.poses, frame))
            for t in scene.objects
            if t.id in models
        }
        free = [t for t in scene.objects[1:] if t.id in clouds and not _worn(t.attributes)]
        floating |= {t.id for t in free if not _rests(t.id, t.attributes, clouds, eps)}
        sunk |= {
            n for n in (scene.objects[0].id, *(t.id for t in free)) if clouds[n][:, 2].min() < -1.5 * eps
        }
        names = [scene.objects[0].id, *(t.id for t in free)]
        worn = [t.id for t in scene.objects[1:] if t.id in clouds and _worn(t.attributes)]
        worn = list(_apart(names[0], worn, clouds, LOOSE * size))
        if worn:
            fine = {
                n: dense_points(models[n], pose_at(by_id[n].poses, frame), eps) for n in (names[0], *worn)
            }
            loose |= set(_apart(names[0], worn, fine, LOOSE * size))
        hollow = {t.id for t in free if t.category == SCREEN}
        clouds |= {n: dense_points(models[n], pose_at(by_id[n].poses, frame), 2 * eps) for n in hollow}
        crossing |= set(_crossings(names, clouds, hollow, eps))
    return PlacementAudit(len(crossing), len(floating), len(sunk), len(loose), len(frames))


def _apart(actor: str, names: Iterable[str], clouds: Mapping[str, Points], far_m: float) -> Iterable[str]:
    """Return the names of the objects that are nowhere as near to the actor."""
    from scipy.spatial import KDTree

    tree = KDTree(clouds[actor])
    for name in names:
        if float(np.min(tree.query(clouds[name])[0])) > far_m:
            yield name


def _worn(attributes: Mapping[str, str]) -> bool:
    return "worn_on" in attributes or "held_in" in attributes


def _rests(name: str, attributes: Mapping[str, str], clouds: Mapping[str, Points], eps: float) -> bool:
    """Return whether the lowest point lies on the ground, or on what the object stands on."""
    low = float(clouds[name][:, 2].min())
    under = attributes.get("stands_on", "")
    if not under:
        return abs(low) <= eps
    if under not in clouds:
        return False
    return abs(low - float(clouds[under][:, 2].max())) <= eps


def _crossings(
    names: Sequence[str], clouds: Mapping[str, Points], hollow: Collection[str], eps: float
) -> Iterable[tuple[str, str]]:
    """Return the pairs of which a point of one lies deeper than `eps` within the convex hull of the other.

    The first name is the actor's, which is not convex: only its points are tried; and so are those of hollow
    objects alone against what stands in them.
    """
    from scipy.spatial import ConvexHull

    hulls = {n: ConvexHull(thinned(clouds[n], eps)).equations for n in names[1:] if n in clouds}
    for one, other in ((a, b) for a in names if a in clouds for b in hulls if a != b):
        if other in hollow and one not in hollow and one != names[0]:
            continue
        low, high = clouds[other].min(axis=0) + eps, clouds[other].max(axis=0) - eps
        points = clouds[one][((clouds[one] > low) & (clouds[one] < high)).all(axis=1)]
        planes = hulls[other]
        if len(points) and float((points @ planes[:, :3].T + planes[:, 3]).max(axis=1).min()) < -eps:
            yield min(one, other), max(one, other)
