"""How much models write before they answer, and whether they are right then.

Ref: 3DSRBench §4.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from fathom.pages.charts import Bar, Cell, Panel
from fathom.pages.tables import Table, per_cent
from fathom.records import Question
from fathom.reporting.data import ReportData, ReportRun
from fathom.stats.clusters import cluster_of
from fathom.stats.intervals import accuracy_interval

LEAST_WORDS, LEAST_ANSWERS = 8, 8
"""A model reasons where half of its answers have so many words; a row needs so many answers."""

BINS = (("up to 10", 10), ("11 to 30", 30), ("31 to 100", 100), ("101 to 300", 300), ("over 300", None))
"""How answers are put together by their words: what a bin is called, and the most that it holds."""


@dataclass(frozen=True)
class WrittenAnswer:
    """One answer: its question, its words with the reasoning before it, and whether it is right."""

    question: Question
    words: int
    right: bool


@dataclass(frozen=True)
class WordsShown:
    """A table by model and task, and a chart for each model."""

    table: Table
    panels: tuple[Panel, ...]


def words_shown(data: ReportData, runs: Sequence[ReportRun]) -> WordsShown | None:
    """Return how words go with right answers, of models that reason; None where none does."""
    questions = {q.id: q for q in data.dataset.questions if q.choices or q.possible}
    of_models = [(run.model, written_of(run, questions)) for run in runs if not run.baseline]
    reasoning = [
        (model, some) for model, some in of_models if some and median(w.words for w in some) >= LEAST_WORDS
    ]
    if not reasoning:
        return None
    rows, groups = [], []
    for model, some in reasoning:
        own = [_row(model, some)]
        for task, title in data.benchmark.tasks.items():
            of_task = [w for w in some if w.question.task == task]
            own += [_row(f"… {title}", of_task)] if len(of_task) >= LEAST_ANSWERS else []
        rows += own
        groups.append(len(own))
    table = Table(
        title="Words before an answer, and right answers",
        columns=(
            "", "answers", "words where right", "where wrong", "right of the shorter half, %",
            "of the longer half, %",
        ),
        rows=tuple(rows),
        notes=(
            "words: the median of an answer's words with the reasoning before it, of the first pass of each "
            "question",
        ),
        groups=tuple(groups),
    )  # fmt: skip
    return WordsShown(table, tuple(_panel(model, some) for model, some in reasoning))


def written_of(run: ReportRun, questions: Mapping[str, Question]) -> list[WrittenAnswer]:
    """Return what a run wrote to these questions: the answers that it gave in the first pass of each."""
    right = {(s.question, s.variant): s.value >= 1 for s in run.sample_scores if s.status == "ok"}
    return [
        WrittenAnswer(questions[name], len(f"{r.reasoning} {r.text}".split()), right[name, r.variant])
        for name, r in run.responses.items()
        if name in questions and r.status == "ok" and (name, r.variant) in right and not r.option_logprobs
    ]


def _row(title: str, some: Sequence[WrittenAnswer]) -> tuple[str, ...]:
    ordered = sorted(some, key=lambda w: (w.words, w.question.id))
    half = len(ordered) // 2
    return (
        title,
        str(len(some)),
        *(_median([w.words for w in some if w.right is right]) for right in (True, False)),
        *(per_cent(_accuracy(part)) for part in (ordered[:half], ordered[half:])),
    )


def _median(words: Sequence[int]) -> str:
    return f"{median(words):.0f}" if words else "–"


def _accuracy(some: Sequence[WrittenAnswer]) -> float | None:
    return sum(w.right for w in some) / len(some) if some else None


def _panel(model: str, some: Sequence[WrittenAnswer]) -> Panel:
    bars, lowest = [], 0
    for name, most in BINS:
        own = [w for w in some if w.words > lowest and (most is None or w.words <= most)]
        lowest = most or lowest
        if own:
            clusters = [cluster_of(w.question) for w in own]
            found = accuracy_interval([float(w.right) for w in own], clusters)
            bars.append(Bar(name, Cell(found.value, found.low, found.high, found.n)))
    chance = [1 / len(w.question.choices or w.question.possible) for w in some]
    return Panel(model, tuple(bars), chance=sum(chance) / len(chance))
