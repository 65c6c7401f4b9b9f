"""What is worked out once of a view, however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Remembering(Protocol):
    """What keeps what was worked out of it, by what was asked; a copy that is changed starts empty."""

    @property
    def memo(self) -> dict[Hashable, Any]:
        """What was worked out so far."""


V = TypeVar("V", bound=Remembering)


def once(work: Callable[Concatenate[V, P], R]) -> Callable[Concatenate[V, P], R]:
    """Return a function of a view that is worked out once for each of its further arguments, which must be
    hashable. What raises is worked out anew each time.
    """

    @wraps(work)
    def found(view: V, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (work, args, *kwargs.items())
        if key not in view.memo:
            view.memo[key] = work(view, *args, **kwargs)
        known: R = view.memo[key]
        return known

    return found
