"""The SQLite file of a review: its tables, how it is made, opened and brought over from older formats."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from fathom.records import DataError, InputError
from fathom.review.records import ReviewItem
from fathom.store.seeds import rng

VERSION = 4
"""The format of the file; `_MIGRATIONS` bring older ones over."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE people (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, token TEXT NOT NULL UNIQUE,
  added TEXT NOT NULL);
CREATE TABLE items (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, part TEXT NOT NULL, rank INTEGER NOT NULL,
  wanted INTEGER NOT NULL, taken INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0,
  asked_again INTEGER NOT NULL DEFAULT 0, repeats INTEGER REFERENCES items, expected TEXT,
  body BLOB NOT NULL);
CREATE INDEX items_repeats ON items (repeats) WHERE repeats IS NOT NULL;
CREATE INDEX items_open ON items (rank) WHERE taken < wanted;
CREATE TABLE given (
  item INTEGER NOT NULL REFERENCES items, person INTEGER NOT NULL REFERENCES people,
  done INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (person, item)) WITHOUT ROWID;
CREATE INDEX given_item ON given (item);
CREATE INDEX given_open ON given (person) WHERE done = 0;
CREATE TABLE entries (
  id INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES items, person INTEGER NOT NULL REFERENCES people,
  stage TEXT NOT NULL, body BLOB NOT NULL, client TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
  seconds REAL NOT NULL, undoes INTEGER REFERENCES entries);
CREATE INDEX entries_item ON entries (item);
CREATE INDEX entries_person ON entries (person);
CREATE INDEX entries_undoes ON entries (undoes) WHERE undoes IS NOT NULL;
CREATE TRIGGER entries_stay BEFORE DELETE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
CREATE TRIGGER entries_same BEFORE UPDATE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
"""

_MIGRATIONS: dict[int, str] = {
    1: "CREATE INDEX entries_undoes ON entries (undoes) WHERE undoes IS NOT NULL",
    2: "ALTER TABLE items ADD COLUMN repeats INTEGER REFERENCES items;"
    "CREATE INDEX items_repeats ON items (repeats) WHERE repeats IS NOT NULL",
    3: "ALTER TABLE items ADD COLUMN expected TEXT",
}
"""From which version on: the statements that make the next one of it."""


def create_review_file(
    path: Path, settings: Mapping[str, str], items: Iterable[ReviewItem], overlap: float, seed: str
) -> int:
    """Make the file of a review; return how many items it has.

    Each item is judged by `overlap` people: of 1.2, one in five by two, drawn by chance. Raises
    InputError where the file is there, there are no items, or two of them have one name.
    """
    if path.exists():
        raise InputError(f"{path}: is there already; choose another folder, or carry on with it")
    if overlap < 1:
        raise InputError(f"--overlap {overlap:g}: expected 1 or more people an item")
    encoder = msgspec.json.Encoder()
    bodies = [(item.name, item.group, encoder.encode(item)) for item in items]
    if not bodies:
        raise InputError(f"{path.parent}: there is nothing to review; choose other tasks, or another dataset")
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    unfinished.unlink(missing_ok=True)
    db = connected(unfinished)
    db.executescript(_SCHEMA)
    try:
        with transaction(db):
            db.executemany(
                "INSERT INTO items (rank, wanted, name, part, body) VALUES (?, ?, ?, ?, ?)",
                (
                    drawn + body
                    for drawn, body in zip(_drawn(len(bodies), overlap, seed), bodies, strict=True)
                ),
            )
            kept = {**settings, "version": str(VERSION), "seed": seed}
            db.executemany("INSERT INTO meta VALUES (?, ?)", sorted(kept.items()))
    except sqlite3.IntegrityError as e:
        db.close()
        unfinished.unlink()
        raise InputError(f"{path.parent}: two items have one name ({e}); make the names unique") from e
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    unfinished.replace(path)
    return len(bodies)


def _drawn(count: int, overlap: float, seed: str) -> list[tuple[int, int]]:
    """Return of each item its place in the order of the review, and how many people judge it."""
    order = rng(seed, "order of a review").permutation(count)
    more = rng(seed, "who is judged by one more").permutation(count)
    one_more = round((overlap - int(overlap)) * count)
    return [(int(order[k]), int(overlap) + int(more[k] < one_more)) for k in range(count)]


def bring_over(path: Path, db: sqlite3.Connection, found: int) -> None:
    """Bring a file of format `found` to the format of today. Raises InputError where it is a newer one."""
    if not 0 < found <= VERSION:
        raise InputError(
            f"{path}: is written in format {found}, and this version reads up to {VERSION}; use the "
            "version of Fathom that made it"
        )
    for version in range(found, VERSION):
        with transaction(db):
            for statement in _MIGRATIONS[version].split(";"):
                db.execute(statement)
            db.execute("UPDATE meta SET value = ? WHERE key = 'version'", (str(version + 1),))


def connected(path: Path) -> sqlite3.Connection:
    """Open the file: in WAL mode, what is committed is on the disk."""
    db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
    except sqlite3.DatabaseError as e:
        db.close()
        raise DataError(f"{path}: is not the database of a review ({e}); restore it") from e
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Keep all that is written inside, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
