"""A server that is killed at any moment loses nothing that it acknowledged, and keeps nothing twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.review_app.setting import begun, dataset_of, opened, sent

KILLS = int(os.environ.get("FATHOM_KILLS", "6"))
ITEMS = 30 + 4 * KILLS
HEADERS = {"Content-Type": "application/json", "X-Fathom": "review"}


class Client(threading.Thread):
    """Somebody who keeps answering, and sends again what was not acknowledged."""

    def __init__(self, address: str, token: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.address, self.token, self.seed = address, token, seed
        self.acknowledged: dict[str, tuple[int, str]] = {}
        self.ends = False

    def _ask(self, path: str, body: object = None) -> object:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data, {**HEADERS, "Cookie": f"fathom_review={self.token}"})
        while not self.ends:
            try:
                with urlopen(request, timeout=5) as found:
                    return json.loads(found.read())
            except HTTPError as e:
                raise AssertionError(e.read()) from e
            except (HTTPException, URLError, OSError, ValueError):
                time.sleep(0.02)
        return None

    def run(self) -> None:
        drawn = random.Random(self.seed)
        number = 0
        while not self.ends:
            found = self._ask("/api/next")
            if not isinstance(found, dict) or not found["items"]:
                return
            item = found["items"][0]
            client = f"client-{self.seed}-{number}"
            number += 1
            values = {"picked": drawn.randrange(3)} if item["stage"] == "blind" else {"verdict": "right"}
            kept = self._ask("/api/entry", sent(item["id"], item["stage"], values, client))
            if isinstance(kept, dict):
                self.acknowledged[client] = (kept["kept"], item["stage"])


def _server(work: Path, port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "fathom", "review", str(work), "--port", str(port)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _free_port() -> int:
    import socket

    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def test_nothing_acknowledged_is_lost_and_nothing_is_kept_twice(tmp_path: Path) -> None:
    review, links = begun(dataset_of(tmp_path, ITEMS), tmp_path / "work", people=("A", "B", "C"), overlap=3)
    review.store.close()
    port, drawn = _free_port(), random.Random(7)
    address = f"http://127.0.0.1:{port}"
    clients = [Client(address, links[name], k) for k, name in enumerate("ABC")]
    server = _server(review.work, port)
    for client in clients:
        client.start()
    for _ in range(KILLS):
        while not any(client.acknowledged for client in clients) and any(c.is_alive() for c in clients):
            time.sleep(0.05)
        time.sleep(drawn.uniform(0.1, 2.5))
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = _server(review.work, port)
    end = time.monotonic() + 300
    while any(client.is_alive() for client in clients) and time.monotonic() < end:
        time.sleep(0.1)
    for client in clients:
        client.ends = True
        client.join()
    server.kill()
    server.wait()
    store = opened(review)
    entries = list(store.entries())
    ids = {e.id for e in entries}
    assert all(number in ids for client in clients for number, _ in client.acknowledged.values())
    counts = Counter((e.item, e.person, e.stage) for e in entries)
    assert set(counts.values()) == {1}, "a client sends one entry a stage"
    assert store.counts().settled == ITEMS
    assert len(entries) == ITEMS * 3 * 2
