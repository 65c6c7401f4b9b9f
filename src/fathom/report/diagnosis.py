"""From scores and marks to what a model gets wrong, and why: levels, retention, margins, confusion, bias."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fathom.pages.charts import Bar, Cell, Confusion, HeatCell, Panel
from fathom.pages.tables import Table
from fathom.records import Mark, Question
from fathom.report.data import ReportData, ReportRun
from fathom.report.leaderboard import Leaderboard

ATTRIBUTES = ("shape", "color", "size", "pose")
OTHER, UNREAD = "other", "not read"


@dataclass(frozen=True)
class ModelConfusions:
    """The confusion matrices of one model."""

    model: str
    confusions: tuple[Confusion, ...]


@dataclass(frozen=True)
class Diagnosis:
    """Everything between the leaderboard and the gallery."""

    by_task: tuple[Panel, ...]
    by_model: tuple[Panel, ...]
    retention: tuple[Panel, ...]
    retention_table: Table | None
    margins: tuple[Panel, ...]
    confusions: tuple[ModelConfusions, ...]
    variation: Table | None


def diagnosis(data: ReportData, board: Leaderboard) -> Diagnosis:
    """Return the diagnosis of a report."""
    questions = {q.id: q for q in data.dataset.questions}
    models_first = sorted(data.runs, key=lambda run: run.baseline)
    confusions = (ModelConfusions(run.model, confusions_of(questions, run.marks)) for run in models_first)
    return Diagnosis(
        by_task=panels_by_task(board),
        by_model=panels_by_model(board),
        retention=retention_panels(data.runs),
        retention_table=None,
        margins=margin_panels(data.runs, board.chance),
        confusions=tuple(c for c in confusions if c.confusions),
        variation=None,
    )


def panels_by_task(board: Leaderboard) -> tuple[Panel, ...]:
    """Return a chart for each task with a bar for each model."""
    return tuple(
        Panel(
            task.title,
            tuple(Bar(row.model, row.cells[i][1]) for row in board.rows),
            note=", ".join(part for part in (task.level, f"{task.n} questions") if part),
            chance=task.chance,
        )
        for i, task in enumerate(board.tasks)
    )


def panels_by_model(board: Leaderboard) -> tuple[Panel, ...]:
    """Return a chart for each model with a bar for each task."""
    return tuple(
        Panel(row.model, tuple(Bar(task.title, cell) for task, cell, _ in row.cells)) for row in board.rows
    )


def retention_panels(runs: Sequence[ReportRun]) -> tuple[Panel, ...]:
    """Return a chart for each factor of the RPDR with a bar for each model."""
    by_factor: dict[str, list[Bar]] = {}
    for run in runs:
        for score in run.scores:
            if score.name == "rpdr":
                factor = next(iter(score.group.values()), "")
                bar = Bar(run.model, Cell(score.value, score.low, score.high, score.n))
                by_factor.setdefault(factor, []).append(bar)
    return tuple(Panel(factor, tuple(bars)) for factor, bars in by_factor.items())


def margin_panels(runs: Sequence[ReportRun], chance: float | None) -> tuple[Panel, ...]:
    """Return a chart for each model with a point for each bin of margins."""
    panels = []
    for run in runs:
        bars = tuple(
            Bar(s.group["margin"], Cell(s.value, s.low, s.high, s.n))
            for s in run.scores
            if s.name == "accuracy" and set(s.group) == {"margin"}
        )
        if bars:
            panels.append(Panel(run.model, bars, chance=chance))
    return tuple(panels)


def confusions_of(questions: Mapping[str, Question], marks: Sequence[Mark]) -> tuple[Confusion, ...]:
    """Return a confusion matrix for each attribute that questions ask for (their tag `asks`)."""
    pairs: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    labels: dict[str, dict[str, None]] = defaultdict(dict)
    for mark in marks:
        question = questions.get(mark.question)
        asks = question.tags.get("asks", "") if question else ""
        if question is None or asks not in ATTRIBUTES:
            continue
        labels[asks] |= dict.fromkeys(question.possible or (question.answer,))
        labels[asks][question.answer] = None
        picked = mark.picked if mark.status == "ok" else None
        pairs[asks][question.answer, _known(picked, mark, question)] += 1
    return tuple(_confusion(name, pairs[name], sorted(labels[name])) for name in ATTRIBUTES if pairs[name])


def _known(picked: str | None, mark: Mark, question: Question) -> str:
    """Return the label that was picked; a right answer in other words is the right answer."""
    if picked is None:
        return UNREAD
    if mark.value >= 1:
        return question.answer
    same = (label for label in question.possible if label.casefold() == picked.strip().casefold())
    return next(same, picked)


def _confusion(attribute: str, pairs: Counter[tuple[str, str]], labels: Sequence[str]) -> Confusion:
    counts: Counter[tuple[str, str]] = Counter()
    for (right, picked), n in pairs.items():
        counts[right, picked if picked in labels or picked == UNREAD else OTHER] += n
    extra = [name for name in (OTHER, UNREAD) if any(p == name for _, p in counts)]
    columns = (*labels, *extra)
    rows = []
    for right in labels:
        total = sum(counts[right, c] for c in columns)
        cells = tuple(HeatCell(counts[right, c], total, c == right) for c in columns)
        if total:
            rows.append((right, cells))
    return Confusion(attribute, sum(pairs.values()), columns, tuple(rows))
