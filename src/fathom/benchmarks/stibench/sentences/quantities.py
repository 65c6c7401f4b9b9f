"""What the words ask for, computed from the record of the scene by own formulas."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fathom.benchmarks.stibench.sentences.meaning import CAMERA, AskedQuantity
from fathom.benchmarks.stibench.sentences.world import Floats, Path, RecordedScene, apart_m

ROUND = 1.15
"""What is asked "across" is no longer than wide by more."""

OWN_WINDOW_S = 0.2
"""Over so many seconds a speed at an end of a span is measured."""


def _path(world: RecordedScene, body: str) -> Path:
    return world.eye if body == CAMERA else world.path(body)


def places(world: RecordedScene, body: str) -> Floats:
    """Return (F, 3) where a body is: an object's middle, or the camera."""
    return world.eye.places if body == CAMERA else world.centres(body)


def is_exact(world: RecordedScene, bodies: tuple[str, ...]) -> bool:
    """Return whether it is known exactly where the camera and some bodies are, at all frames."""
    return all(p.known and p.exact for p in (world.eye, *(_path(world, b) for b in bodies)))


def extents(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    """Return the sizes that may be meant by the words, in metres; none where they fit no side."""
    length, width, height = world.objects[bodies[0]].size_m
    front = world.objects[bodies[0]].attributes.get("front", "known") == "known"
    side = asked.what.removeprefix("extent ")
    if side == "across":
        return (length, width) if max(length, width) <= ROUND * min(length, width) else ()
    if side in ("front", "side") and not front:
        return ()
    found = {
        "up": height, "front": length, "side": width, "longer": max(length, width),
        "shorter": min(length, width),
    }  # fmt: skip
    return (found[side],)


def _span(world: RecordedScene, asked: AskedQuantity) -> tuple[int, int]:
    first, last = (world.frame(t) for t in asked.moment)
    return first, last


def _elapsed_s(world: RecordedScene, span: tuple[int, int]) -> float:
    return float(world.times[span[1]] - world.times[span[0]])


def _way(steps: Floats) -> float:
    return float(np.sqrt((np.diff(steps, axis=0) ** 2).sum(axis=1)).sum())


def _apart(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    a, b = (places(world, body)[world.frame(asked.moment[0])] for body in bodies)
    return (math.dist(a, b),)


def _boxes(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    return (apart_m(world, bodies[0], bodies[1], world.frame(asked.moment[0])),)


def _approach(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    first, last = _span(world, asked)
    a, b = (places(world, body)[first : last + 1] for body in bodies)
    return (float(np.sqrt(((a - b) ** 2).sum(axis=1)).min()),)


def _moved(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    first, last = _span(world, asked)
    at = places(world, bodies[0])
    far = math.dist(at[first], at[last])
    return (far / _elapsed_s(world, (first, last)) if asked.what == "mean velocity" else far,)


def _along(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    first, last = _span(world, asked)
    way = _way(places(world, bodies[0])[first : last + 1])
    return (way / _elapsed_s(world, (first, last)) if asked.what == "mean speed" else way,)


def speed_at(world: RecordedScene, body: str, frame: int, window_s: float) -> float:
    """Return how fast a body is: how far it gets in a window around a frame, ÷ that time."""
    time, half = float(world.times[frame]), window_s / 2
    before, after = min(world.frame(time - half), frame - 1), max(world.frame(time + half), frame + 1)
    before, after = max(before, 0), min(after, len(world.times) - 1)
    at = places(world, body)
    return math.dist(at[before], at[after]) / _elapsed_s(world, (before, after))


def _speed(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    return (speed_at(world, bodies[0], world.frame(asked.moment[0]), asked.window_s),)


def _mean_change(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    span = _span(world, asked)
    before, after = (speed_at(world, bodies[0], frame, OWN_WINDOW_S) for frame in span)
    return ((after - before) / _elapsed_s(world, span),)


def _change(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    """Return the slope of the line that fits the speeds within the window best."""
    time = asked.moment[0]
    frames = np.arange(world.frame(time - asked.window_s / 2), world.frame(time + asked.window_s / 2) + 1)
    speeds = [speed_at(world, bodies[0], int(f), OWN_WINDOW_S) for f in frames]
    return (float(np.polyfit(world.times[frames] - time, speeds, 1)[0]),)


def _pan(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    first, last = _span(world, asked)
    return (world.turned_deg(first, last),)


def _centre(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    at = world.frame(asked.moment[0])
    into = 0 if asked.what == "box in the first frame" else at
    off = world.centres(bodies[0])[at] - world.eye.places[into]
    return tuple(float(off @ world.eye.axes[into][:, k]) for k in range(3))


def _box(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    at = world.frame(asked.moment[0])
    into = 0 if asked.what == "box in the first frame" else at
    front = world.path(bodies[0]).axes[at][:, 0]
    yaw = math.degrees(math.atan2(front[1], front[0]) - float(world.headings[into]))
    return (*_centre(world, asked, bodies), *world.objects[bodies[0]].size_m, yaw)


def pose_at(world: RecordedScene, frame: int) -> tuple[float, ...]:
    """Return x, y, z, yaw, pitch and roll of the camera in the level frame of its first place.

    The yaw is how far its view turned to the left on the ground, the pitch how far it looks above the
    horizon, the roll how far its right side is lowered, seen along the view.
    """
    off = world.level(0) @ (world.eye.places[frame] - world.eye.places[0])
    axes = world.eye.axes[frame]
    yaw = world.turned_deg(0, frame)
    pitch = math.degrees(math.asin(max(-1.0, min(1.0, axes[2, 2]))))
    roll = math.degrees(math.atan2(-axes[2, 0], -axes[2, 1]))
    return (*map(float, off), yaw, pitch, roll)


def _pose(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[float, ...]:
    return pose_at(world, world.frame(asked.moment[0]))


FORMULAS: dict[str, Callable[[RecordedScene, AskedQuantity, tuple[str, ...]], tuple[float, ...]]] = {
    "centres apart": _apart, "boxes apart": _boxes, "nearest approach": _approach, "displacement": _moved,
    "mean velocity": _moved, "path": _along, "mean speed": _along, "speed": _speed,
    "mean change of speed": _mean_change, "change of speed": _change, "pan to a side": _pan,
    "pan with a sign": _pan, "centre": _centre, "box": _box, "box in the first frame": _box, "pose": _pose,
}  # fmt: skip
"""What is asked → its numbers in metres, seconds and degrees."""

TURNING = {"box": (6,), "box in the first frame": (6,), "pose": (3, 4, 5), "pan with a sign": ()}
"""Which of several numbers are angles, that mean the same after a whole turn."""


def direction(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> str:
    """Return in which of six directions of the level view the first object mainly lies from the second."""
    at = world.frame(asked.moment[0])
    off = world.level(at) @ (world.centres(bodies[0])[at] - world.centres(bodies[1])[at])
    k = int(np.abs(off).argmax())
    words = (("left", "right"), ("above", "below"), ("nearer", "farther"))
    return words[k][int(off[k] > 0)]


def order(world: RecordedScene, asked: AskedQuantity, bodies: tuple[str, ...]) -> tuple[str, ...]:
    """Return the objects from left to right as the camera sees them, or from near to far."""
    at = world.frame(asked.moment[0])
    rays = {b: world.level(at) @ (world.centres(b)[at] - world.eye.places[at]) for b in bodies}
    if asked.what == "order near to far":
        return tuple(sorted(bodies, key=lambda b: float(np.linalg.norm(rays[b]))))
    return tuple(sorted(bodies, key=lambda b: math.atan2(rays[b][0], rays[b][2])))
