"""What the questions on films came to: tasks, forms, answers, needs, and why others were refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from fathom.pages.tables import Table, per_cent
from fathom.questions.candidate import AnySelection
from fathom.questions.summary.tables import (
    Column,
    Names,
    answers_table,
    count_table,
    grouped,
    missing_column,
    missing_table,
    number_column,
    outcomes_table,
)
from fathom.records import Question


def both_share(questions: Sequence[Question]) -> float:
    """Return the share of questions that need several views and several times."""
    return _share(questions, lambda q: q.tags.get("views") == q.tags.get("time") == "several")


def several_share(questions: Sequence[Question], tag: str) -> float:
    """Return the share of questions that need several of one kind: "views", or times ("time")."""
    return _share(questions, lambda q: q.tags.get(tag) == "several")


def fewest_of(questions: Sequence[Question]) -> float:
    """Return how many cells are enough to answer a question, on average: the smallest set of each."""
    found = [int(q.tags["fewest"].partition(" ")[0]) for q in questions if "fewest" in q.tags]
    return sum(found) / max(len(found), 1)


def _share(questions: Sequence[Question], holds: Callable[[Question], bool]) -> float:
    return sum(map(holds, questions)) / max(len(questions), 1)


NEEDS: tuple[Column, ...] = (
    number_column(),
    ("several views, %", lambda _, own: per_cent(_share(own, lambda q: q.tags["views"] == "several"))),
    ("several times, %", lambda _, own: per_cent(_share(own, lambda q: q.tags["time"] == "several"))),
    ("both, %", lambda _, own: per_cent(both_share(own))),
    ("fewest cells", lambda _, own: f"{fewest_of(own):.1f}"),
)


def animated_tables(
    questions: Sequence[Question], selection: AnySelection, checked: Counter[str]
) -> tuple[Table, ...]:
    """Return what is asked by task, by form and by answer, what is missing, and what was refused: of the
    candidates, and as it was `checked` last.
    """
    by_task = grouped(questions, lambda q: (q.task,))
    tasks = sorted({*by_task, *((task,) for task, _ in selection.wanted)})
    groups: dict[Names, Sequence[Question]] = {task: by_task.get(task, []) for task in tasks}
    groups["all",] = questions
    forms: dict[Names, Sequence[Question]] = {
        (form,): own for (_, form), own in grouped(questions, lambda q: (q.task, q.tags["form"])).items()
    }
    return (
        count_table("Questions by task", ("task",), groups, (*NEEDS, missing_column(selection))),
        missing_table(selection),
        count_table("Questions by form", ("form",), forms, NEEDS),
        answers_table(questions),
        outcomes_table(selection.tried, checked),
    )
