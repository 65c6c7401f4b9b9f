"""Capital letters as bodies: words on posters that are drawn, seen and read like everything else of a room.

Every letter is five columns wide and seven rows high. A word is one body of small slabs, so that the ids of a
picture show its strokes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import MappingProxyType

import numpy as np

from fathom.assets.model import Material, Model, Part, fingerprint
from fathom.assets.shapes import box, merged, part

LETTERING = "lettering:"
"""What the names of such assets begin with; the word stands behind it."""

COLUMNS, ROWS, SPACE = 5, 7, 1
"""How many columns and rows a letter has, and how many columns are free between two."""

_ROWS = """
A .###. #...# #...# ##### #...# #...# #...#
B ####. #...# #...# ####. #...# #...# ####.
C .#### #.... #.... #.... #.... #.... .####
D ####. #...# #...# #...# #...# #...# ####.
E ##### #.... #.... ####. #.... #.... #####
F ##### #.... #.... ####. #.... #.... #....
G .#### #.... #.... #..## #...# #...# .####
H #...# #...# #...# ##### #...# #...# #...#
I ##### ..#.. ..#.. ..#.. ..#.. ..#.. #####
J ..### ...#. ...#. ...#. ...#. #..#. .##..
K #...# #..#. #.#.. ##... #.#.. #..#. #...#
L #.... #.... #.... #.... #.... #.... #####
M #...# ##.## #.#.# #.#.# #...# #...# #...#
N #...# ##..# ##..# #.#.# #..## #..## #...#
O .###. #...# #...# #...# #...# #...# .###.
P ####. #...# #...# ####. #.... #.... #....
Q .###. #...# #...# #...# #.#.# #..#. .##.#
R ####. #...# #...# ####. #.#.. #..#. #...#
S .#### #.... #.... .###. ....# ....# ####.
T ##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..
U #...# #...# #...# #...# #...# #...# .###.
V #...# #...# #...# #...# .#.#. .#.#. ..#..
W #...# #...# #...# #.#.# #.#.# ##.## #...#
X #...# .#.#. .#.#. ..#.. .#.#. .#.#. #...#
Y #...# .#.#. .#.#. ..#.. ..#.. ..#.. ..#..
Z ##### ....# ...#. ..#.. .#... #.... #####
"""

GLYPHS = MappingProxyType(
    {line[0]: tuple(line[2:].split()) for line in _ROWS.strip().splitlines()},
)
"""Letter → its rows from the top, "#" where there is ink."""

WORDS: tuple[tuple[str, ...], ...] = (
    ("COLD", "GOLD", "HOLD", "SOLD"), ("LIGHT", "NIGHT", "RIGHT", "FIGHT"),
    ("STONE", "STORE", "STOVE", "STOLE"), ("BREAD", "BREAK", "DREAD", "TREAD"),
    ("LAKE", "LATE", "LANE", "LACE"), ("MUSIC", "MAGIC", "MEDIC", "COMIC"),
    ("OCEAN", "CLEAN", "BEACH", "PEACE"), ("WEST", "REST", "NEST", "BEST"),
    ("RIVER", "RIDER", "RISER", "RIPER"), ("SHARE", "SHORE", "SHAPE", "SHAKE"),
    ("TRAIN", "BRAIN", "GRAIN", "DRAIN"), ("PARK", "PART", "PORT", "PORK"),
    ("HOUSE", "HORSE", "MOUSE", "NURSE"), ("PLANT", "PLANE", "PLATE", "PLACE"),
    ("SOUTH", "MOUTH", "YOUTH", "TOOTH"), ("CROWN", "BROWN", "CLOWN", "GROWN"),
)  # fmt: skip
"""Words that are taken for one another, four each: which of the four stands on a poster is drawn evenly."""

INK = Material("ink", (0.05, 0.05, 0.07), roughness=0.9)


def columns_of(word: str) -> int:
    """Return how many columns wide a word is.

    >>> columns_of("AB")
    11
    """
    return len(word) * (COLUMNS + SPACE) - SPACE


def word_parts(word: str, size_m: tuple[float, float, float]) -> tuple[Part, ...]:
    """Return a word that faces along x, `size_m` deep, wide and high in metres, its underside at z = 0.

    Whoever looks at its face reads it from left to right, which is from y below 0 to y above 0.
    """
    deep, wide, high = size_m
    across, up = wide / columns_of(word), high / ROWS
    strokes = [
        box(
            (0.0, (first + last) / 2 * across - wide / 2, high - (row + 0.5) * up),
            (deep, (last - first) * across, up),
            0.0,
        )
        for row, first, last in _runs(word)
    ]
    return (part("ink", merged(*strokes), INK),)


def _runs(word: str) -> Iterator[tuple[int, int, int]]:
    """Yield the rows of a word in which ink goes from one column to before another."""
    for row in range(ROWS):
        line = ".".join(GLYPHS[letter][row] for letter in word) + "."
        start = -1
        for column, ink in enumerate(line):
            if ink == "#" and start < 0:
                start = column
            elif ink != "#" and start >= 0:
                yield row, start, column
                start = -1


@cache
def lettering_hash() -> str:
    """Return the hash of all letters as bodies."""
    return fingerprint(
        Model("letters", "lettering", "letters", word_parts("".join(GLYPHS), (0.002, 1.0, 0.1)))
    )


def grid_of(letter: str) -> np.ndarray:
    """Return (7, 5) bool, where a letter has ink."""
    return np.array([[c == "#" for c in row] for row in GLYPHS[letter]])
