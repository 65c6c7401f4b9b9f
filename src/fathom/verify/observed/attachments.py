"""Whether something stands on its own or goes with the actor, and where on it: from what touches what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from fathom.assets.model import Points
from fathom.verify.observed.motion_library import MotionLibrary, barycentric
from fathom.verify.observed.props import Placed, PropShape, nearest_on
from fathom.verify.observed.upright import Values, turned

TOUCHES, APART = 0.012, 0.025
"""Up to, and from how far from the actor something touches it or stands apart, as shares of its size."""

RESTS = 0.02
"""Within this share of the actor's size something is as high as what it stands on."""

CLEARER = 1.3
"""How many times farther the next place on the actor is, where the nearest one is told."""

BELLY, BACK = 0.25, 0.4
"""Up to, and from which share of the actor's height something on its body is at its belly, or on its back."""

OUTGROWTHS = ("horn", "antenna", "spike", "fin", "mushroom", "flower", "crystal", "cherry", "lamp")
"""Shapes that grow on an actor and are not worn: they are set into its surface."""

DEEPEST = 0.5
"""Up to which share of its height one of these is looked at for where it comes out of the surface."""

SIDEWAYS = 1.2
"""How many times farther to a side than up, or ahead, what is on a side of a body is, in its half sizes."""

BESIDE, ASIDE = 0.3, 0.45
"""From how many half lengths or heights from its middle on something is at an end of a body, or on top of it;
and from how many half widths on one of its sides: what sits in a hollow may be nearest to any wall of it.
"""

HEADS = ("head", "ear", "jaw", "horn", "hair", "mouth", "eye", "face", "neck", "beak", "trunk", "antenna")
BODIES = ("body", "torso", "spine", "hull", "chest", "hips", "back")
SOMEWHERE, ELSEWHERE = "somewhere", "elsewhere"
HANDS = ("hand", "arm", "claw", "wing")


class Lying(Protocol):
    """What is known of an object that moves as a whole, frame by frame."""

    @property
    def shapes(self) -> tuple[PropShape | None, ...]:
        """What it is."""
        ...

    @property
    def placed(self) -> tuple[Placed | None, ...]:
        """How it lies."""
        ...

    @property
    def spot_m(self) -> Points:
        """(G, 3) where its origin is."""
        ...

    @property
    def low_m(self) -> Points:
        """(G, 3) the lower corner of its box."""
        ...

    @property
    def high_m(self) -> Points:
        """(G, 3) the upper corner of its box."""
        ...


def rests(body: Lying, others: Sequence[Lying], frames: Sequence[int], size_m: float) -> bool:
    """Return whether an object rests on the ground, or on another object, and does not move."""
    near = RESTS * size_m
    spots = body.spot_m[list(frames)]
    if float(np.ptp(spots, axis=0).max()) > near:
        return False
    for g in frames:
        low = float(body.low_m[g, 2])
        under = [0.0] + [float(o.high_m[g, 2]) for o in others if _over(body, o, g)]
        if min(abs(low - u) for u in under) > near:
            return False
    return True


def _over(body: Lying, other: Lying, g: int) -> bool:
    spot, low, high = body.spot_m[g, :2], other.low_m[g, :2], other.high_m[g, :2]
    return bool(((low <= spot) & (spot <= high)).all())


def place_of(
    body: Lying,
    posed_m: Mapping[int, Points],
    stands: bool,
    repertoire: MotionLibrary,
    yaw: Values,
    spot_m: Points,
) -> str | None:
    """Return where on the actor an object is, "" where it stands on its own, None where that cannot be told,
    SOMEWHERE where it can be told only that it goes with the actor.

    `posed_m` are the actor's vertices in its own frame at some frames.
    """
    used = np.unique(repertoire.faces)
    gaps, votes = [], []
    for g, own in posed_m.items():
        shape, placed = body.shapes[g], body.placed[g]
        if shape is None or placed is None:
            continue
        mine = turned(placed.world(shape.vertices) - spot_m[g], -yaw[g])
        gaps.append(_gap(mine, own[used]))
        axis = turned(placed.world(_along(shape)) - spot_m[g], -yaw[g])
        votes.append(_nearest_place(_pierced(axis, own[repertoire.faces]), own, repertoire))
    gap = float(np.median(gaps)) / repertoire.size_m
    if stands:
        if gap > APART:
            return ""
        if gap > TOUCHES:
            return None
    found = set(votes)
    place = found.pop() if len(found) == 1 else None
    return place or (None if stands else SOMEWHERE)


def _along(shape: PropShape) -> Points:
    """Return the points of an object's own upright axis at one of which it touches the actor: its origin, and
    where it may be set in deep, some above it.
    """
    heights = np.linspace(0.0, DEEPEST, 6) if shape.name in OUTGROWTHS else np.zeros(1)
    return np.column_stack([np.zeros((len(heights), 2)), heights * float(np.ptp(shape.vertices[:, 2]))])


def _pierced(axis: Points, corners: Points) -> Points:
    """Return the one of some points (k, 3) that is nearest to triangles (m, 3, 3)."""
    far = []
    for point in axis:
        spots = nearest_on(corners, np.repeat(point[None], len(corners), axis=0))
        far.append(float(np.linalg.norm(spots - point, axis=1).min()))
    return np.asarray(axis[int(np.argmin(far))])


def _gap(one: Points, other: Points) -> float:
    from scipy.spatial import cKDTree

    far, _ = cKDTree(other).query(one)
    return float(np.min(far))


def _nearest_place(touch: Points, own: Points, repertoire: MotionLibrary) -> str | None:
    """Return the place on the actor that a point touches; None where two are about as near."""
    near: dict[str, float] = {}
    for limb, name in enumerate(repertoire.limbs):
        faces = repertoire.faces[repertoire.limb_of_face == limb]
        if len(faces):
            corners = own[faces]
            spots = nearest_on(corners, np.repeat(touch[None], len(corners), axis=0))
            off = np.linalg.norm(spots - touch, axis=1)
            k = int(np.argmin(off))
            shares = barycentric(corners[k : k + 1], spots[k : k + 1])
            rest = (repertoire.stance_m[faces[k]] * shares[0][:, None]).sum(axis=0)
            place = _called(name, rest, repertoire.stance_m[np.unique(faces)], repertoire)
            near[place] = min(near.get(place, np.inf), float(off[k]))
    ranked = sorted(near, key=lambda p: near[p])
    if not ranked:
        return None
    if len(ranked) > 1 and near[ranked[1]] < CLEARER * near[ranked[0]] + 1e-3 * repertoire.size_m:
        return None
    return None if ranked[0] == ELSEWHERE else ranked[0]


def _called(limb: str, rest: Points, mine: Points, repertoire: MotionLibrary) -> str:
    """Return what the place is called where something touches a limb.

    `rest` (3,) is the place, and `mine` (n, 3) are the limb's vertices, on the actor at rest.
    """
    words = limb.split(" ")
    if any(w in HEADS for w in words):
        return "head"
    side = next((w for w in words if w in ("left", "right")), "")
    if side and any(w in HANDS for w in words):
        return f"{side} hand"
    if any(w in BODIES for w in words):
        return _on_body(rest, mine, repertoire.stance_m[np.unique(repertoire.faces)])
    return ELSEWHERE


def _on_body(rest: Points, mine: Points, own: Points) -> str:
    """Return which side of a body a point of it at rest is on; ELSEWHERE between two."""
    low, high = np.percentile(mine, 3, axis=0), np.percentile(mine, 97, axis=0)
    ahead, left, up = (rest - (low + high) / 2) / np.maximum((high - low) / 2, 1e-9)
    share = float((rest[2] - own[:, 2].min()) / max(float(np.ptp(own[:, 2])), 1e-9))
    # What is longer than tall as a whole lies, however short its trunk is: a fish.
    spans = [high - low, np.ptp(own, axis=0)]
    stands = all(span[2] > span[0] for span in spans)
    depth = ahead if stands else up
    if abs(left) >= max(SIDEWAYS * abs(depth), ASIDE):
        return "left side" if left > 0 else "right side"
    plain = abs(depth) >= max(SIDEWAYS * abs(left), BESIDE)
    if stands and plain:
        return "chest" if ahead > 0 else "back"
    if share < BELLY:
        return "belly"
    return "back" if plain and not stands and up > 0 and share > BACK else ELSEWHERE
