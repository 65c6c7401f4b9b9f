"""What happens in a film, as far as it can be told: between which frames each object begins and is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from fathom.verify.values import Span

T = TypeVar("T")

ACTS = "acts"

SHORTEST_LOOKS = 3
"""At so many frames looked at an action is seen at least."""


@dataclass(frozen=True)
class ObservedEvent:
    """An action of the actor (`what` is "acts") or an event of an object.

    first, last : between which frames it begins, and ends
    before, begun, done : indices of frames looked at: the last one before it, -1 for none; the first and the
        last one in it
    begins, ends : between which of these indices the first, and the last one in it can lie
    detail : verb, new colour or name; None where it cannot be told
    """

    object_id: int
    what: str
    first: Span
    last: Span
    before: int
    begun: int
    done: int
    begins: Span
    ends: Span
    detail: str | None


def events_of(
    obj: int,
    there: Sequence[bool],
    names: Sequence[str | None],
    colors: Sequence[str | None],
    frames: Sequence[int],
) -> list[ObservedEvent]:
    """Return what becomes of an object, from whether it is there, its name and its colour as far as known."""
    found = [
        sudden(obj, "appears" if now else "vanishes", a, b, frames, "") for a, b, _, now in changes(there)
    ]
    found += [sudden(obj, "swaps", a, b, frames, str(now)) for a, b, _, now in changes(names)]
    found += [sudden(obj, "recolours", a, b, frames, str(now)) for a, b, _, now in changes(colors)]
    return found


def changes(values: Sequence[T | None]) -> list[tuple[int, int, T, T]]:
    """Return where what is known changes: the last index before, the first one after, and both values."""
    known = [(k, v) for k, v in enumerate(values) if v is not None]
    return [(a, b, u, v) for (a, u), (b, v) in pairwise(known) if u != v]


def sudden(obj: int, what: str, a: int, b: int, frames: Sequence[int], detail: str | None) -> ObservedEvent:
    """Return an event seen not yet at index `a` and over at index `b` of the frames looked at."""
    span = (frames[a] + 1, frames[b])
    return ObservedEvent(obj, what, span, span, a, b, b, (b, b), (b, b), detail)


def filled(values: Sequence[T | None]) -> tuple[T | None, ...]:
    """Return what holds at every index: what is known before and after where that is the same."""
    known = [(k, v) for k, v in enumerate(values) if v is not None]
    out = list(values)
    if not known:
        return tuple(out)
    for k in range(len(values)):
        before = [v for j, v in known if j <= k]
        after = [v for j, v in known if j >= k]
        if not before or not after or before[-1] == after[0]:
            out[k] = before[-1] if before else after[0]
    return tuple(out)


def open_ended(there: Sequence[bool], values: Sequence[object | None]) -> bool:
    """Return whether nothing is known of something when it is first there, or when it is last there."""
    found = [v for here, v in zip(there, values, strict=True) if here]
    return bool(found) and (found[0] is None or found[-1] is None)


def lasting(verbs: Sequence[str | None]) -> list[str | None]:
    """Return the actor's verb at each frame looked at without what it is seen to do for less than any action
    lasts, between two others: nobody knows what that is, a blend of the two perhaps.

    >>> lasting(["hop", "hop", "hop", "flinch", "flinch", "fall", "fall", "fall"])
    ['hop', 'hop', 'hop', None, None, 'fall', 'fall', 'fall']
    """
    cuts = [0, *(k for k in range(1, len(verbs)) if verbs[k] != verbs[k - 1]), len(verbs)]
    out = list(verbs)
    for a, b in list(pairwise(cuts))[1:-1]:
        if verbs[a] and b - a < SHORTEST_LOOKS:
            out[a:b] = [None] * (b - a)
    return out


def acts_of(
    verbs: Sequence[str | None], fuzzy: Sequence[tuple[int, int]], frames: Sequence[int], length: int
) -> list[ObservedEvent]:
    """Return the actor's actions from its verb at each frame looked at: "" where it has none, None: untold.

    `fuzzy` gives, for each border between stretches of one verb, the last frame looked at that certainly
    belongs before it and the first one that certainly belongs after it.
    """
    borders = [0, *(k for k in range(1, len(verbs)) if verbs[k] != verbs[k - 1]), len(verbs)]
    found = []
    for n, (a, b) in enumerate(pairwise(borders)):
        if verbs[a] == "":
            continue
        low, high = (a - 1, a) if a == 0 else fuzzy[n - 1]
        first = (0, 0) if a == 0 else (frames[low] + 1, frames[high])
        begins = (low + 1, high)
        if b == len(verbs):
            last, ends = (frames[-1], length - 1), (b - 1, b - 1)
        else:
            low, high = fuzzy[n]
            last, ends = (frames[low], frames[high] - 1), (low, high - 1)
        found.append(ObservedEvent(0, ACTS, first, last, a - 1, a, b - 1, begins, ends, verbs[a]))
    return found
