"""The place of our scores among published rows: as the paper counts its own, and only where rows compare."""

from __future__ import annotations

import pytest

from fathom.benchmarks.seedbench.paper import ACCURACY
from fathom.pages.published import RANKED, beside_published, place_among
from fathom.records import Score

PARTS = ("Spatial", "Temporal", "Overall")


def overall(value: float) -> list[Score]:
    return [Score(name="accuracy", value=value, n=100, method="mean")]


@pytest.mark.parametrize("part", PARTS)
def test_every_published_row_gets_the_rank_that_the_paper_prints(part: str) -> None:
    value, rank = (ACCURACY.columns.index(c) for c in (part, f"{part} rank"))
    for cells in ACCURACY.rows.values():
        shown = cells[value]
        assert shown is not None
        assert place_among(ACCURACY, part, shown / 100) == cells[rank]


@pytest.mark.parametrize(
    ("value", "place"), [(0.99, 1), (0.5337, 1), (0.53368, 1), (0.5336, 2), (0.40, 5), (0.1, 19)]
)
def test_ours_has_the_place_of_its_rounded_value(value: float, place: int) -> None:
    assert place_among(ACCURACY, "Overall", value) == place


def test_ranks_stand_where_rows_compare_and_nowhere_else() -> None:
    for official in (True, False):
        table = beside_published(ACCURACY, [("ours", overall(0.40))], {}, official)
        row = dict(zip(table.columns, table.rows[-1], strict=True))
        assert row["Overall"] == "40.00"
        assert row["Overall rank"] == ("5" if official else "–")
        assert row["Spatial rank"] == "–"
        assert (RANKED in table.notes) == official
