"""What a camera sees, as arrays: silhouettes of objects alone, and the picture they make together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points
from fathom.geometry.cameras import pixel_rays
from fathom.records import Camera

STEP_M = 2.0**-14
"""The grid of depths and surface points (0.06 mm): what is written to disk is what was computed."""

Window = tuple[int, int, int, int]
Depth = NDArray[np.float32]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ObjectTruth:
    """What the camera would see of one object if it stood alone, and points on what it does see.

    window : (left, top, right, bottom), the smallest pixels inside the picture that hold the silhouette
    depth_m : (h, w) float32, along the optical axis; infinite outside the silhouette
    part : (h, w) int16, index into `parts`; -1 outside the silhouette
    full_px : the silhouette's pixels, those beyond the edges of the picture included
    pixels : (k, 2) int32, x and y of visible pixels, evenly drawn from all of them
    points_m : (k, 3) float64, the surface points seen there, in the object's own frame
    """

    object_id: str
    window: Window
    depth_m: Depth
    part: NDArray[np.int16]
    parts: tuple[str, ...]
    full_px: int
    pixels: NDArray[np.int32]
    points_m: Points

    @property
    def amodal(self) -> NDArray[np.bool_]:
        """(h, w) bool: the window's pixels whose centre sees the object when it stands alone."""
        return np.isfinite(self.depth_m)


@dataclass(frozen=True, eq=False)
class Truth:
    """What one camera sees at one time.

    ids : (height, width) int16, the index of the object that the pixel's centre sees; -1 ground or sky
    depth_m : (height, width) float32, along the optical axis, the ground z = 0 included; infinite for sky
    objects : what is seen of each object, in the scene's order
    over_px : (n, n) int64, pixels of i's silhouette where j is nearer, whatever else is nearer still
    seen_px : (n, n) int64, pixels of i's silhouette that show j
    camera : the camera, with the one pose that was used
    ways_m : (2, n, n) float32, how far i moves forward, and backward, until it touches j; infinite where it
        never does. None where nobody has asked, as in files written before there were any
    """

    ids: NDArray[np.int16]
    depth_m: Depth
    objects: tuple[ObjectTruth, ...]
    over_px: Counts
    seen_px: Counts
    camera: Camera
    ways_m: NDArray[np.float32] | None = None

    def visible(self, index: int) -> NDArray[np.bool_]:
        """(h, w) bool: the pixels of object `index`'s window that show it."""
        x0, y0, x1, y1 = self.objects[index].window
        return np.asarray(self.ids[y0:y1, x0:x1] == index)


def assembled(
    camera: Camera, objects: tuple[ObjectTruth, ...], ways_m: NDArray[np.float32] | None = None
) -> Truth:
    """Return the truth that follows from the silhouettes and the ground: ids, depths and covers."""
    crops = [(s.window, s.depth_m) for s in objects]
    ids, nearest = composite((camera.height, camera.width), crops)
    depth = np.where(ids >= 0, nearest, ground_depth_m(camera))
    over, seen = covers(ids, crops)
    return Truth(ids, depth, objects, over, seen, camera, ways_m)


def ground_depth_m(camera: Camera) -> Depth:
    """Return the (height, width) depths at which pixel centres see the ground z = 0; infinite for sky."""
    eye, directions = pixel_rays(camera)
    with np.errstate(divide="ignore"):
        depth = -eye[2] / directions[..., 2]
    return np.where(depth > 0, depth, np.inf).astype(np.float32)


def composite(
    shape: tuple[int, int], crops: Sequence[tuple[Window, Depth]]
) -> tuple[NDArray[np.int16], Depth]:
    """Return the ids and depths (height, width) of the nearest objects.

    The ground never hides an object: what stands on it may touch it. Of two objects at one depth the earlier
    is seen.
    """
    ids = np.full(shape, -1, dtype=np.int16)
    nearest = np.full(shape, np.inf, dtype=np.float32)
    for index, ((x0, y0, x1, y1), depth) in enumerate(crops):
        nearer = depth < nearest[y0:y1, x0:x1]
        ids[y0:y1, x0:x1][nearer] = index
        nearest[y0:y1, x0:x1][nearer] = depth[nearer]
    return ids, nearest


def covers(ids: NDArray[np.int16], crops: Sequence[tuple[Window, Depth]]) -> tuple[Counts, Counts]:
    """Return (n, n) counts of pixels of i's silhouette: where j is nearer, and where j is seen."""
    n = len(crops)
    over, seen = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    for i, ((x0, y0, x1, y1), depth) in enumerate(crops):
        shown = ids[y0:y1, x0:x1][np.isfinite(depth)]
        seen[i] = np.bincount(shown, minlength=n)
        seen[i, i] = 0
        for j in range(i):
            (u0, v0, u1, v1), other = crops[j]
            left, top, right, bottom = max(x0, u0), max(y0, v0), min(x1, u1), min(y1, v1)
            if left >= right or top >= bottom:
                continue
            mine = depth[top - y0 : bottom - y0, left - x0 : right - x0]
            theirs = other[top - v0 : bottom - v0, left - u0 : right - u0]
            both = np.isfinite(mine) & np.isfinite(theirs)
            over[i, j] = np.count_nonzero(both & (theirs <= mine))
            over[j, i] = np.count_nonzero(both) - over[i, j]
    return over, seen


def box_of(mask: NDArray[np.bool_], left: int = 0, top: int = 0) -> Window:
    """Return (left, top, right, bottom) of the set pixels, exclusive at the end; all 0 where none is."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return (0, 0, 0, 0)
    return (left + int(columns[0]), top + int(rows[0]), left + int(columns[-1]) + 1, top + int(rows[-1]) + 1)
