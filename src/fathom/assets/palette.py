"""The eight body colours that the paper names."""

from __future__ import annotations

from fathom.assets.model import Rgb

BODY_COLORS: dict[str, Rgb] = {
    name: (r / 255, g / 255, b / 255)
    for name, (r, g, b) in {
        "gray": (87, 87, 87),
        "red": (173, 35, 35),
        "blue": (42, 75, 215),
        "green": (29, 105, 20),
        "brown": (129, 74, 25),
        "purple": (129, 38, 192),
        "cyan": (41, 208, 208),
        "yellow": (255, 238, 51),
    }.items()
}
"""Ref: PulseCheck457 §3.2; values in sRGB."""
