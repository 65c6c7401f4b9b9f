"""How the actor's limbs are seen to move: along which line, up or down, in pairs, when most.

What hangs on how sure one can be has other thresholds here than in the first derivation: looser ones, so that
nothing is lost that was asked with room to spare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from fathom.assets.model import Points
from fathom.verify.observed.animation import ObservedAnimation
from fathom.verify.observed.limb_positions import courses
from fathom.verify.observed.upright import Values
from fathom.verify.values import Span, TimePoint

QUIET, LIVELY = 0.026, 0.045
"""Up to which size of the box around its way a limb keeps still, and from which it moves: of the actor's."""

MAINLY = 1.4
"""By how many times farther a limb goes along its line than along the next."""

AXES = ("lengthwise", "sideways", "vertical")

CLIMB, DETOUR = 0.08, 0.6
"""How far up or down a limb comes whose course is told, and how much longer than straight its way may be."""

PLAINLY = (0.15, 0.3, 0.45)
"""How far past another limb one comes each time, as shares of the farthest: all must count the same."""

LEAST_PAST = 0.012

TURNS, FACES_ON = math.radians(35.0), math.radians(15.0)
"""From how far on it turns, and up to which it goes on facing the same way."""


def _ends(moment: TimePoint) -> Iterator[Span]:
    """Yield first and last frame of a moment, as early and as late as each can be."""
    for first in sorted({*moment.first}):
        for last in sorted({*moment.last}):
            if first < last:
                yield first, last


def _agreed(words: Sequence[str | None]) -> str | None:
    return words[0] if words and len(set(words)) == 1 else None


def each(
    film: ObservedAnimation,
    moment: TimePoint,
    limbs: Sequence[str],
    tell: Callable[[list[Points]], str | None],
) -> str | None:
    """Return what is told of limbs' ways, in shares of the size, whichever way a moment's ends are taken."""
    found = courses(film)
    if found is None or not all(n in found for n in limbs):
        return None
    ways = [[found[n][a : b + 1] / film.size_m for n in limbs] for a, b in _ends(moment)]
    return _agreed([tell(way) for way in ways])


def both_called(film: ObservedAnimation, words: str) -> tuple[str, ...]:
    """Return the limbs on the two sides that words speak of in the plural, "front legs"; () for any other."""
    sides = ("left", "right")
    found = tuple(
        name
        for name in courses(film) or {}
        if {*sides} & set(own := name.split(" "))
        and f"{' '.join(w for w in own if w not in sides)}s" == words.replace("feet", "foots")
    )
    return found if len(found) == len(sides) else ()


def _stirs(way: Points) -> bool | None:
    far = float(np.linalg.norm(way.max(axis=0) - way.min(axis=0)))
    return far >= LIVELY if far >= LIVELY or far <= QUIET else None


def line(ways: list[Points]) -> str | None:
    """Return along which axis a limb mainly moves, "still" where it does not."""
    moves, reach = _stirs(ways[0]), ways[0].max(axis=0) - ways[0].min(axis=0)
    if moves is None:
        return None
    if not moves:
        return "still"
    a, b = np.argsort(-reach)[:2]
    return AXES[a] if reach[a] >= MAINLY * reach[b] else None


def course(ways: list[Points]) -> str | None:
    """Return whether a limb comes up or down for good, or goes there and back once."""
    z = ways[0][:, 2] - ways[0][0, 2]
    up, down, net = float(z.max()), float(-z.min()), float(z[-1])
    travelled = float(np.abs(np.diff(z)).sum())
    high = max(up, down)
    if high < CLIMB:
        return None
    if abs(net) >= high / 2:
        if travelled > (1 + DETOUR) * abs(net):
            return None
        return "rises" if net > 0 else "sinks"
    if travelled + abs(net) > (2 + DETOUR) * high:
        return None
    return "rises back" if up > down else "sinks back"


def calm(film: ObservedAnimation, moment: TimePoint) -> dict[str, bool | None] | None:
    """Return which limbs keep still over what surely belongs to a moment; None where that cannot be told.

    Where one action gives way to another a limb already moves for that.
    """
    found = courses(film)
    if found is None:
        return None
    out: dict[str, bool | None] = {}
    for name, track in found.items():
        moves = _stirs(track[max(moment.first) : min(moment.last) + 1] / film.size_m)
        out[name] = None if moves is None else not moves
    return out


def passes(values: Values) -> int | None:
    """Return how often values plainly change their sign; None where it depends on how plainly."""
    far = min(float(values.max()), float(-values.min()))
    if far < LEAST_PAST:
        return None
    counts = {_changes(values, share * far) for share in PLAINLY}
    return counts.pop() if len(counts) == 1 else None


def _changes(values: Values, least: float) -> int:
    signs = np.sign(values[np.abs(values) >= least])
    return int((signs[1:] != signs[:-1]).sum())


def steps(ways: list[Points]) -> str | None:
    """Return how often the left leg, and the right one, pass one another."""
    count = passes(ways[0][:, 0] - ways[1][:, 0])
    return None if count is None else str(count)


SENSES = {
    "forward": (0, 1),
    "backward": (0, -1),
    "left": (1, 1),
    "right": (1, -1),
    "up": (2, 1),
    "down": (2, -1),
}


def strokes(ways: list[Points], way: str) -> str | None:
    """Return how often a limb gets one way, from one half of the line that it moves along to the other."""
    axis, sign = SENSES[way]
    if line(ways) != AXES[axis]:
        return None
    along = sign * ways[0][:, axis]
    off = along - (float(along.max()) + float(along.min())) / 2
    count = passes(off)
    if count is None or abs(off[0]) < PLAINLY[-1] * float(off.max()):
        return None
    return str((count + int(off[0] < 0)) // 2)


SETS_OUT = (0.03, 0.04)
"""How far from where it was a limb is that has set out, at least and at most: shares of the size."""

AHEAD = 2
"""By how many frames the first one sets out before the next."""


def first_to_move(film: ObservedAnimation, moment: TimePoint) -> str | None:
    """Return the limb that sets out before all others; None where that cannot be told."""
    found = courses(film)
    if found is None or len(found) < 2:
        return None
    words: list[str | None] = []
    for a, b in _ends(moment):
        off = {n: np.linalg.norm(t[a : b + 1] - t[a], axis=1) / film.size_m for n, t in found.items()}
        soon, late = ({n: _since(o, s) for n, o in off.items()} for s in SETS_OUT)
        best = min(late, key=lambda n: late[n])
        rest = min(f for n, f in soon.items() if n != best)
        words.append(best if late[best] < len(off[best]) and late[best] + AHEAD <= rest else None)
    return _agreed(words)


def _since(off: Values, share: float) -> int:
    """Return from which frame on something is so far off; as many as there are where it never is."""
    return int(np.argmax(off >= share)) if off.max() >= share else len(off)


def raises(ways: list[Points]) -> str | None:
    """Return how often the first limb comes from below the second one to above it."""
    over = ways[0][:, 2] - ways[1][:, 2]
    count = passes(over)
    if count is None:
        return None
    first = over[np.abs(over) >= PLAINLY[-1] * min(float(over.max()), float(-over.min()))][0]
    return str((count + (first < 0)) // 2)


def turning(film: ObservedAnimation, span: Span) -> str | None:
    """Return whether the actor turns to its "left" or "right" over a span of frames, "" where it does not."""
    rows = [g for g, f in enumerate(film.frames) if span[0] <= f <= span[1]]
    yaw = film.yaw[rows]
    if len(rows) < 2 or np.isnan(yaw).any():
        return None
    turn = float(np.unwrap(yaw)[-1] - yaw[0])
    if abs(turn) <= FACES_ON:
        return ""
    return ("left" if turn > 0 else "right") if abs(turn) >= TURNS else None
