"""Steps: where each foot stands, and when it goes where; the body is between the two.

steps = Footsteps(0.2, FloorSpot(0.0, 0.0, 0.0))
steps.turn(1.2)
steps.walk((2.0, 1.0))
steps.root(1.4)        # where the body is, and where it faces
steps.feet(1.4)        # both ankles, in the body's own frame

A foot on the floor stays where it is until it is lifted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fathom.assets.acting.postures import ANKLE_M, Foot
from fathom.geometry.poses import Array

STEP_M, STEP_S = 0.58, 0.41
"""How far somebody goes with each step at most, and how long it takes."""

TURN_RAD, TURN_S = 1.2, 0.26
"""How far both feet turn with a step each at most, and how long one such step takes."""

ASIDE_M, LIFT_M = 0.1, 0.06
"""How far a foot is beside the middle of the body, and how high it is lifted."""

HEEL_RAD, TOE_RAD = 0.55, -0.25
"""How far a foot is turned down as it is lifted, and up as it comes down, at full steps."""


@dataclass(frozen=True)
class FloorSpot:
    """A place on the floor, metres, and a heading."""

    x: float
    y: float
    heading_rad: float

    def beside(self, side: int) -> FloorSpot:
        """Return where the left (1) or the right (−1) foot stands of somebody here."""
        c, s = math.cos(self.heading_rad), math.sin(self.heading_rad)
        return FloorSpot(self.x - s * side * ASIDE_M, self.y + c * side * ASIDE_M, self.heading_rad)


@dataclass(frozen=True)
class Tread:
    """One foot goes from one spot to another."""

    side: int
    begin_s: float
    end_s: float
    start: FloorSpot
    end: FloorSpot


@dataclass
class Footsteps:
    """Steps so far: until when, where somebody is then, all treads, and where the body was when.

    scale : how large they are, in their usual size; feet are told in metres of somebody of usual size
    """

    now_s: float
    here: FloorSpot
    scale: float = 1.0
    treads: list[Tread] = field(default_factory=list)
    knots: list[tuple[float, FloorSpot]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.standing = {side: self.here.beside(side) for side in (1, -1)}
        self.knots.append((-1.0, self.here))
        self.knots.append((self.now_s, self.here))

    def wait(self, seconds: float) -> None:
        """Stand where they are."""
        self.now_s += seconds
        self.knots.append((self.now_s, self.here))

    def turn(self, heading_rad: float) -> None:
        """Turn on the spot, the shorter way round."""
        off = math.remainder(heading_rad - self.here.heading_rad, 2 * math.pi)
        count = math.ceil(abs(off) / TURN_RAD - 1e-9)
        first = 1 if off > 0 else -1
        for _ in range(count):
            there = FloorSpot(self.here.x, self.here.y, self.here.heading_rad + off / count)
            half = FloorSpot(self.here.x, self.here.y, self.here.heading_rad + off / count / 2)
            self._tread(first, there, half, TURN_S)
            self._tread(-first, there, there, TURN_S)
            self.here = there

    def walk(self, to: tuple[float, float]) -> None:
        """Walk straight ahead to a place, facing it already."""
        start, (x, y) = self.here, to
        far = math.hypot(x - start.x, y - start.y)
        count = max(1, math.ceil(far / STEP_M))

        def along(steps: float) -> FloorSpot:
            share = steps / count
            return FloorSpot(
                start.x + share * (x - start.x), start.y + share * (y - start.y), start.heading_rad
            )

        for k in range(1, count + 2):
            at = along(min(k, count))
            body = along(min(k - 0.5, count)) if k <= count else at
            self._tread(1 if k % 2 else -1, at, body, STEP_S)
        self.here = along(count)

    def _tread(self, side: int, to: FloorSpot, body: FloorSpot, seconds: float) -> None:
        end = self.now_s + seconds
        self.treads.append(Tread(side, self.now_s, end, self.standing[side], to.beside(side)))
        self.standing[side] = to.beside(side)
        self.now_s = end
        self.knots.append((end, body))

    def root(self, times_s: Array) -> Array:
        """Return (F, 3) where the body is at some times: x, y and its heading, unwrapped."""
        from scipy.interpolate import PchipInterpolator

        rows = {t: (s.x, s.y, s.heading_rad) for t, s in self.knots}
        last = max(rows)
        rows[last + 1.0] = rows[last]
        when = np.array(sorted(rows))
        places = np.array([rows[t] for t in when])
        return np.asarray(PchipInterpolator(when, places)(np.clip(times_s, when[0], when[-1])))

    def feet(self, time_s: float, root: Array) -> tuple[Foot, Foot]:
        """Return both ankles at a time at which the body is at `root` (3,), in its own frame."""
        return self._foot(1, time_s, root), self._foot(-1, time_s, root)

    def _foot(self, side: int, time_s: float, root: Array) -> Foot:
        own = [t for t in self.treads if t.side == side]
        under = next((t for t in own if t.begin_s < time_s < t.end_s), None)
        if under is None:
            past = [t.end for t in own if t.end_s <= time_s]
            there, up, down = (past[-1] if past else self.knots[0][1].beside(side)), 0.0, 0.0
        else:
            share = (time_s - under.begin_s) / (under.end_s - under.begin_s)
            gone = share * share * (3 - 2 * share)
            a, b = under.start, under.end
            there = FloorSpot(*(p + gone * (q - p) for p, q in zip(_row(a), _row(b), strict=True)))
            full = min(1.0, math.hypot(b.x - a.x, b.y - a.y) / (2 * STEP_M))
            up = LIFT_M * math.sin(math.pi * share) * (0.5 + full)
            down = full * (HEEL_RAD * (1 - share) + TOE_RAD * share) * math.sin(math.pi * share)
        c, s = math.cos(root[2]), math.sin(root[2])
        dx, dy = there.x - root[0], there.y - root[1]
        place = (float(c * dx + s * dy) / self.scale, float(c * dy - s * dx) / self.scale, ANKLE_M + up)
        return Foot(place, float(there.heading_rad - root[2]), down)


def _row(spot: FloorSpot) -> tuple[float, float, float]:
    return spot.x, spot.y, spot.heading_rad
