"""What a dataset is made of, drawn: how many questions each subtask has, and how many objects each category.

Ref: 4D-Bench Fig. 4.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.english import rounded
from fathom.pages.figures import BLUE, GREEN, INK, SOFT, save_figure, style
from fathom.store.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS = 24
"""How many bars a panel has at most; what is rarer stands together in the last one."""

_DOTS = 200


def composition_figure(panels: Mapping[str, Mapping[str, int]]) -> Figure:
    """Return a panel of horizontal bars for each distribution, the commonest on top, count and share beside.

    `panels` maps a title ("Questions by subtask") to counts by label. Whatever is zero is shown as well.
    """
    from matplotlib.figure import Figure

    shown = {title: _rows(counts) for title, counts in panels.items()}
    most = max((len(rows) for rows in shown.values()), default=1)
    with style():
        figure = Figure(figsize=(3.5 * max(1, len(shown)), 0.55 + 0.185 * max(most, 3)))
        if not shown:
            return figure
        axes = figure.subplots(1, len(shown), squeeze=False)[0]
        for ax, color, (title, rows) in zip(axes, (BLUE, GREEN) * len(shown), shown.items(), strict=False):
            _bars(ax, rows, most, color)
            total = sum(panels[title].values())
            ax.set_title(f"{title} (n = {total:,})")
    return figure


def _rows(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return labels with their counts, the commonest first, the rarest in one row where there are many."""
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    if len(rows) > MOST_ROWS:
        rest = rows[MOST_ROWS - 1 :]
        rows = [*rows[: MOST_ROWS - 1], (f"{len(rest)} others", sum(n for _, n in rest))]
    return rows


def _bars(ax: Axes, rows: list[tuple[str, int]], most: int, color: str) -> None:
    total = max(1, sum(n for _, n in rows))
    longest = max((n for _, n in rows), default=0) or 1
    others = len(rows) == MOST_ROWS and rows[-1][0].endswith(" others")
    for place, (_, count) in enumerate(rows):
        last = others and place == len(rows) - 1
        ax.barh(place, count, height=0.68, color=SOFT if last else color, alpha=0.45 if last else 0.9)
        share = f"{count:,}  {rounded(100 * count / total)} %"
        ax.text(count + 0.015 * longest, place, share, va="center", ha="left", fontsize=6.5, color=INK)
    ax.set_yticks(range(len(rows)), [_label(label) for label, _ in rows])
    # Panels have rows of one height, whatever the number of bars.
    ax.set_ylim(max(most, 3) - 0.5, -0.5)
    ax.set_xlim(0, 1.32 * longest)
    ax.set_xticks([])
    ax.tick_params(axis="y", length=0)
    ax.spines["bottom"].set_visible(False)
    ax.spines["left"].set_visible(False)


def _label(text: str, most: int = 26) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def write_composition(panels: Mapping[str, Mapping[str, int]], stem: Path) -> tuple[Path, ...]:
    """Write the figure as `stem`.svg, .pdf and .png, and return the paths."""
    figure = composition_figure(panels)
    svg, pdf = save_figure(figure, stem)
    out = io.BytesIO()
    with style():
        figure.savefig(out, format="png", dpi=_DOTS, metadata={"Software": None})
    png = stem.with_name(f"{stem.name}.png")
    write_bytes(png, out.getvalue())
    return svg, pdf, png
