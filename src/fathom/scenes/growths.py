"""Parts that grow on an actor alone against its nature: one kind, one color, one to four of them in a row.

Each is a prop of its own that follows the surface that it grows on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Model, Points
from fathom.assets.props.catalogue import BACK, HEAD, PROPS, prop_model
from fathom.programs.growths import possible
from fathom.records import Pose, SceneObject
from fathom.scenes.animated_assets import unit_m, upright
from fathom.scenes.attachments import Anchor, following, heights_at, reference
from fathom.scenes.proportions import size_of
from fathom.scenes.scene_at_time import prop_ref
from fathom.store.seeds import rng

GROWN = "grown"
"""How the ids begin of what grows."""

OFTEN, EVERY, MOST = 4, 9, 4
"""So many of every so many films have such parts where their actors can; and how many there are at most."""

LENGTH = {"horn": 0.22, "antenna": 0.24, "spike": 0.2, "fin": 0.22, "mushroom": 0.2, "flower": 0.24}
"""How long one is, in the actor's unit, where there is room."""

KINDS_TRIED = 2
"""So many kinds are tried at a place before another one."""

ROOM, ROOTS = 0.95, 6.0
"""How wide one is at most, in distances to the next one, and how long, in distances to its root."""

TALL = 1.6
"""How long one is at most on a head, in widths of it."""

SINK = 0.05
"""How deep one sits in the surface, as a share of its length."""

FELT, MARGIN = 17, 0.08
"""At so many places the surface is felt for, and how far from the ends of what is there nothing grows."""

LEAST = {HEAD: 0.3, BACK: 0.45}
"""Over which share of the width of a head, or of the length of a back, the surface is there at least."""

FAN_DEG = 40.0
"""How far the outermost ones on a head lean to their sides."""

BESIDE = 0.15
"""How far beside its middle, in widths, a back is felt for: a thin fin in the middle is no back."""

PATCH = 60
"""So many vertices around where one grows carry it along."""


@dataclass(frozen=True)
class GrowthPlan:
    """What is to grow: which prop, on which place, how many."""

    name: str
    place: str
    count: int


def growths_of(
    asset: AnimatedAsset, anchors: Sequence[Anchor], index: int, seed: str, g: np.random.Generator
) -> tuple[GrowthPlan, ...]:
    """Return what may grow on an actor in a film, what is tried first at the head; () in most films."""
    turn = int(rng(seed, "stories", "growth", index // EVERY).permutation(EVERY)[index % EVERY])
    words = words_of(asset)
    places = [p for p in (HEAD, BACK) if any(a.place == p for a in anchors) and possible(p, words)]
    if turn >= OFTEN or not places or asset.category == "object":
        return ()
    block, at = divmod(index // EVERY * OFTEN + turn, MOST)
    count = 1 + int(rng(seed, "stories", "growths", block).permutation(MOST)[at])
    plans = []
    for place in (places[int(k)] for k in g.permutation(len(places))):
        kinds = possible(place, words)
        plans += [GrowthPlan(kinds[int(k)], place, count) for k in g.permutation(len(kinds))[:KINDS_TRIED]]
    return tuple(plans)


def words_of(asset: AnimatedAsset) -> frozenset[str]:
    """Return the words for an actor: its category, and those of its noun, limbs and parts."""
    said = (asset.noun, *asset.limbs, *(p.word for p in asset.parts))
    return frozenset((asset.category, *(w for text in said for w in text.split(" "))))


def grown_objects(
    plan: GrowthPlan,
    color: str,
    asset: AnimatedAsset,
    anchors: Sequence[Anchor],
    models: Sequence[Model],
    poses: Sequence[Pose],
) -> tuple[SceneObject, ...]:
    """Return what grows on an actor, each with one pose a frame; () where the surface has no room for it."""
    anchor = next(a for a in anchors if a.place == plan.place)
    shape = _Surface.at(asset, anchor)
    roots = shape.roots(plan.count)
    if roots is None:
        return ()
    apart = float(np.linalg.norm(np.diff([at for at, _ in roots], axis=0), axis=1).min(initial=np.inf))
    length = min(LENGTH[plan.name] * unit_m(asset), _longest_m(plan, apart))
    if plan.place == HEAD:
        length = min(length, TALL * anchor.width_m)
    return tuple(
        SceneObject(
            id=f"{GROWN}{k}",
            category="prop",
            subtype=plan.name,
            size_m=size_of(PROPS[plan.name], length),
            poses=following(shape.carried(at, axes), models, poses, SINK * length),
            asset=prop_ref(plan.name),
            attributes={"name": plan.name, "color": color, "worn_on": plan.place},
        )
        for k, (at, axes) in enumerate(roots)
    )


def _longest_m(plan: GrowthPlan, apart_m: float) -> float:
    """Return how long what grows is at most beside others so far off: on a head they lean away from each
    other.
    """
    wide = float(prop_model(plan.name).extents[1 if plan.place == HEAD else 0])
    spread = 2 * math.radians(FAN_DEG) / max(plan.count - 1, 1) if plan.place == HEAD else 0.0
    return min(ROOM * apart_m / max(wide - spread, 0.01), ROOTS * apart_m)


Root = tuple[Points, Points]
"""Where one grows (3,), and its axes (3, 3) as columns: forward, left, out of the surface."""


@dataclass(frozen=True, eq=False)
class _Surface:
    """The surface of an actor at rest, seen from where things grow out of it.

    model : turned so that the row runs along x, and out is up; `of` (n,) whether a vertex is of the limb
    axes : (3, 3) as columns: along the row, across it, outwards
    """

    asset: AnimatedAsset
    anchor: Anchor
    model: Model
    of: NDArray[np.bool_]
    axes: Points

    @classmethod
    def at(cls, asset: AnimatedAsset, anchor: Anchor) -> _Surface:
        """Return the surface of an actor at a place."""
        x, y, z = np.eye(3)
        rows = (y, -x, z) if anchor.place == HEAD else (z, y, -x) if upright(asset) else (x, y, z)
        axes, model = np.column_stack(rows), reference(asset)
        turned = replace(model, parts=tuple(replace(p, vertices=p.vertices @ axes) for p in model.parts))
        limb = list(asset.limbs).index(anchor.limb)
        return cls(asset, anchor, turned, np.concatenate(asset.limb_of_vertex()) == limb, axes)

    def roots(self, count: int) -> list[Root] | None:
        """Return where so many grow, evenly in a row over the longest stretch that is there; None where that
        is too short.
        """
        own, head = self.anchor.limb_m @ self.axes, self.anchor.place == HEAD
        low, high = np.percentile(own[:, :2], 4, axis=0), np.percentile(own[:, :2], 96, axis=0)
        across = float(self.anchor.at_m @ self.axes[:, 1]) if head else float((low[1] + high[1]) / 2)
        beside = 0.0 if head else BESIDE * float(high[1] - low[1])

        def top(share: float) -> float:
            """Return how far out the surface reaches, NaN where it is not there."""
            along = float(low[0] + share * (high[0] - low[0]))
            hits = [heights_at(self.model, (along, across + off), self.of) for off in (-beside, 0.0, beside)]
            return min(float(h.max()) for h in hits) if all(len(h) for h in hits) else np.nan

        felt = np.linspace(0.0, 1.0, FELT)
        first, last = _longest(np.array([np.isfinite(top(float(t))) for t in felt]))
        if last - first < LEAST[self.anchor.place] * FELT:
            return None
        room = MARGIN * (felt[last] - felt[first])
        shares = np.linspace(felt[first] + room, felt[last] - room, count + 2 * (count == 1))
        shares = shares[1:2] if count == 1 else shares
        found = [np.array([low[0] + t * (high[0] - low[0]), across, top(float(t))]) for t in shares]
        if not np.isfinite(found).all():
            return None
        fan = np.linspace(-1.0, 1.0, count) if count > 1 else np.zeros(1)
        return [(self.axes @ at, self._axes_at(k, found, float(fan[k]))) for k, at in enumerate(found)]

    def _axes_at(self, k: int, found: Sequence[Points], fan: float) -> Points:
        """Return the axes of one of a row: on a head they fan out, on a back they stand square to the row."""
        if self.anchor.place == HEAD:
            lean = math.radians(FAN_DEG) * fan
            out, ahead = (
                self.axes @ np.array([math.sin(lean), 0.0, math.cos(lean)]),
                np.array([1.0, 0.0, 0.0]),
            )
        else:
            slope = found[min(k + 1, len(found) - 1)] - found[max(k - 1, 0)]
            ahead = self.axes @ slope if len(found) > 1 else self.axes[:, 0]
            ahead = ahead / np.linalg.norm(ahead)
            out = self.axes[:, 2] - ahead * float(self.axes[:, 2] @ ahead)
        out = out / np.linalg.norm(out)
        left = np.cross(out, ahead)
        left /= np.linalg.norm(left)
        return np.column_stack([np.cross(left, out), left, out])

    def carried(self, at: Points, axes: Points) -> Anchor:
        """Return what one that grows somewhere hangs on: a head as a whole, a back by what is around it."""
        chosen, points = self.anchor.chosen, np.concatenate([p.vertices for p in reference(self.asset).parts])
        if self.anchor.place != HEAD:
            off = np.linalg.norm(points[chosen] - at, axis=1)
            chosen = chosen[np.argsort(off, kind="stable")[:PATCH]]
        return replace(self.anchor, at_m=at, axes=axes, limb_m=points[chosen], chosen=chosen)


def _longest(there: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the first and the last place of the longest run of places that are there; (0, -1) for none."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], there.astype(int), [0]])))
    runs = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    first, after = max(runs, key=lambda r: r[1] - r[0], default=(0, 0))
    return first, after - 1
