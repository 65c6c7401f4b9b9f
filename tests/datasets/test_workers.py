"""Work spread over processes comes back whole, and what goes wrong in one of them is said here."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fathom.records import FathomError, InputError, UnfitError
from fathom.render.variants import denoiser_module, engine, prepare
from fathom.workers import cores, spread, threads


def squared(n: int) -> int:
    return n * n


def refused(n: int) -> int:
    raise UnfitError(f"{n}: does not fit")


def dies(n: int) -> int:
    os._exit(n)


def slow(folder: Path) -> int:
    (folder / f"begun-{os.getpid()}").touch()
    time.sleep(0.5)
    (folder / f"ended-{os.getpid()}").touch()
    return 0


def fails() -> None:
    raise InputError("nothing to paint with; install it")


def share(n: int) -> int | None:
    return threads()


def compiling_threads(n: int) -> int:
    import drjit

    prepare(engine(say=lambda word: None))
    return int(drjit.thread_count())


def denoising_threads(n: int) -> str:
    denoiser_module()
    return os.environ["OIDN_NUM_THREADS"]


@pytest.mark.parametrize("workers", [1, 2])
def test_every_item_comes_back_once(workers: int) -> None:
    assert sorted(spread(squared, range(20), workers)) == [n * n for n in range(20)]


@pytest.mark.parametrize("workers", [1, 2])
def test_no_items_are_no_work(workers: int) -> None:
    assert list(spread(squared, [], workers)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_comes_back_as_it_was_raised(workers: int) -> None:
    with pytest.raises(UnfitError, match=r"^7: does not fit$"):
        list(spread(refused, [7], workers))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_while_a_worker_starts_comes_back_too(workers: int) -> None:
    with pytest.raises(InputError, match=r"^nothing to paint with; install it$"):
        list(spread(squared, [1, 2], workers, fails))


def test_a_worker_that_dies_is_one_sentence_with_its_remedy() -> None:
    with pytest.raises(FathomError, match=r"a worker process died, .* fewer --workers"):
        list(spread(dies, [9], 2))


def test_workers_end_at_once_when_nobody_wants_the_rest(tmp_path: Path) -> None:
    for k in range(8):
        (tmp_path / str(k)).mkdir()
    results: Iterator[int] = iter(spread(slow, [tmp_path] * 40, 2))
    next(results)
    del results
    ended = len(list(tmp_path.glob("ended-*")))
    time.sleep(0.7)
    assert len(list(tmp_path.glob("ended-*"))) == ended


def test_workers_share_the_cores() -> None:
    assert set(spread(share, range(4), 2)) == {max(1, cores() // 2)}
    assert list(spread(share, range(2), 1)) == [None, None], "what runs here may use all of them"


def test_a_worker_that_paints_keeps_to_its_share() -> None:
    pytest.importorskip("mitsuba", reason="the package mitsuba is not installed")
    workers = cores() + 1
    assert set(spread(compiling_threads, range(workers), workers)) == {1}


def test_a_worker_that_denoises_keeps_to_its_share_or_to_what_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("pyoidn", reason="the package pyoidn is not installed")
    monkeypatch.delenv("OIDN_NUM_THREADS", raising=False)
    workers = cores() + 1
    assert set(spread(denoising_threads, range(workers), workers)) == {"1"}
    monkeypatch.setenv("OIDN_NUM_THREADS", "3")
    assert set(spread(denoising_threads, range(workers), workers)) == {"3"}


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1
