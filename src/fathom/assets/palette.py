"""Colours that have a name, in sRGB: those that a paper names, and those of objects of each built-in set.

`palettes.json` holds them: no colour of a palette is one that some would call by another's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from fathom.assets.model import Rgb

PALETTES: Mapping[str, dict[str, Rgb]] = msgspec.json.decode(
    Path(__file__).with_name("palettes.json").read_bytes(), type=dict[str, dict[str, Rgb]]
)
"""Palette → colour → its sRGB values in 0..1."""

BODY_COLORS = PALETTES["bodies"]
"""Ref: PulseCheck457 §3.2."""

TABLETOP_COLORS, STREET_COLORS = PALETTES["tabletop"], PALETTES["street"]
"""The colours of objects on tables, and of what stands and goes in streets."""
