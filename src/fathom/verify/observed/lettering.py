"""Words read from a picture: its ink, laid onto the grid of letters, and the letters nearest to that."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fathom.assets.lettering import COLUMNS, GLYPHS, ROWS, SPACE, grid_of
from fathom.geometry.cameras import project
from fathom.ground_truth.cells import TruthCell
from fathom.verify.observed.extents import Fit

LETTERING = "lettering"
"""The category of words on posters."""

PROBES = (0.25, 0.5, 0.75)
"""Where in a field of the grid is looked, along and across."""

SURE_FIELDS = 1.5
"""By so many fields of a letter's grid every other letter fits less."""

MOST_OFF = 4.0
"""By how many fields the nearest letter may be off."""


def read_word(cell: TruthCell, index: int, fit: Fit) -> str:
    """Return the word that an object's pixels spell in a cell; "" where a letter cannot be told."""
    rest = cell.objects[index].rest_m
    seen = rest[np.isfinite(rest).all(axis=1)]
    if not len(seen):
        return ""
    wide, high = np.ptp(seen[:, 1]), np.ptp(seen[:, 2])
    count = round((wide / high * ROWS + SPACE) / (COLUMNS + SPACE))
    if count < 1:
        return ""
    ink = _ink(cell, index, fit, (_leftward(cell, fit) * wide / 2, high), count)
    letters = [_letter(ink[:, k : k + COLUMNS]) for k in range(0, count * (COLUMNS + SPACE), COLUMNS + SPACE)]
    return "".join(letters) if all(letters) else ""


def _leftward(cell: TruthCell, fit: Fit) -> float:
    """Return 1 where the picture shows what has a larger y farther to the left, −1 where to the right."""
    ends = fit.place_m + np.array([[0.0, -0.1, 0.0], [0.0, 0.1, 0.0]]) @ fit.turn.T
    at, _ = project(cell.camera, ends)
    return 1.0 if at[1, 0] < at[0, 0] else -1.0


def _ink(
    cell: TruthCell, index: int, fit: Fit, reach_m: tuple[float, float], count: int
) -> NDArray[np.float64]:
    """Return (7, columns) in which share of each field's places the picture shows ink."""
    half, high = reach_m
    columns = count * (COLUMNS + SPACE) - SPACE
    across, up = 2 * half / columns, high / ROWS
    ids = cell.ids == index
    out = np.zeros((ROWS, columns))
    for row, column in np.ndindex(ROWS, columns):
        own = np.array(list(_places(row, column, across, up, half, high)))
        at, depth = project(cell.camera, fit.place_m + own @ fit.turn.T)
        x, y = np.floor(at).astype(int).T
        inside = (depth > 0) & (x >= 0) & (y >= 0) & (x < ids.shape[1]) & (y < ids.shape[0])
        out[row, column] = float(ids[y[inside], x[inside]].sum()) / len(own)
    return out


def _places(
    row: int, column: int, across: float, up: float, half: float, high: float
) -> Iterator[tuple[float, float, float]]:
    for i in PROBES:
        for j in PROBES:
            yield 0.0, half - (column + i) * across, high - (row + j) * up


def _letter(ink: NDArray[np.float64]) -> str:
    """Return the letter that a grid of ink is; "" where another one fits nearly as well."""
    off = {letter: float(np.abs(ink - grid_of(letter)).sum()) for letter in GLYPHS}
    first, second = sorted(off, key=lambda letter: off[letter])[:2]
    sure = off[second] - off[first] >= SURE_FIELDS and off[first] <= MOST_OFF
    return first if sure else ""
