"""What charts are made of, whether a page or a figure shows them. All shares lie between 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fathom.english import rounded


@dataclass(frozen=True)
class Cell:
    """A share with its interval; None where there is none."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True)
class Bar:
    """One labelled value with its interval; one that was `published` is drawn hollow."""

    label: str
    cell: Cell
    published: bool = False


@dataclass(frozen=True)
class Panel:
    """One small chart of labelled values; `chance` is drawn as a line where it is known, and so is `line`,
    what somebody else reaches (people).
    """

    title: str
    bars: tuple[Bar, ...]
    note: str = ""
    chance: float | None = None
    line: float | None = None

    @property
    def words(self) -> str:
        """The chart as a sentence, for those who cannot see it."""
        parts = [
            f"{b.label}: {rounded(100 * b.cell.value, 0)} %" for b in self.bars if b.cell.value is not None
        ]
        return f"{self.title}; " + ", ".join(parts)

    @property
    def points(self) -> str:
        """The values as the points of a line through the middles of bins two wide, 100 high."""
        known = [(i, b.cell.value) for i, b in enumerate(self.bars) if b.cell.value is not None]
        return " ".join(f"{2 * i + 1},{100 - 100 * value:.2f}" for i, value in known)


@dataclass(frozen=True)
class HeatCell:
    """One cell of a confusion matrix: `count` of the `total` questions of its row."""

    count: int
    total: int
    same: bool

    @property
    def share(self) -> float:
        """The share of the row."""
        return self.count / self.total if self.total else 0.0

    @property
    def shown(self) -> str:
        """The share in per cent, empty for none."""
        return rounded(100 * self.share, 0) if self.count else ""


@dataclass(frozen=True)
class Confusion:
    """A confusion matrix of one attribute: a row for each true answer, a column for each answer picked."""

    attribute: str
    n: int
    picked: tuple[str, ...]
    rows: tuple[tuple[str, tuple[HeatCell, ...]], ...]


@dataclass(frozen=True)
class Curve:
    """Values over numbers, such as accuracy over views.

    `kind` says whether they were measured, are what must come out (expected), or were published.
    """

    label: str
    points: tuple[tuple[float, Cell], ...]
    kind: Literal["measured", "expected", "published"] = "measured"


@dataclass(frozen=True)
class SettingEffect:
    """How far something set otherwise moves a score: a difference with its interval, and published ones."""

    label: str
    cell: Cell
    published: tuple[float, ...] = ()
