"""How fast the pages and the export of a large review are: `python perf/review_pages.py [ITEMS]`.

One person has judged all but ten items of a review of `verify` in both stages, of which each is wanted by
two people; somebody else opens the pages for the first time. Prints the CPU seconds (of server and client
together) of their first page, its items, an entry and the progress page over HTTP, of the next items of
who is far ahead, and of the export of everything: for a tenth of the items, for all, and their ratio.
"""

from __future__ import annotations

import json
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.request import Request, urlopen

import uvicorn

from fathom.review.database import create_review_file
from fathom.review.records import ReviewItem
from fathom.review.results import Results
from fathom.review.site.app import Site, app_of
from fathom.review.site.media import ItemMedia
from fathom.review.store import ReviewStore
from fathom.review.tasks.verify import ANSWER, VERIFY
from fathom.review.writing import lines_file

STAGES = [stage.name for stage in VERIFY.stages]
SAID = {"blind": {"picked": "a"}, "shown": {"verdict": "right"}}


def judged(path: Path, count: int) -> ReviewStore:
    """Return a review of `count` items, of which one person has judged all but ten."""
    items = [
        ReviewItem(
            name=f"question-{k}", group=f"task {k % 8}", title="t", text="x" * 120, options=("a", "b", "c"),
            about=(f"question-{k}",), hidden={ANSWER: "a"},
        )
        for k in range(count)
    ]  # fmt: skip
    create_review_file(path, {"adjudicate": "no"}, items, 2, "seed")
    store = ReviewStore(path, STAGES, VERIFY.label)
    store.add_person("manager", "manager", "token of manager")
    store.add_person("Ben", "person", "token of Ben")
    ana = store.add_person("Ana", "person", "token of Ana")
    with store._writing():
        for k in range(count - 10):
            (given,) = store.next_items(ana, 1)
            for stage in STAGES:
                store.add(ana, given.id, stage, SAID[stage], f"client-{k}-{stage}", 2.0)
    return store


def told(took: dict[str, float], what: str, address: str, who: str, body: object = None) -> bytes:
    """Ask for a page, note its CPU seconds, and return it."""
    headers = {"Cookie": f"fathom_review=token of {who}", "X-Fathom": "review"}
    data = None
    if body is not None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    since = time.process_time()
    with urlopen(Request(address, data, headers)) as found:
        text: bytes = found.read()
    took[what] = time.process_time() - since
    return text


def measured(count: int) -> dict[str, float]:
    """Return the CPU seconds of each page and of the export."""
    took: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        store = judged(Path(folder) / "review.sqlite", count)
        site = Site(VERIFY, store, ItemMedia(lambda part: b"", lambda media: None), "Large", wait_s=0)
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app_of(site), log_level="warning", lifespan="off"))
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        serving.start()
        while not server.started:
            time.sleep(0.01)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            told(took, "first page", f"{address}/", "Ben")
            found = json.loads(told(took, "first items", f"{address}/api/next", "Ben"))
            first = found["items"][0]
            sent = {
                "item": first["id"], "stage": first["stage"], "values": {"picked": 0},
                "client": "first entry of Ben", "seconds": 1.5,
            }  # fmt: skip
            told(took, "an entry", f"{address}/api/entry", "Ben", sent)
            told(took, "next items of who is far ahead", f"{address}/api/next", "Ana")
            told(took, "progress page", f"{address}/progress", "manager")
        finally:
            server.should_exit = True
            serving.join()
        since = time.process_time()
        items = {item.name: item for item in store.items()}
        results = Results(STAGES, VERIFY.label, items, list(store.entries()))
        lines_file(Path(folder) / "entries.jsonl", results.entries)
        VERIFY.write(results, Path(folder))
        took["export"] = time.process_time() - since
    return took


def main(count: int) -> None:
    """Print a line for each page, and one for the export."""
    measured(20)  # What is read and compiled once is not counted.
    few, many = measured(count // 10), measured(count)
    print(f"CPU seconds of {count // 10:,} items, of {count:,}, ratio")
    for what, seconds in many.items():
        print(f"{what}: {few[what]:.3f} s, {seconds:.3f} s, {seconds / max(few[what], 1e-4):.1f}")


if "--help" in sys.argv:
    print(__doc__)
else:
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
