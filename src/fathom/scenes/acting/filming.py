"""The camera that films somebody who acts: it stands still, sees them from head to foot all the time, and
what they have to do with.

camera = filmed(g, done, shown, (640, 480), fov_rad)      # None where no camera sees enough
"""

from __future__ import annotations

import math

import numpy as np

from fathom.geometry.poses import Array, quaternion
from fathom.records import Camera, Pose
from fathom.scenes.acting.directing import Directed
from fathom.scenes.acting.playing import PlayedActs
from fathom.scenes.acting.stage import SEATS, THINGS
from fathom.scenes.estimated_views import corners_of
from fathom.scenes.estimated_views import shown as seen_by_camera
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.furnishing_rooms import Stand
from fathom.scenes.viewpoints import room_for_eye, solid_boxes, turned_view

LOOKS, EYE_M, YAW_RAD = 160, (1.25, 1.9), 0.06
"""How many cameras are tried, how high they are, and how far beside the middle of what they are to
see they look."""

NEAREST_M = 1.5
"""How near somebody comes to the camera at most."""

ROUND_M, HEAD_M, ARMS_M = 0.34, 1.95, 2.08
"""How far around their middle somebody reaches, and how high, in metres; and with both arms up."""

TRUNK_M, BACK_M = 0.82, 0.17
"""How far the top of the head is from the hips of somebody of usual size; how far back and face reach beyond
these."""

MARGIN = 0.015
"""Which share of the picture around them is free at least."""

NARROWED, NARROWER = 6, 0.94
"""So often the field of view is made narrower by this factor, where as much is seen then."""

BEHIND = {"picks": -0.6, "puts": -0.6, "pushes": -0.6, "waves": 0.3, "stretches": 0.1}
"""From farther behind (cosine) it is not seen what somebody does with their hands."""

NEARER, SHOWS = 6.0, 2.0
"""How much it counts that somebody is near, and that more is seen of what they could have to do with."""

SEEN = 0.6
"""Of what is in the room so much is seen at least."""


def filmed(
    g: np.random.Generator, done: Directed, shown: PlayedActs, size: tuple[int, int], fov: float
) -> Camera | None:
    """Return the camera of those tried that sees most, largest; None where none sees enough."""
    layout = done.stage.layout
    boxes = solid_boxes(layout)
    roots = shown.roots[::3]
    top = ARMS_M if any(a.deed == "stretches" for a in done.show.acts) else HEAD_M
    used = {a.obj for a in done.show.acts if a.deed in ("sits", "rises")}
    seats = [corners_of(s) for s in done.stage.seats if done.stage.name(s) in used]
    seats += [corners_of(s) for s in _pushed_in(done)]
    corners = np.concatenate([_around(roots, top), _leaning(shown, done.show.scale), *seats])
    low, high = (np.array(v) for v in ((layout.room.plan[0][:2]), (layout.room.plan[0][2:])))
    best: tuple[float, Camera] | None = None
    for _ in range(LOOKS):
        eye = np.array([*g.uniform(low + 0.3, high - 0.3), g.uniform(*EYE_M)])
        away = np.hypot(*(roots[:, :2] - eye[:2]).T)
        if away.min() < NEAREST_M or not room_for_eye(layout, boxes, eye):
            continue
        yaw, pitch = _towards(eye, corners)
        yaw += float(g.normal(0, YAW_RAD))
        pose: Pose = routes.rounded(eye, quaternion(turned_view(yaw, pitch, 0.0)), 0.0)
        camera = cameras.pinhole(size[0], size[1], fov, (pose,))
        worth = _worth(done, corners, camera, float(away.mean()))
        if worth > 0 and (best is None or worth > best[0]):
            best = worth, camera
    return _nearer(done, corners, best[1], fov) if best is not None else None


def _nearer(done: Directed, corners: Array, camera: Camera, fov: float) -> Camera:
    """Return a camera that sees less beside what it has to see."""
    for _ in range(NARROWED):
        fov *= NARROWER
        other = cameras.pinhole(camera.width, camera.height, fov, camera.poses)
        if _worth(done, corners, other, 1.0) < _worth(done, corners, camera, 1.0):
            break
        camera = other
    return camera


def _towards(eye: Array, places: Array) -> tuple[float, float]:
    """Return the yaw and the pitch of who looks at the middle of all that some places (n, 3) take up."""
    off = places - eye
    middle = math.atan2(*off[:, :2].mean(axis=0)[::-1])
    beside = np.arctan2(off[:, 1], off[:, 0]) - middle
    beside = np.arctan2(np.sin(beside), np.cos(beside))
    up = np.arctan2(off[:, 2], np.hypot(off[:, 0], off[:, 1]))
    return middle + float(beside.min() + beside.max()) / 2, float(up.min() + up.max()) / 2


def _around(roots: Array, high_m: float) -> Array:
    """Return (n, 3) what has to be in the picture of somebody at some places."""
    turn = np.arange(4) * math.pi / 2
    ring = ROUND_M * np.column_stack([np.cos(turn), np.sin(turn)])
    flat = (roots[:, None, :2] + ring).reshape(-1, 2)
    return np.concatenate([np.column_stack([flat, np.full(len(flat), z)]) for z in (0.0, high_m)])


def _leaning(shown: PlayedActs, scale: float) -> Array:
    """Return (n, 3) what has to be in the picture of heads and backs of who leans or sits, and of hands."""
    out = []
    for root, posture in zip(shown.roots[::3], shown.postures[::3], strict=True):
        hips = np.array([posture.hips_m[0], posture.hips_m[1]])
        head = hips + TRUNK_M * np.array([math.sin(posture.lean_rad), math.cos(posture.lean_rad)])
        places = [(hips[0] - BACK_M, 0.0, hips[1]), (head[0] + BACK_M, 0.0, head[1])]
        places += [palm.place_m for palm in posture.palms]
        c, s = math.cos(root[2]), math.sin(root[2])
        out += [
            (root[0] + scale * (c * x - s * y), root[1] + scale * (s * x + c * y), scale * z)
            for x, y, z in places
        ]
    return np.array(out)


def _worth(done: Directed, corners: Array, camera: Camera, away_m: float) -> float:
    """Return what a camera is worth; 0 where it does not see enough."""
    if not cameras.framed(camera, corners, MARGIN).all():
        return 0.0
    stands = done.stage.layout.stands
    needed = [*done.stage.seats, *done.stage.bearers, *_pushed_in(done)[:1]]
    needed += [s for s in done.stage.things if s is done.taken]
    more = [s for s in stands if s.asset.noun in (*THINGS, *SEATS)]
    every = seen_by_camera([*needed, *more], stands, camera)[0]
    there, others = every[: len(needed)], every[len(needed) :]
    used = {a.obj for a in done.show.acts}
    vital = np.array([done.stage.name(s) in used or _is(s, done.taken) for s in needed])
    if not there[vital].all() or there.mean() < SEEN:
        return 0.0
    eye = np.array(camera.poses[0].position_m[:2])
    for act in (a for a in done.show.acts if a.deed in BEHIND):
        root = done.show.steps.root(np.array([(act.begin_s + act.end_s) / 2]))[0]
        to = eye - root[:2]
        facing = (to @ np.array([math.cos(root[2]), math.sin(root[2])])) / np.linalg.norm(to)
        if facing < BEHIND[act.deed]:
            return 0.0
    return float(there.mean()) + SHOWS * float(others.mean()) + NEARER / away_m


def _pushed_in(done: Directed) -> list[Stand]:
    """Return what is pushed, where it is at first and where it is in the end."""
    target = done.stage.pushed
    if target is None or done.later is None or done.later.pushed is None:
        return []
    return [target, done.later.pushed]


def _is(one: Stand, other: Stand | None) -> bool:
    return one is other
