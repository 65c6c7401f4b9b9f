"""What programs of every kind share: steps that read earlier ones, and operators that fit what they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Protocol, TypeVar

from fathom.records import InputError, Step

Key = tuple[tuple[str, tuple[int, ...], tuple[str, ...]], ...]
"""A program as plain values, which can be looked up: operator, earlier steps, arguments."""


class Typed(Protocol):
    """An operator as far as steps are concerned: the kinds that it takes, and the one that it gives."""

    @property
    def takes(self) -> Sequence[Enum]:
        """The kinds that it reads."""
        ...

    @property
    def gives(self) -> Enum:
        """The kind that it gives."""
        ...


OperatorT = TypeVar("OperatorT", bound=Typed)
CheckArgs = Callable[[str, OperatorT, Sequence[str]], None]


def key_of(program: Sequence[Step]) -> Key:
    """Return a program as plain values."""
    return tuple((s.op, s.inputs, s.args) for s in program)


def operators_of(
    program: Key, known: Mapping[str, Sequence[OperatorT]], check_args: CheckArgs[OperatorT]
) -> tuple[OperatorT, ...]:
    """Return the operator of every step.

    Every step may read earlier steps only (which rules out cycles), each step but the last must be read, and
    kinds and numbers of inputs must be those of the operator; `check_args(place, operator, args)` looks at
    the arguments. Raises InputError at the first step that does not fit.
    """
    if not program:
        raise InputError("a program needs at least one step, and this one has none")
    found: list[OperatorT] = []
    read: set[int] = set()
    for k, (op, inputs, args) in enumerate(program):
        here = f"step {k} ({op})"
        if op not in known:
            raise InputError(f"{here}: no such operator; there are {', '.join(known)}")
        if any(not 0 <= i < k for i in inputs):
            raise InputError(f"{here}: reads steps {list(inputs)}, but only steps before {k} can be read")
        kinds = [found[i].gives for i in inputs]
        fitting = [o for o in known[op] if list(o.takes) == kinds]
        if not fitting:
            wanted = " or ".join(_listed(o.takes) for o in known[op])
            raise InputError(f"{here}: takes {wanted}, but reads {_listed(kinds)}")
        check_args(here, fitting[0], args)
        read.update(inputs)
        found.append(fitting[0])
    loose = [k for k in range(len(program) - 1) if k not in read]
    if loose:
        raise InputError(
            f"step {loose[0]} ({program[loose[0]][0]}): nothing reads it; leave it out or use it"
        )
    return tuple(found)


def _listed(kinds: Sequence[Enum]) -> str:
    return "(" + ", ".join(str(k.value) for k in kinds) + ")" if kinds else "nothing"
