"""Tables of what a selection came to, of questions on scenes of any kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from fathom.pages.tables import Table, listed
from fathom.questions.candidate import AnySelection
from fathom.records import Question

Names = tuple[str, ...]

Column = tuple[str, Callable[[Names, Sequence[Question]], str]]
"""A heading, and what stands below it for a group of questions, by its names and the questions."""


def number_column(heading: str = "questions") -> Column:
    """Return the column of how many questions there are."""
    return heading, lambda names, own: str(len(own))


def missing_column(selection: AnySelection) -> Column:
    """Return the column of how many questions of a task could not be had."""

    def short(names: Names, own: Sequence[Question]) -> str:
        return str(sum(n for (task, _), n in selection.short.items() if names[0] in (task, "all")))

    return "missing", short


def count_table(
    title: str, heading: Sequence[str], groups: Mapping[Names, Sequence[Question]],
    columns: Sequence[Column],
) -> Table:  # fmt: skip
    """Return a row a group of questions: its names, and each column of it."""
    rows = tuple((*names, *(found(names, own) for _, found in columns)) for names, own in groups.items())
    return Table(title=title, columns=(*heading, *(name for name, _ in columns)), rows=rows)


def grouped(questions: Sequence[Question], key: Callable[[Question], Names]) -> dict[Names, list[Question]]:
    """Return questions by what `key` says of them, in its order."""
    found: dict[Names, list[Question]] = {}
    for q in questions:
        found.setdefault(key(q), []).append(q)
    return dict(sorted(found.items()))


def missing_table(selection: AnySelection, more: Sequence[tuple[str, ...]] = ()) -> Table:
    """Return of which tasks and settings questions are wanted and not asked, and why; `more` are further
    rows.
    """
    rows = [
        (
            task,
            setting,
            str(n),
            str(selection.wanted.get((task, setting), 0)),
            selection.reasons[task, setting],
        )
        for (task, setting), n in sorted(selection.short.items())
        if n > 0 and (task, setting) in selection.reasons
    ]
    return Table(
        title="Questions that are wanted and not asked",
        columns=("task", "setting", "missing", "of", "why"),
        rows=(*rows, *more),
    )


def answers_table(questions: Sequence[Question]) -> Table:
    """Return the answers of each form, those that come most often first."""
    rows = []
    for (form,), own in grouped(questions, lambda q: (q.tags["form"],)).items():
        found = Counter(q.answer for q in own)
        rows.append((form, str(len(found)), listed([f"{a} ({n})" for a, n in found.most_common()])))
    return Table(
        title="Answers by form",
        columns=("form", "different answers", "answers (how often)"),
        rows=tuple(rows),
    )


def outcomes_table(tried: Counter[str], checked: Counter[str]) -> Table:
    """Return what became of what was tried, and of what was checked last."""
    rows = [(why, str(n)) for why, n in tried.most_common()]
    rows += [(f"at the last check: {why}", str(n)) for why, n in checked.most_common()]
    return Table(title="What became of what was tried", columns=("outcome", "drafts"), rows=tuple(rows))
