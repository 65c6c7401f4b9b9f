"""Pictures on white: even light from all around, nothing behind, and if asked for a soft shadow below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model
from fathom.geometry.cameras import pixel_rays
from fathom.geometry.poses import pose_at, to_world
from fathom.records import Camera, Scene
from fathom.render.color import Floats
from fathom.render.guides import Guides
from fathom.render.panorama import directions, solid_angles
from fathom.render.tone import picture
from fathom.store.seeds import rng

WHITE = "white"
"""The name of the environment in which the background is white."""

HEIGHT = 64
EVEN, RISE = 0.68, 0.22
"""The light from the horizon, white being 1, and how much more comes from straight above than from there."""


@dataclass(frozen=True)
class Lamp:
    """A wide lamp: where it is, how wide, and what it adds to a surface that faces it, white being 1."""

    azimuth_deg: float
    elevation_deg: float
    width_deg: float
    share: float


LAMPS = (Lamp(38, 52, 14, 0.31), Lamp(-70, 30, 24, 0.11), Lamp(180, 35, 24, 0.14), Lamp(110, 25, 24, 0.09))
"""One that models objects, and three that fill in what faces away from it."""

DARKEST = 0.03
"""The least share of light that a surface is taken to send back when its colour is divided out."""

PAD_PX = 16
CLAMP = 6.0
"""No pixel is brighter before it is cleaned: a single lucky ray would leave a bright spot."""


@cache
def studio_light() -> Floats:
    """Return the studio's panorama, in which a white surface is about white whichever way it faces."""
    every = directions(HEIGHT)
    light = EVEN + RISE * every[..., 2]
    for lamp in LAMPS:
        a, e = np.radians((lamp.azimuth_deg, lamp.elevation_deg))
        toward = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        along = np.clip(every @ toward, -1, 1)
        lobe = np.exp(-0.5 * (np.arccos(along) / np.radians(lamp.width_deg)) ** 2)
        facing = (lobe * np.maximum(along, 0) * solid_angles(HEIGHT)[..., 0]).sum()
        light = light + lamp.share * np.pi * lobe / facing
    return np.repeat(light[..., None], 3, axis=-1).astype(np.float32)


def on_white(
    seen: Floats, told: Guides, care: str, shade: NDArray[np.floating] | None = None
) -> NDArray[np.uint8]:
    """Return (height, width, 3) sRGB bytes: what was rendered, cleaned, before white.

    Where no object is seen the picture is exactly white, less `shade` (height, width) in 0..1 if given.

    Parameters
    ----------
    seen : (height, width, 4)
        Noisy light of objects only, times the share of the pixel that shows one, and that share.
    """
    import pyoidn

    height, width, _ = seen.shape
    base = np.asarray(1 - (np.zeros((height, width)) if shade is None else shade), np.float32)[..., None]
    out = np.broadcast_to(np.rint(255 * base), (height, width, 3)).astype(np.uint8)
    rows, columns = _window(told.objects)
    if rows.stop <= rows.start:
        return out
    share = told.objects[rows, columns]
    inside = np.maximum(share, 1e-6)[..., None]
    light = _lit(seen[rows, columns], share)
    own_albedo = np.clip(told.albedo[rows, columns] / inside, 0, 1).astype(np.float32)
    # The rim takes after what is next to it: few rays meet it, and those at grazing angles.
    nearest = _inner(share)
    color, albedo, normal = (v[nearest] for v in (light, own_albedo, _unit(told.normal[rows, columns])))
    # Light is cleaned without the colours that it falls on: dark ones would keep more of the noise.
    tint = np.maximum(albedo, DARKEST)
    even = _on_its_mean((color / tint).astype(np.float32), share > 0)
    clean = tint * pyoidn.denoise(even, albedo, normal, hdr=True, clean_aux=True, quality=care)[nearest]
    glowing = np.asarray(clean + told.glow[rows, columns] / inside, np.float32)
    mixed = share[..., None] * picture(glowing) + (1 - share[..., None]) * 255 * base[rows, columns]
    out[rows, columns] = np.rint(mixed).clip(0, 255).astype(np.uint8)
    return out


def _window(share: Floats) -> tuple[slice, slice]:
    """Return the rows and columns that hold all objects, and a little more."""
    there = share > 0
    rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    if not len(rows):
        return slice(0, 0), slice(0, 0)
    height, width = share.shape
    return (
        slice(max(int(rows[0]) - PAD_PX, 0), min(int(rows[-1]) + 1 + PAD_PX, height)),
        slice(max(int(columns[0]) - PAD_PX, 0), min(int(columns[-1]) + 1 + PAD_PX, width)),
    )


def _lit(seen: Floats, share: Floats) -> Floats:
    """Return (h, w, 3) light of what pixels show of objects, 0 where they show none.

    A pixel that shows an object, but not to the few rays that looked for light, takes its neighbours'.
    """
    known = seen[..., 3] > 1e-3
    light = np.where(known[..., None], seen[..., :3] / np.maximum(seen[..., 3:], 1e-3), 0)
    light = np.minimum(np.nan_to_num(light, nan=0.0, posinf=CLAMP, neginf=0.0), CLAMP)
    for _ in range(3):
        missing = (share > 0) & ~known
        if not missing.any():
            break
        number, total = _around(known.astype(np.float32)), _around(light * known[..., None])
        some = missing & (number > 0)
        light[some] = total[some] / number[some][:, None]
        known = known | some
    return np.asarray(light, dtype=np.float32)


def _inner(share: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, for each pixel, the row and column of what it takes after: for most, themselves.

    A pixel that shows objects only in part takes after one next to it that shows nothing else. One that has
    none next to it, as on a wire, stands for itself.
    """
    from scipy.ndimage import distance_transform_edt

    full = share > 1 - 1e-4
    rows, columns = (np.asarray(axis, np.int64) for axis in np.indices(share.shape))
    if full.any():
        away, (near_rows, near_columns) = distance_transform_edt(~full, return_indices=True)
        rim = (share > 0) & ~full & (away < 1.5)
        rows[rim], columns[rim] = near_rows[rim], near_columns[rim]
    return rows, columns


def _on_its_mean(light: Floats, there: NDArray[np.bool_]) -> Floats:
    """Return light before a plain background as bright as it is itself.

    The denoiser spreads light a little over edges; and what repeats in the background, it would take for
    something to be kept on objects too.
    """
    return np.ascontiguousarray(np.where(there[..., None], light, light[there].mean(axis=0)), np.float32)


def _around(values: Floats) -> Floats:
    """Return the sum of each pixel's 3 × 3 neighbourhood."""
    wide = np.pad(values, ((1, 1), (1, 1), *(((0, 0),) * (values.ndim - 2))))
    h, w = values.shape[:2]
    return np.asarray(sum(wide[y : y + h, x : x + w] for y in range(3) for x in range(3)))


def _unit(normals: Floats) -> Floats:
    length = np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.asarray(normals / np.maximum(length, 1e-6), dtype=np.float32)


SHADE = 0.42
"""How dark the shadow is right below something that rests on the ground."""

FADES = 0.06
"""At this height, as a share of how far objects reach, the shadow is down to a third."""

CELLS = 256


def shade_below(scene: Scene, models: Mapping[str, Model], camera: Camera, frame: int) -> NDArray[np.float64]:
    """Return (height, width) in 0..1: how much objects shade the ground z = 0, which is nowhere else seen.

    What is near the ground shades it most.
    """
    from scipy.ndimage import gaussian_filter, grey_dilation, map_coordinates

    places = [
        to_world(pose_at(t.poses, frame), _surface(models[t.id])) for t in scene.objects if t.id in models
    ]
    if not places:
        return np.zeros((camera.height, camera.width))
    points = np.concatenate(places)
    low, high = points.min(axis=0), points.max(axis=0)
    reach = max(float((high - low).max()), 1e-3)
    start, step = (low + high)[:2] / 2 - 0.8 * reach, 1.6 * reach / CELLS
    ground = np.zeros((CELLS, CELLS))
    i, j = np.clip((points[:, :2] - start) / step, 0, CELLS - 1).astype(int).T
    np.maximum.at(ground, (i, j), np.exp(-np.maximum(points[:, 2], 0) / (FADES * reach)))
    ground = gaussian_filter(grey_dilation(ground, size=(5, 5)), 4.0)
    eye, toward = pixel_rays(camera)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(toward[..., 2] < 0, -eye[2] / toward[..., 2], np.nan)
    at = (eye[:2] + t[..., None] * toward[..., :2] - start) / step
    shade = map_coordinates(ground, np.nan_to_num(at, nan=-9).reshape(-1, 2).T - 0.5, order=1)
    return np.asarray(SHADE * shade.reshape(t.shape).clip(0, 1))


def _surface(model: Model, count: int = 12_000) -> NDArray[np.float64]:
    """Return about `count` points all over a model, the same every time."""
    corners = np.concatenate([p.vertices[p.faces] for p in model.parts])
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    g = rng("shade", model.name)
    chosen = g.choice(len(corners), count, p=area / area.sum()) if area.sum() > 0 else np.zeros(1, int)
    u, v = g.random((2, len(chosen), 1))
    flip = u + v > 1
    u, v = np.where(flip, 1 - u, u), np.where(flip, 1 - v, v)
    a, b, c = corners[chosen].transpose(1, 0, 2)
    return np.asarray(a + u * (b - a) + v * (c - a))
