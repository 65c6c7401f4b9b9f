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


def grows_first(say: Claiming, fact: GrowthFact) -> str:
    """Return what grows on the actor as the scene begins: "three flowers on it", "a flower on its back"."""
    many = len(fact.first)
    say.claim("grows", fact.objects, fact.noun, str(many))
    if many > 1 and not fact.listed:
        return f"{number(many)} {say.lexicon.many(fact.noun)}{grows_where(say, fact, fact.first)}"
    for name in filter(fact.colors.get, fact.first):
        say.claim("there", (name,), fact.noun, fact.colors[name])
    words = [one(words.strip()) for words in fact.each(fact.first, fact.noun)]
    return joined(words) + grows_where(say, fact, fact.first)


def grows_where(say: Claiming, fact: GrowthFact, names: Sequence[str]) -> str:
    """Return where these grow: " on its back" where that is so of all of them, else " on it"."""
    place = fact.place(names)
    if not place:
        return " on it"
    say.claim("place", names, "worn", place)
    return f" on its {place}"
