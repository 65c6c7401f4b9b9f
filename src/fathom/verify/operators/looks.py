"""The operators about how the actor looks, in the second derivation: by the paint that its pixels show."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.verify.observed.attachments import SOMEWHERE
from fathom.verify.observed.limb_positions import legs_off
from fathom.verify.operators.choices import Animated, known
from fathom.verify.registry import ANIMATION, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import Value

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
    places = attempt.observed.places[1:]
    if any(place is None for place in places):
        raise InsufficientEvidence
    return str(sum(bool(place) or place == SOMEWHERE for place in places))


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
        "leg": _leg_off,
    },
)
