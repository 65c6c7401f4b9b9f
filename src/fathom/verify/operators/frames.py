"""The operators about times of a video, its camera and its objects by their ids."""

from __future__ import annotations

import numpy as np

from fathom.verify.observed.video import CAMERA, ObservedVideo
from fathom.verify.registry import VIDEO, Attempt, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import Frame, FrameSpan, ObjectRef, Value

Filmed = Attempt[ObservedVideo]
Args = tuple[str, ...]


def _nearest(video: ObservedVideo, time_s: float) -> int:
    """Return the frame nearest to a time. Raises NoAnswer more than a frame outside the video."""
    slack = 1.001 * video.period_s
    if not video.times_s[0] - slack <= time_s <= video.times_s[-1] + slack:
        raise NoAnswer
    return int(np.abs(video.times_s - time_s).argmin())


def _span(attempt: Filmed, inputs: list[Value], args: Args) -> FrameSpan:
    first, last = (_nearest(attempt.observed, float(a)) for a in args)
    if first >= last:
        raise NoAnswer
    return FrameSpan(first, last)


def _whole(attempt: Filmed, inputs: list[Value], args: Args) -> FrameSpan:
    return FrameSpan(0, len(attempt.observed.times_s) - 1)


def _at(attempt: Filmed, inputs: list[Value], args: Args) -> Frame:
    return Frame(_nearest(attempt.observed, float(args[0])))


def _object(attempt: Filmed, inputs: list[Value], args: Args) -> ObjectRef:
    if args[0] not in attempt.observed.objects:
        raise InsufficientEvidence
    return ObjectRef(attempt.observed.objects.index(args[0]))


declare(
    VIDEO,
    {
        "span": _span,
        "whole": _whole,
        "at": _at,
        "camera": lambda attempt, inputs, args: ObjectRef(CAMERA),
        "thing": _object,
    },
)
