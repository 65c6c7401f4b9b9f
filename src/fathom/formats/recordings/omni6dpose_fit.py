"""Where standing objects are in one world, and the camera in each frame, from poses in the camera's frame."""

from __future__ import annotations

import numpy as np

from fathom.formats.recordings.checks import Mask
from fathom.formats.recordings.omni6dpose_meta import PoseLabels
from fathom.geometry.poses import Array
from fathom.geometry.rigid import nearest_rotations

ROUNDS = 6
SOFT_M = 0.01
"""Beyond this an object counts less and less in the alignment."""

MOVES_M = 0.03
"""An object that strays further than this, and than five times what is usual, moves."""


def aligned(found: PoseLabels) -> tuple[Array, Mask, Mask]:
    """Return world from camera (f, 4, 4), where it is known, and which objects move."""
    corners = _corners(found.sizes_m)
    weights = np.ones(found.valid.shape)
    moves = np.zeros(len(found.ids), dtype=bool)
    camera, known = np.empty(0), np.empty(0, dtype=bool)
    for _ in range(2):
        standing, placed, camera, known = _first_guess(found, corners, moves)
        for _ in range(ROUNDS):
            camera, known, errors = _cameras(found, corners, standing, placed, weights, moves)
            standing, placed = _places(found, camera, known, weights)
            weights = 1.0 / (1.0 + (errors / SOFT_M) ** 2)
        _, strays, _ = strays_of(found, camera, known)
        typical = float(np.median(strays)) if len(strays) else 0.0
        moving = strays > max(MOVES_M, 5 * typical)
        if not moving.any() or (moving == moves).all() or moving.all():
            break
        moves, weights = moving, np.ones(found.valid.shape)
    return camera, known, moves


def _first_guess(found: PoseLabels, corners: Array, moves: Mask) -> tuple[Array, Mask, Array, Mask]:
    """Return where objects stand by the frame that shows most of them, and by those that join on to it."""
    usable = found.valid & ~moves[:, None]
    start = int(usable.sum(axis=0).argmax())
    frames = found.valid.shape[1]
    standing = np.broadcast_to(np.eye(4), (len(found.ids), 4, 4)).copy()
    placed = np.zeros(len(found.ids), dtype=bool)
    camera = np.broadcast_to(np.eye(4), (frames, 4, 4)).copy()
    known = np.zeros(frames, dtype=bool)
    standing[usable[:, start]] = found.camera_from_object[usable[:, start], start]
    placed |= usable[:, start]
    known[start] = True
    for f in [*range(start + 1, frames), *range(start - 1, -1, -1)]:
        seen = usable[:, f] & placed
        if not seen.any():
            continue
        here = _points(found.camera_from_object[seen, f], corners[seen])
        there = _points(standing[seen], corners[seen])
        camera[f] = _fit(here[None], there[None], np.ones((1, len(here))))[0]
        known[f] = True
        new = usable[:, f] & ~placed
        standing[new] = camera[f] @ found.camera_from_object[new, f]
        placed |= new
    return standing, placed, camera, known


def _cameras(
    found: PoseLabels, corners: Array, standing: Array, placed: Mask, weights: Array, moves: Mask
) -> tuple[Array, Mask, Array]:
    """Return world from camera, where it is known, and how far each object is off (t, f)."""
    usable = found.valid & placed[:, None] & ~moves[:, None]
    frames = found.valid.shape[1]
    here = np.einsum("tfij,tkj->ftki", found.camera_from_object[:, :, :3, :3], corners)
    here += found.camera_from_object[:, :, :3, 3].transpose(1, 0, 2)[:, :, None]
    there = np.einsum("tij,tkj->tki", standing[:, :3, :3], corners) + standing[:, None, :3, 3]
    weight = np.repeat((weights * usable).T[:, :, None], corners.shape[1], axis=2)
    target = np.broadcast_to(there, here.shape)
    camera = _fit(here.reshape(frames, -1, 3), target.reshape(frames, -1, 3), weight.reshape(frames, -1))
    moved = np.einsum("fij,ftkj->ftki", camera[:, :3, :3], here) + camera[:, None, None, :3, 3]
    errors = np.sqrt(((moved - target) ** 2).sum(axis=3).mean(axis=2)).T
    return camera, np.asarray(usable.any(axis=0)), errors


def _places(found: PoseLabels, camera: Array, known: Mask, weights: Array) -> tuple[Array, Mask]:
    """Return where each object stands on average over the frames, and which were seen at all."""
    tracks = camera[None] @ found.camera_from_object
    w = weights * (found.valid & known)
    total = np.maximum(w.sum(axis=1), 1e-12)
    mean = np.einsum("tf,tfij->tij", w, tracks) / total[:, None, None]
    seen: Mask = np.asarray((found.valid & known).any(axis=1))
    mean[~seen] = np.eye(4)
    mean[:, :3, :3] = nearest_rotations(mean[:, :3, :3])
    mean[:, 3] = (0, 0, 0, 1)
    return mean, seen


def strays_of(found: PoseLabels, camera: Array, known: Mask) -> tuple[Array, Array, Array]:
    """Return where objects stand, and how far their poses are from that, as root mean squares (t,), (t,)."""
    standing, _ = _places(found, camera, known, np.ones(found.valid.shape))
    tracks = camera[None] @ found.camera_from_object
    count = np.maximum((found.valid & known).sum(axis=1), 1)
    use = (found.valid & known).astype(np.float64)
    off = ((tracks[:, :, :3, 3] - standing[:, None, :3, 3]) ** 2).sum(axis=2)
    trace = np.einsum("tfij,tij->tf", tracks[:, :, :3, :3], standing[:, :3, :3])
    turn = np.arccos(np.clip((trace - 1) / 2, -1, 1)) ** 2
    return standing, np.sqrt((off * use).sum(axis=1) / count), np.sqrt((turn * use).sum(axis=1) / count)


def _fit(here: Array, there: Array, weight: Array) -> Array:
    """Return the (f, 4, 4) rigid transforms that take (f, n, 3) points best to others (Kabsch)."""
    total = np.maximum(weight.sum(axis=1), 1e-12)[:, None]
    a = (weight[..., None] * here).sum(axis=1) / total
    b = (weight[..., None] * there).sum(axis=1) / total
    spread = np.einsum("fn,fni,fnj->fij", weight, there - b[:, None], here - a[:, None])
    turn = nearest_rotations(spread)
    result = np.zeros((len(here), 4, 4))
    result[:, :3, :3] = turn
    result[:, :3, 3] = b - np.einsum("fij,fj->fi", turn, a)
    result[:, 3, 3] = 1.0
    return result


def _corners(sizes_m: Array) -> Array:
    signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return np.asarray(sizes_m[:, None, :] * signs[None])


def _points(poses: Array, corners: Array) -> Array:
    return np.asarray(
        (np.einsum("tij,tkj->tki", poses[:, :3, :3], corners) + poses[:, None, :3, 3]).reshape(-1, 3)
    )
