"""From scores to what a model gets wrong, and why: levels, retention, margins, confusion, bias."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fathom.pages.charts import Bar, Cell, Confusion, HeatCell, Panel
from fathom.pages.names import number_of
from fathom.pages.published import find_score
from fathom.records import Question, Score
from fathom.reporting.data import ReportData, ReportRun
from fathom.reporting.leaderboard import Leaderboard


@dataclass(frozen=True)
class ModelConfusions:
    """The confusion matrices of one model."""

    model: str
    confusions: tuple[Confusion, ...]


@dataclass(frozen=True)
class FacetCurve:
    """Accuracy over a number that questions have, a chart for each model."""

    facet: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Diagnosis:
    """Everything between the leaderboard and the gallery, as charts.

    `margins_pooled` says what the curves of `margins` put together. `curves` are over other numbers than
    margins.
    """

    by_task: tuple[Panel, ...]
    by_model: tuple[Panel, ...]
    retention: tuple[Panel, ...]
    margins: tuple[Panel, ...]
    margins_pooled: str
    confusions: tuple[ModelConfusions, ...]
    curves: tuple[FacetCurve, ...] = ()


def diagnosis(data: ReportData, board: Leaderboard) -> Diagnosis:
    """Return the diagnosis of a report; models come in the leaderboard's order, baselines last."""
    runs = in_order(data.runs, board)
    models_first = sorted(runs, key=lambda run: run.baseline)
    confusions = (ModelConfusions(run.model, confusions_of(run.scores)) for run in models_first)
    return Diagnosis(
        by_task=panels_by_task(board),
        by_model=panels_by_model(board),
        retention=retention_panels(runs),
        margins=margin_panels(models_first, board.chance),
        margins_pooled=pooled_words(data.dataset.questions),
        confusions=tuple(c for c in confusions if c.confusions),
        curves=facet_curves(models_first, data.benchmark.curves, board.score, board.chance),
    )


def in_order(runs: Sequence[ReportRun], board: Leaderboard) -> list[ReportRun]:
    """Return the runs in the leaderboard's order."""
    return [runs[row.run] for row in board.rows]


def panels_by_task(board: Leaderboard) -> tuple[Panel, ...]:
    """Return a chart for each task with a bar for each model."""
    return tuple(
        Panel(
            task.title,
            tuple(Bar(row.model, row.cells[i][1]) for row in board.rows),
            note=", ".join(part for part in (task.level, number_of(task.n, "question")) if part),
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
                bar = Bar(run.model, _cell(score))
                by_factor.setdefault(score.group.get("factor", ""), []).append(bar)
    return tuple(Panel(factor, tuple(bars)) for factor, bars in by_factor.items())


def margin_panels(runs: Sequence[ReportRun], chance: float | None) -> tuple[Panel, ...]:
    """Return a chart for each model with a point for each bin of margins, its trend told beside it."""
    panels = []
    for run in runs:
        bins = [s for s in run.scores if s.name == "accuracy" and set(s.group) == {"margin"}]
        bars = tuple(
            Bar(short, _cell(s)) for s in bins if (short := short_bin(s.group["margin"])) is not None
        )
        if bars:
            panels.append(Panel(run.model, bars, note=_trend(run.scores), chance=chance))
    return tuple(panels)


def facet_curves(
    runs: Sequence[ReportRun], curves: Mapping[str, Sequence[str]], score: str, chance: float | None
) -> tuple[FacetCurve, ...]:
    """Return for each facet a chart for each model, with a point for each of its parts that any question has.

    The leaderboard's score counts where it is told by part, else plain accuracy.
    """
    found = []
    for facet, parts in curves.items():
        panels = []
        for run in runs:
            told = {
                name: {s.group[facet]: s for s in run.scores if s.name == name and set(s.group) == {facet}}
                for name in (score, "accuracy")
            }
            by_part = told[score] or told["accuracy"]
            bars = tuple(Bar(short_part(part), _cell(by_part[part])) for part in parts if part in by_part)
            if len(bars) > 1:
                panels.append(Panel(run.model, bars, chance=chance))
        if panels:
            found.append(FacetCurve(facet, tuple(panels)))
    return tuple(found)


def short_part(name: str) -> str:
    """Return a part of a facet as an axis names it: `roll from 30°` is `≥ 30°`."""
    span = re.sub(r"^\D*?(?=below |from |[-−]?\d)", "", name)
    return span.replace("below ", "< ").replace("from ", "≥ ").removesuffix(" high")


def pooled_words(questions: Sequence[Question]) -> str:
    """Return how many relations, in which units, an accuracy over all margins puts together."""
    margins = [q.margin for q in questions if q.margin is not None]
    relations = {m.relation for m in margins}
    units = sorted({m.unit for m in margins} - {"tolerance"})
    if len(relations) < 2 or not units:
        return ""
    measured = units[0] if len(units) == 1 else f"{', '.join(units[:-1])} and {units[-1]}"
    return (
        f"A curve puts {len(relations)} relations together, measured in {measured}: each margin is first "
        "divided by the tolerance of its own relation, so that 2 is twice as clear as it has to be, whatever "
        "the unit. The table has each relation by itself."
    )


def short_bin(name: str) -> str | None:
    """Return a bin of margins as an axis names it (`1.5–2`), None where it is no stretch of margins."""
    if name.startswith("below "):
        return f"< {name.removeprefix('below ')}"
    if name.endswith(" and more"):
        return f"≥ {name.removesuffix(' and more')}"
    low, found, high = name.partition(" to ")
    return f"{low}–{high}" if found else None


def _trend(scores: Sequence[Score]) -> str:
    words = slope_words(find_score(scores, "margin_slope"))
    return f"slope {words}" if words else ""


def slope_words(slope: Score | None) -> str:
    """Return a slope with its interval, "" where there is none."""
    if slope is None or slope.value is None or slope.low is None or slope.high is None:
        return ""
    value, low, high = (f"{v:+.2f}".replace("-", "−") for v in (slope.value, slope.low, slope.high))
    return f"{value} ({low} to {high})"


def confusions_of(scores: Sequence[Score]) -> tuple[Confusion, ...]:
    """Return a confusion matrix for each attribute that has one among the scores."""
    by_attribute: dict[str, list[Score]] = {}
    for score in scores:
        if score.name == "confusion":
            by_attribute.setdefault(score.group["attribute"], []).append(score)
    return tuple(_confusion(attribute, cells) for attribute, cells in by_attribute.items())


def _confusion(attribute: str, cells: Sequence[Score]) -> Confusion:
    """Return the matrix of these cells; each is a share of its row, and `n` the row's count."""
    shares = {(c.group["answer"], c.group["picked"]): c.value or 0.0 for c in cells}
    totals = {c.group["answer"]: c.n for c in cells}
    picked = {c.group["picked"] for c in cells}
    apart = sorted(name for name in picked if name.startswith("("))
    labels = sorted((picked | set(totals)) - set(apart))
    columns = (*labels, *apart)
    rows = []
    for answer in labels:
        total = totals.get(answer, 0)
        counts = [round(shares.get((answer, column), 0.0) * total) for column in columns]
        row = tuple(HeatCell(n, total, c == answer) for n, c in zip(counts, columns, strict=True))
        rows.append((answer, row))
    return Confusion(attribute, sum(totals.values()), columns, tuple(rows))


def _cell(score: Score) -> Cell:
    return Cell(score.value, score.low, score.high, score.n)
