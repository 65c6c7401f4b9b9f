"""What an unseen hand does at a table: objects slid, turned, lifted and stacked, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fathom.geometry.poses import Array, heading_rad, yaw_quaternion
from fathom.records import Pose
from fathom.scenes.videos import routes
from fathom.scenes.videos.audit import DESKTOP
from fathom.scenes.videos.boxes import boxes_of
from fathom.scenes.videos.tabletop_layout import (
    HIGHEST,
    Board,
    TabletopObject,
    at,
    clear,
    level,
    put_on,
    tops,
)

BROUGHT_M, BESIDE_M, ALONE_M = (0.18, 0.6), (0.01, 0.035), 0.085
"""How far what is brought to another object is moved, how far it ends from that, and from all else."""

GOALS, THROUGH_AIR = 12, 0.6
"""How many places beside others are tried for it, and how likely it goes there through the air."""

MARGIN = 0.9
"""How much of what is possible (speeds, accelerations) a hand makes use of."""

SHOVED_M, SHOVED = 0.1, 0.8
"""How far an object gets at least that is shoved, in metres and ÷ its longer side."""

TRIES = 40
"""How often a move is drawn before another kind of move is."""

REST_S = 0.25
"""How long nothing moves at least before, between and after moves."""


@dataclass(frozen=True)
class Move:
    """What was done: which object, when, and how.

    kind : slid, shoved, arced, turned, lifted, stacked, or brought
    """

    piece: int
    kind: str
    begin_s: float
    end_s: float


@dataclass(frozen=True, eq=False)
class Hand:
    """What a move is made of: chance, all objects as they are now, which one is moved, where, and when."""

    g: np.random.Generator
    now: dict[int, TabletopObject]
    k: int
    board: Board
    times_s: Array
    begin_s: float
    end_s: float

    @property
    def piece(self) -> TabletopObject:
        """The object that is moved."""
        return self.now[self.k]

    @property
    def seconds(self) -> float:
        """How long the move lasts."""
        return self.end_s - self.begin_s

    @property
    def when(self) -> tuple[Array, float, float]:
        """The times of all frames, and when the move begins and ends."""
        return self.times_s, self.begin_s, self.end_s


Way = tuple[TabletopObject, tuple[Pose, ...]]
"""Where an object is after a move, and its poses at all frames as if it had been at rest before."""


def handled(
    g: np.random.Generator,
    pieces: list[TabletopObject],
    board: Board,
    count: int,
    times_s: Array,
    kinds: tuple[str, ...],
    again: bool = True,
) -> tuple[dict[int, tuple[Pose, ...]], list[Move], list[TabletopObject]] | None:
    """Return poses by object of what is moved, the moves in order, and all objects where they are in the end.

    An object is moved twice only if it may be `again`. None where so many moves could not be made.
    """
    spans = _spans(g, count, float(times_s[-1]))
    now = dict(enumerate(pieces))
    tracks: dict[int, tuple[Pose, ...]] = {}
    moves: list[Move] = []
    for begin, end in spans:
        left = [k for k in now if (again or k not in tracks) and not tops(k, now)]
        found = _one(g, now, left, board, times_s, (begin, end), kinds) if left else None
        if found is None:
            return None
        k, kind, (after, poses) = found
        first = int(np.searchsorted(times_s, begin))
        tracks[k] = routes.joined(tracks[k], poses, first) if k in tracks else poses
        now[k] = after
        moves.append(Move(k, kind, begin, end))
    return tracks, moves, [now[k] for k in range(len(pieces))]


def _spans(g: np.random.Generator, count: int, seconds: float) -> list[tuple[float, float]]:
    """Return when the moves begin and end: no two at once, all times drawn continuously."""
    if count == 0:
        return []
    room = seconds - REST_S * (count + 1)
    lasts = g.uniform(0.45, 0.9, count) * min(room / count, 3.2)
    breaks = g.dirichlet(np.ones(count + 1)) * (room - lasts.sum())
    begins = np.cumsum(breaks[:-1] + REST_S) + np.concatenate([[0.0], np.cumsum(lasts)[:-1]])
    return [(float(b), float(b + t)) for b, t in zip(begins, lasts, strict=True)]


def _one(
    g: np.random.Generator,
    now: dict[int, TabletopObject],
    movable: list[int],
    board: Board,
    times_s: Array,
    span_s: tuple[float, float],
    kinds: tuple[str, ...],
) -> tuple[int, str, Way] | None:
    makers: dict[str, Callable[[Hand], Way | None]] = {
        "slid": _slid, "shoved": _shoved, "arced": _arced, "turned": _turned, "lifted": _lifted,
        "stacked": _stacked, "brought": _brought,
    }  # fmt: skip
    for kind in (kinds[int(i)] for i in g.permutation(len(kinds))):
        for _ in range(TRIES):
            k = movable[int(g.integers(len(movable)))]
            way = makers[kind](Hand(g, now, k, board, times_s, *span_s))
            if way is None:
                continue
            boxes = boxes_of(now[k].size_m, way[1])
            others = [p for i, p in now.items() if i != k]
            if board.inside(boxes) and clear(boxes, others, 0.004):
                return k, kind, way
    return None


def _pose(piece: TabletopObject) -> Pose:
    return Pose(position_m=piece.place_m, rotation_wxyz=yaw_quaternion(piece.heading_rad))


def _quick_enough(way_m: float, turn_rad: float, seconds: float) -> bool:
    """Return whether a move of that length and turn can be made in the time."""
    least = routes.least_duration_s(way_m, MARGIN * DESKTOP.speed, MARGIN * DESKTOP.acceleration)
    return seconds >= max(least, abs(turn_rad) * routes.PEAK_SPEED / (MARGIN * DESKTOP.turning))


def _ended(piece: TabletopObject, poses: tuple[Pose, ...], on: int) -> Way:
    x, y, z = poses[-1].position_m
    return at(piece, x, y, z, heading_rad(poses[-1]), on), poses


def _slid(h: Hand, least_m: float = 0.05) -> Way | None:
    piece = h.piece
    way = float(np.exp(h.g.uniform(np.log(min(least_m, 0.35)), np.log(0.4))))
    toward = float(h.g.uniform(0, 2 * math.pi))
    turn = float(h.g.uniform(-0.7, 0.7)) if h.g.random() < 0.3 else 0.0
    if piece.on >= 0 or not _quick_enough(way, turn, h.seconds):
        return None
    x, y, z = piece.place_m
    goal = at(piece, x + way * math.cos(toward), y + way * math.sin(toward), z, piece.heading_rad + turn, -1)
    return _ended(piece, routes.moved(_pose(piece), _pose(goal), *h.when), -1)


def _shoved(h: Hand) -> Way | None:
    """Return a slide over most of an object's own length at least: nobody misses that it is elsewhere."""
    return _slid(h, max(SHOVED_M, SHOVED * max(h.piece.size_m[:2])))


def _arced(h: Hand) -> Way | None:
    piece = h.piece
    radius, toward = float(h.g.uniform(0.06, 0.25)), float(h.g.uniform(0, 2 * math.pi))
    turn = math.radians(float(h.g.uniform(35, 160))) * (1 if h.g.random() < 0.5 else -1)
    pull = (abs(turn) * routes.PEAK_SPEED / (h.seconds)) ** 2 * radius
    # The pull to the centre is highest where the acceleration along the way is 0.
    if piece.on >= 0 or pull > MARGIN * DESKTOP.acceleration:
        return None
    if not _quick_enough(1.2 * radius * abs(turn), turn, h.seconds):
        return None
    return _ended(piece, routes.arced(_pose(piece), toward, radius, turn, *h.when), -1)


def _turned(h: Hand) -> Way | None:
    piece = h.piece
    turn = math.radians(float(h.g.uniform(25, 200))) * (1 if h.g.random() < 0.5 else -1)
    if piece.asset.as_long_as_wide and piece.size_m[0] == piece.size_m[1]:
        return None  # nobody would see a round object turn
    if not _quick_enough(0.0, turn, h.seconds):
        return None
    return _ended(piece, routes.turned(_pose(piece), turn, *h.when), piece.on)


def _lifted(h: Hand) -> Way | None:
    piece = h.piece
    way, toward = float(h.g.uniform(0.08, 0.5)), float(h.g.uniform(0, 2 * math.pi))
    turn = float(h.g.uniform(-2.0, 2.0)) if h.g.random() < 0.6 else 0.0
    x, y = piece.place_m[0] + way * math.cos(toward), piece.place_m[1] + way * math.sin(toward)
    goal = at(piece, x, y, h.board.height_m, piece.heading_rad + turn, -1)
    return _carried(h, goal)


def _stacked(h: Hand) -> Way | None:
    fit = [
        i
        for i in h.now
        if i != h.k and i != h.piece.on and not tops(i, h.now) and level(i, h.now) + 1 < HIGHEST
    ]
    fit = [i for i in fit if h.now[i].asset.carries]
    if not fit:
        return None
    i = fit[int(h.g.integers(len(fit)))]
    goal = put_on(h.g, h.piece, i, h.now[i])
    return _carried(h, goal) if goal is not None else None


def _brought(h: Hand) -> Way | None:
    """Return a move straight to the side of another object, over the table or through the air."""
    goals = (_place_beside(h) for _ in range(GOALS))
    goal = next((g for g in goals if g is not None), None) if h.piece.on < 0 else None
    if goal is None:
        return None
    if h.g.random() < THROUGH_AIR:
        return _carried(h, goal)
    way = math.dist(h.piece.place_m[:2], goal.place_m[:2])
    if not _quick_enough(way, 0.0, h.seconds):
        return None
    return _ended(h.piece, routes.moved(_pose(h.piece), _pose(goal), *h.when), -1)


def _place_beside(h: Hand) -> TabletopObject | None:
    """Return the object that is moved at the side of another one, clear of all else; None where it is not."""
    piece, others = h.piece, [p for i, p in h.now.items() if i != h.k and p.on < 0]
    if not others:
        return None
    other = others[int(h.g.integers(len(others)))]
    off = np.array(piece.place_m[:2]) - np.array(other.place_m[:2])
    toward = math.atan2(off[1], off[0]) + float(h.g.uniform(-0.9, 0.9))
    gap = _reach_m(other, toward) + _reach_m(piece, toward) + float(h.g.uniform(*BESIDE_M))
    x, y = other.place_m[0] + gap * math.cos(toward), other.place_m[1] + gap * math.sin(toward)
    goal = at(piece, x, y, piece.place_m[2], piece.heading_rad, -1)
    far = BROUGHT_M[0] <= math.dist(piece.place_m[:2], (x, y)) <= BROUGHT_M[1]
    rest = [p for i, p in h.now.items() if i != h.k and p is not other]
    boxes = boxes_of(goal.size_m, (_pose(goal),))
    return goal if far and h.board.inside(boxes) and clear(boxes, rest, ALONE_M) else None


def _reach_m(piece: TabletopObject, toward: float) -> float:
    """Return how far a piece reaches from its middle in a direction."""
    turned = toward - piece.heading_rad
    length, width, _ = piece.size_m
    return (abs(math.cos(turned)) * length + abs(math.sin(turned)) * width) / 2


def _carried(h: Hand, goal: TabletopObject) -> Way | None:
    piece = h.piece
    rise = float(h.g.uniform(0.04, 0.28))
    a, b = piece.place_m, goal.place_m
    way, high = math.dist(a[:2], b[:2]), max(a[2], b[2]) + rise - min(a[2], b[2])
    turn = math.remainder(goal.heading_rad - piece.heading_rad, 2 * math.pi)
    # Up, across and down each have a part of the time, and overlap.
    if not (
        _quick_enough(1.2 * way, turn, 0.5 * h.seconds) and _quick_enough(1.2 * high, 0.0, 0.4 * h.seconds)
    ):
        return None
    return _ended(piece, routes.lifted(_pose(piece), _pose(goal), rise, *h.when), goal.on)
