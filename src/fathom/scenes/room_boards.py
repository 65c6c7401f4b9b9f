"""On what a word stands in a room: a poster on a free wall, the screen there is, or a cardboard box."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fathom.scenes.boards import INK_M, Word, WordPlace, ahead_of
from fathom.scenes.videos.arrangements import places_on_walls
from fathom.scenes.videos.furnishing_rooms import Laid, RoomLayout, Stand

POSTER_DEEP_M, RIM_M = 0.02, (0.16, 0.2)
"""How thick a poster is, and how much wider and higher than its word."""

LETTERS_M = (0.15, 0.22)
"""How high letters are on posters."""

FACES: Mapping[str, tuple[str, float, tuple[float, float], float, float]] = {
    "television": ("screen", 0.1, (0.15, 0.97), 0.8, 0.2),
    "monitor": ("screen", 0.1, (0.33, 0.98), 0.8, 0.13),
    "cardboard box": ("box", 0.5, (0.1, 0.8), 0.78, 0.13),
}
"""Noun → what a word on it is said to stand on; how far ahead of its middle its face is, ÷ its depth; between
which heights that is, ÷ its own; how much of its width a word takes; and how high letters are at most."""

OFTEN = 0.75
"""How likely a word stands on a screen or a box where there is one, and not on a poster."""


def board_in(g: np.random.Generator, layout: RoomLayout, word: Word) -> WordPlace | None:
    """Return where a word stands in a room; None where there is no place. A poster is hung for it."""
    there = [s for s in layout.stands if s.asset.noun in FACES]
    if there and g.random() < OFTEN:
        return _face(there[int(g.integers(len(there)))], word)
    return _poster(g, layout, word)


def _face(stand: Stand, word: Word) -> WordPlace:
    """Return the place for a word on the face of an object."""
    on, ahead, (low, high), wide, most = FACES[stand.asset.noun]
    letters = min(most, wide * stand.size_m[1] / word.aspect, 0.5 * (high - low) * stand.size_m[2])
    x, y = stand.ahead(ahead * stand.size_m[0] + INK_M)
    z = stand.place_m[2] + (low + high) / 2 * stand.size_m[2]
    return WordPlace(on, (float(x), float(y), z), stand.heading_rad, round(letters, 4))


def _poster(g: np.random.Generator, layout: RoomLayout, word: Word) -> WordPlace | None:
    """Return a word on a poster that was hung where a wall is free; None where none is."""
    high = round(float(g.uniform(*LETTERS_M)), 3)
    size = (POSTER_DEEP_M, round(high * word.aspect + RIM_M[0], 3), round(high + RIM_M[1], 3))
    for side, x, y in places_on_walls(g, layout, size, 30):
        edits = (f"size:{','.join(f'{v:.6f}' for v in size)}",)
        new = Laid("poster", (x, y, float(g.uniform(1.3, 1.55))), side.heading_rad, size, edits)
        if layout.beside_all(new.box, 0.05):
            layout.laid.append(new)
            front = np.array([x, y]) + ahead_of(side.heading_rad) * (POSTER_DEEP_M / 2 + INK_M / 2)
            middle = (float(front[0]), float(front[1]), new.place_m[2] + size[2] / 2)
            return WordPlace("poster", middle, side.heading_rad, high)
    return None
