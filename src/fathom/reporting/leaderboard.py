"""From scores to the rows of the leaderboard."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import urlencode

from fathom.extraction.numeric_answers import is_measured
from fathom.pages.charts import Cell
from fathom.pages.html import interval_words, percent
from fathom.pages.names import LEADING, score_words
from fathom.pages.published import NOT_AVAILABLE, NOT_OFFICIAL, OFFICIAL, find_score
from fathom.pages.scope import sentences, without_sign
from fathom.pages.tables import Table
from fathom.records import Question, Score
from fathom.reporting.data import ReportData, ReportRun
from fathom.reporting.published import PublishedRows, published_rows

SHARES: Mapping[str, str] = {
    "unreadable": "Unreadable",
    "refused": "Refused",
    "failed": "Failed",
    "missing": "Missing",
    "empty": "Empty",
    "cut_off": "Cut off",
}
"""Share of the answers due → its column; the last one is read as it stands, the others count as wrong."""

TEXT_ONLY = "Text only: asked without the images"
"""What stands above the rows of runs whose images were withheld."""

BASELINES_MEAN: Mapping[str, str] = {
    "random": "guesses evenly",
    "prior": "best guess without the image",
    "oracle": "computes from the scene",
    "depth": "sees depth and outlines only",
}
"""Baseline → how it answers."""

USUAL = ("unreadable", "failed")
"""The shares that always have a column."""


@dataclass(frozen=True)
class TaskColumn:
    """One task as a column: its name, title and level, how many questions it has, and what chance gives.

    `captions`: its answers are texts that are neither right nor wrong.
    """

    name: str
    title: str
    level: str
    n: int
    chance: float | None
    captions: bool = False

    @property
    def head(self) -> str:
        """What stands above the column: its level, or what its title names before a colon."""
        return self.level or (self.title.partition(": ")[0] if ": " in self.title else "")

    @property
    def short(self) -> str:
        """The title below that."""
        return self.title if self.level or ": " not in self.title else self.title.partition(": ")[2]


@dataclass(frozen=True)
class LeaderboardRow:
    """One model: overall and per task (task, cell, whether it is the best), and what gave no answer.

    `run` is its place among the report's runs, `shares` are those of answers in the order of `SHARES`.
    A `text_only` row was asked without images, and is never the best.
    """

    run: int
    model: str
    overall: Cell
    cells: tuple[tuple[TaskColumn, Cell, bool], ...]
    shares: tuple[float, ...]
    best_overall: bool
    baseline: str
    links: tuple[str, ...]
    protocol: str = ""
    text_only: bool = False

    @property
    def what(self) -> str:
        """What stands below the model's name: whether it is a baseline, and its protocol."""
        return " · ".join(filter(None, [self.baseline, self.protocol]))


@dataclass(frozen=True)
class Leaderboard:
    """The leaderboard: best model first, those that saw no image after all others; chance and published rows
    apart.

    `score` names what models are ranked by, `means` says it; `groupings` has every way of joining passes
    beside it, where the runs or the dataset have several. `clusters` says what errors are shared by.
    """

    score: str
    means: str
    clusters: str
    tasks: tuple[TaskColumn, ...]
    levels: tuple[tuple[str, int], ...]
    rows: tuple[LeaderboardRow, ...]
    n: int
    chance: float | None
    published_label: str
    published_from: PublishedRows
    notes: tuple[str, ...]
    groupings: Table | None = None
    compared: tuple[str, ...] = ()

    @property
    def overall(self) -> str:
        """The heading of the score over all questions, which says what is joined in it."""
        return ", ".join(filter(None, ["Overall", score_words(self.score)]))

    @property
    def heads(self) -> tuple[tuple[str, int], ...]:
        """What several columns have in common (title, columns), from left to right; () where nothing."""
        return _spans([task.head for task in self.tasks])

    @property
    def ranked(self) -> tuple[tuple[str, tuple[LeaderboardRow, ...]], ...]:
        """The rows in blocks that are ranked by themselves, each with what stands above it."""
        seeing = tuple(row for row in self.rows if not row.text_only)
        blocks = (("", seeing), (TEXT_ONLY, tuple(row for row in self.rows if row.text_only)))
        return tuple((title, rows) for title, rows in blocks if rows)

    @property
    def shown_shares(self) -> tuple[tuple[int, str], ...]:
        """Which shares of answers are shown (place, title): the usual ones, and those that there are."""
        return tuple(
            (i, title)
            for i, (name, title) in enumerate(SHARES.items())
            if name in USUAL or any(row.shares[i] for row in self.rows)
        )

    @property
    def published_title(self) -> str:
        """Which table the published rows are from."""
        return self.published_from.title

    @property
    def published(self) -> tuple[tuple[str, tuple[float | None, ...]], ...]:
        """The published rows: model, and a share a task."""
        return self.published_from.rows


def leaderboard(data: ReportData) -> Leaderboard:
    """Return the leaderboard of a report; captions, which are neither right nor wrong, have their own."""
    questions = [q for q in data.dataset.questions if not (q.references or is_measured(q))]
    lead = leading_score(data)
    tasks = tuple(_with_chance(t, data.runs, lead) for t in task_columns(data) if not t.captions)
    order = sorted(
        range(len(data.runs)),
        key=lambda i: (data.runs[i].text_only, -(score_cell(data.runs[i].scores, lead).value or 0), i),
    )
    models = [run for run in data.runs if not (run.baseline or run.text_only)]
    best = [_best([score_cell(r.scores, lead, task=t.name).value for r in models]) for t in tasks]
    best_overall = _best([score_cell(r.scores, lead).value for r in models])
    published = published_rows(data.benchmark.tables, [t.name for t in tasks], lead)
    return Leaderboard(
        score=lead,
        means=LEADING.get(lead, lead),
        clusters="scene" if data.dataset.scenes else "what shares an image, a video or an object",
        tasks=tasks,
        levels=_levels(tasks),
        rows=tuple(_row(i, data.runs[i], lead, tasks, best, best_overall) for i in order),
        n=len(questions),
        chance=chance(questions) if lead == "accuracy" else _chance_score(data.runs, lead),
        published_label=OFFICIAL if data.dataset.official else NOT_OFFICIAL,
        published_from=published,
        notes=(*_unavailable(data.runs, lead), *incomplete_notes(data.runs)),
        groupings=groupings_table([data.runs[i] for i in order]),
        compared=tuple(data.compared),
    )


def leading_score(data: ReportData) -> str:
    """Return what models are ranked by: the benchmark's own score where a run has it, else accuracy."""
    for name in (data.benchmark.headline, *LEADING):
        if any(score_cell(run.scores, name).value is not None for run in data.runs):
            return name
    return "accuracy"


def _row(
    index: int,
    run: ReportRun,
    lead: str,
    tasks: Sequence[TaskColumn],
    best: Sequence[float | None],
    best_overall: float | None,
) -> LeaderboardRow:
    def is_best(cell: Cell, top: float | None) -> bool:
        return cell.value is not None and cell.value == top and not (run.baseline or run.text_only)

    overall = score_cell(run.scores, lead)
    cells = [score_cell(run.scores, lead, task=t.name) for t in tasks]
    return LeaderboardRow(
        run=index,
        model=run.model,
        overall=overall,
        cells=tuple((t, c, is_best(c, top)) for t, c, top in zip(tasks, cells, best, strict=True)),
        shares=tuple(share_of(run.scores, name) for name in SHARES),
        baseline=baseline_words(run),
        best_overall=is_best(overall, best_overall),
        protocol=run.protocol,
        text_only=run.text_only,
        links=tuple(urlencode({"task": t.name, "model": str(index), "outcome": "wrong"}) for t in tasks),
    )


def baseline_words(run: ReportRun) -> str:
    """Return that a run is a baseline, and how it answers; "" of a model."""
    means = BASELINES_MEAN.get(run.manifest.name.partition(":")[0], "")
    return ", ".join(filter(None, ["baseline", means])) if run.baseline else ""


def groupings_table(runs: Sequence[ReportRun]) -> Table | None:
    """Return each way of joining passes as a column, and models as rows; None where there is one way."""
    names = [n for n in LEADING if any(find_score(run.scores, n) for run in runs) and n != "accuracy"]
    if not names:
        return None
    notes = {
        f"{run.model}, {score_words(n)}: {s.note}"
        for run in runs
        for n in names
        if (s := find_score(run.scores, n)) is not None and s.note
    }
    rows = [(run.model, *(_grouped_cell(run, name) for name in names)) for run in runs]
    of_chance = ("Chance", *(percent(_chance_score(runs, name)) for name in names))
    return Table(
        "Passes that count as one, right only where all of them are",
        ("", *map(score_words, names)),
        (*rows, of_chance),
        tuple(sorted(notes)),
        (len(rows), 1),
    )


def _grouped_cell(run: ReportRun, name: str) -> str:
    score = find_score(run.scores, name)
    if score is not None and score.method == NOT_AVAILABLE:
        return NOT_AVAILABLE
    return interval_words(score_cell(run.scores, name))


def _chance_score(runs: Sequence[ReportRun], lead: str, **group: str) -> float | None:
    name = lead.replace("accuracy", "chance", 1)
    return next((v for run in runs if (v := score_cell(run.scores, name, **group).value) is not None), None)


def _with_chance(task: TaskColumn, runs: Sequence[ReportRun], lead: str) -> TaskColumn:
    if lead == "accuracy":
        return task
    return replace(task, chance=_chance_score(runs, lead, task=task.name))


def _unavailable(runs: Sequence[ReportRun], lead: str) -> list[str]:
    """Return why models without a value for the leading score have none."""
    notes = []
    for run in runs:
        score = find_score(run.scores, lead)
        if score is None or (score.value is None and score.n):
            notes.append(f"{run.model}: {_said(lead)} is {NOT_AVAILABLE} for this run.")
        elif score.value is None and score.note:
            notes.append(f"{run.model}: {_said(lead)} is {NOT_AVAILABLE}: {score.note}.")
    return notes


def _said(score: str) -> str:
    return ", ".join(filter(None, ["accuracy", score_words(score)]))


def task_columns(data: ReportData) -> tuple[TaskColumn, ...]:
    """Return a column for each task that has questions, in the benchmark's order, unknown ones at the end."""
    by_task: dict[str, list[Question]] = {name: [] for name in data.benchmark.tasks}
    for question in data.dataset.questions:
        if is_measured(question):
            continue  # nearer or farther, but not right or wrong: such answers have a table of their own
        by_task.setdefault(question.task, []).append(question)
    return tuple(
        TaskColumn(
            name,
            data.benchmark.tasks.get(name, name),
            level_of(name),
            len(questions),
            chance(questions),
            captions=all(q.references for q in questions),
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


def _best(values: Sequence[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return max(known) if len(known) > 1 else None


def _levels(tasks: Sequence[TaskColumn]) -> tuple[tuple[str, int], ...]:
    """Return (level, number of columns) from left to right; nothing where the tasks have no levels."""
    return _spans([t.level for t in tasks])


def _spans(heads: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Return (head, number of columns) from left to right; nothing where a column has none."""
    return tuple((head, len(list(same))) for head, same in groupby(heads)) if all(heads) else ()


def incomplete_notes(runs: Sequence[ReportRun]) -> tuple[str, ...]:
    """Return a sentence for each run in which not every question was asked, or not every answer is there."""
    return sentences([(without_sign(run.model)[0], run.scope) for run in runs])
