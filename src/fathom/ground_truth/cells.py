"""The truth of a film: what each camera sees at each time that was asked for, as Embree's rays see it.

One call looks at one frame from all views, so that what moved is made ready for rays once. Nothing here reads
what the first derivation found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model, Part, Points, Rgb
from fathom.geometry.cameras import unproject
from fathom.geometry.poses import heading_rad
from fathom.ground_truth.alone import ObjectRays, alone
from fathom.ground_truth.solids import Solid, solid_of
from fathom.ground_truth.trace import still
from fathom.ground_truth.views import Counts, Window, composite, covers
from fathom.records import AssetError, Camera, InputError, Scene

POINTS = 256
"""At most so many visible surface points are kept for an object in a cell."""

DEPTH_STEP_M, REST_STEP_M = 2.0**-14, 2.0**-12
"""The grids (0.06 mm, 0.24 mm) of a point's depth, and of its place at rest."""


@dataclass(frozen=True, eq=False)
class Glimpse:
    """What one cell shows of one object; all empty where it is not there, or not in the picture.

    window : (left, top, right, bottom), the smallest pixels inside the picture that hold the silhouette
    amodal : (h, w) bool, the window's pixels that would show the object if it stood alone
    full_px : the silhouette's pixels, those beyond the edges of the picture included
    pixels : (k, 2) int32, x and y of visible pixels, evenly drawn from all of them
    depth_m : (k,) float64, along the optical axis
    points_m : (k, 3) float64, the surface points seen there, world
    faces : (k,) int32, the triangles seen there; those of the model's parts count on from part to part
    rest_m : (k, 3) float64, where these points of the surface are when the object is at rest, in its own
        frame; NaN where that was not given
    """

    object_id: str
    window: Window
    amodal: NDArray[np.bool_]
    full_px: int
    pixels: NDArray[np.int32]
    depth_m: NDArray[np.float64]
    points_m: Points
    faces: NDArray[np.int32]
    rest_m: Points


@dataclass(frozen=True, eq=False)
class TruthCell:
    """What one camera sees at one frame of a film.

    ids : (height, width) int16, the index of the object that the pixel's centre sees; -1 for none
    part : (height, width) int16, index into that object's `parts`; -1 for none
    parts : for each object the names of its model's parts at this frame
    paints : for each object the mean colour of each of these parts, sRGB in 0..1, light and shade aside
    objects : what is seen of each object, in the scene's order
    over_px : (n, n) int64, pixels of i's silhouette where j is nearer, whatever else is nearer still
    seen_px : (n, n) int64, pixels of i's silhouette that show j
    camera : the camera, with the one pose that was used
    """

    view: int
    frame: int
    ids: NDArray[np.int16]
    part: NDArray[np.int16]
    parts: tuple[tuple[str, ...], ...]
    paints: tuple[tuple[Rgb, ...], ...]
    objects: tuple[Glimpse, ...]
    over_px: Counts
    seen_px: Counts
    camera: Camera

    def visible(self, index: int) -> NDArray[np.bool_]:
        """(height, width) bool: the pixels that show object `index`."""
        return np.asarray(self.ids == index)

    def part_px(self, index: int) -> dict[str, int]:
        """Return how many pixels show each part of object `index`; those of one name together."""
        counts = np.bincount(self.part[self.ids == index], minlength=len(self.parts[index]))
        found: dict[str, int] = {}
        for name, count in zip(self.parts[index], counts, strict=True):
            found[name] = found.get(name, 0) + int(count)
        return found


def views_looked_at(scene: Scene, step: int) -> tuple[int, ...]:
    """Return one in `step` of the views around a film, those nearest to the four sides of its actor, as it
    stands at first, before the others.

    What is hidden from a side is told from all the views there.
    """
    heading = heading_rad(scene.objects[0].poses[0])
    eyes = np.array([c.poses[0].position_m[:2] for c in scene.cameras])
    out = eyes - eyes.mean(axis=0)
    around = np.degrees(np.arctan2(out[:, 1], out[:, 0]) - heading)
    # Those that lie equally near to a side do so but for what rounding leaves.
    off = np.round(np.abs((around + 45) % 90 - 45), 3).tolist()
    return tuple(sorted(sorted(range(len(off)), key=lambda k: (off[k], k))[: -(-len(off) // step)]))


def cells_of(
    scene: Scene,
    models: Mapping[str, Model],
    frame: int,
    views: Sequence[int],
    rest: Mapping[str, Model] | None = None,
    points: int = POINTS,
    inside_only: Collection[str] = (),
    kept: dict[str, ObjectRays] | None = None,
) -> Iterator[TruthCell]:
    """Yield what each of the views sees at one frame.

    `models` holds those of the objects that are there, posed and in their own frames; `rest` the same models
    at rest, with the same triangles. Of the objects named in `inside_only` nothing is counted that is beyond
    the edges of the picture.

    Raises InputError for a frame or view that the film does not have, AssetError where a model cannot be used
    or has other triangles at rest.
    """
    solids = {name: solid_of(m) for name, m in models.items()}
    resting = _resting(models, rest or {})
    looks = _Looks(
        tuple(tuple(p.name for p in models[t.id].parts) if t.id in models else () for t in scene.objects),
        tuple(tuple(map(_paint, models[t.id].parts)) if t.id in models else () for t in scene.objects),
    )
    for view in views:
        camera, cast = _cast(scene, solids, frame, view, inside_only, kept)
        yield _cell(scene, looks, resting, camera, cast, (view, frame), points)


def _cast(
    scene: Scene,
    solids: Mapping[str, Solid],
    frame: int,
    view: int,
    inside_only: Collection[str] = (),
    kept: dict[str, ObjectRays] | None = None,
) -> tuple[Camera, list[ObjectRays | None]]:
    if not 0 <= frame < len(scene.times_s) or not 0 <= view < len(scene.cameras):
        raise InputError(
            f"scene {scene.id}: frame {frame} of view {view}: expected one of {len(scene.times_s)} frames "
            f"and {len(scene.cameras)} views; correct what is asked for"
        )
    camera = still(scene.cameras[view], frame)
    cast: list[ObjectRays | None] = []
    for obj in scene.objects:
        pose = obj.poses[min(frame, len(obj.poses) - 1)]
        there = obj.id in solids and pose.valid
        still_there = kept is not None and len(obj.poses) == 1
        if kept is not None and obj.id in kept and still_there:
            cast.append(kept[obj.id])
            continue
        beyond = obj.id not in inside_only
        seen = alone(camera, pose, solids[obj.id], beyond) if there else None
        if kept is not None and still_there and seen is not None:
            kept[obj.id] = seen
        cast.append(seen)
    return camera, cast


_NOTHING = (0, 0, 0, 0)


@dataclass(frozen=True)
class _Looks:
    """The names and the mean colours of the parts of each object at one frame."""

    parts: tuple[tuple[str, ...], ...]
    paints: tuple[tuple[Rgb, ...], ...]


def _paint(part: Part) -> Rgb:
    """Return the mean colour of a part: of its material, its texture and its vertices together."""
    mean = np.array(part.material.color, np.float64)
    if part.material.texture is not None:
        image = part.material.texture
        stride = max(1, max(image.shape[:2]) // 64)
        mean = mean * image[::stride, ::stride, :3].reshape(-1, 3).mean(axis=0) / 255
    if part.vertex_colors is not None and len(part.vertex_colors):
        mean = mean * part.vertex_colors[:, :3].mean(axis=0)
    red, green, blue = (round(float(v), 4) for v in mean)
    return red, green, blue


def _cell(
    scene: Scene,
    looks: _Looks,
    resting: Mapping[str, Points],
    camera: Camera,
    cast: Sequence[ObjectRays | None],
    at: tuple[int, int],
    points: int,
) -> TruthCell:
    none = np.zeros((0, 0), np.float32)
    crops = [(a.window, a.depth_m) if a is not None else (_NOTHING, none) for a in cast]
    ids, _ = composite((camera.height, camera.width), crops)
    over, seen = covers(ids, crops)
    part = np.full(ids.shape, -1, np.int16)
    objects = []
    for index, (obj, a) in enumerate(zip(scene.objects, cast, strict=True)):
        if a is None:
            objects.append(_absent(obj.id))
            continue
        x0, y0, x1, y1 = a.window
        shown = np.flatnonzero(ids[y0:y1, x0:x1] == index)
        rows, columns = np.divmod(shown, max(x1 - x0, 1))
        part[rows + y0, columns + x0] = a.solid.part_of[a.hits.face[shown]]
        objects.append(_glimpse(obj.id, camera, a, shown, resting.get(obj.id), points))
    return TruthCell(at[0], at[1], ids, part, looks.parts, looks.paints, tuple(objects), over, seen, camera)


def _absent(name: str) -> Glimpse:
    none = np.zeros((0, 3))
    return Glimpse(
        object_id=name, window=_NOTHING, amodal=np.zeros((0, 0), np.bool_), full_px=0,
        pixels=np.zeros((0, 2), np.int32), depth_m=np.zeros(0), points_m=none,
        faces=np.zeros(0, np.int32), rest_m=none,
    )  # fmt: skip


def _glimpse(
    name: str, camera: Camera, a: ObjectRays, shown: NDArray[np.intp], rest: Points | None, points: int
) -> Glimpse:
    x0, y0, x1, _ = a.window
    chosen = evenly(shown, points)
    rows, columns = np.divmod(chosen, max(x1 - x0, 1))
    pixels = np.column_stack([columns + x0, rows + y0]).astype(np.int32)
    faces = a.hits.face[chosen]
    depth = np.rint(a.hits.distance[chosen].astype(np.float64) / DEPTH_STEP_M) * DEPTH_STEP_M
    if rest is None:
        at_rest = np.full((len(chosen), 3), np.nan)
    else:
        u, v = a.hits.u[chosen].astype(np.float64), a.hits.v[chosen].astype(np.float64)
        weights = np.stack([1 - u - v, u, v], axis=-1)
        corners = rest[a.solid.faces[faces]]
        at_rest = np.rint(np.einsum("nk,nkc->nc", weights, corners) / REST_STEP_M) * REST_STEP_M
    return Glimpse(
        object_id=name,
        window=a.window,
        amodal=np.isfinite(a.depth_m),
        full_px=a.full_px,
        pixels=pixels,
        depth_m=depth,
        points_m=unproject(camera, pixels + 0.5, depth),
        faces=faces,
        rest_m=at_rest,
    )


def evenly(pixels: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return at most `most` of the pixels, evenly drawn: every one at a fixed stride."""
    return pixels[:: max(1, -(-len(pixels) // most))]


def _resting(models: Mapping[str, Model], rest: Mapping[str, Model]) -> dict[str, Points]:
    """Return the vertices at rest of each object that has them, its parts' one after the other."""
    found = {}
    for name, model in models.items():
        if name not in rest:
            continue
        pairs = list(zip(model.parts, rest[name].parts, strict=False))
        same = len(model.parts) == len(rest[name].parts) and all(
            p.vertices.shape == q.vertices.shape and p.faces.shape == q.faces.shape for p, q in pairs
        )
        if not same:
            raise AssetError(
                f"object {name}: its model has {model.triangles} triangles in {len(model.parts)} parts, and "
                f"{rest[name].triangles} in {len(rest[name].parts)} at rest: expected the same; leave its "
                "rest out"
            )
        found[name] = np.concatenate([p.vertices for p in rest[name].parts])
    return found
