"""How finely a careful person could answer, from what the frames show.

Somebody with a ruler on the screen finds an edge, or the middle of an object, to within some pixels; knows
metres from the sizes of usual objects to within a share (`scale`); and takes the camera's own motion from
what it passes. All parts are added in squares. How fast and how far the film itself lets one tell (sway
between two frames, a tolerance) is a bound from below.

docs/benchmarks/sti-bench-questions.md#how-finely-it-can-be-answered
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fathom.programs.engine import Trace
from fathom.programs.trajectory_words import units_of
from fathom.questions.contexts.video import Moment, VideoContext
from fathom.questions.contexts.video_visibility import Reading
from fathom.questions.numeric.measures import METRES_PER_DEGREE, measure_of
from fathom.questions.numeric.separation import graded, in_shares, rounded_up
from fathom.questions.templates import Template

TOLERANCES = 2.0
"""No answer is known more finely than to so many of its tolerances."""


@dataclass(frozen=True)
class _Eye:
    """One video as it is read: places are those of the frames shown."""

    stage: VideoContext
    reading: Reading

    @property
    def focal_px(self) -> float:
        return min(self.stage.tracks.focal_px)

    def away_m(self, obj: int, place: int) -> float:
        t, frame = self.stage.tracks, int(self.stage.tracks.shown[place])
        return float(np.linalg.norm(t.centres_m[obj, frame] - t.eyes_m[frame]))

    def point(self, obj: int, place: int) -> tuple[float, float]:
        """Return how finely a thing's place is seen, to a side and in depth, in metres: the first by pixels,
        the second by how large it looks.
        """
        away = self.away_m(obj, place)
        side = float(self.stage.sides_px[obj, place].max())
        edge = self.reading.edge_px
        return edge * away / self.focal_px, away * math.sqrt(2) * edge / max(side, 1.0)

    def eye(self, place: int) -> float:
        """Return how finely the camera's own place is known by the clear object that tells it best."""
        clear = np.flatnonzero(self.stage.clear[:, place])
        return min((math.hypot(*self.point(int(k), place)) for k in clear), default=math.inf)

    def between(self, one: int, other: int, place: int) -> float:
        """Return how finely the offset of two objects is seen along the line from one to the other."""
        t, frame = self.stage.tracks, int(self.stage.tracks.shown[place])
        line = t.centres_m[other, frame] - t.centres_m[one, frame]
        parts = []
        for obj in (one, other):
            ray = t.centres_m[obj, frame] - t.eyes_m[frame]
            cosine = float(line @ ray) / max(float(np.linalg.norm(line) * np.linalg.norm(ray)), 1e-9)
            aside, deep = self.point(obj, place)
            parts += [deep * cosine, aside * math.sqrt(max(1 - cosine**2, 0.0))]
        return math.hypot(*parts)

    def apart(self, one: int, other: int, place: int, order: str) -> float:
        """Return by how many of what the eye can tell two objects are apart, from left to right, or in their
        distance from the camera: by how large they look or, if they stand on one level, by where.
        """
        t, frame, pair = self.stage.tracks, int(self.stage.tracks.shown[place]), [one, other]
        edge_px, centres = math.sqrt(2) * self.reading.edge_px, t.centres_m[pair, frame]
        if order == "left to right":
            return abs(float(np.subtract(*self.pixels(centres, frame)[:, 0]))) / edge_px
        (side, deep), (other_side, other_deep) = (self.point(k, place) for k in pair)
        by_size = abs(self.away_m(one, place) - self.away_m(other, place)) / math.hypot(deep, other_deep)
        reach = (np.abs(t.rotations[pair, frame, 2]) * t.sizes_m[pair]).sum(axis=1) / 2
        feet = centres - reach[:, None] * (0.0, 0.0, 1.0)
        if abs(feet[0, 2] - feet[1, 2]) > max(side, other_side):
            return by_size
        return max(by_size, abs(float(np.subtract(*self.pixels(feet, frame)[:, 1]))) / edge_px)

    def pixels(self, places: NDArray[np.float64], frame: int) -> NDArray[np.float64]:
        """Return (n, 2) where places are in the picture, from its middle to the right and down."""
        local = (places - self.stage.tracks.eyes_m[frame]) @ self.stage.tracks.views[frame]
        return np.asarray(self.focal_px * local[:, :2] / np.maximum(local[:, 2:], 1e-9))

    def body(self, who: Sequence[int], place: int) -> float:
        """Return how finely the place of an object, or of the camera, is known at a time."""
        own = self.eye(place)
        return math.hypot(own, *self.point(who[0], place)) if who else own

    def speed(self, who: Sequence[int], place: int) -> float:
        """Return how finely a speed at a time is known, from the frames shown around it."""
        t = self.stage.tracks
        first, last = max(place - 1, 0), min(place + 1, len(t.shown) - 1)
        took = float(t.times_s[t.shown[last]] - t.times_s[t.shown[first]])
        return math.hypot(self.body(who, first), self.body(who, last)) / took


def clear_by(
    stage: VideoContext, form: Template, who: Sequence[int], moment: Moment, answered: Trace
) -> float:
    """Return how clear words are: an order by how many of what the eye can tell its nearest two objects are
    apart, another relation by how many tolerances it holds; 0 for numbers.

    The tolerance of an order is the objects' own size, which says that it holds for all of both: at one
    tolerance they stand side by side, and nobody doubts which is the nearer one.
    """
    if form.asks == "order":
        eye = _Eye(stage, stage.recipe.reading)
        return min(eye.apart(a, b, moment.first, form.tree.args[0]) for a, b in combinations(who, 2))
    return answered.least.ratio if form.asks == "words" else 0.0


def precision_of(
    stage: VideoContext, form: Template, who: Sequence[int], moment: Moment, answered: Trace
) -> float:
    """Return how finely a careful person could answer, in metres, seconds and degrees; 0 for words, and
    infinite where nothing tells.

    Of several numbers at once it is a distance, in which angles count as in the options' own.
    """
    if form.asks in ("words", "order"):
        return 0.0
    eye = _Eye(stage, stage.recipe.reading)
    if form.asks == "number":
        return max(_of_number(eye, form, who, moment, answered), TOLERANCES * answered.tolerance[0])
    return _of_parts(eye, form, who, moment, answered)


def known_to(fine: float, stage: VideoContext, form: Template, answered: Trace) -> float | None:
    """Return how finely an answer is known, rounded up: of lengths and speeds as a share of it, else in base
    units; 0 for words and by the paper, None where five options could not lie as far apart as they must.
    """
    if form.asks in ("words", "order") or stage.recipe.errors == "paper":
        return 0.0
    if not math.isfinite(fine):
        return None
    if form.asks != "number":
        return rounded_up(fine)
    measure = measure_of(stage.tracks.rules.name, form.quantity)
    shared, value = in_shares(measure), abs(answered.numbers[0])
    if shared and value <= fine:
        return None
    known = rounded_up(fine / value if shared else fine)
    return known if graded(measure, known, "hard") else None


def _of_number(eye: _Eye, form: Template, who: Sequence[int], moment: Moment, answered: Trace) -> float:
    op, value = form.quantity, abs(answered.numbers[0])
    scale = eye.stage.scale * value
    if op == "azimuth_change":
        return eye.reading.turn_deg
    if form.when == "":
        whole = np.flatnonzero(eye.stage.whole[who[0]])
        ends = math.sqrt(2) * min(eye.point(who[0], int(k))[0] for k in whole)
        usual = eye.stage.usual(who[0], op)
        # As a share of the smallest of its noun: how finely it is told must not tell that it is a large one.
        least = usual.middle_m * math.exp(usual.low) if usual and usual.all_sizes else value
        return math.hypot(scale, ends * max(value / least, 1.0))
    if len(form.objects) == 2:
        return math.hypot(scale, eye.between(who[0], who[1], moment.first))
    if form.objects and form.of_camera:
        inside = [k for k in range(moment.first, moment.last + 1) if eye.stage.clear[who[0], k]]
        nearest = min(inside, key=lambda k: eye.away_m(who[0], k))
        return math.hypot(scale, eye.point(who[0], nearest)[1])
    if op == "speed":
        return math.hypot(scale, eye.speed(who, moment.first))
    if op == "acceleration":
        # Over the second around that time.
        return math.hypot(scale, math.sqrt(2) * eye.speed(who, moment.first))
    took = _seconds(eye, moment)
    if op == "mean_acceleration":
        return math.hypot(scale, eye.speed(who, moment.first) / took, eye.speed(who, moment.last) / took)
    ends = math.hypot(eye.body(who, moment.first), eye.body(who, moment.last))
    return math.hypot(scale, ends / (took if op in ("average_speed", "velocity") else 1.0))


def _of_parts(eye: _Eye, form: Template, who: Sequence[int], moment: Moment, answered: Trace) -> float:
    reading, degree = eye.reading, METRES_PER_DEGREE[eye.stage.tracks.rules.name]
    if form.asks in ("centre", "box"):
        scale = eye.stage.scale * eye.away_m(who[0], moment.first)
        own = math.hypot(scale, *eye.point(who[0], moment.first))
        turned = degree * reading.yaw_deg if form.asks == "box" else 0.0
        moved = math.hypot(eye.eye(0), eye.eye(moment.first)) if form.into_first else 0.0
        return math.hypot(own, turned, moved)
    places = (0, moment.first) if form.asks == "pose" else (moment.first, moment.last)
    ends = math.hypot(*(eye.body(who, k) for k in places))
    turn = degree * reading.turn_deg
    if form.asks == "pose":
        # It is the same share for every pose, so that how far apart the five lie says nothing of the turn.
        return math.hypot(ends, turn, reading.least_scale * float(np.linalg.norm(answered.numbers[:3])))
    units = [unit for segment in answered.form for unit in units_of(segment)]
    longest = max((n for n, u in zip(answered.numbers, units, strict=True) if u == "m"), default=0.0)
    return math.hypot(ends, turn, eye.stage.scale * longest)


def _seconds(eye: _Eye, moment: Moment) -> float:
    t = eye.stage.tracks
    return float(t.times_s[t.shown[moment.last]] - t.times_s[t.shown[moment.first]])
