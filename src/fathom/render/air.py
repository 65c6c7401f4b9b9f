"""What air and dark do to a picture: fog, rain, snow that falls and lies, dusk, and lamps that are lit.

An environment says so in numbers (`Environment.detail`); without them nothing changes:

    dim      : by what the light of the sky is multiplied
    fog_m    : how far one sees until the air has hidden all but a twentieth
    rain     : share of the picture's width that streaks of rain cross in a row of pixels
    wet      : by how much the rain darkens what faces up, and how much of the sky that shows again
    snowfall : flakes for each thousand pixels
    snow     : the share of what faces up that snow covers
    lamps    : what a lit lamp sheds, in the light on level ground by day at a distance of one metre
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model
from fathom.geometry.cameras import pixel_rays
from fathom.geometry.poses import pose_at, to_world
from fathom.records import Camera, Scene
from fathom.render.color import Floats, luminance
from fathom.render.guides import Guides
from fathom.store.seeds import rng

LIT = "on"
"""What the attribute "light" says of an object whose lamps are lit."""

GLOBE = "globe"
"""The material of what shines of a lamp."""

WARM = np.array([1.0, 0.78, 0.5], dtype=np.float32)
SNOW = np.array([0.93, 0.95, 1.0], dtype=np.float32)

SEEN_THROUGH = 3.0
"""At `fog_m` the air has taken this many e-folds of the light: a twentieth is left."""

FAR_M = 600.0
"""How far the sky counts as being, for what falls before it."""


@dataclass(frozen=True, eq=False)
class Sight:
    """A picture before air and dark: light and albedo (h, w, 3), depth along the view (h, w), guides."""

    camera: Camera
    light: Floats
    depth_m: Floats
    albedo: Floats
    told: Guides


def through_air(sight: Sight, scene: Scene, lamps: Floats, gain: float = 1.0) -> Floats:
    """Return the light that reaches the camera, (h, w, 3); `lamps` (n, 3) are where lamps shine.

    `gain` is the exposure that the picture gets afterwards.
    """
    said = scene.environment.detail
    light = sight.light
    if snow := said.get("snow", 0.0):
        light = _covered(sight, light, snow)
    if wet := said.get("wet", 0.0):
        light = _wetted(sight, light, wet)
    light = light * np.float32(said.get("dim", 1.0))
    if shed := said.get("lamps", 0.0):
        light = light + _shed(sight, lamps, shed)
    light = light + sight.told.glow
    if fog := said.get("fog_m", 0.0):
        light = _fogged(sight, light, fog, said.get("dim", 1.0))
    g = rng(scene.seed, "air", scene.id)
    if rain := said.get("rain", 0.0):
        light = _streaked(g, light, rain, gain)
    if falls := said.get("snowfall", 0.0):
        light = _flaked(g, light, falls, gain)
    return np.asarray(light, dtype=np.float32)


def lit_lamps(scene: Scene, models: Mapping[str, Model], frame: int = 0) -> Floats:
    """Return (n, 3) where the lamps of a scene shine that are lit."""
    found = []
    for obj in scene.objects:
        if obj.attributes.get("light") == LIT:
            globes = [p.vertices for p in models[obj.id].parts if p.material.name == GLOBE]
            found += [to_world(pose_at(obj.poses, frame), v.mean(axis=0)[None])[0] for v in globes]
    return np.array(found, dtype=np.float32).reshape(-1, 3)


def _covered(sight: Sight, light: Floats, share: float) -> Floats:
    """Return the light with snow on what faces up: the same light, sent back by white."""
    up = np.clip((sight.told.normal[..., 2] - 0.45) / 0.4, 0, 1) * sight.told.objects
    bare = (1 - sight.told.objects) * (sight.depth_m < FAR_M)
    lies = (share * np.maximum(up, bare))[..., None].astype(np.float32)
    fallen = light / np.maximum(luminance(sight.albedo)[..., None], 0.06) * 0.8
    white = luminance(np.minimum(fallen, 1.1))[..., None] * SNOW
    return np.asarray(light + lies * (white - light), dtype=np.float32)


def _wetted(sight: Sight, light: Floats, share: float) -> Floats:
    """Return the light with level ground dark and wet: far off it shows the brightness of the sky."""
    level = (1 - sight.told.objects) * (sight.depth_m < FAR_M)
    flat = np.clip((sight.told.normal[..., 2] - 0.9) / 0.08, 0, 1) * sight.told.objects
    lies = (share * np.maximum(level, flat))[..., None]
    glancing = np.clip(sight.depth_m / 45.0, 0, 1)[..., None] ** 1.5
    return np.asarray(light * (1 - lies) + lies * 0.5 * glancing, dtype=np.float32)


def _shed(sight: Sight, lamps: Floats, strength: float) -> Floats:
    """Return the light of lamps on what is near them, (h, w, 3); nothing stands in its way."""
    eye, toward = pixel_rays(sight.camera)
    points = eye + np.minimum(sight.depth_m, FAR_M)[..., None] * toward
    bare = (1 - sight.told.objects)[..., None]
    normal = sight.told.normal + bare * np.array([0, 0, 1], dtype=np.float32)
    total = np.zeros(sight.depth_m.shape, dtype=np.float32)
    for lamp in lamps:
        off = lamp - points
        far = np.linalg.norm(off, axis=-1)
        facing = np.clip((off * normal).sum(axis=-1) / np.maximum(far, 0.3), 0, 1)
        total += (facing / np.maximum(far, 0.5) ** 2).astype(np.float32)
    return np.asarray(strength * total[..., None] * sight.albedo * WARM, dtype=np.float32)


def _fogged(sight: Sight, light: Floats, fog_m: float, dim: float) -> Floats:
    kept = np.exp(-SEEN_THROUGH * np.minimum(sight.depth_m, FAR_M) / fog_m)[..., None]
    return np.asarray(kept * light + (1 - kept) * np.array([0.62, 0.64, 0.66]) * dim, dtype=np.float32)


def _streaked(g: np.random.Generator, light: Floats, share: float, gain: float) -> Floats:
    """Return the light with streaks of rain before it, near ones long and broad, far ones short and faint."""
    from PIL import Image, ImageDraw, ImageFilter

    high, wide = light.shape[:2]
    slant = float(g.uniform(-0.2, 0.2))
    mask = np.zeros((high, wide), dtype=np.float32)
    for long, strong, part in ((0.03, 0.4, 0.7), (0.06, 0.5, 0.25), (0.12, 0.5, 0.05)):
        layer = Image.new("L", (wide, high))
        pen = ImageDraw.Draw(layer)
        for _ in range(round(share * part * wide / long)):
            x, y = float(g.uniform(-0.1, 1.1)) * wide, float(g.uniform(-0.1, 1.0)) * high
            down = long * high * float(g.uniform(0.7, 1.3))
            pen.line([(x, y), (x + slant * down, y + down)], fill=round(255 * strong), width=1)
        drawn = layer.filter(ImageFilter.GaussianBlur(0.4 + 5 * long))
        mask = np.maximum(mask, np.asarray(drawn, dtype=np.float32) / 255 * (1 + 4 * long))
    return _before(light, mask, np.array([0.8, 0.84, 0.88]) / gain)


def _flaked(g: np.random.Generator, light: Floats, falls: float, gain: float) -> Floats:
    """Return the light with flakes before it, a few near and large, most far and small."""
    from PIL import Image, ImageDraw, ImageFilter

    high, wide = light.shape[:2]
    layer = Image.new("L", (2 * wide, 2 * high))
    pen = ImageDraw.Draw(layer)
    for _ in range(round(falls * wide * high / 1000)):
        x, y = float(g.random()) * 2 * wide, float(g.random()) * 2 * high
        r = wide / 640 * float(np.clip(0.9 / g.random(), 0.9, 7.0))
        pen.ellipse([x - r, y - r, x + r, y + r], fill=round(255 * float(g.uniform(0.6, 1.0))))
    soft = layer.filter(ImageFilter.GaussianBlur(1.0)).resize((wide, high))
    mask = np.asarray(np.asarray(soft, dtype=np.float32) / 255, dtype=np.float32)
    return _before(light, mask, np.array([0.95, 0.96, 1.0]) / gain)


def _before(light: Floats, mask: Floats, color: NDArray[np.float64]) -> Floats:
    share = np.clip(mask, 0, 0.95)[..., None]
    return np.asarray(light * (1 - share) + share * color.astype(np.float32), dtype=np.float32)
