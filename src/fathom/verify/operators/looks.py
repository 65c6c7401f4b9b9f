"""The operators about how the actor looks, in the second derivation: by the paint that its pixels show."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.verify.observed.attachments import OUTGROWTHS, SOMEWHERE
from fathom.verify.observed.limb_positions import legs_off
from fathom.verify.operators.choices import Animated, known
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import EventSet, ObjectRef, ObjectSet, Value

ENDS: Mapping[str, tuple[str, ...]] = {
    "legs": (" leg",),
    "arms": (" arm",),
    "arms and legs": (" arm", " leg"),
    "wings": (" wing",),
    "flippers": (" flipper",),
}
"""What limbs are called together → how the names of such parts end."""


def _in_paint(attempt: Animated, group: str, color: str) -> list[str]:
    """Return the parts that are such limbs and are seen in a color, whichever time one looks."""
    film, found = attempt.observed, []
    for name, course in film.parts.items():
        if not name.endswith(ENDS[group]):
            continue
        seen = {w for w in course if w is not None}
        if len(seen) != 1:
            raise InsufficientEvidence
        found += [name] if seen == {color} else []
    return found


def _limbs_painted(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = _in_paint(attempt, *args)
    if not found:
        raise NoAnswer
    return str(len(found))


def _limb_painted(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = _in_paint(attempt, *args)
    if len(found) != 1:
        raise NoAnswer
    return found[0]


def _worn(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    film, found = attempt.observed, 0
    for k in range(1, film.objects):
        if film.places[k] is None:
            raise InsufficientEvidence
        found += bool(film.places[k]) and _shape(attempt, k) not in OUTGROWTHS
    return str(found)


def _shape(attempt: Animated, k: int) -> str:
    """Return what an object is seen to be all the time. Raises InsufficientEvidence where that is untold."""
    seen = {word for word in attempt.observed.names[k] if word is not None}
    if len(seen) != 1:
        raise InsufficientEvidence
    return seen.pop()


def _outgrowths(attempt: Animated, name: str) -> list[int]:
    """Return the objects of one shape that go with the actor. Raises InsufficientEvidence where one of them
    may stand on its own.
    """
    film = attempt.observed
    found = [k for k in range(1, film.objects) if _shape(attempt, k) == name]
    if any(film.places[k] is None for k in found):
        raise InsufficientEvidence
    return [k for k in found if film.places[k]]


def _grown(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = _outgrowths(attempt, args[0])
    if not found:
        raise NoAnswer
    return str(len(found))


def _grown_color(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    film = attempt.observed
    seen = {c for k in _outgrowths(attempt, args[0]) for c in film.colors[k] if c is not None}
    return known(seen.pop() if len(seen) == 1 else None)


def _grown_on(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    film, found = attempt.observed, set()
    for k in range(1, film.objects):
        shape = _shape(attempt, k)
        if shape in OUTGROWTHS and film.places[k] in (None, SOMEWHERE):
            raise InsufficientEvidence
        found |= {shape} if shape in OUTGROWTHS and film.places[k] == args[0] else set()
    return known(found.pop() if len(found) == 1 else "")


def _growing(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> ObjectSet:
    name, place = args
    film, found = attempt.observed, _outgrowths(attempt, name)
    if place != "anywhere" and any(film.places[k] in (None, SOMEWHERE) for k in found):
        raise InsufficientEvidence
    return ObjectSet(tuple(k for k in found if place in ("anywhere", film.places[k])))


def _sprouting(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> EventSet:
    film = attempt.observed
    if film.untold:
        raise InsufficientEvidence
    found = [k for k, h in enumerate(film.happenings) if h.what == args[0] and h.object_id]
    return EventSet(tuple(k for k in found if _shape(attempt, film.happenings[k].object_id) in OUTGROWTHS))


def _own_color(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    seen = {c for c in attempt.observed.colors[inputs[0].index] if c is not None}
    return known(seen.pop() if len(seen) == 1 else None)


def _colors_of(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    seen = {_own_color(attempt, [ObjectRef(k)], ()) for k in inputs[0].members}
    if not seen:
        raise NoAnswer
    return "+".join(sorted(seen))


def _side_counts(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    heaps: dict[str, int] = {}
    for k in inputs[0].members:
        place = attempt.observed.places[k]
        if place in (None, SOMEWHERE):
            raise InsufficientEvidence
        heaps[str(place)] = heaps.get(str(place), 0) + 1
    places = args[0].split("+")
    if not set(places) <= set(heaps):
        raise NoAnswer
    return "+".join(f"{place}={heaps[place]}" for place in places)


def _leg_off(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
    found = legs_off(attempt.observed, inputs[0])
    if found is None:
        raise InsufficientEvidence
    wanted = [name for name, off in found.items() if off == (args[0] == "off")]
    return known(wanted[0] if len(wanted) == 1 else "")


declare(
    ANIMATION,
    {
        "limbs_painted": _limbs_painted,
        "limb_painted": _limb_painted,
        "worn": _worn,
        "grown": _grown,
        "grown_color": _grown_color,
        "grown_on": _grown_on,
        "growing": _growing,
        "sprouting": _sprouting,
        "own_color": _own_color,
        "colors_of": _colors_of,
        "side_counts": _side_counts,
        "leg": _leg_off,
    },
)
