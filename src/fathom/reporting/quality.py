"""What the questions themselves are worth: how many, how evenly answered, how clear, how plainly seen."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from string import ascii_uppercase

from fathom.english import rounded, signed
from fathom.extraction.numeric_answers import is_measured
from fathom.pages.tables import Table
from fathom.records import Question
from fathom.reporting.data import ReportData
from fathom.reporting.details import letter_of
from fathom.reporting.leaderboard import TaskColumn

VERDICTS = ("Checks", "Promises")
"""The title of the table of what was checked, today and in older datasets."""


_COLUMNS = (
    "Task",
    "Questions",
    "In the paper",
    "Chance, %",
    "Evenness, %",
    "Smallest margin, × tolerance",
    "Median margin, × tolerance",
    "Smallest visible object, px",
    "Smallest visible share, %",
    "Blind guesser − chance, points",
)
"""Of the table of tasks."""


@dataclass(frozen=True)
class Spread:
    """How the answers of one kind of question are spread: (answer, count, count over the largest)."""

    task: str
    asks: str
    n: int
    answers: tuple[tuple[str, int, float], ...]
    evenness: float | None

    @property
    def words(self) -> str:
        """The spread as text, for those who cannot see the bars."""
        return ", ".join(f"{answer} ({count})" for answer, count, _ in self.answers)


@dataclass(frozen=True)
class QuestionQuality:
    """What is known about the dataset itself."""

    tasks: Table
    spreads: tuple[Spread, ...]
    checks: tuple[Table, ...]
    verdicts: Table | None = None

    @property
    def everything(self) -> tuple[Table, ...]:
        """All tables of it."""
        return (self.tasks, *((self.verdicts,) if self.verdicts else ()), *self.checks)


def quality(data: ReportData, tasks: Sequence[TaskColumn]) -> QuestionQuality:
    """Return what is known about the dataset itself."""
    by_task: dict[str, list[Question]] = {t.name: [] for t in tasks}
    for question in data.dataset.questions:
        if not is_measured(question):
            by_task[question.task].append(question)
    spreads = tuple(
        spread(task.title, asks, some)
        for task in tasks
        if not task.captions
        for asks in sorted({asks_for(q) for q in by_task[task.name]})
        if (some := [q for q in by_task[task.name] if asks_for(q) == asks])
    )
    checks = [with_titles(table, data.benchmark.tasks) for table in data.dataset.checks]
    return QuestionQuality(
        tasks=_task_table(tasks, by_task, spreads, data.benchmark.published_counts),
        spreads=spreads,
        checks=tuple(table for table in checks if table.title not in VERDICTS),
        verdicts=next((table for table in checks if table.title in VERDICTS), None),
    )


def with_titles(table: Table, titles: Mapping[str, str]) -> Table:
    """Return a table in which tasks are called by their titles: at the beginning of a row, and elsewhere
    where a task's name is no word of English.
    """
    odd = [name for name in titles if re.search(r"[\d_]", name)]
    anywhere = _pattern(odd)
    first = re.compile(f"(?:{_pattern(titles).pattern})(?=$|[:,]| )")

    def said(text: str) -> str:
        return anywhere.sub(lambda found: titles[found[0]], text) if odd else text

    def named(text: str) -> str:
        found = first.match(text) if titles else None
        return titles[found[0]] + said(text[found.end() :]) if found else said(text)

    rows = tuple((named(row[0]), *map(said, row[1:])) for row in table.rows)
    return replace(table, rows=rows, notes=tuple(map(said, table.notes)))


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, longest_first))})(?![\w.]\w)")


def asks_for(question: Question) -> str:
    """Return what a question asks for; of one with options, for one of so many letters."""
    if question.tags.get("asks"):
        return question.tags["asks"]
    return f"one of {len(question.choices)} options" if question.choices else ""


def spread(task: str, asks: str, questions: Sequence[Question]) -> Spread:
    """Return how the answers of these questions are spread over those that are possible.

    Where options are given, it is the places of the right ones that are counted.
    """
    counts = Counter(letter_of(q) or q.answer for q in questions)
    letters = {ascii_uppercase[i] for q in questions for i in range(min(26, len(q.choices)))}
    labels = sorted(
        {a for q in questions for a in (q.possible or ()) if not q.choices} | letters | set(counts)
    )
    largest = max(counts.values(), default=1)
    answers = tuple((label, counts[label], counts[label] / largest) for label in labels)
    return Spread(task, asks, len(questions), answers, evenness([counts[label] for label in labels]))


def evenness(counts: Sequence[int]) -> float | None:
    """Return the entropy of `counts` over its maximum: 1 where all are equal; None for fewer than two."""
    total = sum(counts)
    if len(counts) < 2 or total == 0:
        return None
    entropy = -sum(c / total * math.log(c / total) for c in counts if c)
    return max(0.0, entropy / math.log(len(counts)))


def _task_table(
    tasks: Sequence[TaskColumn],
    by_task: dict[str, list[Question]],
    spreads: Sequence[Spread],
    published: Mapping[str, int],
) -> Table:
    rows = []
    for task in tasks:
        questions = by_task[task.name]
        even = [(s.evenness, s.n) for s in spreads if s.task == task.title and s.evenness is not None]
        ratios = [q.margin.ratio for q in questions if q.margin]
        seen = [q.evidence.smallest_visible_px for q in questions if q.evidence]
        fractions = [q.evidence.smallest_visible_fraction for q in questions if q.evidence]
        bias = [q.bias_score for q in questions if q.bias_score is not None]
        rows.append(
            (
                task.title,
                str(len(questions)),
                f"{published[task.name]:,}" if task.name in published else "–",
                _percent(task.chance),
                _percent(sum(e * n for e, n in even) / sum(n for _, n in even) if even else None),
                f"{min(ratios):.2f}" if ratios else "–",
                f"{median(ratios):.1f}" if ratios else "–",
                f"{min(seen):,}" if seen else "–",
                _percent(min(fractions) if fractions else None),
                signed(100 * sum(bias) / len(bias)).replace("-", "−") if bias else "–",
            )
        )
    return _without_empty(Table("By task", _COLUMNS, tuple(rows)))


def _without_empty(table: Table) -> Table:
    """Return the table without columns in which nothing is known of any row."""
    kept = [i for i in range(len(table.columns)) if i < 2 or any(row[i] != "–" for row in table.rows)]
    return Table(
        table.title,
        tuple(table.columns[i] for i in kept),
        tuple(tuple(row[i] for i in kept) for row in table.rows),
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else rounded(100 * value)
