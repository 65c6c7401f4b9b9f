"""The report's tables: shown on the page, and written beside it as CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fathom.pages.charts import Cell
from fathom.pages.html import interval_words, percent
from fathom.pages.tables import Table, as_csv, as_latex
from fathom.records import PublishedTable, Score
from fathom.report.data import ReportRun
from fathom.report.leaderboard import Leaderboard, find_score
from fathom.store.files import write_text

LONGEST_PRINTED = 100
CV_NAMES = {"cv_population": "population", "cv_sample": "sample"}


def leaderboard_table(board: Leaderboard) -> Table:
    """Return the leaderboard as a table of text, chance and published rows in blocks of their own."""
    columns = ("Model", "Overall", *(t.title for t in board.tasks), "Unreadable", "Failed")
    ours = [
        (
            row.model,
            interval_words(row.overall),
            *(interval_words(cell) for _, cell, _ in row.cells),
            percent(row.unreadable),
            percent(row.failed),
        )
        for row in board.rows
    ]
    chance = [("Chance", percent(board.chance), *(percent(t.chance) for t in board.tasks), "", "")]
    published = [(model, "", *map(percent, cells), "", "") for model, cells in board.published]
    notes = ["correct answers, %, with 95 % intervals clustered by scene", *board.notes]
    if published:
        notes.append(f"{board.published_title}: {board.published_label}")
    return Table(
        "Leaderboard",
        columns,
        (*ours, *chance, *published),
        tuple(notes),
        tuple(n for n in (len(ours), len(chance), len(published)) if n),
    )


def published_table(published: PublishedTable, runs: Sequence[ReportRun], label: str) -> Table | None:
    """Return our rows above the published ones; None where no run has a score for the table."""
    ours = [
        (run.model, *(_our_cell(published, run.scores, i) for i in range(len(published.columns))))
        for run in runs
        if any(find_score(run.scores, name, **group) for name, group in published.ours)
    ]
    if not ours:
        return None
    digits = 2 if published.per_cent else 3
    theirs = [
        (f"{model}, published", *("–" if v is None else f"{v:.{digits}f}" for v in values))
        for model, values in published.rows.items()
    ]
    return Table(
        published.title,
        ("", *published.columns),
        (*ours, *theirs),
        tuple(note for note in (f"published rows: {label}", published.note) if note),
        (len(ours), len(theirs)),
    )


def _our_cell(published: PublishedTable, scores: Sequence[Score], column: int) -> str:
    name, group = published.ours[column]
    score = find_score(scores, name, **group) if name else None
    if score is None or score.value is None:
        return "–"
    if published.per_cent:
        return interval_words(Cell(score.value, score.low, score.high))
    between = "" if score.low is None or score.high is None else f" ({score.low:.3f}–{score.high:.3f})"
    return f"{score.value:.3f}{between}"


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
                score = find_score(run.scores, name, attribute=attribute, of=of)
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
        )
        for run in runs
        for score in run.scores
    ]
    return Table("Scores", ("model", "score", "group", "value", "low", "high", "n", "method"), tuple(rows))


def write_tables(folder: Path, tables: dict[str, Table]) -> None:
    """Write each table as NAME.csv, and as NAME.tex where it is short enough to be printed."""
    for name, table in tables.items():
        write_text(folder / f"{name}.csv", as_csv(table))
        if len(table.rows) <= LONGEST_PRINTED:
            write_text(folder / f"{name}.tex", as_latex(table))
