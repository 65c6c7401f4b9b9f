"""STI-Bench's eight tasks, and the three kinds of scene that its videos show.

Ref: STI-Bench §3.1, §3.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from fathom.records import Question

TASKS: Mapping[str, str] = MappingProxyType(
    {
        "dimensional_measurement": "Dimensional Measurement",
        "spatial_relation": "Spatial Relation",
        "3d_video_grounding": "3D Video Grounding",
        "displacement_path_length": "Displacement & Path Length",
        "speed_acceleration": "Speed & Acceleration",
        "ego_centric_orientation": "Ego-Centric Orientation",
        "trajectory_description": "Trajectory Description",
        "pose_estimation": "Pose Estimation",
    }
)
"""Task → what it is called in the official files and in tables, in the order of the columns of Table 2."""

DIFFICULTY = "difficulty"
"""The tag that says how far the nearest false option is off, in what a careful person could tell."""

PART_ORDERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"setting": ("desktop", "indoor", "outdoor"), DIFFICULTY: ("easy", "middle", "hard")}
)
"""Facet → its parts in the order of tables."""

_SIX_DIGITS = re.compile(r"\d{6}(?!\d)")


def setting_of_video(name: str) -> str:
    """Return the kind of scene that a video's file name tells of: outdoor, indoor, desktop, or ""."""
    stem = PurePosixPath(name).stem
    if "camera" in stem.lower():
        return "outdoor"
    if stem.startswith("scene"):
        return "indoor"
    return "desktop" if _SIX_DIGITS.match(stem) else ""


def setting_of(question: Question) -> str:
    """Return the kind of scene: what the file says in the tag `setting`, else what the video's name tells."""
    said = question.tags.get("setting", "").lower()
    named = (question.tags.get("video", ""), *question.media, question.scene)
    return said or next((s for s in map(setting_of_video, named) if s), "")


def difficulty_of(question: Question) -> str:
    """Return "easy", "middle" or "hard", "" where a file does not say how finely it can be told."""
    return question.tags.get(DIFFICULTY, "")
