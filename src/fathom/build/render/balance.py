"""Light made fit to judge colours by: white on level ground, no glare from the side, shadows to stand on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.build.assets.vehicles.materials import BODY_COLORS
from fathom.build.render.color import LUMINANCE, Floats, desaturated, linear, luminance, oklab
from fathom.build.render.panorama import directions, irradiance, solid_angles

BALANCE = 0.9
"""How far the light on level ground is drawn to white, 1 being all the way."""

PALER = 0.35
"""How far a probe's colours are drawn to grey."""

GLARE = 1.6
"""The most light that a surface may get, whichever way it faces, in units of what level ground gets."""

KEY = 0.34
"""The least share of the light on level ground that comes from one direction, so that things cast shadows."""

KEY_WIDTH_DEG = 4.0

AROUND = tuple(
    (float(np.cos(e) * np.cos(a)), float(np.cos(e) * np.sin(a)), float(np.sin(e)))
    for e in (0.0, np.pi / 4)
    for a in np.arange(8) * np.pi / 4
)
"""Unit normals of surfaces that face to the sides, and up at 45°."""


def balanced(probe: Floats) -> Floats:
    """Return a probe under which white level ground has a radiance of 1 and is nearly white."""
    pale = desaturated(np.maximum(probe, 0), PALER)
    level = irradiance(pale, (0, 0, 1)) / np.pi
    grey = float(level @ LUMINANCE)
    gain = (grey / np.maximum(level, 1e-9)) ** BALANCE / max(grey, 1e-9)
    return np.asarray(pale * gain, dtype=np.float32)


def without_glare(panorama: Floats) -> Floats:
    """Return the panorama, its brightest spots dimmed until no surface gets more than GLARE, level ground 1."""
    ratio = _steepness(panorama)
    low, high = float(np.median(luminance(panorama))), float(luminance(panorama).max())
    if ratio > GLARE and high > low:
        for _ in range(12):
            middle = (low * high) ** 0.5 if low > 0 else high / 8
            low, high = (middle, high) if _steepness(_capped(panorama, middle)) <= GLARE else (low, middle)
        panorama = _capped(panorama, low)
    return _normed(panorama)


def with_key(panorama: Floats) -> Floats:
    """Return the panorama with a soft light where it is brightest, if it has no sun or lamp to speak of."""
    h = len(panorama)
    toward = directions(h)
    above = toward[..., 2] > 0.1
    lum = luminance(panorama)
    share = (np.maximum(toward[..., 2], 0) * solid_angles(h)[..., 0] * lum) / np.pi
    strong = lum > 8 * float(np.average(lum, weights=above * solid_angles(h)[..., 0]))
    missing = KEY - float(share[strong & above].sum() / max(share.sum(), 1e-9))
    if missing <= 0:
        return panorama
    bright = np.where(above, lum, 0) * solid_angles(h)[..., 0]
    mean = (bright[..., None] * toward).sum(axis=(0, 1))
    azimuth = np.arctan2(mean[1], mean[0])
    elevation = np.clip(np.arcsin(mean[2] / max(float(np.linalg.norm(mean)), 1e-9)), np.radians(38), np.radians(58))
    key = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    lobe = np.exp(-0.5 * (np.arccos(np.clip(toward @ key, -1, 1)) / np.radians(KEY_WIDTH_DEG)) ** 2)
    lobe[lobe < 1e-3] = 0
    lobe *= np.pi / (lobe * np.maximum(toward[..., 2], 0) * solid_angles(h)[..., 0]).sum()
    mixed = panorama * (1 - missing) + (missing * lobe)[..., None]
    return _normed(mixed.astype(np.float32))


def legibility(panorama: Floats) -> tuple[float, str]:
    """Return by how much the eight body colours stay themselves in this light, and the first to be lost.

    For each colour, on surfaces that face up, aslant and to the sides: how much nearer, in OKLab, it is to
    itself under white light of the same strength than to any other; from -1 to 1, 0 being a toss-up.
    """
    names = list(BODY_COLORS)
    paints = linear(np.array([BODY_COLORS[n] for n in names])).astype(np.float64)
    worst, lost = 1.0, ""
    for normal in ((0.0, 0.0, 1.0), *AROUND):
        light = irradiance(panorama, normal) / np.pi
        strength = float(light @ LUMINANCE)
        seen = oklab(paints * light)
        white = oklab(paints * strength)
        apart = np.linalg.norm(seen[:, None] - white[None], axis=-1)
        own = np.diag(apart)
        other = np.where(np.eye(len(names), dtype=bool), np.inf, apart).min(axis=1)
        margin = (other - own) / np.maximum(other + own, 1e-12)
        if margin.min() < worst:
            worst, lost = float(margin.min()), names[int(margin.argmin())]
    return worst, lost


def _steepness(panorama: Floats) -> float:
    """Return the most that any surface gets, in units of what level ground gets."""
    level = float(irradiance(panorama, (0, 0, 1)) @ LUMINANCE)
    return max(float(irradiance(panorama, n) @ LUMINANCE) for n in AROUND) / max(level, 1e-12)


def _capped(panorama: Floats, most: float) -> Floats:
    lum = luminance(panorama)[..., None]
    return np.asarray(panorama * np.minimum(1.0, most / np.maximum(lum, 1e-12)), dtype=np.float32)


def _normed(panorama: NDArray[np.float32]) -> Floats:
    level = float(irradiance(panorama, (0, 0, 1)) @ LUMINANCE) / np.pi
    return np.asarray(panorama / max(level, 1e-12), dtype=np.float32)
