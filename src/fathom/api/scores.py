"""Scores as a program takes them: by name, by part of the dataset, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.datasets import frame, html_table
from fathom.records import InputError, Score

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class ScoreValue:
    """One number: its value (None where it cannot be had), its interval, of how many, how it was made.

    `low` and `high` are the ends of the interval that `method` names, None where none is meant. `note` says
    what there is to know about it; `incomplete` how many answers that were due are not there.
    """

    name: str
    value: float | None
    n: int
    low: float | None
    high: float | None
    method: str
    note: str = ""
    incomplete: str = ""
    group: Mapping[str, str] = field(default_factory=dict)

    def __float__(self) -> float:
        """Return the value, NaN where there is none."""
        return float("nan") if self.value is None else self.value

    def __str__(self) -> str:
        """Return the value with its interval, and the mark of an incomplete run."""
        if self.value is None:
            return "not available" + (f" ({self.note})" if self.note else "")
        interval = "" if self.low is None or self.high is None else f" [{self.low:.4g}, {self.high:.4g}]"
        note = f" (incomplete: {self.incomplete})" if self.incomplete else ""
        return f"{self.value:.4g}{interval}{note}"


@dataclass(frozen=True)
class Scores(Mapping[str, ScoreValue]):
    """The scores of a run: `scores["accuracy"]` is over all questions; `by("task")` has those of each task.

    `text` is what `fathom score` prints: the tables of the paper with the published rows. `complete` is false
    where answers that were due are not there; then every number says so. The files are in `written`.

    Example:
        >>> scores = fathom.score("my-run")  # doctest: +SKIP
        >>> scores["accuracy"].value, scores["accuracy"].low  # doctest: +SKIP
    """

    model: str
    extractor: str
    complete: bool
    records: tuple[Score, ...] = field(repr=False)
    text: str = field(repr=False)
    written: Path = Path()

    def __getitem__(self, name: str) -> ScoreValue:
        """Return a score over all questions. Raises KeyError, which names what there is."""
        found = self._overall()
        if name not in found:
            raise KeyError(f"{name!r}: there is {', '.join(found)}")
        return found[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the scores over all questions."""
        return iter(self._overall())

    def __len__(self) -> int:
        """Return how many scores over all questions there are."""
        return len(self._overall())

    @property
    def facets(self) -> tuple[str, ...]:
        """Return by what the scores are divided: "task", and what the benchmark adds."""
        return tuple(dict.fromkeys(k for s in self.records for k in s.group))

    def by(self, facet: str, name: str = "accuracy") -> dict[str, ScoreValue]:
        """Return one score for every part of a facet, such as each task.

        Args:
            facet: one of `facets`.
            name: which score.

        Raises InputError for a facet or a score that there is not.
        """
        if facet not in self.facets:
            raise InputError(f"{facet!r}: the scores are divided by {', '.join(self.facets)}")
        named = [s for s in self.records if set(s.group) == {facet}]
        found = {s.group[facet]: _value(s) for s in named if s.name == name}
        if not found:
            there = ", ".join(dict.fromkeys(s.name for s in named)) or "none alone"
            raise InputError(f"{name!r}: there is no such score by {facet}; there is {there}")
        return found

    def table(self) -> str:
        """Return the tables as text, as `fathom score` prints them."""
        return self.text

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row for every score: its name, facet, part, value, low, high, n, method, note.

        Raises MissingExtraError where pandas is not installed.
        """
        rows = []
        for s in self.records:
            where = ", ".join(s.group), ", ".join(s.group.values())
            rows.append((s.name, *where, s.value, s.low, s.high, s.n, s.method, s.note, s.incomplete))
        columns = ("name", "facet", "part", "value", "low", "high", "n", "method", "note", "incomplete")
        return frame(rows, columns)

    def _overall(self) -> dict[str, ScoreValue]:
        return {s.name: _value(s) for s in self.records if not s.group}

    def __str__(self) -> str:
        """Return what `fathom score` prints."""
        return self.text

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the accuracy of everything and of every task, with its interval."""
        rows = [(name, str(value)) for name, value in self.items() if value.low is not None]
        if "task" in self.facets:
            rows += [(f"accuracy, {task}", str(value)) for task, value in self.by("task").items()]
        return html_table(f"{self.model}, read by {self.extractor}", ("score", "value [interval]"), rows)


def _value(s: Score) -> ScoreValue:
    return ScoreValue(s.name, s.value, s.n, s.low, s.high, s.method, s.note, s.incomplete, s.group)
