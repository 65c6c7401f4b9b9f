"""Figures of how a dataset's own headings and answers are spread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from fathom.pages.figures import INK, SERIES, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def heading_figure(groups: Mapping[str, ArrayLike], bins: int = 24) -> Figure:
    """Return the distribution of headings (rad), one circle a group; the dashed circle is the even spread.

    The radius grows with the square root of the share, so that areas compare.

    Ref: PulseCheck457 Fig. 2.
    """
    from matplotlib.figure import Figure

    edges = np.linspace(0, 2 * np.pi, bins + 1)
    with style():
        figure = Figure(figsize=(2.1 * len(groups), 2.5))
        found = figure.subplots(1, len(groups), subplot_kw={"projection": "polar"}, squeeze=False)[0]
        for series, (ax, (name, headings)) in enumerate(zip(found, groups.items(), strict=True)):
            angles = np.mod(np.asarray(headings, float).ravel(), 2 * np.pi)
            share = np.histogram(angles, edges)[0] / max(1, angles.size) * bins
            radius = np.sqrt(share)
            ax.bar(
                edges[:-1],
                radius,
                width=2 * np.pi / bins,
                align="edge",
                color=SERIES[series % len(SERIES)],
                alpha=0.75,
                linewidth=0.5,
                edgecolor="white",
            )
            circle = np.linspace(0, 2 * np.pi, 181)
            ax.plot(circle, np.ones_like(circle), color=INK, linewidth=0.8, linestyle=(0, (3, 2)))
            ax.set_ylim(0, max(1.25, float(radius.max(initial=1))))
            ax.set_yticks([])
            ax.set_xticks(np.arange(0, 2 * np.pi, np.pi / 2), ["0°", "90°", "180°", "270°"])
            ax.tick_params(axis="x", pad=-1)
            ax.grid(False)
            ax.spines["polar"].set_visible(False)
            ax.set_title(f"{name}\n{angles.size:,} headings", loc="center", fontweight="normal")
    return figure
