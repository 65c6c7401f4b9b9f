"""How often people are right: each person, and all of them, with intervals."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from fathom.api.scoring import scored_run

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
    from fathom.stats.crossed import crossed_interval

    values, people, scenes, rows = list[float](), list[str](), list[str](), list[tuple[object, ...]]()

    def row(name: str, at: slice, over: str) -> tuple[object, ...]:
        found = crossed_interval(values[at], people[at], scenes[at], seed)
        shares = (f"{100 * share:.1f}" for share in (found.value, found.low, found.high))
        return (name, found.n, *shares, over)

    for name, folder in runs:
        scored = scored_run(folder, ScorePlan(seed=seed, environ=dict(os.environ)))
        groups = {q.id: q.groups.cluster or q.scene or q.id for q in scored.questions}
        start = len(values)
        for score in scored.sample_scores:
            values.append(score.value)
            people.append(name)
            scenes.append(groups[score.question])
        rows.append(row(name, slice(start, None), "scenes"))
    if len(runs) > 1:
        rows.append(row(ALL, slice(None), "people and scenes"))
    return write_table(out / PEOPLE, HEADER, rows)
