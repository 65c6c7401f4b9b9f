"""An endpoint that breaks off, lies, slows down, locks out or dies, as real ones do."""

from __future__ import annotations

import asyncio
import email.utils
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fathom.inference.endpoint import Endpoint
from fathom.inference.models import openai
from fathom.inference.models.openai_replies import Answer, read_reply
from fathom.inference.pace import Patience
from fathom.inference.start import run_plan
from fathom.inference.summary import Summary
from fathom.records import EndpointError, Response
from fathom.store.datasets import Dataset
from fathom.store.runs import open_run
from tests.inference.endpoints import Reply, completion, right, serving
from tests.inference.folders import make_dataset, plan

QUICK = Patience(first_wait_s=0.002, longest_wait_s=0.02, attempts=5)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "Patience", lambda: QUICK)


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d")


def ask(dataset: Dataset, url: str, out: Path, options: str = "", **more: object) -> Summary:
    whole = plan(dataset, f"openai:m@{url}{options}", out)
    return run_plan(replace(whole, config=replace(whole.config, **more)))  # type: ignore[arg-type]


def answers(out: Path) -> dict[str, Response]:
    return {r.question: r for r in open_run(out).responses()}


@dataclass
class Wire:
    """A server of bytes: for each request, in turn, what it writes before it hangs up."""

    url: str = ""
    count: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


GOOD = json.dumps(completion('{"Answer": "1"}')).encode()


def http(body: bytes, length: int | None = None, kind: str = "application/json") -> bytes:
    """Return a reply as bytes, which says that its body has `length` bytes."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n"
    return f"{head}Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body


@contextmanager
def wire(reply: Callable[[int], bytes]) -> Iterator[Wire]:
    """Yield a server that answers request k with the bytes `reply(k)`, and then hangs up."""
    served = Wire()
    loop = asyncio.new_event_loop()
    ready, stop = threading.Event(), asyncio.Event()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        k, served.count = served.count, served.count + 1
        writer.write(reply(k))
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async def serve() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        served.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await stop.wait()
        server.close()
        await asyncio.sleep(0.02)

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield served
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (http(GOOD[:50], len(GOOD)), "payload is not completed"),
        (http(GOOD[:50]), "HTTP 200: the reply is not a chat completion"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", ""),
        (b"", "disconnected"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "Bad"),
        (
            http(b"<html>Welcome to the hotel</html>", kind="text/html"),
            "HTTP 200 text/html: the reply is not",
        ),
        (http(b'data: {"choices": []}\n\n', kind="text/event-stream"), "HTTP 200 text/event-stream"),
    ],
    ids=["cut off", "half JSON", "half a head", "nothing", "no HTTP", "a page", "a stream"],
)
def test_a_broken_reply_is_asked_again_and_never_kept(tmp_path: Path, broken: bytes, why: str) -> None:
    dataset = make_dataset(tmp_path / "d", questions=3)
    with wire(lambda k: broken if k in (1, 2) else http(GOOD)) as served:
        summary = ask(dataset, served.url, tmp_path / "r", concurrency=1)
        assert (summary.ok, served.count) == (3, 5)
    assert sum(r.usage.attempts for r in answers(tmp_path / "r").values()) == 5
    with wire(lambda k: broken if k else http(GOOD)) as served, pytest.raises(EndpointError) as raised:
        ask(dataset, served.url, tmp_path / "s", concurrency=1)
    assert why in str(raised.value)
    assert [r.status for r in answers(tmp_path / "s").values()][:1] == ["ok"]


def test_a_reply_without_end_is_given_up_on(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    with (
        wire(lambda k: http(b" " * (17 << 20))) as served,
        pytest.raises(EndpointError, match="longer than 16 MiB"),
    ):
        ask(dataset, served.url, tmp_path / "r")


@pytest.mark.parametrize(
    ("status", "wait"),
    [
        (429, lambda: {"Retry-After": "1"}),
        (503, lambda: {"Retry-After": email.utils.formatdate(time.time() + 2, usegmt=True)}),
        (429, lambda: {"Retry-After-Ms": "900", "Retry-After": "60"}),
    ],
    ids=["seconds", "a date", "milliseconds"],
)
def test_a_server_that_says_when_is_believed(
    tmp_path: Path, status: int, wait: Callable[[], dict[str, str]]
) -> None:
    dataset = make_dataset(tmp_path / "d", questions=4)
    times: list[float] = []

    def busy(before: int, asked: str) -> Reply:
        times.append(time.monotonic())
        return (status, "later", wait()) if not before else right(before, asked)

    with serving(busy) as server:
        assert ask(dataset, server.url, tmp_path / "r", concurrency=1).ok == 4
    assert len(times) == 5
    assert 0.85 < times[1] - times[0] < 3


@pytest.mark.parametrize("words", ["soon", "-5", "", "Infinity", "nan", "1e9", "Thu, 99 Foo 2020"])
def test_a_server_that_says_nonsense_is_asked_again_all_the_same(tmp_path: Path, words: str) -> None:
    dataset = make_dataset(tmp_path / "d", questions=2)

    def busy(before: int, asked: str) -> Reply:
        return (429, "later", {"Retry-After": words}) if not before else right(before, asked)

    with serving(busy) as server:
        summary = ask(dataset, server.url, tmp_path / "r", concurrency=1)
    assert (summary.ok, summary.sent) == (2, 3)
    assert summary.seconds < 2


def test_waits_grow_and_are_spread_from_nothing_on() -> None:
    """Full jitter: requests that failed together come back one by one."""
    patience = Patience(first_wait_s=0.5, longest_wait_s=60.0)
    endpoint: Endpoint[Answer] = Endpoint("http://localhost/v1", {}, (), 1, patience, read_reply)
    for attempt in range(1, 9):
        waits = [endpoint._wait(f"request {k}", attempt, None) for k in range(400)]
        most = min(60.0, 0.5 * 2**attempt)
        assert 0 <= min(waits) < 0.05 * most
        assert 0.95 * most < max(waits) <= most
        assert abs(sum(waits) / len(waits) - most / 2) < 0.1 * most
        assert waits == [endpoint._wait(f"request {k}", attempt, None) for k in range(400)]


@pytest.mark.parametrize("status", [401, 402, 404, 407])
def test_a_key_that_is_taken_away_ends_the_run_at_once_with_the_remedy(
    dataset: Dataset, tmp_path: Path, status: int
) -> None:
    def locking(before: int, asked: str) -> Reply:
        return right(before, asked) if before < 5 else (status, "gone", {})

    with serving(locking) as server:
        with pytest.raises(EndpointError, match=rf"HTTP {status}: gone.; .*what was answered is kept"):
            ask(dataset, server.url, tmp_path / "r", concurrency=2)
        assert len(server.bodies) <= 7
        server.behave = right
        summary = ask(dataset, server.url, tmp_path / "r")
    assert (summary.skipped, summary.ok, summary.complete) == (5, 7, True)


def test_one_prompt_that_is_forbidden_does_not_end_the_run(dataset: Dataset, tmp_path: Path) -> None:
    def forbidding(before: int, asked: str) -> Reply:
        return (403, "blocked by the firewall", {}) if "(4)" in asked else right(before, asked)

    with serving(forbidding) as server:
        summary = ask(dataset, server.url, tmp_path / "r", concurrency=1)
    assert (summary.ok, summary.failed, Counter(server.asked)[4]) == (11, 1, 1)


def test_an_account_that_runs_out_of_credit_ends_the_run(dataset: Dataset, tmp_path: Path) -> None:
    poor: dict[str, object] = {"error": {"message": "Your credit balance is too low to access the API."}}

    def spending(before: int, asked: str) -> Reply:
        return right(before, asked) if before < 3 else (400, poor, {})

    with serving(spending) as server, pytest.raises(EndpointError, match="pay for the account"):
        ask(dataset, server.url, tmp_path / "r", concurrency=1)
    assert len(server.bodies) == 4


def test_a_crowded_server_that_never_recovers_is_not_waited_for_without_end(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = replace(QUICK, attempts=1000, silence_s=0.3, first_silence_s=0.1)
    monkeypatch.setattr(openai, "Patience", lambda: patience)
    for answered, most_s in ((0, 2.0), (3, 4.0)):
        begun = time.monotonic()

        def full(before: int, asked: str, answered: int = answered) -> Reply:
            return right(before, asked) if before < answered else (503, "full", {})

        with serving(full) as server, pytest.raises(EndpointError, match="HTTP 503: full"):
            ask(dataset, server.url, tmp_path / f"r{answered}")
        assert time.monotonic() - begun < most_s


def test_answers_cut_off_at_their_length_are_kept_and_counted(dataset: Dataset, tmp_path: Path) -> None:
    def long(before: int, asked: str) -> Reply:
        return 200, completion("First I look at", finish="length" if before % 4 == 0 else "stop"), {}

    with serving(long) as server:
        summary = ask(dataset, server.url, tmp_path / "r", concurrency=1)
    assert (summary.ok, summary.cut_short, summary.complete) == (12, 3, True)
    assert "3 came to the limit of their length before they ended" in str(summary)
    assert open_run(tmp_path / "r").manifest.counts["cut_short"] == 3
    assert sorted(r.finish for r in answers(tmp_path / "r").values()) == ["length"] * 3 + ["stop"] * 9
