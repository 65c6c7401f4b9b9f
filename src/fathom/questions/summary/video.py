"""What the questions on videos came to: tasks, forms, levels, and what blind guessers make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from fathom.pages.tables import Table, per_cent
from fathom.questions.candidate import AnySelection
from fathom.questions.numeric.guessers import guessers
from fathom.questions.numeric.separation import LEVELS, SHARES
from fathom.questions.summary.lacking import levels_of
from fathom.questions.summary.tables import (
    Column,
    Names,
    count_table,
    grouped,
    missing_column,
    missing_table,
    number_column,
)
from fathom.questions.template_files import SETTINGS
from fathom.records import Question

ROOM = "the answers leave no room for options so far apart, or too few questions of this level fit one form"


def video_tables(questions: Sequence[Question], selection: AnySelection) -> tuple[Table, ...]:
    """Return what is asked by task and setting and what is missing, by form, by how finely it can be told,
    and what named guessers get right.
    """
    offered = [q for q in questions if q.choices]
    tasks = tuple(dict.fromkeys(task for task, _ in selection.wanted))
    return (
        _tasks(questions, tasks, selection),
        missing_table(selection, _missing_levels(selection, questions)),
        _forms(offered, selection),
        levels_table(offered, tasks),
        _guessed(offered),
    )


def _tasks(questions: Sequence[Question], tasks: Sequence[str], selection: AnySelection) -> Table:
    asked = {q.tags["setting"] for q in questions} | {setting for _, setting in selection.short}
    columns: list[Column] = [(s, partial(_count, partial(_is_offered, s))) for s in SETTINGS if s in asked]
    columns.append(("all", partial(_count, partial(_is_offered, ""))))
    columns.append(missing_column(selection))
    columns.append(("also without options", partial(_count, lambda q: not q.choices)))
    by_task = grouped(questions, lambda q: (q.task,))
    groups: dict[Names, Sequence[Question]] = {(task,): by_task.get((task,), []) for task in tasks}
    groups["all",] = questions
    return count_table("Questions by task and setting", ("task",), groups, columns)


def _is_offered(setting: str, question: Question) -> bool:
    """Return whether a question has options, and is of a setting ("": of any)."""
    return bool(question.choices) and setting in ("", question.tags["setting"])


def _count(holds: Callable[[Question], bool], names: Names, questions: Sequence[Question]) -> str:
    return str(sum(map(holds, questions)))


def _missing_levels(selection: AnySelection, questions: Sequence[Question]) -> list[tuple[str, ...]]:
    had = levels_of(questions)
    return [
        (f"{level} questions", setting, str(n), str(n + had[level, setting]), ROOM)
        for (level, setting), n in sorted(selection.levels.items())
    ]


def levels_table(offered: Sequence[Question], tasks: Iterable[str]) -> Table:
    """Return how many questions of each task are hard, middle and easy: how far the nearest false options are
    off, in what a careful person could tell.
    """
    counts = Counter((q.task, q.tags.get("difficulty", "")) for q in offered)
    totals = Counter(q.tags.get("difficulty", "") for q in offered)
    rows = [(task, *(str(counts[task, level]) for level in LEVELS)) for task in tasks]
    rows.append(("all", *(str(totals[level]) for level in LEVELS)))
    rows.append(("share, %", *(per_cent(totals[level] / max(len(offered), 1)) for level in LEVELS)))
    rows.append(("wanted of numbers, %", *(per_cent(SHARES[level]) for level in LEVELS)))
    return Table(
        title="Questions by how finely they can be told",
        columns=("task", *(f"{k} (to {high:g})" for k, (_, high) in LEVELS.items())),
        rows=tuple(rows),
        notes=(
            "distance of the nearest false option ÷ how finely a careful person could answer; of relations "
            "and orders how far beyond its tolerance the closest decision is",
        ),
    )


def _forms(offered: Sequence[Question], selection: AnySelection) -> Table:
    lacking: dict[tuple[str, ...], float] = {}
    for stratum, missing in selection.missing.items():
        lacking[stratum[:2]] = max(missing, lacking.get(stratum[:2], 0.0))

    def missing_of(names: Names, own: Sequence[Question]) -> str:
        return per_cent(lacking.get(names, 0.0))

    return count_table(
        "Questions by form",
        ("setting", "form"),
        grouped(offered, lambda q: (q.tags["setting"], q.tags["form"])),
        (number_column(), ("missing of an even spread, %", missing_of)),
    )


def _guessed(questions: Sequence[Question]) -> Table:
    rows = tuple(
        (g.guesser, per_cent(g.accuracy), f"{per_cent(g.low)} to {per_cent(g.high)}")
        for g in guessers(questions)
    )
    return Table(
        title="Guessed without looking", columns=("guesser", "right, %", "joint 95 % bounds"), rows=rows
    )
