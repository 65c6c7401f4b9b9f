"""Capital letters as bodies: words on posters that are drawn, seen and read like everything else of a room.

The letters are those of the DejaVu fonts, which come with matplotlib under a free licence. A word is one
body, so that the ids of a picture show its strokes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Material, Model, Part, fingerprint
from fathom.assets.shapes import Shell, merged, part

LETTERING = "lettering:"
"""What the names of such assets begin with; the font, a colon and the word stand behind it."""

FONTS = MappingProxyType(
    {
        "sans": ("DejaVu Sans", "normal"),
        "sans bold": ("DejaVu Sans", "bold"),
        "serif": ("DejaVu Serif", "normal"),
        "serif bold": ("DejaVu Serif", "bold"),
        "mono bold": ("DejaVu Sans Mono", "bold"),
    }
)
"""Name → family and weight."""

SPACE = 0.2
"""How much is free between two letters, ÷ the height of a capital, so that none touch in a picture."""

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

BRIGHT = "bright "
"""What stands before a font's name where the letters shine, as on a screen."""

SHINING = Material("shining ink", (0.85, 0.93, 1.0), roughness=0.9, emission=1.0)

INK = Material("ink", (0.05, 0.05, 0.07), roughness=0.9)

Outline = NDArray[np.float64]
"""(n, 2) the corners of one closed line, x to the right and y up."""


def aspect_of(word: str, font: str) -> float:
    """Return how wide a word is, ÷ its height."""
    wide, high = _extent(_set(word, font))
    return wide / high


def word_parts(word: str, font: str, size_m: tuple[float, float, float]) -> tuple[Part, ...]:
    """Return a word that faces along x, `size_m` deep, wide and high in metres, its underside at z = 0.

    Whoever looks at its face reads it from left to right, which is from y below 0 to y above 0.
    """
    deep, wide, high = size_m
    letters = _set(word, font)
    scale = np.array([wide, high]) / _extent(letters)
    low = min(line[:, 1].min() for lines in letters for line in lines)
    corner, middle = np.array([0.0, low]), np.array([wide / 2, 0.0])
    placed = [[(line - corner) * scale - middle for line in lines] for lines in letters]
    return (part("ink", merged(*(_solid(lines, deep) for lines in placed)), INK),)


def word_model(name: str, asset: str, size_m: tuple[float, float, float]) -> Model:
    """Return the word that an asset's name stands for, as a model that is called `name`."""
    font, _, word = asset.removeprefix(LETTERING).partition(":")
    bright = font.startswith(BRIGHT)
    parts = word_parts(word, font.removeprefix(BRIGHT), size_m)
    if bright:
        parts = tuple(replace(p, material=SHINING) for p in parts)
    return Model(name, "lettering", "lettering", parts)


def _solid(lines: Sequence[Outline], deep: float) -> Shell:
    """Return what closed lines in y and z go around, holes left out, from x = −deep / 2 to deep / 2."""
    import manifold3d

    area = manifold3d.CrossSection(
        [np.ascontiguousarray(line) for line in lines], manifold3d.FillRule.EvenOdd
    )
    mesh = area.extrude(deep).to_mesh()
    across, up, ahead = np.asarray(mesh.vert_properties, dtype=np.float64)[:, :3].T
    return np.stack([ahead - deep / 2, across, up], axis=1), np.asarray(mesh.tri_verts, dtype=np.int32)


def _set(word: str, font: str) -> list[list[Outline]]:
    """Return the lines of a word's letters, one after the other, in heights of a capital."""
    right, out = 0.0, []
    for letter in word:
        lines = _letter(letter, font)
        left = min(line[:, 0].min() for line in lines)
        out.append([line + np.array([right - left, 0.0]) for line in lines])
        right = max(line[:, 0].max() for line in out[-1]) + SPACE
    return out


def _extent(letters: Sequence[Sequence[Outline]]) -> tuple[float, float]:
    every = np.concatenate([line for lines in letters for line in lines])
    wide, high = np.ptp(every, axis=0).tolist()
    return wide, high


@lru_cache(maxsize=256)
def _letter(letter: str, font: str) -> tuple[Outline, ...]:
    """Return the lines of a letter, in heights of a capital, its baseline at y = 0."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    family, weight = FONTS[font]
    face = FontProperties(family=family, weight=weight)
    capital = TextPath((0, 0), "H", size=100, prop=face).get_extents().height
    found = map(np.asarray, TextPath((0, 0), letter, size=100, prop=face).to_polygons())
    return tuple(np.round(line[:-1] / capital, 4) for line in found if line.shape[0] > 3)


@cache
def lettering_hash() -> str:
    """Return the hash of all letters as bodies."""
    letters = sorted({letter for row in WORDS for word in row for letter in word})
    parts = (p for font in FONTS for p in word_parts("".join(letters), font, (0.002, 1.0, 0.1)))
    return fingerprint(Model("letters", "lettering", "letters", tuple(parts)))
