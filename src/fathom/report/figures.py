"""The report's charts once more, as figures for papers and slides."""

from __future__ import annotations

import re
from pathlib import Path

from fathom.pages.figures import confusion_figure, dots_figure, lines_figure, save_figure
from fathom.report.diagnosis import Diagnosis
from fathom.report.leaderboard import Leaderboard
from fathom.store.seeds import short_hash


def write_figures(folder: Path, board: Leaderboard, found: Diagnosis) -> None:
    """Write every chart that has something to show as SVG and PDF."""
    scored = [p for p in found.by_model if any(b.cell.value is not None for b in p.bars)]
    if scored:
        chance = [task.chance for task in board.tasks]
        save_figure(dots_figure(found.by_task), folder / "tasks")
        save_figure(lines_figure(scored, "task", chance), folder / "levels")
    if found.retention:
        save_figure(dots_figure(found.retention, "accuracy kept, %", columns=4), folder / "rpdr")
    if found.margins:
        save_figure(lines_figure(found.margins, "margin, × tolerance"), folder / "margins")
    for model in found.confusions:
        save_figure(
            confusion_figure(model.confusions, model.model), folder / f"confusion-{file_name(model.model)}"
        )


def file_name(name: str) -> str:
    """Return a file name for `name`: its letters and digits, with a hash where that changes something.

    No two names share one, not even where the file system takes capitals for small letters.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return plain if plain == name else f"{plain}-{short_hash('file', name, length=6)}".lstrip("-")
