"""A world: objects in a ring around a point on the ground."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from fathom.assets.libraries import Library
from fathom.datasets.generators.stills import (
    Plan,
    Stills,
    StillSettings,
    environments_of,
    library_of,
    light_for,
)
from fathom.geometry.visibility import object_visibility, silhouette
from fathom.records import Environment, Pose, Scene, SceneObject, UnfitError
from fathom.scenes.placed_models import model_of, world_triangles
from fathom.scenes.scatter import draw_camera, draw_objects, fits
from fathom.scenes.scatter_settings import Scatter
from fathom.scenes.sweeps import sweeps_of
from fathom.settings import INLINE
from fathom.store.seeds import rng


@dataclass(frozen=True)
class Ring(Scatter):
    """A ring of objects; what is not said here is as in `Scatter`.

    radius_m : how far the objects stand from the middle of the ring, from and to
    """

    most: int = 4
    radius_m: tuple[float, float] = (2.5, 3.5)


@dataclass(frozen=True)
class RingSettings(StillSettings):
    """Still scenes of rings.

    world : what rings are drawn from
    """

    world: Ring = field(default_factory=Ring, metadata=INLINE)


class Rings(Stills):
    """Still scenes in which objects stand in a ring, with questions as on all still scenes."""

    title = "rings of objects"
    makes = frozenset({"ring"})
    defaults = RingSettings()

    def draw(self, plan: Plan, index: int) -> Scene:
        """Return scene `index` of the world that belongs to the plan's seed."""
        light = light_for(plan.seed, environments_of(plan.own.environment))
        world = plan.own.world
        assert isinstance(world, Ring)
        return draw_ring(index, plan.seed, library_of(plan.assets), world, light)


GENERATOR = Rings()


def draw_ring(
    index: int, seed: str, library: Library, ring: Ring, environment: Callable[[str], Environment]
) -> Scene:
    """Return a scene whose objects all show. Raises UnfitError where no ring was found."""
    name = f"scene-{index:06d}"
    camera = draw_camera(seed, name, ring)
    objects = draw_objects(seed, name, library, ring)
    models = {o.id: model_of(o, library) for o in objects}
    parts = {o.id: [p.name for p in models[o.id].parts] for o in objects}
    g = rng(seed, name, "ring")
    for _ in range(ring.tries):
        radius, start = g.uniform(*ring.radius_m), g.uniform(0.0, 2.0 * math.pi)
        angles = [start + 2.0 * math.pi * k / len(objects) for k in range(len(objects))]
        placed = tuple(_at(o, radius, angle) for o, angle in zip(objects, angles, strict=True))
        shapes = {o.id: silhouette(camera, *world_triangles(o, models[o.id])) for o in placed}
        seen = object_visibility(camera, shapes, parts, {o.id: o for o in placed})
        if all(fits(o, s, ring) for o, s in zip(placed, seen, strict=True)):
            return Scene(
                id=name,
                generator="ring",
                version="1",
                seed=seed,
                objects=placed,
                cameras=(camera,),
                environment=environment(name),
                visibility=seen,
                sweeps=sweeps_of(placed, models),
                truth=f"truth/{name}.npz",
            )
    raise UnfitError(f"{name}: {len(objects)} objects found no ring in which all of them show; use fewer")


def _at(o: SceneObject, radius_m: float, angle_rad: float) -> SceneObject:
    x, y = round(radius_m * math.cos(angle_rad), 6), round(radius_m * math.sin(angle_rad), 6)
    pose = Pose(position_m=(x, y, 0.0), rotation_wxyz=o.poses[0].rotation_wxyz)
    moved: SceneObject = msgspec.structs.replace(o, poses=(pose,))
    return moved
