"""Colours that have a name, in sRGB: those that a paper names, and those of objects of each built-in set."""

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

TABLETOP_COLORS: dict[str, Rgb] = {
    **{name: BODY_COLORS[name] for name in ("red", "blue", "green", "yellow", "purple")},
    "orange": (0.93, 0.42, 0.05),
    "white": (0.90, 0.90, 0.89),
    "black": (0.06, 0.06, 0.065),
}
"""The nameable colours of objects on tables, sRGB: none that some would call by another's name."""

FURNITURE_COLORS: dict[str, Rgb] = {
    "red": (0.60, 0.11, 0.10),
    "blue": (0.12, 0.25, 0.52),
    "green": (0.16, 0.38, 0.20),
    "yellow": (0.87, 0.66, 0.13),
    "orange": (0.86, 0.40, 0.09),
    "purple": (0.38, 0.20, 0.50),
    "white": (0.90, 0.90, 0.88),
    "gray": (0.45, 0.46, 0.48),
    "black": (0.06, 0.06, 0.065),
    "brown": (0.42, 0.29, 0.19),
}
"""The nameable colours of furniture, sRGB: none that some would call by another's name."""

STREET_COLORS: dict[str, Rgb] = {
    "white": (0.90, 0.90, 0.89),
    "black": (0.055, 0.055, 0.06),
    "gray": (0.42, 0.43, 0.44),
    "red": BODY_COLORS["red"],
    "blue": (0.10, 0.25, 0.72),
    "green": (0.10, 0.40, 0.14),
    "yellow": (0.97, 0.80, 0.12),
    "orange": (0.93, 0.42, 0.05),
}
"""The nameable colours of what stands and goes in streets, sRGB."""
