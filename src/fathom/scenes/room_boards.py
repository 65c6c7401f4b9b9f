"""On what a word stands in a room: a poster on a free wall, the screen there is, or a cardboard box."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array
from fathom.records import Camera
from fathom.scenes.boards import INK_M, Word, WordPlace, ahead_of, read_from
from fathom.scenes.estimated_views import shown
from fathom.scenes.videos.arrangements import places_on_walls
from fathom.scenes.videos.furnishing_rooms import Laid, RoomLayout, Stand

POSTER_DEEP_M, RIM_M = 0.02, (0.16, 0.2)
"""How thick a poster is, and how much wider and higher than its word."""

LETTERS_M, FOOT_M = (0.16, 0.3), (1.3, 1.5)
"""How high letters are on posters, and how high posters hang."""

PLACES = 80
"""So many places on walls are tried for a poster."""

FACES: Mapping[str, tuple[str, float, tuple[float, float], float, float]] = {
    "television": ("screen", 0.1, (0.15, 0.97), 0.8, 0.2),
    "monitor": ("screen", 0.1, (0.33, 0.98), 0.8, 0.13),
    "cardboard box": ("box", 0.5, (0.1, 0.8), 0.88, 0.13),
}
"""Noun → what a word on it is said to stand on; how far ahead of its middle its face is, ÷ its depth; between
which heights that is, ÷ its own; how much of its width a word takes; and how high letters are at most."""

OFTEN = 0.4
"""How likely a word stands on a screen or a box where there is one, and not on a poster."""


Written = tuple[WordPlace, Laid | None]
"""Where a word stands, and the poster that is hung for it."""


def face_in(g: np.random.Generator, layout: RoomLayout, word: Word) -> WordPlace | None:
    """Return where a word could stand on a screen or a box of a room; None where it is to be on a poster."""
    there = [s for s in layout.stands if s.asset.noun in FACES]
    return face_of(there[int(g.integers(len(there)))], word) if there and g.random() < OFTEN else None


def face_of(stand: Stand, word: Word) -> WordPlace:
    """Return the place for a word on the face of an object."""
    on, ahead, (low, high), wide, most = FACES[stand.asset.noun]
    letters = min(most, wide * stand.size_m[1] / word.aspect, 0.5 * (high - low) * stand.size_m[2])
    x, y = stand.ahead(ahead * stand.size_m[0] + INK_M)
    z = stand.place_m[2] + (low + high) / 2 * stand.size_m[2]
    return WordPlace(on, (float(x), float(y), z), stand.heading_rad, round(letters, 4))


def word_in_view(
    g: np.random.Generator, layout: RoomLayout, face: WordPlace | None, word: Word, camera: Camera
) -> Written | None:
    """Return where a camera reads a word: on a face that there is, or on a poster; None where nowhere."""
    if face is not None and reads_in(layout, face, word, camera).all():
        return face, None
    return _poster(g, layout, word, camera)


def _poster(g: np.random.Generator, layout: RoomLayout, word: Word, camera: Camera) -> Written | None:
    """Return a word on a poster that can hang where a wall is free and the camera reads it."""
    high = round(float(g.uniform(*LETTERS_M)), 3)
    size = (POSTER_DEEP_M, round(high * word.aspect + RIM_M[0], 3), round(high + RIM_M[1], 3))
    for side, x, y in places_on_walls(g, layout, size, PLACES):
        edits = (f"size:{','.join(f'{v:.6f}' for v in size)}",)
        new = Laid("poster", (x, y, float(g.uniform(*FOOT_M))), side.heading_rad, size, edits)
        front = np.array([x, y]) + ahead_of(side.heading_rad) * (POSTER_DEEP_M / 2 + INK_M / 2)
        middle = (float(front[0]), float(front[1]), new.place_m[2] + size[2] / 2)
        board = WordPlace("poster", middle, side.heading_rad, high)
        legible = read_from(board, word, camera).all() and reads_in(layout, board, word, camera).all()
        if legible and layout.beside_all(new.box, 0.05):
            return board, new
    return None


def reads_in(layout: RoomLayout, board: WordPlace, word: Word, camera: Camera) -> NDArray[np.bool_]:
    """Return (F,) whether each pose sees a word so that it reads, with nothing before it."""
    places = ends_of(board, word)
    spots = [
        replace(layout.stands[0], size_m=(0.01, 0.01, 0.01), place_m=tuple(at), heading_rad=0.0)
        for at in places.tolist()
    ]
    near = [s for s in layout.stands if not _holds(s, places[1])]
    return np.asarray(read_from(board, word, camera) & shown(spots, near, camera).all(axis=1))


def ends_of(board: WordPlace, word: Word) -> Array:
    """Return (3, 3) the left end of a word, its middle and its right end."""
    across = board.high_m * word.aspect / 2 * ahead_of(board.heading_rad + math.pi / 2)
    return np.asarray(np.array(board.middle_m) + np.array([[-1.0], [0.0], [1.0]]) * np.append(across, 0.0))


def _holds(stand: Stand, place: NDArray[np.float64]) -> bool:
    """Return whether a place (3,) lies in an object's box, or right at its side."""
    c, s = math.cos(stand.heading_rad), math.sin(stand.heading_rad)
    x, y, z = place - np.array(stand.place_m)
    local = np.abs([c * x + s * y, c * y - s * x, z - stand.size_m[2] / 2])
    return bool((local <= np.array(stand.size_m) / 2 + 0.02).all())
