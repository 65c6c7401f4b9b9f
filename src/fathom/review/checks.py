"""Attention checks: items that a person is shown a second time, to see whether they say the same again.

A second showing is a row of its own among the items (`repeats` names the first), given to one person alone.
Nothing else counts it: not how far a review is, not agreement, consensus, runs or verdicts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from fathom.store.seeds import rng

APART = 8
"""At least so many other items a person has judged between the two showings of one."""


@dataclass(frozen=True)
class SecondLook:
    """An item that a person judged twice, and the label of each time."""

    item: str
    person: str
    first: str
    second: str

    @property
    def same(self) -> bool:
        """Whether the person said the same again."""
        return self.first == self.second


def judged(db: sqlite3.Connection, person: int) -> int:
    """Return how many items a person has judged, second showings and planted ones left out."""
    done = db.execute("SELECT count(*) FROM given WHERE person = ? AND done = 1", (person,)).fetchone()[0]
    again = db.execute(
        "SELECT count(*) FROM items i JOIN given g ON g.item = i.id "
        "WHERE i.repeats IS NOT NULL AND g.person = ? AND g.done = 1",
        (person,),
    ).fetchone()[0]
    return int(done - again)


def give_again(db: sqlite3.Connection, person: int, share: float, seed: str) -> int | None:
    """Give a person an item once more that they judged a while ago; return its number, None if none is due.

    Of `n` items that a person has judged, `share * n` are shown again, rounded down, each once.
    """
    if not share:
        return None
    before = db.execute(
        "SELECT i.repeats FROM items i JOIN given g ON g.item = i.id "
        "WHERE i.repeats IS NOT NULL AND i.expected IS NULL AND g.person = ?",
        (person,),
    ).fetchall()
    if len(before) >= int(judged(db, person) * share + 1e-9):
        return None
    known = {first for (first,) in before}
    old = [item for item in judged_before(db, person) if item not in known]
    if not old:
        return None
    first = old[int(rng(seed, "shown again", person, len(before)).integers(len(old)))]
    number: int = db.execute(
        "INSERT INTO items (name, part, rank, wanted, taken, repeats, body) "
        "SELECT name || ' · again for ' || ?, part, rank, 1, 1, id, body FROM items WHERE id = ? "
        "RETURNING id",
        (person, first),
    ).fetchone()[0]
    db.execute("INSERT INTO given (item, person) VALUES (?, ?)", (number, person))
    return number


def judged_before(db: sqlite3.Connection, person: int) -> list[int]:
    """Return the items that a person judged at least `APART` others ago, the oldest first."""
    in_order = db.execute(
        "SELECT g.item FROM given g JOIN items i ON i.id = g.item JOIN entries e ON e.item = g.item "
        "WHERE g.person = ? AND e.person = g.person AND g.done = 1 AND i.repeats IS NULL "
        "GROUP BY g.item ORDER BY max(e.id)",
        (person,),
    ).fetchall()
    return [item for (item,) in in_order[:-APART]]


def same_of(looks: Iterable[SecondLook], person: str) -> tuple[int, int]:
    """Return how many items a person judged alike the second time, and how many they saw twice."""
    own = [look.same for look in looks if look.person == person]
    return sum(own), len(own)
