"""What a selection of questions came to: tasks, forms, and what blind guessers make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fathom.build.options.fine.guessers import guessers
from fathom.build.questions.tracks.asking import SETTINGS
from fathom.build.questions.tracks.choosing import Selection
from fathom.build.questions.tracks.forms import TASKS
from fathom.pages.tables import Table, per_cent
from fathom.records import Question


def tables_of(questions: Sequence[Question], selection: Selection) -> tuple[Table, ...]:
    """Return what is asked by task and setting, by form, and what named guessers get right."""
    offered = [q for q in questions if q.choices]
    return (_tasks(questions, selection), _forms(questions, selection), _guessed(offered))


def _tasks(questions: Sequence[Question], selection: Selection) -> Table:
    asked = Counter((q.task, q.tags["setting"]) for q in questions if q.choices)
    twins = Counter(q.task for q in questions if not q.choices)
    settings = [s for s in SETTINGS if any(s == setting for _, setting in {*asked, *selection.short})]
    rows = []
    for task in TASKS:
        counts = [asked[task, s] for s in settings]
        short = sum(n for (t, _), n in selection.short.items() if t == task)
        rows.append((task, *map(str, counts), str(sum(counts)), str(short), str(twins[task])))
    every = [sum(int(row[k]) for row in rows) for k in range(1, len(settings) + 4)]
    return Table(
        title="Questions by task and setting",
        columns=("task", *settings, "all", "wanted besides", "also without options"),
        rows=(*rows, ("all", *map(str, every))),
    )


def _forms(questions: Sequence[Question], selection: Selection) -> Table:
    counts = Counter((q.tags["setting"], q.tags["form"]) for q in questions if q.choices)
    lacking: dict[tuple[str, str], float] = {}
    for pool, missing in selection.missing.items():
        lacking[pool[0], pool[1]] = max(missing, lacking.get((pool[0], pool[1]), 0.0))
    rows = tuple(
        (setting, form, str(n), per_cent(lacking.get((setting, form), 0.0)))
        for (setting, form), n in sorted(counts.items())
    )
    return Table(
        title="Questions by form",
        columns=("setting", "form", "questions", "of a level spread missing"),
        rows=rows,
    )


def _guessed(questions: Sequence[Question]) -> Table:
    rows = tuple(
        (g.guesser, per_cent(g.accuracy), f"{per_cent(g.low)} to {per_cent(g.high)}")
        for g in guessers(questions)
    )
    return Table(
        title="Guessed without looking", columns=("guesser", "right", "bounds, 95 % together"), rows=rows
    )
