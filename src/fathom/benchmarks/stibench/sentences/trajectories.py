"""Whether a trajectory in words is where a body went: how far, to which side it turned, and where to.

The body is followed along its way, piece by piece by the metres that are told; where exactly a turn begins
and ends is not judged.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fathom.benchmarks.stibench.sentences.amounts import PathPiece
from fathom.benchmarks.stibench.sentences.meaning import CAMERA, AskedQuantity
from fathom.benchmarks.stibench.sentences.quantities import places
from fathom.benchmarks.stibench.sentences.resolving import courses_deg
from fathom.benchmarks.stibench.sentences.world import Floats, RecordedScene
from fathom.records import ContradictionError

UNTOLD_DEG = 15.0
"""What turns by less is not told, before, between and behind what is."""

UNTOLD_SHARE = 0.1
"""Such a share of the way may belong to stops and to turns on the spot, of which no metres are told."""

ENDS_DEG, ENDS_SHARE = 3.0, 0.1
"""What of a turn may belong to the pieces beside it."""

ASIDE = 0.5
"""The cosine of how far from its told direction a piece leads at most."""

DIRECTIONS = {
    "to the right": (1, 0, 0), "to the left": (-1, 0, 0), "up": (0, 1, 0), "down": (0, -1, 0),
    "forward": (0, 0, 1), "backward": (0, 0, -1),
}  # fmt: skip
"""Words → right, up and ahead."""


def check_way(pieces: Sequence[PathPiece], world: RecordedScene, asked: AskedQuantity, body: str) -> None:
    """Raise ContradictionError where the body did not go so."""
    first, last = (world.frame(t) for t in asked.moment)
    at = places(world, body)[first : last + 1]
    went = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(at, axis=0), axis=1))])
    _check_length(pieces, float(went[-1]))
    _check_turns(pieces, _turned_deg(world, body, at, (first, last)))
    _check_stops(pieces, float(world.times[last] - world.times[first]))
    if body == CAMERA:
        _check_pieces(pieces, _steps(world, at, first), went, np.unwrap(world.headings[first : last + 1]))
    elif any(p.way not in ("", "forward", "up", "down", "on the spot") for p in pieces):
        raise ContradictionError("of an object nobody says where it goes as the camera sees it")


def _check_length(pieces: Sequence[PathPiece], went: float) -> None:
    told = sum(p.m for p in pieces)
    silent = any(p.kind == "stop" or p.way == "on the spot" for p in pieces)
    room = 2.51 * sum(p.last_m for p in pieces) + (UNTOLD_SHARE if silent else 1e-3) * went
    if abs(told - went) > room:
        raise ContradictionError(f"the answer goes {told:.4g} m in all, and the body {went:.4g} m")


def _turned_deg(world: RecordedScene, body: str, at: Floats, span: tuple[int, int]) -> float:
    if body == CAMERA:
        return world.turned_deg(*span)
    courses = courses_deg(at)
    return float(courses[-1] - courses[0]) if len(courses) else 0.0


def _check_turns(pieces: Sequence[PathPiece], turned: float) -> None:
    told = sum(p.deg for p in pieces)
    turns = sum(p.kind == "turn" for p in pieces)
    if abs(told - turned) > UNTOLD_DEG * (len(pieces) - turns) + 5.0 + 0.05 * abs(turned):
        raise ContradictionError(
            f"the answer turns left by {told:.0f}° in all, and the body by {turned:.0f}°"
        )


def _check_stops(pieces: Sequence[PathPiece], lasts: float) -> None:
    if sum(p.s for p in pieces) > lasts + 0.1:
        raise ContradictionError("the answer stands still for longer than the span lasts")


def _steps(world: RecordedScene, at: Floats, first: int) -> Floats:
    """Return (n - 1, 3) how far the camera went to its right, up and ahead from each frame to the next."""
    levels = np.array([world.level(first + k) for k in range(len(at) - 1)])
    return np.asarray(np.einsum("fij,fj->fi", levels, np.diff(at, axis=0)) * (1.0, -1.0, 1.0))


def _check_pieces(pieces: Sequence[PathPiece], steps: Floats, went: Floats, headings: Floats) -> None:
    """Raise ContradictionError where a piece of the told way leads elsewhere than the camera goes there, or
    turns by another angle.
    """
    told = sum(p.m for p in pieces)
    done = 0.0
    for p in pieces:
        if not p.m:
            continue
        ends = np.array([done, done + p.m]) * went[-1] / told
        share = np.interp(went, ends, [0.0, 1.0])
        moved = np.diff(share) @ (steps / np.maximum(np.diff(went), 1e-12)[:, None])
        if float(moved @ DIRECTIONS[p.way]) < ASIDE * float(np.linalg.norm(moved)):
            raise ContradictionError(f"{p.m:.3g} m {p.way} are told where the camera goes elsewhere")
        turned = float(np.degrees(np.diff(np.interp(ends, went, headings))[0]))
        if abs(p.deg - turned) > (UNTOLD_DEG if p.kind == "leg" else ENDS_DEG + ENDS_SHARE * abs(p.deg)):
            raise ContradictionError(f"a turn left by {p.deg:g}° is told, and it is one by {turned:.0f}°")
        done += p.m
