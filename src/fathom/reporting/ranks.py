"""How models rank on each task, and what each gains over models that answer from the text alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fathom.english import rounded
from fathom.pages.charts import Bar, Panel
from fathom.pages.ranks import RankMatrix, RankRow, ranks
from fathom.pages.tables import Table
from fathom.reporting.data import ReportRun
from fathom.reporting.leaderboard import Leaderboard, TaskColumn
from fathom.stats.intervals import difference_interval

ALL = "All questions"


@dataclass(frozen=True)
class TaskRanks:
    """The matrix of places, a leaderboard for each task, and the gains over text alone, if known."""

    matrix: RankMatrix
    boards: tuple[Panel, ...]
    gains: Table | None


def task_ranks(runs: Sequence[ReportRun], board: Leaderboard) -> TaskRanks | None:
    """Return how the models of a report rank, baselines left out; None of one model, or of one task.

    `runs` are in the report's order.
    """
    rows = [row for row in board.rows if not row.baseline]
    if len(rows) < 2 or len(board.tasks) < 2:
        return None
    by_column = [ranks([row.overall for row in rows])]
    by_column += [ranks([row.cells[i][1] for row in rows]) for i in range(len(board.tasks))]
    matrix = RankMatrix(
        columns=("Overall", *(task.title for task in board.tasks)),
        rows=tuple(
            RankRow(row.model, runs[row.run].text_only, tuple(column[k] for column in by_column))
            for k, row in enumerate(rows)
        ),
    )
    boards = tuple(_board(task, matrix, i) for i, task in enumerate(board.tasks, 1))
    return TaskRanks(matrix, boards, gains_table([runs[row.run] for row in rows], board.tasks))


def _board(task: TaskColumn, matrix: RankMatrix, column: int) -> Panel:
    """Return the leaderboard of one task, the best model first."""
    placed = [row for row in matrix.rows if row.cells[column].rank]
    placed.sort(key=lambda row: row.cells[column].rank)
    bars = tuple(Bar(f"{r.cells[column].rank}. {r.model}", r.cells[column].cell) for r in placed)
    return Panel(task.title, bars, note=f"{task.n:,} questions", chance=task.chance)


def gains_table(runs: Sequence[ReportRun], tasks: Sequence[TaskColumn]) -> Table | None:
    """Return by how many points each model is better than those that answer from the text alone, by task.

    Compared are the questions that all of them answered. None where there is no run without pictures, or none
    with.
    """
    blind = [by_question(run) for run in runs if run.text_only]
    seeing = [run for run in runs if not run.text_only]
    if not blind or not seeing:
        return None
    without = _mean_of(blind)
    about = {s.question: (s.task, s.cluster or s.question) for run in runs for s in run.sample_scores}
    names = {"": ALL} | {task.name: task.title for task in tasks}
    found = [by_question(run) for run in seeing]
    rows = []
    for task, title in names.items():
        asked = [q for q in without if task in ("", about[q][0])]
        rows.append((title, *(_gain(values, without, asked, about) for values in found)))
    return Table(
        "Points gained over text only",
        ("", *(run.model for run in seeing)),
        tuple(rows),
        (
            f"The share of right answers less that of {_named(len(blind))} without images or videos, "
            "question by question, in points with 95 % intervals clustered as on the leaderboard.",
            "Near 0 a model makes no use of what it sees, or the text gives the answer away.",
        ),
        (1, len(rows) - 1) if len(rows) > 1 else (),
    )


def by_question(run: ReportRun) -> dict[str, float]:
    """Return the mean value of a run's answers to each question."""
    values: dict[str, list[float]] = defaultdict(list)
    for s in run.sample_scores:
        values[s.question].append(s.value)
    return {question: sum(v) / len(v) for question, v in values.items()}


def _mean_of(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean over runs of the value of each question that all of them answered."""
    return {q: sum(run[q] for run in runs) / len(runs) for q in runs[0] if all(q in run for run in runs)}


def _gain(
    values: Mapping[str, float],
    without: Mapping[str, float],
    asked: Sequence[str],
    about: Mapping[str, tuple[str, str]],
) -> str:
    both = [q for q in asked if q in values]
    if not both:
        return "–"
    found = difference_interval([values[q] - without[q] for q in both], [about[q][1] for q in both])
    return f"{_points(found.value)} [{_points(found.low)}, {_points(found.high)}]"


def _points(share: float) -> str:
    """Return points: "3.1", "−0.4", "0.0"."""
    return rounded(100 * share).replace("-", "−")


def _named(blind: int) -> str:
    return "the run" if blind == 1 else f"the mean of {blind} runs"
