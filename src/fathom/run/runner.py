"""The loop that puts requests to a model and their answers into the journal.

Requests are drawn one at a time, as places in flight come free, so that memory does not grow with the
dataset. An answer is in the journal before the next request of the same place is drawn.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fathom.records import EndpointError, FathomError, Request, Response
from fathom.run.backend import AnyBackend, Backend, BatchBackend, MediaBytes
from fathom.store.journal import Journal

SYNC_EVERY_S = 1.0
PROGRESS_EVERY_S = 0.1
BATCH = 1024


@dataclass
class Summary:
    """What a run did: `skipped` were done before; the others are counts and costs of this start alone."""

    total: int = 0
    skipped: int = 0
    ok: int = 0
    refused: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    attempts: int = 0
    seconds: float = 0.0
    first_error: str = ""
    stopped: str = ""

    @property
    def asked(self) -> int:
        """How many requests came to an end in this start."""
        return self.ok + self.refused + self.failed

    @property
    def complete(self) -> bool:
        """Whether every request has an answer or a refusal now."""
        return not self.stopped and not self.failed and self.skipped + self.asked == self.total

    def cost(self, input_price: float, output_price: float) -> float:
        """Return what this start cost, at prices for a million tokens."""
        return (self.input_tokens * input_price + self.output_tokens * output_price) / 1e6

    def counts(self) -> dict[str, int]:
        """Return the counts that stand in a run's manifest."""
        return {
            "requests": self.total,
            "done": self.skipped + self.ok + self.refused,
            "failed": self.failed,
        }

    def add(self, response: Response) -> None:
        """Count one response."""
        if response.status == "ok":
            self.ok += 1
        elif response.status == "refused":
            self.refused += 1
        else:
            self.failed += 1
            self.first_error = self.first_error or response.error
        usage = response.usage
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        self.attempts += usage.attempts

    def __str__(self) -> str:
        parts = [f"{self.ok:,} answered"]
        if self.refused:
            parts.append(f"{self.refused:,} refused")
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        if self.skipped:
            parts.append(f"{self.skipped:,} were there already")
        text = f"{', '.join(parts)}; {self.total:,} in all, {self.seconds:.1f} s"
        if self.input_tokens or self.output_tokens:
            text += f", {self.input_tokens:,} tokens in and {self.output_tokens:,} out"
        if self.failed:
            text += (
                f"\nThe first failure: {self.first_error}"
                "\nStart the same command again, and it asks only what failed or is missing."
            )
        return text


Progress = Callable[[Summary], None]


async def run_requests(
    requests: Iterator[Request],
    backend: AnyBackend,
    journal: Journal,
    media: MediaBytes,
    concurrency: int = 32,
    total: int = 0,
    progress: Progress = lambda summary: None,
) -> Summary:
    """Return what was done once every request that the journal lacks has been put to the model.

    Raises what the backend raises to end the run (EndpointError), DataError from the requests, and
    InputError where the disk is full; what had come back by then is in the journal.
    """
    state = _State(journal=journal, progress=progress, summary=Summary(total=total))
    begun = time.monotonic()
    fresh = _not_done(requests, journal, state.summary)
    try:
        if isinstance(backend, BatchBackend):
            await _run_batches(fresh, backend, state)
        else:
            await _run_places(fresh, backend, media, concurrency, state)
            _check_any_answer(backend, state.summary)
    except FathomError as e:
        state.summary.stopped = str(e)
        raise
    finally:
        state.summary.seconds = time.monotonic() - begun
        journal.sync()
        progress(state.summary)
    return state.summary


def _check_any_answer(backend: Backend, summary: Summary) -> None:
    """Raise EndpointError where a hosted model answered nothing at all: that is no run of score 0."""
    if summary.failed and summary.failed == summary.asked and not summary.skipped:
        raise EndpointError(
            f"{backend.name}: every one of {summary.failed} requests failed, the first with: "
            f"{summary.first_error}; mend that, then start the same command again"
        )


def _not_done(requests: Iterator[Request], journal: Journal, summary: Summary) -> Iterator[Request]:
    """Yield the requests that the journal has no answer to, and count the others."""
    for request in requests:
        if request.key in journal:
            summary.skipped += 1
        else:
            yield request


@dataclass
class _State:
    journal: Journal
    progress: Progress
    summary: Summary
    shown: float = 0.0
    synced: float = field(default_factory=time.monotonic)

    def keep(self, response: Response) -> None:
        self.journal.append(response)
        self.summary.add(response)
        now = time.monotonic()
        if now - self.synced >= SYNC_EVERY_S:
            self.synced = now
            self.journal.sync()
        if now - self.shown >= PROGRESS_EVERY_S:
            self.shown = now
            self.progress(self.summary)


async def _run_batches(fresh: Iterator[Request], backend: BatchBackend, state: _State) -> None:
    while batch := list(itertools.islice(fresh, BATCH)):
        for response in backend.answer_all(batch):
            state.keep(response)
        await asyncio.sleep(0)  # lets Ctrl-C in


async def _run_places(
    fresh: Iterator[Request], backend: Backend, media: MediaBytes, concurrency: int, state: _State
) -> None:
    """Keep `concurrency` requests in flight until none is left; the first error ends all of them."""

    async def place() -> None:
        for request in fresh:
            state.keep(await backend.answer(request, media))

    tasks = [asyncio.create_task(place()) for _ in range(concurrency)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
