"""What a selection of questions came to: tasks, forms, and what blind guessers make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from fathom.pages.tables import Table, per_cent
from fathom.questions.balancing.video import VideoSelection
from fathom.questions.distractors.numeric.guessers import guessers
from fathom.questions.distractors.numeric.separation import LEVELS, SHARES
from fathom.questions.summary.lacking import levels_of
from fathom.questions.template_files import SETTINGS
from fathom.records import Question

ROOM = "answers leave no room for options so far apart, or form by form too few were dealt"


def video_tables(questions: Sequence[Question], selection: VideoSelection) -> tuple[Table, ...]:
    """Return what is asked by task and setting and what is missing, by form, by how finely it can be told,
    and what named guessers get right.
    """
    offered = [q for q in questions if q.choices]
    tables = (_tasks(questions, selection), _missing(selection, questions), _forms(questions, selection))
    return (*tables, levels_table(offered, _tasks_of(selection)), _guessed(offered))


def _tasks(questions: Sequence[Question], selection: VideoSelection) -> Table:
    asked = Counter((q.task, q.tags["setting"]) for q in questions if q.choices)
    twins = Counter(q.task for q in questions if not q.choices)
    settings = [s for s in SETTINGS if any(s == setting for _, setting in {*asked, *selection.short})]
    rows = []
    for task in _tasks_of(selection):
        counts = [asked[task, s] for s in settings]
        short = sum(n for (t, _), n in selection.short.items() if t == task)
        rows.append((task, *map(str, counts), str(sum(counts)), str(short), str(twins[task])))
    every = [sum(int(row[k]) for row in rows) for k in range(1, len(settings) + 4)]
    return Table(
        title="Questions by task and setting",
        columns=("task", *settings, "all", "wanted besides", "also without options"),
        rows=(*rows, ("all", *map(str, every))),
    )


def _tasks_of(selection: VideoSelection) -> tuple[str, ...]:
    """Return the tasks of which questions are wanted, in their order."""
    return tuple(dict.fromkeys(task for task, _ in selection.wanted))


def _missing(selection: VideoSelection, questions: Sequence[Question]) -> Table:
    of_tasks = tuple(
        (
            task,
            setting,
            str(n),
            str(selection.wanted.get((task, setting), 0)),
            selection.reasons[task, setting],
        )
        for (task, setting), n in sorted(selection.short.items())
        if n and (task, setting) in selection.reasons
    )
    had = levels_of(questions)
    of_levels = tuple(
        (f"{level} questions", setting, str(n), str(n + had[level, setting]), ROOM)
        for (level, setting), n in sorted(selection.levels.items())
    )
    return Table(
        title="Questions that are wanted and not asked",
        columns=("task", "setting", "missing", "of", "why"),
        rows=(*of_tasks, *of_levels),
    )


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


def _forms(questions: Sequence[Question], selection: VideoSelection) -> Table:
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
