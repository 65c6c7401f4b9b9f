"""What videos a dataset has, and how many questions of each task are asked about each kind: tables, figures.

Ref: STI-Bench Figures 3 and 5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from fathom.pages.charts import Cell
from fathom.pages.errors import ORDER
from fathom.pages.figures import BLUE, GREEN, INK, ORANGE, SKY, sequential, shortened, style
from fathom.pages.html import percent
from fathom.pages.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = {"desktop": ORANGE, "indoor": BLUE, "outdoor": GREEN}


def in_order(settings: Sequence[str]) -> list[str]:
    """Return kinds of scene from the smallest scale on, each once."""
    return sorted(set(settings), key=lambda s: (ORDER.index(s) if s in ORDER else len(ORDER), s))


def lengths_table(lengths: Mapping[str, Sequence[float]], unknown: int) -> Table:
    """Return how long the videos (seconds) of each kind of scene are; of `unknown` ones nothing tells."""
    rows = []
    every = [s for some in lengths.values() for s in some]
    for name, some in [*((s, lengths[s]) for s in in_order(tuple(lengths))), ("All", every)]:
        if some:
            cells = (f"{v:.1f}" for v in (min(some), median(some), sum(some) / len(some), max(some)))
            rows.append((name.capitalize(), str(len(some)), *cells))
    notes = (f"of {unknown} videos nothing tells how long they are",) if unknown else ()
    columns = ("", "videos", "shortest, s", "median, s", "mean, s", "longest, s")
    return Table("How long the videos are", columns, tuple(rows), notes, (len(rows) - 1, 1))


def counts_table(counts: Mapping[str, Mapping[str, int]], settings: Sequence[str]) -> Table:
    """Return how many questions of each task (title → setting → count) are asked in each kind of scene."""
    rows = [
        (title, *(str(of.get(s, 0)) for s in settings), str(sum(of.values()))) for title, of in counts.items()
    ]
    sums = [sum(of.get(s, 0) for of in counts.values()) for s in settings]
    rows.append(("All", *map(str, sums), str(sum(sums))))
    columns = ("", *(s.capitalize() for s in settings), "All")
    return Table("Questions by task and kind of scene", columns, tuple(rows), (), (len(rows) - 1, 1))


def lengths_figure(lengths: Mapping[str, Sequence[float]], counts: Mapping[str, Mapping[str, int]]) -> Figure:
    """Return the lengths of videos by kind of scene, and below them what is asked of each kind.

    Ref: STI-Bench Figure 3.
    """
    from matplotlib.figure import Figure

    settings = in_order(tuple(lengths))
    longest = max((s for some in lengths.values() for s in some), default=1.0)
    edges = np.linspace(0, _rounded_up(longest), 21)
    with style():
        figure = Figure(figsize=(max(5.6, 2.1 * len(settings) + 0.6), 2.0 + 0.34 * len(counts) + 1.0))
        (top,), (bottom,) = figure.subfigures(
            2, 1, squeeze=False, height_ratios=(1.75, 0.34 * len(counts) + 1.0)
        )
        axes = top.subplots(1, max(1, len(settings)), squeeze=False)[0]
        for k, (ax, name) in enumerate(zip(axes, settings, strict=False)):
            color = COLORS.get(name, SKY)
            ax.hist(lengths[name], bins=edges.tolist(), color=color, edgecolor="white", linewidth=0.4)
            if lengths[name]:
                middle = median(lengths[name])
                ax.axvline(middle, color=INK, linewidth=0.8, linestyle=(0, (3, 2)))
                ax.set_title(
                    f"{name.capitalize()} (n = {len(lengths[name]):,}, median {middle:.0f} s)", fontsize=7.5
                )
            ax.set_xlim(edges[0], edges[-1])
            ax.yaxis.get_major_locator().set_params(integer=True)
            ax.set_xlabel("length, s")
            if k == 0:
                ax.set_ylabel("videos")
        _stacked(bottom.subplots(), counts, settings)
    return figure


def _stacked(ax: Axes, counts: Mapping[str, Mapping[str, int]], settings: Sequence[str]) -> None:
    """Draw a bar a task, a part a kind of scene, each part with its number where there is room."""
    most = max((sum(of.values()) for of in counts.values()), default=1) or 1
    for row, of in enumerate(counts.values()):
        start = 0
        for name in settings:
            n = of.get(name, 0)
            ax.barh(row, n, left=start, height=0.68, color=COLORS.get(name, SKY))
            if n > 0.05 * most:
                ax.text(start + n / 2, row, str(n), ha="center", va="center", fontsize=6.5, color="white")
            start += n
        ax.text(start + 0.012 * most, row, f"{start:,}", va="center", fontsize=6.5, color=INK)
    for name in settings:
        ax.barh(0, 0, color=COLORS.get(name, SKY), label=name.capitalize())
    ax.set_yticks(range(len(counts)), list(counts))
    ax.set_ylim(len(counts) - 0.5, -0.5)
    ax.set_xlim(0, 1.08 * most)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("questions")
    ax.spines["left"].set_visible(False)
    ax.legend(loc="lower right", fontsize=7)


def _rounded_up(value: float) -> float:
    """Return the next round number: 1, 2 or 5 times a power of ten, or their halves between."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(k * power for k in (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0) if k * power >= value)


def results_figure(
    models: Mapping[str, Mapping[tuple[str, str], Cell]], tasks: Mapping[str, str], settings: Sequence[str]
) -> Figure:
    """Return a matrix a model: accuracy (%) of each task in each kind of scene, its questions below it.

    `models` maps a model to cells by (task, setting); what was not asked stays empty.

    Ref: STI-Bench Figure 5.
    """
    from matplotlib.figure import Figure

    columns = min(3, len(models))
    rows = math.ceil(len(models) / columns)
    with style():
        size = (1.75 + columns * (max(1.2, 0.62 * len(settings)) + 0.25), rows * (0.36 * len(tasks) + 0.75))
        figure = Figure(figsize=size)
        axes = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel().tolist()
        for ax in axes[len(models) :]:
            ax.remove()
        for ax, (model, cells) in zip(axes, models.items(), strict=False):
            known = [[cells.get((t, s), Cell()) for s in settings] for t in tasks]
            shares = np.array([[np.nan if c.value is None else 100 * c.value for c in row] for row in known])
            ax.imshow(shares, cmap=sequential(), vmin=0, vmax=100, aspect="auto")
            for (y, x), share in np.ndenumerate(shares):
                if np.isfinite(share):
                    color = "white" if share > 55 else INK
                    text = f"{share:.0f}"
                    ax.text(x, y - 0.1, text, ha="center", va="center", fontsize=7.5, color=color)
                    ax.text(
                        x, y + 0.28, f"n {known[y][x].n}", ha="center", va="center", fontsize=4.8, color=color
                    )
            ax.set_xticks(range(len(settings)), [s.capitalize() for s in settings])
            ax.set_yticks(range(len(tasks)), list(tasks.values()))
            ax.tick_params(length=0)
            ax.spines[:].set_visible(False)
            ax.set_title(shortened(model, max(14, 9 * len(settings))), fontsize=7.5)
    return figure


def results_table(
    models: Mapping[str, Mapping[tuple[str, str], Cell]], tasks: Mapping[str, str], settings: Sequence[str]
) -> Table:
    """Return the same as a table: a row a task and kind of scene, a column a model."""
    rows = []
    for task, title in tasks.items():
        for setting in settings:
            cells = [of.get((task, setting), Cell()) for of in models.values()]
            n = max((c.n for c in cells), default=0)
            if n:
                shown = [
                    percent(c.value) if c.low is None or c.high is None
                    else f"{percent(c.value)} ({percent(c.low)}–{percent(c.high)})"
                    for c in cells
                ]  # fmt: skip
                rows.append((f"{title}, {setting}", str(n), *shown))
    note = "correct, %, with 95 % intervals clustered by scene"
    return Table("Accuracy by task and kind of scene", ("", "questions", *models), tuple(rows), (note,))
