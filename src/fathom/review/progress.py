"""How far a review is, and how far people agree: what the progress page and `fathom review --status` show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from fathom.english import rounded
from fathom.review.checks import SecondLook, same_of
from fathom.review.planted import PlantedLook, noticed_of
from fathom.review.results import Results, ReviewTable, consensus
from fathom.review.store import ReviewCounts, ReviewStore
from fathom.review.task import ReviewTask
from fathom.stats.agreement import RaterAgreement, sample_needed, share_bound

CLEAN = ("right", "keep", "high")
"""Labels that find no fault."""


@dataclass(frozen=True)
class PersonRow:
    """What one person has done: judgements, seconds an item (median), and labels by number.

    `again` of the items were judged a second time, `same` of them alike; `noticed` of the `planted` ones were
    noticed.
    """

    name: str
    done: int
    seconds: float | None
    labels: tuple[tuple[str, int], ...]
    last: str
    same: int = 0
    again: int = 0
    noticed: int = 0
    planted: int = 0


@dataclass(frozen=True)
class PartRow:
    """How far one group of items is, and how far people agree on it."""

    name: str
    counts: ReviewCounts
    agreement: RaterAgreement
    labels: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ReviewProgress:
    """Everything that the progress page shows; of what is disputed the name, and what is asked there."""

    title: str
    counts: ReviewCounts
    agreement: RaterAgreement
    kappas: tuple[tuple[str, str, float | None, int], ...]
    people: tuple[PersonRow, ...]
    parts: tuple[PartRow, ...]
    disputed: tuple[tuple[str, str], ...]
    pace_per_hour: float | None
    left_hours: float | None
    stopping: str
    tables: tuple[ReviewTable, ...] = ()


def progress_of(store: ReviewStore, task: ReviewTask, results: Results) -> ReviewProgress:
    """Return how far a review is."""
    counts, by_part = store.counts(), store.counts_by_part()
    spread = {
        part: Counter(
            label
            for name, said in results.labels.items()
            if results.items[name].group == part
            for label in said.values()
        )
        for part in by_part
    }
    pace = _pace(results)
    left = counts.wanted - counts.judgements
    looks, planted = store.second_looks(), store.planted_looks()
    return ReviewProgress(
        title=task.title,
        counts=counts,
        agreement=results.agreement(),
        kappas=tuple((a, b, kappa, n) for (a, b), (kappa, n) in results.kappas().items()),
        people=tuple(_person(results, p.name, looks, planted) for p in store.people() if p.role != "manager"),
        parts=tuple(
            PartRow(part, by_part[part], results.agreement(part), tuple(spread[part].most_common()))
            for part in by_part
        ),
        disputed=tuple((name, results.items[name].text or name) for name in results.disputed()),
        pace_per_hour=pace,
        left_hours=left / pace if pace and left > 0 else None,
        stopping=stopping_words(results, planted=planted),
        tables=tuple(table for table in task.tables(results) if table.rows),
    )


def _person(
    results: Results, name: str, looks: Sequence[SecondLook], planted: Sequence[PlantedLook]
) -> PersonRow:
    labels = Counter(said[name] for said in results.labels.values() if name in said)
    own = [e for e in results.entries if e.person == name and not e.undone]
    times = sorted(t[name] for t in results.seconds.values() if name in t and t[name] > 0)
    median = times[len(times) // 2] if times else None
    last = own[-1].at if own else ""
    return PersonRow(
        name,
        sum(labels.values()),
        median,
        tuple(labels.most_common()),
        last,
        *same_of(looks, name),
        *noticed_of(planted, name),
    )


def _pace(results: Results, most: int = 200) -> float | None:
    """Return how many judgements an hour were made lately, breaks of more than ten minutes left out."""
    times = [datetime.fromisoformat(e.at).timestamp() for e in results.entries[-most:] if not e.undone]
    gaps = [b - a for a, b in pairwise(times) if 0 <= b - a < 600]
    stages = len(results.stages)
    return 3600 * len(gaps) / sum(gaps) / stages if len(gaps) >= 5 and sum(gaps) > 0 else None


def stopping_words(results: Results, goal: float = 0.05, planted: Sequence[PlantedLook] = ()) -> str:
    """Return what the items looked at so far say about the share of faulty ones, in a sentence.

    The bound holds for faults that people notice: of `planted` ones it says how many they did. "" where the
    labels of the task do not tell faults.
    """
    decided = [consensus(said.values(), "majority") for said in results.labels.values()]
    labels = [label for label in decided if label]
    if not labels or not any(label in CLEAN for label in labels):
        return ""
    wrong = sum(label not in CLEAN for label in labels)
    bound = share_bound(wrong, len(labels))
    noticed = sum(look.noticed for look in planted)
    sentence = f"of {len(planted)} planted faults people noticed {noticed}; " if planted else ""
    sentence += f"{wrong} of {len(labels)} with a fault: below {rounded(100 * bound)} % with 95 % confidence"
    if bound <= goal:
        return f"{sentence}; enough for a goal of {rounded(100 * goal, 0)} %"
    more = sample_needed(goal, wrong) - len(labels)
    return f"{sentence}; {more} more without a fault would show that it is below {rounded(100 * goal, 0)} %"


def progress_text(found: ReviewProgress) -> Sequence[str]:
    """Return the progress in lines, as the command line prints it."""
    c, a = found.counts, found.agreement
    lines = [
        f"{found.title}: {c.settled} of {c.items} items settled, {c.judgements} of {c.wanted} judgements"
    ]
    if a.raw is not None:
        alpha = "" if a.alpha is None else f", Krippendorff's α {a.alpha:.2f}"
        if a.low is not None and a.high is not None:
            alpha += f" [{a.low:.2f}, {a.high:.2f}]"
        lines.append(
            f"agreement: {rounded(100 * a.raw, 0)} % of {a.pairs} pairs{alpha}; "
            f"{len(found.disputed)} items disputed"
        )
    lines += [
        f"{one} and {other}: Cohen's κ {'–' if k is None else f'{k:.2f}'} over {n}"
        for one, other, k, n in found.kappas
    ]
    for person in found.people:
        pace = "" if person.seconds is None else f", {person.seconds:.0f} s an item"
        again = f", {person.same} of {person.again} shown again judged alike" if person.again else ""
        planted = f", {person.noticed} of {person.planted} planted mistakes noticed" if person.planted else ""
        lines.append(f"{person.name}: {person.done} done{pace}{again}{planted}")
    if found.stopping:
        lines.append(found.stopping)
    for table in found.tables:
        lines.append(f"{table.title} ({', '.join(table.columns)})")
        lines += ["  " + ", ".join(map(cell_words, row)) for row in table.rows[:MOST_ROWS]]
        if len(table.rows) > MOST_ROWS:
            lines.append(f"  and {len(table.rows) - MOST_ROWS:,} more")
    return lines


MOST_ROWS = 40
"""So many rows of a table are shown."""


def cell_words(value: str | int | float) -> str:
    """Return a cell of a table in words: a share as percent."""
    if isinstance(value, float):
        return f"{rounded(100 * value)} %"
    return f"{value:,}" if isinstance(value, int) else value
