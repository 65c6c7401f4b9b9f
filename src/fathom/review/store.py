"""What a review keeps: items, people, who was given what, and every entry, in one SQLite file.

    create_review_file(path, settings, items, overlap, seed)    # of review/database.py
    store = ReviewStore(path, stages)
    store.next_items(person, 3)
    store.add(person, item, stage, values, client, seconds)

The file is in WAL mode, and an entry is on the disk before it is acknowledged. Entries are only ever added:
triggers refuse to change or delete one. What is sent twice under one `client` name is kept once, so that a
client may send again whatever was not acknowledged.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from fathom.records import DataError, InputError
from fathom.review.checks import SecondLook, give_again, judged
from fathom.review.database import bring_over, connected, transaction
from fathom.review.planted import Plant, PlantedLook, give_planted
from fathom.review.records import ReviewEntry, ReviewItem, Values

LEASE_S = 30 * 60.0
"""An item that was given to somebody who has not judged it is given to somebody else after so long."""

_OF_ONE = "e.item = ? AND +e.person = ?"
"""What one person said of one item, found by the item: the plus keeps SQLite from their other items."""

LEFT_FREE = 2
"""How many times an item is given to one more person where those who judged it disagree, at most."""


@dataclass(frozen=True)
class Person:
    """Somebody who takes part; a "manager" also sees progress and what everybody said."""

    id: int
    name: str
    role: str


@dataclass(frozen=True)
class Given:
    """An item as one person has it: its place, the stage that comes next ("" where all are done)."""

    id: int
    item: ReviewItem
    stage: str
    entries: tuple[ReviewEntry, ...] = ()


@dataclass(frozen=True)
class ReviewCounts:
    """How far a review is: items in all and judged as often as wanted, judgements in all and wanted."""

    items: int
    settled: int
    judgements: int
    wanted: int


class ReviewStore:
    """A review's file; safe to be used by several threads of one process.

    `stages` are the names of the task's stages, in order; `label` what a person's values by stage come to.
    """

    def __init__(
        self,
        path: Path,
        stages: Sequence[str],
        label: Callable[[Mapping[str, Mapping[str, Any]]], str] = lambda values: "",
        clock: Callable[[], float] = time.time,
        plant: Plant | None = None,
    ) -> None:
        self.path = path
        self._stages = tuple(stages)
        self._label = label
        self._clock = clock
        self._plant = plant
        self._lock = threading.RLock()
        self._leases: dict[tuple[int, int], float] = {}
        self._dealt_to: dict[int, int] = {}
        self._seen_version = -1
        if not path.is_file():
            raise InputError(f"{path}: expected the database of a review, but there is none; check the path")
        self._db = connected(path)
        bring_over(path, self._db, int(self.settings().get("version", "0")))
        said = self.settings()
        self._seed, self._shown_again = said.get("seed", "0"), float(said.get("checks", "0"))
        self._planted = float(said.get("planted", "0"))
        now = time.monotonic()
        self._leases = dict.fromkeys(self._db.execute("SELECT item, person FROM given WHERE done = 0"), now)

    def settings(self) -> dict[str, str]:
        """Return what the review was begun with."""
        with self._lock:
            try:
                return dict(self._db.execute("SELECT key, value FROM meta"))
            except sqlite3.DatabaseError as e:
                raise DataError(f"{self.path}: is not the database of a review ({e}); restore it") from e

    # --- people --------------------------------------------------------------------------------------

    def add_person(self, name: str, role: str, token: str) -> Person:
        """Take somebody in who will come with this token; only its hash is kept.

        Raises InputError where somebody has that name already.
        """
        name = name.strip()
        if not name or len(name) > 80:
            raise InputError(f"the name of a person: expected 1 to 80 characters, found {len(name)}")
        try:
            with self._writing():
                row = self._db.execute(
                    "INSERT INTO people (name, role, token, added) VALUES (?, ?, ?, ?) RETURNING id",
                    (name, role, _hashed(token), self._now()),
                ).fetchone()
        except sqlite3.IntegrityError as e:
            raise InputError(f"{name!r}: takes part already; choose another name") from e
        return Person(row[0], name, role)

    def renew_token(self, name: str, token: str) -> None:
        """Give a person a new token; the old one opens nothing any more."""
        with self._writing():
            self._db.execute("UPDATE people SET token = ? WHERE name = ?", (_hashed(token), name))

    def person_of(self, token: str) -> Person | None:
        """Return whose token it is, None where nobody's."""
        with self._lock:
            row = self._db.execute(
                "SELECT id, name, role FROM people WHERE token = ?", (_hashed(token),)
            ).fetchone()
        return Person(*row) if row else None

    def people(self) -> list[Person]:
        """Return everybody who takes part."""
        with self._lock:
            return [Person(*row) for row in self._db.execute("SELECT id, name, role FROM people ORDER BY id")]

    # --- work ----------------------------------------------------------------------------------------

    def next_items(self, person: Person, most: int) -> list[Given]:
        """Return what a person is to judge next: what was given and is not done, then new items.

        New ones are given in the drawn order, so that each is judged as often as wanted before the next are
        begun; nobody gets an item twice, but for those that are shown again as attention checks.
        """
        now = time.monotonic()
        with self._writing():
            self._expire(now)
            own = [
                row[0]
                for row in self._db.execute(
                    "SELECT g.item FROM given g INDEXED BY given_open JOIN items i ON i.id = g.item "
                    "WHERE g.person = ? AND g.done = 0 "
                    "ORDER BY i.rank LIMIT ?",
                    (person.id, most),
                )
            ]
            if len(own) < most and (again := give_again(self._db, person.id, self._shown_again, self._seed)):
                own.append(again)
            if len(own) < most and self._plant is not None:
                planted = give_planted(self._db, person.id, self._planted, self._seed, self._plant)
                own += [] if planted is None else [planted]
            if len(own) < most:
                for item in self._fresh(person.id, most - len(own)):
                    self._db.execute("INSERT INTO given (item, person) VALUES (?, ?)", (item, person.id))
                    self._db.execute("UPDATE items SET taken = taken + 1 WHERE id = ?", (item,))
                    own.append(item)
            for item in own:
                self._leases[item, person.id] = now
        return [self._given(item, person.id) for item in own]

    def _fresh(self, person: int, most: int) -> list[int]:
        """Return items that a person can be given, in the drawn order.

        Below the rank up to which a person was dealt items, none is open to them until one is opened again:
        the search begins there (`_dealt_to`), so that it does not pass all that they have judged each time.
        """
        version = self._db.execute("PRAGMA data_version").fetchone()[0]
        if version != self._seen_version:
            # Another process has written, and may have opened items again.
            self._dealt_to.clear()
            self._seen_version = version
        found = self._db.execute(
            "SELECT id, rank FROM items i WHERE taken < wanted AND rank >= ? AND NOT EXISTS "
            "(SELECT 1 FROM given g WHERE g.person = ? AND g.item = i.id) AND NOT EXISTS "
            "(SELECT 1 FROM items p WHERE p.repeats = i.id AND p.repeats IS NOT NULL AND EXISTS "
            "(SELECT 1 FROM given g WHERE g.person = ? AND g.item = p.id)) "
            "ORDER BY rank LIMIT ?",
            (self._dealt_to.get(person, 0), person, person, most),
        ).fetchall()
        if found:
            self._dealt_to[person] = found[-1][1]
        return [item for item, _ in found]

    def _expire(self, now: float) -> None:
        """Take back what was given long ago and never begun; what is shown again is for one person alone."""
        late = [key for key, since in self._leases.items() if now - since > LEASE_S]
        for item, person in late:
            del self._leases[item, person]
            begun = self._db.execute(
                "SELECT 1 FROM entries WHERE item = ? AND +person = ? "
                "UNION ALL SELECT 1 FROM items WHERE id = ? AND repeats IS NOT NULL LIMIT 1",
                (item, person, item),
            ).fetchone()
            if begun:
                continue
            gone = self._db.execute(
                "DELETE FROM given WHERE item = ? AND person = ? AND done = 0", (item, person)
            ).rowcount
            if gone:
                self._db.execute("UPDATE items SET taken = taken - 1 WHERE id = ?", (item,))
                self._dealt_to.clear()

    def given(self, person: Person, item: int) -> Given | None:
        """Return an item that was given to a person, None where it was not."""
        with self._lock:
            row = self._db.execute(
                "SELECT 1 FROM given WHERE person = ? AND item = ?", (person.id, item)
            ).fetchone()
            return self._given(item, person.id) if row else None

    def item(self, item: int) -> ReviewItem | None:
        """Return an item by its number, None where there is none."""
        with self._lock:
            row = self._db.execute("SELECT body FROM items WHERE id = ?", (item,)).fetchone()
        return msgspec.json.decode(row[0], type=ReviewItem) if row else None

    def _given(self, item: int, person: int) -> Given:
        with self._lock:
            body = self._db.execute("SELECT body FROM items WHERE id = ?", (item,)).fetchone()[0]
            entries = tuple(self._entries(_OF_ONE, (item, person)))
        said = {e.stage for e in entries if not e.undone}
        stage = next((s for s in self._stages if s not in said), "")
        return Given(item, msgspec.json.decode(body, type=ReviewItem), stage, entries)

    def add(
        self, person: Person, item: int, stage: str, values: Values, client: str, seconds: float = 0.0
    ) -> ReviewEntry:
        """Keep what a person said, and return it; the same `client` name again changes nothing.

        Raises InputError where the item was not given to that person, the stage is not its turn, or the
        client's name is somebody else's.
        """
        with self._writing():
            if known := self._known(client, person):
                return known
            given = self.given(person, item)
            if given is None:
                raise InputError(f"item {item}: was not given to {person.name}; load the page again")
            done = {e.stage for e in given.entries if not e.undone}
            before = self._stages[: self._stages.index(stage)] if stage in self._stages else None
            if before is None or any(s not in done for s in before):
                raise InputError(
                    f"item {item}: the stage {stage!r} is not to be filled in yet; load the page again"
                )
            entry = self._insert(person, item, stage, values, client, seconds, None)
            if {*done, stage} == set(self._stages):
                self._finish(person, item)
            return entry

    def undo(self, person: Person, client: str) -> ReviewEntry | None:
        """Take back the last entry of a person that still counts, by a new row; None where there is none."""
        with self._writing():
            if known := self._known(client, person):
                return known
            row = self._db.execute(
                "SELECT e.id, e.item, e.stage FROM entries e "
                "WHERE e.person = ? AND e.undoes IS NULL AND NOT EXISTS "
                "(SELECT 1 FROM entries u WHERE u.undoes = e.id) ORDER BY e.id DESC LIMIT 1",
                (person.id,),
            ).fetchone()
            if row is None:
                return None
            number, item, stage = row
            entry = self._insert(person, item, stage, {}, client, 0.0, number)
            found = self._given(item, person.id)
            if found.stage:
                reopened = self._db.execute(
                    "UPDATE given SET done = 0 WHERE item = ? AND person = ? AND done = 1", (item, person.id)
                ).rowcount
                self._db.execute("UPDATE items SET done = done - ? WHERE id = ?", (reopened, item))
                self._leases[item, person.id] = time.monotonic()
            return entry

    def _known(self, client: str, person: Person) -> ReviewEntry | None:
        if not 8 <= len(client) <= 64:
            raise InputError(f"the name of an entry: expected 8 to 64 characters, found {len(client)}")
        row = self._db.execute("SELECT id, person FROM entries WHERE client = ?", (client,)).fetchone()
        if row is None:
            return None
        if row[1] != person.id:
            raise InputError("the name of an entry: is somebody else's; load the page again")
        return next(self._entries("e.id = ?", (row[0],)))

    def _insert(
        self,
        person: Person,
        item: int,
        stage: str,
        values: Values,
        client: str,
        seconds: float,
        undoes: int | None,
    ) -> ReviewEntry:
        at, body = self._now(), msgspec.json.encode(values)
        seconds = min(max(float(seconds), 0.0), 86_400.0) if seconds == seconds else 0.0
        number = self._db.execute(
            "INSERT INTO entries (item, person, stage, body, client, at, seconds, undoes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (item, person.id, stage, body, client, at, seconds, undoes),
        ).fetchone()[0]
        return next(self._entries("e.id = ?", (number,)))

    def _finish(self, person: Person, item: int) -> None:
        """Count an item as judged by a person; where all who should have disagree, one more is asked."""
        first = self._db.execute(
            "UPDATE given SET done = 1 WHERE item = ? AND person = ? AND done = 0", (item, person.id)
        ).rowcount
        self._leases.pop((item, person.id), None)
        if first:
            self._db.execute("UPDATE items SET done = done + 1 WHERE id = ?", (item,))
        done, wanted, again = self._db.execute(
            "SELECT done, wanted, asked_again FROM items WHERE id = ?", (item,)
        ).fetchone()
        if done < wanted or wanted < 2 or self.settings().get("adjudicate") != "yes" or again >= LEFT_FREE:
            return
        counted = sorted(self._counts_of_labels(item).values(), reverse=True)
        if len(counted) > 1 and counted[0] == counted[1]:
            self._db.execute(
                "UPDATE items SET wanted = wanted + 1, asked_again = asked_again + 1 WHERE id = ?", (item,)
            )
            self._dealt_to.clear()

    def _counts_of_labels(self, item: int) -> dict[str, int]:
        by_person: dict[str, dict[str, Mapping[str, Any]]] = {}
        for entry in self._entries("e.item = ?", (item,)):
            if not entry.undone:
                by_person.setdefault(entry.person, {})[entry.stage] = entry.values
        counts: dict[str, int] = {}
        for values in by_person.values():
            if label := self._label(values):
                counts[label] = counts.get(label, 0) + 1
        return counts

    def take_all(self, said: Iterable[tuple[str, str, Mapping[str, Values], float]]) -> int:
        """Keep what people said elsewhere, all or nothing; return how many entries are new.

        Of each judgement: who, the item's name, the values by stage, seconds. Everybody takes part already.
        """
        people = {p.name: p for p in self.people()}
        with self._writing():
            return sum(self._take(people[who], item, values, seconds) for who, item, values, seconds in said)

    def _take(self, person: Person, item: str, values: Mapping[str, Values], seconds: float) -> int:
        """Keep what a person said elsewhere of an item, by stage; return how many entries are new.

        The same values again change nothing. Raises InputError where there is no such item.
        """
        with self._lock:
            row = self._db.execute("SELECT id FROM items WHERE name = ?", (item,)).fetchone()
        if row is None:
            raise InputError(f"{item}: is no item of this review; check the file")
        with self._writing():
            fresh = self._db.execute(
                "INSERT OR IGNORE INTO given (item, person) VALUES (?, ?)", (row[0], person.id)
            ).rowcount
            self._db.execute("UPDATE items SET taken = taken + ? WHERE id = ?", (fresh, row[0]))
        new = 0
        for stage, said in values.items():
            words = msgspec.json.encode(said, order="sorted").decode()
            client = hashlib.sha256(f"{person.id}\n{item}\n{stage}\n{words}".encode()).hexdigest()
            before = self._db.execute("SELECT 1 FROM entries WHERE client = ?", (client,)).fetchone()
            self.add(person, row[0], stage, said, client, seconds / len(values))
            new += before is None
        return new

    # --- reading ---------------------------------------------------------------------------------------

    def state(self) -> tuple[int, int]:
        """Return two numbers that are others as soon as anything in the file has changed, by whomever."""
        with self._lock:
            version: int = self._db.execute("PRAGMA data_version").fetchone()[0]
            return version, self._db.total_changes

    def entries(self) -> Iterator[ReviewEntry]:
        """Yield every entry in the order in which it was made, those of items shown again left out."""
        with self._lock:
            yield from list(self._entries("i.repeats IS NULL", ()))

    def second_looks(self) -> list[SecondLook]:
        """Return what people said of items that they judged twice, both times."""
        with self._lock:
            rows = self._db.execute(
                "SELECT i.id, i.repeats, f.name, p.id, p.name FROM items i JOIN items f ON f.id = i.repeats "
                "JOIN given g ON g.item = i.id JOIN people p ON p.id = g.person "
                "WHERE i.repeats IS NOT NULL AND i.expected IS NULL AND g.done = 1 ORDER BY i.id"
            ).fetchall()
            looks = [
                SecondLook(name, who, self._label_of(first, person), self._label_of(second, person))
                for second, first, name, person, who in rows
            ]
        return [look for look in looks if look.first and look.second]

    def planted_looks(self) -> list[PlantedLook]:
        """Return what people said of planted items, and what they should have said."""
        with self._lock:
            rows = self._db.execute(
                "SELECT i.id, f.name, p.id, p.name, i.expected FROM items i JOIN items f ON f.id = i.repeats "
                "JOIN given g ON g.item = i.id JOIN people p ON p.id = g.person "
                "WHERE i.expected IS NOT NULL AND g.done = 1 ORDER BY i.id"
            ).fetchall()
            looks = [
                PlantedLook(name, who, expected, self._label_of(item, person))
                for item, name, person, who, expected in rows
            ]
        return [look for look in looks if look.said]

    def _label_of(self, item: int, person: int) -> str:
        """Return what a person's values come to that count, "" where not all stages are done."""
        entries = self._entries(_OF_ONE, (item, person))
        values = {e.stage: e.values for e in entries if not e.undone}
        return self._label(values) if set(self._stages) <= set(values) else ""

    def entries_of(self, person: Person, most: int) -> list[ReviewEntry]:
        """Return the last entries of a person, the newest first."""
        with self._lock:
            return list(self._entries("e.person = ?", (person.id,), f"DESC LIMIT {int(most)}"))

    def _entries(self, where: str, values: tuple[Any, ...], order: str = "ASC") -> Iterator[ReviewEntry]:
        rows = self._db.execute(
            "SELECT e.id, i.name, p.name, e.stage, e.body, e.at, e.seconds, e.undoes, "
            "(SELECT 1 FROM entries u WHERE u.undoes = e.id) FROM entries e "
            "JOIN items i ON i.id = e.item JOIN people p ON p.id = e.person "
            f"WHERE {where} ORDER BY e.id {order}",
            values,
        )
        for number, item, person, stage, body, at, seconds, undoes, undone in rows.fetchall():
            # A row that takes another back counts for nothing itself.
            gone = bool(undone) or undoes is not None
            yield ReviewEntry(
                id=number, item=item, person=person, stage=stage, values=msgspec.json.decode(body), at=at,
                seconds=seconds, undone=gone,
            )  # fmt: skip

    def numbers_of(self, names: Iterable[str]) -> dict[str, int]:
        """Return the numbers of items by their names."""
        with self._lock:
            return {
                name: self._db.execute("SELECT id FROM items WHERE name = ?", (name,)).fetchone()[0]
                for name in names
            }

    def items(self) -> Iterator[ReviewItem]:
        """Yield every item, in the order in which the task made them."""
        with self._lock:
            rows = self._db.execute("SELECT body FROM items WHERE repeats IS NULL ORDER BY id").fetchall()
        decoder = msgspec.json.Decoder(ReviewItem)
        for (body,) in rows:
            yield decoder.decode(body)

    def counts(self) -> ReviewCounts:
        """Return how far the review is."""
        with self._lock:
            row = self._db.execute(
                "SELECT count(*), sum(done >= wanted), sum(done), sum(wanted) FROM items "
                "WHERE repeats IS NULL"
            ).fetchone()
        return ReviewCounts(*(int(v or 0) for v in row))

    def counts_by_part(self) -> dict[str, ReviewCounts]:
        """Return how far each group of items is."""
        with self._lock:
            rows = self._db.execute(
                "SELECT part, count(*), sum(done >= wanted), sum(done), sum(wanted) "
                "FROM items WHERE repeats IS NULL GROUP BY part ORDER BY part"
            ).fetchall()
        return {row[0]: ReviewCounts(*(int(v or 0) for v in row[1:])) for row in rows}

    def standing(self, person: Person) -> tuple[int, int]:
        """Return how many items a person has judged, and the number of the person's newest entry.

        Of two standings the one with the higher number is the newer one, in whatever order they arrive.
        """
        with self._lock:
            newest = self._db.execute(
                "SELECT coalesce(max(id), 0) FROM entries WHERE person = ?", (person.id,)
            ).fetchone()[0]
            return judged(self._db, person.id), int(newest)

    def backup(self, path: Path) -> None:
        """Write a whole copy of the file while it is in use. Raises InputError where `path` is there."""
        if path.exists():
            raise InputError(f"{path}: is there already; choose another name for the copy")
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(path.name + ".part")
        unfinished.unlink(missing_ok=True)
        with self._lock:
            copy = sqlite3.connect(unfinished)
            self._db.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.close()
        unfinished.replace(path)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    # --- inside ----------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            if self._db.in_transaction:
                yield
                return
            try:
                with transaction(self._db):
                    yield
            except BaseException as e:
                # What was dealt is not kept.
                self._dealt_to.clear()
                if not isinstance(e, sqlite3.OperationalError):
                    raise
                raise DataError(
                    f"{self.path}: cannot be written ({e}); make room on the disk, then send it again"
                ) from e

    def _now(self) -> str:
        """Return the time for a new row, never before that of the row before."""
        last = self._db.execute("SELECT at FROM entries ORDER BY id DESC LIMIT 1").fetchone()
        now = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")
        return max(now, last[0]) if last else now


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
