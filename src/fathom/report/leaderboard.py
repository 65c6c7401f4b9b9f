"""From scores to the rows of the leaderboard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fathom.pages.charts import Cell
from fathom.pages.published import NOT_OFFICIAL, OFFICIAL, find_score
from fathom.records import PublishedTable, Question, Score
from fathom.report.data import ReportData, ReportRun


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
    """One model: overall and per task (task, cell, whether it is the best), and what gave no answer.

    `run` is its place among the report's runs, `failed` the share refused, failed or missing.
    """

    run: int
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
    published: tuple[tuple[str, tuple[float | None, ...]], ...]
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
        rows.append(
            Row(
                run=index,
                model=run.model,
                overall=overall,
                cells=cells,
                unreadable=share_of(run.scores, "unreadable"),
                failed=share_of(run.scores, "failed", "refused", "missing"),
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
        published_label=OFFICIAL if data.dataset.official else NOT_OFFICIAL,
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
    score = find_score(scores, name, group)
    return Cell(score.value, score.low, score.high, score.n) if score else Cell()


def share_of(scores: Sequence[Score], *names: str) -> float:
    """Return the sum of these scores over all questions, those that are not there counted as 0."""
    return sum(score_cell(scores, name).value or 0.0 for name in names)


def published_rows(
    tables: Sequence[PublishedTable], tasks: Sequence[TaskColumn]
) -> tuple[str, tuple[tuple[str, tuple[float | None, ...]], ...]]:
    """Return the title and the rows (model, a share a task) of the first table with an accuracy a task."""
    for table in tables:
        place = {group.get("task"): i for i, (name, group) in enumerate(table.ours) if name == "accuracy"}
        if not tasks or not table.per_cent or any(task.name not in place for task in tasks):
            continue
        rows = []
        for model, values in table.rows.items():
            cells = (values[place[task.name]] for task in tasks)
            rows.append((model, tuple(None if v is None else v / 100 for v in cells)))
        return table.title, tuple(rows)
    return "", ()


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
    """Return a sentence for each run in which not every question was answered."""
    notes = []
    for run in runs:
        put = {m.question for m in run.marks if m.how != "missing"}
        if len(put) < questions:
            notes.append(
                f"{run.model}: the run is not complete; {len(put)} of {questions} questions have a response."
            )
    return notes
