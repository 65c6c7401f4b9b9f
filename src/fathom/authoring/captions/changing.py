"""What captions say of what comes and goes on an object while it does something."""

from __future__ import annotations

from fathom.authoring.captions.english import joined, one
from fathom.authoring.captions.own_facts import GrowthFact
from fathom.authoring.captions.phrases import Speaker
from fathom.english import number

MOST_COLORS = 2
"""Of more of what comes or goes the number is told, and not each color."""


def meanwhile(say: Speaker) -> str:
    """Return what comes and goes of what grows on the actor; "" where nothing does."""
    fact = say.facts.growth
    if fact is None:
        return ""
    said: list[str] = []
    for what, verb in (("appears", "appear"), ("vanishes", "disappear")):
        if turned := fact.of(what):
            say.claim("comes", fact.objects, fact.noun, what, str(len(turned)))
            where = "" if said else " on it" if what == "appears" else " from it"
            who = _turned(say, fact, what, "one" if said else fact.noun)
            said.append(f"{who} {verb}{'s' if len(turned) == 1 else ''}{where}")
    return f"over time {joined(said)}"


def _turned(say: Speaker, fact: GrowthFact, what: str, noun: str) -> str:
    """Return what comes or goes: up to two with colors, "a red and a blue flower", else how many."""
    turned = fact.of(what)
    if len(turned) <= MOST_COLORS and len({color for _, color in turned if color}) == len(turned):
        for name, color in turned:
            say.claim("turned", (name,), fact.noun, color, what)
        *others, (_, last) = turned
        return joined([*(one(color) for _, color in others), one(noun, last)])
    new = "new " if what == "appears" and fact.first else ""
    return number(len(turned)) if noun == "one" else f"{number(len(turned))} {new}{say.lexicon.many(noun)}"
