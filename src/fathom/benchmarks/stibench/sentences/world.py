"""Where the camera and the objects of a scene are, and what quantities come to, by own formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.records import Pose, Scene, SceneObject

Floats = NDArray[np.float64]

STEEP_RAD = math.radians(10.0)


def matrices(quaternions: Floats) -> Floats:
    """Return (n, 3, 3) what turns own axes into the world's: v + 2w(q × v) + 2q × (q × v), q (n, 4)."""
    q = quaternions / np.maximum(np.linalg.norm(quaternions, axis=1, keepdims=True), 1e-12)
    w, axis = q[:, :1, None], q[:, 1:]
    cross = np.zeros((len(q), 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cross[:, i, j], cross[:, j, i] = -axis[:, k], axis[:, k]
    return np.asarray(np.eye(3) + 2 * (w * cross + cross @ cross))


class Path:
    """The poses of one body at all frames; its places are NaN where they are not known."""

    def __init__(self, poses: Sequence[Pose], frames: int) -> None:
        """Read the poses."""
        rows = np.array([(*p.position_m, *p.rotation_wxyz) for p in poses], dtype=np.float64)
        rows[[not p.valid for p in poses], :3] = np.nan
        self.rests = len(rows) == 1
        self.places = np.broadcast_to(rows[:, :3], (frames, 3))
        self.axes = np.broadcast_to(matrices(rows[:, 3:]), (frames, 3, 3))
        self.known = all(p.valid for p in poses)
        self.exact = all(p.position_sigma_m == 0 and p.rotation_sigma_rad == 0 for p in poses)


class RecordedScene:
    """A scene in numbers, read as far as it is asked for."""

    def __init__(self, scene: Scene) -> None:
        """Take a scene with one camera."""
        self.scene = scene
        self.times = np.array(scene.times_s, dtype=np.float64)
        self.camera = scene.cameras[0]
        self.objects: dict[str, SceneObject] = {t.id: t for t in scene.objects}
        self._paths: dict[str, Path] = {}

    @cached_property
    def eye(self) -> Path:
        """Where the camera is; the columns of its axes are right, down and forward."""
        return Path(self.camera.poses, len(self.times))

    def path(self, name: str) -> Path:
        """Return where the origin of an object is, and its axes: forward, left, up."""
        if name not in self._paths:
            self._paths[name] = Path(self.objects[name].poses, len(self.times))
        return self._paths[name]

    def centres(self, name: str) -> Floats:
        """Return (F, 3) the middle of the box around an object."""
        path = self.path(name)
        return np.asarray(path.places + 0.5 * self.objects[name].size_m[2] * path.axes[:, :, 2])

    def frame(self, time_s: float) -> int:
        """Return the frame nearest to a time."""
        return int(np.abs(self.times - time_s).argmin())

    @cached_property
    def headings(self) -> Floats:
        """(F,) where the camera looks on the ground, counter-clockwise, in radians; where it looks straight
        down (up), the top (bottom) of the picture counts.
        """
        down, ahead = self.eye.axes[:, :, 1], self.eye.axes[:, :, 2]
        steep = np.hypot(ahead[:, 0], ahead[:, 1]) < math.sin(STEEP_RAD)
        ahead = np.where(steep[:, None], down * np.sign(ahead[:, 2:]), ahead)
        return np.asarray(np.arctan2(ahead[:, 1], ahead[:, 0]))

    def turned_deg(self, first: int, last: int) -> float:
        """Return by how many degrees the camera turns to the left from one frame to another, whole turns
        counted.
        """
        headings = np.unwrap(self.headings[first : last + 1])
        return math.degrees(headings[-1] - headings[0])

    def level(self, frame: int) -> Floats:
        """Return the rows right, down and ahead of the camera's view laid on the ground."""
        a = float(self.headings[frame])
        return np.array([[math.sin(a), -math.cos(a), 0.0], [0.0, 0.0, -1.0], [math.cos(a), math.sin(a), 0.0]])

    @property
    def view_deg(self) -> float:
        """How wide the camera sees."""
        c = self.camera
        return math.degrees(math.atan(c.cx / c.fx) + math.atan((c.width - c.cx) / c.fx))


def apart_m(world: RecordedScene, a: str, b: str, frame: int) -> float:
    """Return how far apart the nearest points of two boxes are: the least of a quadratic form within bounds,
    found by steps downhill with momentum.
    """
    ends, middles = [], []
    for name in (a, b):
        ends.append(np.array(world.objects[name].size_m) / 2)
        middles.append((world.centres(name)[frame], world.path(name).axes[frame]))
    (ca, ra), (cb, rb) = middles
    both, off, most = np.concatenate([ra, -rb], axis=1), ca - cb, np.concatenate(ends)
    at = np.clip(-np.linalg.pinv(both) @ off, -most, most)
    before, pace = at, 1.0
    for _ in range(400):
        ahead = 0.5 * (1 + math.sqrt(1 + 4 * pace * pace))
        along = at + (pace - 1) / ahead * (at - before)
        before, pace = at, ahead
        # Neither form is longer than the square root of 2, so that half of the slope never overshoots.
        at = np.clip(along - 0.5 * both.T @ (both @ along + off), -most, most)
    return float(np.linalg.norm(both @ at + off))
