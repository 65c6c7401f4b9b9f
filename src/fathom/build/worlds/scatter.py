"""Things scattered on the ground before one camera: PulseCheck457's generator.

Attributes and headings are drawn first and kept; where a scene does not fit, only positions are drawn
again, so that what questions ask about stays uniform.

Ref: PulseCheck457 §3.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np

from fathom.build.assets.libraries import Library
from fathom.build.assets.model import Model, Points
from fathom.build.worlds.glance import sample_points, visible_shares
from fathom.build.worlds.placing import model_of, world_triangles
from fathom.geometry.boxes import crossing
from fathom.geometry.cameras import look_at
from fathom.geometry.poses import heading_rad, to_world, yaw_quaternion
from fathom.geometry.visibility import sights, silhouette
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
    beyond the picture's edges included. Where `crowded_after` arrangements have not fitted, the square grows
    by `crowded_growth`, so that crowded scenes need not be thrown away.
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
    tries: int = 80
    crowded_after: int = 10
    crowded_growth: float = 1.05


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
        things=placed,
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
) -> tuple[tuple[Thing, ...], tuple[Sight, ...]]:
    """Return the things at positions where footprints do not cross and everything can be seen.

    Positions are drawn at random and then mended one at a time until a quick look finds nothing hidden too
    much; the floors are then measured exactly.
    """
    g = rng(seed, name, "positions")
    clouds = [sample_points(models[t.id]) for t in things]
    part_names = {t.id: [p.name for p in models[t.id].parts] for t in things}
    floors = np.full(len(things), settings.min_visible_fraction + 0.02)
    for attempt in range(settings.tries):
        if attempt and attempt % settings.crowded_after == 0:
            settings = replace(settings, half_extent_m=settings.half_extent_m * settings.crowded_growth)
        spots = _scattered(g, things, settings)
        if spots is None or not _mended(g, things, clouds, spots, floors, camera, settings):
            continue
        there = tuple(_standing_at(t, s) for t, s in zip(things, spots, strict=True))
        shapes = {t.id: silhouette(camera, *world_triangles(t, models[t.id])) for t in there}
        seen = sights(camera, shapes, part_names)
        if all(_fits(s, settings) for s in seen):
            return there, seen
        floors[[not _fits(s, settings) for s in seen]] += 0.03
    raise UnfitError(
        f"{name}: {len(things)} things of these sizes could not be placed so that each shows at least "
        f"{settings.min_visible_px} pixels and {settings.min_visible_fraction:.0%} of itself "
        f"({settings.tries} arrangements tried); use fewer or smaller things, a larger area or lower floors"
    )


def _scattered(
    g: np.random.Generator, things: tuple[Thing, ...], settings: Scatter
) -> list[tuple[float, float]] | None:
    """Return positions whose footprints do not cross, or None where no way was found.

    The largest thing comes first: what is small still finds room between the others. A thing that finds no
    room takes the place where it is least in the way, and what stood there looks for another.
    """
    found: dict[int, tuple[float, float]] = {}
    waiting = sorted(range(len(things)), key=lambda k: -things[k].size_m[0] * things[k].size_m[1])
    for _ in range(40 * len(things)):
        if not waiting:
            return [found[k] for k in range(len(things))]
        k = waiting.pop(0)
        spot, in_the_way = _best_spot(g, things, k, found, settings)
        for other in in_the_way:
            del found[other]
            waiting.append(other)
        found[k] = spot
    return None


def _best_spot(
    g: np.random.Generator,
    things: tuple[Thing, ...],
    k: int,
    found: Mapping[int, tuple[float, float]],
    settings: Scatter,
) -> tuple[tuple[float, float], list[int]]:
    """Return a uniform position and what is in the way there: the first with nothing, else with least."""
    spots = _uniform_spots(g, settings)
    crossed = _crossed(spots, things[k], [(things[i], s) for i, s in found.items()], settings)
    best = int(crossed.sum(axis=1).argmin())
    others = list(found)
    return spots[best], [others[i] for i in np.flatnonzero(crossed[best])]


def _mended(
    g: np.random.Generator,
    things: tuple[Thing, ...],
    clouds: list[Points],
    spots: list[tuple[float, float]],
    floors: np.ndarray,
    camera: Camera,
    settings: Scatter,
) -> bool:
    """Move things in `spots` one at a time until nothing is hidden too much; return whether it worked."""
    there = [to_world(_standing_at(t, s).poses[0], c) for t, s, c in zip(things, spots, clouds, strict=True)]
    lack = np.maximum(floors - visible_shares(camera, there), 0)
    for _ in range(40 * len(things)):
        if not lack.any():
            return True
        hidden = g.random() < 0.6
        k = int(g.choice(np.flatnonzero(lack))) if hidden else int(g.integers(len(things)))
        others = [(t, s) for i, (t, s) in enumerate(zip(things, spots, strict=True)) if i != k]
        spot = _free_spot(g, things[k], others, settings)
        if spot is None:
            continue
        before = there[k]
        there[k] = to_world(_standing_at(things[k], spot).poses[0], clouds[k])
        now = np.maximum(floors - visible_shares(camera, there), 0)
        if now.sum() <= lack.sum():
            spots[k], lack = spot, now
        else:
            there[k] = before
    return not lack.any()


def _free_spot(
    g: np.random.Generator,
    thing: Thing,
    placed: list[tuple[Thing, tuple[float, float]]],
    settings: Scatter,
) -> tuple[float, float] | None:
    """Return a uniform position whose footprint crosses no other, or None where 120 draws found none."""
    spots = _uniform_spots(g, settings)
    free = np.flatnonzero(~_crossed(spots, thing, placed, settings).any(axis=1))
    return spots[int(free[0])] if free.size else None


def _uniform_spots(g: np.random.Generator, settings: Scatter) -> list[tuple[float, float]]:
    r = settings.half_extent_m
    return [(x, y) for x, y in np.round(g.uniform(-r, r, (120, 2)), 6).tolist()]


def _crossed(
    spots: list[tuple[float, float]],
    thing: Thing,
    placed: list[tuple[Thing, tuple[float, float]]],
    settings: Scatter,
) -> np.ndarray:
    """Return (spots, placed): whether the inflated footprints cross."""
    length, width, _ = thing.size_m
    f = settings.inflate
    return crossing(
        np.array(spots),
        heading_rad(thing.poses[0]),
        (f * length, f * width),
        np.array([s for _, s in placed]).reshape(-1, 2),
        np.array([heading_rad(t.poses[0]) for t, _ in placed]),
        f * np.array([t.size_m[:2] for t, _ in placed]).reshape(-1, 2),
    )


def _standing_at(thing: Thing, spot: tuple[float, float]) -> Thing:
    pose = Pose(position_m=(*spot, 0.0), rotation_wxyz=thing.poses[0].rotation_wxyz)
    moved: Thing = msgspec.structs.replace(thing, poses=(pose,))
    return moved


def _fits(sight: Sight, settings: Scatter) -> bool:
    return (
        sight.visible_px >= settings.min_visible_px
        and sight.visible_px >= settings.min_visible_fraction * sight.full_px
    )
