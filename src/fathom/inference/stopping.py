"""Early stop as the loop sees it: what says that a request is not needed any more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from fathom.records import Request, Response


class StoppingRule(Protocol):
    """Hears every answer, and knows which requests could not change a verdict any more."""

    def group(self, request: Request) -> str:
        """Return the name of what a request is one pass of."""

    def later(self, question_id: str) -> bool:
        """Return whether a question waits, in each turn, until the others of its group were asked."""

    def needless(self, request: Request) -> bool:
        """Return whether the verdict that a request belongs to is decided."""

    def hear(self, response: Response) -> None:
        """Take note of an answer."""


def batches(
    fresh: Iterator[Request], most: int, stop: StoppingRule | None, needed: Callable[[Request], bool]
) -> Iterator[list[Request]]:
    """Yield the requests that are `needed`, in batches; with `stop`, never two passes of one group together.

    Whether one is needed is asked once the answers to the batches before are there. Passes of a group that
    follow one another go into batches that follow one another, so that batches are full all the same.
    """
    if stop is None:
        yield from _as_they_come(fresh, most, needed)
        return
    waiting: dict[str, deque[Request]] = {}
    while True:
        while len(waiting) < most and (request := next(fresh, None)) is not None:
            waiting.setdefault(stop.group(request), deque()).append(request)
        if not waiting:
            return
        batch = [r for queue in waiting.values() if (r := _next_needed(queue, needed)) is not None]
        waiting = {group: queue for group, queue in waiting.items() if queue}
        if batch:
            yield batch


def _as_they_come(
    fresh: Iterator[Request], most: int, needed: Callable[[Request], bool]
) -> Iterator[list[Request]]:
    batch: list[Request] = []
    for request in fresh:
        if needed(request):
            batch.append(request)
        if len(batch) == most:
            yield batch
            batch = []
    if batch:
        yield batch


def _next_needed(queue: deque[Request], needed: Callable[[Request], bool]) -> Request | None:
    while queue:
        request = queue.popleft()
        if needed(request):
            return request
    return None
