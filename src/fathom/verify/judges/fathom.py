"""What relation words mean by Fathom's rules, judged from pixels: what they leave open is open here too.

Each word has readings with a tolerance. It holds where every reading is clear of its threshold by that
much, fails where every reading fails by as much, and is open between: no answer may hang on it. The numbers
are those of docs/benchmarks/pulsecheck457-questions.md, written here again; a band allows for how finely
pixels measure.

Ref: docs/second-derivation.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fathom.verify.observed.still import Holds, ObservedStill, Truth3, turn
from fathom.verify.undecided import NoAnswer

METRES, DEGREES, PIXELS, COLUMNS, WAYS_M = 0.05, 0.75, 4, 8, 0.15
"""By how much less than a tolerance is still clear: that much may the pixels be off."""

SHAKE_M = 0.06 * math.sqrt(2)
SHAKE_RAD = math.radians(1.8)

Reading = tuple[float, float, float]
"""A value, positive where the word holds; its tolerance; and its band."""


def clear(*readings: Reading) -> Truth3:
    """Return whether a word holds or fails by all its readings, None where it is open."""
    if all(value >= tolerance - band for value, tolerance, band in readings):
        return True
    if all(value <= band - tolerance for value, tolerance, band in readings):
        return False
    return None


def _blur_deg(still: ObservedStill, *objects: int) -> float:
    """Return by how much rays to objects may turn when these are moved."""
    return math.degrees(sum(SHAKE_M / max(still.range_m(i), 0.5) for i in objects))


@dataclass(frozen=True)
class FathomJudge:
    """The judge of the rules `fathom`."""

    decides = True
    """Whether what lies between yes and no is left open by the rules, and not by weak evidence."""

    offset_m: float = 0.3
    bearing_deg: float = 1.5
    own_m: float = 0.2
    own_share: float = 0.5
    cone_deg: float = 60.0
    narrow_deg: float = 30.0
    wide_deg: float = 45.0
    angle_deg: float = 2.5
    hidden_px: float = 15.0
    hidden_share: float = 0.04
    nearer_m: float = 0.35
    heading_px: float = 100.0
    heading_of_all: float = 0.1
    heading_share: float = 0.75
    heading_long_px: float = 66.0
    along_view: bool = True

    def told(self, still: ObservedStill, i: int) -> bool:
        """Return whether it shows where object i faces: by its front, or by its rear, and long enough.

        Datasets from before this was asked for say nothing of fronts and rears: there it counts as shown.
        """
        if still.broadside_px(i) < 0.97 * self.heading_long_px:
            return False
        if not any(s.ends_px for s in still.scene.visibility):
            return True
        least = max(self.heading_px, self.heading_of_all * still.observations[i].amodal_px)
        return any(
            seen >= 0.8 * least and seen >= (self.heading_share - 0.05) * alone
            for seen, alone in still.ends_px(i)
        )

    def heading(self, still: ObservedStill, i: int) -> float:
        """Return where object i faces. Raises NoAnswer where that does not show: nothing may hang on it."""
        if not self.told(still, i):
            raise NoAnswer
        return still.heading(i)

    def related(self, still: ObservedStill, i: int, j: int, word: str) -> Truth3:
        """Return whether j is left of, right of, closer or farther than i for the viewer."""
        (xi, yi), (xj, yj), (ax, ay) = still.place(i), still.place(j), still.ahead
        away, aside = (xj - xi) * ax + (yj - yi) * ay, (xj - xi) * ay - (yj - yi) * ax
        sign = 1 if word in ("right", "behind") else -1
        if word in ("front", "behind"):
            farther = still.range_m(j) - still.range_m(i)
            return clear((sign * away, self.offset_m, METRES), (sign * farther, self.offset_m, METRES))
        ex, ey = still.eye_m
        bearings = [
            math.atan2((x - ex) * ay - (y - ey) * ax, (x - ex) * ax + (y - ey) * ay)
            for x, y in ((xi, yi), (xj, yj))
        ]
        shift = still.observations[j].column_px - still.observations[i].column_px
        return clear(
            (sign * aside, self.offset_m, METRES),
            (
                sign * math.degrees(bearings[1] - bearings[0]),
                self.bearing_deg + _blur_deg(still, i, j),
                DEGREES,
            ),
            (sign * shift, 0.0, COLUMNS),
        )

    def own(self, still: ObservedStill, i: int, j: int, word: str) -> Truth3:
        """Return whether j is in the half, and in the cone, on that side of i as i itself faces."""
        facing = self.heading(still, i)
        (xi, yi), (xj, yj) = still.place(i), still.place(j)
        centre = {"front": 0.0, "left": math.pi / 2, "behind": math.pi, "right": -math.pi / 2}[word]
        around, far = math.atan2(yj - yi, xj - xi) - facing - centre, math.hypot(xj - xi, yj - yi)
        main, cross = far * math.cos(around), abs(far * math.sin(around))
        # How far j reaches along the way from the middle of i to that side.
        length, width, _ = still.scene.objects[j].size_m
        lies = still.heading(j) - facing - centre
        reach = abs(math.cos(lies)) * length / 2 + abs(math.sin(lies)) * width / 2
        tolerance = self.own_m + SHAKE_RAD * far
        cone = math.radians(self.cone_deg)
        return clear(
            (main, tolerance + self.own_share * reach, METRES),
            (main * math.sin(cone) - cross * math.cos(cone), tolerance, METRES),
        )

    def facing(self, still: ObservedStill, i: int, word: str) -> Truth3:
        """Return whether object i faces that way."""
        if not self.told(still, i):
            return None
        centre = {"back": 0.0, "right": math.pi / 2, "front": math.pi, "left": -math.pi / 2}[word]
        tolerance = self.angle_deg + math.degrees(SHAKE_RAD)
        ways = [(still.as_seen(i), tolerance + _blur_deg(still, i))]
        if self.along_view:
            ways.append((still.from_view(i), tolerance))
        return clear(
            *(
                (edge - math.degrees(turn(seen, centre)), needed, DEGREES)
                for seen, needed in ways
                for edge in (self.narrow_deg, self.wide_deg)
            )
        )

    def turned(self, still: ObservedStill, i: int, j: int, word: str, holds: Holds) -> Truth3:
        """Return whether j faces roughly the same or the opposite way as i, or at a right angle to it."""
        facing = self.heading(still, i)
        if not self.told(still, j):
            return None
        centre = {"same": 0.0, "opposite": 180.0, "vertical": 90.0}[word]
        tolerance = self.angle_deg + 2 * math.degrees(SHAKE_RAD) + _blur_deg(still, i, j)
        turns = (turn(facing, still.heading(j)), turn(still.as_seen(i), still.as_seen(j)))
        return clear(
            *(
                (edge - abs(math.degrees(t) - centre), tolerance, DEGREES)
                for t in turns
                for edge in (self.narrow_deg, self.wide_deg)
            )
        )

    def hides(self, still: ObservedStill, i: int, j: int) -> Truth3:
        """Return whether j hides enough of i to be seen; between that and nothing at all it is open."""
        w = still.observations[i]
        if w.over_px[j] > PIXELS:
            need = max(self.hidden_px, self.hidden_share * w.amodal_px)
            return True if w.seen_px[j] >= 0.98 * need - PIXELS else None
        under = still.observations[j].over_px[i]
        if under <= PIXELS:
            return False
        nearer = still.range_m(j) - still.range_m(i) >= self.nearer_m - METRES
        return False if under >= self.hidden_px - PIXELS and nearer else None

    def met(self, still: ObservedStill, i: int, word: str, what: str) -> dict[int, Truth3]:
        """Return of each object whether i meets it on its way: first, at all (`path`), or so that it is hit.

        It is hit first by a clear lead; what lies behind the first may be called hit or not.
        """
        self.heading(still, i)
        ways = {j: still.way_m(i, j, word) for j in still.everything - {i}}
        met = {j: w for j, w in ways.items() if math.isfinite(w)}
        if what == "path" or not met:
            return {j: j in met for j in ways}
        first = min(met, key=lambda j: met[j])
        slack = {j: self.offset_m + SHAKE_RAD * math.dist(still.place(i), still.place(j)) for j in met}
        rivals = [j for j in met if j != first and met[j] - met[first] < max(slack[j], slack[first]) - WAYS_M]
        open_ones = {first, *rivals} if rivals else set()
        if what == "hit":
            open_ones |= met.keys() - {first}
        return {j: None if j in open_ones else j == first for j in ways}
