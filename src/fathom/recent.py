"""The last few values that were made, kept for reuse."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by their keys, at most `most`; the one that was not asked for the longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key, made now where it is not at hand."""
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key]
        made = self._values[key] = make()
        while len(self._values) > self._most:
            self._values.popitem(last=False)
        return made
