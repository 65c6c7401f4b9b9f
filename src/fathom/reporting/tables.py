"""The report's tables: shown on the page, and written beside it as CSV and LaTeX."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fathom.pages.charts import Cell
from fathom.pages.html import interval_words, percent
from fathom.pages.published import NOT_AVAILABLE, decimals_of, find_score, scale_of
from fathom.pages.tables import Table, as_csv, as_latex
from fathom.records import PublishedTable, Score
from fathom.reporting.data import ReportRun
from fathom.reporting.diagnosis import short_bin, slope_words
from fathom.reporting.leaderboard import SHARES, Leaderboard
from fathom.reporting.wording import relation_words
from fathom.store.files import write_text

LONGEST_PRINTED = 100
CV_NAMES = {"cv_population": "population", "cv_sample": "sample"}


def leaderboard_table(board: Leaderboard) -> Table:
    """Return the leaderboard as a table of text, chance and published rows in blocks of their own."""
    named = len({row.protocol for row in board.rows}) > 1
    columns = ("Model", board.overall, *(t.title for t in board.tasks), *SHARES.values())
    blocks = [rows for _, rows in board.ranked]
    ours = [
        (
            f"{row.model} [{row.protocol}]" if named and row.protocol else row.model,
            interval_words(row.overall),
            *(interval_words(cell) for _, cell, _ in row.cells),
            *map(percent, row.shares),
        )
        for rows in blocks
        for row in rows
    ]
    blank = [""] * len(SHARES)
    chance = [("Chance", percent(board.chance), *(percent(t.chance) for t in board.tasks), *blank)]
    overall = ("" if v is None else percent(v) for v in board.published_from.overall)
    published = [
        (model, of_all, *map(percent, cells), *blank)
        for (model, cells), of_all in zip(board.published, overall, strict=True)
    ]
    notes = [f"{board.means}, %, with 95 % intervals clustered by {board.clusters}", *board.notes]
    if published:
        notes.append(f"{board.published_title}: {board.published_label}")
    return Table(
        "Leaderboard",
        columns,
        (*ours, *chance, *published),
        tuple(notes),
        tuple(n for n in (*map(len, blocks), len(chance), len(published)) if n),
    )


def interval_cell(published: PublishedTable, column: int, score: Score) -> str:
    """Return a score with its interval, in the unit of its column."""
    if score.value is None:
        return NOT_AVAILABLE if score.method == NOT_AVAILABLE else "–"
    if published.per_cent and not published.scales:
        return interval_words(Cell(score.value, score.low, score.high))
    scale, digits = scale_of(published, column), decimals_of(published, column)
    shown = f"{scale * score.value:.{digits}f}"
    if score.low is None or score.high is None:
        return shown
    return f"{shown} ({scale * score.low:.{digits}f}–{scale * score.high:.{digits}f})"


def variation_table(runs: Sequence[ReportRun]) -> Table | None:
    """Return the coefficients of variation of each attribute, the right answers' own in the last block."""
    scores = [s for run in runs for s in run.scores if s.name in CV_NAMES]
    attributes = list(dict.fromkeys(s.group["attribute"] for s in scores))
    if not attributes:
        return None

    def row(label: str, run: ReportRun, of: str) -> tuple[str, ...]:
        cells = []
        for attribute in attributes:
            for name in CV_NAMES:
                score = find_score(run.scores, name, {"attribute": attribute, "of": of})
                cells.append("–" if score is None or score.value is None else f"{score.value:.2f}")
        return (label, *cells)

    picked = [row(run.model, run, "predictions") for run in runs]
    return Table(
        "Coefficient of variation of what was picked",
        ("", *(f"{a}, {kind}" for a in attributes for kind in CV_NAMES.values())),
        (*picked, row("the right answers", runs[0], "answers")),
        ("0: every label equally often; even fair answers give more than 0 where there are few",),
        (len(picked), 1),
    )


def margins_table(runs: Sequence[ReportRun]) -> Table | None:
    """Return accuracy against margin for each relation by itself, models below one another.

    Relations come by their number of questions. None where no answer hangs on a threshold.
    """
    cells = {
        (s.group["relation"], s.group["margin"], k): s
        for k, run in enumerate(runs)
        for s in run.scores
        if s.name == "accuracy" and set(s.group) == {"relation", "unit", "margin"}
    }
    counts: Counter[str] = Counter()
    for (relation, _, k), score in cells.items():
        counts[relation] += score.n if k == 0 else 0
    units = {relation: score.group["unit"] for (relation, _, _), score in cells.items()}
    bins = _bins_in_order(runs, {name for _, name, _ in cells})
    if not units:
        return None
    rows = []
    for relation in sorted(units, key=lambda r: (-counts[r], r)):
        for k, run in enumerate(runs):
            found = [cells.get((relation, name, k)) for name in bins]
            if any(found):
                shown = ("–" if s is None else f"{percent(s.value)} ({s.n})" for s in found)
                slope = find_score(run.scores, "margin_slope", {"relation": relation})
                rows.append(
                    (relation_words(relation), units[relation], run.model, *shown, slope_words(slope))
                )
    return Table(
        "Accuracy against margin, relation by relation",
        ("relation", "unit", "model", *(short_bin(name) or name for name in bins), "slope"),
        tuple(rows),
        (
            "correct answers, % (and questions), by margin ÷ tolerance of the relation; slope: by how much "
            "the log-odds of a correct answer grow when the margin doubles, with its 95 % interval",
        ),
    )


def _bins_in_order(runs: Sequence[ReportRun], wanted: set[str]) -> list[str]:
    """Return the bins of margins from the smallest on, as the scores over all questions have them."""
    every = (s.group["margin"] for run in runs for s in run.scores if set(s.group) == {"margin"})
    return [name for name in dict.fromkeys(every) if name in wanted]


def scores_table(runs: Sequence[ReportRun]) -> Table:
    """Return every score of every run, one a row."""
    rows = [
        (
            run.model,
            score.name,
            "; ".join(f"{k}={v}" for k, v in score.group.items()),
            *("" if v is None else f"{v:.6g}" for v in (score.value, score.low, score.high)),
            str(score.n),
            score.method,
            score.incomplete,
        )
        for run in runs
        for score in run.scores
    ]
    return Table(
        "Scores",
        ("model", "score", "group", "value", "low", "high", "n", "method", "incomplete"),
        tuple(rows),
    )


def write_tables(folder: Path, tables: dict[str, Table], notes: Sequence[str] = ()) -> list[Path]:
    """Write each table as NAME.csv, and as NAME.tex where it is short enough to print; return the files.

    `notes` are to be known before any of them is read.
    """
    files = []
    for name, of_itself in tables.items():
        more = tuple(note for note in notes if note not in of_itself.notes)
        table = replace(of_itself, notes=(*of_itself.notes, *more))
        written = {"csv": as_csv(table)}
        if len(table.rows) <= LONGEST_PRINTED:
            written["tex"] = as_latex(table)
        for kind, text in written.items():
            write_text(folder / f"{name}.{kind}", text)
            files.append(folder / f"{name}.{kind}")
    return files
