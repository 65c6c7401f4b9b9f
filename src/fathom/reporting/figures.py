"""The report's charts once more, as figures for papers and slides."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.pages.figures import confusion_figure, dots_figure, lines_figure, points_figure, save_figure
from fathom.pages.names import score_words
from fathom.reporting.diagnosis import Diagnosis
from fathom.reporting.leaderboard import Leaderboard
from fathom.store.seeds import short_hash

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARGIN_AXIS = "margin ÷ tolerance of its relation"


def write_figures(folder: Path, board: Leaderboard, found: Diagnosis) -> list[Path]:
    """Write every chart that has something to show as SVG and PDF, and return the files."""
    files: list[Path] = []

    def save(figure: Figure, name: str) -> None:
        files.extend(save_figure(figure, folder / name))

    scored = [p for p in found.by_model if any(b.cell.value is not None for b in p.bars)]
    if scored:
        named = score_words(board.score)
        label = f"correct, %{named and f' ({named})'}"
        chance = [task.chance for task in board.tasks]
        save(dots_figure(found.by_task, label), "tasks")
        if board.levels:
            save(lines_figure(scored, "task", chance, label), "levels")
        else:
            save(points_figure(scored, label, chance), "levels")
    if found.retention:
        save(dots_figure(found.retention, "accuracy kept, %", columns=4), "rpdr")
    if found.margins:
        save(lines_figure(found.margins, MARGIN_AXIS), "margins")
    for curve in found.curves:
        save(lines_figure(curve.panels, curve.facet), f"by-{file_name(curve.facet.replace(' ', '-'))}")
    for model in found.confusions:
        save(confusion_figure(model.confusions, model.model), f"confusion-{file_name(model.model)}")
    return files


def file_name(name: str) -> str:
    """Return a file name for `name`: its letters and digits, with a hash where that changes something.

    No two names share one, not even where the file system takes capitals for small letters.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return plain if plain == name else f"{plain}-{short_hash('file', name, length=6)}".lstrip("-")
