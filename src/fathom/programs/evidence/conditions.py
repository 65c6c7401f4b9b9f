"""What has to be seen of an animated scene: conditions in words, and the cells that meet each.

A step on the walk through a program brings the conditions that show its value; for a set, also those that
show that each member belongs. What a step brings is declared with its operator.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.programs.values import Value, ValueType, members
from fathom.programs.views.animated import AnimatedView, Mask, Moment
from fathom.records import Step


@dataclass(frozen=True, eq=False)
class Condition:
    """Something that has to be seen, and the cells (V, G) in each of which it is.

    A frame of the grid stands for those up to the next one, but none past the film's frame `until`.
    """

    what: str
    cells: Mask
    until: int | None = None

    def implies(self, other: Condition) -> bool:
        """Return whether whoever sees this sees the other as well."""
        early = other.until is None or (self.until is not None and self.until <= other.until)
        return early and not bool((self.cells & ~other.cells).any())


@dataclass(frozen=True)
class Conditions:
    """What shows the value of a step; for a set, also what shows that each member belongs, and that
    others do not, which matters to who counts.
    """

    value: tuple[Condition, ...] = ()
    of: Mapping[int, tuple[Condition, ...]] | None = None


@dataclass(frozen=True)
class Walk:
    """A step on the walk, with all that is known of it."""

    timeline: AnimatedView
    step: Step
    kind: ValueType
    value: Value
    inputs: Sequence[Value]
    kinds: Sequence[ValueType]
    seen: Sequence[Conditions]

    @property
    def before(self) -> tuple[Condition, ...]:
        """What the inputs need."""
        return tuple(s for seen in self.seen for s in seen.value)

    def of(self, at: int, member: int) -> tuple[Condition, ...]:
        """Return what shows that something belongs to the set that is input `at`."""
        return (self.seen[at].of or {}).get(member, ())


Evidence = Callable[[Walk], Conditions]
"""What a step brings: what shows its value."""


def times(timeline: AnimatedView, frames: NDArray[np.bool_]) -> Mask:
    """Return which frames of the grid lie in a mask (F,) of the film's frames, (G,)."""
    return np.asarray(frames[timeline.visibility.frames])


def stretch(held: NDArray[np.bool_], moment: Moment) -> NDArray[np.bool_]:
    """Return the frames (F,) around a moment in which something holds without a break."""
    first, last = moment
    out = np.zeros(len(held), dtype=bool)
    if not held[first : last + 1].all():
        return out
    while first > 0 and held[first - 1]:
        first -= 1
    while last + 1 < len(held) and held[last + 1]:
        last += 1
    out[first : last + 1] = True
    return out


def clear(timeline: AnimatedView, obj: int) -> Mask:
    """Return the cells (V, G) that show an object clearly."""
    return np.asarray(timeline.clear[:, :, obj])


def between(timeline: AnimatedView, first: int, last: int) -> Mask:
    """Return which frames of the grid lie from one frame to another, (G,); the last one before if none."""
    frames = timeline.visibility.frames
    chosen = (frames >= first) & (frames <= last)
    if not chosen.any():
        chosen[timeline.visibility.at(last)] = True
    return np.asarray(chosen)


def name(timeline: AnimatedView, obj: int, moment: Moment | None = None) -> str:
    """Return what an object is called at the end of a moment; without one, all that it is called at all."""
    first, last = (moment[1], moment[1]) if moment else (0, timeline.frames - 1)
    return timeline.called(obj, first, last)


def part_cells(timeline: AnimatedView, name: str) -> Mask:
    """Return the cells (V, G) that show a part of the actor."""
    k = timeline.visibility.parts_of(0).get(name)
    if k is None:
        return np.zeros(timeline.visibility.px.shape[:2], dtype=bool)
    return np.asarray(timeline.visibility.part_px[:, :, k] >= timeline.clear_part_px)


def limb_cells(timeline: AnimatedView, name: str) -> Mask:
    """Return the cells (V, G) that show a limb of the actor."""
    k = timeline.visibility.limbs_of(0)[name]
    return np.asarray(timeline.visibility.limb_px[:, :, k] >= timeline.clear_part_px)


def alike(
    w: Walk, held: Callable[[int], NDArray[np.bool_]], clear: Callable[[int], Mask], what: str
) -> Conditions:
    """Return what shows that members belong: clear cells of the stretch in which the set stays as it is.

    `held` gives the frames (F,) in which a candidate belongs.
    """
    timeline, moment = w.timeline, w.inputs[-1]
    same = np.ones(timeline.frames, dtype=bool)
    for k in members(w.inputs[0]):
        of_k = held(k)
        same &= of_k == of_k[moment[1]]
    when = times(timeline, stretch(same, moment))
    of = {}
    for k in members(w.value):
        mask = clear(k) & when
        earlier = w.of(0, k)
        joint = mask
        for s in earlier:
            joint = joint & s.cells
        shown = (Condition(f"{name(timeline, k, moment)} {what}", joint),) if joint.any() else (
            *earlier, Condition(f"{name(timeline, k, moment)} {what}", mask)
        )  # fmt: skip
        of[k] = shown
    return Conditions(w.before, of)
