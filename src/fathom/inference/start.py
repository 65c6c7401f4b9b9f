"""A run from its plan to its end: the folder, the journal, the loop, and the counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from fathom.inference.backend import AnyBackend, Backend, HearsOfFailures
from fathom.inference.pictures import PromptImages
from fathom.inference.plans import Plan, RunPlan
from fathom.inference.runner import Progress, run_requests
from fathom.inference.summary import JournalLine, Summary, tally_of
from fathom.records import FathomError, InputError
from fathom.store.journal import Journal, read_lines
from fathom.store.runs import RunFolder, begin_run, end_run


def run_plan(
    plan: Plan,
    progress: Progress = lambda summary: None,
    say: Callable[[str], None] = lambda text: None,
) -> Summary:
    """Return what was done once everything has been put; answers that are there already are kept.

    Raises InputError, DataError or EndpointError with what is to be mended; started again, the run carries
    on. KeyboardInterrupt ends it as cleanly.
    """
    check_plan(plan)
    return _finished(_run(plan, progress, say))


def _finished(run: Coroutine[Any, Any, Summary]) -> Summary:
    """Return what a run comes to; in a thread where a loop of events runs in this one, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(run)
    begun: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any] | None]] = []

    async def watched() -> Summary:
        begun.append((asyncio.get_running_loop(), asyncio.current_task()))
        return await run

    with ThreadPoolExecutor(1) as aside:
        future = aside.submit(asyncio.run, watched())
        try:
            return future.result()
        except BaseException:
            for loop, task in begun:
                if task is not None and not future.done():
                    loop.call_soon_threadsafe(task.cancel)
            raise


def check_plan(plan: Plan) -> None:
    """Raise InputError for numbers that make no sense, alone or together."""
    repeats = plan.repeats if isinstance(plan, RunPlan) else 1
    config = plan.config
    for name, number, least in (
        ("concurrency", config.concurrency, 1),
        ("limit", config.limit, 0),
        ("repeats", repeats, 1),
        ("max-requests", config.limits.requests, 0),
        ("max-cost", config.limits.cost, 0),
        ("more-tokens", config.more_tokens, 0),
    ):
        if not number >= least:
            raise InputError(f"--{name}: expected {least} or more, found {number}")
    if repeats > 1 and plan.stop is not None:
        raise InputError(
            f"--repeats {repeats} with early-stop=yes: each repeat is to be asked, whatever was said before; "
            "leave one of them out"
        )


def _end(
    folder: RunFolder, journal: Journal, summary: Summary, complete: bool, plan: Plan, backend: AnyBackend
) -> None:
    """Write what the whole run came to, and what was found out about the model."""
    counts = summary.counts()
    counts.pop("cut_short", None)
    more, notes = plan.config.more_tokens, backend.notes
    if more:
        notes += (f"answers that were cut off were asked again with up to {more} tokens",)
    end_run(folder, counts | ({"cut_short": journal.cut_off} if journal.cut_off else {}), complete, notes)


async def _run(plan: Plan, progress: Progress, say: Callable[[str], None]) -> Summary:
    backend = plan.open()
    try:
        config = plan.config
        price = config.price(backend)
        folder = begin_run(config.out, plan.manifest(backend))
        with Journal(folder.journal_folder, say) as journal:
            summary = Summary(total=plan.count(), price=price)
            before = summary.before = tally_of(read_lines(folder.journal_folder, JournalLine))
            summary.dearest = before.cost(price) / max(1, before.lines) if price else 0.0
            if plan.stop is not None:
                for response in folder.responses():
                    plan.stop.hear(response)
            if isinstance(backend, HearsOfFailures):
                backend.failed_before = journal.failed_before
            try:
                await run_requests(
                    plan.requests(backend),
                    backend,
                    journal,
                    PromptImages(plan.shown),
                    concurrency=config.concurrency,
                    summary=summary,
                    progress=progress,
                    stop=plan.stop,
                    limits=config.limits,
                    again=config.more_tokens > 0,
                )
            except FathomError:
                with suppress(FathomError):  # the first error is the one to fix
                    _end(folder, journal, summary, False, plan, backend)
                raise
            _end(folder, journal, summary, summary.complete and not config.limit, plan, backend)
        return summary
    finally:
        if isinstance(backend, Backend):
            await backend.close()
