"""At which place of its choices each answer stands: by chance, but nowhere much more often than elsewhere.

Were each place dealt exactly as often, whoever knows all answers but one would know the last place. So places
are drawn by chance, and drawn again only where something that questions have in common (all of a build, a
task, a form, an answer, an asset) has one of them too often or too seldom.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

import numpy as np

LOOSE, MANY, LEVEL = 2.0, 100, 1.5
"""By how many standard deviations of chance a place may come up more or less often than it would evenly: of
few questions, and of `MANY` or more, of which each tells next to nothing of the others.
"""

LEAST = 8
"""Of fewer questions nothing is levelled: one place would tell the next."""

DRAWS = 60
"""How many places are drawn again at most, for each question."""


def level_places(shared: Sequence[Sequence[Hashable]], places: int, g: np.random.Generator) -> list[int]:
    """Return a place for each question, level over everything that questions share.

    `shared` has for each question what it has in common with others. A pure function of its arguments.
    """
    members: dict[Hashable, list[int]] = defaultdict(list)
    for k, heads in enumerate(shared):
        for head in heads:
            members[head].append(k)
    large = {head: own for head, own in members.items() if len(own) >= LEAST}
    dealt: list[int] = g.integers(places, size=len(shared)).tolist()
    counts = {head: Counter(dealt[k] for k in own) for head, own in large.items()}

    def off(head: Hashable) -> float:
        """Return by how much the places of a head are off beyond what is allowed."""
        own = len(large[head])
        room = loose_at(own) * math.sqrt(own * (places - 1)) / places
        return sum(max(abs(counts[head][p] - own / places) - room, 0.0) for p in range(places))

    uneven = dict.fromkeys(head for head in large if off(head) > 0)
    for _ in range(DRAWS * len(shared)):
        if not uneven:
            break
        own = large[list(uneven)[int(g.integers(len(uneven)))]]
        k = own[int(g.integers(len(own)))]
        heads = [head for head in shared[k] if head in large]
        costs = []
        for place in range(places):
            _move(counts, heads, dealt[k], place)
            costs.append(sum(map(off, heads)))
            _move(counts, heads, place, dealt[k])
        best = int(np.argmin(np.array(costs) + 1e-6 * g.random(places)))
        _move(counts, heads, dealt[k], best)
        dealt[k] = best
        for head in heads:
            uneven.pop(head, None)
        uneven |= dict.fromkeys(head for head in heads if off(head) > 0)
    return dealt


def loose_at(questions: int) -> float:
    """Return how loosely places are level where so many questions share something."""
    return LEVEL if questions >= MANY else LOOSE


def _move(counts: dict[Hashable, Counter[int]], heads: Sequence[Hashable], place: int, to: int) -> None:
    for head in heads:
        counts[head][place] -= 1
        counts[head][to] += 1
