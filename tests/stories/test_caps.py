"""What is left of an actor where limbs are taken away is closed, in its own colors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fathom.assets.model import Model, Part
from fathom.assets.shading import LEAST, facing
from fathom.programs.limb_groups import members
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.caps import _in_colors, caps_of, lost_of, removable
from fathom.scenes.edits import edited

DOG = built_in_animated().asset("Dog")
LEGS = members("legs", DOG.limbs)
SQUARE = np.array([(0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
FACES = np.array([(0, 1, 2), (0, 2, 3)], np.int32)
MATERIAL = DOG.model_at("", 0.0).parts[0].material


def open_edges(model: Model) -> int:
    """How many edges have a triangle on one side alone."""
    points = np.concatenate([p.vertices for p in model.parts])
    _, place = np.unique(np.round(points / 1e-5), axis=0, return_inverse=True)
    place, edges, start = place.reshape(-1), set(), 0
    for p in model.parts:
        for a, b, c in place[p.faces + start].tolist():
            edges |= {e for e in ((a, b), (b, c), (c, a)) if len(set(e)) == 2}
        start += len(p.vertices)
    return sum((b, a) not in edges for a, b in edges)


@pytest.mark.parametrize("gone", [LEGS[:1], LEGS[:2], LEGS[1:]])
def test_nothing_is_open_where_legs_were(gone: tuple[str, ...]) -> None:
    whole = DOG.model_at("", 0.0)
    left = edited(whole, [f"remove:{n}" for n in gone], DOG)
    assert caps_of(DOG, tuple(gone)) is not None and removable(DOG, *gone)
    assert open_edges(left) <= open_edges(whole)
    assert sum(len(p.faces) for p in left.parts) < sum(len(p.faces) for p in whole.parts)


def test_a_leg_goes_with_its_foot_and_its_flank_stays() -> None:
    gone = LEGS[0]
    lost = np.concatenate(lost_of(DOG, (gone,)))
    own = np.concatenate(DOG.limb_of_vertex()) == list(DOG.limbs).index(gone)
    height = np.concatenate([p.vertices for p in DOG.model_at("", 0.0).parts])[:, 2]
    assert not (lost & ~own).any() and lost.any()
    assert lost[own & (height <= np.quantile(height[own], 0.2))].all()


def of_texture(pixels: np.ndarray) -> Part:
    """A square all over which a texture is spread."""
    return Part("square", SQUARE, FACES, replace(MATERIAL, texture=pixels), None, SQUARE[:, :2] * 0.98)


def test_a_texture_in_pieces_closes_nothing() -> None:
    plain = np.full((64, 64, 3), 200, np.uint8)
    striped = plain.copy()
    striped[20:44, 20:44] = 0
    assert _in_colors(of_texture(plain), FACES)
    assert not _in_colors(of_texture(striped), FACES)
    assert _in_colors(replace(of_texture(plain), uv=None), FACES)


def test_normals_that_look_away_from_their_triangle_are_turned() -> None:
    wrong = np.tile([(0.0, 0.0, 1.0)], (4, 1))
    wrong[2] = (0.0, 0.6, -0.8)
    part = Part("square", SQUARE, FACES, MATERIAL, wrong)
    turned = facing(part).normals
    assert turned is not None and (turned[:, 2] >= LEAST).all()
    assert (turned[[0, 1, 3]] == wrong[[0, 1, 3]]).all()
    right = replace(part, normals=np.tile([(0.0, 0.0, 1.0)], (4, 1)))
    assert facing(right) is right
