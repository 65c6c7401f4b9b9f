"""Numbers with units, places, boxes, poses and ways, as options and answers write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fathom.records import UnreadableError

UNITS: dict[str, tuple[str, float]] = {
    "m": ("length", 1.0), "cm": ("length", 0.01), "mm": ("length", 0.001), "km": ("length", 1000.0),
    "m/s": ("speed", 1.0), "cm/s": ("speed", 0.01), "mm/s": ("speed", 0.001), "km/h": ("speed", 1 / 3.6),
    "m/s²": ("acceleration", 1.0), "cm/s²": ("acceleration", 0.01), "mm/s²": ("acceleration", 0.001),
    "°": ("angle", 1.0), "s": ("time", 1.0),
}  # fmt: skip
"""Unit → what it measures, and how many of the base unit it is (metres, seconds, degrees)."""

SPOKEN: dict[str, str] = {
    "meters": "m", "centimeters": "cm", "millimeters": "mm", "meters per second": "m/s",
    "centimeters per second": "cm/s", "meters per second squared": "m/s²",
    "centimeters per second squared": "cm/s²", "degrees": "°",
}  # fmt: skip

_NUMBER = r"[−-]?\d+(?:\.\d+)?"
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_AMOUNT = re.compile(rf"({_NUMBER}) ?({_UNIT})(?: to the (left|right))?")
_PLACE = rf"\(({_NUMBER}), ({_NUMBER}), ({_NUMBER})\) (m|cm)"
_CENTRE = re.compile(_PLACE)
_BOX = re.compile(
    rf"cent(?:er|re) {_PLACE}, length ({_NUMBER}) (m|cm), width ({_NUMBER}) (m|cm), "
    rf"height ({_NUMBER}) (m|cm), yaw ({_NUMBER})°"
)
_POSE = re.compile(rf"position {_PLACE}, yaw ({_NUMBER})°, pitch ({_NUMBER})°, roll ({_NUMBER})°")
_WAY = r"(backward|forward|to the left|to the right|up|down)"
_LEG = re.compile(rf"(?:goes straight|moves {_WAY}) for ({_NUMBER}) (m|cm)")
_TURN = re.compile(
    rf"turns (left|right) by ({_NUMBER})° (?:on the spot|(?:over|while moving {_WAY} for) ({_NUMBER}) (m|cm))"
)
_STOP = re.compile(rf"stands still for ({_NUMBER}) s")


@dataclass(frozen=True)
class Amount:
    """One number in base units, what one of its last decimal is, and the unit that it is written in.

    `side` is the one that it names.
    """

    value: float
    last: float
    unit: str
    side: str = ""

    @property
    def kind(self) -> str:
        """What it measures."""
        return UNITS[self.unit][0]


@dataclass(frozen=True)
class PathPiece:
    """One piece of a way: "leg", "turn" or "stop"; where to, metres and what one of their last decimal is,
    degrees (left above 0), seconds.
    """

    kind: str
    way: str = ""
    m: float = 0.0
    last_m: float = field(default=0.0, compare=False)
    deg: float = 0.0
    s: float = 0.0


def amount(number: str, unit: str, side: str = "") -> Amount:
    """Return a number with its unit: to the right is below 0."""
    text = number.replace("−", "-")
    one = UNITS[unit][1]
    value = float(text) * one * (-1.0 if side == "right" else 1.0)
    if side and float(text) < 0:
        raise UnreadableError(f"{number}{unit} to the {side}: a side and a sign")
    return Amount(value, one * 10.0 ** -len(text.partition(".")[2]), unit, side)


def read_amount(text: str) -> tuple[Amount, ...]:
    """Return the one number of an option. Raises UnreadableError, as all of these do."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise UnreadableError(f"{text!r}: expected a number with its unit")
    return (amount(found[1], found[2], found[3] or ""),)


def read_centre(text: str) -> tuple[Amount, ...]:
    """Return x, y and z of a place."""
    found = _CENTRE.fullmatch(text)
    if found is None:
        raise UnreadableError(f"{text!r}: expected x, y and z of a place")
    return tuple(amount(n, found[4]) for n in found.groups()[:3])


def read_box(text: str) -> tuple[Amount, ...]:
    """Return x, y, z, length, width, height and yaw of a box."""
    found = _BOX.fullmatch(text)
    if found is None:
        raise UnreadableError(f"{text!r}: expected a box with its centre, sides and yaw")
    x, y, z, unit, *sides, yaw = found.groups()
    places = tuple(amount(n, unit) for n in (x, y, z))
    return (*places, *(amount(n, u) for n, u in zip(sides[::2], sides[1::2], strict=True)), amount(yaw, "°"))


def read_pose(text: str) -> tuple[Amount, ...]:
    """Return x, y, z, yaw, pitch and roll of a pose."""
    found = _POSE.fullmatch(text)
    if found is None:
        raise UnreadableError(f"{text!r}: expected a pose with its position and three angles")
    x, y, z, unit, *angles = found.groups()
    return (*(amount(n, unit) for n in (x, y, z)), *(amount(n, "°") for n in angles))


def read_way(text: str) -> tuple[PathPiece, ...]:
    """Return the pieces of a trajectory."""
    said = text.strip().rstrip(".")
    return tuple(_piece(part.strip()) for part in f"{said[:1].lower()}{said[1:]}".split(", then "))


def _piece(text: str) -> PathPiece:
    leg, turn, stop = (p.fullmatch(text) for p in (_LEG, _TURN, _STOP))
    if leg is not None:
        metres = amount(leg[2], leg[3])
        return PathPiece("leg", leg[1] or "forward", metres.value, metres.last)
    if turn is not None:
        angle = float(turn[2]) * (1 if turn[1] == "left" else -1)
        if not turn[4]:
            return PathPiece("turn", "on the spot", deg=angle)
        metres = amount(turn[4], turn[5])
        return PathPiece("turn", turn[3] or "forward", metres.value, metres.last, angle)
    if stop is not None:
        return PathPiece("stop", s=float(stop[1]))
    raise UnreadableError(f"{text!r}: expected a leg, a turn or a stop")


def rooms(written: Sequence[Sequence[Amount]]) -> tuple[float, ...]:
    """Return by how much each number may be off, being rounded: to the last decimal, or to five of it where
    all options are multiples of that.
    """
    found = []
    for several in zip(*written, strict=True):
        fives = all(round(a.value / a.last) % 5 == 0 for a in several)
        found.append((2.51 if fives else 0.51) * max(a.last for a in several))
    return tuple(found)


def numbers(amounts: Sequence[Amount]) -> tuple[float, ...]:
    """Return the numbers in base units."""
    return tuple(a.value for a in amounts)
