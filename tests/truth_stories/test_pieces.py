"""How many of a part there are, counted all around: by how triangles hang together, and by gaps."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from fathom.datasets.generators.animated_motions import motion_library_of
from fathom.ground_truth.cells import cells_of
from fathom.programs.engine import run
from fathom.programs.needs import needs_of, one_view_is_enough
from fathom.programs.pieces import counted
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.records import Animation, AssetRef, Environment, Scene, SceneObject
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.pieces import MOST, pieces_of
from fathom.scenes.scene_at_time import limbs_of, model_at, models_at
from fathom.scenes.visibility_grids import grid_of, visibility_grid_of
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation, observed_animation
from tests.truth_stories.yard import FPS, VIEWS, Shots, at, close_up, program

NUMBERS = ("2", "3", "4", "5")
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)
SHELL = np.array([[0, 1, 2], [2, 1, 3], [3, 1, 5], [3, 5, 7], [7, 5, 6], [6, 5, 4], [4, 0, 2], [4, 2, 6]])


def row(gaps: list[float], part: list[int]) -> list[int]:
    """Return the pieces that cubes in a row are counted as, with these gaps between them."""
    starts = np.cumsum([0.0, *(1 + g for g in gaps)])
    points = np.concatenate([CUBE + np.array([s, 0, 0]) for s in starts])
    faces = np.concatenate([SHELL + 8 * k for k in range(len(starts))])
    found = pieces_of(points, faces, np.repeat(part, len(SHELL)))
    return [int(k) for k in found[:: len(SHELL)]]


def test_pieces_hang_together_and_lie_apart() -> None:
    assert row([1, 1], [0, 0, 0]) == [0, 1, 2]
    assert row([0, 1], [0, 0, 0]) == [0, 0, 1], "what shares its corners is one piece"
    assert row([0.02, 1], [0, 0, 0]) == [-1, -1, -1], "one or two: nobody can say"
    assert row([0.02, 1], [0, 1, 1]) == [0, 1, 2], "parts are told apart by their color"
    assert row([1] * MOST, [0] * (MOST + 1)) == [-1] * (MOST + 1)


@cache
def film() -> tuple[AnimatedView, ObservedAnimation]:
    """A dog that stands and eats, as both derivations know it."""
    library = built_in_animated()
    asset = library.asset("Dog")
    length, width, height = asset.extents_m
    actor = SceneObject(
        id="actor", category=asset.category, subtype=asset.noun, size_m=(length, width, height),
        poses=(at(0.0, 0.0),), asset=AssetRef(name=asset.name, sha256=asset.sha256),
        attributes={"name": asset.noun, "color": "brown", "main": "coat"},
        parts={p.word: {"color": p.color, "word": p.word} for p in asset.parts},
        animations=(Animation(clip="Eat", start_s=0, end_s=1, loop=True, verb="eat"),),
    )  # fmt: skip
    scene = Scene(
        id="d0" * 16, generator="stories", version="1", seed="pieces", objects=(actor,),
        cameras=close_up(asset.extents_m, 400), environment=Environment(name="white"),
        times_s=tuple(k / FPS for k in range(12)),
    )  # fmt: skip
    grid, models = grid_of(12), partial(models_at, scene, library)
    view = animated_view(scene, visibility_grid_of(scene, models, grid, limbs_of(scene, library)))
    stance = model_at(actor, library, 0.0)
    assert stance is not None
    seen = [c for f in grid for c in cells_of(scene, models(f), f, range(VIEWS), {actor.id: stance}, 1500)]
    shots = {(c.view, c.frame): c for c in seen}
    return view, observed_animation(scene, Shots(shots), motion_library_of(scene, library))


CASES = (("pieces|paws", NUMBERS, "4"), ("pieces|ears", NUMBERS, "2"))


@pytest.mark.parametrize(("text", "choices", "wanted"), CASES)
def test_both_derivations_count_them(text: str, choices: tuple[str, ...], wanted: str) -> None:
    view, observed = film()
    steps = program(text, *choices)
    found = run(steps, view)
    assert found.answer == wanted and found.least.ratio >= 1
    assert derived_text(steps, observed) == wanted
    needs = needs_of(steps, found, view)
    assert len(needs) >= int(wanted) and all(n.cells for n in needs) and not one_view_is_enough(needs)


def test_a_piece_that_is_missed_or_too_small_is_found_out() -> None:
    view, observed = film()
    px = view.visibility.piece_px
    assert px is not None
    names = view.visibility.pieces
    first = names.index("paws")
    fewer = replace(
        view.visibility, pieces=names[:first] + names[first + 1 :], piece_px=np.delete(px, first, axis=2)
    )
    steps = program("pieces|paws", "2", "3", "4", "5")
    assert run(steps, replace(view, visibility=fewer)).answer == "3" != derived_text(steps, observed)
    small = px.copy()
    small[:, :, first] = np.minimum(small[:, :, first], int(view.clear_part_px))
    dim = replace(view, visibility=replace(view.visibility, piece_px=small))
    assert counted(dim, "paws").ratio < 1 <= counted(view, "paws").ratio
