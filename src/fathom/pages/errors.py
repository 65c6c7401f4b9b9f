"""How small a difference models tell, and how near their numbers come: as tables, and as a figure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from fathom.pages.charts import Cell, Curve
from fathom.pages.figures import LINE, MARKS, SERIES, SOFT, shortened, style
from fathom.pages.published import find_score
from fathom.pages.tables import Table, per_cent, with_interval
from fathom.records import Score

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SMALLEST = "smallest_error"
"""The score that holds the smallest error that a model can tell, in the unit of its group."""

RELATIVE = "mean_relative_accuracy"
"""The score of answers in numbers."""

TOO_LITTLE, NOT_ABOVE = "too little to tell", "does not beat chance at the larger half of the errors"
NOT_FINER = "at the smallest errors asked already"
SPANS = "anywhere among the errors asked"
BEYOND = "the interval reaches beyond the largest errors asked"

MOST_LETTERS = 34
"""Of a model's name in a legend."""

UNITS = ("m", "m/s", "m/s²", "°")
"""Units of errors in the order of tables."""

ORDER = ("desktop", "indoor", "outdoor")


@dataclass(frozen=True)
class ErrorPanel:
    """Accuracy over sampled errors of one quantity in one setting: a curve a model, and what each tells.

    `told` are the smallest errors told, in the unit of the axis, and `chance` a share.
    """

    setting: str
    quantity: str
    unit: str
    curves: tuple[Curve, ...]
    told: tuple[Cell, ...]
    chance: float | None = None

    @property
    def title(self) -> str:
        """What stands above the panel."""
        return quantity_title(self.setting, self.quantity)

    @property
    def shown(self) -> tuple[str, float]:
        """The unit of the axis, and how many of it one of the error's own is."""
        places = [x for curve in self.curves for x, _ in curve.points]
        return shown_unit(self.unit, max(places, default=1.0))


def quantity_title(setting: str, quantity: str) -> str:
    """Return how a quantity in a setting is called."""
    return f"{setting.capitalize()}, {quantity.replace('_', ' ')}"


def shown_unit(unit: str, most: float) -> tuple[str, float]:
    """Return in which unit errors up to `most` are shown, and how many of it one of their own is."""
    return (f"c{unit}", 100.0) if unit.startswith("m") and most < 0.1 else (unit, 1.0)


def smallest_table(runs: Sequence[tuple[str, Sequence[Score]]]) -> Table | None:
    """Return the smallest error that each model can tell, by setting and quantity.

    None where no question about a single number has a sampled error.
    """
    groups = error_groups([scores for _, scores in runs])
    if not groups:
        return None
    rows: list[tuple[str, ...]] = []
    blocks: list[int] = []
    setting = ""
    for group in groups:
        found = [find_score(scores, SMALLEST, group) for _, scores in runs]
        low, high = _range(runs, group)
        unit, factor = shown_unit(group["unit"], high)
        name = quantity_title(group["setting"], group["quantity"])
        asked = f"{factor * low:.2g}–{factor * high:.2g} {unit}"
        n = max((s.n for s in found if s), default=0)
        rows.append((name, asked, str(n), *(_told_words(s, factor, unit) for s in found)))
        if group["setting"] == setting:
            blocks[-1] += 1
        else:
            blocks.append(1)
        setting = group["setting"]
    return Table(
        title="The smallest error that a model can tell",
        columns=("", "errors asked", "questions", *(model for model, _ in runs)),
        rows=tuple(rows),
        notes=(
            "the error of the nearest false option at which a model is right as often as somebody whose "
            "measurements are off by as much (one standard deviation); with its 95 % interval from draws of "
            "scenes. Boxes, poses and trajectories, which are several numbers at once, stay out",
            "≤: so good at the smallest errors asked already; >: not so good at the largest; never: not "
            "above chance for sure at the larger half of the errors; any: the interval spans all errors "
            "asked; –: too few questions or scenes to tell",
        ),
        groups=tuple(blocks),
    )


def error_groups(runs: Sequence[Sequence[Score]]) -> list[dict[str, str]]:
    """Return the groups that have such a score, in the order of tables: settings, units, quantities.

    What older runs hold of a whole unit, or of a task, is of another kind and left out.
    """
    found = {
        tuple(sorted(s.group.items())): s.group
        for scores in runs
        for s in scores
        if s.name == SMALLEST and set(s.group) == {"setting", "quantity", "unit"}
    }

    def place(group: Mapping[str, str]) -> tuple[int, int, str]:
        return (
            ORDER.index(group["setting"]) if group["setting"] in ORDER else len(ORDER),
            UNITS.index(group["unit"]) if group["unit"] in UNITS else len(UNITS),
            group["quantity"],
        )

    return sorted(found.values(), key=place)


def _range(runs: Sequence[tuple[str, Sequence[Score]]], group: Mapping[str, str]) -> tuple[float, float]:
    """Return the smallest and the largest error of a group."""
    edges = [edge for _, scores in runs for edges, _ in bins_of(scores, group) for edge in edges]
    return min(edges, default=0.0), max(edges, default=0.0)


def bins_of(scores: Sequence[Score], group: Mapping[str, str]) -> list[tuple[tuple[float, float], Score]]:
    """Return the accuracies of one group in bins of the error, with the edges of each."""
    found = []
    for score in scores:
        if score.name == "accuracy" and "error" in score.group:
            rest = {k: v for k, v in score.group.items() if k != "error"}
            if rest == dict(group):
                low, _, high = score.group["error"].partition(" to ")
                found.append(((float(low), float(high)), score))
    return sorted(found, key=lambda row: row[0])


def _told_words(score: Score | None, factor: float, unit: str) -> str:
    if score is None or score.note.startswith(TOO_LITTLE):
        return "–"
    if score.value is None:
        return "any" if score.note == SPANS else "never"
    value = f"{factor * score.value:.2g} {unit}"
    if NOT_FINER in score.note:
        return f"≤ {value}"
    if score.low is None or score.high is None:
        return value
    if score.value >= score.high and BEYOND in score.note:
        return f"> {factor * score.low:.2g} {unit}"
    most = "more" if BEYOND in score.note else f"{factor * score.high:.2g}"
    return f"{value} ({factor * score.low:.2g}–{most})"


def numbers_table(runs: Sequence[tuple[str, Sequence[Score]]], titles: Mapping[str, str]) -> Table | None:
    """Return the mean relative accuracy of answers in numbers, over all and by task; None without any."""
    held = [(model, scores) for model, scores in runs if find_score(scores, RELATIVE)]
    if not held:
        return None
    of = [
        s.group["task"]
        for _, scores in held
        for s in scores
        if s.name == RELATIVE and set(s.group) == {"task"}
    ]
    tasks = [task for task in titles if task in of]
    rows = []
    for model, scores in held:
        cells = [find_score(scores, RELATIVE, {"task": task}) for task in tasks]
        whole = find_score(scores, RELATIVE, {})
        shares = [
            find_score(scores, name, {"answers": "numbers"})
            for name in ("unreadable", "refused", "failed", "missing", "empty")
        ]
        gone = sum(s.value or 0.0 for s in shares if s)
        shown = ("–" if s is None else with_interval(s.value, s.low, s.high) for s in (whole, *cells))
        rows.append((model, *shown, per_cent(gone), str(whole.n if whole else 0)))
    return Table(
        title="Questions without options: mean relative accuracy",
        columns=("", "All", *(titles[t] for t in tasks), "no number", "questions"),
        rows=tuple(rows),
        notes=(
            "in % [95 % interval], clustered by scene: the share of the ten tolerances 50 %, 45 % … 5 % of "
            "the right number that an answer keeps; what holds no number of the right kind counts as 0",
        ),
    )


def errors_figure(panels: Sequence[ErrorPanel], columns: int = 3) -> Figure:
    """Return a chart a panel: a line a model with its intervals, below it where the model begins to tell."""
    from matplotlib.figure import Figure

    rows = math.ceil(len(panels) / columns)
    width = min(columns, len(panels))
    names = list(dict.fromkeys(curve.label for panel in panels for curve in panel.curves))
    with style():
        beside = 0.7 + 0.07 * min(MOST_LETTERS, max(map(len, names), default=0))
        figure = Figure(figsize=(2.35 * width + beside, 2.15 * rows + 0.15))
        axes = figure.subplots(rows, width, squeeze=False).ravel().tolist()
        for ax in axes[len(panels) :]:
            ax.remove()
        for k, (ax, panel) in enumerate(zip(axes, panels, strict=False)):
            _draw_panel(ax, panel, names)
            if k % width == 0:
                ax.set_ylabel("correct, %")
        drawn: dict[str, Artist] = {}
        for ax in axes[: len(panels)]:
            handles, labels = ax.get_legend_handles_labels()
            drawn |= dict(zip(labels, handles, strict=True))
        shown = [shortened(label, MOST_LETTERS) for label in drawn]
        figure.legend(list(drawn.values()), shown, loc="outside right upper")
    return figure


def _draw_panel(ax: Axes, panel: ErrorPanel, names: Sequence[str]) -> None:
    unit, factor = panel.shown
    ax.set_xscale("log")
    for curve, told in zip(panel.curves, panel.told, strict=True):
        _draw_curve(ax, curve, told, factor, names)
    if panel.chance is not None:
        ax.axhline(100 * panel.chance, color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)))
    places = [factor * x for curve in panel.curves for x, _ in curve.points]
    ticks = log_ticks(min(places), max(places))
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    ax.set_xticks([], minor=True)
    ax.set_ylim(-6 * len(names) - 2 if any(t.value is not None for t in panel.told) else 0, 101)
    ax.set_yticks([0, 25, 50, 75, 100])
    ax.grid(axis="y", color=LINE, linewidth=0.5)
    ax.set_axisbelow(True)
    ax.set_xlabel(f"sampled error, {unit}")
    ax.set_title(panel.title)


def _draw_curve(ax: Axes, curve: Curve, told: Cell, factor: float, names: Sequence[str]) -> None:
    """Draw a model's line with its intervals, and below 0 the smallest error that it tells."""
    series = names.index(curve.label)
    color, mark = SERIES[series % len(SERIES)], MARKS[series % len(MARKS)]
    # Moved aside a little, so that intervals do not lie over each other.
    aside = factor * (1 + 0.035 * (series - (len(names) - 1) / 2))
    known = [(aside * x, c) for x, c in curve.points if c.value is not None]
    ax.plot(
        [x for x, _ in known],
        [100 * (c.value or 0.0) for _, c in known],
        color=color,
        linewidth=1.2,
        marker=mark,
        markersize=3.5,
        label=f" {curve.label}" if curve.label.startswith("_") else curve.label,
        clip_on=False,
    )
    for x, cell in known:
        if cell.low is not None and cell.high is not None:
            ax.plot([x, x], [100 * cell.low, 100 * cell.high], color=color, linewidth=1.6, alpha=0.3)
    if told.value is not None and told.low is not None and told.high is not None:
        level = -4 - 6 * series
        ends = [factor * told.low, factor * told.high]
        ax.plot(ends, [level, level], color=color, linewidth=2, alpha=0.45)
        ax.plot([factor * told.value], [level], mark, color=color, markersize=4)


TICKS_APART = 0.18
"""The least distance of two ticks, as a share of the axis: their numbers touch where it is less."""

ROUND = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
"""Digits of ticks on a logarithmic axis, from many to few."""


def log_ticks(low: float, high: float) -> list[float]:
    """Return round numbers between two above 0, as many as have room; these where none are."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    apart = (high / low) ** TICKS_APART
    between = [
        [t for k in powers for digit in digits if low <= (t := digit * 10.0**k) * 1.001 and t <= high * 1.001]
        for digits in ROUND
    ]
    for found in between:
        if len(found) > 1 and all(b >= a * apart for a, b in pairwise(found)):
            return found
    # No regular ticks have room: of the finest, those that are far enough from the one before.
    some: list[float] = []
    for tick in between[0]:
        if not some or tick >= some[-1] * apart:
            some.append(tick)
    return some if len(some) > 1 else [float(f"{end:.2g}") for end in (low, high)]
