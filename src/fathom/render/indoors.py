"""Pictures of rooms that their own lamps, windows and ceilings light; there is nothing beyond the walls.

What a model's material gives off (`emission`, in units of white paper well lit) sheds light here, and is not
only seen to glow. The whole room is one mesh: rays of the guides are cast at everything at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model, Part
from fathom.geometry.cameras import pixel_rays
from fathom.geometry.poses import pose_at, rotation_matrix, to_world
from fathom.ground_truth.alone import ObjectRays
from fathom.ground_truth.solids import Hits, Solid, cast, solid_of
from fathom.ground_truth.trace import still
from fathom.records import Camera, Pose, Scene
from fathom.render import renderer_scene
from fathom.render.bounces import lit
from fathom.render.color import Floats, luminance
from fathom.render.guides import OFFSETS, shown_at
from fathom.render.surfaces import SurfaceArrays, skin_of
from fathom.render.tone import picture
from fathom.render.variants import FAST, Engine, denoiser_module, mitsuba_module, prepare
from fathom.store.seeds import rng

INDOORS = "indoors"
"""The name of the environment of scenes that shut the world out and bring their own light."""

LEVEL, GAINS = 0.36, (1.0, 2.7)
"""How bright a room is shown, and how far exposure may go for it."""

LOW_M, PALE, MOST_FOR_DARK = 1.3, 0.25, 1.8
"""Where what lies low and faces up is darker than this, exposure goes farther, by so much at most: cameras in
rooms look down on floors and furniture."""

CLAMP = 12.0
"""No pixel is brighter before it is cleaned: a single lucky ray would leave a bright spot."""

_AT_ORIGIN = Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=(1.0, 0.0, 0.0, 0.0))


def room_picture(
    scene: Scene,
    models: Mapping[str, Model],
    frame: int,
    view: int,
    engine: Engine,
    work: tuple[int, int],
    denoiser: str,
) -> NDArray[np.uint8]:
    """Return what a camera sees at a frame, (height, width, 3) sRGB bytes.

    `work` are the samples a pixel and the bounces of light. Raises MissingExtraError where Mitsuba or Open
    Image Denoise is not installed.
    """
    camera = still(scene.cameras[view], frame)
    whole = _together(scene, models, frame)
    solid, skin = solid_of(whole), skin_of(whole)
    albedo, normal = _guides(camera, solid, skin)
    noisy = _rendered(scene, camera, solid, skin, engine, *work)
    clean = denoiser_module().denoise(noisy, albedo, normal, hdr=True, clean_aux=True, quality=denoiser)
    return picture(np.asarray(clean, dtype=np.float32) * np.float32(_exposure(skin)))


def _exposure(skin: SurfaceArrays) -> float:
    """Return by what the light is multiplied: one factor for a whole video, so that nothing flickers.

    What all lamps, panes and ceilings give off, spread over the inside of the room's box, is about the light
    that its surfaces get.
    """
    bright = skin.emission > 0
    corners = skin.positions[skin.faces[bright]].astype(np.float64)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1) / 2
    radiance = luminance(skin.colors[skin.faces[bright, 0]]) * skin.emission[bright]
    x, y, z = (skin.positions.max(axis=0) - skin.positions.min(axis=0)).astype(np.float64)
    level = float((areas * radiance).sum()) / (2 * (x * y + y * z + z * x))
    return float(np.clip(LEVEL / max(level, 1e-6), *GAINS)) * _for_dark_floors(skin)


def _for_dark_floors(skin: SurfaceArrays) -> float:
    """Return by what the light is multiplied besides where floors and furniture are dark."""
    corners = skin.positions[skin.faces].astype(np.float64)
    upward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    low = (skin.emission <= 0) & (corners[..., 2].max(axis=1) < skin.positions[:, 2].min() + LOW_M)
    area = np.where(low, upward.clip(0), 0.0)
    albedo = float((area * luminance(skin.colors[skin.faces[:, 0]])).sum() / max(area.sum(), 1e-9))
    return float(np.clip((PALE / max(albedo, 1e-3)) ** 0.5, 1.0, MOST_FOR_DARK))


def _together(scene: Scene, models: Mapping[str, Model], frame: int) -> Model:
    """Return everything that is there at a frame as one model, in the world's frame."""
    parts: list[Part] = []
    for obj in scene.objects:
        pose = pose_at(obj.poses, frame)
        turn = rotation_matrix(pose.rotation_wxyz)
        parts += [
            replace(
                p,
                vertices=to_world(pose, p.vertices),
                normals=None if p.normals is None else np.asarray(p.normals @ turn.T),
            )
            for p in models[obj.id].parts
            if len(p.faces)
        ]
    return Model(name=scene.id, category="room", subtype="room", parts=tuple(parts))


def _guides(camera: Camera, solid: Solid, skin: SurfaceArrays) -> tuple[Floats, Floats]:
    """Return what the denoiser is told, albedo and normals, (height, width, 3) each."""
    shape = (camera.height, camera.width)
    total = np.zeros((camera.height * camera.width, 6), dtype=np.float32)
    even = _even_albedo(skin)
    for dx, dy in OFFSETS:
        moved = Camera(
            width=camera.width, height=camera.height, fx=camera.fx, fy=camera.fy,
            cx=camera.cx - dx, cy=camera.cy - dy, poses=camera.poses,
        )  # fmt: skip
        eye, toward = pixel_rays(moved)
        hits = cast(solid, eye, toward.reshape(-1, 3))
        seen = np.flatnonzero(hits.face >= 0)
        window = (0, 0, camera.width, camera.height)
        if skin.textures:
            a = ObjectRays(window, hits.distance.reshape(shape), hits, solid, _AT_ORIGIN, len(seen))
            total[seen] += shown_at(moved, a, skin, seen)[:, :6]
        else:
            total[seen, :3] += even[hits.face[seen]]
            total[seen, 3:] += _normals(skin, hits, seen, toward.reshape(-1, 3)[seen])
    mean = (total / len(OFFSETS)).reshape(*shape, 6)
    return np.asarray(mean[..., 0:3], np.float32), np.asarray(mean[..., 3:6], np.float32)


def _even_albedo(skin: SurfaceArrays) -> Floats:
    """Return (m, 3) the albedo of each face, where none has a texture; of a metal, half what is around it."""
    first = skin.faces[:, 0]
    metallic = skin.finish[first, :1]
    albedo = np.clip(skin.colors[first], 0, 1) * (1 - 0.5 * metallic) + 0.25 * metallic
    return np.asarray(albedo, dtype=np.float32)


def _normals(skin: SurfaceArrays, hits: Hits, seen: NDArray[np.intp], toward: NDArray[np.floating]) -> Floats:
    """Return (k, 3) the normals where rays met the room, facing whoever looks along them."""
    i, j, k = skin.faces[hits.face[seen]].T
    u, v = hits.u[seen, None], hits.v[seen, None]
    normal = (1 - u - v) * skin.normals[i] + u * skin.normals[j] + v * skin.normals[k]
    away = np.einsum("nk,nk->n", normal, toward) > 0
    return np.asarray(np.where(away[:, None], -normal, normal), dtype=np.float32)


def _rendered(
    scene: Scene, camera: Camera, solid: Solid, skin: SurfaceArrays, engine: Engine, samples: int, depth: int
) -> Floats:
    prepare(engine)
    mi = mitsuba_module()
    dull = skin.emission <= 0
    rest = replace(skin, faces=skin.faces[dull], texture=skin.texture[dull], emission=skin.emission[dull])
    room = mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": depth, "rr_depth": 64},
            **renderer_scene.objects([rest], [(rest.positions, rest.normals)]),
            **_lights(solid, skin, ~dull),
        }
    )
    sensor = mi.load_dict(renderer_scene.sensor(camera, samples))
    # One seed for the whole film: what noise the denoiser leaves does not crawl.
    seed = int(rng(scene.seed, "film", scene.id).integers(2**31))
    if engine.variant == FAST:
        rendered = lit((room,), sensor, depth, samples, seed)
    else:
        rendered = mi.render(room, sensor=sensor, spp=samples, seed=seed)
    pixels = np.array(rendered, dtype=np.float32)[..., :3]
    return np.where(np.isfinite(pixels), np.clip(pixels, 0, CLAMP), 0).astype(np.float32)


def _lights(solid: Solid, skin: SurfaceArrays, bright: NDArray[np.bool_]) -> dict[str, Any]:
    """Return what gives off light, a mesh for each part of a model that does."""
    found = {}
    for part in np.unique(solid.part_of[bright]):
        chosen = bright & (solid.part_of == part)
        first = skin.faces[chosen][0, 0]
        radiance = skin.colors[first] * float(skin.emission[chosen][0])
        found[f"light{part}"] = renderer_scene.light_mesh(
            f"light{part}", skin.positions, skin.normals, skin.faces[chosen], radiance
        )
    return found
