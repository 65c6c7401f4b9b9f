"""Normals of what is seen at a grazing angle: no black rims where a smooth surface turns away.

A vertex at the rim of a body has a normal between those of its faces, some of which show and some do not. It
may lean away from the camera. Light is then looked for inside the body, and the rim is black.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.render.color import Floats
from fathom.render.variants import mitsuba_module

LEAST = 0.05
"""The cosine of the angle at which a vertex of a face that shows faces the camera at least."""

NORMALS = ".vertex_normals"


def facing(
    positions: NDArray[np.floating],
    normals: NDArray[np.floating],
    faces: NDArray[np.integer],
    eye_m: NDArray[np.floating],
) -> NDArray[np.floating]:
    """Return normals of which none leans away from a camera whose vertex is one of a face that shows.

    Parameters
    ----------
    positions, normals : (n, 3), world, metres; normals of unit length
    faces : (m, 3), counter-clockwise as seen from outside
    eye_m : (3,) where the camera stands

    >>> rim = facing(np.eye(3), np.tile([0.0, -0.6, -0.8], (3, 1)), np.array([[0, 1, 2]]), np.ones(3) * 9)
    >>> bool((rim @ np.ones(3) > 0).all())
    True
    """
    away = eye_m - positions
    away = away / np.linalg.norm(away, axis=1, keepdims=True)
    a, b, c = (positions[faces[:, k]] for k in range(3))
    shows = np.einsum("ij,ij->i", np.cross(b - a, c - a), away[faces[:, 0]]) > 0
    on_show = np.zeros(len(positions), dtype=bool)
    on_show[faces[shows].ravel()] = True
    cosine = np.einsum("ij,ij->i", normals, away)
    low = on_show & (cosine < LEAST)
    out = np.array(normals)
    out[low] += (LEAST - cosine[low])[:, None] * away[low]
    out[low] /= np.linalg.norm(out[low], axis=1, keepdims=True)
    return out


class Rims:
    """The meshes of a scene that Mitsuba holds, with the normals that they came with."""

    def __init__(self, loaded: Any) -> None:
        self._values = mitsuba_module().traverse(loaded)
        self._meshes: dict[str, tuple[Floats, Floats, NDArray[np.integer]]] = {}
        every: list[str] = list(self._values.keys())
        for key in (k for k in every if k.endswith(NORMALS)):
            name = key.removesuffix(NORMALS)
            positions, normals, faces = (
                np.array(self._values[f"{name}.{what}"]).reshape(-1, 3)
                for what in ("vertex_positions", "vertex_normals", "faces")
            )
            self._meshes[key] = positions, normals, faces.astype(np.intp)

    def turn_to(self, eye_m: NDArray[np.floating]) -> None:
        """Let no mesh have a black rim for a camera that stands there."""
        for key, (positions, normals, faces) in self._meshes.items():
            turned = facing(positions, normals, faces, eye_m)
            self._values[key] = np.ascontiguousarray(turned, dtype=np.float32).ravel()
        self._values.update()
