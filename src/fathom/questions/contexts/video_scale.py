"""How finely metres are known in a video: from the usual sizes of what stands there.

A photo camera is as large as photo cameras are, give or take a tenth, and a car as cars are, give or take a
fiftieth. Of several objects each says the same anew, in part: whose idea of usual sizes is off is off for all
objects of a scene alike. So with σ the spread of each object, and σ₁ that of the steadiest one,

    scale² = T·σ₁² + (1 − T) ÷ Σ 1/σ²,        never less than a least share.

docs/benchmarks/sti-bench-questions.md#how-finely-it-can-be-answered
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from fathom.questions.contexts.video_visibility import Reading


def scale_of(spreads: Sequence[float], reading: Reading) -> float:
    """Return to which share of a length metres are known by who sees objects whose sizes are spread so.

    More objects, and steadier ones, tell it more finely. Infinite where there are none.
    """
    if not spreads:
        return math.inf
    own = 1 / sum(1 / s**2 for s in spreads)
    known = reading.alike * min(spreads) ** 2 + (1 - reading.alike) * own
    return max(math.sqrt(known), reading.least_scale)
