"""Words read from a picture: its ink, split where no ink is, and the letters of fonts nearest to each piece.

The letters that pieces are compared with are drawn here from the fonts' files as pictures; the bodies in
scenes are made of their outlines by other code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.cameras import project
from fathom.ground_truth.cells import TruthCell
from fathom.verify.observed.extents import Fit

LETTERING = "lettering"
"""The category of words on posters."""

FILES = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSansMono-Bold")
"""The fonts that are read."""

ALPHABET = "ABCDEFGHIKLMNOPRSTUVWXYZ"
"""The letters that stand on the line. J and Q reach below it, and make a word higher."""

ROWS, COLUMNS = 14, 10
"""How finely a letter is looked at."""

FINE = 3
"""So many places, along and across, are looked at for each row."""

BLANK = 0.02
"""Which share of a column of places may show ink where two letters are apart."""

WIDTH_COUNTS = 0.25
"""What a letter half as wide again costs, beside the share of its places that differ."""

SURE, MOST_OFF = 0.035, 0.2
"""By how much every other letter fits less, and how little the nearest may fit."""

Grid = NDArray[np.float64]


def read_word(cell: TruthCell, index: int, fit: Fit) -> str:
    """Return the word that an object's pixels spell in a cell; "" where a letter cannot be told."""
    rest = cell.objects[index].rest_m
    seen = rest[np.isfinite(rest).all(axis=1)]
    if not len(seen):
        return ""
    wide, high = np.ptp(seen[:, 1]), np.ptp(seen[:, 2])
    if high <= 0 or wide > 20 * high:
        return ""
    return spelled(_ink(cell, index, fit, _leftward(cell, fit) * wide, high))


def spelled(ink: NDArray[np.bool_]) -> str:
    """Return the word of some ink (rows, columns), which fills it; "" where a letter cannot be told."""
    letters = [_letter(piece) for piece in _pieces(ink)]
    return "".join(letters) if all(letters) else ""


def _leftward(cell: TruthCell, fit: Fit) -> float:
    """Return 1 where the picture shows what has a larger y farther to the left, −1 where to the right."""
    ends = fit.place_m + np.array([[0.0, -0.1, 0.0], [0.0, 0.1, 0.0]]) @ fit.turn.T
    at, _ = project(cell.camera, ends)
    return 1.0 if at[1, 0] < at[0, 0] else -1.0


def _ink(cell: TruthCell, index: int, fit: Fit, across_m: float, high_m: float) -> NDArray[np.bool_]:
    """Return (rows, columns) at which places on the word's face the picture shows ink, from its left."""
    rows = ROWS * FINE
    columns = max(round(abs(across_m) / high_m * rows), 1)
    y = across_m * (0.5 - (np.arange(columns) + 0.5) / columns)
    z = high_m * (1 - (np.arange(rows) + 0.5) / rows)
    own = np.stack([np.zeros(rows * columns), np.tile(y, rows), np.repeat(z, columns)], axis=1)
    at, depth = project(cell.camera, fit.place_m + own @ fit.turn.T)
    u, v = np.floor(at).astype(int).T
    inside = (depth > 0) & (u >= 0) & (v >= 0) & (u < cell.ids.shape[1]) & (v < cell.ids.shape[0])
    found = np.zeros(rows * columns, dtype=bool)
    found[inside] = cell.ids[v[inside], u[inside]] == index
    return found.reshape(rows, columns)


def _pieces(ink: NDArray[np.bool_]) -> Iterator[NDArray[np.bool_]]:
    """Yield what stands between columns without ink, from the left."""
    there = np.concatenate([[False], ink.mean(axis=0) > BLANK, [False]])
    edges = np.flatnonzero(np.diff(there.astype(int)))
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        yield ink[:, first:last]


def _letter(piece: NDArray[np.bool_]) -> str:
    """Return the letter that a piece of ink is; "" where another one fits nearly as well."""
    grid, wide = _small(piece.astype(float)), piece.shape[1] / piece.shape[0]
    off = {
        letter: min(
            float(np.abs(grid - own).mean()) + WIDTH_COUNTS * abs(float(np.log(wide / width)))
            for own, width in faces
        )
        for letter, faces in _drawn().items()
    }
    first, second = sorted(off, key=lambda letter: off[letter])[:2]
    return first if off[second] - off[first] >= SURE and off[first] <= MOST_OFF else ""


def _small(picture: Grid) -> Grid:
    """Return (ROWS, COLUMNS) the mean of a picture in as many fields."""
    sums = np.pad(picture.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    rows, columns = (
        np.linspace(0, n, parts + 1) for n, parts in zip(picture.shape, (ROWS, COLUMNS), strict=True)
    )
    down = np.array([np.interp(rows, np.arange(len(sums)), line) for line in sums.T]).T
    both = np.array([np.interp(columns, np.arange(sums.shape[1]), line) for line in down])
    area = np.outer(np.diff(rows), np.diff(columns))
    return np.asarray(np.diff(np.diff(both, axis=0), axis=1) / area)


@cache
def _drawn() -> Mapping[str, tuple[tuple[Grid, float], ...]]:
    """Return each letter as the fonts draw it: its grid, and how wide it is, ÷ the height of a capital."""
    import matplotlib
    from PIL import Image, ImageDraw, ImageFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    out: dict[str, list[tuple[Grid, float]]] = {letter: [] for letter in ALPHABET}
    for file in FILES:
        face = ImageFont.truetype(str(folder / f"{file}.ttf"), 100)
        _, top, _, bottom = face.getbbox("H")
        for letter in ALPHABET:
            canvas = Image.new("L", (260, 260))
            ImageDraw.Draw(canvas).text((50, 0), letter, fill=255, font=face)
            ink = np.asarray(canvas, dtype=np.float64)[round(top) : round(bottom)] / 255
            columns = np.flatnonzero(ink.max(axis=0) > 0.5)
            own = ink[:, columns[0] : columns[-1] + 1]
            out[letter].append((_small(own), own.shape[1] / own.shape[0]))
    return {letter: tuple(faces) for letter, faces in out.items()}
