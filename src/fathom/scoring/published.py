"""What the papers published, as tables of text, and what of it follows from the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fathom.pages.tables import Table
from fathom.records import PublishedTable
from fathom.stats.derivations import DerivedCell, decimals_of, derive

RECOVERED = "with numbers of questions that the paper does not print, found by fitting its tables"
CUT_SHORT = "…: the text of the paper at hand breaks off here"


def published_tables(tables: Sequence[PublishedTable], titles: Mapping[str, str]) -> list[Table]:
    """Return the published tables, then those of what was derived again. `titles` are those of tasks."""
    return [*(_published(t, titles) for t in tables), *derived_tables(tables)]


def _published(table: PublishedTable, titles: Mapping[str, str]) -> Table:
    keys = list(dict.fromkeys(key for row in table.rows for key in table.labels.get(row, {})))
    rows = [
        (
            name,
            *(table.labels.get(name, {}).get(key, "") for key in keys),
            *(_cell(table, name, i, value) for i, value in enumerate(cells)),
        )
        for name, cells in table.rows.items()
    ]
    blocks = [len(rows)]
    if table.sizes:
        counts = (f"{table.sizes[c]:,}" if c in table.sizes else "" for c in table.columns)
        rows.append(("questions", *[""] * len(keys), *counts))
        blocks.append(1)
    notes = [table.note, CUT_SHORT if table.cut_short else ""]
    return Table(
        title=table.title,
        columns=(table.row if keys else "", *keys, *(titles.get(c, c) for c in table.columns)),
        rows=tuple(rows),
        notes=tuple(n for n in notes if n),
        groups=tuple(blocks),
    )


def _cell(table: PublishedTable, row: str, column: int, value: float | None) -> str:
    if value is None:
        start = table.cut_short.get((row, table.columns[column]), "")
        return f"{start}…" if start else "–"
    shortest = f"{value:.6f}".rstrip("0").partition(".")[2]
    return f"{value:.{max(decimals_of(table, column), len(shortest))}f}"


def derived_tables(tables: Sequence[PublishedTable]) -> list[Table]:
    """Return how many cells follow from others, and those that do not; nothing where none is declared."""
    found = derive(tables)
    if not found:
        return []
    ways: dict[tuple[str, str], list[DerivedCell]] = {}
    for d in found:
        ways.setdefault((d.derivation.cell.table, d.derivation.how), []).append(d)
    recovered = any(d.derivation.recovered for d in found)
    rows = [_way(table, how, some) for (table, how), some in ways.items()]
    rows.append(("all", *_counts(found)))
    summary = Table(
        title="Cells that follow from others",
        columns=("", "cells", "to the last digit", "within rounding", "not"),
        rows=tuple(rows),
        notes=(f"*: {RECOVERED}",) if recovered else (),
        groups=(len(rows) - 1, 1),
    )
    wrong = [d for d in found if not d.agrees]
    return [summary, _wrong(wrong)] if wrong else [summary]


def _way(table: str, how: str, some: Sequence[DerivedCell]) -> tuple[str, ...]:
    star = " *" if some[0].derivation.recovered else ""
    return (f"{table}: {how}{star}", *_counts(some))


def _counts(found: Sequence[DerivedCell]) -> tuple[str, str, str, str]:
    exact = sum(d.to_the_last_digit and d.agrees for d in found)
    agree = sum(d.agrees for d in found)
    return str(len(found)), str(exact), str(agree - exact), str(len(found) - agree)


def _wrong(wrong: Sequence[DerivedCell]) -> Table:
    rows = []
    for d in wrong:
        cell = d.derivation.cell
        value = f"{d.value:.2f}" + (f" ± {d.slack:.2f}" if d.slack else "")
        rows.append((f"{cell.table}: {cell.row}, {cell.column}", d.published.text, value, d.derivation.how))
    return Table(
        title="Cells that do not follow from others",
        columns=("cell", "published", "derived", "from"),
        rows=tuple(rows),
    )
