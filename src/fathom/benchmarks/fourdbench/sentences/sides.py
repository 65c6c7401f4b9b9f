"""The sentences about the sides of the object alone, about one video of it, and which limb sets out first."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import Node
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.records import UnreadableError

ACTION, SPATIAL, APPEARANCE = "action", "spatial_relationship", "appearance"

THIS_VIDEO = "<this video>"
"""Stands for the view that a question shows."""

END: Node = ("end",)
OTHER = {"left": "right", "right": "left"}


def _alone(a: ParsedSentence) -> Node:
    """Return the question what shows on one side alone. Raises UnreadableError for a side and itself."""
    here, there = a.gaps["side"], a.gaps["other"]
    if OTHER[here] != there or a.gaps.get("again", here) != here:
        raise UnreadableError(f"{here!r} and {there!r} are not two sides, of which the first is asked about")
    return ("only_on", here, END)


SIDES = (
    *ask(
        ACTION,
        r"which of these does <actor> start to move first\?",
        r"which of these does <actor> set in motion first\?",
        build=lambda a: ("limb_onset", a.moment),
        moments=(0, 1),
    ),
    *ask(
        ACTION,
        r"as seen in this video, which way does <actor> go\?",
        r"which way does <actor> go in this video\?",
        build=lambda a: ("goes_seen", THIS_VIDEO, a.moment),
        moments=(0, 1),
    ),
    *ask(
        SPATIAL,
        r"from which side does this video show <actor>\?",
        r"from which side does the camera of this video look at <actor>\?",
        build=lambda a: ("camera_side", THIS_VIDEO, a.moment),
        moments=(0, 1),
    ),
    *ask(
        APPEARANCE,
        r"at the end, which of these can be seen from the (?P<side>left|right) of <actor>, "
        r"but not from its (?P<other>left|right)\?",
        r"look at <actor> from its (?P<side>left|right) and from its (?P<other>left|right) at the end\. "
        r"which of these shows only from its (?P<again>left|right)\?",
        build=_alone,
    ),
    *ask(
        APPEARANCE,
        r"compare the left side of <actor> with its right side at the end\. "
        r"which of them has a patch of paint\?",
        r"look at the left and at the right side of <actor> at the end\. "
        r"which of them has a patch of paint\?",
        build=lambda a: ("painted_sides",),
    ),
)
