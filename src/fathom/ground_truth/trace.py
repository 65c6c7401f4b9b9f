"""What the camera sees of a scene, exactly: ids, depths, silhouettes, and who covers whom.

Rays through pixel centres are cast at each object by itself, and the nearest surface wins. One cast
therefore gives the silhouette of each object when alone, the ids and depths of the whole picture, and every
pair of objects that overlap in it. More rays, along the objects' headings, tell what each would touch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model, Points
from fathom.ground_truth.alone import ObjectRays, alone
from fathom.ground_truth.files import read_truth, write_truth
from fathom.ground_truth.solids import Solid, solid_of, surface_points
from fathom.ground_truth.swept_collisions import ways_m
from fathom.ground_truth.views import STEP_M, ObjectTruth, Truth, assembled, box_of, composite, covers
from fathom.records import Camera, Cover, InputError, ObjectVisibility, Pose, Scene

__all__ = [
    "STEP_M",
    "ObjectTruth",
    "Truth",
    "cast_all",
    "covers_under",
    "read_truth",
    "still",
    "trace",
    "truth_of",
    "write_truth",
]

SURFACE_POINTS = 640
"""At most so many visible surface points are kept for an object."""


def trace(scene: Scene, models: Mapping[str, Model], frame: int = 0, view: int = 0) -> Truth:
    """Return what camera `view` of the scene sees at `frame`; `models` holds each object's, in metres.

    Raises InputError where an object has no model, AssetError where a model cannot be used.
    """
    cast = cast_all(scene, models, frame, view)
    truth = truth_of(scene, models, cast, still(scene.cameras[view], frame))
    return replace(truth, ways_m=ways_m([a.solid for a in cast], [a.pose for a in cast]))


def still(camera: Camera, frame: int = 0) -> Camera:
    """Return the camera as it is at one frame: with that one pose."""
    return Camera(
        width=camera.width,
        height=camera.height,
        fx=camera.fx,
        fy=camera.fy,
        cx=camera.cx,
        cy=camera.cy,
        poses=(camera.poses[min(frame, len(camera.poses) - 1)],),
    )


def cast_all(scene: Scene, models: Mapping[str, Model], frame: int = 0, view: int = 0) -> list[ObjectRays]:
    """Return what rays meet of each object by itself, in the scene's order."""
    camera = still(scene.cameras[view], frame)
    poses = [t.poses[min(frame, len(t.poses) - 1)] for t in scene.objects]
    return [alone(camera, p, s) for p, s in zip(poses, _solids(scene, models), strict=True)]


def truth_of(scene: Scene, models: Mapping[str, Model], cast: Sequence[ObjectRays], camera: Camera) -> Truth:
    """Return the truth from rays that were cast already."""
    ids, _ = composite((camera.height, camera.width), [(a.window, a.depth_m) for a in cast])
    objects = []
    for index, (obj, a) in enumerate(zip(scene.objects, cast, strict=True)):
        part = np.where(a.hits.face >= 0, a.solid.part_of[a.hits.face], np.int16(-1))
        pixels, points = _visible_points(ids, index, a)
        objects.append(
            ObjectTruth(
                object_id=obj.id,
                window=a.window,
                depth_m=a.depth_m,
                part=part.reshape(a.depth_m.shape),
                parts=tuple(p.name for p in models[obj.id].parts),
                full_px=a.full_px,
                pixels=pixels,
                points_m=points,
            )
        )
    return assembled(camera, tuple(objects))


def covers_under(
    scene: Scene,
    models: Mapping[str, Model],
    poses: Sequence[Sequence[Pose]],
    scale: int = 4,
    view: int = 0,
) -> list[tuple[ObjectVisibility, ...]]:
    """Return, for each set of poses (one an object), what would be seen if the objects stood there.

    One pixel in `scale` × `scale` is looked through and counts for all of them: an estimate for many
    small changes of one scene. Counts and boxes are in full pixels; parts and gaps are left out.
    """
    full = still(scene.cameras[view])
    camera = Camera(
        width=-(-full.width // scale),
        height=-(-full.height // scale),
        fx=full.fx / scale,
        fy=full.fy / scale,
        cx=full.cx / scale,
        cy=full.cy / scale,
        poses=full.poses,
    )
    solids = _solids(scene, models)
    names = [t.id for t in scene.objects]
    return [
        _rough_sights(names, [alone(camera, p, s) for p, s in zip(draw, solids, strict=True)], camera, scale)
        for draw in poses
    ]


def _rough_sights(
    names: Sequence[str], cast: Sequence[ObjectRays], camera: Camera, scale: int
) -> tuple[ObjectVisibility, ...]:
    crops = [(a.window, a.depth_m) for a in cast]
    ids, _ = composite((camera.height, camera.width), crops)
    over, seen = covers(ids, crops)
    found = []
    for i, a in enumerate(cast):
        x0, y0, x1, y1 = a.window
        mask = ids[y0:y1, x0:x1] == i
        box = box_of(mask, x0, y0)
        found.append(
            ObjectVisibility(
                object_id=names[i],
                full_px=a.full_px * scale**2,
                amodal_px=int(np.count_nonzero(np.isfinite(a.depth_m))) * scale**2,
                visible_px=int(np.count_nonzero(mask)) * scale**2,
                box_px=(box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale),
                covers=covers_of(names, i, over * scale**2, seen * scale**2),
            )
        )
    return tuple(found)


def covers_of(
    names: Sequence[str], index: int, over_px: NDArray[np.int64], seen_px: NDArray[np.int64]
) -> tuple[Cover, ...]:
    """Return the covers of one object from the (n, n) counts, those that are not empty."""
    return tuple(
        Cover(object_id=name, over_px=int(over_px[index, j]), seen_px=int(seen_px[index, j]))
        for j, name in enumerate(names)
        if over_px[index, j]
    )


def _solids(scene: Scene, models: Mapping[str, Model]) -> list[Solid]:
    for t in scene.objects:
        if t.id not in models:
            raise InputError(f"scene {scene.id}: object {t.id} has no model; pass one model for each object")
    return [solid_of(models[t.id]) for t in scene.objects]


def _visible_points(ids: NDArray[np.int16], index: int, a: ObjectRays) -> tuple[NDArray[np.int32], Points]:
    """Return evenly drawn visible pixels (k, 2) as x, y and the surface points (k, 3) seen there."""
    x0, y0, x1, y1 = a.window
    visible = np.flatnonzero(ids[y0:y1, x0:x1] == index)
    stride = max(1, -(-len(visible) // SURFACE_POINTS))
    chosen = visible[::stride]
    rows, columns = np.divmod(chosen, max(x1 - x0, 1))
    points = np.rint(surface_points(a.solid, a.hits, chosen) / STEP_M) * STEP_M
    return np.column_stack([columns + x0, rows + y0]).astype(np.int32), points
