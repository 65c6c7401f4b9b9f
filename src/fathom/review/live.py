"""What is worked out from everything that was said, while people go on, and kept for a while.

A review of 50,000 items takes seconds to go through. The pages of managers ask for it again and again, so it
is worked out again only where something has changed, and for at most a tenth of the time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from fathom.review.progress import ReviewProgress, progress_of
from fathom.review.results import Results
from fathom.review.store import ReviewStore
from fathom.review.task import ReviewTask

REST = 9.0
"""What took a second is not worked out again for so many seconds."""


def results_of(store: ReviewStore, task: ReviewTask) -> Results:
    """Return everything that was said in a review."""
    items = {item.name: item for item in store.items()}
    return Results([s.name for s in task.stages], task.label, items, list(store.entries()))


@dataclass(frozen=True)
class LiveFindings:
    """Results and progress as they were at a time (UTC, hours and minutes and seconds)."""

    results: Results
    progress: ReviewProgress
    at: str


class LiveResults:
    """Results and progress of a review; safe to be asked by several threads.

    `clock` tells seconds, for tests.
    """

    def __init__(
        self, store: ReviewStore, task: ReviewTask, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._task, self._clock = store, task, clock
        self._lock = threading.Lock()
        self._found: LiveFindings | None = None
        self._state: tuple[int, int] | None = None
        self._rest_until = 0.0

    def now(self) -> LiveFindings:
        """Return what is known: of this moment, or, where that takes long, of a short while ago."""
        with self._lock:
            since = self._clock()
            if self._found is not None and since < self._rest_until:
                return self._found
            state = self._store.state()
            if self._found is None or state != self._state:
                results = results_of(self._store, self._task)
                progress = progress_of(self._store, self._task, results)
                self._found = LiveFindings(results, progress, f"{datetime.now(UTC):%H:%M:%S}")
                self._state, self._rest_until = state, self._clock() + REST * (self._clock() - since)
            return self._found
