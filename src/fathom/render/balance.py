"""Light made fit to judge colours by: white on level ground, no glare from the side, shadows to stand on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.assets.palette import BODY_COLORS
from fathom.render.color import LUMINANCE, Floats, desaturated, linear, luminance, oklab
from fathom.render.panorama import directions, irradiance, shrunk, solid_angles

BALANCE = 0.9
"""How far the light on level ground is drawn to white, 1 being all the way."""

PALER = 0.35
"""How far a probe's colours are drawn to grey."""

GLARE = 1.6
"""The most light that a surface may get, whichever way it faces, in units of what level ground gets."""

KEY = 0.44
"""The least share of the light on level ground that comes from one direction, so that things cast shadows."""

KEY_WIDTH_DEG = 1.6
KEY_ELEVATIONS_DEG = (34.0, 48.0)

AROUND = tuple(
    (float(np.cos(e) * np.cos(a)), float(np.cos(e) * np.sin(a)), float(np.sin(e)))
    for e in (0.0, np.pi / 4)
    for a in np.arange(8) * np.pi / 4
)
"""Unit normals of surfaces that face to the sides, and up at 45°."""


def fit_light(probe: Floats, paler: float = PALER, balance: float = BALANCE) -> tuple[Floats, Floats]:
    """Return a probe made fit to judge colours by, and the (3,) gain that makes its own pixels fit.

    In its light white level ground has a luminance of 1 and is nearly white, no surface gets more than
    GLARE of that, and KEY of it comes from one side.
    """
    pale = desaturated(np.maximum(probe, 0), paler)
    lit = _with_key(_without_glare(pale))
    level = irradiance(lit, (0, 0, 1)) / np.pi
    grey = float(level @ LUMINANCE)
    gain = ((grey / np.maximum(level, 1e-9)) ** balance / max(grey, 1e-9)).astype(np.float32)
    gain /= float((level * gain) @ LUMINANCE)
    return np.asarray(lit * gain, dtype=np.float32), gain


def _without_glare(panorama: Floats) -> Floats:
    """Return the panorama, its brightest spots dimmed until no surface gets more than GLARE."""
    lum = luminance(panorama)
    low, high = max(float(np.median(lum)), 1e-9), float(lum.max())
    if _steepness(panorama) <= GLARE or high <= low:
        return panorama
    for _ in range(12):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if _steepness(_capped(panorama, middle)) <= GLARE else (low, middle)
    return _capped(panorama, low)


def _with_key(panorama: Floats) -> Floats:
    """Return the panorama with a soft light on its brightest side, if it has no sun or lamp to speak of."""
    toward, share = _key_of(panorama)
    missing = KEY - share
    if missing <= 0:
        return panorama
    azimuth = np.arctan2(toward[1], toward[0])
    elevation = np.clip(np.arcsin(toward[2]), *np.radians(KEY_ELEVATIONS_DEG))
    key = (np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation))
    h = len(panorama)
    every = directions(h)
    lobe = np.exp(
        -0.5 * (np.arccos(np.clip(every @ np.asarray(key), -1, 1)) / np.radians(KEY_WIDTH_DEG)) ** 2
    )
    lobe[lobe < 1e-3] = 0
    lobe /= (lobe * np.maximum(every[..., 2], 0) * solid_angles(h)[..., 0]).sum()
    level = irradiance(panorama, (0, 0, 1))
    return np.asarray(panorama * (1 - missing) + (missing * lobe)[..., None] * level, dtype=np.float32)


def _key_of(panorama: Floats) -> tuple[NDArray[np.float64], float]:
    """Return the direction (3,) within 12° of which most light on level ground comes, and its share."""
    coarse = shrunk(panorama, 32)
    every = directions(32).reshape(-1, 3)
    lit = luminance(coarse).reshape(-1) * np.maximum(every[:, 2], 0) * np.repeat(solid_angles(32).ravel(), 64)
    upper = every[:, 2] > 0.15
    near = (every[upper] @ every.T) > np.cos(np.radians(12))
    shares = near @ lit / max(float(lit.sum()), 1e-12)
    best = int(shares.argmax())
    return every[upper][best], float(shares[best])


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
    small = shrunk(panorama, 64)
    level = float(irradiance(small, (0, 0, 1)) @ LUMINANCE)
    return max(float(irradiance(small, n) @ LUMINANCE) for n in AROUND) / max(level, 1e-12)


def _capped(panorama: Floats, most: float) -> Floats:
    lum = luminance(panorama)[..., None]
    return np.asarray(panorama * np.minimum(1.0, most / np.maximum(lum, 1e-12)), dtype=np.float32)
