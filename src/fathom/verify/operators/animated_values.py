"""What flows between the steps of a program about a film in its second derivation, and the last step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fathom.verify.observed.animation import ObservedAnimation
from fathom.verify.observed.events import ACTS, ObservedEvent
from fathom.verify.undecided import Assumptions, InsufficientEvidence, NoAnswer

LEANS_DEG = 30.0
"""From how far on an actor leans, it has no left and no front that all would agree on."""


def upright(film: ObservedAnimation, first: int, last: int) -> None:
    """Raise InsufficientEvidence where the actor leans between two of the frames looked at."""
    if max(film.leans_deg[first : last + 1], default=0.0) > LEANS_DEG:
        raise InsufficientEvidence


@dataclass(frozen=True)
class One:
    """One happening, by its place in the film's list."""

    index: int


@dataclass(frozen=True)
class Some:
    """Several happenings, by their places in the film's list."""

    members: tuple[int, ...]


@dataclass(frozen=True)
class Item:
    """One object."""

    index: int


@dataclass(frozen=True)
class Items:
    """A set of objects."""

    members: tuple[int, ...]


@dataclass(frozen=True)
class Named:
    """A set of parts of the actor."""

    members: tuple[str, ...]


Value = Any
"""One of these, or a word."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A film that is asked something, and how what is undecided is taken."""

    film: ObservedAnimation
    taking: Assumptions

    def holds(self, verdict: bool | None, *about: object) -> bool:
        """Return a verdict, or how it is taken where there is none."""
        return self.taking.take(about, verdict)

    def happening(self, index: int) -> ObservedEvent:
        """Return a happening by its place in the list."""
        return self.film.happenings[index]

    def key_of(self, index: int) -> str | None:
        """Return the key of a happening, None where it cannot be told."""
        h = self.happening(index)
        if h.what == ACTS:
            return h.detail
        obj, _ = self.film.keys[h.object_id]
        if obj is None or h.detail is None or h.detail.endswith("None"):
            return None
        return f"{h.what}:{obj}:{h.detail}" if h.detail else f"{h.what}:{obj}"

    def happening_fits(self, index: int, key: str) -> bool:
        """Return whether a happening has a key."""
        own = self.key_of(index)
        if own is None:
            h = self.happening(index)
            # What kind of object happens is known even where its particulars are not.
            could = (":" not in key) if h.what == ACTS else key.startswith(f"{h.what}:")
            return self.holds(None if could else False, "key", index, key)
        plain = own.replace(f":{self.film.main}=", ":") if self.film.main else own
        return key in (own, plain)

    def object_fits(self, index: int, key: str) -> bool:
        """Return whether an object's key, or its name when it is first there, is this one."""
        own, name = self.film.keys[index]
        if key in (name, own):
            return True
        known = own is not None and name is not None
        return self.holds(False if known else None, "fits", index, key)


Operator = Callable[[Asked, list[Value], tuple[str, ...]], Value]


def known(word: str | None) -> str:
    """Return a word. Raises InsufficientEvidence where it could not be told, NoAnswer where there is none."""
    if word is None:
        raise InsufficientEvidence
    if not word:
        raise NoAnswer
    return word


def _fits(asked: Asked, value: Value, key: str) -> bool:
    """Return whether a key is the value, is among it, or fits it."""
    if isinstance(value, Item):
        return asked.object_fits(value.index, key)
    if isinstance(value, Items):
        return any(asked.object_fits(k, key) for k in value.members)
    if isinstance(value, One):
        return asked.happening_fits(value.index, key)
    if isinstance(value, Some):
        return any(asked.happening_fits(k, key) for k in value.members)
    if isinstance(value, Named):
        return key in value.members
    return bool(value == key)


def chosen() -> dict[str, Operator]:
    """Return the operators that end a program: which of the choices it is, or which it is not."""

    def choose(wanted: bool) -> Operator:
        def run(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> str:
            found = [key for key in args if _fits(asked, inputs[0], key) == wanted]
            if len(found) != 1:
                raise NoAnswer
            return found[0]

        return run

    return {"choose": choose(True), "choose_other": choose(False)}
