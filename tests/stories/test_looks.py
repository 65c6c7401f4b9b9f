"""The colour of an actor as a whole is that of most of what shows of it, named or not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.model import Part
from fathom.scenes import overall_colors
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.counterfactuals import part_colors
from fathom.scenes.overall_colors import painted_in, unnamed_colors, visible_shares, whole_color
from fathom.scenes.scene_at_time import Staging

DOG, FISH = (built_in_animated().asset(name) for name in ("Dog", "Fish"))


def test_shares_of_what_shows_are_of_all_parts_and_add_up() -> None:
    shares = visible_shares(DOG)
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares, key=lambda name: shares[name]) == "coat"
    assert shares["coat"] > 0.7


def test_what_nobody_named_has_the_color_that_it_is_painted_in() -> None:
    # Nobody has said what the coat is.
    nameless = replace(DOG, parts=tuple(p for p in DOG.parts if p.word != "coat"))
    assert whole_color(nameless, part_colors(nameless)) == ""
    ((coat, color),) = ((n, c) for n, c in unnamed_colors(nameless).items() if n not in unnamed_colors(DOG))
    assert color == "brown"
    assert whole_color(nameless, unnamed_colors(nameless) | part_colors(nameless)) == "brown"
    timeline = draw_animated_scene(
        0, "looks", AnimatedLibrary("one", (nameless,)), Staging(stage="props", views=4, size_px=64)
    )
    actor = timeline.objects[0]
    assert actor.attributes["color"] == "brown"
    assert actor.parts[coat] == {"color": "brown"}


def test_an_actor_has_no_color_where_its_largest_part_has_none() -> None:
    assert whole_color(DOG, {**part_colors(DOG), "coat": ""}) == ""
    assert whole_color(DOG, part_colors(DOG)) == "brown"


def test_an_actor_of_which_two_colors_show_has_both_the_larger_one_first() -> None:
    asset = FISH
    assert whole_color(asset, {"scales": "yellow", "fins": "blue", "band": "white"}) == "yellow and blue"
    assert whole_color(asset, {"scales": "blue", "fins": "blue"}) == "blue"
    assert whole_color(asset, {"fins": "blue"}) == ""


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((200, 40, 30), "red"),
        ((150, 100, 50), "brown"),
        ((157, 68, 41), ""),  # rust: brown, or red
        ((123, 65, 39), "brown"),
        ((240, 220, 40), "yellow"),
        ((168, 168, 120), ""),  # bone, or khaki
        ((96, 120, 96), ""),  # gray, or green
        ((72, 72, 72), ""),  # gray, or black
        ((150, 150, 150), "gray"),
        ((250, 250, 250), "white"),
    ],
)
def test_a_paint_has_a_name_only_where_people_would_agree_on_one(
    rgb: tuple[float, float, float], name: str
) -> None:
    part = DOG.model_at("", 0.0).parts[0]
    red, green, blue = (c / 255 for c in rgb)
    material = replace(part.material, color=(red, green, blue), texture=None)
    assert set(painted_in(replace(part, material=material, vertex_colors=None))) == {name}


def test_what_is_painted_in_two_colors_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    nameless = replace(DOG, parts=tuple(p for p in DOG.parts if p.word != "coat"))

    def painted(share: float) -> int:
        def of(part: Part) -> list[str]:
            count = len(part.faces)
            return ["red"] * int(share * count) + ["green"] * (count - int(share * count))

        monkeypatch.setattr(overall_colors, "painted_in", of)
        overall_colors.unnamed_colors.cache_clear()
        return len(overall_colors.unnamed_colors(nameless))

    assert painted(0.97) and not painted(0.6)
    monkeypatch.undo()
    overall_colors.unnamed_colors.cache_clear()
