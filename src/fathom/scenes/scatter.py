"""Objects scattered on the ground before one camera: PulseCheck457's generator.

Attributes and headings are drawn first and kept; where a scene does not fit, only positions are drawn
again, so that what questions ask about stays uniform.

Ref: PulseCheck457 §3.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import msgspec
import numpy as np

from fathom.assets.libraries import Library
from fathom.assets.loading import unit_model
from fathom.assets.model import Model, Points
from fathom.geometry.cameras import look_at
from fathom.geometry.poses import Array, rotation_matrix, yaw_quaternion
from fathom.geometry.visibility import object_visibility, silhouette
from fathom.recent import Recent
from fathom.records import (
    Camera,
    Environment,
    ObjectVisibility,
    Pose,
    Scene,
    SceneObject,
    UnfitError,
)
from fathom.scenes.approximate_visibility import (
    ApproximateVisibility,
    approximate_visibility,
    cells_of,
    sample_points,
)
from fathom.scenes.footprints import Footprints, crossed_by, footprints
from fathom.scenes.placed_models import model_of, world_triangles
from fathom.scenes.scatter_settings import Scatter
from fathom.scenes.sweeps import sweeps_of
from fathom.store.seeds import rng

VERSION = "3"

_clouds: Recent[tuple[str, tuple[str, ...], str, tuple[float, ...]], Points] = Recent(256)

PAIR = 0.1
"""What a missing pair weighs against a share of an object that is hidden too much."""

DENSEST = 0.7
"""No arrangement at random covers more of the ground than this share."""


def draw_scene(
    index: int,
    seed: str,
    library: Library,
    settings: Scatter,
    environment: Callable[[str], Environment],
) -> Scene:
    """Return scene `index` of the world that belongs to `seed`.

    Raises UnfitError when no positions can be found that meet the settings.
    """
    name = f"scene-{index:06d}"
    camera = draw_camera(seed, name, settings)
    objects = draw_objects(seed, name, library, settings)
    models = {t.id: model_of(t, library) for t in objects}
    placed, seen = find_positions(seed, name, objects, models, camera, settings)
    return Scene(
        id=name,
        generator="scatter",
        version=VERSION,
        seed=seed,
        objects=placed,
        cameras=(camera,),
        environment=environment(name),
        visibility=seen,
        sweeps=sweeps_of(placed, models),
        truth=f"truth/{name}.npz",
    )


def draw_camera(seed: str, name: str, settings: Scatter) -> Camera:
    """Return the paper's camera, moved by the jitter, looking at the origin."""
    jitter = rng(seed, name, "camera").uniform(-settings.camera_jitter_m, settings.camera_jitter_m, 3)
    x, y, z = (round(c + float(j), 6) for c, j in zip(settings.camera_m, jitter, strict=True))
    pose = look_at((x, y, z), (0.0, 0.0, 0.0))
    return Camera(
        width=settings.width,
        height=settings.height,
        fx=settings.focal_px,
        fy=settings.focal_px,
        cx=settings.width / 2,
        cy=settings.height / 2,
        poses=(rounded_pose(pose),),
    )


def rounded_pose(pose: Pose) -> Pose:
    """Return the pose with the digits that a scene file keeps."""
    w, x, y, z = (round(v, 9) for v in pose.rotation_wxyz)
    a, b, c = (round(v, 6) for v in pose.position_m)
    return Pose(position_m=(a, b, c), rotation_wxyz=(w, x, y, z), time_s=pose.time_s)


def draw_objects(seed: str, name: str, library: Library, settings: Scatter) -> tuple[SceneObject, ...]:
    """Return the objects of a scene with uniform attributes and headings, all still over the origin."""
    g = rng(seed, name, "things")
    count = int(g.integers(settings.fewest, settings.most + 1))
    subtypes = library.subtypes()
    objects = []
    for k in range(count):
        category, subtype = subtypes[int(g.integers(len(subtypes)))]
        size = list(settings.sizes)[int(g.integers(len(settings.sizes)))]
        color = settings.colors[int(g.integers(len(settings.colors)))]
        heading = float(g.uniform(0, 2 * math.pi))
        candidates = library.of_subtype(subtype)
        spec = candidates[int(g.integers(len(candidates)))]
        length, width, height = (round(e * settings.sizes[size], 6) for e in unit_model(spec).extents)
        pose = rounded_pose(Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=yaw_quaternion(heading)))
        objects.append(
            SceneObject(
                id=f"t{k}",
                category=category,
                subtype=subtype,
                size_m=(length, width, height),
                poses=(pose,),
                asset=library.ref(spec.name),
                attributes={"size": size, "color": color if spec.recolourable else ""},
            )
        )
    return tuple(objects)


def find_positions(
    seed: str,
    name: str,
    objects: tuple[SceneObject, ...],
    models: Mapping[str, Model],
    camera: Camera,
    settings: Scatter,
) -> tuple[tuple[SceneObject, ...], tuple[ObjectVisibility, ...]]:
    """Return the objects at positions where footprints do not cross and everything can be seen.

    Positions are drawn at random and then mended one at a time until a quick look finds nothing hidden or
    cut off too much, and as many pairs that hide each other as this scene wants; the floors are then
    measured exactly.
    """
    g = rng(seed, name, "positions")
    wanted = int(rng(seed, name, "occlusion").integers(0, round(settings.occlusion * len(objects)) + 1))
    grounds = footprints(objects, settings.inflate)
    _check_room(name, grounds, settings)
    clouds = [_turned_cloud(t, models[t.id]) for t in objects]
    part_names = {t.id: [p.name for p in models[t.id].parts] for t in objects}
    floors = np.array([_least_fraction(t, settings) + 0.02 for t in objects])
    for attempt in range(settings.tries):
        if attempt and attempt % settings.crowded_after == 0:
            settings = replace(settings, half_extent_m=settings.half_extent_m * settings.crowded_growth)
        spots = _scattered(g, grounds, settings)
        if spots is None or not _mended(g, grounds, clouds, spots, floors, wanted, camera, settings):
            continue
        there = tuple(_standing_at(t, s) for t, s in zip(objects, spots.tolist(), strict=True))
        shapes = {t.id: silhouette(camera, *world_triangles(t, models[t.id])) for t in there}
        seen = object_visibility(camera, shapes, part_names, {t.id: t for t in there})
        fit = [fits(t, s, settings) for t, s in zip(there, seen, strict=True)]
        if all(fit):
            return there, seen
        floors[~np.array(fit)] += 0.03
    raise UnfitError(
        f"{name}: {len(objects)} objects of these sizes could not be placed so that each shows at least "
        f"{settings.min_visible_px} pixels and {settings.min_visible_fraction:.0%} of itself inside the "
        f"picture ({settings.tries} arrangements tried); use fewer or smaller objects, a larger area or "
        "lower floors"
    )


def _check_room(name: str, grounds: Footprints, settings: Scatter) -> None:
    """Raise UnfitError where footprints cover more than any search finds room for."""
    grown = settings.crowded_growth ** ((settings.tries - 1) // settings.crowded_after)
    side = 2 * settings.half_extent_m * grown + float(grounds.sizes_m.max())
    covered = float(grounds.sizes_m.prod(axis=1).sum())
    if covered > DENSEST * side**2:
        raise UnfitError(
            f"{name}: {len(grounds.sizes_m)} objects of these sizes would cover {covered:.0f} of "
            f"{side**2:.0f} m², where there is room for {DENSEST * side**2:.0f}; use fewer or smaller "
            "objects, or a larger area (half_extent_m)"
        )


def _turned_cloud(obj: SceneObject, model: Model) -> Points:
    """Return points on an object's surface, turned as it stands, around its own place."""
    key = obj.asset.sha256, obj.asset.edits, obj.subtype, obj.size_m
    cloud = _clouds.get(key, partial(sample_points, model))
    return np.asarray(cloud @ rotation_matrix(obj.poses[0].rotation_wxyz).T)


def _scattered(g: np.random.Generator, grounds: Footprints, settings: Scatter) -> Array | None:
    """Return positions (n, 2) whose footprints do not cross, or None where no way was found.

    The largest object comes first: what is small still finds room between the others. An object that finds no
    room takes the place where it is least in the way, and what stood there looks for another.
    """
    n = len(grounds.headings_rad)
    spots = np.zeros((n, 2))
    found: list[int] = []
    waiting = sorted(range(n), key=lambda k: -grounds.sizes_m[k, 0] * grounds.sizes_m[k, 1])
    for _ in range(40 * n):
        if not waiting:
            return spots
        k = waiting.pop(0)
        spot, in_the_way = _best_spot(g, grounds, k, found, spots, settings)
        for other in in_the_way:
            found.remove(other)
            waiting.append(other)
        found.append(k)
        spots[k] = spot
    return None


def _best_spot(
    g: np.random.Generator, grounds: Footprints, k: int, found: list[int], spots: Array, settings: Scatter
) -> tuple[Array, list[int]]:
    """Return a uniform position and what is in the way there: the first with nothing, else with least."""
    proposed = _uniform_spots(g, settings)
    crossed = crossed_by(proposed, grounds, k, found, spots)
    best = int(crossed.sum(axis=1).argmin())
    return proposed[best], [found[i] for i in np.flatnonzero(crossed[best])]


def _mended(
    g: np.random.Generator,
    grounds: Footprints,
    clouds: list[Points],
    spots: Array,
    floors: np.ndarray,
    wanted: int,
    camera: Camera,
    settings: Scatter,
) -> bool:
    """Move objects in `spots` one at a time until the arrangement is fine; return whether everything shows.

    Proposals are uniform, and the first that is no worse is taken: nothing but what is wanted is preferred.
    """
    n = len(spots)
    cells = [cells_of(camera, c + np.array([x, y, 0.0])) for (x, y), c in zip(spots, clouds, strict=True)]
    lack, missing = _lacks(approximate_visibility(cells), floors, wanted, settings)
    for _ in range(40 * n):
        if not lack.any() and not missing:
            return True
        hidden = lack.any() and g.random() < 0.6
        k = int(g.choice(np.flatnonzero(lack))) if hidden else int(g.integers(n))
        spot = _free_spot(g, grounds, k, spots, settings)
        if spot is None:
            continue
        before = cells[k]
        cells[k] = cells_of(camera, clouds[k] + np.array([*spot, 0.0]))
        now, still_missing = _lacks(approximate_visibility(cells), floors, wanted, settings)
        if now.sum() + PAIR * still_missing <= lack.sum() + PAIR * missing:
            spots[k], lack, missing = spot, now, still_missing
        else:
            cells[k] = before
    return not lack.any()


def _lacks(
    look: ApproximateVisibility, floors: np.ndarray, wanted: int, settings: Scatter
) -> tuple[np.ndarray, int]:
    """Return what each object lacks (n,) of being seen well, and how many wanted pairs are missing."""
    small = settings.small_fraction * np.minimum(settings.small_px / np.maximum(look.whole_px, 1), 1)
    needed = np.maximum(np.maximum(floors, small), settings.min_visible_px / np.maximum(look.whole_px, 1))
    lack = np.maximum(needed - look.shown, 0) + np.maximum(settings.min_inside_fraction - look.inside, 0)
    low, high = settings.hidden_shares
    pairs = int(np.count_nonzero((look.hidden >= low) & (look.hidden <= high)))
    return lack, max(wanted - pairs, 0)


def _free_spot(
    g: np.random.Generator, grounds: Footprints, k: int, spots: Array, settings: Scatter
) -> Array | None:
    """Return a uniform position where object `k` crosses no other, or None where 120 draws found none."""
    proposed = _uniform_spots(g, settings)
    others = [i for i in range(len(spots)) if i != k]
    # The first is nearly always among the first dozen.
    for some in (proposed[:12], proposed[12:]):
        free = np.flatnonzero(~crossed_by(some, grounds, k, others, spots).any(axis=1))
        if free.size:
            return np.asarray(some[int(free[0])])
    return None


def _uniform_spots(g: np.random.Generator, settings: Scatter) -> Array:
    r = settings.half_extent_m
    return np.round(g.uniform(-r, r, (120, 2)), 6)


def _standing_at(obj: SceneObject, spot: Sequence[float]) -> SceneObject:
    pose = Pose(position_m=(spot[0], spot[1], 0.0), rotation_wxyz=obj.poses[0].rotation_wxyz)
    moved: SceneObject = msgspec.structs.replace(obj, poses=(pose,))
    return moved


def _least_fraction(obj: SceneObject, settings: Scatter) -> float:
    return settings.thin_fraction if obj.category in settings.thin else settings.min_visible_fraction


def fits(obj: SceneObject, visible: ObjectVisibility, settings: Scatter) -> bool:
    whole = visible.full_px
    enough = max(
        settings.min_visible_px,
        _least_fraction(obj, settings) * whole,
        settings.small_fraction * min(whole, settings.small_px),
    )
    return visible.visible_px >= enough and visible.amodal_px >= settings.min_inside_fraction * whole
