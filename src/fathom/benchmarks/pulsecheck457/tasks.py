"""PulseCheck457's seven tasks on five levels: how many questions each, and how their words are said.

Ref: PulseCheck457 §3.4, §4.1.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from fathom.benchmarks.pulsecheck457.mix import sought
from fathom.questions.template_files import read_templates
from fathom.questions.templates import Template
from fathom.questions.vocabulary import Vocabulary
from fathom.questions.wording import Wording

TASKS: dict[str, str] = {
    "L1_single": "Single object",
    "L2_objects": "Multiple objects",
    "L3_2d_spatial": "2D spatial",
    "L4_occ": "Occlusion",
    "L4_pose": "3D pose",
    "L5_6d_spatial": "6D spatial",
    "L5_collision": "Collision",
}
"""Task → what it is called in tables, in the paper's order of levels."""

PAPER_COUNTS: dict[str, int] = {
    "L1_single": 1000,
    "L2_objects": 5000,
    "L3_2d_spatial": 4995,
    "L4_occ": 3534,
    "L4_pose": 4555,
    "L5_6d_spatial": 4995,
    "L5_collision": 4357,
}
"""Questions of each task over the paper's 1,000 pictures."""


@cache
def templates() -> tuple[Template, ...]:
    """Return every template, by task, with how much is asked of it; read once.

    Raises InputError where one does not fit together.
    """
    found = read_templates(Path(__file__).with_name("templates"), tuple(TASKS)).templates
    return tuple(msgspec.structs.replace(t, **sought(t.id)) for t in found)


AMOUNTS: dict[str, float] = {task: count / 1000 for task, count in PAPER_COUNTS.items()}
"""Questions of each task per scene."""

VOCABULARY = Vocabulary(
    sizes=("large", "small"),
    colors=("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"),
    shapes={
        "suv": "car", "wagon": "car", "minivan": "car", "sedan": "car", "truck": "car",
        "articulated bus": "bus", "regular bus": "bus", "double bus": "bus", "school bus": "bus",
        "chopper": "motorbike", "dirtbike": "motorbike", "scooter": "motorbike", "cruiser": "motorbike",
        "jet": "aeroplane", "fighter": "aeroplane", "biplane": "aeroplane", "airliner": "aeroplane",
        "road bike": "bicycle", "utility bike": "bicycle", "mountain bike": "bicycle",
        "tandem bike": "bicycle",
    },
    also={
        "articulated bus": ("articulated",), "regular bus": ("regular",),
        "double bus": ("double", "double-decker bus", "double decker bus"), "school bus": ("school",),
        "road bike": ("road", "road bicycle"), "utility bike": ("utility", "utility bicycle"),
        "mountain bike": ("mountain", "mountain bicycle"), "tandem bike": ("tandem", "tandem bicycle"),
        "dirtbike": ("dirt bike",), "gray": ("grey",), "fighter": ("fighter jet",),
    },
)  # fmt: skip

_COMMON = {
    ("", "filter_pose"): {
        "front": "towards the camera",
        "back": "away from the camera",
        "left": "to the left, as seen from the camera",
        "right": "to the right, as seen from the camera",
    },
    ("", "relate_hit"): {"forward": "forward", "backward": "backward"},
    ("", "relate_path"): {"forward": "forward", "backward": "backward"},
    ("", "relate_first"): {"forward": "forward", "backward": "backward"},
}

_PLAIN = {"left": "to the left of", "right": "to the right of", "front": "in front of", "behind": "behind"}

FATHOM_WORDING = Wording(
    phrases={
        **_COMMON,
        ("", "relate"): {
            "left": "to the left of",
            "right": "to the right of",
            "front": "closer to the camera than",
            "behind": "farther from the camera than",
        },
        ("", "relate_own"): {
            "left": "on the left-hand side of",
            "right": "on the right-hand side of",
            "front": "ahead of",
            "behind": "behind",
        },
    },
    openings={
        "L3_2d_spatial": ("as seen from the camera,", "from the camera's point of view,"),
        "L5_6d_spatial": (
            "going by the direction in which each object itself faces, and dividing the ground into halves "
            "(ahead or behind, left or right),",
            "taking left, right, ahead and behind from each object's own point of view, each as a whole half "
            "of the ground,",
        ),
    },
)
"""Says whose left is meant, how wide it is, and what "in front" is."""

PAPER_WORDING = Wording(phrases={**_COMMON, ("", "relate"): _PLAIN, ("", "relate_own"): _PLAIN})
"""As the published questions are: L3 and L5 read alike."""

WORDINGS: dict[str, Wording] = {"fathom": FATHOM_WORDING, "paper": PAPER_WORDING}

__all__ = [
    "AMOUNTS", "FATHOM_WORDING", "PAPER_COUNTS", "PAPER_WORDING", "TASKS", "VOCABULARY", "WORDINGS",
    "templates",
]  # fmt: skip
