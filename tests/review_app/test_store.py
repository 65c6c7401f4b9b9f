"""What a review keeps: each item as often as wanted, nothing deleted, nothing twice."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from fathom.records import DataError, InputError
from fathom.review import database
from fathom.review.database import connected, create_review_file
from fathom.review.records import ReviewItem
from fathom.review.store import LEASE_S, Person, ReviewStore

STAGES = ("look",)


def _items(count: int) -> list[ReviewItem]:
    return [ReviewItem(name=f"i{k}", group=f"g{k % 3}", title="t") for k in range(count)]


def _store(
    path: Path, count: int = 12, overlap: float = 2, stages: tuple[str, ...] = STAGES, **more: str
) -> ReviewStore:
    create_review_file(path, more, _items(count), overlap, "seed")
    return ReviewStore(path, stages, lambda said: str(said.get(stages[-1], {}).get("v", "")))


def _people(store: ReviewStore, count: int) -> list[Person]:
    return [store.add_person(f"p{k}", "person", f"token-{k}") for k in range(count)]


def test_each_item_is_judged_as_often_as_wanted_and_by_nobody_twice(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite", 20, 2)
    people = _people(store, 3)
    number = 0
    while True:
        moved = False
        for person in people:
            for given in store.next_items(person, 2)[:1]:
                store.add(person, given.id, "look", {"v": "x"}, f"client-{number}")
                number, moved = number + 1, True
        if not moved:
            break
    counts = Counter((e.item, e.person) for e in store.entries())
    assert set(counts.values()) == {1}
    assert Counter(item for item, _ in counts) == Counter({f"i{k}": 2 for k in range(20)})
    assert store.counts().settled == 20


def test_an_overlap_of_one_and_a_fifth_has_one_in_five_judged_by_two(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite", 50, 1.2)
    assert store.counts().wanted == 60


def test_what_is_sent_again_is_kept_once(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite")
    ana, ben = _people(store, 2)
    given = store.next_items(ana, 1)[0]
    first = store.add(ana, given.id, "look", {"v": "x"}, "client-a")
    again = store.add(ana, given.id, "look", {"v": "y"}, "client-a")
    assert (again.id, again.values) == (first.id, {"v": "x"})
    assert len(list(store.entries())) == 1
    store.next_items(ben, 1)
    with pytest.raises(InputError, match="somebody else's"):
        store.add(ben, given.id, "look", {"v": "x"}, "client-a")


def test_the_last_entry_counts_and_the_ones_before_stay(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite")
    (ana,) = _people(store, 1)
    given = store.next_items(ana, 1)[0]
    store.add(ana, given.id, "look", {"v": "x"}, "client-1")
    store.add(ana, given.id, "look", {"v": "y"}, "client-2")
    assert [e.values["v"] for e in store.entries()] == ["x", "y"]
    assert store.counts().judgements == 1


def test_an_entry_taken_back_stays_and_its_item_comes_again(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite")
    (ana,) = _people(store, 1)
    given = store.next_items(ana, 1)[0]
    store.add(ana, given.id, "look", {"v": "x"}, "client-1")
    assert store.undo(ana, "client-2") is not None
    assert store.undo(ana, "client-2") is not None, "sent again, it takes back nothing more"
    assert [e.undone for e in store.entries()] == [True, True]
    assert store.next_items(ana, 1)[0].id == given.id
    assert store.counts().judgements == 0
    assert store.undo(ana, "client-3") is None


def test_nothing_in_the_file_can_be_changed_or_deleted(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite")
    (ana,) = _people(store, 1)
    store.add(ana, store.next_items(ana, 1)[0].id, "look", {"v": "x"}, "client-1")
    db = sqlite3.connect(store.path)
    for statement in ("DELETE FROM entries", "UPDATE entries SET body = '{}'"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            db.execute(statement)


def test_stages_come_in_order(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite", stages=("blind", "shown"))
    (ana,) = _people(store, 1)
    given = store.next_items(ana, 1)[0]
    with pytest.raises(InputError, match="not to be filled in yet"):
        store.add(ana, given.id, "shown", {"v": "x"}, "client-1")
    store.add(ana, given.id, "blind", {"v": "x"}, "client-2")
    assert store.counts().judgements == 0
    store.add(ana, given.id, "shown", {"v": "x"}, "client-3")
    assert store.counts().judgements == 1


def test_what_was_not_given_is_not_taken(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite", 3, 1)
    ana, ben = _people(store, 2)
    given = store.next_items(ana, 3)
    assert store.next_items(ben, 3) == []
    with pytest.raises(InputError, match="was not given"):
        store.add(ben, given[0].id, "look", {"v": "x"}, "client-1")


def test_where_people_disagree_one_more_is_asked(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite", 1, 2, adjudicate="yes")
    ana, ben, cleo = _people(store, 3)
    for person, value in ((ana, "x"), (ben, "y")):
        store.add(person, store.next_items(person, 1)[0].id, "look", {"v": value}, f"client-{person.name}")
    assert (store.counts().settled, store.counts().wanted) == (0, 3)
    store.add(cleo, store.next_items(cleo, 1)[0].id, "look", {"v": "x"}, "client-cleo")
    assert store.counts().settled == 1


def test_what_is_opened_again_is_found_though_it_lies_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = _store(tmp_path / "r.sqlite", 6, 1)
    ana, ben, cleo = _people(store, 3)
    left = store.next_items(ana, 3)
    for k, given in enumerate(store.next_items(ben, 3)):
        store.add(ben, given.id, "look", {"v": "x"}, f"client-{k}")
    assert not store.next_items(ben, 1) and not store.next_items(cleo, 1)
    later = time.monotonic() + LEASE_S + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert {g.id for g in store.next_items(ben, 3)} == {g.id for g in left}, "below what Ben had before"
    with connected(store.path) as other:
        other.execute("UPDATE items SET wanted = 2 WHERE id = ?", (left[0].id,))
    assert [g.id for g in store.next_items(cleo, 1)] == [left[0].id], "another process opened it"


def test_a_person_far_ahead_is_given_the_next_item_without_passing_all_before(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite", 900, 2)
    (ana, _) = _people(store, 2)
    steps = []
    for k in range(800):
        (given,) = store.next_items(ana, 1)
        store.add(ana, given.id, "look", {"v": "x"}, f"client-{k}")
        if k in (99, 799):
            counted: list[int] = []
            store._db.set_progress_handler(partial(counted.append, 1), 100)
            store.next_items(ana, 1)
            store._db.set_progress_handler(None, 100)
            steps.append(len(counted))
    assert steps[1] <= steps[0] + 5, "steps of the database, in hundreds, early and late"


def test_what_comes_from_elsewhere_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite", 3, 1)
    _people(store, 1)
    good = ("p0", "i0", {"look": {"v": "x"}}, 1.0)
    with pytest.raises(InputError, match="no item of this review"):
        store.take_all([good, ("p0", "i9", {"look": {"v": "x"}}, 1.0)])
    assert list(store.entries()) == [] and store.counts().judgements == 0
    assert (store.take_all([good]), store.take_all([good])) == (1, 0)


def test_what_was_given_and_never_begun_is_given_to_others_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = _store(tmp_path / "r.sqlite", 1, 1)
    ana, ben = _people(store, 2)
    assert store.next_items(ana, 1)
    assert not store.next_items(ben, 1)
    later = time.monotonic() + LEASE_S + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert store.next_items(ben, 1)


def test_a_clock_that_jumps_back_leaves_the_order_of_entries(tmp_path: Path) -> None:
    path, now = tmp_path / "r.sqlite", [1_000_000_000.0]
    create_review_file(path, {}, _items(3), 1, "seed")
    store = ReviewStore(path, STAGES, clock=lambda: now[0])
    (ana,) = _people(store, 1)
    for k, given in enumerate(store.next_items(ana, 3)):
        store.add(ana, given.id, "look", {"v": "x"}, f"client-{k}")
        now[0] -= 86_400
    times = [e.at for e in store.entries()]
    assert times == sorted(times)


def test_a_copy_is_made_while_the_review_is_in_use(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite")
    (ana,) = _people(store, 1)
    store.add(ana, store.next_items(ana, 1)[0].id, "look", {"v": "x"}, "client-1")
    store.backup(tmp_path / "copy.sqlite")
    assert list(ReviewStore(tmp_path / "copy.sqlite", STAGES).entries()) == list(store.entries())
    with pytest.raises(InputError, match="is there already"):
        store.backup(tmp_path / "copy.sqlite")


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    store = _store(tmp_path / "r.sqlite")
    (ana,) = _people(store, 1)
    one, two = store.next_items(ana, 2)
    store.add(ana, one.id, "look", {"v": "x"}, "client-1")
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DataError, match="cannot be written"):
        store.add(ana, two.id, "look", {"v": "x" * 9000}, "client-2")
    assert [e.item for e in store.entries()] == [one.item.name]
    store._db.execute("PRAGMA max_page_count = 100000")
    store.add(ana, two.id, "look", {"v": "x" * 9000}, "client-2")
    assert len(list(store.entries())) == 2


def test_a_file_of_another_version_is_refused_or_brought_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.sqlite"
    _store(path).close()
    today = database.VERSION
    monkeypatch.setattr(database, "VERSION", today + 1)
    monkeypatch.setattr(database, "_MIGRATIONS", {today: "ALTER TABLE people ADD COLUMN mail TEXT"})
    newer = ReviewStore(path, STAGES)
    assert newer.settings()["version"] == str(today + 1)
    newer.close()
    monkeypatch.setattr(database, "VERSION", today)
    with pytest.raises(InputError, match=f"written in format {today + 1}"):
        ReviewStore(path, STAGES)


def test_a_file_of_format_1_is_brought_over_and_keeps_what_was_said(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    before = _store(path)
    (ana,) = _people(before, 1)
    before.add(ana, before.next_items(ana, 1)[0].id, "look", {"v": "x"}, "client-1")
    before.close()
    with connected(path) as db:
        db.execute("DROP INDEX items_repeats")
        db.execute("ALTER TABLE items DROP COLUMN repeats")
        db.execute("ALTER TABLE items DROP COLUMN expected")
        db.execute("DROP INDEX entries_undoes")
        db.execute("UPDATE meta SET value = '1' WHERE key = 'version'")
        items = db.execute("SELECT count(*) FROM items").fetchone()[0]
    store = ReviewStore(path, STAGES)
    assert store.settings()["version"] == str(database.VERSION)
    assert (store.counts().items, store.counts().judgements) == (items, 1)
    assert [e.values for e in store.entries()] == [{"v": "x"}]
    with connected(path) as db:
        assert "entries_undoes" in {row[1] for row in db.execute("PRAGMA index_list(entries)")}


def test_what_is_no_review_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "r.sqlite").write_bytes(b"something else entirely, of some length" * 40)
    with pytest.raises(DataError, match="is not the database of a review"):
        ReviewStore(tmp_path / "r.sqlite", STAGES)
    with pytest.raises(InputError, match="there is nothing to review"):
        create_review_file(tmp_path / "new.sqlite", {}, [], 1, "s")
    with pytest.raises(InputError, match="two items have one name"):
        create_review_file(tmp_path / "new.sqlite", {}, _items(1) * 2, 1, "s")
    assert not list(tmp_path.glob("new*"))
