"""Where objects are to one another, and to the camera, as the camera sees them at a time.

Of each relation there is a signed ratio: 1 and more, it holds and nobody would say otherwise; −1 and less,
its opposite does; between, it is in the dead band. Sides are those of the camera's view, never a thing's own.

Ref: STI-Bench §3.1 b; docs/benchmarks/sti-bench-definitions.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fathom.once import once
from fathom.programs.operators.measuring import measured
from fathom.programs.operators.quantities import known
from fathom.programs.registry import VIDEO, Operator, ProgramRun, declare
from fathom.programs.values import SURE, Measured, TruthValue, Unanswerable, Value, ValueType, weaker
from fathom.programs.views.video import CAMERA, Array, Ints, VideoView

OPPOSITE = {
    "left": "right", "right": "left", "front": "behind", "behind": "front",
    "above": "below", "below": "above",
}  # fmt: skip
"""Relation word → its opposite. "front" is nearer to the camera."""

PAIRS = {"side": ("left", "right"), "depth": ("front", "behind"), "height": ("above", "below")}
"""What is asked with two words → the words."""

WORDS = {
    "left": "to the left of", "right": "to the right of", "front": "in front of", "behind": "behind",
    "above": "above", "below": "below",
}  # fmt: skip
"""Relation word → how it is said of one object and another."""

ORDERS = {"left to right": ("side", "left"), "near to far": ("depth", "front")}
"""How objects can be put in order → the words that are asked of each pair, and the one that comes first."""

QUARTERS = ("front", "left", "behind", "right")
"""The quarters around the direction of view, counter-clockwise: the centre of the k-th lies at k · 90°."""

_AXIS = {"right": 0, "left": 0, "behind": 1, "front": 1, "above": 2, "below": 2}
_SIGN = {"right": 1.0, "left": -1.0, "behind": 1.0, "front": -1.0, "above": 1.0, "below": -1.0}
_ON_SHARE, _OFF_SHARE = 0.08, 0.25


def level_axes(tracks: VideoView, frames: Ints) -> Array:
    """Return (G, 3, 3) the camera's axes made level: rows right, ahead (both on the ground) and up, world.

    For a camera that looks straight up or down, the top or the bottom of the picture stands for ahead.
    """
    views = tracks.views[frames]
    ahead = views[:, :2, 2].copy()
    steep = np.hypot(ahead[:, 0], ahead[:, 1]) < math.sin(math.radians(tracks.rules.steep_deg))
    top = -views[:, :2, 1] * np.where(views[:, 2, 2] > 0, -1.0, 1.0)[:, None]
    ahead = np.where(steep[:, None], top, ahead)
    ahead /= np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-12)[:, None]
    axes = np.zeros((len(frames), 3, 3))
    axes[:, 0, 0], axes[:, 0, 1] = ahead[:, 1], -ahead[:, 0]
    axes[:, 1, :2] = ahead
    axes[:, 2, 2] = 1.0
    return axes


def half_extents_m(tracks: VideoView, frames: Ints, axes: Array) -> Array:
    """Return (T, G, 3) how far each object's box reaches from its centre along `axes` (G, 3, 3), rows."""
    turned = np.abs(axes @ tracks.rotations[:, frames])
    return np.asarray((turned @ (tracks.sizes_m[:, None, :, None] / 2))[..., 0])


@once
def _level(tracks: VideoView, frames: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Return the level axes at some frames, and the centres and half extents of all objects there."""
    at = np.array(frames, dtype=np.int64)
    axes = level_axes(tracks, at)
    return axes, tracks.centres_m[:, at], half_extents_m(tracks, at, axes)


def ratios(tracks: VideoView, word: str, anchor: int, frames: Ints) -> Array:
    """Return (T, G) by how many tolerances each object is `word` of the anchor at each frame; NaN where
    unknown.

    left, right: the bearing from the camera differs, and so do the centres across the view; front, behind:
    the centres along the view differ, and so do the distances to the camera; above, below: the centres in
    height. The tolerance of an offset is the larger of the two half extents and half of the smaller one: at
    a ratio of 1 a quarter of the smaller object may still lie beside the larger one, and no more.
    """
    axes, centres, reach = _level(tracks, tuple(frames.tolist()))
    own = reach[anchor][None]
    room = np.maximum(reach, own) + 0.5 * np.minimum(reach, own) + 1e-9
    k = _AXIS[word]
    across = np.einsum("ga,tga->tg", axes[:, k], centres - centres[anchor][None])
    found = across / room[:, :, k]
    if k < 2:
        rays = centres - tracks.eyes_m[frames][None]
        second = _bearing_ratio(tracks, rays, axes, anchor) if k == 0 else _range_ratio(rays, room, anchor)
        found = np.where(np.abs(found) < np.abs(second), found, second) * (np.sign(found) == np.sign(second))
    unknown = ~tracks.valid[:, frames] | ~tracks.valid[anchor, frames] | ~tracks.eye_valid[frames]
    return np.asarray(np.where(unknown, np.nan, _SIGN[word] * found))


def _bearing_ratio(tracks: VideoView, rays: Array, axes: Array, anchor: int) -> Array:
    bearings = bearings_deg(rays, axes)
    off = bearings[anchor][None] - bearings
    return np.asarray(((off + 180.0) % 360.0 - 180.0) / tracks.rules.bearing_tolerance_deg)


def _range_ratio(rays: Array, room: Array, anchor: int) -> Array:
    away = np.linalg.norm(rays, axis=-1)
    # Half of the room: objects beside one another differ less in distance than in depth.
    return np.asarray((away - away[anchor][None]) / (0.5 * room[:, :, 1]))


def bearings_deg(rays: Array, axes: Array) -> Array:
    """Return the angle on the ground from the view to each of the rays (T, G, 3), to the left above 0."""
    right = np.einsum("ga,tga->tg", axes[:, 0], rays)
    ahead = np.einsum("ga,tga->tg", axes[:, 1], rays)
    return np.asarray(np.degrees(np.arctan2(-right, ahead)))


def pair_word(tracks: VideoView, obj: int, anchor: int, frame: int, asked: str) -> Measured:
    """Return which of two opposite words holds of an object and an anchor at a time, and how firmly.

    `asked` is "side" (left, right), "depth" (front, behind) or "height" (above, below).
    """
    for k in (obj, anchor, CAMERA):
        known(tracks, k, frame)
    word, other = PAIRS[asked]
    ratio = float(ratios(tracks, word, anchor, np.array([frame]))[obj, 0])
    if ratio == 0.0:
        raise Unanswerable(f"{tracks.objects[obj]} is neither {word} nor {other} of {tracks.objects[anchor]}")
    return _as_word(tracks, word if ratio > 0 else other, abs(ratio), obj, anchor)


def main_word(tracks: VideoView, obj: int, anchor: int, frame: int) -> Measured:
    """Return the one word of six that tells best where an object is of an anchor at a time.

    The offset of the centres lies within 45° of that word's direction, and the word itself holds.
    """
    for k in (obj, anchor, CAMERA):
        known(tracks, k, frame)
    frames = np.array([frame])
    axes = level_axes(tracks, frames)[0]
    offset = axes @ (tracks.centres_m[obj, frame] - tracks.centres_m[anchor, frame])
    k = int(np.argmax(np.abs(offset)))
    word = next(w for w in OPPOSITE if _AXIS[w] == k and _SIGN[w] * offset[k] >= 0)
    share = abs(float(offset[k])) / max(float(np.linalg.norm(offset)), 1e-12)
    sector = (45.0 - math.degrees(math.acos(min(share, 1.0)))) / tracks.rules.quarter_tolerance_deg
    ratio = float(ratios(tracks, word, anchor, frames)[obj, 0])
    if min(ratio, sector) <= 0:
        raise Unanswerable(f"no one word tells where {tracks.objects[obj]} is of {tracks.objects[anchor]}")
    return _as_word(tracks, word, min(ratio, sector), obj, anchor)


def order_word(tracks: VideoView, *places: int | str) -> Measured:
    """Return the order in which three objects stand at a time, as their places among the three: "2 1 3".

    `places` are the three things, the frame and what is asked ("left to right", "near to far"). Each pair has
    to be in that order as firmly as a single relation.
    """
    *objects, frame = (int(p) for p in places[:-1])
    pair, before = ORDERS[str(places[-1])]
    first, least = [0] * len(objects), SURE
    for i, one in enumerate(objects):
        for j, other in enumerate(objects[:i]):
            found = pair_word(tracks, one, other, frame, pair)
            least = weaker(least, found.truth)
            first[i if found.value == before else j] += 1
    if sorted(first) != list(range(len(objects))):
        raise Unanswerable("the three are in no order")
    ranked = sorted(range(len(objects)), key=lambda i: -first[i])
    return Measured(" ".join(str(i + 1) for i in ranked), truth=least)


def _as_word(tracks: VideoView, word: str, ratio: float, obj: int, anchor: int) -> Measured:
    between = (tracks.objects[obj], tracks.objects[anchor])
    return Measured(word, truth=TruthValue(ratio, word, ratio, "tolerance", between))


def quarter_word(tracks: VideoView, obj: int, frame: int) -> Measured:
    """Return in which quarter around the camera's view a thing is at a time: front, left, behind or right."""
    known(tracks, obj, frame)
    known(tracks, CAMERA, frame)
    frames = np.array([frame])
    ray = (tracks.centres_m[obj, frame] - tracks.eyes_m[frame])[None, None]
    bearing = float(bearings_deg(ray, level_axes(tracks, frames))[0, 0]) % 360.0
    k = round(bearing / 90.0) % 4
    inside = 45.0 - abs((bearing - 90.0 * k + 180.0) % 360.0 - 180.0)
    ratio = inside / tracks.rules.quarter_tolerance_deg
    if ratio <= 0:
        raise Unanswerable(f"{tracks.objects[obj]} is on the border between two sides of the camera")
    truth = TruthValue(ratio, QUARTERS[k], inside, "deg", (tracks.objects[obj],))
    return Measured(QUARTERS[k], truth=truth)


def on_ratios(tracks: VideoView, anchor: int, frames: Ints) -> Array:
    """Return (T, G) how firmly each object stands on the anchor at each frame: 2, 0 (unsure) or −2; NaN
    unknown.

    It does where its centre lies over the anchor's box and its underside within 8 % of the anchor's height of
    the anchor's top; it does not where the centre is clear of the box, or from 25 % on.
    """
    axes = np.broadcast_to(np.eye(3), (len(frames), 3, 3))
    reach = half_extents_m(tracks, frames, axes)
    centres = tracks.centres_m[:, frames]
    local = np.einsum("tgi,gij->tgj", centres - centres[anchor][None], tracks.rotations[anchor, frames])
    out = (np.abs(local[..., :2]) / (tracks.sizes_m[anchor, :2] / 2)).max(axis=-1)
    top = centres[anchor, :, 2] + reach[anchor, :, 2]
    bottom = centres[..., 2] - reach[..., 2]
    off = np.abs(bottom - top[None]) / np.maximum(2 * reach[anchor, :, 2], 1e-6)[None]
    stands = (out <= 1.0) & (off <= _ON_SHARE)
    clear = (out >= 1.1) | (off >= _OFF_SHARE)
    found = np.where(stands, 2.0, np.where(clear, -2.0, 0.0))
    found[anchor] = -2.0
    unknown = ~tracks.valid[:, frames] | ~tracks.valid[anchor, frames]
    return np.asarray(np.where(unknown, np.nan, found))


def _word(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Measured:
    return measured(pair_word if args else main_word)(run, inputs, args)  # type: ignore[no-any-return]


_PAIR = ValueType.OBJECT, ValueType.OBJECT, ValueType.TIME
_OF_THREE = ValueType.OBJECT, *_PAIR

declare(
    Operator("relation", _PAIR, ValueType.QUANTITY, _word, VIDEO, ("word",), tuple(PAIRS), least=0),
    Operator("order", _OF_THREE, ValueType.QUANTITY, measured(order_word), VIDEO, ("word",), tuple(ORDERS)),
    Operator(
        "quarter", (ValueType.OBJECT, ValueType.TIME), ValueType.QUANTITY, measured(quarter_word), VIDEO
    ),
)
