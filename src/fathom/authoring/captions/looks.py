"""What captions say of an object's looks: what is odd about it first, as anybody would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from fathom.authoring.captions.english import CLOTHES, joined, one
from fathom.authoring.captions.facts import AppearanceFact, Facts
from fathom.authoring.captions.growing import Claiming, grows_first
from fathom.authoring.captions.own_facts import PaintFact
from fathom.english import number

MOST_EXTRAS = 3
"""More of its looks in one caption read like a list."""

NEEDED, ATTACHED, ODD, OTHERWISE = range(4)
"""How soon something is said of its looks. What grows on it at first has to be told before more does or goes,
and what is attached to its body nobody leaves out.
"""

ONE_COLOR = frozenset({"wheels"})
"""What is of one color on whatever it is: nobody says of which."""

ONE_PLACE = frozenset({"wheels", "wings"})
"""What is in one place on whatever has it: nobody says where."""


class Looking(Claiming, Protocol):
    """Who says how an object looks."""

    @property
    def facts(self) -> Facts:
        """What is known of it."""
        ...

    @property
    def rng(self) -> np.random.Generator:
        """What decides between things that are as well said."""
        ...


@dataclass(frozen=True)
class _Extra:
    """Something that could be said of its looks: after which word, how, how soon, and how late in its list:
    "a wolf with red eyes, wings and a flower on its back". Of what is said as soon, what `shows` more is
    likelier to be said first.
    """

    how: str
    say: Callable[[], str | list[str]]
    rank: int = OTHERWISE
    last: bool = False
    shows: float = 1.0


def looks_of(say: Looking, level: int) -> str:
    """Return what it looks like: what is odd about it first, so many details in all, 0 to 3.

    What has to be told, and what is attached to it, is told at every level.
    """
    growth = say.facts.growth
    alone = growth is not None and growth.listed
    told = (NEEDED, ATTACHED)
    extras = [e for e in _extras(say) if e.rank in told or e.how != "has" or not alone]
    waits = say.rng.exponential(size=len(extras)) / [max(e.shows, 1e-9) for e in extras]
    order = [extras[k] for k in sorted(range(len(extras)), key=lambda k: (extras[k].rank, waits[k]))]
    level = max(level, sum(e.rank in told for e in extras))
    order = order[: min(level, MOST_EXTRAS)]
    listed = [(e, words) for e in order for words in _items(e.say())]
    listed.sort(key=lambda said: (said[0].last, " its " in said[1]))
    said = {how: [words for e, words in listed if e.how == how] for how in ("has", "wearing", "holding")}
    has = f" with {joined(said['has'])}" if said["has"] else ""
    carries = [f"{how} {joined(said[how])}" for how in ("wearing", "holding") if said[how]]
    if not carries:
        return has
    return f"{has}, {joined(carries)}," if has else f" {joined(carries)}"


def _items(said: str | list[str]) -> list[str]:
    return [said] if isinstance(said, str) else said


def _extras(say: Looking) -> list[_Extra]:
    """Return all that could be said of its looks: what is odd about it, what it wears, its parts."""
    facts, own = say.facts, say.facts.color.split(" and ")
    grown = [look for look in facts.looks if look.how == "grown"]
    found = [_Extra("has", partial(_grown, say, look), ATTACHED) for look in grown]
    if facts.growth is not None and facts.growth.first:
        found.append(_Extra("has", partial(grows_first, say, facts.growth), NEEDED, last=True))
    found += [_Extra("has", partial(_limbs, say, limb, many), ODD) for limb, many in facts.counts]
    found += [_Extra("has", partial(_paint, say, p), ODD) for p in facts.paint if p.color not in own]
    for look in (look for look in facts.looks if look.word and look not in grown):
        if look.how == "part":
            if not look.color or look.color not in own:
                rank = OTHERWISE if look.color else ATTACHED
                found.append(_Extra("has", partial(_part, say, look), rank, shows=look.shows))
            continue
        bears = look.how == "worn" and look.word.split(" ")[-1] not in CLOTHES
        how = "has" if bears else {"worn": "wearing", "held": "holding"}[look.how]
        found.append(_Extra(how, partial(_carried, say, look, bears), ATTACHED))
    return found


def _part(say: Looking, look: AppearanceFact) -> str:
    say.claim("part", look.objects, look.word, look.color)
    return one(look.word, look.color)


def _limbs(say: Looking, limb: str, many: int) -> str:
    say.claim("limbs", (say.facts.actor,), limb, str(many))
    word = limb.removesuffix("s")
    return f"{number(many)} {word if many == 1 else say.lexicon.many(word)}"


def _paint(say: Looking, fact: PaintFact) -> str:
    say.claim("paint", (say.facts.actor,), fact.limb, fact.color, str(fact.count))
    if fact.of == 1:
        return one(fact.limb, fact.color)
    word = fact.limb if fact.count == 1 else say.lexicon.many(fact.limb)
    many = "" if fact.count == fact.of else f"{number(fact.count)} "
    return f"{many}{fact.color} {word}"


def _grown(say: Looking, look: AppearanceFact) -> str:
    say.claim("grown", look.objects, look.word, look.color, look.where)
    many = len(look.objects)
    what = (
        f"{number(many)} {look.color} {say.lexicon.many(look.word)}"
        if many > 1
        else one(look.word, look.color)
    )
    return f"{what} on its {look.where}"


def _carried(say: Looking, look: AppearanceFact, placed: bool) -> str:
    where = look.where if placed and look.word not in ONE_PLACE else ""
    color = "" if look.word in ONE_COLOR else look.color
    say.claim(look.how, look.objects, look.word, color, where)
    place = f" {preposition(look.how, where)} its {where}" if where else ""
    return one(look.word, color) + place


def preposition(how: str, where: str) -> str:
    """Return what stands before the place of something that is "worn" or "held"."""
    return "in" if how == "held" else "under" if where == "belly" else "on"
