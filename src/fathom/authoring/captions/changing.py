"""What captions say of what grows on an object: what is there at first, and what comes and goes."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.authoring.captions.english import joined, one
from fathom.authoring.captions.own_facts import GrowthFact
from fathom.authoring.captions.phrases import Speaker
from fathom.english import number

MOST_COLORS = 3
"""Of more of what comes or goes the number is told, and not each color."""


def coming(say: Speaker) -> str:
    """Return what comes and goes of what grows on the actor, in the order of time; "" where nothing does."""
    fact = say.facts.growth
    if fact is None:
        return ""
    said: list[str] = []
    for what in dict.fromkeys(how for _, how, _ in fact.changes):
        turned = fact.of(what)
        say.claim("comes", fact.objects, fact.noun, what, str(len(turned)))
        said.append((_come if what == "appears" else _go)(say, fact, turned, "" if said else fact.noun))
    return ", and ".join(said)


def _come(say: Speaker, fact: GrowthFact, come: Sequence[str], noun: str) -> str:
    """Return what comes: "a red and then a blue flower grow on it", "four flowers grow on it one by one"."""
    where = " on it" if noun else ""
    several = len(come) > 1 and fact.apart("appears")
    grow = "grows" if len(come) == 1 else "grow"
    if _each_has_a_color(fact, come):
        _claim_turned(say, fact, come, "appears")
        last = "and then" if several and len(come) == 2 else "and"
        who = joined(_each(fact, come, noun or "one", "a"), last)
    else:
        many = number(len(come))
        more = "more " if any(claim.kind == "grows" for claim in say.claims) else ""
        who = f"{many} {more}{say.lexicon.many(fact.noun) if len(come) > 1 else fact.noun}"
    if not several:
        return f"{who} {grow}{where}"
    in_turn = "then" if len(come) == 2 and " and then " in who else "one by one"
    say.claim("order", come, in_turn)
    return f"{who} {grow}{where}{'' if in_turn == 'then' else f' {in_turn}'}"


def _go(say: Speaker, fact: GrowthFact, gone: Sequence[str], noun: str) -> str:
    """Return what goes: "the red one disappears", "the red and the blue flower disappear"."""
    disappear = "disappears" if len(gone) == 1 else "disappear"
    if not _each_has_a_color(fact, gone):
        many = "all" if len(gone) == len(fact.first) else f"{number(len(gone))} of"
        return f"{many} the {say.lexicon.many(fact.noun)} that were on it at first disappear"
    _claim_turned(say, fact, gone, "vanishes")
    others = {color for name, color in fact.colors.items() if name not in gone}
    alone = not others & {fact.colors[name] for name in gone}
    return f"{joined(_each(fact, gone, noun or 'one', 'the' if alone else 'a'))} {disappear}"


def _claim_turned(say: Speaker, fact: GrowthFact, turned: Sequence[str], what: str) -> None:
    for name in turned:
        say.claim("turned", (name,), fact.noun, fact.colors[name], what)


def _each(fact: GrowthFact, names: Sequence[str], noun: str, article: str) -> list[str]:
    """Return each by its color, the last with the noun: "a red", "a blue flower"."""
    words = [*(fact.colors[name] for name in names[:-1]), f"{fact.colors[names[-1]]} {noun}"]
    return [f"the {w}" if article == "the" else one(w) for w in words]


def _each_has_a_color(fact: GrowthFact, names: Sequence[str]) -> bool:
    """Return whether these are few, and each has a color that no other of them has."""
    colors = [fact.colors[name] for name in names]
    return len(names) <= MOST_COLORS and all(colors) and len(set(colors)) == len(colors)
