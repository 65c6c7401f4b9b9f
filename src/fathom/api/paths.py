"""Paths as programs give them: as texts, or as values of pathlib."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def takes_paths(verb: Callable[P, R]) -> Callable[P, R]:
    """Return a verb that takes texts too wherever it takes paths, one or several."""
    signature = inspect.signature(verb)
    kinds = {name: str(parameter.annotation) for name, parameter in signature.parameters.items()}

    @wraps(verb)
    def with_paths(*args: P.args, **kwargs: P.kwargs) -> R:
        given = signature.bind(*args, **kwargs)
        for name, value in given.arguments.items():
            if "Sequence[Path]" in kinds[name]:
                given.arguments[name] = _several(value)
            elif "Path" in kinds[name] and isinstance(value, str):
                given.arguments[name] = Path(value)
        return verb(*given.args, **given.kwargs)

    return with_paths


def _several(value: object) -> object:
    if isinstance(value, str | Path):
        return (Path(value),)
    return [Path(one) for one in value] if isinstance(value, Iterable) else value
