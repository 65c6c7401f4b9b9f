"""Whether one option says a part of what another says."""

from __future__ import annotations

import re
from functools import lru_cache

from fathom.english import singular

PART = "a wrong option that says a part of what the right one says, or the same and more"

_PLAIN = frozenset({"a", "an", "the", "of", "it", "its", "so", "that", "to", "and", "or", "with", "is"})
_WORD = re.compile(r"\w+")


def says_part(first: str, second: str) -> bool:
    """Return whether one of two texts says a part of what the other says, or the same.

    Who pushes something from left to right also pushes it.
    """
    one, other = _content(first), _content(second)
    return one <= other or other <= one


def nearly_says(written: str, annotated: str) -> bool:
    """Return the same of words that anybody wrote, where one thing and several are the same.

    >>> nearly_says("wash the plates", "wash plate")
    True
    """
    return says_part(_in_singular(written), _in_singular(annotated))


@lru_cache(maxsize=100_000)
def _in_singular(text: str) -> str:
    return _WORD.sub(lambda match: singular(match.group().casefold()), text)


@lru_cache(maxsize=100_000)
def _content(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - _PLAIN
