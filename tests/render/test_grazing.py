"""No normal of a face that shows leans away from the camera."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fathom.assets.model import Material
from fathom.assets.shapes import ellipsoid, part
from fathom.render.grazing import LEAST, facing

COARSE = part("ball", ellipsoid((0, 0, 0), (1, 1, 1), 6, 4), Material("paint", (1, 1, 1)), crease_deg=180.0)


@given(st.floats(0, 6.3), st.floats(-1.5, 1.5), st.floats(2, 20))
def test_whatever_shows_faces_the_camera_and_what_did_is_as_it_was(
    azimuth: float, elevation: float, far_m: float
) -> None:
    level = np.cos(elevation)
    eye = far_m * np.array([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)])
    assert COARSE.normals is not None
    v, n, faces = COARSE.vertices, COARSE.normals, COARSE.faces
    turned, away = facing(v, n, faces, eye), eye - v
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    before, after = (n * away).sum(axis=1), (turned * away).sum(axis=1)
    a, b, c = (v[faces[:, k]] for k in range(3))
    shows = (np.cross(b - a, c - a) * (eye - a)).sum(axis=1) > 1e-9
    assert after[faces[shows]].min() > 0.99 * LEAST > 0.04
    assert np.array_equal(turned[before >= LEAST], n[before >= LEAST])
    assert np.allclose(np.linalg.norm(turned, axis=1), 1.0)
