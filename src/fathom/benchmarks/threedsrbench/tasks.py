"""3DSRBench's twelve types of question in four categories.

Ref: 3DSRBench §3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fathom.benchmarks.threedsrbench.paper import CATEGORIES, OPTIONS
from fathom.records import Question

TASKS: Mapping[str, str] = MappingProxyType(
    {
        "height_higher": "Height: higher",
        "location_above": "Location: above",
        "location_closer_to_camera": "Location: closer to the camera",
        "location_next_to": "Location: next to",
        "orientation_in_front_of": "Orientation: in front of",
        "orientation_on_the_left": "Orientation: on the left",
        "orientation_viewpoint": "Orientation: viewpoint",
        "multi_object_closer_to": "Multi-object: closer to",
        "multi_object_facing": "Multi-object: facing",
        "multi_object_viewpoint_towards_object": "Multi-object: viewpoint towards an object",
        "multi_object_parallel": "Multi-object: parallel",
        "multi_object_same_direction": "Multi-object: same direction",
    }
)
"""Task, as the official files name it, → what it is called in tables."""

OPTION_COUNTS = OPTIONS
"""How many options the questions of each task have."""


def category_of(question: Question) -> str:
    """Return the category of a question: height, location, orientation or multi_object."""
    return next((name for name in CATEGORIES.values() if question.task.startswith(name)), "")
