"""The surface of an actor where something grows out of it: where each of several roots is, and its axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Model, Points
from fathom.assets.props.catalogue import BACK, CHEST, HEAD, LEFT_SIDE, RIGHT_SIDE
from fathom.scenes.animated_assets import unit_m, upright
from fathom.scenes.attachments import Anchor, heights_at, reference

FELT, MARGIN = 17, 0.08
"""At so many places the surface is felt for, and how far from the ends of what is there nothing grows."""

LEAST = {HEAD: 0.3, BACK: 0.45}
"""Over which share of the width of a head, or of the length of a body, the surface is there at least."""

FAN_DEG = 40.0
"""How far the outermost ones on a head lean to their sides."""

BESIDE = 0.15
"""How far beside its middle, in widths, a back is felt for: a thin fin in the middle is no back."""

FLANKS = (LEFT_SIDE, RIGHT_SIDE)

ALONG, ACROSS = 21, (0.0, 0.1, -0.1, 0.2, -0.2)
"""At so many places along a side of a body a plain one is felt for, and so far from the middle of a flank."""

PLAINLY, OUT, APART = 2.0, 0.5, 0.04
"""How many times farther out than aside a place is that is plainly on a side, and how far out, in half sizes
of the body; and how far from another limb, in the actor's unit.
"""

FROM_HEAD, FROM_FACE = 0.12, 0.22
"""How far what grows on a side is from the head, and from what a face has, in the actor's unit: beside an eye
it is on the head.
"""

FACE = frozenset(("eye", "eyes", "nose", "mouth", "muzzle", "teeth"))
"""Words for parts of a face."""

UNDER, ABREAST = 0.1, 0.1
"""How far below the back what grows on a flank is, in the actor's unit, and how far along the body that is
looked at, in its lengths: what reaches above the back is on it for some.
"""

FORE = {True: 0.9, False: 0.7}
"""Whether the head is a limb of its own → up to which share of a body's length something grows on a side."""

UPPER = 0.4
"""From which share of the height of an upright body on something grows on its chest or back."""

TILT_DEG, UPWARD_DEG = 25.0, 10.0
"""How far one all around may lean from straight out where the surface slopes: 20° from where a side ends; and
how far one on a flank looks upward: what leans farther is taken to be on the back.
"""

SLOPE_STEP = 0.06
"""How far around one the slope of the surface is felt for, in lengths of the row's limb."""

PATCH = 60
"""So many vertices around where one grows carry it along."""

Root = tuple[Points, Points]
"""Where one grows (3,), and its axes (3, 3) as columns: forward, left, out of the surface."""


@dataclass(frozen=True, eq=False)
class GrowingSurface:
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
    def at(cls, asset: AnimatedAsset, anchor: Anchor) -> GrowingSurface:
        """Return the surface of an actor at a place."""
        axes, model = np.column_stack(_rows(anchor.place, upright(asset))), reference(asset)
        turned = replace(model, parts=tuple(replace(p, vertices=p.vertices @ axes) for p in model.parts))
        limb = list(asset.limbs).index(anchor.limb)
        return cls(asset, anchor, turned, np.concatenate(asset.limb_of_vertex()) == limb, axes)

    def roots(self, count: int) -> list[Root] | None:
        """Return where so many grow, evenly in a row over the longest stretch that is there; None where that
        is too short.
        """
        own, place = self.anchor.limb_m @ self.axes, self.anchor.place
        low, high = np.percentile(own[:, :2], 4, axis=0), np.percentile(own[:, :2], 96, axis=0)
        wide = float(high[1] - low[1])
        beside = 0.0 if place == HEAD else BESIDE * wide
        felt = np.linspace(0.0, 1.0, FELT)

        def top(share: float, across: float) -> float:
            """Return how far out the surface reaches, NaN where it is not there."""
            along = float(low[0] + share * (high[0] - low[0]))
            spots = [(along, across + off) for off in (-beside, 0.0, beside)]
            hits = [heights_at(self.model, spot, self.of) for spot in spots]
            return min(float(h.max()) for h in hits) if all(len(h) for h in hits) else np.nan

        across = float(self.anchor.at_m @ self.axes[:, 1]) if place == HEAD else float((low[1] + high[1]) / 2)
        first, last = _longest(np.array([np.isfinite(top(float(t), across)) for t in felt]))
        if last - first < LEAST[place] * FELT:
            return None
        room = MARGIN * (felt[last] - felt[first])
        shares = np.linspace(felt[first] + room, felt[last] - room, count + 2 * (count == 1))
        shares = shares[1:2] if count == 1 else shares
        found = [np.array([low[0] + t * (high[0] - low[0]), across, top(t, across)]) for t in shares.tolist()]
        if not np.isfinite(found).all():
            return None
        fan = np.linspace(-1.0, 1.0, count) if count > 1 else np.zeros(1)
        return [(self.axes @ at, self._axes_at(k, found, float(fan[k]))) for k, at in enumerate(found)]

    def _axes_at(self, k: int, found: Sequence[Points], fan: float) -> Points:
        """Return the axes of one of a row: on a head they fan out, on a back they stand square to the row."""
        if self.anchor.place == HEAD:
            lean = math.radians(FAN_DEG) * fan
            out = self.axes @ np.array([math.sin(lean), 0.0, math.cos(lean)])
            ahead = np.array([1.0, 0.0, 0.0])
        else:
            slope = found[min(k + 1, len(found) - 1)] - found[max(k - 1, 0)]
            ahead = self.axes @ slope if len(found) > 1 else self.axes[:, 0]
            ahead = ahead / np.linalg.norm(ahead)
            out = self.axes[:, 2] - ahead * float(self.axes[:, 2] @ ahead)
        return _upon(out, ahead)

    def spots(self, count: int) -> list[Root] | None:
        """Return where so many grow that are plainly on one side of a body, as far apart along it as can be;
        None where there is no such place.
        """
        if self.anchor.place == HEAD:
            found = self.roots(count)
            return found if found and all(self._is_apart(at @ self.axes) for at, _ in found) else None
        plain = self._plain
        if not plain:
            return None
        places = np.array([at for at, _ in plain])
        own = [int(np.argsort(places[:, 0], kind="stable")[0 if count > 1 else len(plain) // 2])]
        while len(own) < min(count, len(plain)):
            gaps = np.linalg.norm(places[:, None] - places[own][None], axis=2).min(axis=1)
            own.append(int(np.argmax(gaps)))
        chosen = [plain[k] for k in sorted(own)]
        up = np.eye(3)[0 if self.anchor.place == BACK and not upright(self.asset) else 2]
        return [(self.axes @ at, _upon(self._level(normal), up)) for at, normal in chosen]

    @cached_property
    def _plain(self) -> list[tuple[Points, Points]]:
        """Return points that are plainly on this side, in the axes of the row, and the normals there."""
        own = self.anchor.limb_m @ self.axes
        low, high = np.percentile(own, 4, axis=0), np.percentile(own, 96, axis=0)
        middle, half = (low + high) / 2, np.maximum((high - low) / 2, 1e-9)
        rows = ACROSS if self.anchor.place in FLANKS else ACROSS[:1]
        fore = FORE[self._has_head] if self.anchor.place in FLANKS else FORE[True]
        found: list[tuple[Points, Points]] = []
        for along in np.linspace(self._lowest, fore, ALONG).tolist():
            here: list[tuple[Points, Points]] = []
            for across in rows:
                spot = low[:2] + (high - low)[:2] * (along, 0.5 + across)
                hits = heights_at(self.model, (float(spot[0]), float(spot[1])), self.of)
                at = np.array([*spot, float(hits.max(initial=-np.inf))])
                aside, out = float(abs(at[1] - middle[1]) / half[1]), float((at[2] - middle[2]) / half[2])
                normal = self._normal(at) if len(hits) and out >= max(PLAINLY * aside, OUT) else None
                if normal is not None and self._is_apart(at):
                    here.append((at, normal))
            found += [min(here, key=self._looks_up)] if here and self.anchor.place in FLANKS else here
        return found

    def _looks_up(self, place: tuple[Points, Points]) -> float:
        """Return how far the surface looks upward at a point, the sine of the angle, at least 0."""
        _, normal = place
        return max(0.0, float((self.axes @ normal)[2] / np.linalg.norm(normal)))

    def _level(self, normal: Points) -> Points:
        """Return the normal of a flank, in the actor's frame, looking upward no more than is allowed."""
        out = self.axes @ normal / np.linalg.norm(normal)
        highest = math.sin(math.radians(UPWARD_DEG))
        if self.anchor.place not in FLANKS or out[2] <= highest:
            return out
        flat = out[:2] / np.linalg.norm(out[:2]) * math.cos(math.radians(UPWARD_DEG))
        return np.array([*flat, highest])

    @cached_property
    def _of_head(self) -> NDArray[np.bool_]:
        """Which vertices are of the head (n,)."""
        heads = [k for k, n in enumerate(self.asset.limbs) if "head" in n.split(" ")]
        return np.isin(np.concatenate(self.asset.limb_of_vertex()), heads)

    @cached_property
    def _of_face(self) -> NDArray[np.bool_]:
        """Which vertices are of an eye, a nose or a mouth (n,)."""
        return np.repeat(
            [p.name in FACE for p in self.model.parts], [len(p.vertices) for p in self.model.parts]
        )

    def _is_high(self, at: Points) -> bool:
        """Return whether a point of a flank is hardly lower than the back above it."""
        own, length = self.anchor.limb_m, float(np.ptp(self.anchor.limb_m[:, 0]))
        spot = self.axes @ at
        above = own[np.abs(own[:, 0] - spot[0]) <= ABREAST * length]
        return bool(len(above)) and float(above[:, 2].max() - spot[2]) < UNDER * unit_m(self.asset)

    @cached_property
    def _has_head(self) -> bool:
        return bool(self._of_head.any())

    @property
    def _lowest(self) -> float:
        """Return from which share of a body on it is felt: what is low on an upright one is no chest."""
        return UPPER if self.anchor.place in (CHEST, BACK) and upright(self.asset) else 0.1

    def _is_apart(self, at: Points) -> bool:
        """Return whether a point, in the axes of the row, is far enough from all other limbs."""
        far = np.linalg.norm(np.concatenate([p.vertices for p in self.model.parts]) - at, axis=1)
        unit = unit_m(self.asset)
        if self.anchor.place in FLANKS and (
            far[self._of_head].min(initial=np.inf) < FROM_HEAD * unit
            or far[self._of_face].min(initial=np.inf) < FROM_FACE * unit
            or self._is_high(at)
        ):
            return False
        return float(far[~self.of].min(initial=np.inf)) >= APART * unit

    def _normal(self, at: Points) -> Points | None:
        """Return which way the surface looks at a point of it, in the axes of the row; None where that leans
        farther than is allowed, or the surface ends.
        """
        step = SLOPE_STEP * float(np.ptp(self.anchor.limb_m @ self.axes[:, 0]))
        slopes = []
        for way in np.eye(3)[:2] * step:
            ends = [heights_at(self.model, (float(p[0]), float(p[1])), self.of) for p in (at - way, at + way)]
            if not all(len(e) for e in ends):
                return None
            slopes.append(float(ends[1].max() - ends[0].max()) / (2 * step))
        if math.hypot(*slopes) > math.tan(math.radians(TILT_DEG)):
            return None
        return np.array([-slopes[0], -slopes[1], 1.0])

    def carried(self, at: Points, axes: Points) -> Anchor:
        """Return what one that grows somewhere hangs on: a head as a whole, a back by what is around it."""
        chosen, points = self.anchor.chosen, np.concatenate([p.vertices for p in reference(self.asset).parts])
        if self.anchor.place != HEAD:
            off = np.linalg.norm(points[chosen] - at, axis=1)
            chosen = chosen[np.argsort(off, kind="stable")[:PATCH]]
        return replace(self.anchor, at_m=at, axes=axes, limb_m=points[chosen], chosen=chosen)


def _upon(out: Points, ahead: Points) -> Points:
    """Return the axes (3, 3), as columns, of what stands outwards and looks ahead as far as it can."""
    out = out / np.linalg.norm(out)
    left = np.cross(out, ahead)
    left /= np.linalg.norm(left)
    return np.column_stack([np.cross(left, out), left, out])


def _rows(place: str, tall: bool) -> tuple[Points, Points, Points]:
    """Return along which axis of the actor a row runs at a place, what is across it, and what is outwards."""
    x, y, z = np.eye(3)
    return {
        HEAD: (y, -x, z),
        BACK: (z, y, -x) if tall else (x, y, z),
        LEFT_SIDE: (x, -z, y),
        RIGHT_SIDE: (x, z, -y),
        CHEST: (z, -y, x),
    }[place]


def _longest(there: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the first and the last place of the longest run of places that are there; (0, -1) for none."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], there.astype(int), [0]])))
    runs = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    first, after = max(runs, key=lambda r: r[1] - r[0], default=(0, 0))
    return first, after - 1
