"""Pairs of pictures with the same question, as a figure: what was answered of the one and of the other."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fathom.pages.figures import GREEN, SOFT, VERMILION, WIDEST_IN, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE_PX = 640


@dataclass(frozen=True)
class PairHalf:
    """One picture of a pair: its bytes, what it is called, what was answered and whether that is right."""

    picture: bytes
    name: str
    answered: str
    right: bool


@dataclass(frozen=True)
class PairDrawn:
    """A question, and what was answered of two pictures."""

    question: str
    halves: tuple[PairHalf, PairHalf]


def contrast_figure(pairs: Sequence[PairDrawn]) -> Figure:
    """Return a row for each pair: the question above, both pictures, and below each what was answered."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(WIDEST_IN, 3.05 * len(pairs)))
        axes = figure.subplots(len(pairs), 2, squeeze=False)
        for row, pair in zip(axes, pairs, strict=True):
            for ax, half in zip(row, pair.halves, strict=True):
                _draw(ax, half)
            said = "\n".join(textwrap.wrap(pair.question, 62))
            row[0].text(0, 1.1, said, transform=row[0].transAxes, ha="left", va="bottom", fontweight="bold")
    return figure


def _draw(ax: Axes, half: PairHalf) -> None:
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(half.picture)) as opened:
        image = ImageOps.exif_transpose(opened).convert("RGB")
    image.thumbnail((SIDE_PX, SIDE_PX))
    ax.imshow(image)
    ax.set_xticks([])
    ax.set_yticks([])
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_title(half.name, color=SOFT, fontweight="normal")
    mark, color = ("✓", GREEN) if half.right else ("✗", VERMILION)
    ax.set_xlabel(f"{mark} {half.answered}", color=color, loc="left")
