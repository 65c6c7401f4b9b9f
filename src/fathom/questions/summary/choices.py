"""What questions with four options came to: how many of each form, and how often each answer is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fathom.pages.tables import Table
from fathom.questions.candidate import AnySelection
from fathom.questions.summary.tables import answers_table, missing_table
from fathom.records import Question


def choice_tables(questions: Sequence[Question], selection: AnySelection) -> Iterator[Table]:
    """Yield what is asked by task and form, what is missing, and how often each answer is right."""
    counts = Counter((q.task, q.tags["form"]) for q in questions)
    wanted: Counter[str] = Counter()
    for (task, _), n in selection.wanted.items():
        wanted[task] += n
    rows = []
    for task in dict.fromkeys(task for task, _ in selection.wanted):
        own = {form: n for (t, form), n in sorted(counts.items()) if t == task}
        forms = ", ".join(f"{form} ({n})" for form, n in own.items())
        rows.append((task, str(wanted[task]), str(sum(own.values())), forms))
    yield Table(
        title="Questions by dimension",
        columns=("dimension", "wanted", "asked", "forms"),
        rows=tuple(rows),
    )
    yield missing_table(selection)
    yield answers_table(questions)
