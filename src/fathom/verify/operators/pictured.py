"""What one picture of a room shows, in the second derivation: from poses and extents that the picture gives.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from fathom.verify.observed.tracks import Array
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.frames import Args, Filmed
from fathom.verify.operators.relations import level_view, middle
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer, Value, word

LETTERS = "lettering"

TELLS: Mapping[str, str] = {
    "fridge": "kitchen", "oven": "kitchen", "sink": "kitchen", "kitchen cabinet": "kitchen",
    "bed": "bedroom", "single bed": "bedroom", "sofa": "living room", "dining table": "dining room",
    "round table": "dining room", "desk": "study", "office chair": "study", "monitor": "study",
}  # fmt: skip
"""Noun → the kind of room that it tells of."""

ENOUGH = {"kitchen": 2, "bedroom": 1, "living room": 1, "dining room": 1, "study": 2}

LEVEL_M, OVER = 0.045, 0.98
"""How far an underside is from a top on which it stands, and a middle from a middle, ÷ half a side."""

HALF_SECTOR_DEG = 35.0
LINE_PX, LINE_SHARE = 20.0, 0.4
TALL_M, FREE_M = 0.24, 0.3


def _decided(said: str, clear: bool) -> DerivedAnswer:
    if not clear:
        raise InsufficientEvidence
    return word(said)


def _row(video: ObservedVideo, frame: int) -> int:
    return int(np.abs(video.shown - frame).argmin())


def clearly_there(video: ObservedVideo, frame: int) -> list[int]:
    """Return the objects that can surely be made out, but the lettering."""
    return [k for k in np.flatnonzero(video.sure[_row(video, frame)]).tolist() if video.names[k] != LETTERS]


def kind_of_room(video: ObservedVideo, frame: int) -> DerivedAnswer:
    """Return the kind of room of which enough of what can be made out tells."""
    found = [TELLS[video.names[k]] for k in clearly_there(video, frame) if video.names[k] in TELLS]
    kinds = [kind for kind, least in ENOUGH.items() if found.count(kind) >= least]
    for kind, lesser in (("bedroom", "study"), ("kitchen", "dining room")):
        if kind in kinds and lesser in kinds:
            kinds.remove(lesser)
    return _decided(kinds[0] if kinds else "", len(kinds) == 1)


def use_of_room(video: ObservedVideo, frame: int) -> DerivedAnswer:
    """Return the kind of room that all furniture tells of which anything shows."""
    shown = video.glimpsed[_row(video, frame)]
    told = {TELLS[name] for name, shows in zip(video.names, shown, strict=True) if shows and name in TELLS}
    if len(told) != 1:
        raise InsufficientEvidence
    return kind_of_room(video, frame)


def read(attempt: Filmed, inputs: list[Value], args: Args) -> DerivedAnswer:
    """Return the one word that the picture lets one read on something. Raises InsufficientEvidence."""
    found = [said for said, on in attempt.observed.written if on == args[0]]
    return _decided(found[0] if found else "", len(found) == 1)


def hue(video: ObservedVideo, obj: int) -> DerivedAnswer:
    """Return the colour of an object."""
    return _decided(video.colors[obj], bool(video.colors[obj]))


def part(video: ObservedVideo, obj: int, frame: int) -> DerivedAnswer:
    """Return in which of nine parts of the picture the box around an object has its middle."""
    signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
    corners = middle(video, obj, frame) + signs * (video.size(obj) / 2) @ video.turn(obj, frame).T
    right, down, ahead = ((corners - video.eyes_m[frame]) @ video.views[frame]).T
    if ahead.min() <= 0.05:
        raise InsufficientEvidence
    wide, high = video.size_px
    across = _third(video.focal_px * right / ahead + wide / 2, wide, ("left", "", "right"))
    along = _third(video.focal_px * down / ahead + high / 2, high, ("upper", "", "lower"))
    if across and along:
        return word(f"{along} {across}")
    return word(across or {"upper": "top", "lower": "bottom", "": "center"}[along])


def _third(at_px: Array, size_px: int, said: tuple[str, str, str]) -> str:
    """Return what the third of a picture's side is called in which what reaches so far along it has its
    middle. Raises InsufficientEvidence where that is near a border, or it is beyond the edge.
    """
    first, last = max(float(at_px.min()), 0.0), min(float(at_px.max()), float(size_px))
    place, own = (first + last) / 2 / size_px * 3, (last - first) / size_px * 3
    beside = max(LINE_PX / size_px * 3, LINE_SHARE * own / 2)
    if own <= 0 or any(abs(place - line) < beside for line in (1, 2)):
        raise InsufficientEvidence
    return said[min(int(place), 2)]


def bottom_m(video: ObservedVideo, obj: int, frame: int) -> float:
    """Return how high the underside of an object is."""
    return float(middle(video, obj, frame)[2] - video.size(obj)[2] / 2)


def rests_on(video: ObservedVideo, obj: int, carrier: int, frame: int) -> bool:
    """Return whether an object's underside is at another one's top, and its middle over it."""
    rise = bottom_m(video, obj, frame) - bottom_m(video, carrier, frame) - float(video.size(carrier)[2])
    off = middle(video, obj, frame) - middle(video, carrier, frame)
    aside = np.abs(off @ video.turn(carrier, frame))[:2] / (video.size(carrier)[:2] / 2)
    return bool(abs(rise) <= LEVEL_M and aside.max() <= OVER)


def known_objects(video: ObservedVideo, frame: int, but: int) -> Iterable[int]:
    """Yield the objects whose place and extents are known, but one."""
    for k in range(len(video.objects)):
        if k == but or video.names[k] == LETTERS:
            continue
        try:
            bottom_m(video, k, frame), video.turn(k, frame)
        except InsufficientEvidence:
            continue
        yield k


def stands_on(video: ObservedVideo, obj: int, frame: int) -> DerivedAnswer:
    """Return the object under another one, or the floor."""
    under = [k for k in known_objects(video, frame, obj) if rests_on(video, obj, k, frame)]
    if len(under) == 1:
        return word(video.objects[under[0]])
    return _decided("floor", not under and abs(bottom_m(video, obj, frame)) <= LEVEL_M)


def bears(video: ObservedVideo, carrier: int, frame: int) -> DerivedAnswer:
    """Return the one object on another one."""
    on = [k for k in known_objects(video, frame, carrier) if rests_on(video, k, carrier, frame)]
    return _decided(video.objects[on[0]] if on else "", len(on) == 1)


def count(attempt: Filmed, inputs: list[Value], args: Args) -> DerivedAnswer:
    """Return how many of a noun can be made out. Raises InsufficientEvidence where of one nobody can tell."""
    video, row = attempt.observed, _row(attempt.observed, inputs[0].index)
    own = np.array([name == args[0] for name in video.names])
    sure = int((own & video.sure[row]).sum())
    if not sure:
        raise NoAnswer
    return _decided(str(sure), sure == int((own & video.glimpsed[row]).sum()))


def only_one(video: ObservedVideo, obj: int, frame: int) -> DerivedAnswer:
    """Return an object that can be made out, where nothing else has its noun."""
    row = _row(video, frame)
    alike = [k for k in np.flatnonzero(video.perhaps[row]) if video.names[k] == video.names[obj]]
    return _decided(video.objects[obj], alike == [obj] and bool(video.sure[row, obj]))


def from_view(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return where an object is from another one in the level view of the camera."""
    right, ahead, _ = level_view(video, frame) @ (middle(video, one, frame) - middle(video, other, frame))
    if math.hypot(right, ahead) < 0.22:
        raise InsufficientEvidence
    angle = math.degrees(math.atan2(right, ahead))
    for said, at in (("farther", 0.0), ("right", 90.0), ("nearer", 180.0), ("left", -90.0)):
        if abs(math.remainder(angle - at, 360.0)) <= HALF_SECTOR_DEG:
            return word(said)
    raise InsufficientEvidence


def deals(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return which of its sides an object turns to another one."""
    if not video.fronts[one] or abs(bottom_m(video, one, frame)) > LEVEL_M:
        raise InsufficientEvidence
    off = (middle(video, other, frame) - middle(video, one, frame)) @ video.turn(one, frame)
    angle = math.degrees(math.atan2(off[1], off[0]))
    for said, middle_deg in (("front", 0.0), ("left", 90.0), ("back", 180.0), ("right", -90.0)):
        if abs(math.remainder(angle - middle_deg, 360.0)) <= HALF_SECTOR_DEG:
            return word(said)
    raise InsufficientEvidence


def _passes_m(video: ObservedVideo, obj: int, a: Array, b: Array, frame: int, share: float) -> float:
    """Return how near the way from a to b comes to an object's footprint, scaled: 0 where it enters it."""
    own, size = video.turn(obj, frame), share * video.size(obj) / 2
    ends = [((p - middle(video, obj, frame)) @ own)[:2] for p in (a, b)]
    steps = np.linspace(0.0, 1.0, 200)[:, None]
    way = (1 - steps) * ends[0] + steps * ends[1]
    outside = np.clip(np.abs(way) - size[:2], 0.0, None)
    return float(np.hypot(*outside.T).min())


def blocks(video: ObservedVideo, one: int, other: int, frame: int) -> DerivedAnswer:
    """Return the one object that the straight way between two others goes through."""
    a, b = (middle(video, k, frame) for k in (one, other))
    hit = []
    for k in known_objects(video, frame, one):
        if k == other or video.size(k)[2] < TALL_M or abs(bottom_m(video, k, frame)) > LEVEL_M:
            continue
        if _passes_m(video, k, a, b, frame, 0.8) == 0.0:
            hit.append(k)
        elif _passes_m(video, k, a, b, frame, 1.0) < FREE_M:
            raise InsufficientEvidence
    return _decided(video.objects[hit[0]] if hit else "", len(hit) == 1)


declare(
    VIDEO,
    {
        "room_kind": measure(kind_of_room),
        "room_use": measure(use_of_room),
        "written": read,
        "how_many": count,
        "color_of": measure(hue),
        "part_of_picture": measure(part),
        "carrier_of": measure(stands_on),
        "carried_by": measure(bears),
        "shown_noun": measure(only_one),
        "view_side": measure(from_view),
        "dealing": measure(deals),
        "in_the_way": measure(blocks),
    },
)
