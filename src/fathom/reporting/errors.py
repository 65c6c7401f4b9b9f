"""Accuracy against the sampled error, as a report draws it: one chart a setting and unit, a line a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fathom.pages.charts import Cell, Curve
from fathom.pages.errors import SMALLEST, ErrorPanel, bins_of, error_groups, log_ticks
from fathom.pages.html import interval_words
from fathom.pages.names import number_of
from fathom.pages.published import find_score
from fathom.records import Score
from fathom.reporting.data import ReportRun

LEFT, RIGHT, TOP, BOTTOM = 34.0, 320.0, 8.0, 150.0
TOLD_FROM, TOLD_STEP = 12.0, 7.0
DODGE = 3.0
"""By how much a model's line is moved aside, so that intervals do not lie over each other."""


@dataclass(frozen=True)
class Point:
    """A point of a line in a chart's own units, its interval, and what it says."""

    x: float
    y: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class ErrorCurve:
    """A model in a chart: which series it is, its points, and where it begins to tell errors apart."""

    model: str
    series: int
    points: tuple[Point, ...]
    told: tuple[float, float, float, float] | None

    @property
    def path(self) -> str:
        """The points as SVG takes them."""
        return " ".join(f"{p.x:.1f},{p.y:.1f}" for p in self.points)


@dataclass(frozen=True)
class ErrorChart:
    """One chart with its lines, its ticks (place, text), where chance lies, and all of it in words.

    `below` is how much room it has under 0 for where models begin to tell errors apart.
    """

    title: str
    axis: str
    lines: tuple[ErrorCurve, ...]
    ticks: tuple[tuple[float, str], ...]
    chance: float | None
    words: str
    below: float


def error_panels(runs: Sequence[ReportRun], chance: float | None) -> tuple[ErrorPanel, ...]:
    """Return a panel for each setting and quantity that some run has at least two bins of errors of."""
    found = []
    for group in error_groups([run.scores for run in runs]):
        curves, told = [], []
        for run in runs:
            bins = bins_of(run.scores, group)
            points = tuple((math.sqrt(low * high), _cell(score)) for (low, high), score in bins)
            smallest = find_score(run.scores, SMALLEST, group)
            if points:
                curves.append(Curve(run.model, points))
                told.append(_cell(smallest) if smallest else Cell())
        if any(len(curve.points) > 1 for curve in curves):
            where = group["setting"], group["quantity"], group["unit"]
            found.append(ErrorPanel(*where, tuple(curves), tuple(told), chance))
    return tuple(found)


def error_charts(panels: Sequence[ErrorPanel]) -> tuple[ErrorChart, ...]:
    """Return the panels as charts of a page."""
    names = list(dict.fromkeys(curve.label for panel in panels for curve in panel.curves))
    return tuple(_chart(panel, names) for panel in panels)


def _chart(panel: ErrorPanel, names: Sequence[str]) -> ErrorChart:
    unit, factor = panel.shown
    places = [x for curve in panel.curves for x, _ in curve.points]
    ends = [e for t in panel.told for e in (t.low, t.high) if e is not None]
    low, high = min([*places, *ends]), max([*places, *ends])
    reach = math.log(high / low) or 1.0

    def at(x: float) -> float:
        return LEFT + 10 + (RIGHT - LEFT - 20) * math.log(x / low) / reach

    lines, drawn = [], 0
    for curve, told in zip(panel.curves, panel.told, strict=True):
        series = names.index(curve.label)
        aside = DODGE * (series - (len(names) - 1) / 2)
        points = tuple(
            _point(
                at(x) + aside,
                cell,
                f"{factor * x:.2g} {unit}: {interval_words(cell)} %, {number_of(cell.n, 'question')}",
            )
            for x, cell in curve.points
            if cell.value is not None
        )
        mark = None
        if told.value is not None:
            y = BOTTOM + TOLD_FROM + TOLD_STEP * drawn
            drawn += 1
            mark = (at(told.low or told.value), at(told.value), at(told.high or told.value), y)
        lines.append(ErrorCurve(curve.label, series, points, mark))
    ticks = tuple((at(t / factor), f"{t:g}") for t in log_ticks(factor * low, factor * high))
    chance = None if panel.chance is None else _y(panel.chance)
    said = ", ".join(
        f"{line.model} {' then '.join(p.words for p in (line.points[0], line.points[-1]))}"
        for line in lines
        if line.points
    )
    below = TOLD_FROM + TOLD_STEP * drawn if drawn else 4.0
    return ErrorChart(panel.title, f"sampled error, {unit}", tuple(lines), ticks, chance, said, below)


def _point(x: float, cell: Cell, words: str) -> Point:
    value = cell.value or 0.0
    low, high = (value if v is None else v for v in (cell.low, cell.high))
    return Point(x, _y(value), _y(low), _y(high), words)


def _y(share: float) -> float:
    return TOP + (1 - share) * (BOTTOM - TOP)


def _cell(score: Score) -> Cell:
    return Cell(score.value, score.low, score.high, score.n)
