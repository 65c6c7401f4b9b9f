"""The sentences about the sides of the object alone, about one video of it, and which limb sets out first."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import WHOLE, Node
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.records import UnreadableError

ACTION, SPATIAL, APPEARANCE = "action", "spatial_relationship", "appearance"
TEMPORAL = "temporal_relationship"

THIS_VIDEO = "<this video>"
"""Stands for the view that a question shows."""

END: Node = ("end",)
OTHER = {"left": "right", "right": "left"}


def _alone(a: ParsedSentence) -> Node:
    """Return the question what shows on one side alone. Raises UnreadableError for a side and itself."""
    here, there = a.gaps["side"], a.gaps["other"]
    if OTHER[here] != there:
        raise UnreadableError(f"{here!r} and {there!r} are not two sides, of which the first is asked about")
    return ("only_on", here, END)


SIDES = (
    *ask(
        ACTION,
        r"which of these does <actor> start to move first\?",
        build=lambda a: ("limb_onset", a.moment),
        moments=(0, 1),
    ),
    *ask(
        ACTION,
        r"in this video, which way does <actor> go\?",
        r"which way does <actor> go in this video\?",
        build=lambda a: ("goes_seen", THIS_VIDEO, a.moment),
        moments=(0, 1),
    ),
    *ask(
        SPATIAL,
        r"in this video, which way does <actor> face\?",
        r"which way is <actor> facing in this video\?",
        build=lambda a: ("faces_seen", THIS_VIDEO, a.moment),
        moments=(0, 1),
    ),
    *ask(
        APPEARANCE,
        r"at the end, which of these can be seen from the (?P<side>left|right) of <actor>, "
        r"but not from its (?P<other>left|right)\?",
        build=_alone,
    ),
    *ask(
        TEMPORAL,
        r"where is <actor> at the end of this video, compared with the beginning\?",
        r"compared with the beginning, where is <actor> at the end of this video\?",
        build=lambda a: ("goes_seen", THIS_VIDEO, WHOLE),
    ),
)
