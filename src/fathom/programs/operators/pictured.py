"""What one picture of a room shows: its kind, what stands where, what is in the way, what is written.

Each function gives a word, or the id of an object as a word, and how far it is from where the answer changes,
in tolerances.

Ref: SEED-Bench §3.1; docs/benchmarks/seed-bench-built.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fathom.geometry.box_gaps import corners_m
from fathom.programs.operators.measuring import measured
from fathom.programs.operators.quantities import known
from fathom.programs.operators.selecting import named, visible
from fathom.programs.operators.viewpoints import SIDES, bearing_deg
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.synonyms import counted_among, taken_for
from fathom.programs.values import SURE, Measured, TruthValue, Unanswerable, ValueType, members
from fathom.programs.views.video import CAMERA, Array, VideoView

FLOOR = "floor"

ON_M, ON_SHARE = 0.03, 0.95
"""How far the underside of what stands on something is from its top at most, and how far its middle is from
that of the other, ÷ half its side."""

CELLS = (
    ("upper left", "top", "upper right"),
    ("left", "center", "right"),
    ("lower left", "bottom", "lower right"),
)
"""The parts of a picture that is cut in thirds, row by row."""

LINE_PX, LINE_SHARE = 25.0, 0.8
"""How far the middle of an object is at least from the lines that cut a picture in thirds: in pixels, and ÷
half its own width or height."""

SHADED = frozenset({"floor lamp", "table lamp"})
"""What has a shade of a colour of its own: whoever is asked for its colour could tell either."""

SECTOR_DEG, FACING_DEG = 30.0, 20.0
"""How far a direction is at least from the border between two of four; and where it is told which side
something turns to another: who faces 30 degrees beside it hardly faces it."""

OVER_SHARE, BESIDE_PX = 0.6, 8.0
"""What is nearer or farther than something is before or behind it in the picture, too, with so much of the
narrower one's width; what is left or right of it is so far beside it there."""

APART_M, NEAR_M = 0.25, 1.6
"""How far apart two middles are at least that are compared, and how far what has to do with it."""

WAY_M, LOW_M, PASSES_M = 0.9, 0.25, 0.35
"""How long a way is at least, how high at least is what blocks it, and how far off what does not."""

AT_SOMETHING = ("seated", "pushes")
"""What people do who touch something large."""

CORE = 0.7
"""Through this share of what is in the way the straight way goes."""

TELLTALE = {
    "living room": (frozenset({"sofa"}), 1),
    "bedroom": (frozenset({"bed", "single bed"}), 1),
    "study": (frozenset({"desk", "office chair", "monitor"}), 2),
    "dining room": (frozenset({"dining table", "round table"}), 1),
    "kitchen": (frozenset({"fridge", "oven", "sink", "kitchen cabinet"}), 2),
}
"""Kind of room → the nouns that tell it, and how many such objects have to be clear."""


MAY_HAVE = {"bedroom": "study", "kitchen": "dining room"}
"""Kind of room → another one whose furniture stands there too: a desk, or a table with chairs."""


def found(tracks: VideoView, word: str, ratio: float, value: float, unit: str, *objects: int) -> Measured:
    """Return a word that was found, and how firmly. Raises Stop where it is on a border."""
    between = tuple("the camera" if k == CAMERA else tracks.objects[k] for k in objects)
    if ratio <= 0:
        raise Unanswerable("it is on the border between two answers")
    return Measured(word, truth=TruthValue(ratio, word, value, unit, between))


def _clear(tracks: VideoView, frame: int) -> list[int]:
    """Return the objects that are clear at a shown frame, the structure not among them."""
    return np.flatnonzero(tracks.clear_in((frame, frame))[0]).tolist()


def room_kind(tracks: VideoView, frame: int) -> Measured:
    """Return what kind of room it is, where what is clear in the picture tells."""
    if tracks.place not in TELLTALE:
        raise Unanswerable("it is no room of a known kind")
    clear = _clear(tracks, frame)
    counts = {
        kind: sum(tracks.names[k] in nouns for k in clear) / least
        for kind, (nouns, least) in TELLTALE.items()
    }
    own = counts.pop(tracks.place)
    rivals = [share for kind, share in counts.items() if kind != MAY_HAVE.get(tracks.place)]
    ratio = own if own >= 1 and max(rivals) < 1 else 0.0
    return found(tracks, tracks.place, ratio, own, "telltales")


def room_use(tracks: VideoView, frame: int) -> Measured:
    """Return the kind of room whose use its furniture tells, where no furniture of another use is seen."""
    own = room_kind(tracks, frame)
    others = set().union(*(nouns for kind, (nouns, _) in TELLTALE.items() if kind != tracks.place))
    if any(tracks.names[k] in others for k in tracks.glimpsed_at(frame)):
        raise Unanswerable("it is furnished for something else, too")
    return own


def written(tracks: VideoView, frame: int, carrier: str) -> Measured:
    """Return the one word that is written on something, where the picture shows it clearly."""
    clear = [k for k in _clear(tracks, frame) if tracks.texts[k] and tracks.carriers[k] == carrier]
    if len(clear) != 1:
        raise Unanswerable(f"{len(clear)} words are clear")
    return found(tracks, tracks.texts[clear[0]], 2.0, 1.0, "words", clear[0])


def color_of(tracks: VideoView, obj: int) -> Measured:
    """Return the colour of an object that has one with a name, and no shade of another one."""
    if not tracks.colors[obj] or tracks.names[obj] in SHADED:
        raise Unanswerable("it has no colour with a name, or a shade of another one")
    return found(tracks, tracks.colors[obj], 2.0, 1.0, "colours", obj)


def part_of_picture(tracks: VideoView, obj: int, frame: int) -> Measured:
    """Return in which of nine parts of the picture (`CELLS`) an object is, by what the picture shows of the
    box around it.
    """
    known(tracks, obj, frame)
    at = slice(frame, frame + 1)
    corners = corners_m(tracks.centres_m[obj, at], tracks.rotations[obj, at], tracks.sizes_m[obj])[0]
    local = (corners - tracks.eyes_m[frame]) @ tracks.views[frame]
    if local[:, 2].min() < 0.05:
        raise Unanswerable("it reaches behind the camera")
    edge = np.array(tracks.size_px) / 2
    flat = np.clip(local[:, :2] / local[:, 2:] * tracks.focal_px, -edge, edge)
    middle, half = (flat.max(axis=0) + flat.min(axis=0)) / 2, np.ptp(flat, axis=0) / 2
    if half.min() <= 0:
        raise Unanswerable("it is beyond the edge of the picture")
    column, row = np.where(np.abs(middle) < edge / 3, 1, np.where(middle < 0, 0, 2)).tolist()
    off = np.abs(np.abs(middle) - edge / 3)
    room = np.maximum(LINE_PX, LINE_SHARE * half)
    return found(tracks, CELLS[row][column], float((off / room).min()), float(off.min()), "px", obj)


def foot_m(tracks: VideoView, obj: int, frame: int) -> float:
    """Return how high the underside of an object is."""
    return float(tracks.centres_m[obj, frame, 2] - tracks.sizes_m[obj, 2] / 2)


def on_ratio(tracks: VideoView, obj: int, carrier: int, frame: int) -> float:
    """Return how firmly an object stands on another one: from 1 on it does, up to −1 it does not."""
    top = foot_m(tracks, carrier, frame) + float(tracks.sizes_m[carrier, 2])
    off = tracks.centres_m[obj, frame] - tracks.centres_m[carrier, frame]
    local = np.abs(tracks.rotations[carrier, frame].T @ off)[:2] / (tracks.sizes_m[carrier, :2] / 2)
    lifted = (2 * ON_M - abs(foot_m(tracks, obj, frame) - top)) / ON_M
    over = (2 * (1 - float(local.max())) + (1 - ON_SHARE)) / (1 - ON_SHARE)
    return min(lifted, over)


def _carriers(tracks: VideoView, obj: int, frame: int) -> Iterator[tuple[int, float]]:
    for k in range(len(tracks.objects)):
        if k != obj and not tracks.stands[k] and not tracks.texts[k]:
            yield k, on_ratio(tracks, obj, k, frame)


def carrier_of(tracks: VideoView, obj: int, frame: int) -> Measured:
    """Return on what an object stands: the id of another one, or "floor"."""
    known(tracks, obj, frame)
    ratios = dict(_carriers(tracks, obj, frame))
    on = [k for k, ratio in ratios.items() if ratio > 0]
    if len(on) > 1:
        raise Unanswerable("it stands on several objects")
    if on:
        return found(tracks, tracks.objects[on[0]], ratios[on[0]], 0.0, "m", obj, on[0])
    if tracks.names[obj].startswith(FLOOR):
        raise Unanswerable("a floor lamp stands on the floor, as its name says")
    foot = foot_m(tracks, obj, frame)
    return found(tracks, FLOOR, (2 * ON_M - abs(foot)) / ON_M, foot, "m", obj)


def carried_by(tracks: VideoView, carrier: int, frame: int) -> Measured:
    """Return the id of the one object that stands on another one."""
    known(tracks, carrier, frame)
    ratios = {
        k: on_ratio(tracks, k, carrier, frame)
        for k in range(len(tracks.objects))
        if k != carrier and not tracks.stands[k] and not tracks.texts[k]
    }
    on = [k for k, ratio in ratios.items() if ratio > -1]
    if len(on) != 1:
        raise Unanswerable(f"{len(on)} objects stand on it")
    return found(tracks, tracks.objects[on[0]], ratios[on[0]], 0.0, "m", on[0], carrier)


def how_many(tracks: VideoView, frame: int, noun: str) -> Measured:
    """Return how many objects of a noun the picture shows, where each is either clear or not seen at all."""
    shown = named(tracks, dict.fromkeys(sorted(tracks.glimpsed_at(frame)), SURE), noun)
    hazy = set(shown) - set(_clear(tracks, frame))
    like = any(taken_for(noun, tracks.names[k]) for k in hazy)
    like = like or any(counted_among(noun, tracks.names[k]) for k in shown)
    if like or any(abs(truth.ratio) < 1 for truth in shown.values()):
        raise Unanswerable(f"of something nobody could say whether it is a {noun}")
    there = set(members(shown))
    if not there or not there <= set(_clear(tracks, frame)):
        raise Unanswerable(f"there is none, or some {noun} is not clear")
    return found(tracks, str(len(there)), 2.0, len(there), "objects", *sorted(there))


def shown_noun(tracks: VideoView, obj: int, frame: int) -> Measured:
    """Return the id of an object that is clear, where it is the only one of its noun."""
    noun = tracks.names[obj]
    alike = members(named(tracks, visible(tracks, (frame, frame)), noun))
    if alike != (obj,) or obj not in _clear(tracks, frame):
        raise Unanswerable("it is not the only one of its kind, or is not clear")
    return found(tracks, tracks.objects[obj], 2.0, 1.0, "objects", obj)


def level_deg(tracks: VideoView, off: Array, frame: int) -> float:
    """Return the angle on the ground from straight ahead of the camera, to the left above 0."""
    ahead = tracks.views[frame][:, 2]
    return math.remainder(math.degrees(math.atan2(off[1], off[0]) - math.atan2(ahead[1], ahead[0])), 360.0)


def _across_px(tracks: VideoView, obj: int, frame: int) -> tuple[float, float]:
    """Return from where to where the box around an object reaches across the picture, from its middle."""
    at = slice(frame, frame + 1)
    box = corners_m(tracks.centres_m[obj, at], tracks.rotations[obj, at], tracks.sizes_m[obj])[0]
    local = (box - tracks.eyes_m[frame]) @ tracks.views[frame]
    if local[:, 2].min() <= 0:
        raise Unanswerable("it reaches beside the camera")
    across = local[:, 0] / local[:, 2] * float(tracks.focal_px[0])
    return float(across.min()), float(across.max())


def view_side(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return where an object is from another one, as the camera sees them: left, right, nearer, farther."""
    for k in (one, other):
        known(tracks, k, frame)
    off = tracks.centres_m[one, frame] - tracks.centres_m[other, frame]
    far = math.hypot(off[0], off[1])
    angle = level_deg(tracks, off, frame)
    k = round(angle / 90.0) % 4
    word = ("farther", "left", "nearer", "right")[k]
    inside = 45.0 - abs(math.remainder(angle - 90.0 * k, 360.0))
    ratio = min(inside / SECTOR_DEG, (far - APART_M) / (APART_M / 2))
    (left, right), (low, high) = (_across_px(tracks, k, frame) for k in (one, other))
    if word in ("left", "right"):
        ratio = min(ratio, (left - high if word == "right" else low - right) / BESIDE_PX)
    else:
        narrower = min(right - left, high - low)
        ratio = min(ratio, (min(right, high) - max(left, low)) / (OVER_SHARE * narrower))
    return found(tracks, word, ratio, inside, "deg", one, other)


def dealing(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return which of its sides an object on the floor turns to another one near it: front, left, back or
    right.
    """
    for k in (one, other):
        known(tracks, k, frame)
    stacked = max(on_ratio(tracks, one, other, frame), on_ratio(tracks, other, one, frame)) > -1
    if not tracks.fronts[one] or stacked or abs(foot_m(tracks, one, frame)) > ON_M:
        raise Unanswerable("it has no front that is known, or one stands on the other")
    off = tracks.centres_m[one, frame, :2] - tracks.centres_m[other, frame, :2]
    gap = float(np.linalg.norm(off)) - float(tracks.sizes_m[[one, other], :2].max(axis=1).sum()) / 2
    angle = bearing_deg(tracks, one, other, frame) % 360.0
    k = round(angle / 90.0) % 4
    inside = 45.0 - abs(math.remainder(angle - 90.0 * k, 360.0))
    ratio = min(inside / FACING_DEG, (NEAR_M - gap) / (NEAR_M / 4))
    return found(tracks, SIDES[k], ratio, inside, "deg", one, other)


def off_way_m(tracks: VideoView, obj: int, ends: Array, frame: int, share: float) -> float:
    """Return how far a way (2, 2) on the ground passes an object whose footprint is scaled; 0: through it."""
    along = ends[0] + np.linspace(0, 1, 81)[:, None] * (ends[1] - ends[0])
    turn = tracks.rotations[obj, frame, :2, :2]
    local = np.abs((along - tracks.centres_m[obj, frame, :2]) @ turn)
    beyond = np.maximum(local - share * tracks.sizes_m[obj, :2] / 2, 0.0)
    return float(np.linalg.norm(beyond, axis=1).min())


def in_the_way(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return the id of the one object on the straight way along the floor from one object to another."""
    for k in (one, other):
        known(tracks, k, frame)
        if abs(foot_m(tracks, k, frame)) > ON_M or (tracks.does and tracks.does[k] in AT_SOMETHING):
            raise Unanswerable("one of the two does not stand on the floor by itself")
    ends = tracks.centres_m[[one, other], frame, :2]
    length = float(np.linalg.norm(ends[1] - ends[0]))
    blocks, free = [], math.inf
    for k in range(len(tracks.objects)):
        low = tracks.stands[k] or tracks.texts[k] or tracks.sizes_m[k, 2] < LOW_M
        if k in (one, other) or low or foot_m(tracks, k, frame) > ON_M:
            continue
        if off_way_m(tracks, k, ends, frame, CORE) == 0.0:
            blocks.append(k)
        else:
            free = min(free, off_way_m(tracks, k, ends, frame, 1.0))
    if len(blocks) != 1:
        raise Unanswerable(f"{len(blocks)} objects are in the way")
    ratio = min(free / PASSES_M, (length - WAY_M) / (WAY_M / 4))
    return found(tracks, tracks.objects[blocks[0]], ratio, free, "m", one, other, blocks[0])


_AT, _OBJ = ValueType.TIME, ValueType.OBJECT

declare(
    *(
        Operator(act.__name__, takes, ValueType.QUANTITY, measured(act), VIDEO, args)
        for takes, args, acts in (
            ((_AT,), (), (room_kind, room_use)),
            ((_AT,), ("text",), (how_many, written)),
            ((_OBJ,), (), (color_of,)),
            ((_OBJ, _AT), (), (part_of_picture, carrier_of, carried_by, shown_noun)),
            ((_OBJ, _OBJ, _AT), (), (view_side, dealing, in_the_way)),
        )
        for act in acts
    )
)
