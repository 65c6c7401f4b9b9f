"""How fast a review of many items is: `python perf/review.py [ITEMS]`.

Prints how long it takes to make the database, to open it, to deal out the first items, to keep
an entry (median and worst), and to read everything back for an export.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from fathom.review.database import create_review_file
from fathom.review.records import ReviewItem
from fathom.review.results import Results
from fathom.review.store import ReviewStore


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "review.sqlite"
        items = [
            ReviewItem(
                name=f"question-{k}",
                group=f"task {k % 8}",
                title="t",
                text="x" * 120,
                options=("a", "b", "c"),
            )
            for k in range(count)
        ]
        since = time.perf_counter()

        def told(what: str) -> None:
            nonlocal since
            print(f"{what}: {time.perf_counter() - since:.3f} s")
            since = time.perf_counter()

        create_review_file(path, {}, items, 2, "seed")
        told(f"a database of {count:,} items")
        store = ReviewStore(path, ("look",), lambda said: str(said["look"]["v"]))
        people = [store.add_person(f"p{k}", "person", f"t{k}") for k in range(3)]
        told("opened, three people")
        store.next_items(people[0], 4)
        told("the first items of a person")
        spent = []
        for k in range(2000):
            person = people[k % 3]
            start = time.perf_counter()
            given = store.next_items(person, 4)[0]
            store.add(person, given.id, "look", {"v": "right"}, f"client-{k}")
            spent.append(time.perf_counter() - start)
        print(f"item and entry: {1e3 * statistics.median(spent):.1f} ms, worst {1e3 * max(spent):.1f} ms")
        since = time.perf_counter()
        results = Results(
            ["look"],
            lambda said: str(said["look"]["v"]),
            {i.name: i for i in store.items()},
            list(store.entries()),
        )
        results.agreement()
        told(f"everything read and agreement told, {len(results.entries):,} entries")


if "--help" in sys.argv:
    print(__doc__)
else:
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
