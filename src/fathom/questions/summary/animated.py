"""What a selection of questions came to: tasks, forms, answers, needs, and why others were refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fathom.pages.tables import Table, listed, per_cent
from fathom.records import Question


@dataclass
class AnimatedTally:
    """Counts over a build: `tried` of candidates by what became of them, `checked` of questions at the last
    check.
    """

    tried: Counter[str] = field(default_factory=Counter)
    checked: Counter[str] = field(default_factory=Counter)
    short: Counter[str] = field(default_factory=Counter)


def both_share(questions: Sequence[Question]) -> float:
    """Return the share of questions that need several views and several times."""
    both = sum(q.tags.get("views") == q.tags.get("time") == "several" for q in questions)
    return both / max(len(questions), 1)


def animated_tables(questions: Sequence[Question], tally: AnimatedTally) -> tuple[Table, ...]:
    """Return what is asked by task, by form and by answer, and what was refused."""
    return (_tasks(questions, tally), _forms(questions), _answers(questions), _refusals(tally))


def _tasks(questions: Sequence[Question], tally: AnimatedTally) -> Table:
    tasks = sorted({q.task for q in questions} | set(tally.short))
    rows = [(t, *_shares([q for q in questions if q.task == t]), str(tally.short[t])) for t in tasks]
    rows.append(("all", *_shares(questions), str(sum(tally.short.values()))))
    return Table(
        title="Questions by task",
        columns=("task", "questions", "several views", "several times", "both", "wanted besides"),
        rows=tuple(rows),
    )


def _shares(questions: Sequence[Question]) -> tuple[str, ...]:
    n = max(len(questions), 1)
    views = sum(q.tags["views"] == "several" for q in questions) / n
    times = sum(q.tags["time"] == "several" for q in questions) / n
    return str(len(questions)), per_cent(views), per_cent(times), per_cent(both_share(questions))


def _forms(questions: Sequence[Question]) -> Table:
    forms = sorted({(q.task, q.tags["form"]) for q in questions})
    rows = [(f, *_shares([q for q in questions if q.tags["form"] == f])) for _, f in forms]
    return Table(
        title="Questions by form",
        columns=("form", "questions", "several views", "several times", "both"),
        rows=tuple(rows),
    )


def _answers(questions: Sequence[Question]) -> Table:
    rows = []
    for form in sorted({q.tags["form"] for q in questions}):
        found = Counter(q.answer for q in questions if q.tags["form"] == form)
        rows.append((form, str(len(found)), listed([f"{a} {n}" for a, n in found.most_common()])))
    return Table(title="Answers by form", columns=("form", "different", "answers"), rows=tuple(rows))


def _refusals(tally: AnimatedTally) -> Table:
    rows: Iterable[tuple[str, str]] = ((why, str(n)) for why, n in tally.tried.most_common())
    late = ((f"at the last check: {why}", str(n)) for why, n in tally.checked.most_common())
    return Table(title="What became of what was tried", columns=("outcome", "fillings"), rows=(*rows, *late))
