"""The colour of an actor as a whole is that of most of what shows of it, named or not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.counterfactuals import main_part, part_colors
from fathom.scenes.overall_colors import visible_shares, whole_color
from fathom.scenes.scene_at_time import Staging

DOG, FISH = (built_in_animated().asset(name) for name in ("Dog", "Fish"))


def test_shares_of_what_shows_are_of_all_parts_and_add_up() -> None:
    shares = visible_shares(DOG)
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares, key=lambda name: shares[name]) == "coat"
    assert shares["coat"] > 0.7


def test_an_actor_has_no_color_where_its_largest_part_has_none() -> None:
    # Nobody has said what the coat is, and the black ears are the largest part that somebody named.
    nameless = replace(DOG, parts=tuple(p for p in DOG.parts if p.word != "coat"))
    colors = part_colors(nameless)
    assert colors[main_part(nameless)]
    assert whole_color(nameless, colors) == ""
    timeline = draw_animated_scene(
        0, "looks", AnimatedLibrary("one", (nameless,)), Staging(stage="props", views=4, size_px=64)
    )
    assert timeline.objects[0].attributes["color"] == ""
    assert whole_color(DOG, part_colors(DOG)) == "brown"


def test_an_actor_of_which_two_colors_show_has_both_the_larger_one_first() -> None:
    asset = FISH
    assert whole_color(asset, {"scales": "yellow", "fins": "blue", "band": "white"}) == "yellow and blue"
    assert whole_color(asset, {"scales": "blue", "fins": "blue"}) == "blue"
    assert whole_color(asset, {"fins": "blue"}) == ""
