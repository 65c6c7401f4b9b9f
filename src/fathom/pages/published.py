"""A published table with rows of ours below the published ones, in a terminal and on a page alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from fathom.english import rounded
from fathom.pages.tables import Table
from fathom.records import PublishedTable, Score

NOT_OFFICIAL = "comparable only where the dataset is the imported official one"
OFFICIAL = "the dataset is the imported official one: rows compare where the extractor is the paper's"
RANKED = "ranks of ours: the place that each would have among the published rows"
PUBLISHED = ", published"

NOT_AVAILABLE = "not available"
"""The method of a score that cannot be computed, and what stands in its place; its note says why."""

WHOLE: Mapping[str, str] = MappingProxyType({})
"""The group of a score over everything."""

ShowCell = Callable[[PublishedTable, int, Score], str]
"""From a published table, the number of a column and a score of ours to what stands there."""


def find_score(scores: Sequence[Score], name: str, group: Mapping[str, str] = WHOLE) -> Score | None:
    """Return the score of this name and exactly this group, None where there is none."""
    return next((s for s in scores if s.name == name and s.group == group), None)


def scale_of(published: PublishedTable, column: int) -> float:
    """Return what scores are multiplied with before they stand in a column."""
    if published.scales:
        return published.scales[column]
    return 100.0 if published.per_cent else 1.0


def decimals_of(published: PublishedTable, column: int) -> int:
    """Return how many decimals a column has, published and ours."""
    if published.scales and published.decimals:
        return published.decimals[column]
    return 2 if published.per_cent else 3


def plain_cell(published: PublishedTable, column: int, score: Score) -> str:
    """Return a score as its paper prints such numbers, without an interval."""
    if score.value is None:
        return NOT_AVAILABLE if score.method == NOT_AVAILABLE else "–"
    return rounded(scale_of(published, column) * score.value, decimals_of(published, column))


def beside_published(
    published: PublishedTable,
    ours: Sequence[tuple[str, Sequence[Score]]],
    titles: Mapping[str, str],
    official: bool,
    cell: ShowCell = plain_cell,
) -> Table:
    """Return a published table with a row for each of our models below it that has a score there.

    `ours` are models with their scores, `titles` those of columns that are named after tasks. A note says
    whether the rows compare.
    """
    theirs = [
        (
            model + PUBLISHED,
            *("–" if v is None else _as_printed(published, i, v) for i, v in enumerate(cells)),
        )
        for model, cells in published.rows.items()
    ]
    own = [row for model, scores in ours if (row := _our_row(published, model, scores, cell, official))]
    notes = [OFFICIAL if official else NOT_OFFICIAL] if own else []
    notes += [RANKED] if own and official and published.ranked_by else []
    return Table(
        title=published.title + (", published and ours" if own else ", published"),
        columns=("", *(titles.get(c, c) for c in published.columns)),
        rows=(*theirs, *own),
        notes=(*notes, *([published.note] if published.note else [])),
        groups=tuple(n for n in (len(theirs), len(own)) if n),
    )


def _as_printed(published: PublishedTable, column: int, value: float) -> str:
    """Return a published number with the decimals that its paper gives it, and more where it has more."""
    decimals = published.decimals[column] if published.decimals else decimals_of(published, column)
    own = len(f"{value:.12g}".partition(".")[2])
    return f"{value:.{max(decimals, own)}f}"


def _our_row(
    published: PublishedTable, model: str, scores: Sequence[Score], cell: ShowCell, official: bool
) -> tuple[str, ...]:
    """Return a model's row, () where it has no score for the table. Only rows that compare have ranks."""
    found = [find_score(scores, name, group) if name else None for name, group in published.ours]
    if not any(found):
        return ()
    cells = ["–" if score is None else cell(published, i, score) for i, score in enumerate(found)]
    for column, by in published.ranked_by.items() if official else ():
        score = found[published.columns.index(by)]
        if score is not None and score.value is not None:
            cells[published.columns.index(column)] = str(place_among(published, by, score.value))
    return (model, *cells)


def place_among(published: PublishedTable, column: str, value: float) -> int:
    """Return the place that a score of ours would have in a column of the published rows, 1 for the best.

    Ours is rounded as the paper's are; whoever has the same number shares the place.
    """
    k = published.columns.index(column)
    own = float(rounded(scale_of(published, k) * value, decimals_of(published, k)))
    theirs = (cells[k] for cells in published.rows.values())
    return 1 + sum(value is not None and value > own for value in theirs)
