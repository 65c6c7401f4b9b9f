"""Work spread over processes; the result does not depend on how many there are."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from fathom.records import FathomError

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Callable[[T], R], items: Sequence[T], workers: int, start: Callable[[], None] | None = None
) -> Iterator[R]:
    """Yield the result of every item, as they become ready.

    `work` and `start` (called once in each process) must be importable functions. With one worker everything
    happens here.

    Raises FathomError where a process died, which happens when memory runs out.
    """
    if not items:
        return
    if workers <= 1:
        if start is not None:
            start()
        for item in items:
            yield work(item)
        return
    # A forked child of a process with threads can hang; a fresh one cannot.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(items)), mp_context=context, initializer=start)
    try:
        yield from _in_flight(pool, work, iter(items), 2 * workers)
    except BrokenProcessPool as e:
        raise FathomError(
            "a worker process died, which happens when memory runs out; finished scenes are kept: start the "
            "same command again with fewer --workers"
        ) from e
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_flight(
    pool: ProcessPoolExecutor, work: Callable[[T], R], items: Iterable[T], most: int
) -> Iterator[R]:
    items = iter(items)
    waiting: set[Future[R]] = {pool.submit(work, i) for i in islice(items, most)}
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
        waiting |= {pool.submit(work, i) for i in islice(items, len(done))}
