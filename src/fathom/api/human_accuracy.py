"""People's answers as runs, and how often people are right: each, and all of them, with intervals."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import Progress
from fathom.api.scoring import scored_run
from fathom.english import rounded

if TYPE_CHECKING:
    from fathom.review.results import Results

HUMAN = "Human"
"""The model of what most people say; of one person's answers, with their name behind it."""

PEOPLE = "people.csv"
ALL = "all of them"
HEADER = ("person", "answers", "right, %", "low, %", "high, %", "interval over")


def write_people(runs: Sequence[tuple[str, Path]], out: Path, seed: str) -> Path:
    """Write people.csv: of each person, and of all, how many answers are right, in %, with 95 % intervals.

    `runs` are the names of people and their runs. A person's interval is over scenes, that of all over people
    and scenes.
    """
    from fathom.review.writing import write_table
    from fathom.scoring.folder import ScorePlan
    from fathom.stats.clusters import cluster_of
    from fathom.stats.crossed import crossed_interval

    values, people, scenes, rows = list[float](), list[str](), list[str](), list[tuple[object, ...]]()

    def row(name: str, at: slice, over: str) -> tuple[object, ...]:
        found = crossed_interval(values[at], people[at], scenes[at], seed)
        shares = (rounded(100 * share) for share in (found.value, found.low, found.high))
        return (name, found.n, *shares, over)

    for name, folder in runs:
        scored = scored_run(folder, ScorePlan(seed=seed, environ=dict(os.environ)))
        groups = {q.id: cluster_of(q) or q.id for q in scored.questions}
        start = len(values)
        for score in scored.sample_scores:
            values.append(score.value)
            people.append(name)
            scenes.append(groups[score.question])
        rows.append(row(name, slice(start, None), "scenes"))
    if len(runs) > 1:
        rows.append(row(ALL, slice(None), "people and scenes"))
    return write_table(out / PEOPLE, HEADER, rows)


def write_runs(source: Path, results: Results, out: Path, progress: Progress) -> list[tuple[str, Path]]:
    """Write a run of each person's answers, and one of what most people say; return models and folders."""
    from fathom.api.exchange import import_run
    from fathom.review.results import consensus
    from fathom.review.tasks.answer import DONT_KNOW
    from fathom.review.writing import write_table

    said: dict[str, dict[str, str]] = {}
    for name, labels in results.labels.items():
        question = results.items[name].about[0]
        for person, label in labels.items():
            said.setdefault(f"{HUMAN} {person}", {})[question] = label
        if len(labels) > 1 and (most := consensus(labels.values(), "majority")):
            said.setdefault(HUMAN, {})[question] = most
    folders = []
    for k, (who, answers) in enumerate(sorted(said.items())):
        table = out / "answers" / f"{k}.csv"
        # Whoever does not know has not answered, which counts as wrong.
        rows = [(q, "I do not know." if a == DONT_KNOW else a) for q, a in answers.items()]
        write_table(table, ("question", "text"), rows)
        folder = out / "runs" / f"{k}-{_file_name(who)}"
        import_run(
            source,
            table,
            folder,
            model=who,
            columns="question=question,text=text",
            partial=True,
            progress=progress,
        )
        folders.append((who, folder))
    return folders


def _file_name(name: str) -> str:
    return (
        "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower()).strip("-")[:40] or "person"
    )
