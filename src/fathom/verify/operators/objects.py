"""The operators about objects, in the second derivation: from what is seen to be where."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fathom.verify.observed.animation import ObservedAnimation, views_from
from fathom.verify.observed.attachments import SOMEWHERE
from fathom.verify.observed.upright import Values, wrapped
from fathom.verify.operators.choices import Animated, known, object_fits, upright
from fathom.verify.registry import ANIMATION, Act, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import (
    ObjectRef,
    ObjectSet,
    PartSet,
    TimePoint,
    Value,
)

SIDES = {"front": 0.0, "left": math.pi / 2, "behind": math.pi, "right": -math.pi / 2}

DEGREES = 3.0
"""Within so much of a border between two sides it cannot be told on which of them something is."""

APART_M, BESIDE_M = 0.055, 0.01
"""Nearer to the actor than this something is on no side; and nowhere around it."""

ON, OFF = 0.12, 0.18
"""Up to, and from how far from another object's top something stands on it or not, in heights of that."""

NEARER = 1.1
"""By how many times farther something must be for another one to be told to be nearer."""

OPPOSITE, ALONE = 30.0, 60.0
"""How far from just opposite something may be, and how far everything else must be."""

SIDE_VIEWS = math.radians(15.0) + 1e-3
LITTLE, UNSURE = 0.4, 0.04
"""Up to this share of a silhouette something is mostly hidden; nearer to it than this that cannot be told."""

PLAIN = 0.35
"""From this share on of the most that any view shows of it something is in plain sight."""


def _objects(keep: Callable[[str], bool]) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectSet:
        found = []
        for k in range(1, attempt.observed.objects):
            if k in attempt.observed.screens:
                continue
            place = attempt.observed.places[k]
            verdict = keep(place) if place is not None else None
            # Where it is carried may be untold; that it is carried is one question for all that ask it.
            if keep("") == keep("?") or attempt.holds(verdict, "stands", k, keep("")):
                found.append(k)
        return ObjectSet(tuple(found))

    return run


def _kept(name: str, test: Callable[[Animated, int, list[Value], tuple[str, ...]], bool | None]) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectSet:
        return ObjectSet(
            tuple(
                k
                for k in inputs[0].members
                if attempt.holds(test(attempt, k, inputs, args), name, k, args, *map(str, inputs[1:]))
            )
        )

    return run


def _there(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool:
    return there_in(attempt.observed, k, inputs[1])


def there_in(film: ObservedAnimation, k: int, moment: TimePoint) -> bool:
    """Return whether an object is there all through a moment."""
    return all(film.there[k][moment.begun : moment.done + 1])


def _equal(word: str | None, wanted: str) -> bool | None:
    return None if word is None else word == wanted


def _place(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool | None:
    place = attempt.observed.places[k]
    if place == SOMEWHERE:
        return None if args[0] else False
    return _equal(place, args[0])


def _named(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool | None:
    return _equal(attempt.observed.names[k][inputs[1].done], args[0])


def _colored(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool | None:
    return _equal(attempt.observed.colors[k][inputs[1].done], args[0])


def _matching(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectSet:
    return ObjectSet(tuple(k for k in inputs[0].members if object_fits(attempt, k, args[0])))


def _only(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectRef:
    if len(inputs[0].members) != 1:
        raise NoAnswer
    return ObjectRef(inputs[0].members[0])


def ground(film: ObservedAnimation, k: int, rows: slice) -> Values:
    """Return (n, 2) where an object stands at some frames. Raises InsufficientEvidence where that cannot be
    told.
    """
    body = film.bodies[k]
    spots = film.spot_m[rows, :2] if body is None else body.spot_m[rows, :2]
    if np.isnan(spots).any():
        raise InsufficientEvidence
    return spots


def bearing(film: ObservedAnimation, k: int, rows: slice, apart_m: float) -> Values:
    """Return (n,) where an object lies around the actor, from its heading. Raises InsufficientEvidence where
    untold, or where it is nearer than `apart_m`.
    """
    off = ground(film, k, rows) - ground(film, 0, rows)
    if np.linalg.norm(off, axis=1).min() < apart_m:
        raise InsufficientEvidence
    return wrapped(np.arctan2(off[:, 1], off[:, 0]) - film.yaw[rows])


def _on_side(attempt: Animated, k: int, side: str, moment: TimePoint) -> bool | None:
    film = attempt.observed
    standing = _equal(film.places[k], "")
    if not there_in(film, k, moment) or standing is False:
        return False
    upright(film, moment.begun, moment.done)
    off = np.degrees(np.abs(wrapped(bearing(film, k, _rows(moment), APART_M) - SIDES[side])))
    if off.max() >= 45.0 + DEGREES:
        return False
    return True if standing and off.max() <= 45.0 - DEGREES else None


def _rows(moment: TimePoint) -> slice:
    return slice(moment.begun, moment.done + 1)


def _side(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool | None:
    return _on_side(attempt, k, args[0], inputs[1])


def _one_side(judge: Callable[[Animated, int, str, TimePoint], bool | None], name: str) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
        k, moment = inputs[0].index, inputs[1]
        found = [s for s in SIDES if attempt.holds(judge(attempt, k, s, moment), name, k, (s,), str(moment))]
        if len(found) != 1:
            raise NoAnswer
        return found[0]

    return run


def _on(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool | None:
    film, base, g = attempt.observed, inputs[1].index, inputs[2].done
    one, other = film.bodies[k], film.bodies[base]
    if k == base or one is None or other is None or film.places[k]:
        return False
    if not (film.there[k][g] and film.there[base][g]):
        return False
    box = np.stack([one.spot_m[g], one.low_m[g], other.low_m[g], other.high_m[g]])
    if np.isnan(box).any():
        return None
    spot, low, under, top = box
    height = float(top[2] - under[2])
    inside = float(np.minimum(spot - under, top - spot)[:2].min())
    if inside < -0.03 * height or abs(float(low[2] - top[2])) >= OFF * height:
        return False
    sure = inside > 0.03 * height and abs(float(low[2] - top[2])) <= ON * height
    return True if sure and film.places[k] == "" else None


def _is_hidden(attempt: Animated, k: int, side: str, moment: TimePoint) -> bool | None:
    """Return whether the views from a side show little of an object in every cell of a moment; not so is what
    none of them shows little of, nor little of what any view shows. Between the two it cannot be told.
    """
    film = attempt.observed
    if not there_in(film, k, moment):
        return False
    upright(film, moment.begun, moment.done)
    if math.isnan(film.yaw[0]):
        return None
    views, complete = views_from(film, SIDES[side], SIDE_VIEWS)
    rows = _rows(moment)
    px, full = film.found.px[views][:, rows, k], film.found.full_px[views][:, rows, k]
    if not complete or bool((px < 0).any()) or not full.all():
        return None
    little = px <= (LITTLE - UNSURE) * full
    most = film.found.px[:, rows, k].max(axis=0)
    plain = (px > (LITTLE + UNSURE) * full) & (px >= (PLAIN - UNSURE) * most)
    return True if little.all() else False if plain.all() else None


def _hidden(attempt: Animated, k: int, inputs: list[Value], args: tuple[str, ...]) -> bool | None:
    return _is_hidden(attempt, k, args[0], inputs[1])


def _far(place: int) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectRef:
        film, base, g = attempt.observed, inputs[1].index, inputs[2].done
        if not film.there[base][g]:
            raise NoAnswer
        row = slice(g, g + 1)
        here = ground(film, base, row)[0]
        others = [k for k in inputs[0].members if k != base and film.there[k][g]]
        if len(others) < 2:
            raise NoAnswer
        far = sorted((float(np.linalg.norm(ground(film, k, row)[0] - here)), k) for k in others)
        near, beyond = (far[0], far[1]) if place == 0 else (far[-2], far[-1])
        if beyond[0] < NEARER * near[0]:
            raise InsufficientEvidence
        return ObjectRef(far[place][1])

    return run


def _opposite(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectRef:
    film, base, g = attempt.observed, inputs[1].index, inputs[2].done
    row = slice(g, g + 1)
    if not film.there[base][g]:
        raise NoAnswer
    towards = float(bearing(film, base, row, BESIDE_M)[0])
    near, unsure = [], False
    for k in inputs[0].members:
        if k == base or film.places[k] or not film.there[k][g]:
            continue
        off = 180.0 - math.degrees(abs(float(wrapped(bearing(film, k, row, BESIDE_M)[0] - towards))))
        unsure |= film.places[k] is None and off < ALONE + DEGREES
        near.append((off, k))
    near.sort()
    if not near or near[0][0] > OPPOSITE + DEGREES:
        raise NoAnswer
    if unsure or near[0][0] > OPPOSITE - DEGREES or (len(near) > 1 and near[1][0] < ALONE - DEGREES):
        raise InsufficientEvidence
    return ObjectRef(near[0][1])


def _word(courses: str) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
        words = attempt.observed.colors if courses == "colors" else attempt.observed.names
        return known(words[inputs[0].index][inputs[1].done])

    return run


def _key(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    return known(attempt.observed.keys[inputs[0].index][0])


def _place_of(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    place = attempt.observed.places[inputs[0].index]
    return known(None if place == SOMEWHERE else place)


def _part_color(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    if args[0] not in attempt.observed.parts:
        raise NoAnswer
    return known(attempt.observed.parts[args[0]][inputs[0].done])


def _part_colored(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> PartSet:
    at = inputs[0].done
    found = {n: _equal(course[at], args[0]) for n, course in attempt.observed.parts.items()}
    return PartSet(tuple(n for n, v in found.items() if attempt.holds(v, "part", n, args, at)))


declare(
    ANIMATION,
    {
        "things": _objects(lambda place: True),
        "standing": _objects(lambda place: not place),
        "carried": _objects(lambda place: bool(place)),
        "place": _kept("place", _place),
        "there": _kept("there", _there),
        "named": _kept("named", _named),
        "colored": _kept("colored", _colored),
        "matching": _matching,
        "only": _only,
        "side": _kept("side", _side),
        "side_of": _one_side(_on_side, "side"),
        "on": _kept("on", _on),
        "hidden": _kept("hidden", _hidden),
        "hidden_from": _one_side(_is_hidden, "hidden"),
        "nearest": _far(0),
        "farthest": _far(-1),
        "opposite": _opposite,
        "color": _word("colors"),
        "name": _word("names"),
        "key": _key,
        "place_of": _place_of,
        "part_color": _part_color,
        "part_colored": _part_colored,
    },
)
