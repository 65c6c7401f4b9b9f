"""Models ranked on each task: the matrix of their places, as a figure and as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fathom.pages.charts import Cell
from fathom.pages.figures import INK, LINE, WIDEST_IN, sequential, shortened, style
from fathom.pages.tables import Table, per_cent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DARK = 0.6
"""From which shade on a number is written in white."""


@dataclass(frozen=True)
class RankCell:
    """The place of a model on one task among `of` models; 0 where it has no score there."""

    rank: int
    of: int
    cell: Cell

    @property
    def share(self) -> float:
        """How dark the place is: 1 for the first, 0 for the last."""
        if not self.rank or self.of < 2:
            return 0.0
        return (self.of - self.rank) / (self.of - 1)

    @property
    def shown(self) -> str:
        """The place as it is written."""
        return str(self.rank) if self.rank else "–"


@dataclass(frozen=True)
class RankRow:
    """The places of one model, over all questions first; `text_only`: it answered without the pictures."""

    model: str
    text_only: bool
    cells: tuple[RankCell, ...]

    @property
    def label(self) -> str:
        """The model's name, and whether it saw nothing."""
        return f"{self.model}, text only" if self.text_only else self.model


@dataclass(frozen=True)
class RankMatrix:
    """Models as rows, the best over all questions first; all questions and then each task as columns."""

    columns: tuple[str, ...]
    rows: tuple[RankRow, ...]


def ranks(cells: list[Cell]) -> list[RankCell]:
    """Return the place of each value among all; equal values share the better place.

    >>> [r.rank for r in ranks([Cell(0.5), Cell(0.7), Cell(0.5), Cell(None), Cell(0.1)])]
    [2, 1, 2, 0, 4]
    """
    known = [c.value for c in cells if c.value is not None]
    return [
        RankCell(0 if c.value is None else 1 + sum(v > c.value for v in known), len(known), c) for c in cells
    ]


def ranks_table(matrix: RankMatrix) -> Table:
    """Return the matrix as a table, each place with the score that it stands for, in per cent."""
    return Table(
        "Place of each model on each task (score, %)",
        ("", *matrix.columns),
        tuple(
            (row.label, *(f"{c.shown} ({per_cent(c.cell.value)})" for c in row.cells)) for row in matrix.rows
        ),
        ("Equal scores share the better place.",),
    )


def ranks_figure(matrix: RankMatrix) -> Figure:
    """Return the matrix as a figure: the darker, the better the place."""
    from matplotlib.figure import Figure

    shares = np.array([[c.share for c in row.cells] for row in matrix.rows])
    across, down = len(matrix.columns), len(matrix.rows)
    with style():
        figure = Figure(figsize=(min(WIDEST_IN, 1.9 + 0.36 * across), 1.5 + 0.26 * down))
        ax = figure.subplots()
        ax.imshow(shares, cmap=sequential(), vmin=0, vmax=1, aspect="auto")
        for (y, x), share in np.ndenumerate(shares):
            color = "white" if share >= DARK else INK
            ax.text(x, y, matrix.rows[y].cells[x].shown, ha="center", va="center", fontsize=7, color=color)
        ax.axvline(0.5, color=LINE, linewidth=2)
        ax.set_xticks(range(across), [shortened(c, 26) for c in matrix.columns], rotation=60, ha="left")
        ax.set_yticks(range(down), [shortened(row.label, 34) for row in matrix.rows])
        ax.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
        ax.spines[:].set_visible(False)
    return figure
