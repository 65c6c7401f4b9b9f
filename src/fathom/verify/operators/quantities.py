"""Sizes, distances, boxes and poses, in the second derivation: what belongs to one time.

docs/benchmarks/sti-bench-definitions.md says what is meant, sti-bench-proof.md how far it may be off.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.verify.observed.tracks import Array, Ints
from fathom.verify.observed.video import CAMERA, ObservedVideo
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, Span, number, together

SHARE = 0.01
STEEP_DEG, LEANS_DEG = 10.0, 5.0
SIDES = ("length", "width", "height")


def pixel_deg(video: ObservedVideo) -> float:
    """Return the angle of one pixel in the middle of the picture, in degrees."""
    return math.degrees(1.0 / video.focal_px)


def side(video: ObservedVideo, obj: int, which: str) -> DerivedAnswer:
    """Return the extent of an object's box along one of its own axes. Raises InsufficientEvidence where it is
    seen too little.
    """
    size, unsure = video.size(obj).copy(), video.extents[obj].unsure_m.copy()
    if not video.fronts[obj] and size[0] < size[1]:
        size[:2], unsure[:2] = size[1::-1].copy(), unsure[1::-1].copy()
    k = SIDES.index(which)
    frames = [int(f) for f, fit in zip(video.shown, video.fits[obj], strict=True) if fit is not None]
    pixel = min(video.pixel_m(obj, f) for f in frames)
    return number([size[k]], "m", max(SHARE * size[k], pixel), float(unsure[k]))


def pair_unsure(video: ObservedVideo, a: int, b: int) -> float:
    """Return how far the places of two bodies may be off together."""
    return video.course(a).unsure_m + video.course(b).unsure_m


def _apart(video: ObservedVideo, a: int, b: int, rows: Ints | int) -> Array:
    """Return (K, n) how far two bodies are apart on each way."""
    return np.asarray(np.linalg.norm(video.ways(a, rows) - video.ways(b, rows), axis=2))


def _pixel(video: ObservedVideo, frame: int, *bodies: int) -> float:
    return max(video.pixel_m(body, frame) for body in bodies)


def distance(video: ObservedVideo, a: int, b: int, frame: int) -> DerivedAnswer:
    """Return how far two middles are apart at a frame, or a middle and the camera."""
    apart = _apart(video, a, b, frame)[:, 0]
    room = max(SHARE * apart[0], _pixel(video, frame, a, b))
    return number(apart.tolist(), "m", room, pair_unsure(video, a, b))


def extreme(video: ObservedVideo, a: int, b: int, span: Span, most: bool) -> DerivedAnswer:
    """Return the greatest, or the least, distance at any frame of a span."""
    rows = np.arange(span[0], span[1] + 1)
    sign = 1.0 if most else -1.0
    apart = sign * _apart(video, a, b, rows)[0]
    # Wherever on the ways that the frames allow it may be that far.
    beyond = float((apart + video.spread_m(a, rows) + video.spread_m(b, rows)).max() - apart.max())
    frame = int(rows[apart.argmax()])
    found = sign * float(apart.max())
    room = max(SHARE * found, _pixel(video, frame, a, b))
    return number([found], "m", room, beyond + pair_unsure(video, a, b))


def box_gap_m(video: ObservedVideo, a: int, b: int, frame: int) -> float:
    """Return how far the nearest points of two boxes are apart, by least squares within their bounds."""
    from scipy.optimize import lsq_linear

    boxes = [k for k in (a, b) if k != CAMERA]
    off = video.ways(a, frame)[0, 0] - video.ways(b, frame)[0, 0]
    signs = {a: 1.0, b: -1.0}
    spans = np.concatenate([signs[k] * video.turn(k, frame) for k in boxes], axis=1)
    half = np.concatenate([video.size(k) / 2 for k in boxes])
    best = lsq_linear(spans, -off, (-half, half), method="bvls")
    return float(np.linalg.norm(spans @ best.x + off))


def gap(video: ObservedVideo, a: int, b: int, frame: int) -> DerivedAnswer:
    """Return how far the boxes of two objects are apart, or a box and the camera."""
    found = box_gap_m(video, a, b, frame)
    objects = [k for k in (a, b) if k != CAMERA]
    sizes = sum(float(video.size(k).max()) / 2 for k in objects)
    unsure = sum(min(float(video.extents[k].unsure_m.max()), float(video.size(k).max())) / 2 for k in objects)
    room = max(SHARE * found, _pixel(video, frame, a, b)) + SHARE * sizes
    return number([found], "m", room, pair_unsure(video, a, b) + unsure)


def in_camera(video: ObservedVideo, obj: int, frame: int, into: int) -> DerivedAnswer:
    """Return where the middle of an object is at a frame, in the camera's axes at another."""
    places = (video.ways(obj, frame)[:, 0] - video.eyes_m[into]) @ video.views[into]
    away = float(np.linalg.norm(places[0]))
    room = max(SHARE * away, away / video.focal_px)
    return together([number(places[:, k].tolist(), "m", room, video.course(obj).unsure_m) for k in range(3)])


def azimuth_deg(video: ObservedVideo, frame: int) -> float:
    """Return where the optical axis points on the ground. Raises NoAnswer where it is near the vertical."""
    x, y, z = video.views[frame, :, 2]
    if math.degrees(math.atan2(math.hypot(x, y), abs(z))) < STEEP_DEG:
        raise NoAnswer
    return math.degrees(math.atan2(y, x))


def box(video: ObservedVideo, obj: int, frame: int, into: int) -> DerivedAnswer:
    """Return an object's box: middle, sides and yaw. Raises NoAnswer where it leans or has no front."""
    axes = video.turn(obj, frame, exact=True)
    lean = math.degrees(math.acos(min(float(axes[2, 2]), 1.0)))
    if not video.fronts[obj] or lean > LEANS_DEG + 0.5:
        raise NoAnswer
    if lean > LEANS_DEG - 0.5:
        raise InsufficientEvidence
    yaw = math.degrees(math.atan2(axes[1, 0], axes[0, 0])) - azimuth_deg(video, into)
    yaw = math.remainder(yaw, 360.0)
    half = float(video.size(obj)[:2].max()) / 2
    turned = math.degrees(math.atan2(video.pixel_m(obj, frame), half))
    fits = [fit.unsure_m for fit in video.fits[obj] if fit is not None]
    unsure = math.degrees(float(np.median(fits)) / half)
    parts = [side(video, obj, which) for which in SIDES]
    return together([in_camera(video, obj, frame, into), *parts, number([yaw], "deg", turned, unsure)])


def camera_pose(video: ObservedVideo, frame: int, form: str) -> DerivedAnswer:
    """Return the camera's pose in the level frame of its first one, as angles or as a quaternion."""
    from scipy.spatial.transform import Rotation

    # Gravity is down; what is left of the first view beside it is ahead; right is at right angles to both.
    azimuth_deg(video, 0)
    down, view = np.array([0.0, 0.0, -1.0]), video.views[0][:, 2]
    ahead = view - (view @ down) * down
    ahead /= np.linalg.norm(ahead)
    level = np.column_stack([np.cross(down, ahead), down, ahead])
    moved = (video.eyes_m[frame] - video.eyes_m[0]) @ level
    room = SHARE * float(np.linalg.norm(moved))
    place = together([number([v], "m", room) for v in moved.tolist()])
    turn = Rotation.from_matrix(level.T @ video.views[frame])
    if form == "quaternion":
        x, y, z, w = turn.as_quat(canonical=True).tolist()
        half = math.radians(pixel_deg(video)) / 2
        return together([place, *(number([v], "-", half) for v in (w, x, y, z))])
    # Left is against the axis that points down, up about the one to the right, clockwise about the one ahead.
    left, up, clockwise = turn.as_euler("YXZ", degrees=True) * (-1, 1, 1)
    if abs(up) > 90.0 - STEEP_DEG:
        raise NoAnswer
    angles = (number([v], "deg", max(SHARE * abs(v), pixel_deg(video))) for v in (left, up, clockwise))
    return together([place, *angles])


declare(VIDEO, {name: measure(side, name) for name in SIDES})
declare(
    VIDEO,
    {
        "distance": measure(distance),
        "gap": measure(gap),
        "least_distance": measure(extreme, False),
        "greatest_distance": measure(extreme, True),
        "centre": lambda attempt, inputs, args: in_camera(
            attempt.observed, inputs[0].index, inputs[1].index, inputs[1].index
        ),
        "box": lambda attempt, inputs, args: box(
            attempt.observed, inputs[0].index, inputs[1].index, inputs[-1].index
        ),
        "camera_pose": lambda attempt, inputs, args: camera_pose(
            attempt.observed, inputs[0].index, args[0] if args else "angles"
        ),
    },
)
