"""What stories need to know of an actor, wherever it comes from: its clips, limbs, parts and shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.cast import Cast, open_cast
from fathom.assets.builtin import CREATURES
from fathom.assets.model import Model
from fathom.records import InputError

BODIES = ("body", "torso", "trunk", "spine", "hull")
"""What the limb is called that carries the others, the likeliest first."""

LEAST_TRUNK = 12
"""A trunk of fewer vertices says nothing of how it lies."""


class Clip(Protocol):
    """A named clip; what moves in it lies between `start_s` and `end_s`, and is done `cycles` times."""

    @property
    def name(self) -> str:
        """Its name in the asset."""
        ...

    @property
    def verb(self) -> str:
        """The lexicon's name of what is done in it, "" where nobody has said."""
        ...

    @property
    def start_s(self) -> float:
        """When it begins to move."""
        ...

    @property
    def end_s(self) -> float:
        """When it has ended to move."""
        ...

    @property
    def duration_s(self) -> float:
        """How long it is."""
        ...

    @property
    def loops(self) -> bool:
        """Whether it ends as it begins."""
        ...

    @property
    def cycles(self) -> int:
        """How many times the same is done in it."""
        ...


class NamedPart(Protocol):
    """A part of an actor that its models name by its word; without a word it is not spoken of."""

    @property
    def word(self) -> str:
        """What questions call it."""
        ...

    @property
    def color(self) -> str:
        """The colour that questions say it has, "" where nobody would name one."""
        ...


class Player(Protocol):
    """An animated asset that stands on the ground, facing +x, in metres."""

    @property
    def name(self) -> str:
        """Its name in the cast."""
        ...

    @property
    def sha256(self) -> str:
        """The hash of what it is made from."""
        ...

    @property
    def category(self) -> str:
        """What kind of object it is: "animal", "robot" …"""
        ...

    @property
    def noun(self) -> str:
        """What questions call it."""
        ...

    @property
    def plural(self) -> str:
        """What questions call several of it."""
        ...

    @property
    def extents_m(self) -> tuple[float, float, float]:
        """Length, width and height as it stands."""
        ...

    @property
    def clips(self) -> Sequence[Clip]:
        """Its clips."""
        ...

    @property
    def limbs(self) -> Sequence[str]:
        """The names of its limbs."""
        ...

    @property
    def parts(self) -> Sequence[NamedPart]:
        """What its parts are called, and their colours."""
        ...

    def __hash__(self) -> int:
        """Return a hash of which actor it is."""
        ...

    def model_at(self, clip: str, time_s: float) -> Model:
        """Return its model at a time of a clip, "" as it stands."""
        ...

    def limb_of_vertex(self) -> tuple[NDArray[np.integer], ...]:
        """Return for each part (n,) the index of each vertex's limb, -1 for none."""
        ...


class Troupe(Protocol):
    """All actors that stories can be drawn for."""

    @property
    def name(self) -> str:
        """What they are called together."""
        ...

    @property
    def actors(self) -> Sequence[Player]:
        """The actors, in a stable order."""
        ...


@dataclass(frozen=True, eq=False)
class Players:
    """A few actors under a name."""

    name: str
    actors: tuple[Player, ...]


@cache
def built_in_players() -> Cast:
    """Return the actors that come with the project, so that nothing needs downloading."""
    return open_cast(CREATURES)


def player_of(cast: Troupe, name: str) -> Player:
    """Return the actor called `name`. Raises InputError that lists the first of those there are."""
    for actor in cast.actors:
        if actor.name == name:
            return actor
    known = ", ".join(a.name for a in cast.actors[:8])
    raise InputError(f"{name!r}: no such actor in the cast {cast.name}; there are {known}")


def clip_of(player: Player, name: str) -> Clip:
    """Return the clip called `name`. Raises InputError that lists what there is."""
    for clip in player.clips:
        if clip.name == name:
            return clip
    known = ", ".join(c.name for c in player.clips)
    raise InputError(f"{player.name}: no clip called {name!r}; there are {known}")


def hovers(player: Player) -> bool:
    """Return whether it swims or flies whatever it does, and needs no ground under it."""
    if player.category == "fish":
        return True
    air = ("swim", "fly", "hover")
    going = [c.verb for c in player.clips if c.verb.startswith(("walk", "run", "gallop", *air))]
    return bool(going) and all(v.startswith(air) for v in going)


def unit_m(player: Player) -> float:
    """Return the length that everything about an actor is sized by: between its longest and its mean extent.

    Props that suit a horse would hide a snake of the same length.
    """
    x, y, z = player.extents_m
    return 0.5 * max(x, y, z) + 0.5 * float(np.cbrt(x * y * z))


@lru_cache(maxsize=256)
def upright(player: Player) -> bool:
    """Return whether the actor is taller than long, and its trunk does not lie: antlers are tall."""
    return player.extents_m[2] > 1.1 * player.extents_m[0] and not _lies(player)


def torso(player: Player) -> str:
    """Return the limb that carries the others, "" where none is called so."""
    for word in BODIES:
        for limb in player.limbs:
            if word in limb.lower():
                return limb
    return ""


def _lies(player: Player) -> bool:
    """Return whether an actor's trunk is longer than it is high."""
    body = torso(player)
    if not body:
        return False
    points = np.concatenate([p.vertices for p in player.model_at("", 0.0).parts])
    own = points[np.concatenate(player.limb_of_vertex()) == list(player.limbs).index(body)]
    if len(own) < LEAST_TRUNK:
        return False
    low, high = np.percentile(own, 3, axis=0), np.percentile(own, 97, axis=0)
    return bool(high[0] - low[0] > high[2] - low[2])
