"""Parts that grow on an actor against its nature, each an object of its own: horns, spikes, mushrooms.

All of an actor's are of one kind. Either they are of one color, in one place and always there, or on several
sides of it, and some of them come or go.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fathom.programs.views.animated import AnimatedView


@dataclass(frozen=True)
class Outgrowth:
    """A kind of part: what several are called, where on a body they can be, and what has such by nature.

    `natural` are words of nouns, limbs or parts, or whole categories, of what has them already, or where they
    would look as if put on; `comes` is whether some come or go while the film runs: of what is so flat that
    a body hides it from the other side.
    """

    plural: str
    places: tuple[str, ...]
    natural: frozenset[str] = frozenset()
    comes: bool = False


BODIES = frozenset(("animal", "fish", "dinosaur", "insect", "character"))
MACHINES = frozenset(("vehicle", "robot", "object"))


GROWTHS = {
    "horn": Outgrowth(
        "horns",
        ("head",),
        frozenset(("horns", "horn", "deer", "cow", "bull", "goat", "ram", "monster", "dragon")),
    ),
    "antenna": Outgrowth(
        "antennas", ("head", "back"), frozenset(("insect", "robot", "vehicle", "lure", "antenna", "antennas"))
    ),
    "spike": Outgrowth(
        "spikes",
        ("back",),
        frozenset(("plates", "spikes", "spines", "pufferfish", "lionfish", "monster")),
    ),
    "fin": Outgrowth(
        "fins", ("head", "back"), frozenset(("fish", "fin", "fins", "flipper", "plates", "wing"))
    ),
    "mushroom": Outgrowth("mushrooms", ("head", "back")),
    "flower": Outgrowth("flowers", ("head", "back"), comes=True),
    "crystal": Outgrowth("crystals", ("head", "back"), comes=True),
    "cherry": Outgrowth("cherries", ()),
    "lamp": Outgrowth("lamps", ("head", "back"), BODIES),
}
"""What can grow, by the name that each such object has. Cherries look like balls, and are drawn no more."""

BRIGHT = ("red", "yellow", "blue", "purple", "green", "cyan")
"""Colors of what grows all around, where color tells one from another."""

ALIKE = ({"blue", "purple"},)
"""Of which no two grow on one body: small, and in the shade, they are taken for one another."""

TAKEN_FOR = (
    frozenset(("horn", "spike", "fin")),
    frozenset(("horn", "spike", "crystal")),
    frozenset(("cherry", "antenna")),
)
"""Shapes that one could take for one another: pointed ones, balls on stalks."""


def different(color: str, others: Collection[str]) -> bool:
    """Return whether nobody takes a color of what grows for any of some others."""
    return not any({color, other} in ALIKE for other in others)


def possible(place: str, words: Collection[str]) -> tuple[str, ...]:
    """Return what could grow at a place of an actor, of whose category, noun, limbs and parts these are the
    words.
    """
    return tuple(n for n, g in GROWTHS.items() if place in g.places and not g.natural & set(words))


def coming(words: Collection[str]) -> tuple[str, ...]:
    """Return what could come and go all around an actor, of whose category, noun, limbs and parts these are
    the words.
    """
    return tuple(n for n, g in GROWTHS.items() if g.comes and not g.natural & set(words))


def growing(timeline: AnimatedView, name: str = "", place: str = "") -> tuple[int, ...]:
    """Return what grows on the actor at any time, of one kind or of any, at one place or anywhere."""
    return tuple(
        k
        for k in timeline.subjects
        if timeline.places[k] and timeline.names[k][0] in GROWTHS
        if name in ("", timeline.names[k][0]) and place in ("", timeline.places[k])
    )


def comes_and_goes(timeline: AnimatedView) -> bool:
    """Return whether some of what grows on the actor comes or goes."""
    return not bool(timeline.visibility.there[:, list(growing(timeline))].all())


def grown(timeline: AnimatedView, name: str = "") -> tuple[int, ...]:
    """Return the objects that grow on the actor, of one kind or of any; none where there are several kinds or
    places, or where some come or go.
    """
    kinds = {(timeline.names[k][0], timeline.places[k]) for k in growing(timeline)}
    return growing(timeline, name) if len(kinds) == 1 and not comes_and_goes(timeline) else ()
