"""Rigid motions that fit points best."""

from __future__ import annotations

import numpy as np

from fathom.geometry.poses import Array


def nearest_rotations(matrices: Array) -> Array:
    """Return the rotations nearest to matrices (..., 3, 3); none is a reflection."""
    u, _, vt = np.linalg.svd(matrices)
    u = u.copy()
    u[..., :, 2] *= np.sign(np.linalg.det(u @ vt))[..., None]
    return np.asarray(u @ vt)


def best_rotation(before: Array, after: Array) -> Array:
    """Return the rotations (…, 3, 3) that best take points (n, 3) to others (…, n, 3), about their middles.

    Ref: Kabsch 1976.
    """
    a, b = before - before.mean(axis=0), after - after.mean(axis=-2, keepdims=True)
    return nearest_rotations(np.swapaxes(b, -1, -2) @ a)


def rigid_fit(before: Array, after: Array) -> tuple[Array, Array]:
    """Return the rotation R (3, 3) and the place t (3,) for which R · before + t is nearest to after,
    both (n, 3).
    """
    turn = best_rotation(before, after)
    return turn, np.asarray(after.mean(axis=0) - turn @ before.mean(axis=0))
