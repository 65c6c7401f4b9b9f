"""Parts that grow on an actor against its nature, each an object of its own: horns, spikes, mushrooms.

All of an actor's are of one kind and one color, and in one place.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fathom.programs.views.animated import AnimatedView


@dataclass(frozen=True)
class Outgrowth:
    """A kind of part: what several are called, where on a body they can be, and what has such by nature.

    `natural` are words of nouns, limbs or parts, or whole categories, of what has them already.
    """

    plural: str
    places: tuple[str, ...]
    natural: frozenset[str] = frozenset()


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
    "flower": Outgrowth("flowers", ("head", "back")),
}
"""What can grow, by the name that each such object has."""

POINTED = frozenset(("horn", "spike", "fin"))
"""Shapes that one could take for another."""


def possible(place: str, words: Collection[str]) -> tuple[str, ...]:
    """Return what could grow at a place of an actor, of whose category, noun, limbs and parts these are the
    words.
    """
    return tuple(n for n, g in GROWTHS.items() if place in g.places and not g.natural & set(words))


def grown(timeline: AnimatedView, name: str = "") -> tuple[int, ...]:
    """Return the objects that grow on the actor, of one kind or of any; none where there are several kinds or
    places.
    """
    found = [k for k in timeline.subjects if timeline.places[k] and timeline.names[k][0] in GROWTHS]
    kinds = {(timeline.names[k][0], timeline.places[k]) for k in found}
    return tuple(k for k in found if name in ("", timeline.names[k][0])) if len(kinds) == 1 else ()
