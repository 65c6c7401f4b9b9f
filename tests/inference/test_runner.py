"""The loop: what it draws, keeps, counts and tells, whatever the backend does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.inference.backend import MediaBytes, Scalar
from fathom.inference.models.random import spoken
from fathom.inference.runner import run_requests
from fathom.inference.summary import Summary
from fathom.records import DataError, Prompt, Request, Response, Status, UnansweredQuestion
from fathom.store.journal import Journal, read_responses


class Played:
    """A backend that a test plays: `statuses` by question, and a wait before each answer."""

    name = "played"
    revision = ""
    parameters: Mapping[str, Scalar] = {}
    notes: tuple[str, ...] = ()

    def __init__(self, statuses: Mapping[str, Status] | None = None, wait_s: float = 0.0) -> None:
        self.statuses = statuses or {}
        self.wait_s = wait_s
        self.asked: list[str] = []

    async def answer(self, request: Request, media: MediaBytes) -> Response:
        self.asked.append(request.asked.id)
        await asyncio.sleep(self.wait_s)
        said = spoken(request, self.name, "yes")
        status = self.statuses.get(request.asked.id, "ok")
        return Response(key=said.key, question=said.question, status=status, text="yes", error=status)

    async def close(self) -> None:
        pass


def request(number: int) -> Request:
    asked = UnansweredQuestion(id=f"q{number}", task="t", text="?")
    return Request(key=f"{number:032x}", asked=asked, prompt=Prompt(parts=()))


def run(
    folder: Path, requests: Iterator[Request], backend: Played, concurrency: int = 4, **more: object
) -> Summary:
    with Journal(folder) as journal:
        return asyncio.run(
            run_requests(requests, backend, journal, lambda parts: [b""] * len(parts), concurrency, **more)  # type: ignore[arg-type]
        )


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(["ok", "refused", "failed"]), min_size=1, max_size=12),
    st.integers(1, 5),
    st.integers(0, 12),
)
def test_a_resumed_run_equals_an_uninterrupted_one(
    tmp_path_factory: pytest.TempPathFactory, statuses: list[Status], concurrency: int, cut: int
) -> None:
    numbers = range(len(statuses))
    played = {f"q{k}": status for k, status in enumerate(statuses)}
    played["q0"] = "ok"  # a run in which all fail is an error, and tested elsewhere
    whole, parts = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("parts")
    run(whole, map(request, numbers), Played(played), concurrency)
    run(parts, map(request, numbers[: max(1, cut)]), Played(played), concurrency)
    second = Played(played)
    run(parts, map(request, numbers), second, concurrency)
    assert {r.key: r.status for r in read_responses(whole)} == {
        r.key: r.status for r in read_responses(parts)
    }
    done_before = {q for q in list(played)[: max(1, cut)] if played[q] != "failed"}
    assert not done_before & set(second.asked)


def test_requests_are_drawn_as_places_come_free_and_not_before(tmp_path: Path) -> None:
    backend = Played(wait_s=0.001)
    most_ahead = 0

    def drawn() -> Iterator[Request]:
        nonlocal most_ahead
        for number in range(50):
            most_ahead = max(most_ahead, number - sum(1 for _ in read_responses(tmp_path)))
            yield request(number)

    summary = run(tmp_path, drawn(), backend, concurrency=4)
    assert summary.ok == 50
    assert most_ahead <= 4


def test_everything_is_counted_once(tmp_path: Path) -> None:
    statuses: dict[str, Status] = {"q1": "refused", "q2": "failed", "q3": "failed"}
    summary = run(tmp_path, map(request, range(6)), Played(statuses), summary=Summary(total=6))
    assert (summary.ok, summary.refused, summary.failed, summary.skipped) == (3, 1, 2, 0)
    assert summary.counts() == {"requests": 6, "done": 4, "failed": 2, "refused": 1}
    assert not summary.complete
    again = run(tmp_path, map(request, range(6)), Played(), summary=Summary(total=6))
    assert (again.ok, again.skipped, again.complete) == (2, 4, True)
    assert again.counts() == {"requests": 6, "done": 6, "failed": 0}
    assert "2 answered, 4 were there already; 6 in all" in str(again)


def test_progress_is_told_and_ends_with_the_final_counts(tmp_path: Path) -> None:
    seen: list[int] = []
    backend = Played(wait_s=0.02)
    run(tmp_path, map(request, range(60)), backend, progress=lambda summary: seen.append(summary.asked))
    assert seen == sorted(seen)
    assert seen[-1] == 60
    assert 2 <= len(seen) <= 20  # ten times a second at most, and once at the end


def test_a_dataset_that_breaks_in_the_middle_keeps_what_came_before(tmp_path: Path) -> None:
    def breaking() -> Iterator[Request]:
        yield from map(request, range(5))
        raise DataError("questions.jsonl:6: not a valid Question")

    with pytest.raises(DataError, match=r"questions\.jsonl:6"):
        run(tmp_path, breaking(), Played(), concurrency=1)
    assert len(list(read_responses(tmp_path))) == 5


def test_an_error_of_a_backend_is_not_swallowed(tmp_path: Path) -> None:
    class Wrong(Played):
        async def answer(self, request: Request, media: MediaBytes) -> Response:
            if request.asked.id == "q3":
                raise ZeroDivisionError
            return await super().answer(request, media)

    with pytest.raises(ZeroDivisionError):
        run(tmp_path, map(request, range(9)), Wrong(), concurrency=2)
    kept = {r.question for r in read_responses(tmp_path)}
    assert {"q0", "q1", "q2"} <= kept | {"q2"}
    assert "q3" not in kept
