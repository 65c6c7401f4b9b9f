"""Programs as steps: their arguments, as plain values, and several as one."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.records import Step

Key = tuple[tuple[str, tuple[int, ...], tuple[str, ...]], ...]
"""A program as plain values, which can be looked up: operator, earlier steps, arguments."""


def key_of(program: Sequence[Step]) -> Key:
    """Return a program as plain values."""
    return tuple((s.op, s.inputs, s.args) for s in program)


def args_of(program: Sequence[Step]) -> list[tuple[str, ...]]:
    """Return the arguments of every step."""
    return [s.args for s in program]


def joined(programs: Sequence[Sequence[Step]]) -> tuple[tuple[Step, ...], tuple[int, ...]]:
    """Return programs one after another as one, and where the last step of each is now.

    Steps that are the same are done once.
    """
    steps: list[Step] = []
    places: dict[Step, int] = {}
    ends: list[int] = []
    for program in programs:
        at: list[int] = []
        for s in program:
            moved = Step(op=s.op, inputs=tuple(at[i] for i in s.inputs), args=s.args)
            if moved not in places:
                places[moved] = len(steps)
                steps.append(moved)
            at.append(places[moved])
        ends.append(at[-1])
    return tuple(steps), tuple(ends)
