"""What cannot be decided is taken each way that it can be; only what comes out of all of them is an answer.

A program runs once for each way of taking it. Where its answers differ, the evidence is too weak, or the
rules leave the answer open: that is a matter of the scene's `Policy`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import TypeVar

MOST = 64
"""So many ways are tried; where there are more, nothing is decided."""

T = TypeVar("T")


class NoAnswer(Exception):
    """The program has no answer: what should name one object does not."""


class InsufficientEvidence(Exception):
    """What the program needs cannot be told from what is seen."""


@dataclass(frozen=True)
class OpenPolicy:
    """How what is undecided is taken, and what it means that answers differ.

    together : all of it the same way (as not so, then as so), and not each on its own; some mixture of both
    is then never tried none : answers that differ mean that the rules leave the answer open, so that there is
    none; else they mean that the evidence is insufficient
    """

    together: bool = False
    none: bool = False


class Assumptions:
    """One way of taking everything undecided: the first of it as `ahead` says, all else as `rest`."""

    def __init__(self, ahead: tuple[bool, ...] = (), rest: bool = False) -> None:
        """Take the answers to the first questions that turn out undecided."""
        self.ahead, self.rest = ahead, rest
        self.taken: list[bool] = []
        self._said: dict[Hashable, bool] = {}

    def take(self, about: Hashable, verdict: bool | None) -> bool:
        """Return a verdict, or how it is taken where there is none: always the same for the same question."""
        if verdict is not None:
            return verdict
        if about not in self._said:
            n = len(self.taken)
            self._said[about] = self.ahead[n] if n < len(self.ahead) else self.rest
            self.taken.append(self._said[about])
        return self._said[about]


def settled(run: Callable[[Assumptions], T], none: T, policy: OpenPolicy) -> T | None:
    """Return what `run` gives whichever way what is undecided is taken; None where that cannot be decided.

    none : stands for "no answer"; it is what a run that raises NoAnswer gives
    """
    found: list[T] = []
    open_ = False
    try:
        for assumptions, outcome in _outcomes(run, none, policy):
            if outcome not in found:
                found.append(outcome)
            open_ |= bool(assumptions.taken)
            if len(found) > 1 and not policy.together:
                return None
    except InsufficientEvidence:
        return None
    if len(found) == 1 and (found[0] != none or not (open_ and policy.together)):
        return found[0]
    # Taking everything one way can leave no answer where a mixture of both would have one.
    return none if policy.none else None


def _outcomes(
    run: Callable[[Assumptions], T], none: T, policy: OpenPolicy
) -> Iterator[tuple[Assumptions, T]]:
    """Yield every way of taking what is undecided, and what comes of it.

    Raises InsufficientEvidence where there are too many, or where one of them raises it.
    """
    waiting: list[tuple[bool, ...]] = [()]
    tried = 0
    while waiting:
        if (tried := tried + 1) > MOST:
            raise InsufficientEvidence
        ahead = waiting.pop()
        assumptions = Assumptions(() if policy.together else ahead, policy.together and bool(ahead))
        try:
            outcome = run(assumptions)
        except NoAnswer:
            outcome = none
        yield assumptions, outcome
        if not policy.together:
            waiting += [(*assumptions.taken[:n], True) for n in range(len(ahead), len(assumptions.taken))]
        elif assumptions.taken and not ahead:
            waiting.append((True,))
