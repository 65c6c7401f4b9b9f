"""Work spread over processes; the result does not depend on how many there are."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
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

    `work` and `start` (called once in each process, before its first item) must be importable functions. With
    one worker everything happens here. Ctrl-C ends the workers at once, and so does the end of this process,
    however that comes.

    Raises FathomError where a worker died, which happens when memory runs out.
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
    others = set(multiprocessing.active_children())
    count = min(workers, len(items))
    begin = partial(_begin_worker, max(1, cores() // count))
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=begin)
    try:
        yield from _in_flight(pool, partial(_work_in_worker, work, start), iter(items), 2 * workers)
    except (KeyboardInterrupt, GeneratorExit):
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        raise
    except BrokenProcessPool as e:
        raise FathomError(
            "a worker process died, which happens when memory runs out; finished scenes are kept: start the "
            "same command again with fewer --workers"
        ) from e
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_share: int | None = None


def threads() -> int | None:
    """Return how many threads this process may keep busy, a worker its share of the cores; None for any.

    Workers that each keep all cores busy get in one another's way, and lose a fifth of their time by it.
    """
    return _share


def keep_to(share: int) -> None:
    """Let no more than so many threads of this process be busy, in what is loaded from here on."""
    global _share
    _share = share


def _begin_worker(share: int) -> None:
    """Leave Ctrl-C to the process that gives out the work, end when that one does, and keep to a share."""
    keep_to(share)
    # Read when numpy is loaded, which nothing here has done yet.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(share))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


_started = threading.Event()


def _work_in_worker(work: Callable[[T], R], start: Callable[[], None] | None, item: T) -> R:
    """Return the result of one item; `start` is called here so that its error reaches the one who waits."""
    if start is not None and not _started.is_set():
        start()
        _started.set()
    return work(item)


def _in_flight(
    pool: ProcessPoolExecutor, work: Callable[[T], R], items: Iterable[T], most: int
) -> Iterator[R]:
    items = iter(items)
    waiting = _submitted(pool, work, islice(items, most))
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
        waiting |= _submitted(pool, work, islice(items, len(done)))


def _submitted(pool: ProcessPoolExecutor, work: Callable[[T], R], items: Iterable[T]) -> set[Future[R]]:
    """Give out items; processes that begin meanwhile are born deaf to Ctrl-C, which this one still hears."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover
        return {pool.submit(work, i) for i in items}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return {pool.submit(work, i) for i in items}
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
