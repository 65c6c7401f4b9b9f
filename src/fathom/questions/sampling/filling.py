"""How a form of a question with four options is filled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Filling:
    """How a form is filled: with whom, with which noun or which things that are done, and at which of the
    shown frames.
    """

    who: tuple[int, ...]
    noun: str = ""
    place: int = 0
