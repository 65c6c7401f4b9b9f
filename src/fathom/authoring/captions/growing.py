"""What captions say of what grows on an object as the scene begins, and of where it grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fathom.authoring.captions.english import CaptionLexicon, joined, one
from fathom.authoring.captions.own_facts import GrowthFact
from fathom.english import number


class Claiming(Protocol):
    """Who says something in a lexicon's words, and notes what was said."""

    @property
    def lexicon(self) -> CaptionLexicon:
        """The words."""
        ...

    def claim(self, kind: str, objects: Sequence[str], *words: str) -> None:
        """Note what is said."""
        ...


def grows_first(say: Claiming, fact: GrowthFact) -> list[str]:
    """Return what grows on the actor as the scene begins, as items of a list: "three flowers on its body", or
    "a red flower on its back", "a blue one on its head".
    """
    first = fact.first
    say.claim("grows", fact.objects, fact.noun, str(len(first)))
    if len(first) > 1 and not fact.listed:
        return [f"{number(len(first))} {say.lexicon.many(fact.noun)}{_where(say, fact, first)}"]
    for name in filter(fact.colors.get, first):
        say.claim("there", (name,), fact.noun, fact.colors[name])
    if len(first) == 2 and not fact.place(first) and all(fact.places[name] for name in first):
        words = [one(f"{fact.colors[first[0]]} {fact.noun}"), one(f"{fact.colors[first[1]]} one")]
        return [w + grows_where(say, fact, [name]) for w, name in zip(words, first, strict=True)]
    words = [one(words.strip()) for words in fact.each(first, fact.noun)]
    return [joined(words) + _where(say, fact, first)]


def grows_where(say: Claiming, fact: GrowthFact, names: Sequence[str]) -> str:
    """Return where these grow: " on its back" where that is so of all of them, else " on it"."""
    place = fact.place(names)
    if not place:
        return " on it"
    say.claim("place", names, "worn", place)
    return f" on its {place}"


def _where(say: Claiming, fact: GrowthFact, names: Sequence[str]) -> str:
    """Return where what it has grows: a body has it on itself."""
    place = grows_where(say, fact, names)
    return " on its body" if place == " on it" and fact.body else place
