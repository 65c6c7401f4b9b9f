"""Every way in which what cannot be decided can be taken.

A program runs once for each; only what comes out of all of them is an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

MOST = 64
"""So many ways are tried; where there are more, nothing is decided."""


class NoAnswer(Exception):
    """The program has no answer: what should name one object does not."""


class InsufficientEvidence(Exception):
    """What the program needs cannot be told from what is seen."""


class Assumptions:
    """One way of taking everything undecided: the first of it as `ahead` says, all else as not so."""

    def __init__(self, ahead: tuple[bool, ...]) -> None:
        """Take the answers to the first questions that turn out undecided."""
        self.ahead = ahead
        self.taken: list[bool] = []
        self._said: dict[Hashable, bool] = {}

    def take(self, about: Hashable, verdict: bool | None) -> bool:
        """Return a verdict, or how it is taken where there is none: always the same for the same question."""
        if verdict is not None:
            return verdict
        if about not in self._said:
            n = len(self.taken)
            self._said[about] = self.ahead[n] if n < len(self.ahead) else False
            self.taken.append(self._said[about])
        return self._said[about]


def every_outcome(run: Callable[[Assumptions], str]) -> str | None:
    """Return what `run` gives whichever way it is taken, "" where it never has an answer; else None."""
    waiting: list[tuple[bool, ...]] = [()]
    found: set[str] = set()
    tried = 0
    while waiting:
        if (tried := tried + 1) > MOST:
            return None
        ahead = waiting.pop()
        taking = Assumptions(ahead)
        try:
            found.add(run(taking))
        except NoAnswer:
            found.add("")
        except InsufficientEvidence:
            return None
        if len(found) > 1:
            return None
        waiting += [(*taking.taken[:n], True) for n in range(len(ahead), len(taking.taken))]
    return found.pop()
