"""The opposites of questions about heights, places and distances: lower, farther, below, far apart, right.

Each comes from the operator that it is the opposite of, so that both have the same thresholds and margins: an
answer is as firm when the question is turned round.

Ref: 3DSRBench §4.1; docs/benchmarks/3dsrbench-questions.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fathom.programs.operators.measuring import measured
from fathom.programs.operators.viewpoints import (
    above,
    closer_of,
    front_of,
    higher_of,
    left_of,
    nearer_of,
    next_to,
)
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, ValueType
from fathom.programs.views.video import VideoView

OTHER = {"first": "second", "second": "first"}


def _told(found: Measured, words: Mapping[str, str]) -> Measured:
    """Return what was measured with another word for it."""
    word = words[str(found.value)]
    return replace(found, value=word, truth=replace(found.truth, relation=word))


def lower_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return which of two objects has its middle lower: "first" or "second"."""
    return _told(higher_of(tracks, one, other, frame), OTHER)


def below(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether an object is directly below another, which is then directly above it."""
    return above(tracks, other, one, frame)


def farther_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return which of two objects is farther from the camera: "first" or "second"."""
    return _told(nearer_of(tracks, one, other, frame), OTHER)


def far_apart(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether two objects are far apart rather than next to each other: "yes" or "no"."""
    return _told(next_to(tracks, one, other, frame), {"far": "yes", "near": "no"})


def behind_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether an object is behind another one, from the other's own front: "yes" or "no"."""
    return _told(front_of(tracks, one, other, frame), {"behind": "yes", "front": "no"})


def right_of(tracks: VideoView, one: int, other: int, frame: int) -> Measured:
    """Return whether an object is on the right side of another, as the other one faces: "yes" or "no"."""
    return _told(left_of(tracks, one, other, frame), {"right": "yes", "left": "no"})


def farther_from(tracks: VideoView, obj: int, one: int, other: int, frame: int) -> Measured:
    """Return from which of two objects a third one is farther: "first" or "second"."""
    return _told(closer_of(tracks, obj, one, other, frame), OTHER)


_TWO = ValueType.OBJECT, ValueType.OBJECT, ValueType.TIME
_THREE = ValueType.OBJECT, *_TWO

declare(
    *(
        Operator(act.__name__, takes, ValueType.QUANTITY, measured(act), VIDEO)
        for takes, acts in (
            (_TWO, (lower_of, below, farther_of, far_apart, behind_of, right_of)),
            (_THREE, (farther_from,)),
        )
        for act in acts
    )
)
