"""What questions on films are about that one film is to have few of: paint, lines of limbs, what grows."""

from __future__ import annotations

from fathom.questions.animated_candidate import AnimatedCandidate

OF_PAINT = frozenset(("limbs_painted", "limb_painted"))
"""Operators that are about paint."""

OF_LINES = frozenset(("limb_line", "limbs_still"))
"""Operators that are about that."""

OF_GROWTHS = frozenset(("growing", "sprouting", "place_of", "events"))
"""Operators that are about what grows on an object alone."""


def is_painted(candidate: AnimatedCandidate) -> bool:
    """Return whether a question is about paint: parts that are called left or right are painted limbs."""
    steps = candidate.program
    sided = any(s.op == "part_color" and s.args[0].split(" ")[0] in ("left", "right") for s in steps)
    return sided or any(s.op in OF_PAINT for s in steps)


def is_lined(candidate: AnimatedCandidate) -> bool:
    """Return whether a question is about the lines along which limbs move."""
    return any(s.op in OF_LINES for s in candidate.program)


def is_grown(candidate: AnimatedCandidate) -> bool:
    """Return whether a question about an object alone is about what grows on it."""
    return any(s.op in OF_GROWTHS for s in candidate.program)
