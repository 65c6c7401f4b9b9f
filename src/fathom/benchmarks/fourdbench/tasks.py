"""4D-Bench's tasks: five kinds of questions about moving objects, and captions of them.

Ref: 4D-Bench §3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TASKS: Mapping[str, str] = MappingProxyType(
    {
        "object_counting": "Object Counting",
        "temporal_relationship": "Temporal Relationship",
        "action": "Action",
        "spatial_relationship": "Spatial Relationship",
        "appearance": "Appearance",
        "caption": "Caption",
    }
)
"""Task → what it is called in tables, in the order of the columns of Table 1, captions last."""

COUNTING = "object_counting"
CAPTION = "caption"

OFFICIAL: Mapping[str, str] = MappingProxyType(
    {
        "object_counting": "object_counting",
        "temporal_relationship": "temporal_relationship",
        "motion": "action",
        "action": "action",
        "spatial_relationship": "spatial_relationship",
        "appearance": "appearance",
    }
)
"""Name of a task in the official files → task: what the paper calls action is called motion there."""

OFFICIAL_VIEWS = (1, 8, 16)
"""The views from which the official code shows each object, of those that were rendered around it."""
