"""What is worked out once a film, however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from fathom.programs.views.animated import AnimatedView

P = ParamSpec("P")
R = TypeVar("R")


def once(work: Callable[Concatenate[AnimatedView, P], R]) -> Callable[Concatenate[AnimatedView, P], R]:
    """Return a function of a film that is worked out once for each of its further arguments."""

    @wraps(work)
    def found(timeline: AnimatedView, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (work.__qualname__, args, *kwargs.items())
        if key not in timeline.memo:
            timeline.memo[key] = work(timeline, *args, **kwargs)
        known: R = timeline.memo[key]
        return known

    return found
