"""What stands about an actor leaves it to be seen, fills the picture, and is told apart at all times."""

from collections import Counter
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary
from fathom.assets.model import Model
from fathom.assets.props.catalogue import GROUND, PROPS, SCREEN, props_for
from fathom.geometry.cameras import project
from fathom.geometry.poses import pose_at
from fathom.records import Scene, SceneObject
from fathom.scenes import attachment_visibility
from fathom.scenes.actions import shown_clips
from fathom.scenes.animated_assets import hovers
from fathom.scenes.animated_scenes import draft_of, draw_animated_scene
from fathom.scenes.attachment_visibility import SIDES, worn_in_sight
from fathom.scenes.framing import MARGIN, behind, framed
from fathom.scenes.free_space import FreeSpace, surface_points
from fathom.scenes.prop_placement import FRONT_RAD
from fathom.scenes.proportions import height_of
from fathom.scenes.scene_at_time import TINTS, Staging, limbs_of, models_at
from fathom.scenes.screening import Bay
from fathom.scenes.state_changes import looks_of
from fathom.scenes.visibility_grids import visibility_grid_of

FRONT = [k for k in range(24) if abs(np.angle(np.exp(2j * np.pi * k / 24))) <= FRONT_RAD + 1e-9]
FRAMES = (0, 18, 40)


def only(scene: Scene, *categories: str) -> Scene:
    """Return a scene with its actor, and of the rest what is of some categories."""
    kept = tuple(t for t in scene.objects if t.id == "actor" or t.category in categories)
    out: Scene = msgspec.structs.replace(scene, objects=kept)
    return out


@pytest.fixture(scope="module")
def filmed(library: AnimatedLibrary) -> tuple[Scene, ...]:
    """Stories with all views, one of each actor, small."""
    return tuple(
        draw_animated_scene(k, "stage", library, Staging(stage="props", size_px=128)) for k in range(4)
    )


def hidden(scene: Scene, library: AnimatedLibrary) -> np.ndarray:
    """Return which share of the actor something else hides, (V, frames)."""
    visibility = visibility_grid_of(
        scene, partial(models_at, scene, library), FRAMES, limbs_of(scene, library), scale=1
    )
    return np.asarray(1 - visibility.px[:, :, 0] / np.maximum(visibility.alone_px[:, :, 0], 1))


def test_no_screen_stands_before_the_actor_from_its_front_nor_from_most_sides(
    library: AnimatedLibrary, filmed: tuple[Scene, ...]
) -> None:
    for scene in filmed:
        assert any(t.category == SCREEN for t in scene.objects)
        share = hidden(only(scene, SCREEN), library)
        assert share[FRONT].max() < 0.06
        assert (share.max(axis=1) < 0.15).mean() > 0.5


def test_props_in_the_open_hide_little_of_the_actor_from_its_front(
    library: AnimatedLibrary, filmed: tuple[Scene, ...]
) -> None:
    for scene in filmed:
        stand = [t for t in scene.objects if "worn_on" not in t.attributes and "held_in" not in t.attributes]
        assert hidden(msgspec.structs.replace(scene, objects=tuple(stand)), library)[FRONT].max() < 0.2


def test_screens_hide_all_of_what_stands_in_them_from_behind(
    library: AnimatedLibrary, filmed: tuple[Scene, ...]
) -> None:
    for scene in filmed:
        shown = only(scene, SCREEN, "prop")
        visibility = visibility_grid_of(
            shown, partial(models_at, shown, library), FRAMES, limbs_of(shown, library), scale=1
        )
        inside = [k for k, t in enumerate(shown.objects) if "stands_in" in t.attributes]
        for k in inside:
            share = visibility.px[:, :, k] / np.maximum(visibility.alone_px[:, :, k], 1)
            assert (share.max(axis=1) < 0.02).sum() >= 11


def test_no_two_objects_are_ever_of_one_kind_and_colour(stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        each = [looks_of([t]) for t in scene.objects if t.category == "prop"]
        counted = Counter(look for looks in each for look in looks)
        assert max(counted.values()) == 1, scene.source


def test_props_do_not_have_the_colour_of_the_actor(stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        actor = scene.objects[0].attributes["color"]
        for obj in scene.objects[1:]:
            if actor and obj.category == "prop" and obj.attributes.get("worn_on") != "belly":
                assert actor not in {color for _, color in looks_of([obj])}


@given(st.integers(0, 10**6), st.floats(0.2, 3.0), st.floats(0.0, 2.0))
@settings(max_examples=25, deadline=None)
def test_a_frame_holds_everything_with_as_much_free_above_as_below(
    seed: int, high: float, aside: float
) -> None:
    points = np.random.default_rng(seed).normal(size=(60, 3)) * (1.0, 1.0, high) + (aside, -aside, 0.0)
    staging = Staging(stage="props", views=12, size_px=100)
    pixels = np.concatenate([project(c, points)[0] for c in framed(points, staging)])
    low, top = pixels.min(axis=0), pixels.max(axis=0)
    assert low.min() >= 100 * MARGIN - 1e-3
    assert top.max() <= 100 * (1 - MARGIN) + 1e-3
    assert low[1] == pytest.approx(100 - top[1], abs=0.1)
    assert min(low.min(), 100 - top.max()) == pytest.approx(100 * MARGIN, abs=0.1)


def test_an_empty_ground_aside_does_not_move_the_objects_out_of_the_middle() -> None:
    points = np.random.default_rng(0).normal(size=(200, 3))
    near, far = (
        framed(points + np.array([x, 0.0, 0.0]), Staging(stage="props", views=6)) for x in (0.0, 7.0)
    )
    for a, b in zip(near, far, strict=True):
        moved = np.subtract(b.poses[0].position_m, a.poses[0].position_m)
        assert moved == pytest.approx((7.0, 0.0, 0.0), abs=0.05)


def test_a_screen_between_eye_and_points_hides_them_and_one_beside_does_not() -> None:
    points, eyes = np.array([[0.0, 0.0, 0.2], [0.0, 0.0, 2.0]]), np.array([[10.0, 0.0, 1.0]])

    def at(x: float, y: float) -> SceneObject:
        return Bay("alcove", 0.3, 0.4, 0.8).obj(0, x, y)

    assert behind(points, eyes, [at(2.0, 0.0)], [0.4]).tolist() == [0.5]
    assert behind(points, eyes, [at(2.0, 1.0)], [0.4]).tolist() == [0.0]
    assert behind(points, eyes, [at(-2.0, 0.0)], [0.4]).tolist() == [0.0]


def test_nothing_stands_under_what_hovers_and_it_keeps_low(
    library: AnimatedLibrary, stories: tuple[Scene, ...]
) -> None:
    afloat = [s for s in stories if hovers(library.asset(s.objects[0].asset.name))]
    afloat = [s for s in afloat if all(t.attributes.get("worn_on") != "belly" for t in s.objects)]
    assert len(afloat) >= 3
    for scene in afloat:
        bodies = [
            surface_points(models_at(scene, library, f)["actor"], pose_at(scene.objects[0].poses, f))
            for f in range(0, len(scene.times_s), 2)
        ]
        body = np.concatenate(bodies)
        worn = [
            surface_points(models_at(scene, library, f)[t.id], pose_at(t.poses, f))
            for f in range(0, len(scene.times_s), 2)
            for t in scene.objects
            if {"worn_on", "held_in"} & set(t.attributes)
        ]
        assert 0.0 < np.concatenate([body, *worn])[:, 2].min() < 0.2 * max(scene.objects[0].size_m)
        for obj in scene.objects[1:]:
            if obj.id.startswith("prop") and "stands_on" not in obj.attributes:
                x, y, _ = obj.poses[0].position_m
                assert np.hypot(body[:, 0] - x, body[:, 1] - y).min() > 0.3 * max(obj.size_m[:2])


def test_a_clearing_keeps_what_is_aloft_free_beneath_on_request() -> None:
    points = np.array([[0.0, 0.0, 3.0]])
    assert FreeSpace(points, 0.1).free(0.0, 0.0, 0.5, 1.0)
    assert not FreeSpace(points, 0.1, beneath=False).free(0.0, 0.0, 0.5, 1.0)


def test_no_prop_is_tiny_beside_another() -> None:
    highs = [height_of(p.name) * p.relative_size for p in props_for(GROUND)]
    assert min(highs) > 0.28
    assert max(highs) < 2.2 * min(highs)


def test_what_falls_may_do_so_at_any_time(library: AnimatedLibrary) -> None:
    dog = next(a for a in library.assets if isinstance(a, AnimatedAsset) and a.noun == "dog")
    clips = tuple(replace(c, verb="fall") if c.verb == "sit" else c for c in dog.clips)
    library = AnimatedLibrary("one", (replace(dog, clips=clips),))
    acts = [
        draft_of(k, "falls", library, Staging(stage="props", kinds={"temporal": 1.0})).acts for k in range(60)
    ]
    places = Counter(
        k == len(a) - 1 for a in acts if len(a) > 1 for k, act in enumerate(a) if act.clip.verb == "fall"
    )
    assert places[False] >= 3
    assert places[True] >= 2
    assert sum(places.values()) < 0.4 * len(acts)


def test_a_clip_that_ends_edge_on_is_not_shown(library: AnimatedLibrary) -> None:
    robot = next(a for a in library.assets if a.noun == "robot")
    assert {c.name for c in robot.clips} - {c.name for c in shown_clips(robot)} == {"Death"}


def test_changes_come_at_other_times_in_every_film(library: AnimatedLibrary) -> None:
    moments = Counter(
        m
        for k in range(50)
        for m in draft_of(k, "moments", library, Staging(stage="props", kinds={"spatial": 1.0})).moments
    )
    assert set(moments) >= set(range(6, 40, 2))
    assert max(moments.values()) < 0.2 * sum(moments.values())


def test_what_is_worn_inside_the_body_is_not_in_sight(
    library: AnimatedLibrary, stories: tuple[Scene, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = next(s for s in stories if any(t.attributes.get("worn_on") == "head" for t in s.objects))
    actor = scene.objects[0]
    hat = next(t for t in scene.objects if t.attributes.get("worn_on") == "head")
    models: list[Model] = [models_at(scene, library, f)["actor"] for f in range(len(scene.times_s))]
    clouds = [surface_points(models[f], pose_at(actor.poses, f)) for f in FRAMES]
    middles = [
        msgspec.structs.replace(p, position_m=tuple(float(v) for v in np.median(clouds[0], axis=0)))
        for p in hat.poses
    ]
    within = msgspec.structs.replace(hat, id="within", size_m=(0.01, 0.01, 0.01), poses=tuple(middles))
    swept = np.concatenate(clouds)
    on_top, inside = worn_in_sight(actor, (hat, within), models, swept, Staging(stage="props"))
    assert on_top >= SIDES > inside == 0.0
    stage = Staging(stage="props")
    small, _ = worn_in_sight(actor, (hat, within), models, swept, stage, least_share=0.5)
    assert small == 0.0, "what takes up less of every picture than it should does not show from any side"

    def seen(*largest_px: int) -> float:
        """Return what is found of a hat that is so large in the largest picture of each time."""
        px = np.zeros((12, len(largest_px), 2), dtype=np.int32)
        px[:, :, 1] = 10
        px[3, :, 1] = largest_px
        monkeypatch.setattr(attachment_visibility, "visibility_grid_of", lambda *_, **__: grid_of(px))
        (found,) = worn_in_sight(actor, (hat,), models, swept, stage, least_share=0.01)
        return found

    assert seen(100, 300, 200) == 1.0 and seen(200, 250, 255) == 0.0, "at one of the times it is as large"


def grid_of(px: np.ndarray) -> SimpleNamespace:
    return SimpleNamespace(px=px, alone_px=px)


def test_grey_is_half_way_between_black_and_white() -> None:
    assert all(0.4 < v < 0.6 for v in TINTS["gray"])
    assert len(PROPS) == len({p.name for p in PROPS.values()})
