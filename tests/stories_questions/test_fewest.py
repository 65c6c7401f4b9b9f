"""The smallest sets of cells, views and times that meet all needs, against trying every set."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.programs.fewest import cells_in, fewest_cells, fewest_times, fewest_views, smallest_cover
from fathom.programs.needs import met, one_time_is_enough, one_view_is_enough
from fathom.records import Need

VIEWS, FRAMES = 3, 4

frames = st.sets(st.integers(0, FRAMES - 1), min_size=1, max_size=2)
need = st.dictionaries(st.integers(0, VIEWS - 1), frames, min_size=1, max_size=2).map(
    lambda cells: Need(what="", cells={v: ",".join(map(str, sorted(f))) for v, f in cells.items()})
)


@settings(deadline=None, max_examples=60)
@given(st.lists(need, min_size=1, max_size=5))
def test_no_smaller_set_of_cells_is_enough(needs: list[Need]) -> None:
    every = sorted({cell for n in needs for cell in cells_in(n)})

    def enough(count: int) -> bool:
        sets = combinations(every, count)
        return any(met(needs, {v: [f for w, f in some if w == v] for v, _ in some}) for some in sets)

    found = fewest_cells(needs)
    assert enough(found) and not enough(found - 1)
    assert (fewest_views(needs) == 1) == one_view_is_enough(needs)
    assert (fewest_times(needs) == 1) == one_time_is_enough(needs)
    assert max(fewest_views(needs), fewest_times(needs)) <= found <= len(needs)


def test_what_nothing_meets_has_no_smallest_set() -> None:
    assert smallest_cover([0b01], 0b11) == 0
    assert smallest_cover([], 0) == 0
    assert smallest_cover([0b011, 0b110, 0b101], 0b111) == 2
