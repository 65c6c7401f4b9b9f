"""Early stop as the loop sees it: what says that a request is not needed any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from fathom.records import Request, Response


class Stop(Protocol):
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
    fresh: Iterator[Request], most: int, stop: Stop | None, needed: Callable[[Request], bool]
) -> Iterator[list[Request]]:
    """Yield the requests that are `needed`, in batches; with `stop`, never two passes of one group together.

    Whether one is needed is asked once the answers to the batches before are there.
    """
    batch: list[Request] = []
    groups: set[str] = set()
    for request in fresh:
        group = stop.group(request) if stop else ""
        if len(batch) == most or group in groups:
            yield batch
            batch, groups = [], set()
        if not needed(request):
            continue
        batch.append(request)
        if stop:
            groups.add(group)
    if batch:
        yield batch
