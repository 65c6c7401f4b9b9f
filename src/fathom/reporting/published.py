"""Published rows beside the leaderboard's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fathom.records import PublishedTable


@dataclass(frozen=True)
class PublishedRows:
    """Rows of a published table (model, a share a task), and each over all; empty where none fits."""

    name: str = ""
    title: str = ""
    rows: tuple[tuple[str, tuple[float | None, ...]], ...] = ()
    overall: tuple[float | None, ...] = ()


def published_rows(
    tables: Sequence[PublishedTable], tasks: Sequence[str], lead: str = "accuracy"
) -> PublishedRows:
    """Return the rows of the first table that has the leading score of every task, as shares."""
    for table in tables:
        place = {group.get("task"): i for i, (name, group) in enumerate(table.ours) if name == lead}
        if not tasks or not table.per_cent or any(task not in place for task in tasks):
            continue
        whole = next((i for i, (name, group) in enumerate(table.ours) if name == lead and not group), None)
        rows, overall = [], []
        for model, values in table.rows.items():
            cells = (values[place[task]] for task in tasks)
            rows.append((model, tuple(None if v is None else v / 100 for v in cells)))
            of_all = None if whole is None else values[whole]
            overall.append(None if of_all is None else of_all / 100)
        return PublishedRows(table.name, table.title, tuple(rows), tuple(overall))
    return PublishedRows()
