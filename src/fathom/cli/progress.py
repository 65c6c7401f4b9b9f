"""Progress on standard error: a live bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

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
    from rich.markup import escape
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
        TextColumn("{task.description:<18}"),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Bars(*columns, console=Console(stderr=True), transient=False) as bars:
        tasks: dict[str, int] = {}

        def show(what: str, done: int, total: int, note: str = "") -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(escape(printable(what)), total=total, note=note)
            bars.update(tasks[what], completed=done, total=total, note=note)  # type: ignore[arg-type]

        yield show


def _lines() -> Progress:
    from fathom.records.errors import printable

    last: dict[str, float] = {}
    first: dict[str, tuple[float, int]] = {}

    def show(what: str, done: int, total: int, note: str = "") -> None:
        now = time.monotonic()
        begun, before = first.setdefault(what, (now, done))
        if done < total and now - last.get(what, -1e9) < _EVERY_S:
            return
        if done >= total and last.get(what) == float("inf"):
            return
        last[what] = float("inf") if done >= total else now
        left = (total - done) * (now - begun) / (done - before) if before < done < total else 0.0
        more = [f"about {_spoken(left)} left"] * (left > 0) + [note] * bool(note)
        print("  ".join([f"{printable(what)}: {done} of {total}", *more]), file=sys.stderr, flush=True)

    return show


def _spoken(seconds: float) -> str:
    """Return a time in words, as short as it is good to know."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
