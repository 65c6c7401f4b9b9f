"""Materials of glTF as the surfaces that models have here."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf import schema
from fathom.assets.gltf.images import ModelImages
from fathom.assets.gltf.ktx2 import can_be_read
from fathom.assets.gltf.limits import BrokenError
from fathom.assets.model import Material, Points, Rgb

_CLAMP = 33071

TINTED = (0.02, 0.026, 0.03)
"""Linear colour of what lies behind glass: surfaces are opaque here, and glass shows a dark inside."""


@dataclass(frozen=True, eq=False)
class Surface:
    """A material, and how texture coordinates come to it: which set, a (3, 3) transform, clamped or not.

    `unseen` is true where the material is so transparent that nothing is to be drawn. `holes` is (h, w), true
    where the texture cuts a hole into it (alpha mode MASK); None where it cannot.
    """

    material: Material
    uv_set: int = 0
    uv_transform: Points | None = None
    clamped: tuple[bool, bool] = (False, False)
    unseen: bool = False
    holes: NDArray[np.bool_] | None = None


DEFAULT = Surface(Material("", (0.8, 0.8, 0.8), roughness=0.9))
"""What has no material."""


def surfaces_of(gltf: schema.Gltf, pictures: ModelImages, used: Iterable[int]) -> tuple[Surface, ...]:
    """Return one surface a material; those that are not used are not read."""
    for index in (i for i in used if i >= len(gltf.materials)):
        raise BrokenError(f"material {index} is used, but there are {len(gltf.materials)}")
    wanted = set(used)
    return tuple(
        _surface(m, gltf, pictures) if i in wanted else DEFAULT for i, m in enumerate(gltf.materials)
    )


def srgb(linear: NDArray[np.floating]) -> Points:
    """Return linear colours (…, 3) in the sRGB that models use, both in 0..1."""
    a = np.clip(np.nan_to_num(np.asarray(linear, dtype=np.float64)), 0, 1)
    return np.asarray(np.where(a <= 0.0031308, 12.92 * a, 1.055 * np.maximum(a, 1e-9) ** (1 / 2.4) - 0.055))


def _rgb(linear: Iterable[float]) -> Rgb:
    r, g, b = srgb(np.fromiter(linear, dtype=np.float64)).tolist()
    return (r, g, b)


def _surface(m: schema.GltfMaterial, gltf: schema.Gltf, pictures: ModelImages) -> Surface:
    core, ext = m.pbr_metallic_roughness, m.extensions
    factor, info = core.base_color_factor, core.base_color_texture
    metallic, roughness = _unit(core.metallic_factor), _unit(core.roughness_factor)
    if ext.specular is not None:
        factor, info = ext.specular.diffuse_factor, ext.specular.diffuse_texture
        metallic, roughness = 0.0, 1 - _unit(ext.specular.glossiness_factor)
    if ext.unlit is not None:
        metallic, roughness = 0.0, 1.0
    through = _unit(ext.transmission.transmission_factor)
    if m.alpha_mode == "BLEND":
        through = max(through, 1 - _unit(factor[3]))
    color, clearcoat = factor[:3], _unit(ext.clearcoat.clearcoat_factor)
    if through > 0.25 and info is None:
        r, g, b = ((1 - through) * c + through * t for c, t in zip(color, TINTED, strict=True))
        color = (r, g, b)
        metallic, roughness, clearcoat = 0.0, min(roughness, 0.1), 1.0
    glow = _unit(max(m.emissive_factor)) * max(ext.strength.emissive_strength, 0.0)
    if glow > 0 and max(color) < 0.05 and info is None:
        color = m.emissive_factor
    surface = Surface(
        material=Material(
            name=m.name,
            color=_rgb(color),
            metallic=metallic,
            roughness=roughness,
            clearcoat=clearcoat,
            emission=min(glow, 4.0) if m.emissive_texture is None else 0.0,
        ),
        unseen=m.alpha_mode == "BLEND" and _unit(factor[3]) < 0.02,
    )
    masked = m.alpha_mode == "MASK"
    if info is None:
        return replace(surface, unseen=surface.unseen or (masked and factor[3] < m.alpha_cutoff))
    found, source = _textured(surface, info, gltf, pictures)
    if not masked or source is None:
        return found
    return replace(found, holes=pictures.alpha(source) * (factor[3] / 255) < m.alpha_cutoff)


def _unit(value: float) -> float:
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else 1.0


def _textured(
    surface: Surface, info: schema.TextureInfo, gltf: schema.Gltf, pictures: ModelImages
) -> tuple[Surface, int | None]:
    """Return the surface with its texture, and the image that this is, None where it cannot be read."""
    if info.index >= len(gltf.textures):
        raise BrokenError(f"texture {info.index} is used, but there are {len(gltf.textures)}")
    record = gltf.textures[info.index]
    source = record.image
    if source is None or (record.only_ktx2 and not can_be_read()):
        return surface, None
    sampler = schema.TextureSampler()
    if record.sampler is not None and record.sampler < len(gltf.samplers):
        sampler = gltf.samplers[record.sampler]
    moved = info.extensions.transform
    m = surface.material
    textured = Surface(
        material=Material(
            m.name, m.color, m.metallic, m.roughness, m.clearcoat, m.emission, texture=pictures.read(source)
        ),
        uv_set=info.tex_coord if moved is None or moved.tex_coord is None else moved.tex_coord,
        uv_transform=None if moved is None else _uv_matrix(moved),
        clamped=(sampler.wrap_s == _CLAMP, sampler.wrap_t == _CLAMP),
        unseen=surface.unseen,
    )
    return textured, source


def _uv_matrix(t: schema.TextureTransform) -> Points:
    """Return the (3, 3) matrix of a transform, v downwards: scale, then turn, then shift."""
    c, s = math.cos(t.rotation), math.sin(t.rotation)
    shift = np.array([[1, 0, t.offset[0]], [0, 1, t.offset[1]], [0, 0, 1.0]])
    turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
    return np.asarray(shift @ turn @ np.diag([t.scale[0], t.scale[1], 1.0]))
