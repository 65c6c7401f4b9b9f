"""Where objects are to one another as the camera sees them, in the second derivation.

docs/benchmarks/sti-bench-definitions.md says what the words mean.
"""

from __future__ import annotations

import math

import numpy as np

from fathom.once import once
from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import CAMERA, ObservedVideo
from fathom.verify.operators.frames import Args, Filmed
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, Value, word

FIRM = 0.85
"""From this share of its tolerance on a relation is taken to hold, and below its negative to fail."""

BEARING_DEG, INSIDE_DEG = 2.0, 6.0
STEEP = math.sin(math.radians(10.0))
ON, OFF = 0.10, 0.20

ALONG = {
    "left": (0, -1),
    "right": (0, 1),
    "front": (1, -1),
    "behind": (1, 1),
    "below": (2, -1),
    "above": (2, 1),
}
"""Word → the axis of the level view (right, ahead, up), and which way along it."""

ASKED = {"side": ("left", "right"), "depth": ("front", "behind"), "height": ("above", "below")}


def level_view(video: ObservedVideo, frame: int) -> Array:
    """Return (3, 3) right, ahead and up as rows, the first two on the ground, as the camera looks."""
    down, ahead = video.views[frame].T[1:]
    flat = ahead if math.hypot(ahead[0], ahead[1]) >= STEEP else down if ahead[2] > 0 else -down
    flat = np.array([flat[0], flat[1], 0.0]) / math.hypot(flat[0], flat[1])
    return np.stack([np.cross(flat, (0.0, 0.0, 1.0)), flat, (0.0, 0.0, 1.0)])


def middle(video: ObservedVideo, body: int, frame: int) -> Array:
    """Return (3,) where a body is at a frame, on the likeliest way. Raises InsufficientEvidence where that is
    unknown.
    """
    return np.asarray(video.ways(body, frame)[0, 0])


def reach(video: ObservedVideo, obj: int, frame: int, axes: Array) -> Array:
    """Return (n,) how far an object's box reaches from its middle along (n, 3) axes."""
    return np.asarray(np.abs(axes @ video.turn(obj, frame)) @ (video.size(obj) / 2))


def _bearing(off: Array) -> float:
    return math.degrees(math.atan2(-off[0], off[1]))


def strength(video: ObservedVideo, said: str, obj: int, anchor: int, frame: int) -> float:
    """Return by how many tolerances an object is what is said of an anchor at a frame. Raises
    InsufficientEvidence.
    """
    axes = level_view(video, frame)
    eye = video.eyes_m[frame]
    a, b = (axes @ (middle(video, k, frame) - eye) for k in (obj, anchor))
    one, other = (reach(video, k, frame, axes) for k in (obj, anchor))
    k, sign = ALONG[said]
    room = max(one[k], other[k]) + min(one[k], other[k]) / 2
    found = [float(a[k] - b[k]) / room]
    if k == 0:
        turned = math.remainder(_bearing(b) - _bearing(a), 360.0)
        found.append(turned / BEARING_DEG)
    if k == 1:
        found.append(float(np.linalg.norm(a) - np.linalg.norm(b)) / (room / 2))
    if min(found) < 0 < max(found):
        return 0.0
    return float(sign * min(found, key=abs))


@once
def is_related(video: ObservedVideo, said: str, obj: int, anchor: int, frame: int) -> bool | None:
    """Return whether a relation holds at a frame, None where that cannot be told."""
    try:
        return _is_related(video, said, obj, anchor, frame)
    except InsufficientEvidence:
        return None


def _is_related(video: ObservedVideo, said: str, obj: int, anchor: int, frame: int) -> bool | None:
    if said == "on":
        return _stands_on(video, obj, anchor, frame)
    found = strength(video, said, obj, anchor, frame)
    return True if found >= FIRM else False if found <= -FIRM else None


def _stands_on(video: ObservedVideo, obj: int, anchor: int, frame: int) -> bool | None:
    up = np.array([[0.0, 0.0, 1.0]])
    off = middle(video, obj, frame) - middle(video, anchor, frame)
    own = video.turn(anchor, frame).T @ off
    outside = float((np.abs(own[:2]) / (video.size(anchor)[:2] / 2)).max())
    tall, low = reach(video, anchor, frame, up)[0], reach(video, obj, frame, up)[0]
    lifted = abs(float(off[2]) - low - tall) / (2 * tall)
    if outside <= 1.0 and lifted <= ON:
        return True if outside <= 0.98 else None
    return False if outside >= 1.08 or lifted >= OFF else None


def pair_word(video: ObservedVideo, obj: int, anchor: int, frame: int, asked: str) -> DerivedAnswer:
    """Return which of two opposite words holds. Raises InsufficientEvidence where neither clearly does."""
    for said in ASKED[asked]:
        if strength(video, said, obj, anchor, frame) >= FIRM:
            return word(said)
    raise InsufficientEvidence


def main_word(video: ObservedVideo, obj: int, anchor: int, frame: int) -> DerivedAnswer:
    """Return the one word of six in whose direction an object lies. Raises InsufficientEvidence where none
    clearly does.
    """
    off = level_view(video, frame) @ (middle(video, obj, frame) - middle(video, anchor, frame))
    for said, (k, sign) in ALONG.items():
        inside = 45.0 - math.degrees(math.acos(np.clip(sign * off[k] / np.linalg.norm(off), -1, 1)))
        if inside >= INSIDE_DEG and strength(video, said, obj, anchor, frame) >= FIRM:
            return word(said)
    raise InsufficientEvidence


def quarter_word(video: ObservedVideo, obj: int, frame: int) -> DerivedAnswer:
    """Return on which of its four sides the camera has a thing. Raises InsufficientEvidence near a border."""
    off = level_view(video, frame) @ (middle(video, obj, frame) - middle(video, CAMERA, frame))
    for said, at in (("front", 0.0), ("left", 90.0), ("behind", 180.0), ("right", -90.0)):
        if abs(math.remainder(_bearing(off) - at, 360.0)) <= 45.0 - INSIDE_DEG:
            return word(said)
    raise InsufficientEvidence


def order_word(video: ObservedVideo, objects: tuple[int, ...], frame: int, asked: str) -> DerivedAnswer:
    """Return the order of objects as their places among them, "2 1 3". Raises InsufficientEvidence where a
    pair has none.
    """
    said = {"left to right": "left", "near to far": "front"}[asked]
    ahead = [0] * len(objects)
    for i, one in enumerate(objects):
        for j, other in enumerate(objects):
            if i != j:
                held = is_related(video, said, one, other, frame)
                if held is None:
                    raise InsufficientEvidence
                ahead[i] += held
    if sorted(ahead) != list(range(len(objects))):
        raise NoAnswer
    return word(" ".join(str(i + 1) for i in sorted(range(len(objects)), key=lambda i: -ahead[i])))


def _relation(attempt: Filmed, inputs: list[Value], args: Args) -> DerivedAnswer:
    obj, anchor, frame = (value.index for value in inputs)
    if args:
        return pair_word(attempt.observed, obj, anchor, frame, args[0])
    return main_word(attempt.observed, obj, anchor, frame)


def _order(attempt: Filmed, inputs: list[Value], args: Args) -> DerivedAnswer:
    *objects, frame = (value.index for value in inputs)
    return order_word(attempt.observed, tuple(objects), frame, args[0])


declare(VIDEO, {"relation": _relation, "order": _order, "quarter": measure(quarter_word)})
