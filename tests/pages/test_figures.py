"""Figures for papers and slides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fathom.pages.charts import Bar, Cell, Confusion, HeatCell, Panel
from fathom.pages.figures import confusion_figure, dots_figure, lines_figure, save_figure
from fathom.pages.spreads import heading_figure

BARS = (Bar("L1", Cell(0.8, 0.7, 0.9, 40)), Bar("L2", Cell(None)), Bar("L3", Cell(0.4, None, None, 40)))
PANELS = tuple(Panel(f"model {i}", BARS, chance=0.25) for i in range(4))
MATRIX = Confusion(
    "size",
    4,
    ("large", "small"),
    (
        ("large", (HeatCell(1, 2, True), HeatCell(1, 2, False))),
        ("small", (HeatCell(0, 2, False), HeatCell(2, 2, True))),
    ),
)


def test_figures_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    first = [p.read_bytes() for p in save_figure(dots_figure(PANELS), tmp_path / "a")]
    second = [p.read_bytes() for p in save_figure(dots_figure(PANELS), tmp_path / "b")]
    assert first == second
    assert first[0].startswith(b"<?xml")
    assert first[1].startswith(b"%PDF")


def test_every_figure_can_be_saved(tmp_path: Path) -> None:
    figures = {
        "lines": lines_figure(PANELS, "task", (0.25, None, 0.5)),
        "confusion": confusion_figure((MATRIX, MATRIX), "a model"),
        "headings": heading_figure({"flat": np.linspace(0, 6.28, 100), "none": np.array([])}),
    }
    for name, figure in figures.items():
        svg, pdf = save_figure(figure, tmp_path / name)
        assert svg.stat().st_size > 2000
        assert pdf.stat().st_size > 2000


@pytest.mark.parametrize(
    "name", ["_hidden", "$x^2$ \\frac{", "大きい 🚲", "<script>alert(1)</script>", "%s {0}"]
)
def test_any_model_name_can_stand_in_a_figure(tmp_path: Path, name: str) -> None:
    panels = (Panel(name, (Bar(name, Cell(0.5, 0.4, 0.6)),)),)
    svg, _ = save_figure(lines_figure(panels, name), tmp_path / "lines")
    save_figure(dots_figure(panels), tmp_path / "dots")
    assert b"<script" not in svg.read_bytes()


def test_a_flat_spread_of_headings_lies_on_the_dashed_circle() -> None:
    ax = heading_figure({"flat": np.arange(2400) / 2400 * 2 * np.pi}).axes[0]
    heights = [bar.get_height() for bar in ax.patches]  # type: ignore[attr-defined]
    assert heights == pytest.approx([1.0] * 24)
