"""A picture of a scene: few samples through Mitsuba, cleaned by Open Image Denoise with noise-free guides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model
from fathom.geometry.cameras import pixel_rays
from fathom.geometry.poses import pose_at
from fathom.ground_truth.trace import still
from fathom.records import Camera, InputError, Scene
from fathom.render import renderer_scene
from fathom.render.air import FAR_M, Sight, lit_lamps, through_air
from fathom.render.color import Floats
from fathom.render.grounds import Spot
from fathom.render.guides import OFFSETS, Guides, guides
from fathom.render.lights import Light, ground_seen
from fathom.render.static_geometry import StaticGeometry
from fathom.render.surfaces import SurfaceArrays, placed, skins_of
from fathom.render.tone import exposed, picture
from fathom.render.variants import FAST, Engine, denoiser_module, give_back, mitsuba_module, prepare
from fathom.store.seeds import rng


@dataclass(frozen=True)
class RenderQuality:
    """How much work a picture is worth: samples a pixel, bounces of light, and the denoiser's care."""

    samples: int
    depth: int
    denoiser: str


QUALITIES: dict[str, RenderQuality] = {
    "draft": RenderQuality(samples=1, depth=3, denoiser="fast"),
    "preview": RenderQuality(samples=4, depth=3, denoiser="fast"),
    "final": RenderQuality(samples=8, depth=4, denoiser="high"),
}

AIR = frozenset({"dim", "fog_m", "rain", "wet", "snowfall", "snow", "lamps"})
"""What an environment may say of its air (`render/air.py`)."""

GRAIN_PX = 6.0
"""What varies on the ground within about so many pixels is its grain."""


def paint(
    scene: Scene,
    models: Mapping[str, Model],
    light: Light,
    engine: Engine,
    quality: str = "final",
    frame: int = 0,
    view: int = 0,
    gain: float | None = None,
    static: StaticGeometry | None = None,
) -> NDArray[np.uint8]:
    """Return what camera `view` of the scene sees at `frame`, as (height, width, 3) sRGB bytes.

    `gain` is the exposure; when None it is found from the picture. `static` saves work on further pictures of
    the same scene and models.

    Raises InputError for an unknown quality, MissingExtraError where Mitsuba or Open Image Denoise is not
    installed.
    """
    if quality not in QUALITIES:
        raise InputError(f"quality {quality!r}: expected one of {', '.join(QUALITIES)}")
    camera = still(scene.cameras[view], frame)
    skins = skins_of(scene, models) if static is None else [static.skin(models[t.id]) for t in scene.objects]
    # Edges are as soft as the denoiser is told: even a picture of one sample is told of two places.
    places = OFFSETS[:: max(1, len(OFFSETS) // max(2, QUALITIES[quality].samples))]
    solids = None if static is None else [static.solid(models[t.id]) for t in scene.objects]
    told = guides(scene, models, skins, camera, frame, places, solids)
    ground = _ground_picture(camera, light)
    even = _evened(ground)
    noisy = _rendered(scene, skins, camera, light, even, engine, QUALITIES[quality], frame, static)
    clean = _denoised(noisy, told, even, QUALITIES[quality].denoiser)
    light_seen = _grained(clean, told, ground, even)
    if scene.environment.detail.keys() & AIR:
        sight = Sight(camera, light_seen, _depth_m(camera, told), _albedo(told, ground), told)
        light_seen = through_air(sight, scene, lit_lamps(scene, models, frame), gain or 1.0)
    else:
        light_seen = light_seen + told.glow
    return picture(exposed(light_seen) if gain is None else light_seen * np.float32(gain))


def _depth_m(camera: Camera, told: Guides) -> Floats:
    """Return (height, width) how far along the view a picture shows something; far away in the sky."""
    eye, toward = pixel_rays(camera)
    with np.errstate(divide="ignore", invalid="ignore"):
        ground = np.where(toward[..., 2] < 0, -eye[2] / toward[..., 2], np.inf)
        objects = told.objects / told.nearness
    return np.where(told.objects > 0.5, objects, np.minimum(ground, 2 * FAR_M)).astype(np.float32)


def _albedo(told: Guides, ground: Floats) -> Floats:
    return np.asarray(told.albedo + ground * (1 - told.objects)[..., None], dtype=np.float32)


def _evened(ground: Floats) -> Floats:
    """Return the ground without its grain: the light on it is found with this, and the grain put back after.

    A denoiser would take fine grain for noise, and fine noise for grain.
    """
    from scipy.ndimage import gaussian_filter

    lies = (ground.sum(axis=-1, keepdims=True) > 0).astype(np.float32)
    near = (GRAIN_PX, GRAIN_PX, 0)
    even = gaussian_filter(ground, near) / np.maximum(gaussian_filter(lies, near), 1e-3)
    return np.asarray(even * lies, dtype=np.float32)


def _grained(clean: Floats, told: Guides, ground: Floats, even: Floats) -> Floats:
    """Return the picture with the ground's grain put back where the ground is seen."""
    grain = np.where(even > 0, ground / np.maximum(even, 1e-4), 1)
    return np.asarray(clean * (1 + (1 - told.objects)[..., None] * (grain - 1)), dtype=np.float32)


def _ground_picture(camera: Camera, light: Light) -> Floats:
    """Return the (height, width, 3) albedo of the bare ground as the camera sees it; 0 in the sky."""
    eye, toward = pixel_rays(camera)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = -eye[2] / toward[..., 2]
    down = (distance > 0) & (distance < renderer_scene.REACH_M)
    t, d = distance[down], toward[down]
    spot = Spot(
        x_m=(eye[0] + t * d[:, 0]).astype(np.float32),
        y_m=(eye[1] + t * d[:, 1]).astype(np.float32),
        # A pixel's width across the view times its length along it, as the side of a square.
        pixel_m=(t / camera.fx * np.sqrt(np.linalg.norm(d, axis=1) / np.abs(d[:, 2]))).astype(np.float32),
    )
    out = np.zeros((camera.height, camera.width, 3), dtype=np.float32)
    out[down] = ground_seen(light, spot)
    return out


def _rendered(
    scene: Scene, skins: Sequence[SurfaceArrays], camera: Camera, light: Light, ground: Floats,
    engine: Engine, quality: RenderQuality, frame: int, static: StaticGeometry | None,
) -> Floats:  # fmt: skip
    prepare(engine)
    mi = mitsuba_module()
    poses = [pose_at(t.poses, frame) for t in scene.objects]
    seed = int(rng(scene.seed, "paint", scene.id).integers(2**31))
    if static is not None and engine.variant == FAST:
        work = (quality.samples, quality.depth, seed)
        return _sound(static.seen(scene, skins, poses, camera, light, ground, work))
    if static is None:
        meshes = renderer_scene.objects(skins, [placed(s, p) for s, p in zip(skins, poses, strict=True)])
    else:
        meshes = static.meshes(scene, skins, poses)
    world = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": quality.depth, "rr_depth": 64},
        "sensor": renderer_scene.sensor(camera, quality.samples),
        "light": renderer_scene.sky(light),
        "ground": renderer_scene.ground_mesh(camera, ground),
        "far": renderer_scene.far_ground(ground),
        **meshes,
    }
    rendered = mi.render(mi.load_dict(world), spp=quality.samples, seed=seed)
    pixels = np.array(rendered, dtype=np.float32)[..., :3]
    del rendered, world
    give_back()
    return _sound(pixels)


def _sound(pixels: Floats) -> Floats:
    """Return light without what is no number, and none below 0."""
    return np.where(np.isfinite(pixels), np.maximum(pixels, 0), 0).astype(np.float32)


def _denoised(noisy: Floats, told: Guides, ground: Floats, care: str) -> Floats:
    bare = (1 - told.objects)[..., None]
    albedo = np.clip(told.albedo + ground * bare, 0, 1).astype(np.float32)
    lies = (ground.sum(axis=-1, keepdims=True) > 0) * bare
    normal = (told.normal + lies * np.array([0, 0, 1], dtype=np.float32)).astype(np.float32)
    clean = denoiser_module().denoise(noisy, albedo, normal, hdr=True, clean_aux=True, quality=care)
    return np.asarray(clean, dtype=np.float32)
