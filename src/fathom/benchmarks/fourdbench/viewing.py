"""Which views of an object are shown, where they are not the same for every question.

Ref: 4D-Bench §4.5 (random views against chosen ones).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from fathom.media.cells import Cells, hits
from fathom.records import Need, Setting
from fathom.store.seeds import rng


def drawn_views(available: int, wanted: int, seed: str, question: str) -> tuple[int, ...]:
    """Return which of `available` views are shown of a question, drawn, in ascending order.

    More of them are wanted: those drawn before are among them.
    """
    drawn = rng(seed, "views", question).permutation(available)[:wanted]
    return tuple(sorted(drawn.tolist()))


def best_views(needs: Sequence[Need], cells: Cells, wanted: int) -> tuple[int, ...]:
    """Return the views, in ascending order, that show the most of what has to be seen.

    `cells` are the frames that would be shown of each view. One view after the other is taken: the one that
    shows the most needs that none before it shows, then the one that shows the needs in the most frames.
    """
    left, views = list(needs), list(cells)
    chosen: list[int] = []
    while views and len(chosen) < wanted:
        best = max(views, key=lambda v: _worth(v, needs, left, cells))
        views.remove(best)
        chosen.append(best)
        left = [need for need in left if not hits(need, {best: cells[best]})]
    return tuple(sorted(chosen))


def _worth(view: int, needs: Sequence[Need], left: Sequence[Need], cells: Cells) -> tuple[int, int, int]:
    shown = {view: cells[view]}
    return sum(hits(n, shown) > 0 for n in left), sum(hits(n, shown) for n in needs), -view


def record_of(chosen: Mapping[str, Sequence[int]]) -> dict[str, Setting]:
    """Return what stands in a run's manifest of views that were chosen question by question."""
    text = msgspec.json.encode(sorted((question, tuple(views)) for question, views in chosen.items()))
    return {
        "views-chosen": len(chosen),
        "views-chosen-sha256": hashlib.sha256(text).hexdigest(),
    }
