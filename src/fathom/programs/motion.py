"""How the actor moves, measured: which limb moves most, where to, how often, where the actor goes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fathom.programs.views.animated import AnimatedView, Moment

WAYS = (("backward", "forward"), ("right", "left"), ("down", "up"))
"""What motion along x, y and z of the actor's own frame is called, against the axis and along it."""

UNSURE, SURE = 0.15, 0.6
"""A swing counts for everybody from the second share of the farthest on, and for nobody up to the first."""


@dataclass(frozen=True)
class MeasuredMotion:
    """What a measurement comes to, "" where there is nothing to tell; with its margin."""

    word: str
    ratio: float = 0.0
    relation: str = ""
    value: float = 0.0
    unit: str = ""


def legs(timeline: AnimatedView) -> tuple[str, ...]:
    """Return the names of the actor's legs that are there."""
    found = timeline.visibility.limbs_of(0)
    tracks = timeline.visibility.limb_centres_m
    return tuple(n for n, k in found.items() if "leg" in n.split() and np.isfinite(tracks[:, k]).all())


def tracks(timeline: AnimatedView, moment: Moment) -> dict[str, NDArray[np.float64]]:
    """Return the track (frames, 3) of each limb in the actor's own frame over a moment."""
    rows = slice(moment[0], moment[1] + 1)
    found = {
        n: timeline.visibility.limb_centres_m[rows, k] for n, k in timeline.visibility.limbs_of(0).items()
    }
    return {n: t for n, t in found.items() if np.isfinite(t).all()}


def paths(timeline: AnimatedView, moment: Moment) -> dict[str, float]:
    """Return how long each limb's track is, in metres, longest first."""
    lengths = {
        n: float(np.linalg.norm(np.diff(t, axis=0), axis=1).sum())
        for n, t in tracks(timeline, moment).items()
    }
    return dict(sorted(lengths.items(), key=lambda item: -item[1]))


def swings(track: NDArray[np.float64], share: float) -> tuple[int, float]:
    """Return how many swings away a track (frames, 3) has, and how firmly."""
    return _swings(np.ascontiguousarray(track, np.float64).tobytes(), share)


def _away(track: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(track - track[0], axis=1))


def full_swing(timeline: AnimatedView, first: int, last: int) -> NDArray[np.bool_]:
    """Return the frames (F,) of an action in which the actor is nearly as far from how it began as it gets;
    all of its frames where it has no limbs. One of them was looked at.
    """
    frames = np.zeros(timeline.frames, dtype=bool)
    own = list(tracks(timeline, (first, last)).values())
    if not own:
        frames[first : last + 1] = True
        return frames
    away = np.mean([_away(t) for t in own], axis=0)
    frames[first : last + 1] = away >= timeline.rules.swing_seen * away.max()
    if not frames[timeline.visibility.frames].any():
        frames[timeline.visibility.frames[timeline.visibility.at(first + int(np.argmax(away)))]] = True
    return frames


def aloft(timeline: AnimatedView) -> NDArray[np.bool_]:
    """Return the frames (F,) in which the lowest of the actor's limbs is plainly higher than at the film's
    lowest; all of them where it has no limbs.
    """
    own = tracks(timeline, (0, timeline.frames - 1)).values()
    if not own:
        return np.ones(timeline.frames, dtype=bool)
    lowest = np.min([t[:, 2] for t in own], axis=0) + timeline.heights_m
    return np.asarray(lowest - lowest.min() >= timeline.rules.aloft_share * timeline.subject_size_m)


def first_way(timeline: AnimatedView, moment: Moment, limb: str) -> tuple[Moment, Moment]:
    """Return the frames in which a limb is still about where it was at first, and those in which it is on its
    first way.
    """
    track = tracks(timeline, moment)[limb]
    away = _away(track)
    start = int(np.argmax(away >= away.max() / 2))
    rests = np.flatnonzero(away[: start + 1] <= away.max() / 6)
    along = (track - track[0]) @ (track[start] - track[0])
    short = np.flatnonzero(along[start:] < along[start] / 2)
    stop = start + int(short[0]) - 1 if len(short) else len(track) - 1
    return (moment[0], moment[0] + int(rests[-1])), (moment[0] + start, moment[0] + stop)


def limb_most(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return the limb that moves most: that has the longest way, and gets farthest as well."""
    lengths = paths(timeline, moment)
    if len(lengths) < 2:
        return MeasuredMotion("", relation="moves most")
    (limb, longest), (_, second) = list(lengths.items())[:2]
    reaches = {n: float(_away(t).max()) for n, t in tracks(timeline, moment).items()}
    room = reaches[limb] / timeline.subject_size_m - timeline.rules.limb_share
    if room < 0 or reaches[limb] < max(reaches.values()):
        return MeasuredMotion("", relation="moves most")
    more = longest / max(second, 1e-9) - 1
    ratio = min(more / timeline.rules.more, room / timeline.rules.limb_tolerance)
    return MeasuredMotion(limb, ratio, "moves most", more, "share")


def limb_first(timeline: AnimatedView, moment: Moment, limb: str) -> MeasuredMotion:
    """Return which way a limb goes first."""
    track = tracks(timeline, moment).get(limb)
    if track is None or len(track) < 2:
        return MeasuredMotion("", relation="goes first")
    away = _away(track)
    start = int(np.argmax(away >= away.max() / 2))
    step = track[start] - track[0]
    if np.linalg.norm(step) < timeline.rules.first_way_share * timeline.subject_size_m:
        return MeasuredMotion("", relation="goes first")
    order = np.argsort(-np.abs(step))
    more = float(abs(step[order[0]]) / max(abs(step[order[1]]), 1e-9)) - 1
    word = WAYS[order[0]][int(step[order[0]] > 0)]
    # A body that leans as it sets out has a left and an up of its own.
    ratio = min(more / timeline.rules.more, 1e6, timeline.upright((moment[0], moment[0])))
    return MeasuredMotion(word, ratio, "goes first", more, "share")


@lru_cache(maxsize=4096)
def _swings(track: bytes, share: float) -> tuple[int, float]:
    """Return how many swings away a track has, and how firmly.

    A number is firm that any share of the farthest from UNSURE to SURE gives, seen from where the track
    begins and along its main line, if there are no more swings along any other: an arm that is raised once
    and swung three times before it comes down gives one person 1 and another one 3.
    """
    line = np.frombuffer(track, dtype=np.float64).reshape(-1, 3)
    away = _away(line)
    top = float(away.max())
    if top <= 0:
        return 0, 0.0
    # What has set out and is not yet back counts for none, and must hardly have set out.
    undone = (
        float(away[-1]) - float(away[np.flatnonzero(away >= away[-1])[:-1].max(initial=0) :].min())
    ) / top
    shares = _shares(away, top)
    count = sum(s >= share for s in shares)
    off = line - line.mean(axis=0)
    sides = [_shares(sign * off @ axis, top) for axis in np.linalg.svd(off, full_matrices=False)[2]
             for sign in (1.0, -1.0)]  # fmt: skip
    along = max(_least(found, count) for found in sides[:2])
    room = (min(_least(shares, count), along) - share) / (SURE - share)
    beyond = max(undone, *(_least(found, count + 1) for found in (shares, *sides)))
    return count, min(room, (share - beyond) / (share - UNSURE))


def _shares(values: NDArray[np.float64], top: float) -> list[float]:
    """Return how far the peaks of a series stand out, as shares of a whole, the greatest first."""
    return sorted((p / top for p in prominences(values)), reverse=True)


def _least(shares: list[float], count: int) -> float:
    """Return the least of so many shares; 0 where there are fewer."""
    return shares[count - 1] if 0 < count <= len(shares) else 0.0


def prominences(values: NDArray[np.float64]) -> list[float]:
    """Return how far each peak inside a series stands out above the higher of the valleys beside it."""
    found = []
    for k in range(1, len(values) - 1):
        if not (values[k] > values[k - 1] and values[k] >= values[k + 1]):
            continue
        left, right = values[:k], values[k + 1 :]
        above_left, above_right = np.flatnonzero(left > values[k]), np.flatnonzero(right > values[k])
        low_left = left[above_left[-1] if len(above_left) else 0 :].min()
        low_right = right[: above_right[0] + 1 if len(above_right) else len(right)].min()
        found.append(float(values[k] - max(low_left, low_right)))
    return found


def repeats(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return how many times the limb that moves most goes out and back; all that move about as much must."""
    lengths = paths(timeline, moment)
    if not lengths:
        return MeasuredMotion("", relation="repeats")
    limb, longest = next(iter(lengths.items()))
    found = tracks(timeline, moment)
    if float(_away(found[limb]).max()) < timeline.rules.limb_share * timeline.subject_size_m:
        return MeasuredMotion("", relation="repeats")
    near = [n for n, length in lengths.items() if length * (1 + timeline.rules.more) >= longest]
    swings = [
        _swings(np.ascontiguousarray(found[n], np.float64).tobytes(), timeline.rules.swing_share)
        for n in near
    ]
    count = swings[0][0]
    ratio = min(room for _, room in swings) if all(n == count for n, _ in swings) else 0.0
    return MeasuredMotion(str(count) if count else "", ratio, "repeats", ratio / 10, "share")


def _heading(timeline: AnimatedView, frame: int) -> float:
    return float(timeline.headings_rad[frame, 0])


def travels(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return which way the actor goes, as it sees it where it sets out, upright all the while."""
    found = _travels(timeline, moment)
    return replace(found, ratio=min(found.ratio, timeline.upright(moment)))


def _travels(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    step = timeline.positions_m[moment[1], 0] - timeline.positions_m[moment[0], 0]
    share = float(np.linalg.norm(step)) / timeline.subject_size_m
    rules = timeline.rules
    middle = (rules.stays_share + rules.leaves_share) / 2
    room = (share - middle) / (rules.leaves_share - middle)
    if room <= 0:
        return MeasuredMotion("none", -room, "travels", share, "share")
    off = math.atan2(step[1], step[0]) - _heading(timeline, moment[0])
    off = (off + math.pi) % (2 * math.pi) - math.pi
    quarter = round(off / (math.pi / 2)) % 4
    border = 45.0 - math.degrees(abs((off - quarter * math.pi / 2 + math.pi) % (2 * math.pi) - math.pi))
    word = ("forward", "left", "backward", "right")[quarter]
    return MeasuredMotion(word, min(room, border / rules.travel_tolerance_deg), "travels", border, "deg")


def turns(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return how the actor's heading changes."""
    course = np.unwrap(timeline.headings_rad[moment[0] : moment[1] + 1, 0])
    turn = math.degrees(float(course[-1] - course[0]))
    tolerance, size = timeline.rules.turn_tolerance_deg, abs(turn)
    if size < 30.0:
        return MeasuredMotion("none", (30.0 - size) / tolerance, "turns", turn, "deg")
    if size > 150.0:
        return MeasuredMotion("round", (size - 150.0) / tolerance, "turns", turn, "deg")
    room = min(size - 30.0, 150.0 - size) / tolerance
    return MeasuredMotion("left" if turn > 0 else "right", room, "turns", turn, "deg")


def goes(timeline: AnimatedView, moment: Moment) -> MeasuredMotion:
    """Return where the actor goes: straight on, back, or round to a side; "none" where it stays."""
    there, turn = travels(timeline, moment), turns(timeline, moment)
    if there.word == "none":
        return MeasuredMotion("none", there.ratio, "goes", there.value, there.unit)
    if turn.word == "none" and there.word in ("forward", "backward"):
        return MeasuredMotion(there.word, min(there.ratio, turn.ratio), "goes", there.value, there.unit)
    if turn.word in ("left", "right"):
        # A curve ends up beside where it would have led: only how far it goes and turns matters.
        share = float(np.linalg.norm(timeline.positions_m[moment[1], 0] - timeline.positions_m[moment[0], 0]))
        room = min(share / timeline.subject_size_m / timeline.rules.leaves_share, timeline.upright(moment))
        return MeasuredMotion(turn.word, min(turn.ratio, room), "goes", turn.value, turn.unit)
    return MeasuredMotion("", relation="goes")
