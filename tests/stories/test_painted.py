"""Which objects alone are painted, and that their patches tell their sides apart."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.programs.painted import PAINTS, is_patch, side_of
from fathom.programs.views.animated import animated_view
from fathom.records import Scene
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.scene_at_time import Staging, limbs_of, models_at
from fathom.scenes.visibility_grids import grid_of, visibility_grid_of

ALONE = Staging(stage="alone", size_px=192)


@pytest.fixture(scope="module")
def painted(library: AnimatedLibrary) -> list[Scene]:
    scenes = [draw_animated_scene(k, "paint", library, ALONE) for k in range(16)]
    return [s for s in scenes if any(map(is_patch, s.objects[0].parts))]


def test_some_are_painted_and_only_with_the_colors_of_patches(painted: list[Scene]) -> None:
    assert painted
    for scene in painted:
        patches = {n: p for n, p in scene.objects[0].parts.items() if is_patch(n)}
        assert {p["color"] for p in patches.values()} <= set(PAINTS)
        others = {p["color"] for n, p in scene.objects[0].parts.items() if n not in patches}
        assert not others & set(PAINTS)


def test_nothing_is_painted_among_props(library: AnimatedLibrary) -> None:
    for k in range(4):
        scene = draw_animated_scene(k, "paint", library, replace(ALONE, stage="props"))
        assert not any(map(is_patch, scene.objects[0].parts))


def test_each_patch_side_of_the_side_that_was_painted(painted: list[Scene], library: AnimatedLibrary) -> None:
    firm = 0
    for scene in painted[:4]:
        grid = visibility_grid_of(
            scene,
            partial(models_at, scene, library),
            grid_of(len(scene.times_s), 24),
            limbs_of(scene, library),
        )
        view = animated_view(scene, grid)
        asset = scene.objects[0].asset
        assert asset is not None
        for edit in asset.edits:
            side, _, color = edit.removeprefix("patch:").partition("=")
            found = side_of(view, f"{color} patch")
            firm += found.ratio >= 1
            assert found.word == side or found.ratio < 1
        assert np.isfinite(grid.part_px).all()
    assert firm >= 4
