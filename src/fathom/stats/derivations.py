"""Published cells derived again from others, and how far rounding lets the two lie apart.

A paper prints rounded numbers, so a cell agrees with what follows from others when some numbers that round to
the printed ones give it. Each input is moved by half a unit of its last digit, and what that moves the result
by is added up: exact for weighted means and differences, the first order for ratios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fathom.records import Derivation, PublishedCell, PublishedTable

Formula = Callable[[Sequence[float]], float]

_DIGITS = 1e-9
"""What the binary form of a decimal number may be off."""


@dataclass(frozen=True)
class Printed:
    """A published number: its value, and half a unit of its last digit. `text` is how it is printed."""

    value: float
    half: float
    text: str


@dataclass(frozen=True)
class DerivedCell:
    """A published cell beside what follows from others.

    `slack` is how far the rounding of the inputs can move `value`.
    """

    derivation: Derivation
    published: Printed
    value: float
    slack: float

    @property
    def agrees(self) -> bool:
        """Whether numbers that round to the printed inputs give the printed cell."""
        return abs(self.published.value - self.value) <= self.slack + self.published.half + _DIGITS

    @property
    def to_the_last_digit(self) -> bool:
        """Whether the printed inputs themselves give the printed cell."""
        return abs(self.published.value - self.value) <= self.published.half + _DIGITS


def printed(tables: Iterable[PublishedTable], cell: PublishedCell) -> Printed:
    """Return what stands in a cell. Raises KeyError where there is no such cell, or nothing stands in it."""
    table = next((t for t in tables if t.name == cell.table), None)
    if table is None or cell.row not in table.rows or cell.column not in table.columns:
        raise KeyError(
            f"{cell.table}, {cell.row!r}, {cell.column!r}: no such cell among the published tables"
        )
    place = table.columns.index(cell.column)
    value = table.rows[cell.row][place]
    decimals = decimals_of(table, place)
    if value is not None:
        decimals = max(decimals, _decimals(value))
        return Printed(value, 0.5 * 10.0**-decimals if decimals else 0.0, f"{value:.{decimals}f}")
    start = table.cut_short.get((cell.row, cell.column), "")
    if not start:
        raise KeyError(f"{cell.table}, {cell.row!r}, {cell.column!r}: the published cell is empty")
    # From 49. on, one digit short: something from 49.0 to 49.9, and each of these is rounded.
    return Printed(float(start) + 0.45, 0.5, f"{start}…")


def decimals_of(table: PublishedTable, column: int) -> int:
    """Return how many decimals the paper prints in a column."""
    if table.decimals:
        return table.decimals[column]
    return 2 if table.per_cent else 3


def _decimals(value: float) -> int:
    return len(f"{value:.6f}".rstrip("0").partition(".")[2])


def derive(tables: Sequence[PublishedTable]) -> list[DerivedCell]:
    """Return every cell that follows from others, in the order in which the tables say so."""
    found = []
    for derivation in (d for table in tables for d in table.derivations):
        target = printed(tables, derivation.cell)
        inputs = [printed(tables, cell) for cell in derivation.inputs]
        value = derivation.derive([p.value for p in inputs])
        found.append(DerivedCell(derivation, target, value, _slack(derivation, target, inputs)))
    return found


def _slack(derivation: Derivation, target: Printed, inputs: Sequence[Printed]) -> float:
    if derivation.derive is same:  # One number printed twice: it may only be shorter in one place.
        return max(0.0, inputs[0].half - target.half)
    values = [p.value for p in inputs]
    slack = 0.0
    for i, p in enumerate(inputs):
        up, down = list(values), list(values)
        up[i], down[i] = p.value + p.half, p.value - p.half
        slack += abs(derivation.derive(up) - derivation.derive(down)) / 2
    return slack


def mean(values: Sequence[float]) -> float:
    """Return the plain mean."""
    return sum(values) / len(values)


def same(values: Sequence[float]) -> float:
    """Return the first value: it is one number, printed in two places."""
    return values[0]


def change(values: Sequence[float]) -> float:
    """Return the second value minus the first."""
    return values[1] - values[0]


def loss(values: Sequence[float]) -> float:
    """Return the first value minus the second."""
    return values[0] - values[1]


def rank(values: Sequence[float]) -> float:
    """Return the rank of the first value among all: 1 for the highest."""
    return 1.0 + sum(other > values[0] for other in values[1:])


def count(values: Sequence[float]) -> float:
    """Return how many values there are."""
    return float(len(values))


def above(bound: float) -> Formula:
    """Return how many values are above a bound."""
    return lambda values: float(sum(v > bound for v in values))


def above_first(values: Sequence[float]) -> float:
    """Return how many of the other values are above the first."""
    return float(sum(v > values[0] for v in values[1:]))


def share_of(values: Sequence[float]) -> float:
    """Return the share (%) nearest to the first value that a whole number of questions can have.

    The second value is how many questions there are.
    """
    share, questions = values
    return 100 * round(share * questions / 100) / questions


def weighted(weights: Sequence[float]) -> Formula:
    """Return the mean in which each value has its weight."""
    return lambda values: sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


def micro(sizes: Sequence[int]) -> Formula:
    """Return the share (%) of right answers over all questions, from accuracies (%) on tasks of these sizes.

    Each accuracy stands for a whole number of right answers, which is the nearest one.
    """
    return lambda values: (
        100 * sum(round(v * n / 100) for v, n in zip(values, sizes, strict=True)) / sum(sizes)
    )


def constant(value: float) -> Formula:
    """Return a value that follows from no other cell, such as chance."""
    return lambda values: value


def along_rows(
    table: str,
    rows: Iterable[str],
    column: str,
    inputs: Sequence[str],
    formula: Formula,
    how: str,
    *,
    source: str = "",
    recovered: bool = False,
) -> tuple[Derivation, ...]:
    """Return for each row that its cell in `column` follows from its cells in the columns `inputs`.

    The inputs stand in the table `source`, where that is another one.
    """
    return tuple(
        Derivation(
            cell=PublishedCell(table, row, column),
            how=how,
            inputs=tuple(PublishedCell(source or table, row, c) for c in inputs),
            derive=formula,
            recovered=recovered,
        )
        for row in rows
    )


def down_columns(
    table: str, row: str, columns: Iterable[str], inputs: Sequence[str], formula: Formula, how: str
) -> tuple[Derivation, ...]:
    """Return for each column that its cell in `row` follows from its cells in the rows `inputs`."""
    return tuple(
        Derivation(
            cell=PublishedCell(table, row, column),
            how=how,
            inputs=tuple(PublishedCell(table, r, column) for r in inputs),
            derive=formula,
        )
        for column in columns
    )


def ranks(table: str, rows: Sequence[str], column: str, by: str, how: str) -> tuple[Derivation, ...]:
    """Return for each row that its rank in `column` is that of its cell in `by`, the highest first."""
    return tuple(
        Derivation(
            cell=PublishedCell(table, row, column),
            how=how,
            inputs=(
                PublishedCell(table, row, by),
                *(PublishedCell(table, r, by) for r in rows if r != row),
            ),
            derive=rank,
        )
        for row in rows
    )


def one(
    cell: PublishedCell, inputs: Sequence[PublishedCell], formula: Formula, how: str
) -> tuple[Derivation, ...]:
    """Return that one cell follows from some others."""
    return (Derivation(cell=cell, how=how, inputs=tuple(inputs), derive=formula),)
