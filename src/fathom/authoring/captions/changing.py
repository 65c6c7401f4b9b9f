"""What captions say of what comes and goes of what grows on an object."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from fathom.authoring.captions.english import joined, one
from fathom.authoring.captions.growing import grows_where
from fathom.authoring.captions.own_facts import GrowthFact
from fathom.authoring.captions.phrases import Speaker
from fathom.english import number

KNOWN = ("there", "turned")
"""Claims after which it is known what is meant by "the red one"."""

MOST_TURNS = 3
"""More often nobody says in turn what comes and what goes."""


def coming(say: Speaker) -> str:
    """Return what comes and goes of what grows on the actor, in the order of time where that can be told; ""
    where nothing does.
    """
    fact = say.facts.growth
    if fact is None:
        return ""
    for what in dict.fromkeys(how for _, how, _ in fact.changes):
        say.claim("comes", fact.objects, fact.noun, what, str(len(fact.of(what))))
    runs = _in_turn(fact)
    if not runs:
        whats = list(dict.fromkeys(how for _, how, _ in fact.changes))
        return ", and ".join(_turned(say, fact, what, fact.of(what), not k) for k, what in enumerate(whats))
    for (_, before), (_, after) in pairwise(runs):
        say.claim("order", (before[-1], after[0]), "then")
    said = [_turned(say, fact, what, names, not k) for k, (what, names) in enumerate(runs)]
    return ", then ".join(said)


def _in_turn(fact: GrowthFact) -> list[tuple[str, list[str]]]:
    """Return what comes or goes one after the other, each with the objects; [] where that is too much to say,
    or where some come or go at once, or are not told by their colors.
    """
    runs = [(what, [name for name, _, _ in some]) for what, some in groupby(fact.changes, key=lambda c: c[1])]
    told = fact.apart() and all(fact.told_apart(names) for _, names in runs)
    return runs if told and len(runs) <= MOST_TURNS else []


def _turned(say: Speaker, fact: GrowthFact, what: str, names: Sequence[str], first: bool) -> str:
    return (_come if what == "appears" else _go)(say, fact, names, fact.noun if first else "")


def _come(say: Speaker, fact: GrowthFact, come: Sequence[str], noun: str) -> str:
    """Return what comes: "a red and then a blue flower grow on it", "four flowers grow on it one by one"."""
    where = grows_where(say, fact, come) if noun else ""
    several = len(come) > 1 and fact.apart("appears")
    grow = "grows" if len(come) == 1 else "grow"
    if fact.told_apart(come):
        _claim_turned(say, fact, come, "appears")
        last = "and then" if several and len(come) == 2 else "and"
        each = fact.each(come, noun or "one")
        if not noun and last == "and then":
            # "A purple one and then a green one", and not "a purple and then a green one".
            each = [f"{fact.colors[name]} one" for name in come]
        who = joined([one(words) for words in each], last)
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
    if not fact.told_apart(gone):
        many = "all" if len(gone) == len(fact.first) else f"{number(len(gone))} of"
        return f"{many} the {say.lexicon.many(fact.noun)} that were on it at first disappear"
    known = {name for claim in say.claims if claim.kind in KNOWN for name in claim.objects}
    _claim_turned(say, fact, gone, "vanishes")
    others = {color for name, color in fact.colors.items() if name not in gone}
    alone = not others & {fact.colors[name] for name in gone} and known.issuperset(gone)
    words = fact.each(gone, noun or "one")
    return f"{joined([f'the {w}' if alone else one(w) for w in words])} {disappear}"


def _claim_turned(say: Speaker, fact: GrowthFact, turned: Sequence[str], what: str) -> None:
    for name in turned:
        say.claim("turned", (name,), fact.noun, fact.colors[name], what)
