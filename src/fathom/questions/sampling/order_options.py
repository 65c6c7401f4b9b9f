"""The options of a question about an order: the right one, and others of the same things.

Of three things all orders can be offered. Of four those that come of the right one where two pairs of places
are taken, and what stands in either pair, or in both, changes places: whichever of the four is right, the
others are the same, so that options tell nothing, and at every place of them two things stand twice each.
Who saw only what comes first can rule out half of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from fathom.questions.choice_candidate import DrawnOption

Place = tuple[int, int]

PAIRS: tuple[tuple[Place, Place], ...] = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
"""How four places can be taken as two pairs."""


def order_options(said: Sequence[str], value: str) -> tuple[DrawnOption, tuple[DrawnOption, ...]]:
    """Return the option for an order of three or four things, "2 1 3", and those that are certainly false.

    said : how an option says each thing, in the order in which `value` counts them
    """
    right = tuple(int(k) - 1 for k in value.split())
    if len(right) < 4:
        every = (_option(said, order) for order in permutations(range(len(said))) if order != right)
        return _option(said, right), tuple(every)
    groups = (_option(said, o, k) for k, pairs in enumerate(PAIRS, 1) for o in _exchanged(right, pairs))
    return _option(said, right), tuple(groups)


def _exchanged(order: tuple[int, ...], pairs: tuple[Place, Place]) -> Iterator[tuple[int, ...]]:
    """Yield an order of four things in which the first pair, the second, or both have changed places."""
    for some in (pairs[:1], pairs[1:], pairs):
        out = list(order)
        for i, j in some:
            out[i], out[j] = out[j], out[i]
        yield tuple(out)


def _option(said: Sequence[str], order: Sequence[int], group: int = 0) -> DrawnOption:
    value = " ".join(str(k + 1) for k in order)
    return DrawnOption(value, ", then ".join(said[k] for k in order), group=group)
