"""Which objects a description fits: by noun, colour, relation to another object, and motion.

Each function narrows a set of objects to a set with truths: above 0 it fits, below 0 it does not, 0 and near
it nobody could say. What a person is shown decides: relations are looked at in the frames that are shown
and in which both objects can be made out, motions between the first and the last such frame.

Ref: STI-Bench §3.2; docs/benchmarks/sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fathom.geometry.box_gaps import gap_m
from fathom.once import once
from fathom.programs.operators.relations import on_ratios, ratios
from fathom.programs.operators.trajectories import TrajectorySegment, segments
from fathom.programs.registry import VIDEO, Operator, ProgramRun, declare
from fathom.programs.synonyms import colors_confused, confused
from fathom.programs.trajectory_words import LEFT, RIGHT
from fathom.programs.values import NEVER, SURE, Set, TruthValue, Unanswerable, Value, ValueType, weaker
from fathom.programs.views.video import CAMERA, Array, Course, Ints, Mask, Span, VideoView

RELATION_WORDS = {
    "on": "on", "left": "to the left of", "right": "to the right of", "above": "above", "below": "below",
    "front": "that is closer to the camera than", "behind": "that is farther from the camera than",
}  # fmt: skip
"""Relation → how it is said, in the order in which they are tried."""

MOTION_WORDS = {
    "turns left": "that turns left", "turns right": "that turns right", "moves": "that moves",
    "stands still": "that does not move",
}  # fmt: skip

MOTIONS = ("moves", "stands still", "turns left", "turns right")
RELATIONS = ("left", "right", "front", "behind", "above", "below", "on")

OPEN = TruthValue(0.0, "open")


def visible(tracks: VideoView, span: Span) -> dict[int, TruthValue]:
    """Return the objects, but the structure, that can be made out in any frame shown of a span."""
    ever = np.any(tracks.seen[tracks.shown_in(span)], axis=0).tolist()
    return {k: SURE for k in range(len(tracks.objects)) if ever[k] and not tracks.stands[k]}


def _noun_truth(wanted: str, word: str) -> TruthValue:
    # A compound says what it is at its end: an office chair is a chair.
    return _word_truth(wanted, word, confused)


def _color_truth(wanted: str, word: str) -> TruthValue:
    return _word_truth(wanted, word, colors_confused)


def _word_truth(wanted: str, word: str, alike: Callable[[str, str], bool]) -> TruthValue:
    if word == wanted:
        return SURE
    return OPEN if not word or alike(wanted, word) else NEVER


def named(tracks: VideoView, objects: Set, name: str) -> dict[int, TruthValue]:
    """Return a set narrowed to what is called `name`; open for nouns that could mean the same object."""
    return {k: weaker(g, _noun_truth(name, tracks.names[k])) for k, g in objects.items()}


def colored(tracks: VideoView, objects: Set, color: str) -> dict[int, TruthValue]:
    """Return a set narrowed to what has a colour; open for what has none that can be named."""
    return {k: weaker(g, _color_truth(color, tracks.colors[k])) for k, g in objects.items()}


def related(tracks: VideoView, objects: Set, word: str, anchor: int, span: Span) -> dict[int, TruthValue]:
    """Return a set narrowed to what is `word` of an anchor, at all times that are shown of a span.

    It holds of a thing that is seen together with the anchor, in each frame in which they are. It fails where
    it clearly fails in each of these frames; of one that is never seen together with the anchor, in each
    frame in which either is seen.
    """
    values = _relation_ratios(tracks, word, anchor, span)
    return {
        k: weaker(g, NEVER if k == anchor else _related_truth(tracks, float(values[k]), word, k, anchor))
        for k, g in objects.items()
    }


@once
def _relation_ratios(tracks: VideoView, word: str, anchor: int, span: Span) -> Array:
    rows = tracks.shown_in(span)
    frames = tracks.shown[rows]
    found = on_ratios(tracks, anchor, frames) if word == "on" else ratios(tracks, word, anchor, frames)
    return _throughout(found, tracks.seen[rows].T, anchor)


def _related_truth(tracks: VideoView, value: float, word: str, obj: int, anchor: int) -> TruthValue:
    return TruthValue(value, word, value, "tolerance", (tracks.objects[obj], tracks.objects[anchor]))


def _throughout(found: Array, seen: Mask, anchor: int) -> Array:
    """Return (T,) one ratio for all frames from those at each frame (T, G), 0 where it is not the same."""
    together = seen & seen[anchor]
    either = (seen | seen[anchor]) & np.isfinite(found)
    met = together.any(axis=1)
    used = np.where(met[:, None], together, either)
    broken = (used & ~np.isfinite(found)).any(axis=1) | ~used.any(axis=1)
    least = np.where(used, found, np.inf).min(axis=1)
    most = np.where(used, found, -np.inf).max(axis=1)
    value = np.where(least > 0, np.where(met, least, 0.0), np.where(most < 0, most, 0.0))
    return np.asarray(np.where(broken, 0.0, value))


def moving(tracks: VideoView, objects: Set, word: str, span: Span) -> dict[int, TruthValue]:
    """Return a set narrowed to what moves in a way, as far as it can be seen in the frames of a span."""
    return {k: weaker(g, motion_grade(tracks, k, word, span)) for k, g in objects.items()}


@once
def motion_grade(tracks: VideoView, obj: int, word: str, span: Span) -> TruthValue:
    """Return how firmly an object "moves", "stands still", "turns left" or "turns right" while it is seen."""
    rows = tracks.shown_in(span)
    frames = tracks.shown[rows][tracks.seen[rows, obj]]
    if len(frames) < 2 or not tracks.valid[obj, frames].all():
        return OPEN
    rules, course = tracks.rules, tracks.course(obj)
    places = course.positions_m[frames]
    leg = max(rules.leg_m, rules.noise_steps * _noise_m(course, frames))
    moved = float(np.linalg.norm(places - places[0], axis=1).max())
    ratio = (moved - 0.5 * leg) / (0.25 * leg)
    moves = TruthValue(ratio, "moves", moved, "m", (tracks.objects[obj],))
    if word == "moves":
        return moves
    if word == "stands still":
        return -moves
    if ratio <= -1:
        return NEVER
    return weaker(moves, _turn_truth(tracks, obj, word, frames))


def _turn_truth(tracks: VideoView, obj: int, word: str, frames: Ints) -> TruthValue:
    try:
        pieces, _ = segments(tracks, obj, (int(frames[0]), int(frames[-1])))
    except Unanswerable:
        return OPEN
    left, right = (sum(p.angle_deg for p in pieces if p.kind == k) for k in (LEFT, RIGHT))
    this, other = (left, right) if word == "turns left" else (right, left)
    if this and (other or not _turns_are_seen(tracks, pieces, frames)):
        return OPEN
    value = this - tracks.rules.turning_deg
    return TruthValue(
        value / (2 * tracks.rules.turn_tolerance_deg), word, value, "deg", (tracks.objects[obj],)
    )


def _turns_are_seen(tracks: VideoView, pieces: Sequence[TrajectorySegment], frames: Ints) -> bool:
    """Return whether turns can be watched, and not merely be told from a new direction at the end."""
    turns = [p for p in pieces if p.kind in (LEFT, RIGHT)]
    watched = sum(int(((frames >= p.first) & (frames <= p.last)).sum()) for p in turns)
    return watched >= tracks.rules.turn_frames


def closest(tracks: VideoView, objects: Set, anchor: int, span: Span) -> tuple[int, TruthValue]:
    """Return the object of a set that is closest to an anchor at all times shown of a span, and how firmly.

    By the distance of the centres and by that of the nearest points. Objects that may or may not belong to
    the set count as rivals. Raises Stop where there is none, or where another one is closest at times.
    """
    found = [k for k, g in objects.items() if g.ratio > -1 and k != anchor]
    rows = tracks.shown_in(span)
    frames = tracks.shown[rows][tracks.seen[rows, anchor]]
    if len(found) < 2 or not len(frames):
        raise Unanswerable("there is nothing to compare")
    if not tracks.valid[np.ix_([*found, anchor], frames)].all():
        raise Unanswerable("it is not known at all times how far they are")
    centres = np.array([_centres_apart(tracks, k, anchor, frames) for k in found])
    chosen = found[_nearest(centres)]
    seen = tracks.seen[rows]
    others = seen[:, [k for k in found if k != chosen]].any(axis=1)
    if (seen[:, anchor] & others & ~seen[:, chosen]).any():
        raise Unanswerable("at times another one is seen beside it, and the closest one is not")
    between = (tracks.objects[chosen], tracks.objects[anchor])
    more = _ahead(centres)
    if more < tracks.rules.closer_share:
        # Not firm by centres alone: nearest points cost a hundred times as much to look at.
        return chosen, weaker(
            TruthValue(more / tracks.rules.closer_share, "closest", more, "share", between), objects[chosen]
        )
    gaps = np.array([_gaps(tracks, k, anchor, span) for k in found])
    if found[_nearest(gaps)] != chosen:
        raise Unanswerable("by their nearest points another thing is closer than by their centres")
    together = tracks.seen[rows, chosen] & tracks.seen[rows, anchor]
    if not together.any():
        raise Unanswerable("they are never seen together")
    more = min(more, _ahead(gaps))
    truth = TruthValue(more / tracks.rules.closer_share, "closest", more, "share", between)
    return chosen, weaker(truth, objects[chosen])


def _nearest(apart: Array) -> int:
    """Return which row of (n, G) distances is the least in every column. Raises Stop where there is none."""
    first = np.unique(apart.argmin(axis=0))
    if len(first) != 1:
        raise Unanswerable("not the same thing is closest at all times")
    return int(first[0])


def _ahead(apart: Array) -> float:
    """Return by which share, at least, the second of (n, G) distances is greater than the first."""
    ordered = np.sort(apart, axis=0)
    return float((ordered[1] / np.maximum(ordered[0], 1e-6) - 1).min())


def _centres_apart(tracks: VideoView, obj: int, anchor: int, frames: Ints) -> Array:
    off = tracks.centres_m[obj, frames] - tracks.centres_m[anchor, frames]
    return np.asarray(np.linalg.norm(off, axis=1))


def _noise_m(course: Course, rows: Ints) -> float:
    sigmas = course.sigmas_m[rows]
    return float(np.median(sigmas)) if sigmas.any() else 0.0


@once
def rests(tracks: VideoView, obj: int, span: Span) -> bool:
    """Return whether an object stays where it is all through a span, seen or not."""
    rows = np.flatnonzero(tracks.valid[obj, span[0] : span[1] + 1]) + span[0]
    course = tracks.course(obj)
    if not len(rows):
        return False
    places = course.positions_m[rows]
    leg = max(tracks.rules.leg_m, tracks.rules.noise_steps * _noise_m(course, rows))
    return float(np.linalg.norm(places - places[0], axis=1).max()) <= 0.25 * leg


def closest_of_all(tracks: VideoView, objects: Set, chosen: int, anchor: int, span: Span) -> bool:
    """Return whether a thing is closer to an anchor than every other of some things, seen or not, by as much
    as it must be; of objects that stay where they are.
    """
    rows = tracks.shown_in(span)
    frames = tracks.shown[rows][tracks.seen[rows, anchor]][:1]
    own = float(_centres_apart(tracks, chosen, anchor, frames)[0])
    least = own * (1 + tracks.rules.closer_share)
    others = [k for k, g in objects.items() if g.ratio > -1 and k not in (chosen, anchor)]
    return all(float(_centres_apart(tracks, k, anchor, frames)[0]) >= least for k in others)


def carries(tracks: VideoView, obj: int, other: int, span: Span) -> bool:
    """Return whether something may stand on an object at any time shown of a span."""
    rows = tracks.shown_in(span)
    return bool((on_ratios(tracks, obj, tracks.shown[rows])[other] > -1).any())


def _stands_still(tracks: VideoView, obj: int, frames: Ints) -> bool:
    places, turns = tracks.positions_m[obj, frames], tracks.rotations[obj, frames]
    return bool((places == places[0]).all() and (turns == turns[0]).all())


@once
def _gaps(tracks: VideoView, obj: int, anchor: int, span: Span) -> Array:
    """Return the gap of two objects in the frames of a span in which the anchor is seen."""
    rows = tracks.shown_in(span)
    frames = tracks.shown[rows][tracks.seen[rows, anchor]]
    # Two objects that stand still are as far apart at all times.
    still = all(_stands_still(tracks, k, frames) for k in (obj, anchor))
    at = frames[:1] if still else frames
    one, other = (
        (tracks.centres_m[k, at], tracks.rotations[k, at], tracks.sizes_m[k]) for k in (obj, anchor)
    )
    return np.broadcast_to(gap_m(one, other), (len(frames),))


def _object(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return run.view.index(args[0])


def _visible(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return visible(run.view, inputs[0])


def _named(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return named(run.view, inputs[0], args[0])


def _colored(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return colored(run.view, inputs[0], args[0])


def _related(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    objects, anchor, span = inputs
    return related(run.view, objects, args[0], anchor, span)


def _moving(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return moving(run.view, inputs[0], args[0], inputs[1])


def _closest(run: ProgramRun[VideoView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    chosen, truth = closest(run.view, *inputs)
    run.hang_on(truth)
    return chosen


_NARROWS = (ValueType.OBJECTS,), ValueType.OBJECTS
_BY_ANOTHER = ValueType.OBJECTS, ValueType.OBJECT, ValueType.SPAN
_IN_A_SPAN = ValueType.OBJECTS, ValueType.SPAN

RELATED = Operator(
    "related",
    _BY_ANOTHER,
    ValueType.OBJECTS,
    _related,
    VIDEO,
    ("word",),
    RELATIONS,
    judged=True,
    said=RELATION_WORDS,
)
MOVING = Operator(
    "moving",
    _IN_A_SPAN,
    ValueType.OBJECTS,
    _moving,
    VIDEO,
    ("word",),
    MOTIONS,
    judged=True,
    said=MOTION_WORDS,
)

declare(
    Operator("visible", (ValueType.SPAN,), ValueType.OBJECTS, _visible, VIDEO),
    Operator("thing", (), ValueType.OBJECT, _object, VIDEO, ("text",)),
    Operator("camera", (), ValueType.CAMERA, lambda r, i, a: CAMERA, VIDEO),
    Operator("named", *_NARROWS, _named, VIDEO, ("text",)),
    Operator("colored", *_NARROWS, _colored, VIDEO, ("text",), judged=True),
    RELATED,
    MOVING,
    Operator("closest", _BY_ANOTHER, ValueType.OBJECT, _closest, VIDEO),
)
