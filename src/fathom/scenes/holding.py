"""What somebody in a room holds: on the open hand before them, or hanging from a hand.

spot = on_the_palm(picture, person)       # its `on` is IN_HAND; None where nothing has room
spot = in_the_hand(picture, person)
shows_hand(person, spot, camera)          # from where it is seen
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import INDOORS, Furniture, furniture_model
from fathom.assets.spec import AssetSpec
from fathom.records import Camera
from fathom.scenes.estimated_views import IN_HAND, called_alone
from fathom.scenes.room_picture import RoomPicture
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

ON_PALM = (
    "teapot", "bottle", "vase", "mug", "bowl", "book", "box", "biscuit tin", "alarm clock", "photo camera",
    "cactus", "candle", "can", "toy house", "rubber duck", "ball",
)  # fmt: skip
HANGING = ("suitcase", "basket", "handbag", "umbrella", "watering can")
HANDY = (*ON_PALM, *HANGING)
"""What is held on the open hand, and from a hand, by nouns."""

HELD: Furniture = {name: a for name, a in INDOORS.items() if a.noun in HANDY}
"""What is in rooms only where somebody holds it."""

SUNK_M, TURNED_RAD = 0.004, 0.6
"""How far what is held sinks into the hand, and how far it is turned from where its owner faces."""

HAND_HIGH, HAND_ASIDE_M, GRIP_M = 0.445, 0.25, 0.02
"""How high a hanging hand is, ÷ the height of who stands; how far to the side; and by how much it reaches
over what it holds."""

SIDES = (1.0, -1.0) * 2
"""At which hands it is tried whether something has room there: left 1, right −1."""

SEEN_WITHIN_RAD, ACROSS_PX = 1.4, 18.0
"""From so far beside where somebody faces it shows what is on their hand, and so large it is then."""


def offers(asset: AssetSpec) -> bool:
    """Return whether an asset is somebody with an open hand, and is nowhere without something on it."""
    return asset.palm[2] > 0


def on_the_palm(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return what was put on the open hand of somebody, where it has a name of its own and is seen."""
    layout = picture.layout
    held = _new(layout, ON_PALM)
    if held is None:
        return None
    factor = person.size_m[2] / furniture_model(person.asset).extents[2]
    ahead, left, high = (factor * v for v in person.asset.palm)
    x, y = person.ahead(ahead, left)
    turn = person.heading_rad + float(layout.g.uniform(-TURNED_RAD, TURNED_RAD))
    return _given(picture, person, held, (float(x), float(y), high - SUNK_M), turn)


def in_the_hand(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return what was put into a hanging hand of somebody who stands, where it has room and is seen."""
    for side in picture.layout.g.permutation(SIDES).tolist():
        held = _new(picture.layout, HANGING)
        if held is None:
            return None
        x, y = person.ahead(0.02, side * HAND_ASIDE_M)
        z = HAND_HIGH * person.size_m[2] + GRIP_M - held.size_m[2]
        turn = person.heading_rad + (math.pi / 2 if held.size_m[1] > held.size_m[0] else 0.0)
        spot = _given(picture, person, held, (float(x), float(y), z), turn) if z > 0.1 else None
        if spot is not None:
            return spot
    return None


def _new(layout: RoomLayout, nouns: Sequence[str]) -> Stand | None:
    """Return an object of one of some nouns of which there is none in the room."""
    there = {s.asset.noun for s in layout.stands}
    left = [n for n in nouns if n not in there]
    return layout.drawn(left) if left else None


def _given(
    picture: RoomPicture, person: Stand, held: Stand, at: tuple[float, float, float], turn_rad: float
) -> Stand | None:
    layout = picture.layout
    x, y, z = (round(v, 6) for v in at)
    spot = replace(held, place_m=(x, y, z), heading_rad=math.remainder(turn_rad, 2 * math.pi), on=IN_HAND)
    free = layout.room.holds(spot.box.corners).all() and layout.beside_all(spot.box, 0.02, (person,))
    if not (free and called_alone([*layout.stands, spot], spot) and picture.sees(spot)):
        return None
    layout.stands.append(spot)
    return spot


def shows_hand(person: Stand, held: Stand, camera: Camera) -> NDArray[np.bool_]:
    """Return (F,) whether each pose of a camera sees from before somebody what they hold, large enough."""
    eyes = np.array([p.position_m for p in camera.poses])
    off = eyes[:, :2] - np.array(person.place_m[:2])
    turn = np.arctan2(off[:, 1], off[:, 0]) - person.heading_rad
    before = np.abs(np.arctan2(np.sin(turn), np.cos(turn))) <= SEEN_WITHIN_RAD
    away = np.linalg.norm(eyes - np.array(held.place_m), axis=1)
    return np.asarray(
        (before | (not offers(person.asset))) & (camera.fx * _across_m(held) >= ACROSS_PX * away)
    )


def _across_m(stand: Stand) -> float:
    """Return the mean of an object's height and width."""
    return math.sqrt(stand.size_m[2] * max(stand.size_m[:2]))
