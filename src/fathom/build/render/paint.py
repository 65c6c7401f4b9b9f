"""A picture of a scene: few samples through Mitsuba, cleaned by Open Image Denoise with noise-free guides."""

from __future__ import annotations

import gc
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.build.assets.model import Model
from fathom.build.render.color import Floats
from fathom.build.render.grounds import Spot
from fathom.build.render.guides import Guides, guides
from fathom.build.render.lights import Light, ground_seen
from fathom.build.render.surfaces import Skin, placed, skins_of
from fathom.build.render.tone import exposed, picture
from fathom.build.render.variants import FAST, Engine, prepare
from fathom.build.truth.trace import still
from fathom.geometry.cameras import pixel_rays
from fathom.geometry.poses import rotation_matrix
from fathom.records import Camera, Scene, missing_extra
from fathom.store.seeds import rng


@dataclass(frozen=True)
class Quality:
    """How much work a picture is worth: samples a pixel, bounces of light, and the denoiser's care."""

    samples: int
    depth: int
    denoiser: str


QUALITIES: dict[str, Quality] = {
    "preview": Quality(samples=4, depth=3, denoiser="fast"),
    "final": Quality(samples=8, depth=4, denoiser="high"),
}

GRAIN_PX = 6.0
"""What varies on the ground within about so many pixels is its grain."""

REACH_M = 150.0
"""How far the ground goes."""


def paint(
    scene: Scene,
    models: Mapping[str, Model],
    light: Light,
    engine: Engine,
    quality: str = "final",
    frame: int = 0,
    view: int = 0,
) -> NDArray[np.uint8]:
    """Return what camera `view` of the scene sees at `frame`, as (height, width, 3) sRGB bytes.

    Raises MissingExtraError where Mitsuba or Open Image Denoise is not installed.
    """
    camera = still(scene.cameras[view], frame)
    skins = skins_of(scene, models)
    told = guides(scene, models, skins, camera, frame)
    ground = _ground_picture(camera, light)
    even = _evened(ground)
    noisy = _rendered(scene, skins, camera, light, even, engine, QUALITIES[quality], frame)
    clean = _denoised(noisy, told, even, QUALITIES[quality].denoiser)
    return picture(exposed(_grained(clean, told, ground, even) + told.glow))


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
    return np.asarray(clean * (1 + (1 - told.things)[..., None] * (grain - 1)), dtype=np.float32)


def _ground_picture(camera: Camera, light: Light) -> Floats:
    """Return the (height, width, 3) albedo of the bare ground as the camera sees it; 0 in the sky."""
    eye, toward = pixel_rays(camera)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = -eye[2] / toward[..., 2]
    down = (distance > 0) & (distance < REACH_M)
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
    scene: Scene, skins: Sequence[Skin], camera: Camera, light: Light, ground: Floats, engine: Engine,
    quality: Quality, frame: int,
) -> Floats:  # fmt: skip
    prepare(engine)
    import drjit
    import mitsuba as mi

    poses = [t.poses[min(frame, len(t.poses) - 1)] for t in scene.things]
    world = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": quality.depth, "rr_depth": 64},
        "sensor": _sensor(mi, camera),
        "light": {
            "type": "envmap",
            "bitmap": mi.Bitmap(np.ascontiguousarray(light.panorama)),
            "to_world": mi.ScalarTransform4f().rotate([0, 0, 1], math.degrees(light.rotation_rad))
            @ mi.ScalarTransform4f().rotate([1, 0, 0], 90),
        },
        "ground": _ground_mesh(mi, camera, ground),
        "far": _far_ground(mi, ground),
        **_things(mi, skins, [placed(s, p) for s, p in zip(skins, poses, strict=True)]),
    }
    seed = int(rng(scene.seed, "paint", scene.id).integers(2**31))
    rendered = mi.render(mi.load_dict(world), spp=quality.samples, seed=seed)
    pixels = np.array(rendered, dtype=np.float32)[..., :3]
    del rendered, world
    gc.collect()
    if engine.variant == FAST:
        drjit.flush_malloc_cache()
    return np.where(np.isfinite(pixels), np.maximum(pixels, 0), 0).astype(np.float32)


def _sensor(mi: Any, camera: Camera) -> dict[str, Any]:
    turn = rotation_matrix(camera.poses[0].rotation_wxyz)
    eye = np.asarray(camera.poses[0].position_m)
    # Mitsuba's film is as wide as the picture; a principal point off the middle is a shift of the window.
    return {
        "type": "perspective",
        "fov": math.degrees(2 * math.atan(camera.width / 2 / camera.fx)),
        "fov_axis": "x",
        "principal_point_offset_x": camera.cx / camera.width - 0.5,
        "principal_point_offset_y": camera.cy / camera.height - 0.5,
        "near_clip": 0.05,
        "far_clip": 1e5,
        "to_world": mi.ScalarTransform4f().look_at(
            eye.tolist(), (eye + turn[:, 2]).tolist(), (-turn[:, 1]).tolist()
        ),
        "film": {
            "type": "hdrfilm",
            "width": camera.width,
            "height": camera.height,
            "rfilter": {"type": "box"},
            "pixel_format": "rgb",
            "component_format": "float32",
        },
        "sampler": {"type": "independent"},
    }


def _things(mi: Any, skins: Sequence[Skin], placed_skins: Sequence[tuple[Floats, Floats]]) -> dict[str, Any]:
    """Return the meshes of all things: one for all that is not textured, one a texture."""
    meshes: dict[str, Any] = {}
    plain: list[tuple[Skin, Floats, Floats, NDArray[np.bool_]]] = []
    for i, (skin, (positions, normals)) in enumerate(zip(skins, placed_skins, strict=True)):
        plain.append((skin, positions, normals, skin.texture < 0))
        for k, texture in enumerate(skin.textures):
            only = [(skin, positions, normals, skin.texture == k)]
            meshes[f"thing{i}_{k}"] = _mesh(mi, f"thing{i}_{k}", only, texture)
    if any(keep.any() for _, _, _, keep in plain):
        meshes["things"] = _mesh(mi, "things", plain, None)
    return meshes


def _mesh(
    mi: Any, name: str, pieces: Sequence[tuple[Skin, Floats, Floats, NDArray[np.bool_]]], texture: Floats | None
) -> Any:
    used, start = [], 0
    columns: list[list[Floats]] = [[], [], [], [], []]
    for skin, positions, normals, keep in pieces:
        faces = skin.faces[keep]
        vertices, renamed = np.unique(faces, return_inverse=True)
        used.append(renamed.reshape(faces.shape) + start)
        start += len(vertices)
        for column, values in zip(columns, (positions, normals, skin.colors, skin.finish, skin.uv), strict=True):
            column.append(values[vertices])
    positions, normals, colors, finish, uv = (np.concatenate(c) for c in columns)
    faces = np.concatenate(used)
    color: dict[str, Any] = {"type": "mesh_attribute", "name": "vertex_tint"}
    if texture is not None:
        tinted = np.ascontiguousarray(texture * colors.mean(axis=0))
        color = {"type": "bitmap", "bitmap": mi.Bitmap(tinted), "raw": True, "wrap_mode": "repeat"}
    properties = mi.Properties()
    properties["mesh_bsdf"] = mi.load_dict({"type": "twosided", "of": _principled(color)})
    mesh = mi.Mesh(
        name, len(positions), len(faces), has_vertex_normals=True, has_vertex_texcoords=True, props=properties
    )
    mesh.add_attribute("vertex_tint", 3, _flat(colors))
    for index, channel in enumerate(("metallic", "roughness", "clearcoat")):
        mesh.add_attribute(f"vertex_{channel}", 1, _flat(finish[:, index]))
    _fill(mi, mesh, positions, normals, faces, uv)
    return mesh


def _principled(color: Mapping[str, Any]) -> dict[str, Any]:
    def channel(name: str) -> dict[str, str]:
        return {"type": "mesh_attribute", "name": f"vertex_{name}"}

    return {
        "type": "principled",
        "base_color": dict(color),
        "metallic": channel("metallic"),
        "roughness": channel("roughness"),
        "clearcoat": channel("clearcoat"),
        "clearcoat_gloss": 0.94,
        "specular": 0.5,
    }


def _fill(
    mi: Any, mesh: Any, positions: Floats, normals: Floats | None, faces: NDArray[np.integer], uv: Floats
) -> None:
    values = mi.traverse(mesh)
    values["vertex_positions"] = _flat(positions)
    values["faces"] = np.ascontiguousarray(faces, dtype=np.uint32).ravel()
    if normals is not None:
        values["vertex_normals"] = _flat(normals)
    values["vertex_texcoords"] = _flat(uv)
    values.update()


def _flat(values: NDArray[np.floating]) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float32).ravel()


def _ground_mesh(mi: Any, camera: Camera, ground: Floats) -> Any:
    """Return the ground in sight as a mesh onto which its picture is projected from the camera.

    The mesh is a grid on the picture, laid on the ground: its cells are so small that texture coordinates
    run straight across them. Nothing is sampled finer or coarser than the picture needs.
    """
    cells = 8
    columns = np.linspace(0, camera.width, -(-camera.width // cells) + 1)
    rows = np.linspace(0, camera.height, -(-camera.height // cells) + 1)
    x, y = np.meshgrid(columns, rows)
    turn = rotation_matrix(camera.poses[0].rotation_wxyz)
    eye = np.asarray(camera.poses[0].position_m)
    toward = np.stack([(x - camera.cx) / camera.fx, (y - camera.cy) / camera.fy, np.ones_like(x)], -1) @ turn.T
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = -eye[2] / toward[..., 2]
    down = (distance > 0) & (distance < REACH_M)
    points = eye + np.where(down, distance, 0)[..., None] * toward
    points[..., 2] = 0.0
    uv = np.stack([x / camera.width, 1 - y / camera.height], axis=-1)
    n = len(columns)
    corner = np.arange(x.size).reshape(x.shape)[:-1, :-1]
    whole = (down[:-1, :-1] & down[1:, :-1] & down[:-1, 1:] & down[1:, 1:]).ravel()
    a = corner.ravel()[whole]
    faces = np.concatenate([np.stack([a, a + n, a + 1], -1), np.stack([a + 1, a + n, a + n + 1], -1)])
    picture_of = {"type": "bitmap", "bitmap": mi.Bitmap(np.ascontiguousarray(ground)), "raw": True, "wrap_mode": "clamp"}
    properties = mi.Properties()
    properties["mesh_bsdf"] = mi.load_dict({"type": "twosided", "of": {"type": "diffuse", "reflectance": picture_of}})
    mesh = mi.Mesh("ground", x.size, len(faces), has_vertex_texcoords=True, props=properties)
    _fill(mi, mesh, points.reshape(-1, 3).astype(np.float32), None, faces, uv.reshape(-1, 2).astype(np.float32))
    return mesh


def _far_ground(mi: Any, ground: Floats) -> dict[str, Any]:
    """Return the ground out of sight, just below: one colour, for what it reflects."""
    lit = ground[ground.sum(axis=-1) > 0]
    mean = lit.mean(axis=0) if len(lit) else np.full(3, 0.2)
    return {
        "type": "rectangle",
        "to_world": mi.ScalarTransform4f().translate([0, 0, -0.004]) @ mi.ScalarTransform4f().scale([REACH_M, REACH_M, 1]),
        "bsdf": {"type": "twosided", "of": {"type": "diffuse", "reflectance": {"type": "rgb", "value": mean.tolist()}}},
    }  # fmt: skip


def _denoised(noisy: Floats, told: Guides, ground: Floats, care: str) -> Floats:
    try:
        import pyoidn
    except ImportError as e:
        raise missing_extra("pyoidn", "build", "Painting pictures") from e

    bare = (1 - told.things)[..., None]
    albedo = np.clip(told.albedo + ground * bare, 0, 1).astype(np.float32)
    lies = (ground.sum(axis=-1, keepdims=True) > 0) * bare
    normal = (told.normal + lies * np.array([0, 0, 1], dtype=np.float32)).astype(np.float32)
    clean = pyoidn.denoise(noisy, albedo, normal, hdr=True, clean_aux=True, quality=care)
    return np.asarray(clean, dtype=np.float32)
