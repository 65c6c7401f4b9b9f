"""People on chairs, sofas, benches and beds: on which seat there is room, and how they sit there.

    for spot in sat_down(layout, stand): ...     # somebody on each free seat; `on` is the seat's index
    sits(stand)                                  # whether somebody is one who sits on seats, or lies on beds
    for spot in laid_down(layout, stand): ...    # somebody on the back on each bed

Who sits is as large as the seat is high: the thighs lie on it, the feet stand on the floor. At the foot of a
bed, which is higher, they hang a little above it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from fathom.assets.furniture.catalogue import furniture_model
from fathom.assets.spec import AssetSpec
from fathom.scenes.videos.furnishing_rooms import GAP_M, RoomLayout, Stand

LARGER = (0.9, 1.1)
"""How large somebody is on a seat, in their usual sizes, at least and at most."""

ASIDE_M = 0.45
"""How far from the end of a bench or a sofa the middle of somebody is who sits there."""

BEDS = {"bed": (0.55, 0.3, 1.06), "single bed": (0.55, 0.3, 1.06)}
"""Nouns of what people may sit on at its foot → what `AssetSpec.seat` says of seats."""

COVER, PILLOW, SINKS_M, LARGEST = 0.545, (0.12, 0.37), 0.025, 1.04
"""How high the cover of a bed is, usually; how far before its end the head of who lies there is, and how far
beside the middle of a bed for two; how far they sink in, and how large they are at most, in their usual
sizes."""

CLEAR_M = 0.004
"""How far somebody stays from the back and the edge of a seat."""


def for_seats(asset: AssetSpec) -> bool:
    """Return whether an asset is somebody who sits on seats, and is nowhere without one."""
    return asset.needs_another and asset.seat[0] > 0


def sits(stand: Stand) -> bool:
    """Return whether somebody is one who sits on a seat, or lies on a bed."""
    return for_seats(stand.asset) or stand.asset.lies


def one_on_the_other(one: Stand, other: Stand) -> bool:
    """Return whether of two objects one is somebody, and the other the seat that they are on."""
    if sits(one) == sits(other):
        return False
    who, seat = (one, other) if sits(one) else (other, one)
    x, y = who.place_m[0] - seat.place_m[0], who.place_m[1] - seat.place_m[1]
    if seat.asset.noun in BEDS:
        c, s = math.cos(seat.heading_rad), math.sin(seat.heading_rad)
        return abs(c * x + s * y) < seat.size_m[0] / 2 and abs(c * y - s * x) < seat.size_m[1] / 2
    return seat.asset.seat[0] > 0 and (x * x + y * y) ** 0.5 < max(seat.size_m[:2]) / 2


def sat_down(layout: RoomLayout, who: Stand, beds: bool = False) -> Iterator[Stand]:
    """Yield somebody on each seat of a room on which nobody sits and which has room before it, by chance; on
    `beds`, too.
    """
    taken = {s.on for s in layout.stands}
    for k in (int(k) for k in layout.g.permutation(len(layout.stands))):
        seat = layout.stands[k]
        bed = beds and seat.asset.noun in BEDS
        if (seat.asset.seat[0] <= 0 and not bed) or seat.on != -1 or k in taken or sits(seat):
            continue
        spot = _on(layout, who, seat, k)
        rest = layout.with_stands([s for s in layout.stands if s is not seat])
        if spot is not None and rest.free(spot.box, GAP_M):
            yield spot


def laid_down(layout: RoomLayout, who: Stand) -> Iterator[Stand]:
    """Yield somebody who lies on the back on each bed of a room on which nobody is, by chance."""
    taken = {s.on for s in layout.stands}
    usual = furniture_model(who.asset).extents
    factor = min(who.size_m[0] / usual[0], LARGEST)
    for k in (int(k) for k in layout.g.permutation(len(layout.stands))):
        bed = layout.stands[k]
        if bed.asset.noun not in BEDS or k in taken:
            continue
        beds = furniture_model(bed.asset).extents
        long, wide, high = (round(side * factor, 6) for side in usual)
        ahead = long / 2 - bed.size_m[0] / 2 + PILLOW[0] * bed.size_m[0] / beds[0]
        double = wide * 2 < bed.size_m[1]
        aside = (
            PILLOW[1] * bed.size_m[1] / beds[1] * (1 if layout.g.random() < 0.5 else -1) if double else 0.0
        )
        x, y = bed.ahead(ahead, aside)
        up = COVER * bed.size_m[2] / beds[2] - SINKS_M
        place = (round(float(x), 6), round(float(y), 6), round(up, 6))
        spot = replace(who, size_m=(long, wide, high), place_m=place, heading_rad=bed.heading_rad, on=k)
        rest = layout.with_stands([s for s in layout.stands if s is not bed])
        if rest.beside_all(spot.box, GAP_M):
            yield spot


def _on(layout: RoomLayout, who: Stand, seat: Stand, index: int) -> Stand | None:
    """Return somebody on a seat; None where they would be too small or too tall there."""
    usual, seats = furniture_model(who.asset).extents, furniture_model(seat.asset).extents
    place = BEDS.get(seat.asset.noun, seat.asset.seat)
    high = place[0] * seat.size_m[2] / seats[2]
    factor = high / who.asset.seat[0]
    up = 0.0
    if seat.asset.noun in BEDS:
        factor = min(factor, LARGER[1])
        up = round(high - factor * who.asset.seat[0], 6)
    if not LARGER[0] <= factor <= LARGER[1]:
        return None
    longer = seat.size_m[0] / seats[0]
    # As far back as the back of the seat lets them, and the calves before its edge.
    ahead = max(
        who.asset.seat[1] * factor - place[1] * longer,
        place[2] * longer - who.asset.seat[2] * factor,
    )
    reach = max(seat.size_m[1] / 2 - ASIDE_M, 0.0)
    x, y = seat.ahead(ahead + CLEAR_M, float(layout.g.uniform(-reach, reach)))
    length, width, height = (round(float(side * factor), 6) for side in usual)
    return replace(
        who,
        size_m=(length, width, height),
        place_m=(round(float(x), 6), round(float(y), 6), up),
        heading_rad=seat.heading_rad,
        on=index,
    )
