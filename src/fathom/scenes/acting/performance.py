"""Somebody who acts: what they do one thing after the other, and the postures and poses that follow.

show = Performance(FloorSpot(0.0, 0.0, 0.0), scale=0.95)
show.go(FloorSpot(2.0, 0.0, 0.0), "thing3")
show.sit(seat_m=0.47, back_m=0.36, obj="thing3")
show.acts                        # what is done with what, and when
show.played(times_s)             # where the body is, its postures, and where what is held is

Everything in the body's own frame is in metres of somebody of usual size, which `scale` makes larger.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fathom.assets.acting.body import shoulder_m
from fathom.assets.acting.postures import HANGING, HIP_M, Vec3
from fathom.scenes.acting.footsteps import FloorSpot, Footsteps
from fathom.scenes.acting.keyed_values import KeyedValues

CARRIED_M, PALM_UP_M = (0.29, 0.19), 0.16
"""How far before the hips and to the left the middle of what lies on the left hand is, and how high over the
hips its underside.
"""

UNDER_M, BESIDE_M = 0.016, 0.017
"""How far the middle of a hand is under, or beside, what it holds."""

REACH_M, MOST_LEAN = 0.53, 0.95
"""How far from the shoulders hands are that take something, and how far the trunk leans at most for that."""

GRIPS_S, LIFTS_S, OVER_S, ON_PALM_S, TAKES_S = 0.7, 0.85, 1.15, 1.4, 1.75
"""How long after taking begins both hands are at it, it is lifted, one hand is under its edge, it lies on the
palm, and it is done."""

SITS_S, RISES_S, DIPS_RAD = 1.25, 1.1, 0.55
"""How long sitting down and getting up take, and how far the trunk leans meanwhile."""

SITS_UP_M, LAP_M = 0.095, (0.39, 0.11, 0.07)
"""How high over a seat the hips of who sits are; how far before them, aside and up the hands are that lie on
the thighs."""

RISING_S, AFORE_M = 0.3, (0.36, 0.3, 1.2)
"""How long after it begins to rise, or before it hangs again, a hand is before the body, and where."""

WAVE = ((0.5, (0.12, -0.5, 1.8)), (0.75, (0.12, -0.38, 1.86)), (1.0, (0.12, -0.58, 1.77)),
        (1.25, (0.12, -0.38, 1.86)), (1.5, (0.12, -0.56, 1.78)))  # fmt: skip
"""After how many seconds the waving hand is where."""

AT_IT_S, LETS_GO_S, PUSH_APART_M, PUSH_DIP_M = 0.85, 0.6, 0.13, 0.04
"""How long after pushing begins it goes, and how long letting go takes; how far from the middle each palm is,
and by how much the hips are lower."""

STRETCH: tuple[Vec3, Vec3] = ((0.03, 0.24, 1.93), (0.03, -0.24, 1.93))
CROUCH_M, CROUCH_RAD = 0.37, 0.45
ON_KNEES: tuple[Vec3, Vec3] = ((0.33, 0.13, 0.52), (0.33, -0.13, 0.52))

DOWN, AHEAD, UP = (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
INWARD = ((0.0, -1.0, 0.0), (0.0, 1.0, 0.0))
"""Where palms look; those of hands at either side of something look at one another."""


@dataclass(frozen=True)
class Act:
    """One thing that somebody does, with which object, from when to when, in seconds."""

    deed: str
    obj: str
    begin_s: float
    end_s: float


@dataclass(frozen=True)
class Held:
    """What can be taken: its id, its size in metres, and how it lies to the body."""

    obj: str
    size_m: Vec3
    turn_rad: float


class Performance:
    """Who acts, while it is drawn what they do."""

    def __init__(self, start: FloorSpot, scale: float, begin_s: float = 0.4) -> None:
        self.steps = Footsteps(begin_s, start, scale)
        self.scale = scale
        self.acts: list[Act] = []
        self.hips, self.lean, self.thing = KeyedValues(), KeyedValues(), KeyedValues()
        self.hands, self.grips = (KeyedValues(), KeyedValues()), (KeyedValues(), KeyedValues())
        self.grasps: tuple[list[list[float]], list[list[float]]] = ([], [])
        self.held: Held | None = None
        self.holds: list[list[float]] = []
        self.hips.set(-1.0, 0.0, HIP_M)
        self.lean.set(-1.0, 0.0)
        for k in (0, 1):
            self.hands[k].set(-1.0, *HANGING[k], *INWARD[k])

    @property
    def now_s(self) -> float:
        """Until when it is told what they do."""
        return self.steps.now_s

    def rest(self, seconds: float) -> None:
        """Let nothing happen for a while."""
        self.steps.wait(seconds)

    def go(self, to: FloorSpot, obj: str) -> None:
        """Walk to a spot at an object, and face as it says."""
        here = self.steps.here
        if math.hypot(to.x - here.x, to.y - here.y) > 0.05:
            self._turn(math.atan2(to.y - here.y, to.x - here.x))
            begin = self._begin()
            self.steps.walk((to.x, to.y))
            self._upright()
            self._did("walks", obj, begin)
        self._turn(to.heading_rad)

    def sit(self, seat_m: float, back_m: float, obj: str) -> None:
        """Sit down on a seat behind them, so high, the hips so far back in the end."""
        begin = self._begin()
        hips = (-back_m, seat_m + SITS_UP_M)
        self.lean.set(begin + 0.5 * SITS_S, DIPS_RAD)
        self.hips.set(begin + 0.4 * SITS_S, -0.45 * back_m, HIP_M - 0.12)
        self.steps.wait(SITS_S)
        self.hips.set(self.now_s, *hips)
        self.lean.set(self.now_s, 0.05)
        self._hand(1, (hips[0] + LAP_M[0], -LAP_M[1], hips[1] + LAP_M[2]), DOWN)
        if self.held is None:
            self._hand(0, (hips[0] + LAP_M[0], LAP_M[1], hips[1] + LAP_M[2]), DOWN)
        else:
            self._carry()
        self._did("sits", obj, begin)

    def begin_seated(self, seat_m: float, back_m: float) -> None:
        """Let them sit on a seat from the beginning."""
        hips = (-back_m, seat_m + SITS_UP_M)
        self.hips.set(-1.0, *hips)
        self.lean.set(-1.0, 0.05)
        for k, side in ((0, 1.0), (1, -1.0)):
            lap = (hips[0] + LAP_M[0], side * LAP_M[1], hips[1] + LAP_M[2])
            self.hands[k].set(-1.0, *lap, *DOWN)

    def get_up(self, obj: str) -> None:
        """Get up from a seat."""
        begin = self._begin()
        back, high = self.hips.last
        self.lean.set(begin + 0.45 * RISES_S, DIPS_RAD)
        self.hips.set(begin + 0.3 * RISES_S, back + 0.03, high + 0.02)
        self.steps.wait(RISES_S)
        self._upright()
        self._did("rises", obj, begin)

    def wave(self) -> None:
        """Raise the right arm and wave."""
        begin = self._begin()
        self._afore(1, begin + RISING_S)
        for after, place in WAVE:
            self.hands[1].set(begin + after, *place, *AHEAD)
        self.steps.wait(2.0)
        self._afore(1, self.now_s - 0.8 * RISING_S)
        self._hand(1, HANGING[1], INWARD[1])
        self._did("waves", "", begin)

    def stretch(self) -> None:
        """Raise both arms over the head, and lower them; with empty hands."""
        begin = self._begin()
        for k in (0, 1):
            self._afore(k, begin + RISING_S)
            self.hands[k].set(begin + 0.7, *STRETCH[k], *AHEAD)
            self.hands[k].stay(begin + 1.3)
            self._afore(k, begin + 2.0 - RISING_S)
        self.steps.wait(2.0)
        self._upright()
        self._did("stretches", "", begin)

    def _afore(self, k: int, time_s: float) -> None:
        """Let a hand be before the body, on its way up or down."""
        x, y, z = AFORE_M
        self.hands[k].set(time_s, x, y if k == 0 else -y, z, *INWARD[k])

    def crouch(self) -> None:
        """Crouch down and get up again."""
        begin = self._begin()
        self.steps.wait(0.7)
        self.hips.set(self.now_s, -0.08, CROUCH_M)
        self.lean.set(self.now_s, CROUCH_RAD)
        self._hand(1, ON_KNEES[1], DOWN)
        if self.held is None:
            self._hand(0, ON_KNEES[0], DOWN)
        else:
            self._carry()
        self.steps.wait(0.45)
        self._begin()
        self.steps.wait(0.7)
        self._upright()
        self._did("crouches", "", begin)

    def give(self, held: Held) -> None:
        """Let them have something on the left hand from the beginning."""
        self.held = held
        self.holds.append([-1.0, math.inf])
        self.grasps[0].append([-1.0, math.inf])
        self.thing.set(-1.0, *_carried((self.hips.last[0], self.hips.last[1])))
        self.grips[0].set(-1.0, 0.0, 0.0, -UNDER_M, *UP)

    def pick(self, held: Held, place_m: Vec3) -> None:
        """Take something in both hands, the middle of whose underside is there, then onto the left hand."""
        begin = self._begin()
        self.held = held
        grip, lifts, over, on_palm = (begin + s for s in (GRIPS_S, LIFTS_S, OVER_S, ON_PALM_S))
        across, up = self._across(held), held.size_m[2] / 2 / self.scale
        self.holds.append([grip, math.inf])
        for time in (grip, lifts):
            self.lean.set(time, self._lean_for(place_m, up))
            self.thing.set(time, *place_m)
        for k, side in ((0, 1.0), (1, -1.0)):
            self.hands[k].set(grip, place_m[0], place_m[1] + side * across, place_m[2] + up, *INWARD[k])
            self.grasps[k].append([grip, math.inf])
            self.grips[k].set(grip, 0.0, side * across, up, *INWARD[k])
            self.grips[k].stay(lifts)
        self.thing.set(on_palm, *_carried((0.0, HIP_M)))
        self.grips[0].set(over, 0.0, 0.9 * across, -0.02, 0.0, -0.7, 0.7)
        self.grips[0].set(on_palm, 0.0, 0.0, -UNDER_M, *UP)
        self._release(1, on_palm)
        self.lean.set(on_palm, 0.0)
        self.steps.wait(TAKES_S)
        self._upright()
        self._did("picks", held.obj, begin)

    def put(self, place_m: Vec3) -> None:
        """Put what they hold down, the middle of its underside there."""
        held, begin = self.held, self._begin()
        assert held is not None
        on_palm, over, lifts, grip = (begin + TAKES_S - s for s in (ON_PALM_S, OVER_S, LIFTS_S, GRIPS_S))
        across, up = self._across(held), held.size_m[2] / 2 / self.scale
        self.thing.stay(on_palm)
        self.lean.stay(on_palm)
        x, y, z = self.thing.last
        self.hands[1].set(on_palm, x, y - across, z + up, *INWARD[1])
        self.grasps[1].append([on_palm, math.inf])
        self.grips[1].set(on_palm, 0.0, -across, up, *INWARD[1])
        self.grips[0].stay(on_palm)
        self.grips[0].set(over, 0.0, 0.9 * across, -0.02, 0.0, -0.7, 0.7)
        for k, side in ((0, 1.0), (1, -1.0)):
            self.grips[k].set(lifts, 0.0, side * across, up, *INWARD[k])
        for time in (lifts, grip):
            self.lean.set(time, self._lean_for(place_m, up))
            self.thing.set(time, *place_m)
        for k in (0, 1):
            self._release(k, grip)
        self.holds[-1][1] = grip
        self.held = None
        self.steps.wait(TAKES_S)
        self._upright()
        self._did("puts", held.obj, begin)

    def push(self, held: Held, place_m: Vec3, palms_m: tuple[float, float], far_m: float) -> None:
        """Push something ahead over the floor, both palms against it so far ahead and so high; the middle of
        its underside is at a place at first.
        """
        begin = self._begin()
        grip, goes, (ahead, up) = begin + GRIPS_S, begin + AT_IT_S, palms_m
        lean = self._lean_for((ahead, PUSH_APART_M, up), 0.0)
        for time in (grip, goes):
            self.lean.set(time, lean)
            self.hips.set(time, 0.0, HIP_M - PUSH_DIP_M)
            self.thing.set(time, *place_m)
        for k, side in ((0, 1.0), (1, -1.0)):
            palm = (ahead, side * PUSH_APART_M, up)
            self.hands[k].set(grip, *palm, *AHEAD)
            self.grasps[k].append([grip, math.inf])
            own = (a - b for a, b in zip(palm, place_m, strict=True))
            self.grips[k].set(grip, *own, *AHEAD)
        self.steps.wait(AT_IT_S)
        self.holds.append([goes, math.inf])
        here = self.steps.here
        gone = self.scale * far_m
        self.steps.walk(
            (here.x + gone * math.cos(here.heading_rad), here.y + gone * math.sin(here.heading_rad))
        )
        end = self._begin()
        self.holds[-1][1] = end
        for k in (0, 1):
            self._release(k, end)
        self.steps.wait(LETS_GO_S)
        self._upright()
        self._did("pushes", held.obj, begin)

    def _turn(self, heading_rad: float) -> None:
        begin = self._begin()
        self.steps.turn(heading_rad)
        if self.now_s > begin:
            self._did("turns", "", begin)

    def _begin(self) -> float:
        """Hold all values until now, from where they go on; return when that is."""
        for channel in (self.hips, self.lean, *self.hands, *self.grips, self.thing):
            channel.stay(self.now_s)
        return self.now_s

    def _did(self, deed: str, obj: str, begin_s: float) -> None:
        self.acts.append(Act(deed, obj, round(begin_s, 3), round(self.now_s, 3)))

    def _upright(self) -> None:
        """Stand upright now, with hanging arms but for what is held."""
        self.hips.set(self.now_s, 0.0, HIP_M)
        self.lean.set(self.now_s, 0.0)
        self._hand(1, HANGING[1], INWARD[1])
        if self.held is None:
            self._hand(0, HANGING[0], INWARD[0])
        else:
            self._carry()

    def _hand(self, k: int, place: Vec3, looks: Vec3) -> None:
        self.hands[k].set(self.now_s, *place, *looks)

    def _carry(self) -> None:
        x, z = self.hips.last
        self.thing.set(self.now_s, *_carried((x, z)))

    def _release(self, k: int, time_s: float) -> None:
        """Let a hand go from where it is at what it holds."""
        x, y, z = (a + b for a, b in zip(self.thing.last, self.grips[k].last[:3], strict=True))
        self.grips[k].stay(time_s)
        self.hands[k].set(time_s, x, y, z, *self.grips[k].last[3:])
        self.grasps[k][-1][1] = time_s

    def _across(self, held: Held) -> float:
        """Return how far from the middle of what is held, as the body faces it, the middle of a hand is."""
        c, s = abs(math.cos(held.turn_rad)), abs(math.sin(held.turn_rad))
        return (s * held.size_m[0] + c * held.size_m[1]) / 2 / self.scale + BESIDE_M

    def _lean_for(self, place_m: Vec3, up_m: float) -> float:
        """Return how far the trunk leans whose hands reach what stands at a place."""
        goal = np.array([place_m[0], place_m[1], place_m[2] + up_m])
        hips = np.array([0.0, 0.0, HIP_M])
        for lean in np.arange(0.0, MOST_LEAN, 0.05):
            off = goal - shoulder_m(1, hips, float(lean))
            if float(np.hypot(off[0], off[2])) <= REACH_M:
                return float(lean)
        return MOST_LEAN


def _carried(hips: tuple[float, float]) -> Vec3:
    """Return where the middle of the underside of what lies on the left hand is."""
    return hips[0] + CARRIED_M[0], CARRIED_M[1], hips[1] + PALM_UP_M
