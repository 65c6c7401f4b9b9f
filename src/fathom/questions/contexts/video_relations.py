"""How options say where one object is from another."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RELATION_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "left": "To the left",
        "right": "To the right",
        "front": "Towards the camera",
        "behind": "Away from the camera",
        "above": "Upwards",
        "below": "Downwards",
    }
)
"""Relation word → the option's text."""
