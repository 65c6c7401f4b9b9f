"""From scores to the rows of the leaderboard."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fathom.pages.charts import Cell
from fathom.records import Mark, PublishedTable, Question, Score
from fathom.report.data import ReportData, ReportRun

OFFICIAL_LABEL = "the official dataset: rows compare"
OTHER_LABEL = "comparable only where the dataset is the imported official one"


@dataclass(frozen=True)
class TaskColumn:
    """One task as a column: its name, title and level, how many questions it has, and what chance gives."""

    name: str
    title: str
    level: str
    n: int
    chance: float | None


@dataclass(frozen=True)
class Row:
    """One model: overall and per task (task, cell, whether it is the best), and what could not be read."""

    model: str
    overall: Cell
    cells: tuple[tuple[TaskColumn, Cell, bool], ...]
    unreadable: float
    failed: float
    best_overall: bool
    baseline: bool
    links: tuple[str, ...]


@dataclass(frozen=True)
class Leaderboard:
    """The leaderboard: best model first, chance and published rows apart."""

    tasks: tuple[TaskColumn, ...]
    levels: tuple[tuple[str, int], ...]
    rows: tuple[Row, ...]
    n: int
    chance: float | None
    published_title: str
    published_label: str
    published: tuple[tuple[str, float | None, tuple[float | None, ...]], ...]
    notes: tuple[str, ...]


def leaderboard(data: ReportData) -> Leaderboard:
    """Return the leaderboard of a report."""
    questions = data.dataset.questions
    tasks = task_columns(data)
    order = sorted(
        range(len(data.runs)), key=lambda i: (-(score_cell(data.runs[i].scores, "accuracy").value or 0), i)
    )
    models = [run for run in data.runs if not run.baseline]
    best = [_best([score_cell(r.scores, "accuracy", task=t.name).value for r in models]) for t in tasks]
    best_overall = _best([score_cell(r.scores, "accuracy").value for r in models])
    rows = []
    for index in order:
        run = data.runs[index]
        overall = score_cell(run.scores, "accuracy")
        cells = tuple(
            (
                t,
                c := score_cell(run.scores, "accuracy", task=t.name),
                c.value is not None and c.value == top and not run.baseline,
            )
            for t, top in zip(tasks, best, strict=True)
        )
        unreadable, failed = not_read(run.marks, len(questions))
        rows.append(
            Row(
                model=run.model,
                overall=overall,
                cells=cells,
                unreadable=unreadable,
                failed=failed,
                baseline=run.baseline,
                best_overall=overall.value is not None and overall.value == best_overall and not run.baseline,
                links=tuple(
                    urlencode({"task": t.name, "model": str(index), "outcome": "wrong"}) for t in tasks
                ),
            )
        )
    title, published = published_rows(data.benchmark.tables, tasks)
    return Leaderboard(
        tasks=tasks,
        levels=_levels(tasks),
        rows=tuple(rows),
        n=len(questions),
        chance=chance(questions),
        published_title=title,
        published_label=OFFICIAL_LABEL if data.dataset.official else OTHER_LABEL,
        published=published,
        notes=tuple(_incomplete(data.runs, len(questions))),
    )


def task_columns(data: ReportData) -> tuple[TaskColumn, ...]:
    """Return a column for each task that has questions, in the benchmark's order, unknown ones at the end."""
    by_task: dict[str, list[Question]] = {name: [] for name in data.benchmark.tasks}
    for question in data.dataset.questions:
        by_task.setdefault(question.task, []).append(question)
    return tuple(
        TaskColumn(
            name, data.benchmark.tasks.get(name, name), level_of(name), len(questions), chance(questions)
        )
        for name, questions in by_task.items()
        if questions
    )


def level_of(task: str) -> str:
    """Return the level that a task's name begins with (`L4_pose`: `Level 4`), or "" where it has none."""
    found = re.match(r"L(\d+)_", task)
    return f"Level {found[1]}" if found else ""


def chance(questions: Sequence[Question]) -> float | None:
    """Return the mean of 1 / number of possible answers; None where no question says what is possible."""
    shares = [1 / len(options) for q in questions if (options := q.possible or q.choices)]
    return sum(shares) / len(shares) if shares else None


def score_cell(scores: Sequence[Score], name: str, **group: str) -> Cell:
    """Return the score of this name and exactly this group as a cell, empty where there is none."""
    for score in scores:
        if score.name == name and score.group == group:
            return Cell(score.value, score.low, score.high, score.n)
    return Cell()


def not_read(marks: Sequence[Mark], questions: int) -> tuple[float, float]:
    """Return the shares of answers that could not be read, and of those that never came (refused, failed)."""
    kinds = Counter("failed" if m.status != "ok" else "unread" if m.picked is None else "read" for m in marks)
    n = max(1, len(marks), questions)
    return kinds["unread"] / n, kinds["failed"] / n


def published_rows(
    tables: Sequence[PublishedTable], tasks: Sequence[TaskColumn]
) -> tuple[str, tuple[tuple[str, float | None, tuple[float | None, ...]], ...]]:
    """Return the title and rows (model, overall, a share a task) of the first table with a column a task."""
    for table in tables:
        places = [_column(table, task) for task in tasks]
        if not tasks or any(place is None for place in places):
            continue
        overall = table.columns.index("overall") if "overall" in table.columns else None
        rows = []
        for model, values in table.rows.items():
            shares = [None if v is None else v / 100 for v in values]
            cells = tuple(shares[p] if p is not None else None for p in places)
            rows.append((model, None if overall is None else shares[overall], cells))
        return table.title, tuple(rows)
    return "", ()


def _column(table: PublishedTable, task: TaskColumn) -> int | None:
    names = [c.casefold() for c in table.columns]
    return next((names.index(n) for n in (task.name.casefold(), task.title.casefold()) if n in names), None)


def _best(values: Sequence[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return max(known) if len(known) > 1 else None


def _levels(tasks: Sequence[TaskColumn]) -> tuple[tuple[str, int], ...]:
    """Return (level, number of columns) from left to right; nothing where the tasks have no levels."""
    if not all(t.level for t in tasks):
        return ()
    spans: list[tuple[str, int]] = []
    for task in tasks:
        if spans and spans[-1][0] == task.level:
            spans[-1] = (task.level, spans[-1][1] + 1)
        else:
            spans.append((task.level, 1))
    return tuple(spans)


def _incomplete(runs: Sequence[ReportRun], questions: int) -> list[str]:
    """Return a sentence for each run that did not put every question."""
    asked = [(run.model, len({m.question for m in run.marks})) for run in runs]
    return [
        f"{model}: {n} of {questions} questions were put; its scores are over those."
        for model, n in asked
        if n < questions
    ]
