"""Every measured quantity that stands still or belongs to one time: sizes, distances, boxes, poses.

Each function gives a number with its unit and its tolerance: what the answer may be off by when the inputs
are off by 1 %, by one pixel, or by what the annotation may be off by. One that has no answer raises Stop.

Ref: STI-Bench §3.1 a, c, h; docs/benchmarks/sti-bench-definitions.md.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.geometry.box_gaps import gap_m
from fathom.geometry.poses import quaternion
from fathom.once import once
from fathom.programs.operators.measuring import measured, of_pairs
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, Unanswerable, ValueType, number
from fathom.programs.views.video import CAMERA, Array, Ints, Span, VideoView

SIDES = ("length", "width", "height")
"""What the extents along an object's own x (forward), y (left) and z (up) are called."""

EULER_UNIT = "m m m deg deg deg"
QUATERNION_UNIT = "m m m - - - -"
BOX_UNIT = "m m m m m m deg"


def known(tracks: VideoView, body: int, frame: int) -> None:
    """Raise Stop where it is not known where a body is at a frame."""
    if not tracks.course(body).valid[frame]:
        what = "the camera" if body == CAMERA else tracks.objects[body]
        raise Unanswerable(f"it is not known where {what} is at {tracks.times_s[frame]:g} s")


def allowed(tracks: VideoView, value: float, pixel_m: float, sigma: float) -> float:
    """Return the tolerance of a value: the greater of a share of it and one pixel, and the annotation's
    own.
    """
    return max(tracks.rules.share * abs(value), pixel_m) + tracks.rules.sigmas * sigma


def side(tracks: VideoView, obj: int, which: str) -> Measured:
    """Return the length, width or height of an object: the extent of its box along its own x, y or z axis.

    Where its front is not known, the length is the longer and the width the shorter of the first two.
    """
    extents = tracks.sizes_m[obj].tolist()
    if not tracks.fronts[obj]:
        extents[:2] = sorted(extents[:2], reverse=True)
    value = float(extents[SIDES.index(which)])
    frames = np.flatnonzero(tracks.valid[obj])
    if not len(frames):
        raise Unanswerable(f"it is never known where {tracks.objects[obj]} is")
    away = np.linalg.norm(tracks.centres_m[obj, frames] - tracks.eyes_m[frames], axis=1)
    # A face at either end, each of them annotated with the sigma of the box.
    sigma = math.sqrt(2) * float(np.median(tracks.sigmas_m[obj, frames]))
    return number(value, "m", allowed(tracks, value, float(away.min()) / min(tracks.focal_px), sigma))


def _pair_sigma(tracks: VideoView, a: int, b: int, frame: int) -> float:
    return math.hypot(tracks.course(a).sigmas_m[frame], tracks.course(b).sigmas_m[frame])


def distance(tracks: VideoView, a: int, b: int, frame: int) -> Measured:
    """Return the distance between the centres of two objects, or of an object and the camera, at a time."""
    known(tracks, a, frame)
    known(tracks, b, frame)
    value = float(np.linalg.norm(tracks.course(a).positions_m[frame] - tracks.course(b).positions_m[frame]))
    pixel = max(tracks.pixel_m(a, frame), tracks.pixel_m(b, frame))
    return number(value, "m", allowed(tracks, value, pixel, _pair_sigma(tracks, a, b, frame)))


def gap(tracks: VideoView, a: int, b: int, frame: int) -> Measured:
    """Return the distance between the nearest points of the boxes of two objects at a time, 0 where they
    touch.

    To the camera (a point) from the nearest point of a thing's box. That a box stands for a thing is stated
    where it is asked.
    """
    known(tracks, a, frame)
    known(tracks, b, frame)
    one, other = (_boxes(tracks, k, slice(frame, frame + 1)) for k in (a, b))
    value = float(gap_m(one, other)[0])
    reach = sum(
        float(np.linalg.norm(tracks.sizes_m[k])) / 2 * float(tracks.sigmas_rad[k, frame])
        for k in (a, b)
        if k != CAMERA
    )
    # What a share of the sizes does to the gap, besides the share of the gap itself.
    sizes = sum(float(tracks.sizes_m[k].max()) / 2 for k in (a, b) if k != CAMERA)
    pixel = max(tracks.pixel_m(a, frame), tracks.pixel_m(b, frame))
    room = allowed(tracks, value, pixel, _pair_sigma(tracks, a, b, frame) + reach)
    return number(value, "m", room + tracks.rules.share * sizes)


def _boxes(tracks: VideoView, body: int, rows: slice) -> tuple[Array, Array, Array]:
    if body == CAMERA:
        return tracks.eyes_m[rows], tracks.views[rows], np.zeros(3)
    return tracks.centres_m[body, rows], tracks.rotations[body, rows], tracks.sizes_m[body]


def extreme_distance(tracks: VideoView, a: int, b: int, span: Span, most: bool) -> Measured:
    """Return the largest or the smallest distance between two centres over all frames of a span.

    Its tolerance has, besides that of a distance, how much it changes when only the frames that are shown
    are looked at.
    """
    rows = frames_in(tracks, span, a, b)
    apart = np.linalg.norm(tracks.course(a).positions_m[rows] - tracks.course(b).positions_m[rows], axis=1)
    pick = np.argmax if most else np.argmin
    frame = int(rows[pick(apart)])
    seen = apart[thinned(tracks, rows)]
    missed = abs(float(apart[pick(apart)] - seen[pick(seen)]))
    at = distance(tracks, a, b, frame)
    return number(at.numbers[0], "m", at.tolerance[0] + missed)


def frames_in(tracks: VideoView, span: Span, *bodies: int) -> Ints:
    """Return the frames of a span at which it is known where the bodies are.

    Raises Stop where it is not known at an end of the span, or for longer than can be bridged.
    """
    rows = np.arange(span[0], span[1] + 1)
    for body in bodies:
        known(tracks, body, span[0])
        known(tracks, body, span[1])
        rows = rows[tracks.course(body).valid[rows]]
    gaps = np.diff(tracks.times_s[rows])
    # A clock that skips is no gap in what is known.
    wide = np.flatnonzero((gaps > tracks.rules.bridge_s + 1e-6) & (np.diff(rows) > 1))
    if len(wide):
        for body in bodies:
            known(tracks, body, int(rows[wide[0]]) + 1)
    return rows


def thinned(tracks: VideoView, rows: Ints) -> Ints:
    """Return which of some frames, as places among them, are as far apart as those that are shown; the first
    and the last of them are.
    """
    step, times = tracks.rules.seen_step_s, tracks.times_s[rows]
    if step <= 0:
        return np.arange(len(rows))
    lasts = float(times[-1] - times[0])
    wanted = np.linspace(0.0, lasts, max(round(lasts / step), 1) + 1) + times[0]
    return np.unique(np.abs(times[:, None] - wanted).argmin(axis=0))


def in_camera(tracks: VideoView, obj: int, frame: int) -> Measured:
    """Return the centre of an object's box in the camera's frame (x right, y down, z forward) at a time."""
    known(tracks, obj, frame)
    known(tracks, CAMERA, frame)
    local = (tracks.centres_m[obj, frame] - tracks.eyes_m[frame]) @ tracks.views[frame]
    away = float(np.linalg.norm(local))
    sigma = _pair_sigma(tracks, obj, CAMERA, frame) + away * float(tracks.view_sigmas_rad[frame])
    room = tuple(allowed(tracks, away, tracks.pixel_m(obj, frame), sigma) for _ in range(3))
    return Measured(tuple(float(v) for v in local), "m m m", room)


def box(tracks: VideoView, obj: int, frame: int, into: int | None = None) -> Measured:
    """Return an object's box at a time: centre in the camera's frame, length, width, height, and yaw in
    degrees.

    The frame is that of the camera at `into`, else at the same time. Yaw is the angle, on the ground, from
    where that camera looks to where the object's front points, counter-clockwise seen from above, in
    (−180, 180]: 0 faces the way that the camera looks. Raises Stop for a box that leans or whose front is not
    known, and for a camera that looks straight up or down.
    """
    known(tracks, obj, frame)
    into = frame if into is None else into
    known(tracks, CAMERA, into)
    if not tracks.fronts[obj]:
        raise Unanswerable(
            f"it is not known which side of {tracks.objects[obj]} is its front, so that it has no yaw"
        )
    axes = tracks.rotations[obj, frame]
    lean = math.degrees(math.acos(float(np.clip(axes[2, 2], -1.0, 1.0))))
    if lean > tracks.rules.upright_deg:
        raise Unanswerable(
            f"{tracks.objects[obj]} leans by {lean:.0f}°, so that a yaw does not say how it lies"
        )
    local = (tracks.centres_m[obj, frame] - tracks.eyes_m[into]) @ tracks.views[into]
    yaw = wrapped(math.degrees(math.atan2(axes[1, 0], axes[0, 0])) - azimuth_deg(tracks, into))
    away = float(np.linalg.norm(local))
    sigma = math.hypot(tracks.sigmas_m[obj, frame], tracks.eye_sigmas_m[into])
    spot = allowed(tracks, away, away / min(tracks.focal_px), sigma + away * tracks.view_sigmas_rad[into])
    turned = math.hypot(tracks.sigmas_rad[obj, frame], tracks.view_sigmas_rad[into])
    sides = [side(tracks, obj, name) for name in SIDES]
    value = (*(float(v) for v in local), *(s.numbers[0] for s in sides), yaw)
    return Measured(
        value, BOX_UNIT, (spot, spot, spot, *(s.tolerance[0] for s in sides), angle_room(tracks, 0.0, turned))
    )


def azimuth_deg(tracks: VideoView, frame: int) -> float:
    """Return where the optical axis points on the ground, counter-clockwise from world x, in degrees.

    Raises Stop where the camera looks straight up or down.
    """
    axis = tracks.views[frame, :, 2]
    if math.hypot(axis[0], axis[1]) < math.sin(math.radians(tracks.rules.steep_deg)):
        raise Unanswerable(
            f"at {tracks.times_s[frame]:g} s the camera looks straight {'up' if axis[2] > 0 else 'down'}"
        )
    return math.degrees(math.atan2(axis[1], axis[0]))


def wrapped(angle_deg: float) -> float:
    """Return an angle in (−180, 180] degrees."""
    return 180.0 - (180.0 - angle_deg) % 360.0


def angle_room(tracks: VideoView, angle_deg: float, sigma_rad: float) -> float:
    """Return the tolerance of an angle in degrees: a fixed part, a share of it, and the annotation's."""
    rules = tracks.rules
    return rules.angle_tolerance_deg + rules.share * abs(angle_deg) + rules.sigmas * math.degrees(sigma_rad)


def level_frame(tracks: VideoView, frame: int) -> Array:
    """Return the level frame of the camera at a time: x right, y down (along gravity) and z, which is where
    it looks laid on the ground, as the columns of (3, 3) in the world. Raises Stop where it looks straight up
    or down.
    """
    heading = math.radians(azimuth_deg(tracks, frame))
    c, s = math.cos(heading), math.sin(heading)
    return np.array([[s, 0.0, c], [-c, 0.0, s], [0.0, -1.0, 0.0]])


def camera_pose(tracks: VideoView, frame: int, form: str = "angles") -> Measured:
    """Return the camera's pose at a time in the level frame of its first one (x right, y down, z ahead).

    `form` "angles": x, y, z and yaw, pitch, roll in degrees: from straight ahead on the ground turn left by
    the yaw, then up by the pitch, then clockwise (the right side down) by the roll, each about the camera's
    own axes. "quaternion": x, y, z and w, x, y, z with w ≥ 0, the rotation that takes its axes at that time
    to those of the frame. Raises Stop where it looks straight up or down at first or, for angles, then.
    """
    known(tracks, CAMERA, 0)
    known(tracks, CAMERA, frame)
    level = level_frame(tracks, 0)
    moved = (tracks.eyes_m[frame] - tracks.eyes_m[0]) @ level
    turn = level.T @ tracks.views[frame]
    far = float(np.linalg.norm(moved))
    turned = math.hypot(tracks.view_sigmas_rad[0], tracks.view_sigmas_rad[frame])
    sigma = _moved_sigma(tracks, frame) + far * float(tracks.view_sigmas_rad[0])
    spot = (allowed(tracks, far, 0.0, sigma),) * 3
    place = tuple(float(v) for v in moved)
    if form == "quaternion":
        # Half an angle is what a quaternion holds.
        room = math.radians(angle_room(tracks, 0.0, turned)) / 2
        return Measured((*place, *quaternion(turn)), QUATERNION_UNIT, (*spot, room, room, room, room))
    angles = yaw_pitch_roll_deg(turn)
    if abs(angles[1]) > 90.0 - tracks.rules.steep_deg:
        raise Unanswerable(f"at {tracks.times_s[frame]:g} s the camera looks straight up or down")
    return Measured((*place, *angles), EULER_UNIT, (*spot, *(angle_room(tracks, a, turned) for a in angles)))


@once
def camera_poses(tracks: VideoView) -> Array:
    """Return the camera's poses (F, 6) as `camera_pose` tells them, their yaws unwrapped.

    Raises Stop where any of them has none.
    """
    if not tracks.eye_valid.all():
        known(tracks, CAMERA, int(np.argmin(tracks.eye_valid)))
    level = level_frame(tracks, 0)
    places = (tracks.eyes_m - tracks.eyes_m[0]) @ level
    angles = _angles_deg(level.T @ tracks.views)
    steep = np.abs(angles[:, 1]) > 90.0 - tracks.rules.steep_deg
    if steep.any():
        raise Unanswerable(f"at {tracks.times_s[np.argmax(steep)]:g} s the camera looks straight up or down")
    angles[:, 0] = np.unwrap(angles[:, 0], period=360.0)
    return np.concatenate([places, angles], axis=1)


def _moved_sigma(tracks: VideoView, frame: int) -> float:
    return math.hypot(tracks.eye_sigmas_m[0], tracks.eye_sigmas_m[frame])


def yaw_pitch_roll_deg(turn: Array) -> tuple[float, float, float]:
    """Return yaw (left), pitch (up) and roll (clockwise) in degrees of a rotation of camera axes (3, 3)."""
    yaw, pitch, roll = _angles_deg(turn).tolist()
    return yaw, pitch, roll


def _angles_deg(turns: Array) -> Array:
    """Return (..., 3) yaw, pitch and roll in degrees of rotations (..., 3, 3)."""
    yaw = -np.arctan2(turns[..., 0, 2], turns[..., 2, 2])
    pitch = np.arcsin(np.clip(-turns[..., 1, 2], -1.0, 1.0))
    roll = np.arctan2(turns[..., 1, 0], turns[..., 1, 1])
    return np.asarray(np.degrees(np.stack([yaw, pitch, roll], axis=-1)))


for _side in SIDES:
    declare(Operator(_side, (ValueType.OBJECT,), ValueType.QUANTITY, measured(side, _side), VIDEO, unit="m"))

of_pairs("distance", measured(distance), ValueType.TIME, "m")
of_pairs("gap", measured(gap), ValueType.TIME, "m")
of_pairs("least_distance", measured(extreme_distance, False), ValueType.SPAN, "m")
of_pairs("greatest_distance", measured(extreme_distance, True), ValueType.SPAN, "m")

_FORMS = "angles", "quaternion"

declare(
    Operator(
        "centre",
        (ValueType.OBJECT, ValueType.TIME),
        ValueType.QUANTITY,
        measured(in_camera),
        VIDEO,
        unit="m m m",
    ),
    Operator(
        "box", (ValueType.OBJECT, ValueType.TIME), ValueType.QUANTITY, measured(box), VIDEO, unit=BOX_UNIT
    ),
    Operator(
        "box",
        (ValueType.OBJECT, ValueType.TIME, ValueType.TIME),
        ValueType.QUANTITY,
        measured(box),
        VIDEO,
        unit=BOX_UNIT,
    ),
    Operator(
        "camera_pose",
        (ValueType.TIME,),
        ValueType.QUANTITY,
        measured(camera_pose),
        VIDEO,
        ("word",),
        _FORMS,
        0,
    ),
)
