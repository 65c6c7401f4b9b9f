"""A scene as Mitsuba takes it: camera, light, ground, and the surfaces of all objects."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import rotation_matrix
from fathom.records import Camera
from fathom.render.color import Floats
from fathom.render.lights import Light
from fathom.render.surfaces import SurfaceArrays
from fathom.render.variants import mitsuba_module

REACH_M = 150.0
"""How far the ground goes."""


def turned_up(rotation_rad: float) -> Any:
    """Return the transform that takes a panorama to the world, turned about the vertical."""
    mi = mitsuba_module()
    about_z = mi.ScalarTransform4f().rotate([0, 0, 1], math.degrees(rotation_rad))
    return about_z @ mi.ScalarTransform4f().rotate([1, 0, 0], 90)


def sky(light: Light) -> dict[str, Any]:
    """Return the light from all around."""
    return {
        "type": "envmap",
        "bitmap": mitsuba_module().Bitmap(np.ascontiguousarray(light.panorama)),
        "to_world": turned_up(light.rotation_rad),
    }


def sensor(camera: Camera, samples: int) -> dict[str, Any]:
    """Return the camera, with one pose, and its film."""
    mi = mitsuba_module()
    turn = rotation_matrix(camera.poses[0].rotation_wxyz)
    eye = np.asarray(camera.poses[0].position_m)
    # Mitsuba's film is as wide as the picture; a principal point off the middle is a shift of the window.
    return {
        "type": "perspective",
        "fov": math.degrees(2 * math.atan(camera.width / 2 / camera.fx)),
        "fov_axis": "x",
        "principal_point_offset_x": 0.5 - camera.cx / camera.width,
        "principal_point_offset_y": 0.5 - camera.cy / camera.height,
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
        "sampler": {"type": "multijitter", "sample_count": samples},
    }


def objects(
    skins: Sequence[SurfaceArrays], placed_skins: Sequence[tuple[Floats, Floats]], name: str = "thing"
) -> dict[str, Any]:
    """Return the meshes of all objects: one for all that is not textured, one a texture.

    Their names begin with `name`.
    """
    meshes: dict[str, Any] = {}
    plain: list[tuple[SurfaceArrays, Floats, Floats, NDArray[np.bool_]]] = []
    for i, (skin, (positions, normals)) in enumerate(zip(skins, placed_skins, strict=True)):
        plain.append((skin, positions, normals, skin.texture < 0))
        for k, texture in enumerate(skin.textures):
            only = [(skin, positions, normals, skin.texture == k)]
            meshes[f"{name}{i}_{k}"] = _mesh(f"{name}{i}_{k}", only, texture)
    if any(keep.any() for _, _, _, keep in plain):
        meshes[f"{name}s"] = _mesh(f"{name}s", plain, None)
    return meshes


def _mesh(
    name: str,
    pieces: Sequence[tuple[SurfaceArrays, Floats, Floats, NDArray[np.bool_]]],
    texture: Floats | None,
) -> Any:
    mi = mitsuba_module()
    used, start = [], 0
    columns: list[list[Floats]] = [[], [], [], [], []]
    for skin, positions, normals, keep in pieces:
        vertices, faces = _used(skin.faces[keep])
        used.append(faces + start)
        start += len(vertices)
        for column, values in zip(
            columns, (positions, normals, skin.colors, skin.finish, skin.uv), strict=True
        ):
            column.append(values.take(vertices, axis=0))
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
    _fill(mesh, positions, normals, faces, uv)
    return mesh


def _used(faces: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the vertices that some faces have, in order, and the faces with these counted from 0."""
    has = np.zeros(int(faces.max(initial=-1)) + 1, dtype=bool)
    has[faces.ravel()] = True
    return np.flatnonzero(has), (np.cumsum(has) - 1).take(faces)


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
        "specular": 0.12,
    }


def light_mesh(
    name: str, positions: Floats, normals: Floats, faces: NDArray[np.integer], radiance: Floats
) -> Any:
    """Return a mesh of some faces of a surface that gives off light, (3,) linear radiance, where it faces."""
    mi = mitsuba_module()
    vertices, renamed = _used(faces)
    properties = mi.Properties()
    white = {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.6}}
    properties["mesh_bsdf"] = mi.load_dict(white)
    value = {"type": "rgb", "value": [float(v) for v in radiance]}
    properties["emitter"] = mi.load_dict({"type": "area", "radiance": value})
    mesh = mi.Mesh(
        name, len(vertices), faces.size // 3, has_vertex_normals=True, has_vertex_texcoords=True,
        props=properties,
    )  # fmt: skip
    flat = np.zeros((len(vertices), 2), np.float32)
    _fill(mesh, positions[vertices], normals[vertices], renamed, flat)
    return mesh


def _fill(
    mesh: Any, positions: Floats, normals: Floats | None, faces: NDArray[np.integer], uv: Floats
) -> None:
    mi = mitsuba_module()
    values = mi.traverse(mesh)
    values["vertex_positions"] = _flat(positions)
    values["faces"] = np.ascontiguousarray(faces, dtype=np.uint32).ravel()
    if normals is not None:
        values["vertex_normals"] = _flat(normals)
    # Mitsuba counts v from the top of the picture.
    values["vertex_texcoords"] = _flat(uv * (1, -1) + (0, 1))
    values.update()


def _flat(values: NDArray[np.floating]) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float32).ravel()


def ground_mesh(camera: Camera, ground: Floats) -> Any:
    """Return the ground in sight as a mesh onto which its picture is projected from the camera.

    The mesh is a grid on the picture, laid on the ground: its cells are so small that texture coordinates
    run straight across them. Nothing is sampled finer or coarser than the picture needs.
    """
    mi = mitsuba_module()
    cells = 8
    columns = np.linspace(0, camera.width, -(-camera.width // cells) + 1)
    rows = np.linspace(0, camera.height, -(-camera.height // cells) + 1)
    x, y = np.meshgrid(columns, rows)
    turn = rotation_matrix(camera.poses[0].rotation_wxyz)
    eye = np.asarray(camera.poses[0].position_m)
    toward = (
        np.stack([(x - camera.cx) / camera.fx, (y - camera.cy) / camera.fy, np.ones_like(x)], -1) @ turn.T
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = -eye[2] / toward[..., 2]
    down = (distance > 0) & (distance < REACH_M)
    points = eye + np.where(down, distance, 0)[..., None] * toward
    points[..., 2] = 0.0
    uv = np.stack([x / camera.width, 1 - y / camera.height], axis=-1)  # v upwards, as in a skin
    n = len(columns)
    corner = np.arange(x.size).reshape(x.shape)[:-1, :-1]
    whole = (down[:-1, :-1] & down[1:, :-1] & down[:-1, 1:] & down[1:, 1:]).ravel()
    a = corner.ravel()[whole]
    faces = np.concatenate([np.stack([a, a + n, a + 1], -1), np.stack([a + 1, a + n, a + n + 1], -1)])
    picture_of = {
        "type": "bitmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(ground)),
        "raw": True,
        "wrap_mode": "clamp",
    }
    properties = mi.Properties()
    properties["mesh_bsdf"] = mi.load_dict(
        {"type": "twosided", "of": {"type": "diffuse", "reflectance": picture_of}}
    )
    mesh = mi.Mesh("ground", x.size, len(faces), has_vertex_texcoords=True, props=properties)
    _fill(mesh, points.reshape(-1, 3).astype(np.float32), None, faces, uv.reshape(-1, 2).astype(np.float32))
    return mesh


def far_ground(ground: Floats) -> dict[str, Any]:
    """Return the ground out of sight, just below: one colour, for what it reflects."""
    mi = mitsuba_module()
    lit = ground[ground.sum(axis=-1) > 0]
    mean = lit.mean(axis=0) if len(lit) else np.full(3, 0.2)
    color = {"type": "rgb", "value": mean.tolist()}
    down = mi.ScalarTransform4f().translate([0, 0, -0.004])
    return {
        "type": "rectangle",
        "to_world": down @ mi.ScalarTransform4f().scale([REACH_M, REACH_M, 1]),
        "bsdf": {"type": "twosided", "of": {"type": "diffuse", "reflectance": color}},
    }
