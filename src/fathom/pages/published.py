"""A published table with rows of ours below the published ones, in a terminal and on a page alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from fathom.pages.tables import Table, per_cent
from fathom.records import PublishedTable, Score

NOT_OFFICIAL = "comparable only where the dataset is the imported official one"
OFFICIAL = "the dataset is the imported official one: rows compare where the reading policy is the paper's"
PUBLISHED = ", published"

WHOLE: Mapping[str, str] = MappingProxyType({})
"""The group of a score over everything."""


def find_score(scores: Sequence[Score], name: str, group: Mapping[str, str] = WHOLE) -> Score | None:
    """Return the score of this name and exactly this group, None where there is none."""
    return next((s for s in scores if s.name == name and s.group == group), None)


def plain_cell(published: PublishedTable, score: Score) -> str:
    """Return a score as its paper prints such numbers, without an interval."""
    if score.value is None:
        return "–"
    return per_cent(score.value, 2) if published.per_cent else f"{score.value:.3f}"


def beside_published(
    published: PublishedTable,
    ours: Sequence[tuple[str, Sequence[Score]]],
    titles: Mapping[str, str],
    official: bool,
    cell: Callable[[PublishedTable, Score], str] = plain_cell,
) -> Table:
    """Return a published table with a row for each of our models below it that has a score there.

    `ours` are models with their scores, `titles` those of columns that are named after tasks. A note says
    whether the rows compare.
    """
    digits = 2 if published.per_cent else 3
    theirs = [
        (model + PUBLISHED, *("–" if v is None else f"{v:.{digits}f}" for v in cells))
        for model, cells in published.rows.items()
    ]
    own = [row for model, scores in ours if (row := _our_row(published, model, scores, cell))]
    notes = [OFFICIAL if official else NOT_OFFICIAL] if own else []
    return Table(
        title=published.title + (", published and ours" if own else ", published"),
        columns=("", *(titles.get(c, c) for c in published.columns)),
        rows=(*theirs, *own),
        notes=(*notes, *([published.note] if published.note else [])),
        groups=tuple(n for n in (len(theirs), len(own)) if n),
    )


def _our_row(
    published: PublishedTable,
    model: str,
    scores: Sequence[Score],
    cell: Callable[[PublishedTable, Score], str],
) -> tuple[str, ...]:
    """Return a model's row, () where it has no score for the table."""
    found = [find_score(scores, name, group) if name else None for name, group in published.ours]
    if not any(found):
        return ()
    return (model, *("–" if score is None else cell(published, score) for score in found))
