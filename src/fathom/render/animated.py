"""Pictures of a film: any cells (view, frame) of a scene, on white or in an environment.

Cells are painted frame by frame. What stands in a frame is handed to Mitsuba once, whatever the number of
views; and the frame before is let go of first, because two worlds at once make Mitsuba compile anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model
from fathom.geometry.poses import pose_at
from fathom.ground_truth.trace import still
from fathom.records import Camera, InputError, MissingExtraError, Scene, missing_extra
from fathom.render import renderer_scene
from fathom.render.color import Floats
from fathom.render.grazing import Rims
from fathom.render.guides import guides
from fathom.render.indoors import INDOORS, room_picture
from fathom.render.lights import light_of
from fathom.render.paint import paint
from fathom.render.static_geometry import StaticGeometry
from fathom.render.surfaces import SurfaceArrays, placed, skins_of
from fathom.render.variants import Engine, give_back, mitsuba_module, prepare
from fathom.render.white_background import WHITE, on_white, shade_below, studio_light
from fathom.store.seeds import rng

ModelsAt = Callable[[int], Mapping[str, Model]]
Cell = tuple[int, int]
"""A view and a frame."""


@dataclass(frozen=True)
class Care:
    """How much work a picture on white is worth: samples, bounces, places in a pixel for edges, denoiser."""

    samples: int
    depth: int
    places: int
    denoiser: str


CARES: dict[str, Care] = {
    "draft": Care(samples=2, depth=3, places=4, denoiser="fast"),
    "preview": Care(samples=4, depth=3, places=4, denoiser="fast"),
    "final": Care(samples=16, depth=4, places=16, denoiser="high"),
}

GAIN = 1.2
"""The exposure in an environment: one for all cells, so that nothing flickers and views agree."""


@dataclass(frozen=True)
class RenderLook:
    """How a film is painted; `shadow` is for white backgrounds, and `probes` the folder of light probes."""

    quality: str = "preview"
    shadow: bool = False
    probes: Path | None = None


def painted(
    scene: Scene, models_at: ModelsAt, cells: Iterable[Cell], engine: Engine, look: RenderLook
) -> Iterator[tuple[Cell, NDArray[np.uint8]]]:
    """Yield every cell with its picture, (height, width, 3) sRGB bytes, by frame and then by view.

    `models_at` gives the models that are there at a frame, by the things' ids, posed and in their own frames.
    On white the background is exactly (255, 255, 255).

    Raises InputError for a cell that the film does not have and an unknown quality, MissingExtraError where
    Mitsuba or Open Image Denoise is not installed.
    """
    wanted: dict[int, list[int]] = {}
    for view, frame in sorted(set(cells), key=lambda c: (c[1], c[0])):
        if not 0 <= frame < len(scene.times_s) or not 0 <= view < len(scene.cameras):
            raise InputError(
                f"scene {scene.id}: frame {frame} of view {view}: expected one of {len(scene.times_s)} "
                f"frames and {len(scene.cameras)} views; correct what is asked for"
            )
        wanted.setdefault(frame, []).append(view)
    if look.quality not in CARES:
        raise InputError(f"quality {look.quality!r}: expected one of {', '.join(CARES)}")
    _check_denoiser()
    static = StaticGeometry()
    environment = partial(_in_environment, static=static)
    way = {WHITE: _on_white, INDOORS: _indoors}.get(scene.environment.name, environment)
    try:
        for frame, views in wanted.items():
            models = models_at(frame)
            stands = [models[t.id] for t in scene.objects if len(t.poses) == 1 and t.id in models]
            static.turn_to(stands, models.values())
            yield from way(there(scene, models, frame), models, frame, views, engine, look)
    finally:
        static.clear()


def there(scene: Scene, models: Mapping[str, Model], frame: int) -> Scene:
    """Return the scene with only those of its objects that are there at a frame."""
    objects = tuple(t for t in scene.objects if t.id in models and pose_at(t.poses, frame).valid)
    left: Scene = msgspec.structs.replace(scene, objects=objects)
    return left


def _on_white(
    scene: Scene, models: Mapping[str, Model], frame: int, views: list[int], engine: Engine, look: RenderLook
) -> Iterator[tuple[Cell, NDArray[np.uint8]]]:
    care = CARES[look.quality]
    skins = skins_of(scene, models)
    world = _World(scene, skins, frame, engine, care) if scene.objects else None
    for view in views:
        camera = still(scene.cameras[view], frame)
        told = guides(scene, models, skins, camera, frame, _places(care.places))
        blank = np.zeros((camera.height, camera.width, 4), np.float32)
        seen = world.seen(camera) if world is not None else blank
        shade = shade_below(scene, models, camera, frame) if look.shadow else None
        yield (view, frame), on_white(seen, told, care.denoiser, shade)
    if world is not None:
        world.free()


def _in_environment(
    scene: Scene,
    models: Mapping[str, Model],
    frame: int,
    views: list[int],
    engine: Engine,
    look: RenderLook,
    static: StaticGeometry,
) -> Iterator[tuple[Cell, NDArray[np.uint8]]]:
    light = light_of(scene.environment, look.probes)
    for view in views:
        yield (view, frame), paint(scene, models, light, engine, look.quality, frame, view, GAIN, static)


def _indoors(
    scene: Scene, models: Mapping[str, Model], frame: int, views: list[int], engine: Engine, look: RenderLook
) -> Iterator[tuple[Cell, NDArray[np.uint8]]]:
    care = CARES[look.quality]
    for view in views:
        yield (
            (view, frame),
            room_picture(scene, models, frame, view, engine, (care.samples, care.depth), care.denoiser),
        )


class _World:
    """One frame as Mitsuba holds it, to be seen by several cameras one after the other."""

    def __init__(
        self, scene: Scene, skins: list[SurfaceArrays], frame: int, engine: Engine, care: Care
    ) -> None:
        prepare(engine)
        mi = mitsuba_module()
        self._care = care
        # One seed for the whole film: what noise the denoiser leaves does not crawl.
        self._seed = int(rng(scene.seed, "film", scene.id).integers(2**31))
        poses = [pose_at(t.poses, frame) for t in scene.objects]
        self._loaded: Any = mi.load_dict(
            {
                "type": "scene",
                "integrator": {
                    "type": "path", "max_depth": care.depth, "rr_depth": 64, "hide_emitters": True,
                },
                "light": {
                    "type": "envmap",
                    "bitmap": mi.Bitmap(studio_light()),
                    "to_world": renderer_scene.turned_up(0.0),
                },
                **renderer_scene.objects(skins, [placed(s, p) for s, p in zip(skins, poses, strict=True)]),
            }
        )  # fmt: skip
        self._rims: Rims | None = Rims(self._loaded)

    def seen(self, camera: Camera) -> Floats:
        """Return (height, width, 4): light of objects times the share of the pixel that shows one, and it."""
        mi = mitsuba_module()
        assert self._rims is not None, "the frame has been let go of"
        self._rims.turn_to(np.asarray(camera.poses[0].position_m))
        described = renderer_scene.sensor(camera, self._care.samples)
        described["film"]["pixel_format"] = "rgba"
        sensor = mi.load_dict(described)
        rendered = mi.render(self._loaded, sensor=sensor, spp=self._care.samples, seed=self._seed)
        return np.array(rendered, dtype=np.float32)

    def free(self) -> None:
        """Let go of the frame."""
        self._loaded = self._rims = None
        give_back()


def _places(count: int) -> tuple[tuple[float, float], ...]:
    """Return where in a pixel, from its centre, to look: no two places share a row or a column."""
    stride = {4: 2, 8: 3, 16: 7}.get(count, 1)
    return tuple(((k + 0.5) / count - 0.5, ((k * stride) % count + 0.5) / count - 0.5) for k in range(count))


def _check_denoiser() -> None:
    from importlib.util import find_spec

    if find_spec("pyoidn") is None:
        missing: MissingExtraError = missing_extra("pyoidn", "build", "Painting pictures")
        raise missing
