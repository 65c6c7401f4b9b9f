"""Which two questions about one video are nearly the same, or tell one another's answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from fathom.questions.video_candidate import VideoCandidate

SAME_SPAN = 0.5
"""Spans that share so much of the longer one are nearly the same."""

TOLD_SPAN = 0.8
"""A pose tells the way and the turn in a span that shares so much with the time from the start to it; and
turns in spans that share so much are nearly the same, as options of two questions."""

SAME_TIME = 0.25
"""So are times that are less of the video apart."""

OPTION_TIME = 0.05
"""Poses that are less of the video apart are nearly the same, as options of two questions."""

KINDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        **dict.fromkeys(("displacement", "path_length", "average_speed", "velocity"), frozenset({"way"})),
        **dict.fromkeys(("mean_acceleration", "acceleration"), frozenset({"change of speed"})),
        **dict.fromkeys(("distance", "gap", "least_distance"), frozenset({"distance"})),
        **dict.fromkeys(("centre", "box"), frozenset({"place"})),
        "trajectory": frozenset({"trajectory", "way", "azimuth_change"}),
        "camera_pose": frozenset({"camera_pose", "way", "azimuth_change"}),
    }
)
"""Operator → what it tells; each of the others tells what it is called by, and its arguments."""


def repeats(one: VideoCandidate, other: VideoCandidate) -> bool:
    """Return whether two drafts of one video are nearly the same question, or one tells the other's answer.

    They ask for the same kind of quantity of the same bodies, at nearly the same time, or while these move in
    the same way; for orders that have two objects in common; or for the size of an object whose box is in the
    options of the other; for where an object is and how far from the camera, whenever that is: of five places
    one alone may lie at one of five distances; for the camera's trajectory and a turn or a pose of it. A pose
    tells how far the camera has gone and turned since the start.
    """
    ordered = one.template.asks == other.template.asks == "order"
    if len({*one.objects} ^ {*other.objects}) > (2 if ordered else 0):
        return False
    if (_has_size(one) and _has_size(other)) or _place_and_distance(one, other):
        return True
    if _kinds(one).isdisjoint(_kinds(other)) or _filmed(one) != _filmed(other):
        return False
    if not one.times or not other.times:
        return one.times == other.times
    if len(one.times) != len(other.times):
        pose, span = (one, other) if one.template.asks == "pose" else (other, one)
        if pose.template.asks == "pose":
            if span.template.asks == "trajectory":
                return True
            return shared((pose.span_s[0], float(pose.times[0])), span.span_s) >= TOLD_SPAN
        # At a time within the span, where an object may be as near as it comes.
        (at_s, _), (start_s, end_s) = sorted((_when(one), _when(other)), key=lambda t: t[1] - t[0])
        return start_s <= at_s <= end_s
    if len(one.times) == 2:
        if one.is_among_real and other.is_among_real and one.template.asks != other.template.asks:
            return True
        moves = shared(one.moves_s or one.span_s, other.moves_s or other.span_s)
        return max(moves, shared(one.span_s, other.span_s)) >= SAME_SPAN
    length = one.span_s[1] - one.span_s[0]
    return abs(float(one.times[0]) - float(other.times[0])) < SAME_TIME * length


def goes_with(one: VideoCandidate, other: VideoCandidate) -> bool:
    """Return whether two drafts of one video are nearly the same question, or ask for a pose of the camera
    and how far or how fast it goes: of five poses and five ways some go together better than others, whenever
    that is, since cameras are carried at a pace.
    """
    poses = {one.template.asks, other.template.asks}
    return repeats(one, other) or ("pose" in poses and (one.is_pace or other.is_pace))


def tells_option(one: VideoCandidate, other: VideoCandidate) -> bool:
    """Return whether two drafts of one video are so nearly the same that they are no options of two
    questions.
    """
    if one.template.asks == other.template.asks == "pose":
        return abs(one.took_s - other.took_s) < OPTION_TIME * (one.span_s[1] - one.span_s[0])
    if one.is_among_cameras and other.is_among_cameras:
        return shared(one.span_s, other.span_s) >= TOLD_SPAN
    return repeats(one, other)


def new(candidate: VideoCandidate, asked: Iterable[VideoCandidate]) -> bool:
    """Return whether a draft repeats none of those that are asked about its video."""
    return not any(repeats(candidate, d) for d in asked)


class SpansCheck:
    """The questions asked so far of each video, or their options; `clash` tells which two clash."""

    def __init__(self, clash: Callable[[VideoCandidate, VideoCandidate], bool] = repeats) -> None:
        self._clash = clash
        self._asked: dict[str, list[VideoCandidate]] = defaultdict(list)

    def clashes(self, candidate: VideoCandidate) -> bool:
        """Return whether a question is nearly the same as one that is asked, or tells its answer."""
        return any(self._clash(candidate, d) for d in self._asked[candidate.scene])

    def add(self, candidate: VideoCandidate) -> None:
        """Take in a question that is asked."""
        self._asked[candidate.scene].append(candidate)

    def remove(self, candidate: VideoCandidate) -> None:
        """Take out a question that is asked no more."""
        self._asked[candidate.scene].remove(candidate)


def shared(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return which share of the longer of two spans lies in the other."""
    both = min(one[1], other[1]) - max(one[0], other[0])
    return max(both, 0.0) / max(one[1] - one[0], other[1] - other[0])


def _when(candidate: VideoCandidate) -> tuple[float, float]:
    return float(candidate.times[0]), float(candidate.times[-1])


def _has_size(candidate: VideoCandidate) -> bool:
    return candidate.template.asks == "box" or (candidate.template.of_one and not candidate.times)


def _place_and_distance(one: VideoCandidate, other: VideoCandidate) -> bool:
    """Return whether one asks where an object is, and the other how far it is from the camera."""
    kinds = {*_kinds(one)}, {*_kinds(other)}
    return len(one.objects) == 1 and {"place"} in kinds and {"distance"} in kinds


def _kinds(candidate: VideoCandidate) -> frozenset[str]:
    return KINDS.get(
        candidate.template.quantity,
        frozenset({" ".join((candidate.template.quantity, *candidate.template.tree.args))}),
    )


def _filmed(candidate: VideoCandidate) -> bool:
    """Return whether the camera is one of the bodies, beside objects."""
    return bool(candidate.template.objects) and candidate.template.of_camera
