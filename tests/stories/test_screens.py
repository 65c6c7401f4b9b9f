"""Screens hide what stands in them from most sides, each from others; and nobody counts them."""

import math
from collections import Counter, defaultdict
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.model import BODY
from fathom.assets.props.catalogue import PROPS, SCREEN, SCREENS, prop_hash
from fathom.assets.props.screens import screen_model
from fathom.geometry.poses import heading_rad, pose_at
from fathom.programs.registry import OPERATORS, ProgramRun
from fathom.programs.views.animated import animated_view
from fathom.records import Pose, Scene, SceneObject
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.free_space import audit
from fathom.scenes.scene_at_time import Staging, limbs_of, models_at
from fathom.scenes.screening import OFF, SHOWN_DEG, Bay, open_enough, openings, shown_through
from fathom.scenes.visibility_grids import visibility_grid_of


def inside(scene: Scene) -> list[tuple[int, SceneObject, SceneObject]]:
    """Return what stands in a screen: its index, it, and the screen."""
    by_id = {t.id: t for t in scene.objects}
    return [
        (k, t, by_id[t.attributes["stands_in"]])
        for k, t in enumerate(scene.objects)
        if "stands_in" in t.attributes
    ]


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_stands_on_the_ground_open_ahead_and_has_no_nameable_colour(name: str) -> None:
    model = screen_model(name)
    assert model.extents[2] == pytest.approx(1.0, abs=0.02)
    assert model.triangles <= 2000
    points = np.concatenate([p.vertices for p in model.parts])
    assert points[:, 2].min() == pytest.approx(0.0, abs=0.02)
    ahead = points[(points[:, 0] > 0) & (points[:, 2] < 0.99 * SCREENS[name].opening)]
    assert np.abs(ahead[:, 1]).min() > 0.8
    assert all(min(p.material.color) > 0.5 and p.material.name != BODY for p in model.parts)
    assert name not in PROPS


def test_no_two_screens_have_one_shape() -> None:
    assert len({prop_hash(name) for name in SCREENS}) == len(SCREENS)


def test_half_the_props_of_most_stories_stand_in_screens(stories: tuple[Scene, ...]) -> None:
    shares = []
    for scene in stories:
        props = [t for t in scene.objects if t.id.startswith("prop")]
        shares.append(len(inside(scene)) / len(props))
        assert len({s.subtype for _, _, s in inside(scene)}) <= 1
        assert {s.id for _, _, s in inside(scene)} == {t.id for t in scene.objects if t.category == SCREEN}
    assert np.median(shares) >= 0.5


def test_without_a_hidden_share_nothing_is_hidden(library: AnimatedLibrary) -> None:
    for k in range(3):
        scene = draw_animated_scene(k, "bare", library, Staging(stage="props", views=4, hidden_share=0.0))
        assert not inside(scene)
        assert all(t.category != SCREEN for t in scene.objects)


def test_screens_of_a_story_open_outwards_and_to_different_shown_views(stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        found = [heading_rad(pose_at(s.poses, 0)) for _, _, s in inside(scene)]
        shown = Counter(shown_through(a) for a in found)
        assert len(shown) >= min(len(found), len(SHOWN_DEG)) - 1
        for (_, prop, _), opening in zip(inside(scene), found, strict=True):
            x, y, _ = prop.poses[0].position_m
            assert abs(math.remainder(math.atan2(y, x) - opening, 2 * math.pi)) < math.radians(80)


@given(st.lists(st.floats(-math.pi, math.pi), max_size=4), st.integers(0, 9))
def test_as_few_screens_as_can_be_open_to_the_same_view(bearings: list[float], seed: int) -> None:
    found = openings(np.random.default_rng(seed), bearings)
    shown = Counter(shown_through(a) for a in found)
    assert len(found) == len(bearings)
    assert len(shown) == min(len(bearings), len(SHOWN_DEG))
    for a in found:
        nearest = math.radians(SHOWN_DEG[shown_through(a)])
        assert abs(math.remainder(a - nearest, 2 * math.pi)) <= OFF + 1e-9


def test_a_screen_opens_to_the_view_that_lies_outwards_of_it() -> None:
    g = np.random.default_rng(0)
    assert [shown_through(a) for a in openings(g, [math.radians(b) for b in (5, 100, 250)])] == [0, 1, 2]


def test_a_story_is_refused_an_arrangement_in_which_one_screen_hides_another() -> None:
    def screen(k: int, x: float, y: float) -> SceneObject:
        return Bay("tent", math.radians(15), 0.2, 0.6).obj(k, x, y)

    assert open_enough([screen(0, 1.0, 0.0), screen(1, -1.0, 0.0)], 15.0)
    behind = screen(1, 1.0 - 0.5 * math.cos(math.radians(15)), -0.5 * math.sin(math.radians(15)))
    assert not open_enough([screen(0, 1.0, 0.0), behind], 15.0)


def test_what_stands_in_a_screen_is_clear_from_some_views_only(library: AnimatedLibrary) -> None:
    scenes = [
        draw_animated_scene(k, "hide", library, Staging(stage="props", kinds={"appearance": 1.0}))
        for k in (0, 1, 2)
    ]
    for scene in scenes:
        visibility = visibility_grid_of(
            scene, partial(models_at, scene, library), (0, 46), limbs_of(scene, library)
        )
        timeline = animated_view(scene, visibility)
        views = defaultdict(set)
        for k, _, _ in inside(scene):
            views[k] = set(np.flatnonzero(timeline.clear[:, :, k].any(axis=1)).tolist())
            assert 3 <= len(views[k]) <= 11
        assert not set.intersection(*views.values())
        assert timeline.clear[:, :, 0].any(axis=1).mean() > 0.5


def test_screens_are_there_but_nothing_is_asked_of_them(library: AnimatedLibrary) -> None:
    scene = draw_animated_scene(0, "hide", library, Staging(stage="props", views=4, kinds={"counting": 1.0}))
    visibility = visibility_grid_of(
        scene, lambda f: models_at(scene, library, f), (0,), limbs_of(scene, library)
    )
    timeline = animated_view(scene, visibility)
    drawn = {k for k, t in enumerate(scene.objects) if t.category == SCREEN}
    assert drawn
    assert visibility.px[:, :, sorted(drawn)].max() > 0
    for name in ("things", "standing", "carried"):
        assert not drawn & set(OPERATORS[name][0].act(ProgramRun(timeline), (), ()))


def test_the_audit_sees_a_prop_that_stands_in_a_wall(
    library: AnimatedLibrary, stories: tuple[Scene, ...]
) -> None:
    scene = next(s for s in stories if inside(s))
    _, prop, screen = inside(scene)[0]
    opening = heading_rad(pose_at(screen.poses, 0))
    x, y, z = prop.poses[0].position_m
    back = max(screen.size_m[:2])
    at = (x - back * math.cos(opening), y - back * math.sin(opening), z)
    moved = SceneObject(
        **{n: getattr(prop, n) for n in prop.__struct_fields__ if n != "poses"},
        poses=(Pose(position_m=at, rotation_wxyz=prop.poses[0].rotation_wxyz),),
    )
    objects = tuple(moved if t.id == prop.id else t for t in scene.objects)
    changed = Scene(
        **{n: getattr(scene, n) for n in scene.__struct_fields__ if n != "objects"}, objects=objects
    )
    assert audit(scene, library, step=24).crossing == 0
    assert audit(changed, library, step=24).crossing >= 1
