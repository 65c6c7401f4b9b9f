"""Answers about videos derived a second time, from what the truth cells of the frames shown show.

    video = observed_video(scene, cells)
    derive_track(question.program, video)     # what it comes to; None: cannot decide

The operators are written here again, from their meaning (docs/benchmarks/sti-bench-definitions.md). Places
come from rigid fits of visible surface points, sizes from how far these reach, the camera from its record.

docs/benchmarks/sti-bench-proof.md has the table of what each operator uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fathom.records import DataError, Step
from fathom.verify.observed.video import CAMERA, ObservedVideo, observed_video
from fathom.verify.operators import descriptions, quantities, relations, speeds, trajectories
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import NONE, DerivedAnswer, Span, Value, agrees, nearest

__all__ = [
    "DerivedAnswer",
    "ObservedVideo",
    "agrees",
    "derive_track",
    "measured_track",
    "nearest",
    "observed_video",
]

Args = tuple[str, ...]
Act = Callable[[ObservedVideo, list[Value], Args], Value]


def _frame(video: ObservedVideo, time_s: float) -> int:
    """Return the frame nearest to a time. Raises NoAnswer more than a frame outside the video."""
    slack = 1.001 * video.period_s
    if not video.times_s[0] - slack <= time_s <= video.times_s[-1] + slack:
        raise NoAnswer
    return int(np.abs(video.times_s - time_s).argmin())


def _span(video: ObservedVideo, inputs: list[Value], args: Args) -> Span:
    first, last = (_frame(video, float(a)) for a in args)
    if first >= last:
        raise NoAnswer
    return first, last


def _object(video: ObservedVideo, inputs: list[Value], args: Args) -> int:
    if args[0] not in video.objects:
        raise InsufficientEvidence
    return video.objects.index(args[0])


def _relation(video: ObservedVideo, inputs: list[Value], args: Args) -> DerivedAnswer:
    return relations.pair_word(video, *inputs, *args) if args else relations.main_word(video, *inputs)


def _plain(measure: Callable[..., DerivedAnswer], *extra: object) -> Act:
    return lambda video, inputs, args: measure(video, *inputs, *extra)


def _windowed(measure: Callable[..., DerivedAnswer]) -> Act:
    return lambda video, inputs, args: measure(video, *inputs, *map(float, args))


OPERATORS: dict[str, Act] = {
    "span": _span,
    "whole": lambda video, i, a: (0, len(video.times_s) - 1),
    "at": lambda video, i, a: _frame(video, float(a[0])),
    "camera": lambda video, i, a: CAMERA,
    "thing": _object,
    "visible": lambda video, i, a: descriptions.visible(video, i[0]),
    "named": lambda video, i, a: descriptions.named(video, i[0], a[0]),
    "colored": lambda video, i, a: descriptions.colored(video, i[0], a[0]),
    "related": lambda video, i, a: descriptions.related(video, i[0], a[0], i[1], i[2]),
    "moving": lambda video, i, a: descriptions.moving(video, i[0], a[0], i[1]),
    "closest": lambda video, i, a: descriptions.closest(video, *i),
    "the": lambda video, i, a: descriptions.the(i[0]),
    **{name: _plain(quantities.side, name) for name in quantities.SIDES},
    "distance": _plain(quantities.distance),
    "gap": _plain(quantities.gap),
    "least_distance": _plain(quantities.extreme, False),
    "greatest_distance": _plain(quantities.extreme, True),
    "relation": _relation,
    "order": lambda video, i, a: relations.order_word(video, tuple(i[:-1]), i[-1], a[0]),
    "quarter": _plain(relations.quarter_word),
    "centre": lambda video, i, a: quantities.in_camera(video, i[0], i[1], i[1]),
    "box": lambda video, i, a: quantities.box(video, i[0], i[1], i[-1]),
    "camera_pose": lambda video, i, a: quantities.camera_pose(video, i[0], a[0] if a else "angles"),
    "displacement": _plain(speeds.displacement),
    "path_length": _plain(speeds.path_length),
    "average_speed": _plain(speeds.average_speed),
    "velocity": _plain(speeds.velocity),
    "speed": _windowed(speeds.speed),
    "acceleration": _windowed(speeds.acceleration),
    "mean_acceleration": _plain(speeds.mean_acceleration),
    "azimuth_change": _plain(speeds.azimuth_change),
    "trajectory": _plain(trajectories.trajectory),
}


def measured_track(program: Sequence[Step], video: ObservedVideo) -> DerivedAnswer | None:
    """Return what a program comes to on a video, however unsure its numbers are; None where it cannot be
    told.

    Raises DataError for an operator that is not known here.
    """
    values: list[Value] = []
    try:
        for number, step in enumerate(program):
            if step.op not in OPERATORS:
                raise DataError(
                    f"step {number}: the second derivation does not know the operator {step.op!r}"
                )
            values.append(OPERATORS[step.op](video, [values[i] for i in step.inputs], step.args))
    except NoAnswer:
        return NONE
    except InsufficientEvidence:
        return None
    found = values[-1]
    if isinstance(found, DerivedAnswer):
        return found
    return None if isinstance(found, dict) else DerivedAnswer("word", video.objects[found])


def derive_track(program: Sequence[Step], video: ObservedVideo) -> DerivedAnswer | None:
    """Return what a program comes to on a video: numbers, each surer than its tolerance, a word, or that
    there is no answer; None where that cannot be decided. A program that ends in an object gives its id.

    Raises DataError for an operator that is not known here.
    """
    found = measured_track(program, video)
    return found if found is not None and found.decided else None
