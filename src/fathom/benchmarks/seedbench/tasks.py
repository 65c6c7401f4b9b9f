"""SEED-Bench's twelve dimensions, the further ones of its second version, and its two parts.

Ref: SEED-Bench §3.1, Table 2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from fathom.benchmarks.seedbench.paper import SPATIAL, TEMPORAL
from fathom.records import Question

FIRST: Mapping[str, str] = MappingProxyType(
    {
        "scene_understanding": "Scene Understanding",
        "instance_identity": "Instance Identity",
        "instance_attributes": "Instance Attributes",
        "instance_location": "Instance Location",
        "instances_counting": "Instances Counting",
        "spatial_relation": "Spatial Relation",
        "instance_interaction": "Instance Interaction",
        "visual_reasoning": "Visual Reasoning",
        "text_understanding": "Text Understanding",
        "action_recognition": "Action Recognition",
        "action_prediction": "Action Prediction",
        "procedure_understanding": "Procedure Understanding",
    }
)
"""The twelve dimensions of the first version, in the order of their numbers from 1 on."""

SECOND: Mapping[str, str] = MappingProxyType(
    {
        "celebrity_recognition": "Celebrity Recognition",
        "landmark_recognition": "Landmark Recognition",
        "chart_understanding": "Chart Understanding",
        "visual_referring_expression": "Visual Referring Expression",
        "science_knowledge": "Science Knowledge",
        "emotion_recognition": "Emotion Recognition",
        "visual_mathematics": "Visual Mathematics",
        "difference_spotting": "Difference Spotting",
        "meme_comprehension": "Meme Comprehension",
        "global_video_understanding": "Global Video Understanding",
        "in_context_captioning": "In-Context Captioning",
        "interleaved_analysis": "Interleaved Image-Text Analysis",
    }
)
"""What the second version adds of questions with given options; those that ask for images are not put."""

TASKS: Mapping[str, str] = MappingProxyType({**FIRST, **SECOND})
"""Task → what it is called in tables."""

NUMBERS: Mapping[int, str] = MappingProxyType(dict(enumerate(FIRST, 1)))
"""`question_type_id` of the first version → task."""

_LATER = tuple(SECOND)
NUMBERS_SECOND: Mapping[int, str] = MappingProxyType(
    {
        **dict(enumerate(tuple(FIRST)[:9], 1)),
        **dict(enumerate(_LATER[:10], 10)),
        **dict(enumerate(tuple(FIRST)[9:], 20)),
        **dict(enumerate(_LATER[10:], 23)),
    }
)
"""`question_type_id` of the second version → task; 25 to 27 ask for images."""

_ID_SECOND = re.compile(r"\d+_\d+")
"""How the second version names its questions: by task and number."""


def of_first_version(question: Question) -> bool:
    """Return whether a question can be of the first version, which the paper's tables are about."""
    if question.task in SECOND or question.tags.get("level"):
        return False
    return not _ID_SECOND.fullmatch(question.tags.get("official_id", question.id))


WITHOUT_LAST_FRAME = frozenset({"action_recognition"})
"""Where the official code leaves a video's last frame out of the sampling."""


def part_of(question: Question) -> str:
    """Return the part of the first version that a question belongs to: spatial, temporal, or ""."""
    if question.task in SPATIAL:
        return "spatial"
    return "temporal" if question.task in TEMPORAL else ""
