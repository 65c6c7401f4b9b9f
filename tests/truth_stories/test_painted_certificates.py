"""Whoever sees cells that meet all needs of a question about paint that comes can prove its answer."""

from __future__ import annotations

import math

import pytest

from fathom.programs.engine import traced
from fathom.programs.needs import needs_of
from fathom.programs.operators.patches import patch_cells
from fathom.programs.painted import since
from fathom.programs.views.animated import AnimatedView
from fathom.store.seeds import rng
from fathom.verify.engine import derived_text
from tests.stories_questions.test_certificates import Shown, drawn_cells
from tests.truth_stories.test_patches import CAME, COLORS, FEW, coming
from tests.truth_stories.yard import first_answer, program

ORDER = ("red patch", "yellow patch", "blue patch")
"""The patches that come, one after another; the purple one is there from the start."""

DRAWS = 25
THERE = (
    ("patches_there start", FEW, "1"),
    ("patches_there halfway", FEW, "3"),
    ("patches_there end", FEW, "4"),
)


def bounds(timeline: AnimatedView, name: str, shown: Shown) -> tuple[float, float]:
    """Return the last frame at which a patch is seen bare, and the first at which it is seen painted."""
    cells, came = patch_cells(timeline, name), since(timeline, name)
    seen = [frame for view, frame in shown if cells[view, timeline.visibility.at(frame)]]
    bare, painted = [f for f in seen if f < came], [f for f in seen if f >= came]
    return max(bare, default=-math.inf), min(painted, default=math.inf)


def proves(timeline: AnimatedView, text: str, shown: Shown) -> bool:
    """Return whether cells leave no other answer open."""
    known = {name: bounds(timeline, name, shown) for name in ORDER}

    def surely(one: str, other: str) -> bool:
        return known[one][1] <= known[other][0]

    red, yellow, blue = ORDER
    if text == "patch_order|first":
        return surely(red, yellow) and surely(red, blue)
    if text == "patch_order|last":
        return surely(red, blue) and surely(yellow, blue) and math.isfinite(known[blue][1])
    if text == "patch_then|red_patch":
        return surely(red, yellow) and surely(yellow, blue)
    if text == "patches_come":
        return all(math.isfinite(low) and math.isfinite(high) for low, high in known.values())
    at = {"start": 0, "halfway": 24, "end": timeline.frames - 1}[text.split(" ")[1]]
    return all(high <= at if since(timeline, n) <= at else low >= at for n, (low, high) in known.items())


@pytest.mark.parametrize(
    ("text", "choices", "wanted"),
    [
        *(
            c
            for c in CAME
            if c[0] in ("patch_order|first", "patch_order|last", "patch_then|red_patch", "patches_come")
        ),
        *THERE,
    ],
)
def test_any_least_set_of_cells_proves_what_comes_when(
    text: str, choices: tuple[str, ...], wanted: str
) -> None:
    timeline, _ = coming()
    steps = program(text, *choices)
    assert first_answer(steps, timeline) == wanted
    needs = needs_of(steps, traced(steps, timeline), timeline)
    drawn = [drawn_cells(needs, rng("paint", text, k)) for k in range(DRAWS)]
    assert all(proves(timeline, text, shown) for shown in drawn), COLORS


@pytest.mark.parametrize(("text", "choices", "wanted"), THERE)
def test_both_derivations_count_the_paint_of_a_time(text: str, choices: tuple[str, ...], wanted: str) -> None:

    timeline, film = coming()
    assert (
        derived_text(program(text, *choices), film)
        == wanted
        == first_answer(program(text, *choices), timeline)
    )
