"""A trajectory in words: what is said of each form, and which numbers belong to it."""

from __future__ import annotations

from collections.abc import Sequence

STRAIGHT, LEFT, RIGHT, STOP = "straight", "left", "right", "stop"


def units_of(form: str) -> tuple[str, ...]:
    """Return the units of the numbers that one part of a form has."""
    kind, _, way = form.partition(":")
    if kind == STOP:
        return ("s",)
    if kind == STRAIGHT:
        return ("m",)
    return ("deg",) if way == "spot" else ("deg", "m")


def mirrored(form: Sequence[str]) -> tuple[str, ...]:
    """Return a form as a mirror shows it: what turns left turns right."""
    sides = {LEFT: RIGHT, RIGHT: LEFT}
    return tuple(":".join(sides.get(word, word) for word in part.split(":")) for part in form)


def told(form: Sequence[str], numbers: Sequence[str]) -> str:
    """Return a trajectory in words; `numbers` are those of its form, written out without units.

    "goes straight for 12.0 m, then turns left by 90° over 6.3 m, then stops for 2.0 s".
    """
    left = list(numbers)
    said = []
    for part in form:
        taken, left = left[: len(units_of(part))], left[len(units_of(part)) :]
        said.append(_part_told(part, taken))
    return ", then ".join(said)


def _part_told(part: str, numbers: Sequence[str]) -> str:
    kind, _, way = part.partition(":")
    to = {"left": "to the left", "right": "to the right"}.get(way, way)
    if kind == STOP:
        return f"stands still for {numbers[0]} s"
    if kind == STRAIGHT:
        return (
            f"goes straight for {numbers[0]} m"
            if way in ("", "forward")
            else f"moves {to} for {numbers[0]} m"
        )
    if way == "spot":
        return f"turns {kind} by {numbers[0]}° on the spot"
    over = f"over {numbers[1]} m" if way in ("", "forward") else f"while moving {to} for {numbers[1]} m"
    return f"turns {kind} by {numbers[0]}° {over}"
