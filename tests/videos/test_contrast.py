"""Objects on tables stand out from the top."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.assets.model import painted
from fathom.assets.tabletop.catalogue import TABLETOP, TOPS, tabletop_model
from fathom.scenes.videos.contrast import share_apart, stands_out
from fathom.scenes.videos.desktop import Desktop, draw_desktop

PLATE = TABLETOP["built-in:plate"]


def test_a_white_plate_does_not_lie_on_white_linen() -> None:
    apart = Desktop().contrast
    assert not stands_out(PLATE, "white", TOPS["linen"], apart)
    assert stands_out(PLATE, "white", TOPS["walnut"], apart) and stands_out(
        PLATE, "blue", TOPS["linen"], apart
    )


@settings(max_examples=20, deadline=None)
@given(st.tuples(*[st.floats(0, 1)] * 3))
def test_nothing_stands_out_from_its_own_colour(color: tuple[float, float, float]) -> None:
    model = painted(tabletop_model(TABLETOP["built-in:toy block"]), color)
    assert share_apart(model, color, 1e-6) == 0.0
    assert share_apart(model, color, 0.0) == pytest.approx(1.0)


def test_worlds_show_nothing_that_is_lost_on_its_table() -> None:
    for index in range(6):
        scene = draw_desktop(index, "contrast")
        (top,) = (e.removeprefix("top:") for e in scene.objects[0].asset.edits if e.startswith("top:"))
        for t in scene.objects[1:]:
            assert stands_out(TABLETOP[t.asset.name], t.attributes["color"], TOPS[top], Desktop().contrast)
