"""Whether words single out the object that their program selects, by the record of the scene alone.

Of all objects that are made out, only this one may have the noun and the colour; where something is said
behind the noun, that has to be possible of it, and must not hold all the time of another one. Which frames
show them is not known here, so that what is true in some frames only is taken as possible.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fathom.benchmarks.stibench.sentences.meaning import NamedObject
from fathom.benchmarks.stibench.sentences.naming import Names
from fathom.benchmarks.stibench.sentences.world import Floats, RecordedScene
from fathom.records import ContradictionError

SIDES = {
    "left": (0, -1), "right": (0, 1), "above": (2, 1), "below": (2, -1), "nearer": (1, -1), "farther": (1, 1),
}  # fmt: skip
"""Relation → along which of right, away and up, and which way."""

STANDS, MAY_STAND = 0.05, 0.3
"""What stands on something has its underside this near to its top, in heights of what is below: surely, and
perhaps."""

LEAST_MOVE_M = 1e-3
LEAST_TURN_DEG = 10.0


def check_singled_out(
    named: NamedObject,
    selected: Mapping[NamedObject, str],
    world: RecordedScene,
    names: Names,
    seen: frozenset[str],
    span: tuple[int, int],
) -> None:
    """Raise ContradictionError where words do not fit the object that is selected, or fit another one too."""
    own = selected[named]
    like = [
        i for i, noun, color in names.objects
        if noun == named.noun and i in seen and named.color in ("", color)
    ]  # fmt: skip
    if own not in like:
        raise ContradictionError(f"{called(named)} is taken for {own}, which is not called so")
    others = [i for i in like if i != own]
    if named.motion:
        fits = _moves_so(world, own, named.motion, span)
        too = [i for i in others if named.motion == "rests" and world.path(i).rests]
    elif named.other is not None:
        anchor = selected[named.other]
        check_singled_out(named.other, selected, world, names, seen, span)
        fits, too = _related(world, named.relation, own, anchor, [i for i in others if i != anchor], span)
    else:
        fits, too = True, others
    if not fits or too:
        why = f"{own} is not so" if not fits else f"{', '.join((own, *too))} are so"
        raise ContradictionError(f"{called(named)}: {why}")


def called(named: NamedObject) -> str:
    """Return what names an object, for a message."""
    words = f"the {named.color} {named.noun}".replace("  ", " ")
    words += f" ({named.motion})" if named.motion else ""
    return f"{words} ({named.relation}: {called(named.other)})" if named.other else words


def _moves_so(world: RecordedScene, name: str, motion: str, span: tuple[int, int]) -> bool:
    """Return whether an object may move so; of what stands still at times, that it rests is possible."""
    places = world.centres(name)[span[0] : span[1] + 1]
    places = places[np.isfinite(places[:, 0])]
    if motion == "rests" or not len(places):
        return motion == "rests"
    moves = bool(np.linalg.norm(places - places[0], axis=1).max() > LEAST_MOVE_M)
    if motion == "moves":
        return moves
    courses = courses_deg(places) * (1 if motion == "turns left" else -1)
    return moves and bool((courses - np.minimum.accumulate(courses)).max(initial=0.0) > LEAST_TURN_DEG)


def courses_deg(places: Floats) -> Floats:
    """Return the courses on the ground of (n, 3) places while they change, to the left growing."""
    steps = np.diff(places[:, :2], axis=0)
    length = np.linalg.norm(steps, axis=1)
    steps = steps[length > 0.2 * max(float(np.median(length)), 1e-6)]
    return np.asarray(np.degrees(np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))))


def _related(
    world: RecordedScene, relation: str, own: str, anchor: str, others: list[str], span: tuple[int, int]
) -> tuple[bool, list[str]]:
    """Return whether an object may be so to another one, and which others surely are."""
    frames = np.arange(span[0], span[1] + 1)
    if relation == "closest":
        apart = {i: _apart(world, i, anchor, frames) for i in (own, *others)}
        return True, [i for i in others if bool((apart[i] <= apart[own]).all())]
    if relation == "on":
        too = [i for i in others if _stands(world, i, anchor, frames, STANDS).all()]
        return bool(_stands(world, own, anchor, frames, MAY_STAND).any()), too
    too = [i for i in others if bool((_offset(world, i, anchor, relation, frames) > 0).all())]
    return bool((_offset(world, own, anchor, relation, frames) > 0).any()), too


def _apart(world: RecordedScene, a: str, b: str, frames: NDArray[np.intp]) -> Floats:
    return np.asarray(np.linalg.norm((world.centres(a) - world.centres(b))[frames], axis=1))


def _offset(world: RecordedScene, name: str, anchor: str, relation: str, frames: NDArray[np.intp]) -> Floats:
    """Return (n,) how far an object is so to another one, below 0 where it is the opposite."""
    axis, sign = SIDES[relation]
    off = (world.centres(name) - world.centres(anchor))[frames]
    if axis == 2:
        return sign * off[:, 2]
    if axis == 1:
        eyes = world.eye.places
        away = [np.linalg.norm((world.centres(i) - eyes)[frames], axis=1) for i in (name, anchor)]
        return np.asarray(sign * (away[0] - away[1]))
    headings = world.headings[frames]
    return np.asarray(sign * (off[:, 0] * np.sin(headings) - off[:, 1] * np.cos(headings)))


def _stands(
    world: RecordedScene, name: str, anchor: str, frames: NDArray[np.intp], most: float
) -> NDArray[np.bool_]:
    """Return (n,) whether an object stands on another one: over its box, its underside at its top."""
    own, under = world.path(name).places[frames], world.path(anchor)
    local = np.einsum("fji,fj->fi", under.axes[frames], own - under.places[frames])
    size = np.array(world.objects[anchor].size_m)
    over = (np.abs(local[:, :2]) <= (0.5 + most) * size[:2]).all(axis=1)
    return np.asarray(over & (np.abs(local[:, 2] - size[2]) <= most * size[2]))
