"""What is made once for many pictures of a scene whose objects keep their shapes.

The compiled Mitsuba holds what stands still, the light and the ground out of sight as one scene, for as long
as there are pictures of them; what moves, and the ground as a camera sees it, is a second one, made for each.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fathom.assets.model import Model
from fathom.ground_truth.solids import Solid, solid_of
from fathom.records import Camera, Pose, Scene
from fathom.render import renderer_scene
from fathom.render.bounces import lit
from fathom.render.color import Floats
from fathom.render.grounds import Spot
from fathom.render.lights import Light, ground_seen
from fathom.render.surfaces import SurfaceArrays, placed, skin_of
from fathom.render.variants import give_back, mitsuba_module

MEAN_OVER_M, MEAN_STEP_M = 12.0, 0.3
"""The ground out of sight has the mean colour of so much of the ground, looked at in such steps."""


@dataclass(eq=False)
class StaticGeometry:
    """What was made so far.

    `skins` holds each model with its surface, and `solids` with its triangles, by the model's identity;
    `still` the meshes of what stands still, and `standing` Mitsuba's scene of them.
    """

    skins: dict[int, tuple[Model, SurfaceArrays]] = field(default_factory=dict)
    solids: dict[int, tuple[Model, Solid]] = field(default_factory=dict)
    still: dict[str, Any] | None = None
    standing: Any = None
    stands: tuple[Model, ...] = ()

    def turn_to(self, stands: Sequence[Model], models: Collection[Model]) -> None:
        """Keep only what is of these models; and nothing where it is others that stand still."""
        if len(stands) != len(self.stands) or any(
            a is not b for a, b in zip(stands, self.stands, strict=True)
        ):
            self.clear()
            self.stands = tuple(stands)
        here = {id(m) for m in models}
        for gone in self.skins.keys() - here:
            del self.skins[gone]
        for gone in self.solids.keys() - here:
            del self.solids[gone]

    def clear(self) -> None:
        """Forget everything."""
        self.skins.clear()
        self.solids.clear()
        self.still = self.standing = None
        self.stands = ()
        give_back()

    def skin(self, model: Model) -> SurfaceArrays:
        """Return the surface of a model."""
        if id(model) not in self.skins:
            self.skins[id(model)] = (model, skin_of(model))
        return self.skins[id(model)][1]

    def solid(self, model: Model) -> Solid:
        """Return the triangles of a model, ready for rays."""
        if id(model) not in self.solids:
            self.solids[id(model)] = (model, solid_of(model))
        return self.solids[id(model)][1]

    def meshes(self, scene: Scene, skins: Sequence[SurfaceArrays], poses: Sequence[Pose]) -> dict[str, Any]:
        """Return the meshes of all objects; those of what stands still were made before."""
        return {**self._still(scene, skins, poses), **_moving(scene, skins, poses)}

    def seen(
        self,
        scene: Scene,
        skins: Sequence[SurfaceArrays],
        poses: Sequence[Pose],
        camera: Camera,
        light: Light,
        ground: Floats,
        work: tuple[int, int, int],
    ) -> Floats:
        """Return (height, width, 3) noisy light, by the compiled Mitsuba.

        `ground` is the ground's picture, and `work` the samples a pixel, the bounces of light, and the seed.
        """
        mi = mitsuba_module()
        if self.standing is None:
            still = self._still(scene, skins, poses)
            far = renderer_scene.far_ground(_some_ground(light))
            self.standing = mi.load_dict(
                {"type": "scene", "light": renderer_scene.sky(light), "far": far, **still}
            )
        near = {"ground": renderer_scene.ground_mesh(camera, ground), **_moving(scene, skins, poses)}
        samples, depth, seed = work
        passing = mi.load_dict({"type": "scene", **near})
        sensor = mi.load_dict(renderer_scene.sensor(camera, samples))
        return np.array(lit((self.standing, passing), sensor, depth, samples, seed), np.float32)[..., :3]

    def _still(self, scene: Scene, skins: Sequence[SurfaceArrays], poses: Sequence[Pose]) -> dict[str, Any]:
        if self.still is None:
            here = zip(scene.objects, skins, poses, strict=True)
            some = [(s, placed(s, p)) for t, s, p in here if len(t.poses) == 1]
            self.still = renderer_scene.objects([s for s, _ in some], [p for _, p in some], "still")
        return self.still


def _moving(scene: Scene, skins: Sequence[SurfaceArrays], poses: Sequence[Pose]) -> dict[str, Any]:
    here = zip(scene.objects, skins, poses, strict=True)
    some = [(s, placed(s, p)) for t, s, p in here if len(t.poses) > 1]
    return renderer_scene.objects([s for s, _ in some], [p for _, p in some])


def _some_ground(light: Light) -> Floats:
    """Return (n, 1, 3) albedo of the ground around the middle, the same for every camera."""
    along = np.arange(-MEAN_OVER_M, MEAN_OVER_M, MEAN_STEP_M, dtype=np.float32)
    x, y = (axis.ravel() for axis in np.meshgrid(along, along))
    return ground_seen(light, Spot(x, y, np.full_like(x, MEAN_STEP_M)))[:, None]
