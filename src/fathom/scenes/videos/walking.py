"""A camera that somebody carries through a room: where they walk, where they look, and how it sways.

The way is a line between free places, rounded; nothing that stands lower than a head is nearer than a
clearance at any frame. Looks go from one direction to the next no faster than heads turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fathom.geometry.poses import Array
from fathom.records import Pose
from fathom.scenes.videos import routes
from fathom.scenes.videos.boxes import Boxes
from fathom.scenes.videos.cameras import BAND_HZ
from fathom.store.seeds import Name

ROUNDED_M = 0.28
"""Over what length corners of a way are rounded (standard deviation)."""

STEP_M = 0.01
MOST_PULL = 1.8
"""The highest acceleration towards the inside of a bend, m/s²."""

WAYS, LOOKS, CANDIDATES = 60, 8, 14
"""How often a way is drawn, and looks along it; and how many directions are weighed each time."""

SHORTER = 0.97
"""What a way is shortened by after each that found no room."""

STRIDE_M = 0.68
"""How far somebody goes with each step; the head rises and sinks with it."""


@dataclass(frozen=True)
class Gait:
    """How somebody walks and looks.

    sway_m, sway_deg : standard deviations of the camera's slow drift
    bob_m : how far it rises above its mean with each step
    """

    slowest: float
    fastest: float
    clear_m: float
    height_m: float
    sway_m: float
    sway_deg: float
    bob_m: float
    turn_rad_s: float


def clearance_m(points: Array, boxes: Boxes) -> Array:
    """Return (...) how far points (..., 2) are from the nearest of the footprints (n,); below 0 inside."""
    centre = boxes.centres
    edge = boxes.corners[:, 0] - boxes.corners[:, 1]
    long = np.linalg.norm(edge, axis=1)
    axis = edge / long[:, None]
    wide = np.linalg.norm(boxes.corners[:, 1] - boxes.corners[:, 2], axis=1)
    to = points[..., None, :] - centre
    x = np.abs((to * axis).sum(axis=-1)) - long / 2
    y = np.abs(axis[:, 0] * to[..., 1] - axis[:, 1] * to[..., 0]) - wide / 2
    outside = np.hypot(np.maximum(x, 0), np.maximum(y, 0))
    return np.asarray((outside + np.minimum(np.maximum(x, y), 0)).min(axis=-1))


def way_through(
    g: np.random.Generator,
    boxes: Boxes,
    holds: Callable[[Array], Array],
    bounds: tuple[Array, Array],
    gait: Gait,
    seconds: float,
) -> Array | None:
    """Return (n, 2) places, one each STEP_M, of a rounded way that a walk of so many seconds can have."""
    low, high = bounds
    spots = g.uniform(low, high, (160, 2))
    spots = spots[holds(spots)]
    spots = spots[clearance_m(spots, boxes) > gait.clear_m + 0.04]
    if len(spots) < 3:
        return None
    least, most = 1.06 * gait.slowest * seconds, 0.8 * gait.fastest * seconds
    wish = float(np.exp(g.uniform(*np.log((least, most)))))
    for k in range(WAYS):
        # As long as was wished for if there is room, and then ever less: else all would be short.
        wish = max(least, wish * (SHORTER if k else 1.0))
        line = _line(g, spots, boxes, gait.clear_m + 0.02, wish)
        if line is None:
            continue
        way = _rounded(line)
        long = STEP_M * (len(way) - 1)
        if long < least or long > most:
            continue
        pull = _bend(way) * (1.3 * long / seconds) ** 2
        if pull < MOST_PULL and (clearance_m(way[::4], boxes) > gait.clear_m + 0.01).all():
            return way
    return None


def _bend(way: Array) -> float:
    """Return the sharpest curvature of a way, one over metres."""
    way = way[::5]
    step = np.diff(way, axis=0)
    turn = np.diff(np.unwrap(np.arctan2(step[:, 1], step[:, 0])))
    return float(np.abs(turn).max() / (5 * STEP_M))


def _line(g: np.random.Generator, spots: Array, boxes: Boxes, clear_m: float, long: float) -> Array | None:
    """Return the corners of a line between spots that is about so long and keeps clear of everything."""
    found = [spots[int(g.integers(len(spots)))]]
    gone, ahead = 0.0, np.zeros(2)
    for _ in range(9):
        steps = spots - found[-1]
        far = np.linalg.norm(steps, axis=1)
        toward = steps / np.maximum(far, 1e-9)[:, None]
        turn = toward @ ahead
        fit = np.flatnonzero((far > 0.6) & (far < 3.5) & (turn > -0.35))
        for k in g.permutation(fit)[:6]:
            between = found[-1] + np.linspace(0, 1, 24)[:, None] * steps[k]
            if (clearance_m(between, boxes) > clear_m).all():
                found.append(spots[k])
                gone, ahead = gone + float(far[k]), toward[k]
                break
        else:
            return np.array(found) if gone > 0.9 * long else None
        if gone >= long:
            break
    line = np.array(found)
    over = gone - long
    if over > 0:
        line[-1] = line[-1] - ahead * min(over, 0.9 * float(np.linalg.norm(line[-1] - line[-2])))
    return line


def _rounded(corners: Array) -> Array:
    """Return a line with rounded corners, a place each STEP_M along it."""
    from scipy.ndimage import gaussian_filter1d

    dense = _evenly(corners)
    pad = round(4 * ROUNDED_M / STEP_M)
    k = np.arange(pad, 0, -1)[:, None] * STEP_M
    first = (dense[0] - dense[1]) / np.linalg.norm(dense[0] - dense[1])
    last = (dense[-1] - dense[-2]) / np.linalg.norm(dense[-1] - dense[-2])
    longer = np.concatenate([dense[0] + k * first, dense, dense[-1] + k[::-1] * last])
    smooth = gaussian_filter1d(longer, ROUNDED_M / STEP_M, axis=0, mode="nearest")
    return _evenly(smooth[pad:-pad])


def _evenly(points: Array) -> Array:
    """Return places each STEP_M along a line through points."""
    far = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    at = np.arange(0.0, far[-1], STEP_M)
    return np.stack([np.interp(at, far, points[:, k]) for k in range(2)], axis=-1)


def gone_m(g: np.random.Generator, times_s: Array, long_m: float, gait: Gait) -> Array:
    """Return (F,) how far along a way somebody is: never standing, never faster than they walk."""
    mean = long_m / float(times_s[-1])
    room = min(mean - gait.slowest, gait.fastest - mean) / mean
    share = float(g.uniform(0.3, 0.9)) * max(room, 0.0)
    f = g.uniform(0.1, 0.32, 2)
    phase = g.uniform(0, 2 * math.pi, 2)
    w = 2 * math.pi * f
    wave = (np.sin(w * times_s[:, None] + phase) - np.sin(phase)) / w
    gone = mean * (times_s + share * 0.5 * wave.sum(axis=1))
    return np.asarray(gone * long_m / gone[-1])


def walked(
    g: np.random.Generator, way: Array, times_s: Array, gait: Gait, seed: Name, *names: Name
) -> tuple[Array, Array]:
    """Return where the camera is, (F, 3), and the direction of walking in radians, (F,), unwrapped."""
    gone = gone_m(g, times_s, STEP_M * (len(way) - 1), gait)
    at = STEP_M * np.arange(len(way))
    flat = np.stack([np.interp(gone, at, way[:, k]) for k in range(2)], axis=-1)
    heading = np.unwrap(np.arctan2(*np.gradient(way, axis=0).T[::-1]))
    steps = 2 * math.pi * gone / STRIDE_M
    lift = gait.height_m + gait.bob_m * np.cos(steps)
    eyes = np.column_stack([flat, lift])
    eyes += routes.sway(gait.sway_m, 3, times_s, BAND_HZ, seed, *names, "place")
    return eyes, np.interp(gone, at, heading)


def looks(
    g: np.random.Generator,
    eyes: Array,
    walking: Array,
    times_s: Array,
    centres: Array,
    half_fov: float,
    clear_ahead: Callable[[Array, Array], Array],
    gait: Gait,
) -> tuple[Array, Array] | None:
    """Return yaw and pitch at every frame, (F,) radians each; None where no look is slow enough.

    Looks go to where objects are: `centres` (n, 3). `clear_ahead` says how far walls are from places (k, 2)
    along directions (k,).
    """
    count = int(g.integers(4, 6))
    knots = np.linspace(0, float(times_s[-1]), count)
    frames = np.searchsorted(times_s, knots - 1e-9).clip(0, len(times_s) - 1)
    most = gait.turn_rad_s * float(knots[1]) / routes.PEAK_SPEED
    for _ in range(LOOKS):
        yaw: list[float] = []
        for k in frames:
            around = float(walking[k]) if not yaw else yaw[-1]
            reach = 1.3 if not yaw else most
            choice = around + g.uniform(-reach, reach, CANDIDATES)
            worth = [_worth(c, eyes[k], float(walking[k]), centres, half_fov, clear_ahead) for c in choice]
            yaw.append(float(choice[int(np.argmax(worth))]))
        pitch = np.radians(g.uniform(-27, -10, count))
        turned = routes.strolled(np.column_stack([yaw, pitch]), times_s, knots)
        rate = np.abs(np.gradient(turned[:, 0], times_s))
        if rate.max() < gait.turn_rad_s:
            return turned[:, 0], turned[:, 1]
    return None


def _worth(
    yaw: float, eye: Array, walking: float, centres: Array, half_fov: float,
    clear_ahead: Callable[[Array, Array], Array],
) -> float:  # fmt: skip
    """Return how much there is to see in a direction: objects in view, no wall close by, and near the way."""
    to = centres[:, :2] - eye[:2]
    far = np.linalg.norm(to, axis=1)
    off = np.abs(np.remainder(np.arctan2(to[:, 1], to[:, 0]) - yaw + math.pi, 2 * math.pi) - math.pi)
    seen = (off < 0.85 * half_fov) & (far > 0.7) & (far < 6.0)
    wall = float(clear_ahead(eye[None, :2], np.array([yaw]))[0])
    astray = abs(math.remainder(yaw - walking, 2 * math.pi))
    return float(seen.sum()) + 1.5 * min(wall, 3.0) - 0.8 * max(astray - 0.9, 0.0)


def carried(
    eyes: Array, yaw: Array, pitch: Array, times_s: Array, gait: Gait, seed: Name, *names: Name
) -> tuple[Pose, ...]:
    """Return the poses of a camera that looks in these directions, never quite still."""
    toward = np.column_stack([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), np.sin(pitch)])
    shake = routes.sway(math.radians(gait.sway_deg), 3, times_s, BAND_HZ, seed, *names, "turn")
    return routes.looking(eyes, eyes + toward, times_s, shake)
