"""Which object is not where such a thing is kept: small things on furniture, seats and bins on the floor.

Ref: SEED-Bench §3.1; docs/benchmarks/seed-bench-built.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from fathom.programs.operators.measuring import measured
from fathom.programs.operators.pictured import FLOOR, carrier_of, found
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, Unanswerable, ValueType
from fathom.programs.views.video import VideoView

FURNITURE = "furniture"

KEPT: Mapping[str, str] = {
    **dict.fromkeys(
        ("mug", "teapot", "table lamp", "desk lamp", "alarm clock", "biscuit tin", "photo camera"), FURNITURE
    ),
    **dict.fromkeys(("stool", "chair", "office chair", "pouf", "bin"), FLOOR),
}
"""Noun → where everybody keeps it. Books, bowls, bottles, plants, toys, boxes and baskets stand anywhere."""

MOVED = (
    "bin", "pouf", "stool", "teapot", "table lamp", "desk lamp", "biscuit tin", "alarm clock", "photo camera",
    "chair", "office chair", "mug",
)  # fmt: skip
"""The same nouns, first those that find room where they do not belong most often."""

TOPS = frozenset(
    {
        "TV stand", "cabinet", "coffee table", "desk", "dining table", "dresser", "kitchen cabinet",
        "nightstand", "round table", "shelf", "side table", "wall shelf",
    }
)  # fmt: skip
"""The furniture on which small things are kept."""


def _place(tracks: VideoView, obj: int, frame: int) -> tuple[str, float]:
    """Return on what an object stands, the floor or furniture, and how firmly; "" for anything else."""
    try:
        under = carrier_of(tracks, obj, frame)
    except Unanswerable:
        return "", 0.0
    if under.value == FLOOR:
        return FLOOR, under.truth.ratio
    top = tracks.names[tracks.objects.index(str(under.value))]
    return FURNITURE if top in TOPS else "", under.truth.ratio


def in_its_place(tracks: VideoView, obj: int, frame: int) -> bool:
    """Return whether an object surely is where such a thing is kept."""
    place, ratio = _place(tracks, obj, frame)
    return place == KEPT.get(tracks.names[obj], "nowhere") and ratio >= 1


def out_of_place(tracks: VideoView, frame: int) -> Measured:
    """Return the id of the one object on the floor that is kept on furniture, or the other way round.

    All others of which anything shows are where they are kept.
    """
    shown = sorted(tracks.glimpsed_at(frame))
    places = {k: _place(tracks, k, frame) for k in shown if tracks.names[k] in KEPT}
    odd = [k for k, (place, _) in places.items() if place != KEPT[tracks.names[k]]]
    if len(odd) != 1 or not places[odd[0]][0]:
        raise Unanswerable(f"{len(odd)} objects are not where they are kept")
    ratio = min(ratio for _, ratio in places.values())
    return found(tracks, tracks.objects[odd[0]], ratio, len(places), "objects", odd[0])


declare(Operator("out_of_place", (ValueType.TIME,), ValueType.QUANTITY, measured(out_of_place), VIDEO))
