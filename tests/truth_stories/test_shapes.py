"""A prop is known again, and where it stands, from what is seen of it from one side."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.assets.props.catalogue import PROPS
from fathom.store.seeds import rng
from fathom.verify.observed.props import Placed, PropShape, recognised, shapes

SIDES = 4


def seen_from(shape: PropShape, side: int, points: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Triangles and own points, evenly over what of a prop faces a side, somewhat from above."""
    g = rng("shapes", shape.name, side)
    angle = 2 * np.pi * (side + 0.3) / SIDES
    towards = np.array([np.cos(angle), np.sin(angle), 0.35])
    corners = shape.vertices[shape.faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    shown = np.maximum(cross @ towards, 0.0)
    faces = g.choice(len(corners), points, p=shown / shown.sum()).astype(np.int32)
    weights = g.dirichlet(np.ones(3), points)
    return faces, np.einsum("kc,kcx->kx", weights, corners[faces])


@pytest.mark.parametrize("name", sorted(PROPS))
def test_a_prop_is_known_from_any_side(name: str) -> None:
    shape = next(s for s in shapes() if s.name == name)
    for side in range(SIDES):
        faces, own = seen_from(shape, side)
        yaw = float(rng("shapes", name, side, "yaw").uniform(-np.pi, np.pi))
        turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1.0]])
        lies = Placed(0.6, turn, np.array([2.0, -1.0, 0.0]), 0.0)
        found, placed = recognised(shape.parts, faces, lies.world(own))
        assert found is not None
        assert placed is not None
        assert found.name == name
        assert np.linalg.norm(placed.shift_m - lies.shift_m) <= 0.03
        assert placed.scale == pytest.approx(0.6, rel=0.05)
