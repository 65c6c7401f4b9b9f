"""From a film's record to what shows in it: a depth buffer for each object, view and time.

Pictures are looked at with one pixel in `scale` × `scale`, which counts for all of them: counts are multiples
of scale², and boxes multiples of scale. What stands still is drawn once a view.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model
from fathom.geometry.poses import pose_at, to_world
from fathom.geometry.rigid import best_rotation
from fathom.geometry.visibility import silhouette
from fathom.programs.visibility_grid import BODIES, VisibilityGrid
from fathom.records import Camera, InputError, Scene
from fathom.scenes.pieces import bodies_of, pieces_of

ModelsAt = Callable[[int], Mapping[str, Model]]

GRID_STEP = 2
SCALE = 2
NONE = -1


@dataclass(frozen=True, eq=False)
class Limbs:
    """What the vertices of an object's model belong to: for each of its parts (n,) indices into `names`, -1
    where a vertex belongs to none.

    A part of a model with another number of vertices has no limbs. `rest_m` are all vertices at rest.
    """

    names: tuple[str, ...]
    of_vertex: tuple[NDArray[np.integer], ...]
    rest_m: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class _Drawn:
    """An object before one camera: depth and label of each pixel inside the picture, and its whole area."""

    rows: slice
    columns: slice
    depth_m: NDArray[np.float32]
    label: NDArray[np.int16]
    full: int


@dataclass
class _Labels:
    """Parts and limbs of one object by name, in the order in which they were met, and their combinations with
    the pieces of parts: −1 where a piece is none that can be counted.
    """

    parts: dict[str, int] = field(default_factory=dict)
    limbs: dict[str, int] = field(default_factory=dict)
    pairs: dict[tuple[int, int, int], int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Solid:
    """An object at one time: triangles in the world, and the label of each."""

    key: bytes
    points_m: NDArray[np.float64]
    faces: NDArray[np.int32]
    label: NDArray[np.int32]


def grid_of(frames: int, step: int = GRID_STEP) -> tuple[int, ...]:
    """Return every `step`th frame of a film, the first included."""
    return tuple(range(0, frames, step))


def visibility_grid_of(
    scene: Scene,
    models_at: ModelsAt,
    grid: Sequence[int] = (),
    limbs: Mapping[str, Limbs] | None = None,
    scale: int = SCALE,
) -> VisibilityGrid:
    """Return what shows in every view at the frames of the grid, and where objects are at every frame.

    `models_at` gives the models there at a frame, by their objects' ids, posed and in their own frames.
    Without a grid every second frame is looked at. Raises InputError for one that leaves the film.
    """
    frames = len(scene.times_s)
    grid = tuple(grid) or grid_of(frames)
    if list(grid) != sorted(set(grid)) or not 0 <= grid[0] <= grid[-1] < frames:
        raise InputError(
            f"scene {scene.id}: a grid of frames from {min(grid)} to {max(grid)}: expected increasing "
            f"numbers from 0 to {frames - 1}; correct the grid"
        )
    looking = _Looking(scene, limbs or {}, scale, grid)
    for frame in range(frames):
        looking.at(frame, models_at(frame))
    return looking.visibility()


class _Looking:
    """The arrays of a play while they fill."""

    def __init__(self, scene: Scene, limbs: Mapping[str, Limbs], scale: int, grid: Sequence[int]) -> None:
        self.scene, self.limbs, self.scale, self.grid = scene, limbs, scale, list(grid)
        self.cameras = [_coarser(c, scale) for c in scene.cameras]
        self.labels = [_Labels() for _ in scene.objects]
        for obj, labels in zip(scene.objects, self.labels, strict=True):
            own = limbs.get(obj.id)
            labels.limbs.update({n: k for k, n in enumerate(own.names)} if own else {})
        self.drawn: dict[int, tuple[bytes, list[_Drawn]]] = {}
        v, g, t, f = len(self.cameras), len(grid), len(scene.objects), len(scene.times_s)
        self.px, self.alone, self.full = (np.zeros((v, g, t), np.int32) for _ in range(3))
        self.hidden = np.zeros((v, g, t, t), np.int32)
        self.boxes = np.zeros((v, g, t, 4), np.int32)
        self.pair_px: dict[tuple[int, int], dict[int, NDArray[np.int64]]] = {}
        self.there = np.zeros((f, t), np.bool_)
        self.centres, self.lows, self.highs = (np.full((f, t, 3), np.nan) for _ in range(3))
        self.tracks = [np.full((f, len(one.limbs), 3), np.nan) for one in self.labels]
        self.limb_lows = [np.full((f, len(one.limbs)), np.nan) for one in self.labels]
        own = (limbs or {}).get(scene.objects[0].id)
        self.rest_m, self.ups = own.rest_m if own else None, np.full((f, 3), np.nan)
        self.piece: NDArray[np.int64] | None = None
        self.pieces: tuple[str, ...] = ()

    def at(self, frame: int, models: Mapping[str, Model]) -> None:
        """Take in one frame of the film."""
        solids: dict[int, _Solid] = {}
        for k, obj in enumerate(self.scene.objects):
            pose = pose_at(obj.poses, frame)
            if obj.id not in models or not pose.valid:
                continue
            model = models[obj.id]
            points = to_world(pose, np.concatenate([p.vertices for p in model.parts]))
            self.there[frame, k] = True
            self.centres[frame, k] = points.mean(axis=0)
            self.lows[frame, k], self.highs[frame, k] = points.min(axis=0), points.max(axis=0)
            self._track(k, frame, model, points)
            if not k and (rest := self.rest_m) is not None and rest.shape == points.shape:
                self.ups[frame] = best_rotation(rest, points)[:, 2]
            if frame in self.grid:
                solids[k] = self._solid(k, model, points)
        if frame in self.grid:
            self._look(self.grid.index(frame), solids)

    def visibility(self) -> VisibilityGrid:
        """Return what was seen."""
        parts = [(k, n) for k, one in enumerate(self.labels) for n in one.parts]
        limbs = [(k, n) for k, one in enumerate(self.labels) for n in one.limbs]
        part_px, limb_px, piece_px = self._counted(len(parts), len(limbs))
        area = self.scale**2
        return VisibilityGrid(
            scene=self.scene.id,
            objects=tuple(t.id for t in self.scene.objects),
            parts=tuple(parts),
            limbs=tuple(limbs),
            frames=np.array(self.grid, np.int32),
            times_s=np.array(self.scene.times_s, np.float64),
            there=self.there,
            px=self.px * area,
            alone_px=self.alone * area,
            full_px=self.full * area,
            hidden_px=self.hidden * area,
            part_px=part_px * area,
            limb_px=limb_px * area,
            pieces=self.pieces,
            piece_px=piece_px * area,
            boxes=self.boxes * self.scale,
            centres_m=self.centres,
            lows_m=self.lows,
            highs_m=self.highs,
            limb_centres_m=np.concatenate(self.tracks, axis=1),
            limb_lows_m=np.concatenate(self.limb_lows, axis=1),
            actor_ups=None if np.isnan(self.ups).all() else self.ups,
        )

    def _track(self, k: int, frame: int, model: Model, world: NDArray[np.float64]) -> None:
        own = self._vertex_limbs(k, model)
        if own is None:
            return
        count = len(self.labels[k].limbs)
        lows = np.full(count, np.inf)
        np.minimum.at(lows, own[own >= 0], world[own >= 0, 2])
        self.limb_lows[k][frame] = np.where(np.isfinite(lows), lows, np.nan)
        points, faces = np.concatenate([p.vertices for p in model.parts]), _faces(model)
        self.tracks[k][frame] = _middles(points[faces], _of_most(own[faces]), count)

    def _vertex_limbs(self, k: int, model: Model) -> NDArray[np.int64] | None:
        own = self.limbs.get(self.scene.objects[k].id)
        if own is None:
            return None
        pieces = []
        for i, p in enumerate(model.parts):
            known = i < len(own.of_vertex) and len(own.of_vertex[i]) == len(p.vertices)
            pieces.append(own.of_vertex[i].astype(np.int64) if known else np.full(len(p.vertices), NONE))
        return np.concatenate(pieces)

    def _solid(self, k: int, model: Model, points: NDArray[np.float64]) -> _Solid:
        """Return the triangles of object k in the world, each labelled with its part and its limb."""
        labels = self.labels[k]
        sizes, faces = [len(p.faces) for p in model.parts], _faces(model)
        names = [labels.parts.setdefault(p.name, len(labels.parts)) for p in model.parts]
        part = np.repeat(np.array(names, np.int64), sizes)
        own = self._vertex_limbs(k, model)
        limb = np.full(len(faces), NONE) if own is None else _of_most(own[faces])
        piece = self._pieces(k, model, faces, part)
        every = np.stack([part, limb, piece], axis=1)
        codes, inverse = np.unique(every, axis=0, return_inverse=True)
        pairs = [labels.pairs.setdefault((p, m, q), len(labels.pairs)) for p, m, q in codes.tolist()]
        label = np.array(pairs, np.int32)[inverse.reshape(-1)]
        digest = hashlib.blake2b(points.tobytes(), digest_size=16)
        digest.update(faces.tobytes() + label.tobytes())
        return _Solid(digest.digest(), points, faces.astype(np.int32), label)

    def _pieces(
        self, k: int, model: Model, faces: NDArray[np.int64], part: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return (m,) the piece that each triangle of object k belongs to, or which of several alike."""
        rest, none = self.rest_m, np.full(len(faces), NONE, np.int64)
        if k or rest is None or faces.max() >= len(rest):
            return none
        if self.piece is None:
            several = bodies_of(rest, faces)
            self.piece = pieces_of(rest, faces, part) if several is None else several
            names = list(self.labels[0].parts)
            first = np.unique(self.piece[self.piece >= 0], return_index=True)[1]
            of = part[self.piece >= 0][first].tolist()
            self.pieces = tuple(BODIES if several is not None else names[p] for p in of)
        return self.piece if len(self.piece) == len(faces) else none

    def _look(self, at: int, solids: Mapping[int, _Solid]) -> None:
        for k in list(self.drawn):
            if k not in solids or self.drawn[k][0] != solids[k].key:
                del self.drawn[k]
        for k, s in solids.items():
            if k not in self.drawn:
                self.drawn[k] = (s.key, [_drawn(c, s) for c in self.cameras])
        for view, camera in enumerate(self.cameras):
            self._compose(view, at, camera, {k: self.drawn[k][1][view] for k in sorted(solids)})

    def _compose(self, view: int, at: int, camera: Camera, drawn: Mapping[int, _Drawn]) -> None:
        ids = np.full((camera.height, camera.width), NONE, np.int16)
        nearest = np.full(ids.shape, np.inf, np.float32)
        for k, d in drawn.items():
            window = (d.rows, d.columns)
            nearer = d.depth_m < nearest[window]
            ids[window][nearer] = k
            nearest[window][nearer] = d.depth_m[nearer]
        counts = {}
        for k, d in drawn.items():
            there, shown = d.label >= 0, ids[d.rows, d.columns]
            visible = shown == k
            self.alone[view, at, k] = np.count_nonzero(there)
            self.full[view, at, k] = d.full
            self.px[view, at, k] = np.count_nonzero(visible)
            self.boxes[view, at, k] = _box(visible, d)
            self.hidden[view, at, k] = np.bincount(shown[there], minlength=len(self.scene.objects))
            self.hidden[view, at, k, k] = 0
            counts[k] = np.bincount(d.label[visible])
        self.pair_px[view, at] = counts

    def _counted(
        self, parts: int, limbs: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Return the pixels of each part, limb and piece."""
        part_px, limb_px, piece_px = (
            np.zeros((*self.px.shape[:2], n), np.int32) for n in (parts, limbs, len(self.pieces))
        )
        part_start = np.cumsum([0] + [len(one.parts) for one in self.labels])
        limb_start = np.cumsum([0] + [len(one.limbs) for one in self.labels])
        of_pair = [list(one.pairs) for one in self.labels]
        for cell, counts in self.pair_px.items():
            for k, found in counts.items():
                for (part, limb, piece), count in zip(of_pair[k], found, strict=False):
                    part_px[(*cell, part_start[k] + part)] += count
                    if limb >= 0:
                        limb_px[(*cell, limb_start[k] + limb)] += count
                    if piece >= 0:
                        piece_px[(*cell, piece)] += count
        return part_px, limb_px, piece_px


def _coarser(camera: Camera, scale: int) -> Camera:
    if len(camera.poses) != 1:
        raise InputError("a film's cameras stand still: expected one pose each; split the film")
    return Camera(
        width=math.ceil(camera.width / scale), height=math.ceil(camera.height / scale),
        fx=camera.fx / scale, fy=camera.fy / scale, cx=camera.cx / scale, cy=camera.cy / scale,
        poses=camera.poses,
    )  # fmt: skip


def _drawn(camera: Camera, s: _Solid) -> _Drawn:
    found = silhouette(camera, s.points_m, s.faces, s.label)
    full = int(np.count_nonzero(found.part >= 0))
    x0, x1 = (min(max(v, 0), camera.width) for v in (found.left, found.right))
    y0, y1 = (min(max(v, 0), camera.height) for v in (found.top, found.bottom))
    crop = (slice(y0 - found.top, y1 - found.top), slice(x0 - found.left, x1 - found.left))
    depth = found.depth_m[crop].astype(np.float32)
    return _Drawn(slice(y0, y1), slice(x0, x1), depth, found.part[crop].copy(), full)


def _faces(model: Model) -> NDArray[np.int64]:
    """Return the triangles (m, 3) of all parts of a model, whose vertices count on from part to part."""
    starts = np.cumsum([0] + [len(p.vertices) for p in model.parts])[:-1]
    return np.concatenate([p.faces + s for p, s in zip(model.parts, starts, strict=True)])


def _middles(corners: NDArray[np.float64], of: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """Return (count, 3) the middle of each limb's surface, NaN where it has none: however finely a piece is
    meshed, its area alone counts.

    `corners` (m, 3, 3) are those of triangles, and `of` (m,) has the limb of each.
    """
    own = of >= 0
    corners, of = corners[own], of[own]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    whole = np.bincount(of, area, minlength=count)
    middles = corners.mean(axis=1) * area[:, None]
    sums = np.stack([np.bincount(of, middles[:, c], minlength=count) for c in range(3)], axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / np.where(whole > 0, whole, np.nan)[:, None])


def _of_most(limbs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the limb (m,) that most corners (m, 3) of a face belong to."""
    a, b, c = limbs.T
    return np.asarray(np.where(b == c, b, a), dtype=np.int64)


def _box(visible: NDArray[np.bool_], d: _Drawn) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(visible.any(axis=1)), np.flatnonzero(visible.any(axis=0))
    if not len(rows):
        return (0, 0, 0, 0)
    y, x = d.rows.start, d.columns.start
    return (int(columns[0]) + x, int(rows[0]) + y, int(columns[-1]) + x + 1, int(rows[-1]) + y + 1)
