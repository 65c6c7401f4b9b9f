"""3DSRBench's twelve types of question in four categories.

Ref: 3DSRBench §3.1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
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


SPLITS = ("real", "synthetic-common", "synthetic-uncommon")
"""The parts of the benchmark: photographs, and rooms from common and from uncommon viewpoints."""


PHOTOGRAPHED, RENDERED = ("coco", "photograph"), ("synthetic", "hssd")
"""What the source or the name of a picture holds where it is a photograph, and where it is rendered."""


def split_of(question: Question) -> str:
    """Return the split of a question: real, synthetic-common or synthetic-uncommon; "" where nobody says.

    Built questions say it. Of others it is told from where their picture comes from, and what it is called;
    "synthetic" where that does not say from which kind of viewpoint.
    """
    if said := question.tags.get("split", ""):
        return said
    source = question.tags.get("image_source", "")
    names = " ".join((source, *question.media, question.groups.cluster)).casefold()
    if any(word in names for word in RENDERED):
        viewpoint = next((v for v in ("uncommon", "common") if v in names), "")
        return f"synthetic-{viewpoint}" if viewpoint else "synthetic"
    return "real" if any(word in names for word in PHOTOGRAPHED) else ""


def split_and_category(question: Question) -> str:
    """Return the split and the category of a question, "" where nobody says its split."""
    split = split_of(question)
    return f"{split} {category_of(question)}" if split else ""


def viewpoint_of(question: Question) -> str:
    """Return the kind of a built question's viewpoint: common, rolled, steep, low or high; else ""."""
    return question.tags.get("viewpoint", "")


HEIGHTS_M, PITCHES_DEG, ROLLS_DEG = (0.5, 1.8), (-40.0, -20.0, -5.0), (2.0, 15.0, 30.0)
"""Between which heights, pitches and rolls of the camera accuracy is told apart."""


def height_of(question: Question) -> str:
    """Return between which heights the camera of a built question stands; "" where nobody says."""
    return _between(question, "camera_height_m", HEIGHTS_M, "camera", "m high")


def pitch_of(question: Question) -> str:
    """Return between which pitches the camera of a built question looks; "" where nobody says."""
    return _between(question, "camera_pitch_deg", PITCHES_DEG, "pitch", "°")


def roll_of(question: Question) -> str:
    """Return between which rolls the camera of a built question is held; "" where nobody says."""
    return _between(question, "camera_roll_deg", ROLLS_DEG, "roll", "°")


def _parts(bounds: Sequence[float], what: str, unit: str) -> tuple[str, ...]:
    """Return what the parts between some bounds are called, from the lowest on."""
    ends = [f"{b:g}".replace("-", "−") for b in bounds]
    spans = [f"below {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"from {ends[-1]}"]
    return tuple(f"{what} {span} {unit}".replace(" °", "°") for span in spans)


CURVES = {
    "camera height": _parts(HEIGHTS_M, "camera", "m high"),
    "camera pitch": _parts(PITCHES_DEG, "pitch", "°"),
    "camera roll": _parts(ROLLS_DEG, "roll", "°"),
}
"""Facet → its parts from the lowest number on."""


def _between(question: Question, tag: str, bounds: Sequence[float], what: str, unit: str) -> str:
    said = question.tags.get(tag, "")
    if not said:
        return ""
    return _parts(bounds, what, unit)[bisect_right(bounds, float(said))]
