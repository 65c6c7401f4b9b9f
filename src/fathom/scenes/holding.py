"""What somebody in a room holds in one hand.

spot = put_in_hand(picture, person)       # its `on` is IN_HAND; None where nothing has room
"""

from __future__ import annotations

import math
from dataclasses import replace

from fathom.scenes.room_picture import RoomPicture
from fathom.scenes.videos.furnishing_rooms import Stand

IN_HAND = -4
"""What `Stand.on` says of what somebody holds."""

HELD = ("suitcase", "basket", "bottle", "teapot", "book", "photo camera", "toy truck")
"""What is held, by nouns."""

HAND_HIGH, HAND_ASIDE_M, GRIP_M = 0.475, 0.3, 0.03
"""How high the hand of somebody who stands is, ÷ their height; how far to the side; and by how much it
reaches over what it holds."""


def put_in_hand(picture: RoomPicture, person: Stand) -> Stand | None:
    """Return what was put into a hand of somebody who stands, where it has room and is seen."""
    layout = picture.layout
    names = [n for n in HELD if all(s.asset.noun != n for s in layout.stands)]
    for side in layout.g.permutation([1.0, -1.0]).tolist():
        held = layout.drawn(names) if names else None
        if held is None:
            return None
        x, y = person.ahead(0.02, side * HAND_ASIDE_M)
        z = HAND_HIGH * person.size_m[2] + GRIP_M - held.size_m[2]
        heading = person.heading_rad + (math.pi / 2 if held.size_m[1] > held.size_m[0] else 0.0)
        place = (round(float(x), 6), round(float(y), 6), round(z, 6))
        spot = replace(held, place_m=place, heading_rad=math.remainder(heading, 2 * math.pi), on=IN_HAND)
        free = layout.room.holds(spot.box.corners).all() and layout.beside_all(spot.box, 0.02, (person,))
        if z > 0.1 and free and picture.sees(spot):
            layout.stands.append(spot)
            return spot
    return None
