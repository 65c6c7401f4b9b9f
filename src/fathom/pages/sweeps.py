"""Figures of studies: a score over views or frames, and how far a setting moves it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fathom.pages.charts import Curve, SettingEffect
from fathom.pages.figures import BLUE, GREEN, LINE, SOFT, VERMILION, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LOOKS: dict[str, dict[str, Any]] = {
    "expected": {"color": GREEN, "linewidth": 1.0, "linestyle": (0, (4, 2)), "zorder": 2},
    "measured": {"color": BLUE, "linewidth": 1.6, "marker": "o", "markersize": 4.5, "zorder": 3},
    # Of published curves only some points are known, so that no line joins them.
    "published": {"color": VERMILION, "linestyle": "none", "marker": "D", "markersize": 4.5, "zorder": 2},
}
_LINE_HEIGHT = 0.056
"""Of a name at the right edge, as a share of the chart's height."""


def sweep_figure(
    title: str,
    curves: Sequence[Curve],
    axis: str,
    label: str,
    chance: float | None = None,
    top: float | None = None,
) -> Figure:
    """Return curves over a number, each named at its right end, with a band for the intervals.

    The number is drawn on a logarithmic scale whose ticks are the points. `chance` is a dotted line, `top`
    the most that a value can be.
    """
    from matplotlib.figure import Figure

    places = sorted({x for curve in curves for x, _ in curve.points})
    with style():
        figure = Figure(figsize=(4.6, 2.9))
        ax = figure.subplots()
        ax.set_xscale("log", base=2)
        ax.set_xticks(places, [f"{x:g}" for x in places])
        ax.set_xticks([], minor=True)
        ax.set_xlim(places[0] * 0.9, places[-1] * 1.06)
        names = [_draw(ax, curve) for curve in curves]
        if chance is not None:
            ax.axhline(chance, color=SOFT, linewidth=0.8, linestyle=(0, (1, 2)))
            names.append((chance, "chance", SOFT))
        ticks = _ticks(curves, chance, top)
        ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.set_ylim(ticks[0], ticks[-1])
        _name_lines(ax, [name for name in names if name is not None])
        ax.set_xlabel(axis)
        ax.set_ylabel(label)
        ax.grid(axis="y", color=LINE, linewidth=0.5)
        ax.set_axisbelow(True)
        figure.suptitle(title, x=0.01, ha="left", fontsize=8.5, fontweight="bold")
    return figure


def _draw(ax: Axes, curve: Curve) -> tuple[float, str, str] | None:
    """Draw one curve and return where it ends, its name and its colour; None where it has no point."""
    known = [(x, cell) for x, cell in curve.points if cell.value is not None]
    if not known:
        return None
    look = _LOOKS[curve.kind]
    ax.plot([x for x, _ in known], [cell.value or 0.0 for _, cell in known], **look)
    banded = [(x, c.low, c.high) for x, c in known if c.low is not None and c.high is not None]
    if banded:
        at, low, high = zip(*banded, strict=True)
        ax.fill_between(at, low, high, color=look["color"], alpha=0.16, linewidth=0, zorder=1)
    return known[-1][1].value or 0.0, curve.label, str(look["color"])


def _ticks(curves: Sequence[Curve], chance: float | None, top: float | None) -> list[float]:
    """Return the ticks of the value's axis, from below the least to above the most that is drawn."""
    cells = [cell for curve in curves for _, cell in curve.points]
    values = [v for c in cells for v in (c.value, c.low, c.high) if v is not None]
    values += [] if chance is None else [chance]
    low, high = min(values, default=0.0), max(values, default=1.0)
    rough = max(high - low, 1e-6) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    if chance is not None and chance - first * step < 0.2 * step:
        first -= 1
    if top is not None:
        last = min(last, math.floor(top / step + 1e-9))
    return [round(k * step, 9) for k in range(max(first, 0), max(last, first + 1) + 1)]


def _name_lines(ax: Axes, names: Sequence[tuple[float, str, str]]) -> None:
    """Write each name right of where its line ends, moved up where two would lie over each other."""
    low, high = ax.get_ylim()
    beyond = -math.inf
    for value, name, color in sorted(names):
        half = _LINE_HEIGHT * (1 + name.count("\n")) / 2
        place = max((value - low) / (high - low), beyond + half)
        beyond = place + half
        ax.text(1.015, place, name, transform=ax.transAxes, color=color, va="center", ha="left", fontsize=7.5)


def changes_figure(title: str, changes: Sequence[SettingEffect], label: str, baseline: str) -> Figure:
    """Return a row for each change: ours with its interval, and below it the published ones as open dots.

    The line at 0 is the `baseline`.
    """
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(4.8, 1.15 + 0.55 * len(changes)))
        ax = figure.subplots()
        reach = _reach(changes)
        for row, change in enumerate(changes):
            _draw_change(ax, change, row, reach)
        ax.axvline(0, color=SOFT, linewidth=0.8)
        ax.set_xlim(-reach, reach)
        ax.set_ylim(len(changes) - 0.4, -0.75)
        ax.text(0, -0.72, f" {baseline}", color=SOFT, fontsize=7, va="top", ha="left")
        ax.set_yticks(range(len(changes)), [change.label for change in changes])
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x", color=LINE, linewidth=0.5)
        ax.set_axisbelow(True)
        ax.set_xlabel(label)
        figure.suptitle(title, x=0.01, ha="left", fontsize=8.5, fontweight="bold")
    return figure


def _draw_change(ax: Axes, change: SettingEffect, row: int, reach: float) -> None:
    cell = change.cell
    if cell.value is not None:
        if cell.low is not None and cell.high is not None:
            ends = [max(cell.low, -reach), min(cell.high, reach)]
            ax.plot(ends, [row, row], color=BLUE, linewidth=2.4, alpha=0.4, solid_capstyle="butt")
        ax.plot([cell.value], [row], "o", color=BLUE, markersize=5.5, markeredgecolor="white", zorder=3)
    if change.published:
        below = [row + 0.27] * len(change.published)
        ax.plot(change.published, below, "D", markersize=3.4, color=VERMILION, alpha=0.55, linewidth=0)
        end = max(change.published)
        models = f", {len(below)} models" if len(below) > 1 else ""
        ax.text(end, below[0], f"   published{models}", color=VERMILION, fontsize=7, va="center", ha="left")


def _reach(changes: Sequence[SettingEffect]) -> float:
    """Return how far from 0 the axis goes: intervals that say nothing are cut."""
    points = [abs(v) for c in changes for v in (c.cell.value, *c.published) if v is not None]
    ends = [abs(v) for c in changes for v in (c.cell.low, c.cell.high) if v is not None and math.isfinite(v)]
    widest = max(points, default=0.0)
    return 1.15 * max(widest, min(max(ends, default=0.0), max(4 * widest, 10.0)), 1.0)
