"""A run from its plan to its end: the folder, the journal, the loop, and the counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from fathom.records import FathomError, InputError
from fathom.run.backend import Backend
from fathom.run.pictures import Pictures
from fathom.run.plans import Plan, RunPlan
from fathom.run.runner import Progress, run_requests
from fathom.run.summary import Line, Summary, tally_of
from fathom.store.journal import Journal, read_lines
from fathom.store.runs import begin_run, end_run


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
    return asyncio.run(_run(plan, progress, say))


def check_plan(plan: Plan) -> None:
    """Raise InputError for numbers that make no sense, alone or together."""
    repeats = plan.repeats if isinstance(plan, RunPlan) else 1
    asking = plan.asking
    for name, number, least in (
        ("concurrency", asking.concurrency, 1),
        ("limit", asking.limit, 0),
        ("repeats", repeats, 1),
        ("max-requests", asking.limits.requests, 0),
        ("max-cost", asking.limits.cost, 0),
    ):
        if not number >= least:
            raise InputError(f"--{name}: expected {least} or more, found {number}")
    if repeats > 1 and plan.stop is not None:
        raise InputError(
            f"--repeats {repeats} with early-stop=yes: each repeat is to be asked, whatever was said before; "
            "leave one of them out"
        )


async def _run(plan: Plan, progress: Progress, say: Callable[[str], None]) -> Summary:
    backend = plan.open()
    try:
        asking = plan.asking
        price = asking.price(backend)
        folder = begin_run(asking.out, plan.manifest(backend))
        with Journal(folder.journal_folder, say) as journal:
            summary = Summary(total=plan.count(), price=price)
            before = summary.before = tally_of(read_lines(folder.journal_folder, Line))
            summary.dearest = before.cost(price) / max(1, before.lines) if price else 0.0
            if plan.stop is not None:
                for response in folder.responses():
                    plan.stop.hear(response)
            try:
                await run_requests(
                    plan.requests(backend),
                    backend,
                    journal,
                    Pictures(plan.shown),
                    concurrency=asking.concurrency,
                    summary=summary,
                    progress=progress,
                    stop=plan.stop,
                    limits=asking.limits,
                )
            except FathomError:
                with suppress(FathomError):  # the first error is the one to mend
                    end_run(folder, summary.counts(), False, backend.notes)
                raise
            end_run(folder, summary.counts(), summary.complete and not asking.limit, backend.notes)
        return summary
    finally:
        if isinstance(backend, Backend):
            await backend.close()
