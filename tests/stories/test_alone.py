"""Films of the object alone: no props and no screens, only what it wears or carries."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.records import InputError, Scene
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.scene_at_time import ACTOR, Staging, limbs_of, models_at
from fathom.scenes.visibility_grids import grid_of, visibility_grid_of
from fathom.settings import with_settings

ALONE = Staging(views=4, stage="alone")


@pytest.fixture(scope="module")
def alone(library: AnimatedLibrary) -> tuple[Scene, ...]:
    return tuple(draw_animated_scene(k, "alone", library, ALONE) for k in range(12))


def test_nothing_stands_about_and_nothing_happens_to_it(alone: tuple[Scene, ...]) -> None:
    for scene in alone:
        first, *others = scene.objects
        assert first.id == ACTOR and first.animations and not first.events
        assert all({"worn_on", "held_in"} & set(o.attributes) and not o.events for o in others)


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
    staged = [draw_animated_scene(k, "alone", library, replace(ALONE, stage="props")) for k in range(12)]
    assert [s.objects[0].asset.name for s in staged] == [s.objects[0].asset.name for s in alone]
    assert any(o.id.startswith("prop") for s in staged for o in s.objects)


def test_a_stage_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="stage=bare: expected alone or props"):
        with_settings(Staging(), {"stage": "bare"}, " of animated scenes")
