"""What hangs on the walls of a room: pictures, a clock, a lamp, a shelf with things on it, a board.

hang_things(layout, 5)            # layout.stands has them, with on == ON_WALL
spots = hung_anew(g, layout, 7)   # the same object higher or lower on its wall
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fathom.scenes.videos.arrangements import TRINKETS
from fathom.scenes.videos.furnishing_rooms import TRIES, RoomLayout, Stand
from fathom.scenes.videos.rooms import Side

ON_WALL = -3
"""What `Stand.on` says of what hangs on a wall."""

HUNG = ("picture", "picture", "wall clock", "wall lamp", "wall shelf", "wall shelf", "notice board")
"""What may hang on walls, by nouns; of what stands here twice there may be two, of other colours."""

MIDDLE_M = (0.95, 2.05)
"""Between which heights the middles of objects on walls are."""

UNDER_CEILING_M, CLEAR_M, FROM_WALL_M = 0.15, 0.06, 0.001
"""How far they stay from the ceiling, from anything else on the wall, and from the wall itself."""

LEAST_M = 0.22
"""By how much an object that is hung anew hangs higher or lower at least."""

ON_SHELF = 2
"""So many small objects stand on a shelf at most."""


def hang_things(layout: RoomLayout, count: int) -> None:
    """Hang up to `count` objects on walls of a room, in place of its pictures that are structure, and put
    small ones on the shelves among them.
    """
    layout.laid = [r for r in layout.laid if r.what != "painting"]
    layout.most += count
    for k in layout.g.permutation(len(HUNG))[:count]:
        hung = _hung(layout, layout.drawn((HUNG[int(k)],)))
        if hung is not None and hung.asset.carries:
            layout.most += ON_SHELF
            for _ in range(int(layout.g.integers(1, ON_SHELF + 1))):
                layout.on_top(TRINKETS, hung)


def hung_anew(g: np.random.Generator, layout: RoomLayout, k: int) -> Iterator[Stand]:
    """Yield object `k`, which hangs on a wall, at other heights in the same place, where it is free."""
    stand = layout.stands[k]
    rest = layout.with_stands([s for s in layout.stands if s is not stand])
    low, high = _heights(layout, stand)
    for _ in range(TRIES):
        z = round(float(g.uniform(low, high)), 6)
        spot = replace(stand, place_m=(*stand.place_m[:2], z))
        if abs(z - stand.place_m[2]) >= LEAST_M and rest.beside_all(spot.box, CLEAR_M):
            yield spot


def _hung(layout: RoomLayout, obj: Stand | None) -> Stand | None:
    """Return an object hung where a wall is free; None where none is."""
    if obj is None:
        return None
    g, half = layout.g, obj.size_m[1] / 2
    for _ in range(2 * TRIES):
        side = layout.room.sides[int(g.integers(len(layout.room.sides)))]
        if side.length_m < obj.size_m[1] + 0.4:
            continue
        along = float(g.uniform(half + 0.2, side.length_m - half - 0.2))
        x, y = side.at(along, obj.size_m[0] / 2 + FROM_WALL_M)
        z = float(g.uniform(*_heights(layout, obj)))
        place = (round(float(x), 6), round(float(y), 6), round(z, 6))
        spot = replace(obj, place_m=place, heading_rad=side.heading_rad, on=ON_WALL)
        if not _crosses(side, along, half) and _fits(layout, spot):
            layout.stands.append(spot)
            return spot
    return None


def _heights(layout: RoomLayout, obj: Stand) -> tuple[float, float]:
    """Return between which heights the foot of an object on a wall can be."""
    high = obj.size_m[2]
    return MIDDLE_M[0] - high / 2, min(MIDDLE_M[1] - high / 2, layout.room.height_m - UNDER_CEILING_M - high)


def _crosses(side: Side, along: float, half: float) -> bool:
    """Return whether a stretch of a wall comes near its door or its windows."""
    spans = [*side.windows, *([side.door] if side.door else [])]
    return any(a - 0.1 < along + half and along - half < b + 0.1 for a, b in spans)


def _fits(layout: RoomLayout, spot: Stand) -> bool:
    return bool(layout.room.holds(spot.box.corners).all()) and layout.beside_all(spot.box, CLEAR_M)
