"""How far another answer is off, in tolerances, and the margin of an answer among others."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fathom.programs.engine import Trace
from fathom.records import Margin


def wrongness(answered: Trace, other: Sequence[float]) -> float:
    """Return by how many tolerances another answer's numbers are off: those of the number that is off most.

    Yaws, and all angles of a box or a pose, are compared around the circle; quaternions up to their sign.
    """
    found = 0.0
    around = answered.kinds and len(answered.numbers) > 1 and not answered.form
    own = answered.numbers
    units = answered.unit.split()
    if "-" in units and sum(a * b for a, b in zip(own[3:], other[3:], strict=True)) < 0:
        other = (*other[:3], *(-v for v in other[3:]))
    for a, b, unit, room in zip(own, other, units, answered.tolerance, strict=True):
        off = abs(a - b)
        if unit == "deg" and around:
            off = abs((a - b + 180.0) % 360.0 - 180.0)
        found = max(found, off / max(room, 1e-9))
    return found


def margin_against(answered: Trace, others: Sequence[Sequence[float]]) -> Margin | None:
    """Return the margin of a number among wrong ones: the weaker of the answer's own and the nearest
    rival's.
    """
    nearest = min((wrongness(answered, o) for o in others), default=math.inf)
    if nearest >= answered.least.ratio:
        return answered.margin
    return Margin(
        relation="nearest option",
        value=round(float(nearest), 6),
        unit="tolerance",
        ratio=round(float(nearest), 4),
    )
