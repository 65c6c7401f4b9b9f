"""The loop that puts requests to a model and their answers into the journal.

Requests are drawn one at a time, as places in flight come free, so that memory does not grow with the
dataset. An answer is in the journal before the next request of the same place is drawn.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from fathom.inference.backend import AnyBackend, Backend, BatchBackend, MediaBytes, Paced
from fathom.inference.stopping import StoppingRule, batches
from fathom.inference.summary import Summary
from fathom.inference.thoughts import why_silent
from fathom.records import EndpointError, FathomError, Request, Response
from fathom.store.journal import Journal

SYNC_EVERY_S = 1.0
PROGRESS_EVERY_S = 0.1
BATCH = 1024

Progress = Callable[[Summary], None]


@dataclass(frozen=True)
class RunLimits:
    """Where a run ends before it is done; 0: nowhere.

    `requests` are those of this start; `cost` is that of the whole run, in US dollars, where each request in
    flight is taken to cost as much as the dearest so far.
    """

    requests: int = 0
    cost: float = 0.0


async def run_requests(
    requests: Iterator[Request],
    backend: AnyBackend,
    journal: Journal,
    media: MediaBytes,
    concurrency: int = 32,
    summary: Summary | None = None,
    progress: Progress = lambda summary: None,
    stop: StoppingRule | None = None,
    limits: RunLimits | None = None,
    again: bool = False,
) -> Summary:
    """Return what was done once every request that the journal lacks has been put to the model.

    Those that `stop` finds needless, after the answers so far, are not put. Where `again`, what was cut off
    is. `summary` is counted in from the first answer on.

    Raises what the backend raises to end the run (EndpointError), DataError from the requests, and
    InputError where the disk is full; what had come back by then is in the journal.
    """
    state = _State(journal, backend, concurrency, progress, summary or Summary(), stop, limits or RunLimits())
    begun = time.monotonic()
    fresh = state.allowed(_not_done(requests, journal, state.summary, again))
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
        state.summary.in_flight = 0
        journal.sync()
        progress(state.summary)
    return state.summary


def _failed_if_silent(response: Response) -> Response:
    """Return an answer of no words, where some were wanted, as the failure that it is: it is asked again."""
    if response.status != "ok" or response.option_logprobs or response.text.strip():
        return response
    why = why_silent(response.finish, response.reasoning, response.usage.output_tokens)
    return msgspec.structs.replace(response, status="failed", error=why)


def _check_any_answer(backend: Backend, summary: Summary) -> None:
    """Raise EndpointError where a hosted model answered nothing at all: that is no run of score 0."""
    if summary.failed and summary.failed == summary.asked and not summary.skipped:
        raise EndpointError(
            f"{backend.name}: every one of {summary.failed} requests failed, the first with: "
            f"{summary.first_error}; fix that, then start the same command again"
        )


def _not_done(
    requests: Iterator[Request], journal: Journal, summary: Summary, again: bool
) -> Iterator[Request]:
    """Yield the requests that the journal has no answer to, and count the others."""
    for request in requests:
        if request.key in journal and not (again and journal.is_cut_off(request.key)):
            summary.skipped += 1
        else:
            yield request


@dataclass
class _State:
    journal: Journal
    backend: AnyBackend
    concurrency: int
    progress: Progress
    summary: Summary
    stop: StoppingRule | None
    limits: RunLimits
    begun: int = 0
    shown: float = 0.0
    synced: float = field(default_factory=time.monotonic)

    def allowed(self, fresh: Iterator[Request]) -> Iterator[Request]:
        """Yield requests until a limit is reached."""
        while not self.summary.stopped and (request := next(fresh, None)) is not None:
            yield request

    def needed(self, request: Request) -> bool:
        """Return whether to ask, and count what is asked and what is spared."""
        if self.stop is not None and self.stop.needless(request):
            self.summary.spared += 1
            return False
        self.summary.stopped = self.summary.stopped or self._reached()
        self.begun += not self.summary.stopped
        return not self.summary.stopped

    def keep(self, response: Response) -> None:
        if not getattr(self.backend, "may_be_silent", False):
            response = _failed_if_silent(response)
        self.journal.append(response)
        self.summary.add(response)
        if self.stop is not None:
            self.stop.hear(response)
        now = time.monotonic()
        if now - self.synced >= SYNC_EVERY_S:
            self.synced = now
            self.journal.sync()
        if now - self.shown >= PROGRESS_EVERY_S:
            self.shown = now
            self._show(now)

    def _show(self, now: float) -> None:
        if isinstance(self.backend, Paced):
            at_most = self.backend.at_most
            self.summary.in_flight = self.backend.in_flight
            self.summary.at_most = at_most if at_most < self.concurrency else 0
        else:
            self.summary.in_flight = self.begun - self.summary.asked
        self.summary.tick(now)
        self.progress(self.summary)

    def _reached(self) -> str:
        """Return which limit one more request would pass, "" where none."""
        most = self.limits.requests
        if most and self.begun >= most:
            return f"--max-requests {most}: so many were asked this time"
        if not self.limits.cost:
            return ""
        pending = (self.begun - self.summary.asked + 1) * self.summary.dearest
        if self.summary.cost_so_far + pending > self.limits.cost:
            return f"--max-cost {self.limits.cost:g}: one more request could cost more than that in all"
        return ""


async def _run_batches(fresh: Iterator[Request], backend: BatchBackend, state: _State) -> None:
    for batch in batches(fresh, BATCH, state.stop, state.needed):
        for response in backend.answer_all(batch):
            state.keep(response)
            await asyncio.sleep(0)  # lets Ctrl-C in


async def _run_places(
    fresh: Iterator[Request], backend: Backend, media: MediaBytes, concurrency: int, state: _State
) -> None:
    """Keep `concurrency` requests in flight until none is left; the first error ends all of them."""

    async def place() -> None:
        for request in fresh:
            if state.needed(request):
                state.keep(await backend.answer(request, media))

    if state.limits.cost:  # what one costs is known when one was asked alone
        for request in islice(filter(state.needed, fresh), 1):
            state.keep(await backend.answer(request, media))
    ahead = backend.ahead if isinstance(backend, Paced) else 0
    tasks = [asyncio.create_task(place()) for _ in range(concurrency + ahead)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
