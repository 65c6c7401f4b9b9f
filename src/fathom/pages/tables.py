"""A table of text, and how it is written: plain, Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fathom.english import rounded
from fathom.pages.latex import latex_text
from fathom.records import printable_line


@dataclass(frozen=True)
class Table:
    """A table as text: `rows` hold as many cells as there are `columns`, the first of which names the row.

    `groups` gives the number of rows in each block, top to bottom; a rule stands between blocks. Without it
    all rows are one block.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError where a row is too short or long, or the blocks do not add up."""
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: {len(self.columns)} columns, but {len(row)} cells in {row}")
        if self.groups and sum(self.groups) != len(self.rows):
            raise ValueError(f"{self.title}: blocks of {self.groups} are not {len(self.rows)} rows")

    @cached_property
    def worded(self) -> tuple[bool, ...]:
        """Whether each column holds words, which begin at the left: the first does, and those with a wide
        cell or with fewer numbers than words.
        """
        found = [True]
        for cells in list(zip(*self.rows, strict=True))[1:]:
            numbers = sum(bool(_A_NUMBER.match(cell)) for cell in cells)
            found.append(any(_width(cell) > WORDY for cell in cells) or 2 * numbers < len(cells))
        return tuple(found[: len(self.columns)]) if self.rows else (True, *(False for _ in self.columns[1:]))

    @property
    def blocks(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """The rows, block by block."""
        found, start = [], 0
        for size in self.groups or (len(self.rows),):
            found.append(self.rows[start : start + size])
            start += size
        return tuple(found)


STACKED_FROM = 8
"""From so many columns on, LaTeX has a row of intervals below a row of values, and headings upright."""

_NUMBERED = re.compile(r"^(?:Table|Figure)\s+[\w.]+:\s*(?=\S)")
_INTERVAL = re.compile(r"^(?P<value>[^\s(\[]+) (?P<between>[(\[][^()\[\]]+[)\]])$")
_SMALL, _PLAIN = r"\footnotesize\setlength{\tabcolsep}{3pt}", r"\normalsize"
_FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Makes what follows as wide as the column of text where it is wider, and leaves it alone where it is not."""

WORDY = 32
"""A column with a cell wider than this holds words, which begin at the left."""

_A_NUMBER = re.compile(r"[-+−±≥≤<>~[(]*\s?[\d–∞]|$|not available")


def as_text(table: Table) -> str:
    """Return the table for a terminal: columns aligned, names and words to the left, numbers to the right.

    A row is one line whatever its cells hold.
    """
    columns, *rows = ([printable_line(cell) for cell in row] for row in (table.columns, *table.rows))
    widths = [max(map(_width, cells)) for cells in zip(columns, *rows, strict=True)]
    left = [words or w > WORDY for words, w in zip(table.worded, widths, strict=True)]
    rule = "  ".join("─" * w for w in widths)
    lines = [table.title, "", _line(columns, widths, left)]
    for size in table.groups or (len(rows),):
        lines += [rule, *(_line(row, widths, left) for row in rows[:size])]
        del rows[:size]
    lines += [f"  {note}" for note in table.notes]
    return "\n".join(lines) + "\n"


def as_csv(table: Table) -> str:
    """Return head and rows as comma-separated values (RFC 4180); title and notes are left out.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(table.columns)
    writer.writerows([_no_formula(cell) for cell in row] for row in table.rows)
    return out.getvalue()


def as_latex(table: Table) -> str:
    """Return the table as LaTeX for the packages booktabs and graphicx, notes below it; it fits its column.

    LaTeX numbers tables itself, so that a number with which the title begins is left out. Where there are
    many columns, intervals stand in a row of their own below their values, and headings stand upright.
    """
    columns = len(table.columns)
    stacked = columns >= STACKED_FROM
    blocks = [[line for row in block for line in _latex_lines(row, stacked)] for block in table.blocks]
    body = "\n    \\midrule\n".join("\n".join(block) for block in blocks)
    notes = "".join(f"\n  \\par\\footnotesize {latex_text(note)}" for note in table.notes)
    heads, title = [latex_text(column) for column in table.columns], _NUMBERED.sub("", table.title)
    if stacked:
        heads = [heads[0], *(f"\\rotatebox{{90}}{{{head}}}" for head in heads[1:])]
    return (
        "% needs \\usepackage{booktabs,graphicx}\n"
        "\\begin{table}\n  \\centering\n"
        f"  \\caption{{{latex_text(title[:1].upper() + title[1:])}}}\n"
        f"  {_SMALL if stacked else _PLAIN}\n"
        f"  {_FITTED}\n"
        f"  \\begin{{tabular}}{{l{'r' * (columns - 1)}}}\n    \\toprule\n"
        f"    {' & '.join(heads)} \\\\\n    \\midrule\n"
        f"{body}\n    \\bottomrule\n  \\end{{tabular}}}}{notes}\n\\end{{table}}\n"
    )


def _latex_lines(row: Sequence[str], stacked: bool) -> list[str]:
    """Return the lines of a row: with its intervals in a second, small one where they are `stacked`."""
    parts = [_INTERVAL.match(cell) if stacked else None for cell in row[1:]]
    if not any(parts):
        return [f"    {' & '.join(map(latex_text, row))} \\\\"]
    values = [m["value"] if m else cell for m, cell in zip(parts, row[1:], strict=True)]
    between = [f"\\tiny {latex_text(m['between'])}" if m else "" for m in parts]
    first = " & ".join(map(latex_text, (row[0], *values)))
    return [f"    {first} \\\\[-3pt]", f"    {' & '.join(('', *between))} \\\\"]


def listed(texts: Sequence[str], room: int = 110) -> str:
    """Return texts with commas between them, as many as there is room for, and how many more there are."""
    shown, used = 0, 0
    for text in texts:
        used += _width(text) + 2
        if shown and used > room:
            break
        shown += 1
    more = f", and {len(texts) - shown} more" if shown < len(texts) else ""
    return ", ".join(texts[:shown]) + more


def per_cent(value: float | None, digits: int = 1) -> str:
    """Return a share as a percentage without its sign, "–" where there is none."""
    return "–" if value is None else rounded(100 * value, digits)


def with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """Return a share with its interval, in per cent: `62.9 [58.1, 67.4]`."""
    if value is None or low is None or high is None:
        return per_cent(value)
    return f"{per_cent(value)} [{per_cent(low)}, {per_cent(high)}]"


def _line(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    padded = [
        cell + " " * (w - _width(cell)) if to_the_left else " " * (w - _width(cell)) + cell
        for cell, w, to_the_left in zip(cells, widths, left, strict=True)
    ]
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    """Return how many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def _no_formula(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
