"""Planted items: what a person should notice, so that it is known how often people do.

Each is made of an item that the person was not given, or judged a while ago: its dataset's answer is another
one, or it says what to choose. It is a row of its own among the items (`expected` is what should be said of
it), given to one person alone, and counts nowhere else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec
import numpy as np

from fathom.review.checks import judged, judged_before
from fathom.review.records import ReviewItem
from fathom.store.seeds import rng

Plant = Callable[[ReviewItem, np.random.Generator], "tuple[ReviewItem, str] | None"]
"""An item → what is planted of it, and the label that a person should come to; None where nothing can be."""

TRIED = 40
"""Of so many items one is planted, or none this time."""


@dataclass(frozen=True)
class PlantedLook:
    """What a person said of a planted item, and what they should have said."""

    item: str
    person: str
    expected: str
    said: str

    @property
    def noticed(self) -> bool:
        """Whether the person said what was expected."""
        return self.expected == self.said


def give_planted(db: sqlite3.Connection, person: int, share: float, seed: str, plant: Plant) -> int | None:
    """Give a person a planted item; return its number, None if none is due.

    Of `n` items that a person has judged, `share * n` further ones are planted, rounded down.
    """
    if not share:
        return None
    (before,) = db.execute(
        "SELECT count(*) FROM items i JOIN given g ON g.item = i.id "
        "WHERE i.expected IS NOT NULL AND g.person = ?",
        (person,),
    ).fetchone()
    if before >= int(judged(db, person) * share + 1e-9):
        return None
    g = rng(seed, "planted", person, before)
    for origin, body in _candidates(db, person, g):
        made = plant(msgspec.json.decode(body, type=ReviewItem), g)
        if made is not None:
            return _kept(db, person, origin, *made)
    return None


def _candidates(db: sqlite3.Connection, person: int, g: np.random.Generator) -> Iterator[tuple[int, bytes]]:
    """Yield items in a drawn order: those that only others judge, then those judged a while ago."""
    others = db.execute(
        "SELECT id FROM items i WHERE repeats IS NULL AND taken >= wanted AND NOT EXISTS "
        "(SELECT 1 FROM given g WHERE g.person = ? AND g.item = i.id) ORDER BY rank LIMIT 500",
        (person,),
    ).fetchall()
    used = {
        origin
        for (origin,) in db.execute(
            "SELECT i.repeats FROM items i JOIN given g ON g.item = i.id "
            "WHERE i.repeats IS NOT NULL AND g.person = ?",
            (person,),
        )
    }
    for numbers in ([n for (n,) in others], judged_before(db, person)):
        free = [n for n in numbers if n not in used]
        for k in g.permutation(len(free))[:TRIED].tolist():
            body = db.execute("SELECT body FROM items WHERE id = ?", (free[k],)).fetchone()[0]
            yield free[k], body


def _kept(db: sqlite3.Connection, person: int, origin: int, item: ReviewItem, expected: str) -> int:
    """Keep a planted item, and give it to its person; return its number."""
    number: int = db.execute(
        "INSERT INTO items (name, part, rank, wanted, taken, repeats, expected, body) "
        "SELECT name || ' · planted for ' || ?, part, rank, 1, 1, id, ?, ? FROM items WHERE id = ? "
        "RETURNING id",
        (person, expected, msgspec.json.encode(item), origin),
    ).fetchone()[0]
    db.execute("INSERT INTO given (item, person) VALUES (?, ?)", (number, person))
    return number


def planted_words(settings: Mapping[str, str]) -> tuple[str, ...]:
    """Return what people read before they begin a review in which items are planted."""
    if not float(settings.get("planted", "0")):
        return ()
    return (
        "A few items are put in to see whether mistakes are noticed; look at every item with the same care.",
    )


def noticed_of(looks: Iterable[PlantedLook], person: str) -> tuple[int, int]:
    """Return how many planted items a person noticed, and how many they saw."""
    own = [look.noticed for look in looks if look.person == person]
    return sum(own), len(own)
