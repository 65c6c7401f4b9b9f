"""How an actor looks: which of its limbs are of a color, and what it wears or holds."""

from __future__ import annotations

from fathom.programs.growths import growing
from fathom.programs.limb_groups import members
from fathom.programs.limb_positions import pieces_px
from fathom.programs.motion import MeasuredMotion
from fathom.programs.views.animated import AnimatedView


def limbs_of(timeline: AnimatedView, group: str) -> tuple[str, ...]:
    """Return the limbs of a group that the actor has."""
    visibility = timeline.visibility
    there = [n for n, k in visibility.limbs_of(0).items() if visibility.limb_px[:, :, k].any()]
    return members(group, there)


def colored(timeline: AnimatedView, group: str, color: str) -> tuple[str, ...]:
    """Return the limbs of a group that are painted in a color."""
    return tuple(n for n in limbs_of(timeline, group) if timeline.parts.get(n, ("",))[0] == color)


def count_colored(timeline: AnimatedView, group: str, color: str) -> MeasuredMotion:
    """Return how many limbs of a group are of a color, as firmly as the smallest of them shows somewhere."""
    found = colored(timeline, group, color)
    least = _least_px(timeline, group)
    return MeasuredMotion(str(len(found)) if found else "", _firm(timeline, least), "is painted", least, "px")


def only_colored(timeline: AnimatedView, group: str, color: str) -> MeasuredMotion:
    """Return the one limb of a group that is of a color."""
    found = colored(timeline, group, color)
    least = _least_px(timeline, group)
    return MeasuredMotion(
        found[0] if len(found) == 1 else "", _firm(timeline, least), "is painted", least, "px"
    )


def _least_px(timeline: AnimatedView, group: str) -> float:
    """Return how many pixels the view that shows most of it shows of the limb of which that is least."""
    shown = [pieces_px(timeline, "limb", name) for name in limbs_of(timeline, group)]
    return min((0.0 if px is None else float(px.max()) for px in shown), default=0.0)


def _firm(timeline: AnimatedView, px: float) -> float:
    return px / (2 * timeline.clear_part_px)


def worn(timeline: AnimatedView) -> tuple[int, ...]:
    """Return the objects that the actor wears or holds; what grows on it is neither."""
    own = set(growing(timeline))
    return tuple(k for k in timeline.subjects if timeline.places[k] and k not in own)
