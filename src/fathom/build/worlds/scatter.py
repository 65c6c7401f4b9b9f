"""Things scattered on the ground before one camera: PulseCheck457's generator.

Attributes and headings are drawn first and kept; where a scene does not fit, only positions are drawn
again, so that what questions ask about stays uniform.

Ref: PulseCheck457 §3.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec
import numpy as np

from fathom.build.assets.libraries import Library
from fathom.build.assets.model import Model
from fathom.build.worlds.placing import model_of, world_triangles
from fathom.geometry.boxes import footprint, separation_m
from fathom.geometry.cameras import look_at
from fathom.geometry.poses import heading_rad, yaw_quaternion
from fathom.geometry.visibility import Silhouette, sights, silhouette
from fathom.records import Camera, Environment, Pose, Scene, Sight, Thing, UnfitError
from fathom.store.seeds import rng

VERSION = "1"

PAPER_COLORS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")


@dataclass(frozen=True)
class Scatter:
    """What the generator draws from; the defaults are the paper's.

    `sizes` are the scale factors of the unit models, `half_extent_m` the half side of the square that
    centres stand in, `inflate` the factor on footprints that must not cross. A scene fits when every thing
    shows at least `min_visible_px` pixels and `min_visible_fraction` of its whole silhouette, the part
    beyond the picture's edges included.
    """

    fewest: int = 3
    most: int = 10
    sizes: Mapping[str, float] = field(default_factory=lambda: {"large": 3.5, "small": 1.8})
    colors: tuple[str, ...] = PAPER_COLORS
    half_extent_m: float = 3.0
    inflate: float = 1.1
    camera_m: tuple[float, float, float] = (7.4811, -6.5076, 5.3437)
    camera_jitter_m: float = 0.5
    width: int = 640
    height: int = 480
    focal_px: float = 700.0
    min_visible_px: int = 200
    min_visible_fraction: float = 0.4
    tries: int = 600


@dataclass(frozen=True)
class Placed:
    """One thing while positions are being found: where it is, its footprint and its silhouette."""

    thing: Thing
    corners: np.ndarray
    shape: Silhouette


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
    things = draw_things(seed, name, library, settings)
    models = {t.id: model_of(t, library) for t in things}
    placed, seen = find_positions(seed, name, things, models, camera, settings)
    return Scene(
        id=name,
        generator="scatter",
        version=VERSION,
        seed=seed,
        things=tuple(p.thing for p in placed),
        cameras=(camera,),
        environment=environment(name),
        sights=seen,
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


def draw_things(seed: str, name: str, library: Library, settings: Scatter) -> tuple[Thing, ...]:
    """Return the things of a scene with uniform attributes and headings, all still over the origin."""
    g = rng(seed, name, "things")
    count = int(g.integers(settings.fewest, settings.most + 1))
    subtypes = library.subtypes()
    things = []
    for k in range(count):
        category, subtype = subtypes[int(g.integers(len(subtypes)))]
        size = list(settings.sizes)[int(g.integers(len(settings.sizes)))]
        color = settings.colors[int(g.integers(len(settings.colors)))]
        heading = float(g.uniform(0, 2 * math.pi))
        candidates = library.of_subtype(subtype)
        entry = candidates[int(g.integers(len(candidates)))]
        length, width, height = (round(e * settings.sizes[size], 6) for e in entry.model().extents)
        pose = rounded_pose(Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=yaw_quaternion(heading)))
        things.append(
            Thing(
                id=f"t{k}",
                category=category,
                subtype=subtype,
                size_m=(length, width, height),
                poses=(pose,),
                asset=library.ref(entry.name),
                attributes={"size": size, "color": color if entry.recolourable else ""},
            )
        )
    return tuple(things)


def find_positions(
    seed: str,
    name: str,
    things: tuple[Thing, ...],
    models: Mapping[str, Model],
    camera: Camera,
    settings: Scatter,
) -> tuple[list[Placed], tuple[Sight, ...]]:
    """Return the things at positions where footprints do not cross and everything can be seen."""
    g = rng(seed, name, "positions")
    part_names = {t.id: [p.name for p in models[t.id].parts] for t in things}
    placed: list[Placed] = []
    for attempt in range(settings.tries):
        if attempt % 60 == 0 or len(placed) < len(things):
            placed = _start_over(g, things, models, camera, settings)
            if len(placed) < len(things):
                continue
        seen = sights(camera, {p.thing.id: p.shape for p in placed}, part_names)
        bad = [k for k, s in enumerate(seen) if not _fits(s, settings)]
        if not bad:
            return placed, seen
        placed = _move_one(g, bad, placed, seen, models, camera, settings)
    raise UnfitError(
        f"{name}: {len(things)} things of these sizes could not be placed so that each shows at least "
        f"{settings.min_visible_px} pixels and {settings.min_visible_fraction:.0%} of itself "
        f"({settings.tries} tries); use fewer or smaller things, a larger area or lower floors"
    )


def _start_over(
    g: np.random.Generator,
    things: tuple[Thing, ...],
    models: Mapping[str, Model],
    camera: Camera,
    settings: Scatter,
) -> list[Placed]:
    placed: list[Placed] = []
    for thing in things:
        spot = _free_spot(g, thing, placed, settings)
        if spot is None:
            break
        placed.append(_put(thing, spot, models[thing.id], camera, settings))
    return placed


def _move_one(
    g: np.random.Generator,
    bad: list[int],
    placed: list[Placed],
    seen: tuple[Sight, ...],
    models: Mapping[str, Model],
    camera: Camera,
    settings: Scatter,
) -> list[Placed]:
    """Return the things with one of them elsewhere: a hidden one, or the one that hides it most."""
    k = bad[int(g.integers(len(bad)))]
    covers = seen[k].covers
    if covers and g.random() < 0.5:
        worst = max(covers, key=lambda c: c.over_px).thing
        k = next(i for i, p in enumerate(placed) if p.thing.id == worst)
    others = placed[:k] + placed[k + 1 :]
    spot = _free_spot(g, placed[k].thing, others, settings)
    if spot is None:
        return placed
    moved = _put(placed[k].thing, spot, models[placed[k].thing.id], camera, settings)
    return [*placed[:k], moved, *placed[k + 1 :]]


def _free_spot(
    g: np.random.Generator, thing: Thing, placed: list[Placed], settings: Scatter
) -> tuple[float, float] | None:
    """Return a uniform position whose footprint crosses no other, or None after 150 draws."""
    r = settings.half_extent_m
    for x, y in g.uniform(-r, r, (150, 2)):
        corners = _corners(thing, float(x), float(y), settings.inflate)
        if all(separation_m(corners, p.corners) > 0 for p in placed):
            return round(float(x), 6), round(float(y), 6)
    return None


def _corners(thing: Thing, x: float, y: float, inflate: float) -> np.ndarray:
    return footprint(x, y, heading_rad(thing.poses[0]), thing.size_m[0], thing.size_m[1], inflate)


def _put(thing: Thing, spot: tuple[float, float], model: Model, camera: Camera, settings: Scatter) -> Placed:
    pose = Pose(position_m=(*spot, 0.0), rotation_wxyz=thing.poses[0].rotation_wxyz)
    there = standing_at(thing, pose)
    shape = silhouette(camera, *world_triangles(there, model))
    return Placed(there, _corners(there, *spot, settings.inflate), shape)


def standing_at(thing: Thing, pose: Pose) -> Thing:
    """Return the thing standing elsewhere."""
    moved: Thing = msgspec.structs.replace(thing, poses=(pose,))
    return moved


def _fits(sight: Sight, settings: Scatter) -> bool:
    return (
        sight.visible_px >= settings.min_visible_px
        and sight.visible_px >= settings.min_visible_fraction * sight.full_px
    )
