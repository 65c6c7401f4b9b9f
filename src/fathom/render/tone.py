"""From linear light to the picture: exposure, a soft shoulder, sRGB, PNG."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from fathom.render.color import Floats, luminance, srgb

KEY = 0.36
"""The luminance that the middle of a picture is drawn towards, white level ground being 1."""

GAINS = (1.0, 1.4)
"""How far exposure may go. It never darkens: what stands on bright sand would no longer have its colour."""

_SHOULDER = 0.72


def exposed(light: Floats, mask: NDArray[np.bool_] | None = None) -> Floats:
    """Return the picture brighter by up to half a stop, so that its middle comes near the key."""
    lum = luminance(light) if mask is None else luminance(light)[mask]
    middle = float(np.exp(np.log(np.maximum(lum, 1e-4)).mean())) if lum.size else KEY
    gain = float(np.clip((KEY / max(middle, 1e-6)) ** 0.5, *GAINS))
    return np.asarray(light * np.float32(gain))


def picture(light: Floats) -> NDArray[np.uint8]:
    """Return (height, width, 3) sRGB bytes of linear light in which 1 is white.

    Above a shoulder brightness is compressed; the colour keeps its hue, and only glints run to white.
    """
    peak = light.max(axis=-1, keepdims=True)
    over = np.maximum(peak - _SHOULDER, 0) / (1 - _SHOULDER)
    soft = np.where(peak > _SHOULDER, _SHOULDER + (1 - _SHOULDER) * (1 - np.exp(-over)), peak)
    held = light * (soft / np.maximum(peak, 1e-6))
    # Very bright light bleaches, as film does.
    bleach = np.clip((peak - 1.5) / 6.0, 0, 0.8)
    shown = held + bleach * (soft - held)
    return (srgb(shown) * 255 + 0.5).astype(np.uint8)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return the picture as PNG, always encoded the same way."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(pixels).save(out, format="PNG", compress_level=6, optimize=False)
    return out.getvalue()
