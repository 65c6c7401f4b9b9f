"""Five trajectories of one form of which nothing but looking tells which one is asked for.

The false ones are trajectories that other cameras, or objects, of the same build really took, in the same
form and in the same time. Five of them are put together first, and then it is drawn which one is asked for:
whatever is known of how fast, how far and how straight objects go holds for all five alike. So nothing may be
drawn nearer to the answer afterwards; five are put together that lie as far apart as they should.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fathom.questions.numeric.error_sampling import POINTS, Floats
from fathom.questions.numeric.vector_answers import Vector
from fathom.store.seeds import Name, rng

PROPOSALS = 400
"""How often five are put together for a question."""


def at_one_pace(rows: Floats, vector: Vector, lasts_s: Floats | float, wanted_s: float) -> Floats:
    """Return the numbers (n, d) of trajectories that last so long, (n,) or all, as they would be in a wanted
    time at the same pace: metres and seconds grow with it, turns do not.
    """
    grows = np.array([part.unit != "°" for part in vector.parts])
    factors = np.broadcast_to(wanted_s / np.asarray(lasts_s, dtype=np.float64), (len(rows),))
    found: Floats = np.where(grows, rows * factors[:, None], rows)
    return found


def sets_of_five(apart: Floats, least: float, most: float, *names: Name) -> Iterator[tuple[int, ...]]:
    """Yield five places, the first of which is to be the answer, of how far any two are `apart` (n, n); two
    that are 0 apart never stand together.

    The nearest other one of each lies between the least and the most. Which of the five comes first is drawn
    when they are together: each is as likely, whatever it is.
    """
    g = rng("five trajectories", *names)
    for _ in range(PROPOSALS if len(apart) >= POINTS else 0):
        found = _together(apart, least, most, g)
        if found:
            first = int(g.integers(POINTS))
            yield (found[first], *(k for i, k in enumerate(found) if i != first))


def _together(apart: Floats, least: float, most: float, g: np.random.Generator) -> list[int]:
    """Return five of which none is nearer to another than the least, and each near enough to one; [] where it
    did not come out.
    """
    found = [int(g.integers(len(apart)))]
    nearest: NDArray[np.float64] = apart[found[0]].copy()
    while len(found) < POINTS:
        would = np.flatnonzero((nearest >= least) & (nearest <= most))
        if not len(would):
            return []
        found.append(int(would[int(g.integers(len(would)))]))
        nearest = np.minimum(nearest, apart[found[-1]])
    return found
