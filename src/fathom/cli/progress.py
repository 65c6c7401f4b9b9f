"""Progress on standard error: a live bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fathom.cli.console import remark

if TYPE_CHECKING:
    from fathom.api import Progress

_EVERY_S = 10.0


@contextmanager
def shown(quiet: bool = False) -> Iterator[Progress]:
    """Yield a callback (what, done, total, note) that draws progress until the block ends."""
    if quiet:
        yield lambda what, done, total, note="": None
        return
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    from fathom.records.errors import printable

    columns = (
        TextColumn("{task.description:<18}", markup=False),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Bars(*columns, console=Console(stderr=True), transient=False) as bars:
        tasks: dict[str, int] = {}

        def show(what: str, done: int, total: int, note: str = "") -> None:
            said = printable(note)
            if what not in tasks:
                tasks[what] = bars.add_task(printable(what), total=total or None, note=said)
            bars.update(tasks[what], completed=done, total=total or None, note=said)  # type: ignore[arg-type]

        yield show


def _lines() -> Progress:
    last: dict[str, float] = {}
    first: dict[str, tuple[float, int]] = {}

    def show(what: str, done: int, total: int, note: str = "") -> None:
        now = time.monotonic()
        if last.get(what) == float("inf") and done < total:
            # It goes on, as further worlds are made after the first ones: what was said of it is over.
            del last[what], first[what]
        begun, before = first.setdefault(what, (now, done))
        known = total > 0
        if (done < total or not known) and now - last.get(what, -1e9) < _EVERY_S:
            return
        if known and done >= total and last.get(what) == float("inf"):
            return
        last[what] = float("inf") if known and done >= total else now
        left = (total - done) * (now - begun) / (done - before) if before < done < total else 0.0
        more = [f"about {_spoken(left)} left"] * (left > 0) + [note] * bool(note)
        remark("  ".join([f"{what}: {done} of {total}" if known else f"{what}: {done}", *more]))

    return show


def _spoken(seconds: float) -> str:
    """Return a time in words, as short as it is good to know."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
