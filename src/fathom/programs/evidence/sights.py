"""What shows a part of a film's story: conditions in words, and the cells that meet each.

A *sight* is a condition with a mask (V, G) of the cells that meet it. A step on the walk through a program
brings the sights that show its value; for a set, also those that show that each member belongs.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.programs.stories.facts import Mask, Moment, Story
from fathom.programs.values import Kind, Value
from fathom.records import Step


@dataclass(frozen=True, eq=False)
class Sight:
    """Something that has to be seen, and the cells (V, G) in each of which it is.

    A frame of the grid stands for those up to the next one, but none past the film's frame `until`.
    """

    what: str
    cells: Mask
    until: int | None = None

    def implies(self, other: Sight) -> bool:
        """Return whether whoever sees this sees the other as well."""
        early = other.until is None or (self.until is not None and self.until <= other.until)
        return early and not bool((self.cells & ~other.cells).any())


@dataclass(frozen=True)
class Seen:
    """What shows the value of a step; for a set, also what shows that each member belongs, and that
    others do not, which matters to who counts.
    """

    sights: tuple[Sight, ...] = ()
    of: Mapping[int, tuple[Sight, ...]] | None = None


@dataclass(frozen=True)
class Walk:
    """A step on the walk, with all that is known of it."""

    story: Story
    step: Step
    kind: Kind
    value: Value
    inputs: Sequence[Value]
    kinds: Sequence[Kind]
    seen: Sequence[Seen]

    @property
    def before(self) -> tuple[Sight, ...]:
        """What the inputs need."""
        return tuple(s for seen in self.seen for s in seen.sights)

    def of(self, at: int, member: int) -> tuple[Sight, ...]:
        """Return what shows that something belongs to the set that is input `at`."""
        return (self.seen[at].of or {}).get(member, ())


_Handler = Callable[[Walk], Seen]


Handler = Callable[[Walk], Seen]
"""What a step brings."""


def handles(table: dict[str, Handler], *names: str) -> Callable[[Handler], Handler]:
    """Return what puts a handler into a table under the names of its operators."""

    def put(handler: Handler) -> Handler:
        table.update(dict.fromkeys(names, handler))
        return handler

    return put


def times(story: Story, frames: NDArray[np.bool_]) -> Mask:
    """Return which frames of the grid lie in a mask (F,) of the film's frames, (G,)."""
    return np.asarray(frames[story.play.frames])


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


def clear(story: Story, thing: int) -> Mask:
    return np.asarray(story.clear[:, :, thing])


def between(story: Story, first: int, last: int) -> Mask:
    """Return which frames of the grid lie from one frame to another, (G,); the last one before if none."""
    frames = story.play.frames
    chosen = (frames >= first) & (frames <= last)
    if not chosen.any():
        chosen[story.play.at(last)] = True
    return np.asarray(chosen)


def name(story: Story, thing: int, moment: Moment | None = None) -> str:
    """Return what a thing is called at the end of a moment; without one, all that it is called at all."""
    first, last = (moment[1], moment[1]) if moment else (0, story.frames - 1)
    return story.called(thing, first, last)
