"""Films of the object alone: no props and no screens, only what it wears or carries."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.geometry.poses import heading_rad
from fathom.ground_truth.cells import views_looked_at
from fathom.records import InputError, Scene
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.props import is_grown
from fathom.scenes.scene_at_time import ACTOR, Staging, limbs_of, models_at
from fathom.scenes.visibility_grids import grid_of, visibility_grid_of
from fathom.settings import with_settings

ALONE = Staging(views=4, stage="alone")


@pytest.fixture(scope="module")
def alone(library: AnimatedLibrary) -> tuple[Scene, ...]:
    return tuple(draw_animated_scene(k, "alone", library, ALONE) for k in range(12))


def test_nothing_stands_about_and_only_what_grows_on_it_comes_or_goes(
    alone: tuple[Scene, ...],
) -> None:
    for scene in alone:
        first, *others = scene.objects
        assert first.id == ACTOR and first.animations and not first.events
        assert all({"worn_on", "held_in"} & set(o.attributes) for o in others)
        assert all(is_grown(o) or not o.events for o in others)
    events = [e.what for scene in alone for o in scene.objects for e in o.events]
    assert set(events) == {"appears", "vanishes"}


def test_the_object_is_large_in_the_picture_and_wholly_in_it(
    alone: tuple[Scene, ...], library: AnimatedLibrary
) -> None:
    for scene in alone[:4]:
        grid = visibility_grid_of(
            scene,
            partial(models_at, scene, library),
            grid_of(len(scene.times_s), 8),
            limbs_of(scene, library),
        )
        boxes = grid.boxes[:, :, 0]
        assert 0.5 <= (boxes[..., 2:] - boxes[..., :2]).max() / ALONE.size_px <= 0.81
        assert boxes.min() >= 0 and boxes.max() <= ALONE.size_px


def test_what_it_does_does_not_hang_on_the_stage(alone: tuple[Scene, ...], library: AnimatedLibrary) -> None:
    staged = [draw_animated_scene(k, "alone", library, replace(ALONE, stage="props")) for k in range(4)]
    assert [s.objects[0].asset.name for s in staged] == [s.objects[0].asset.name for s in alone[:4]]
    assert any(o.id.startswith("prop") for s in staged for o in s.objects)


def azimuths_deg(scene: Scene) -> Any:
    """Return where each camera stands around what all look at, in degrees from world +x."""
    eyes = np.array([c.poses[0].position_m[:2] for c in scene.cameras])
    out = eyes - eyes.mean(axis=0)
    return np.degrees(np.arctan2(out[:, 1], out[:, 0])) % 360


def test_cameras_begin_anywhere_around_it_and_stand_evenly(
    alone: tuple[Scene, ...], library: AnimatedLibrary
) -> None:
    first = [float(azimuths_deg(s)[0]) for s in alone]
    assert len({round(a) for a in first}) > 8 and {int(a // 90) for a in first} == {0, 1, 2, 3}
    for scene in alone[:3]:
        assert np.allclose(np.diff(azimuths_deg(scene)) % 360, 90, atol=1e-3)
    staged = draw_animated_scene(0, "alone", library, replace(ALONE, stage="props"))
    assert (azimuths_deg(staged)[0] + 1) % 360 == pytest.approx(1, abs=1e-3)


def test_the_truth_has_all_views_from_each_side_wherever_cameras_begin(library: AnimatedLibrary) -> None:
    for index in (0, 1):
        scene = draw_animated_scene(index, "alone", library, replace(ALONE, views=24))
        seen = views_looked_at(scene, 2)
        off = np.abs(
            (azimuths_deg(scene) - math.degrees(heading_rad(scene.objects[0].poses[0])) + 45) % 90 - 45
        )
        assert len(seen) == 12 and set(np.flatnonzero(off < 14.9).tolist()) <= {*seen}


def test_a_stage_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="stage=bare: expected alone or props"):
        with_settings(Staging(), {"stage": "bare"}, " of animated scenes")
