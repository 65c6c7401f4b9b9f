"""The generator keeps what it promises: uniform draws, no crossing footprints, everything in sight."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from fathom.assets.libraries import Library, built_in_library
from fathom.geometry.boxes import footprint
from fathom.geometry.poses import heading_rad
from fathom.records import Environment, InputError, Scene, UnfitError
from fathom.scenes.census import census, tally
from fathom.scenes.placed_models import models_of
from fathom.scenes.scatter import draw_objects, draw_scene
from fathom.scenes.scatter_settings import Scatter
from fathom.settings import with_settings

SETTINGS = Scatter()


@pytest.fixture(scope="module")
def library() -> Library:
    return built_in_library()


@pytest.fixture(scope="module")
def scenes(library: Library) -> list[Scene]:
    return [draw_scene(k, "test", library, SETTINGS, lambda _: Environment(name="sky")) for k in range(6)]


def test_the_same_names_give_the_same_scene_whatever_was_drawn_before(
    library: Library, scenes: list[Scene]
) -> None:
    assert draw_scene(3, "test", library, SETTINGS, lambda _: Environment(name="sky")) == scenes[3]


def test_no_two_footprints_cross_even_a_tenth_larger(scenes: list[Scene]) -> None:
    for scene in scenes:
        rings = [
            footprint(
                *t.poses[0].position_m[:2],
                heading_rad(t.poses[0]),
                t.size_m[0],
                t.size_m[1],
                SETTINGS.inflate,
            )
            for t in scene.objects
        ]
        for i, a in enumerate(rings):
            for b in rings[:i]:
                assert not any_edges_cross(a, b)


def any_edges_cross(a: np.ndarray, b: np.ndarray) -> bool:
    """The paper's own test: edges and diagonals of one rectangle against those of the other."""

    def segments(r: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(r[i], r[j]) for i, j in ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))]

    def turn(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> bool:
        return bool((r[1] - p[1]) * (q[0] - p[0]) > (q[1] - p[1]) * (r[0] - p[0]))

    return any(
        turn(p, r, s) != turn(q, r, s) and turn(p, q, r) != turn(p, q, s)
        for p, q in segments(a)
        for r, s in segments(b)
    )


def test_everything_can_be_made_out(scenes: list[Scene]) -> None:
    for scene in scenes:
        for s in scene.visibility:
            assert s.visible_px >= SETTINGS.min_visible_px
            assert s.visible_px >= SETTINGS.min_visible_fraction * s.full_px
            assert s.visible_px >= SETTINGS.small_fraction * min(s.full_px, SETTINGS.small_px)


def test_two_wheelers_show_more_of_themselves(scenes: list[Scene]) -> None:
    thin = [
        s for x in scenes for t, s in zip(x.objects, x.visibility, strict=True) if t.category in SETTINGS.thin
    ]
    assert thin
    assert all(s.visible_px >= SETTINGS.thin_fraction * s.full_px for s in thin)


def test_nothing_is_cut_off_by_the_pictures_edge(scenes: list[Scene]) -> None:
    for scene in scenes:
        assert all(s.amodal_px >= SETTINGS.min_inside_fraction * s.full_px for s in scene.visibility)


def clearly_hidden(scenes: list[Scene]) -> int:
    """How many pairs there are in which one object hides 4 % of another or more."""
    return sum(c.seen_px >= 0.04 * s.amodal_px for x in scenes for s in x.visibility for c in s.covers)


def test_pairs_that_hide_each_other_are_sought_and_nothing_else_changes(
    library: Library, scenes: list[Scene]
) -> None:
    by_chance = [
        draw_scene(k, "test", library, replace(SETTINGS, occlusion=0), lambda _: Environment(name="sky"))
        for k in range(len(scenes))
    ]
    assert clearly_hidden(scenes) > clearly_hidden(by_chance)
    for sought, other in zip(scenes, by_chance, strict=True):
        assert [(t.subtype, t.attributes, t.poses[0].rotation_wxyz) for t in sought.objects] == [
            (t.subtype, t.attributes, t.poses[0].rotation_wxyz) for t in other.objects
        ]


def test_attributes_and_headings_do_not_depend_on_what_fits(library: Library) -> None:
    narrow = replace(SETTINGS, half_extent_m=2.0, min_visible_fraction=0.9)
    assert draw_objects("s", "scene-000001", library, SETTINGS) == draw_objects(
        "s", "scene-000001", library, narrow
    )


def test_models_are_as_large_as_the_scene_says(library: Library, scenes: list[Scene]) -> None:
    for scene in scenes[:2]:
        for obj, model in zip(scene.objects, models_of(scene, library).values(), strict=True):
            assert model.extents == pytest.approx(obj.size_m, abs=1e-5)


def test_a_world_that_cannot_be_is_refused_with_the_remedy(library: Library) -> None:
    crowded = replace(SETTINGS, fewest=10, most=10, half_extent_m=1.8, tries=3)
    with pytest.raises(UnfitError, match=r"could not be placed .* use fewer or smaller objects"):
        draw_scene(0, "test", library, crowded, lambda _: Environment(name="sky"))


def test_more_at_least_than_at_most_is_refused() -> None:
    with pytest.raises(InputError, match="fewest=9 and most=3: expected no fewer at most"):
        with_settings(SETTINGS, {"fewest": "9", "most": "3"})


def test_more_than_there_is_ground_for_is_refused_before_it_is_searched(library: Library) -> None:
    full = replace(SETTINGS, fewest=100, most=100, tries=10**6)
    with pytest.raises(UnfitError, match=r"100 objects of these sizes would cover \d+ of \d+ m²"):
        draw_scene(0, "test", library, replace(full, crowded_growth=1.0), lambda _: Environment(name="sky"))


def test_every_attribute_and_heading_is_uniform(library: Library) -> None:
    drawn = [draw_objects("census", f"scene-{k:06d}", library, SETTINGS) for k in range(400)]
    scenes = [
        Scene(
            id=str(k),
            generator="",
            version="",
            seed="",
            objects=t,
            cameras=(),
            environment=Environment(name=""),
        )
        for k, t in enumerate(drawn)
    ]
    subtypes = [s for _, s in library.subtypes()]
    found = census(scenes, subtypes, list(SETTINGS.sizes), SETTINGS.colors, SETTINGS.fewest, SETTINGS.most)
    assert [c.name for c in found] == ["objects", "subtype", "size", "color", "heading"]
    for c in found:
        assert c.p_value > 0.001, c


def test_the_uniformity_test_finds_a_planted_preference() -> None:
    fair = tally("x", [str(k % 4) for k in range(400)], list("0123"))
    assert fair.p_value == pytest.approx(1.0)
    skewed = tally("x", list(Counter({"0": 140, "1": 90, "2": 90, "3": 80}).elements()), list("0123"))
    assert skewed.p_value < 0.001
