"""Figures for papers and slides, as SVG and PDF: the same input gives the same bytes.

Colours are Okabe and Ito's, told apart by any eye, and every series has a mark of its own as well. Nothing is
drawn through matplotlib's global state.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fathom.pages.charts import Bar, Confusion, Panel
from fathom.pages.scope import without_sign
from fathom.store.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"
SERIES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, "#222222")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
INK, SOFT, LINE = "#1b1f23", "#58616b", "#d8dcd9"

WIDEST_IN = 6.8
"""No figure is wider: that of a text in one column."""

_STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8,
    "axes.edgecolor": SOFT,
    "axes.linewidth": 0.6,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "text.color": INK,
    "text.usetex": False,
    "text.parse_math": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "path",
    "svg.hashsalt": "fathom",
    "pdf.fonttype": 42,
    "figure.constrained_layout.use": True,
}


@contextmanager
def style() -> Iterator[None]:
    """Draw everything inside in the style of the project."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def save_figure(figure: Figure, stem: Path) -> tuple[Path, Path]:
    """Write a figure as `stem`.svg and `stem`.pdf and return both paths; no date goes in."""
    paths = []
    _lay_out(figure)
    nothing = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None, "Creator": None}}
    for kind, metadata in nothing.items():
        out = io.BytesIO()
        with style(), warnings.catch_warnings():
            # A name in a script that the font lacks is drawn as boxes, which is no reason to stop.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            with _glyphs_alone():
                figure.savefig(out, format=kind, metadata=metadata)
        path = stem.with_name(f"{stem.name}.{kind}")
        write_bytes(path, out.getvalue())
        paths.append(path)
    return paths[0], paths[1]


@contextmanager
def _glyphs_alone() -> Iterator[None]:
    """Embed fonts without the tables that set text: nothing reads them in a PDF, and they take long."""
    from fontTools.subset import Options  # type: ignore[import-untyped]

    before: list[str] | None = getattr(Options, "_drop_tables_default", None)
    if before is None:  # another version of the library: slower, and the same to look at
        yield
        return
    Options._drop_tables_default = [*before, "GSUB", "GPOS", "GDEF", "kern"]
    try:
        yield
    finally:
        Options._drop_tables_default = before


def _lay_out(figure: Figure) -> None:
    """Find once where everything stands: a figure with an engine finds it again for every format."""
    engine = figure.get_layout_engine()
    if engine is not None:
        with style(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            engine.execute(figure)
        figure.set_layout_engine(None)


def save_png(figure: Figure, stem: Path, dpi: int = 200) -> Path:
    """Write a figure as `stem`.png and return its path; nothing of when and by what it was made goes in."""
    out = io.BytesIO()
    with style():
        figure.savefig(out, format="png", dpi=dpi, metadata={"Software": None})
    path = stem.with_name(f"{stem.name}.png")
    write_bytes(path, out.getvalue())
    return path


def dots_figure(panels: Sequence[Panel], label: str = "correct, %", columns: int = 3) -> Figure:
    """Return one small chart a panel: a dot with its interval for each bar, chance as a dashed line."""
    with style():
        rows = math.ceil(len(panels) / columns)
        height = 0.55 + 0.19 * max(len(p.bars) for p in panels)
        figure, axes = grid_of(rows, min(columns, len(panels)), height, len(panels))
        for index, (ax, panel) in enumerate(zip(axes, panels, strict=True)):
            for row, bar in enumerate(panel.bars):
                _estimate(ax, bar, row, BLUE, "o", horizontal=True)
            ax.set_yticks(range(len(panel.bars)), [shortened(bar.label) for bar in panel.bars])
            ax.set_ylim(len(panel.bars) - 0.5, -0.5)
            ax.tick_params(axis="y", length=0)
            ax.grid(axis="y", color=LINE, linewidth=0.5)
            ax.set_axisbelow(True)
            _percent_axis(ax, "x")
            ax.spines["left"].set_visible(False)
            if panel.chance is not None:
                ax.axvline(100 * panel.chance, color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)))
            if panel.line is not None:
                ax.axvline(100 * panel.line, color=GREEN, linewidth=1)
            beside = panels[index - index % columns]
            if index % columns and [b.label for b in beside.bars] == [b.label for b in panel.bars]:
                ax.set_yticklabels([])
            if index >= len(panels) - columns:
                ax.set_xlabel(label)
            ax.set_title(shortened(panel.title))
    return figure


def lines_figure(
    panels: Sequence[Panel], label: str, chance: Sequence[float | None] = (), values: str = "correct, %"
) -> Figure:
    """Return one chart with a line a panel over the panels' common bars, chance as a dashed line.

    `label` says what the bars are and `values` what stands upwards; `chance` gives it for each bar.
    """
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(bar.label for panel in panels for bar in panel.bars))
    with style():
        figure = Figure(figsize=(min(WIDEST_IN, max(3.4, 0.85 * len(names) + 1.9)), 2.7))
        ax = figure.subplots()
        for series, panel in enumerate(panels):
            color, mark = SERIES[series % len(SERIES)], MARKS[series % len(MARKS)]
            shift = 0.09 * (series - (len(panels) - 1) / 2)
            known = [(names.index(b.label) + shift, b) for b in panel.bars if b.cell.value is not None]
            ax.plot(
                [x for x, _ in known],
                [100 * (b.cell.value or 0) for _, b in known],
                color=color,
                linewidth=1,
                marker=mark,
                markersize=4,
                clip_on=False,
                # A label that begins with an underscore would be left out of the legend.
                label=shortened(f" {panel.title}" if panel.title.startswith("_") else panel.title),
            )
            for x, bar in known:
                _interval(ax, bar, x, color, horizontal=False, width=1.2)
        levels = [None if c is None else 100 * c for c in chance]
        for x, level in enumerate(levels):
            if level is not None:
                ax.plot([x - 0.4, x + 0.4], [level, level], color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)))
        ax.set_xticks(range(len(names)), [_broken(n) for n in names])
        ax.set_xlim(-0.5, len(names) - 0.5)
        ax.set_xlabel(label)
        ax.set_ylabel(values)
        _percent_axis(ax, "y")
        ax.grid(axis="y", color=LINE, linewidth=0.5)
        ax.set_axisbelow(True)
        figure.legend(loc="outside right upper")
    return figure


def points_figure(panels: Sequence[Panel], label: str, chance: Sequence[float | None] = ()) -> Figure:
    """Return one chart with a row for each bar that the panels have in common, a dot a panel in each.

    For bars that have no order, which no line may join. `label` says what the values are, and `chance` gives
    it for each bar.
    """
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(bar.label for panel in panels for bar in panel.bars))
    with style():
        apart = 0.13 * len(panels) + 0.14
        figure = Figure(figsize=(WIDEST_IN, 0.9 + apart * len(names)))
        ax = figure.subplots()
        for series, panel in enumerate(panels):
            shift = 0.7 * ((series + 0.5) / len(panels) - 0.5)
            title = shortened(panel.title)
            drawn = f" {title}" if title.startswith("_") else title
            for bar in panel.bars:
                if bar.cell.value is not None:
                    color, mark = SERIES[series % len(SERIES)], MARKS[series % len(MARKS)]
                    _estimate(
                        ax, bar, names.index(bar.label) + shift, color, mark, horizontal=True, label=drawn
                    )
                    drawn = "_"
        for row, level in enumerate(chance):
            if level is not None:
                ends = [row - 0.42, row + 0.42]
                ax.plot([100 * level] * 2, ends, color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)))
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        for row in range(1, len(names)):
            ax.axhline(row - 0.5, color=LINE, linewidth=0.5)
        _percent_axis(ax, "x")
        ax.set_xlabel(label)
        ax.spines["left"].set_visible(False)
        figure.legend(loc="outside upper left", ncols=min(3, len(panels)))
    return figure


def confusion_figure(confusions: Sequence[Confusion], title: str = "") -> Figure:
    """Return the confusion matrices of one model side by side, each row in per cent of its true answer."""
    from matplotlib.figure import Figure

    with style():
        widths = [len(c.picked) + 4 for c in confusions]
        most = max(len(c.rows) for c in confusions)
        figure = Figure(figsize=(0.21 * sum(widths) + 0.3, 0.21 * most + 1.3))
        axes = figure.subplots(1, len(confusions), width_ratios=widths, squeeze=False)[0]
        for ax, confusion in zip(axes, confusions, strict=True):
            shares = np.array([[100 * cell.share for cell in row] for _, row in confusion.rows])
            ax.imshow(shares, cmap=sequential(), vmin=0, vmax=100, aspect="equal")
            if len(confusion.picked) <= 12:
                for (y, x), share in np.ndenumerate(shares):
                    if share >= 0.5:
                        color = "white" if share > 55 else INK
                        ax.text(x, y, f"{share:.0f}", ha="center", va="center", fontsize=5.5, color=color)
            ax.set_xticks(range(len(confusion.picked)), [shortened(c) for c in confusion.picked], rotation=90)
            ax.set_yticks(range(len(confusion.rows)), [shortened(label) for label, _ in confusion.rows])
            ax.tick_params(length=0)
            ax.spines[:].set_visible(False)
            ax.set_xlabel("picked")
            ax.set_ylabel("truth")
            ax.set_title(f"{confusion.attribute} ({confusion.n})")
        if title:
            figure.suptitle(shortened(title, 60), x=0.01, ha="left", fontsize=9, fontweight="bold")
    return figure


def shortened(text: str, most: int = 24) -> str:
    """Return `text`, its middle left out where it is too long for an axis.

    What it says in brackets at its end of a run that is not whole is never left out.
    """
    if len(text) <= most:
        return text
    name, sign = without_sign(text)
    if sign:
        return f"{shortened(name, max(6, most - len(sign)))}{sign}"
    return f"{text[: most // 2]}…{text[-(most // 2 - 1) :]}"


def _broken(text: str) -> str:
    """Return a short form of `text`, in two lines where it has room for a break."""
    return shortened(text).replace(" ", "\n", 1) if len(text) > 8 else text


def grid_of(rows: int, columns: int, height: float, used: int) -> tuple[Figure, list[Axes]]:
    """Return a figure of `rows` × `columns` axes with the ones beyond `used` taken out."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(0.9 + 2.05 * columns, rows * height + 0.2))
    axes = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for ax in axes[used:]:
        ax.remove()
    return figure, axes[:used]


def _estimate(
    ax: Axes, bar: Bar, place: float, color: str, mark: str, horizontal: bool, label: str = "_"
) -> None:
    if bar.cell.value is None:
        return
    _interval(ax, bar, place, color, horizontal, width=2.2)
    value = 100 * bar.cell.value
    x, y = (value, place) if horizontal else (place, value)
    ax.plot(
        [x],
        [y],
        mark,
        color=color,
        markersize=4.5,
        markeredgecolor=SOFT if bar.published else "white",
        markerfacecolor="white" if bar.published else color,
        markeredgewidth=1.0 if bar.published else 0.6,
        clip_on=False,
        label=label,
    )


def _interval(ax: Axes, bar: Bar, place: float, color: str, horizontal: bool, width: float) -> None:
    if bar.cell.low is None or bar.cell.high is None:
        return
    ends, places = [100 * bar.cell.low, 100 * bar.cell.high], [place, place]
    x, y = (ends, places) if horizontal else (places, ends)
    ax.plot(x, y, color=color, linewidth=width, alpha=0.45, solid_capstyle="round", clip_on=False)


def _percent_axis(ax: Axes, which: str) -> None:
    if which == "x":
        ax.set_xlim(0, 100)
        ax.set_xticks([0, 50, 100])
    else:
        ax.set_ylim(0, 100)
        ax.set_yticks([0, 25, 50, 75, 100])


def sequential() -> Any:
    """Return the map of colours for shares, from nothing to all: pale grey to dark blue."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("fathom", ["#f4f5f3", "#9cc3e0", BLUE, "#003e63"])
