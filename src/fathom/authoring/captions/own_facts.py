"""What captions can say of an object by itself: its painted limbs, and along which line it moves them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fathom.programs.growths import BODIES, MACHINES
from fathom.programs.limb_motion import STILL, limb_line, partner_of
from fathom.programs.limb_positions import named_limbs
from fathom.programs.state import ACTS
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Scene, SceneObject

FIRM, WORTH = 1.5, 4
"""How firmly a limb moves along a line of which captions tell, and how many such facts are kept."""

MOST_COLORS = 3
"""Of more of what is there, comes or goes the number is told, and not each color."""

APART_S = 0.25
"""What comes so long after something else comes plainly after it."""

SIDES = ("left side", "right side")
"""All that is said of where something grows on a machine: its back may be its top."""

PLAIN_LIMBS = frozenset({"leg", "legs", "foot", "flipper"})
"""Nobody tells how these move of who walks or swims."""

TRITE: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("walk", "run", "gallop", "trot", "hop", "jump", "look_around"), frozenset({"head", "neck"})
    ),
    **dict.fromkeys(("swim", "swim_fast"), frozenset({"tail", "fin"})),
    **dict.fromkeys(("fly", "hover", "flap_wings"), frozenset({"wing"})),
}
"""What moves as a matter of course while something is done."""


@dataclass(frozen=True)
class PaintFact:
    """Painted limbs of a kind: the kind ("leg"), the colour, how many are, and how many the actor has."""

    limb: str
    color: str
    count: int
    of: int


@dataclass(frozen=True)
class LimbFact:
    """What a limb, or both of a pair, do while something is done: they move along a line."""

    limbs: tuple[str, ...]
    line: str
    verb: str


@dataclass(frozen=True)
class GrowthFact:
    """What grows all around an actor: what it is, the objects with their colors and places, and what comes or
    goes, in the order of time: the object, "appears" or "vanishes", and when, in seconds. `body` is whether
    the actor has one.
    """

    noun: str
    colors: dict[str, str]
    places: dict[str, str]
    changes: tuple[tuple[str, str, float], ...]
    body: bool = False

    @property
    def objects(self) -> tuple[str, ...]:
        """All of it, by its ids."""
        return tuple(self.colors)

    @property
    def first(self) -> tuple[str, ...]:
        """What is there as the scene begins."""
        come = self.of("appears")
        return tuple(name for name in self.colors if name not in come)

    def of(self, what: str) -> tuple[str, ...]:
        """Return the objects that come, or that go, in the order of time."""
        return tuple(name for name, how, _ in self.changes if how == what)

    def apart(self, what: str = "") -> bool:
        """Return whether those that come, or that go, or all of these, do so one after the other."""
        times = [start_s for _, how, start_s in self.changes if what in ("", how)]
        return all(b - a >= APART_S for a, b in pairwise(times))

    @property
    def listed(self) -> bool:
        """Whether each of several that are there at first is told by its color, since one of them goes: no
        other list is heard beside that.
        """
        return len(self.first) > 1 and bool(self.of("vanishes")) and self.told_apart(self.first)

    def told_apart(self, names: Sequence[str]) -> bool:
        """Return whether these are few, and each has a color that no other of them has."""
        colors = [self.colors[name] for name in names]
        return len(names) <= MOST_COLORS and all(colors) and len(set(colors)) == len(colors)

    def place(self, names: Sequence[str]) -> str:
        """Return where all of these grow; "" where they grow on several places."""
        places = {self.places[name] for name in names}
        return places.pop() if len(places) == 1 else ""

    def each(self, names: Sequence[str], noun: str) -> list[str]:
        """Return each by its color, the last with the noun, without an article: "red", "blue flower"."""
        return [*(self.colors[name] for name in names[:-1]), f"{self.colors[names[-1]]} {noun}"]


def growth_of(
    actor: SceneObject, growing: Sequence[SceneObject], visibility: VisibilityGrid | None = None
) -> GrowthFact | None:
    """Return what grows all around an actor, of which some comes or goes; None where all stays.

    What is known to have no head has no chest.
    """
    whats = Counter(e.what for o in growing for e in o.events)
    if not whats or set(whats) - {"appears", "vanishes"} or len({o.subtype for o in growing}) > 1:
        return None
    if any(len(o.events) > 1 for o in growing):
        return None
    colors = {o.id: o.attributes.get("color", "") for o in growing}
    places = {o.id: o.attributes.get("worn_on", "") for o in growing}
    if actor.category in MACHINES:
        places = {name: place if place in SIDES else "" for name, place in places.items()}
    if visibility is not None and not any("head" in n.split(" ") for n in visibility.limbs_of(0)):
        places = {name: "" if place == "chest" else place for name, place in places.items()}
    turns = sorted((o.events[0].start_s, o.id, o.events[0].what) for o in growing if o.events)
    changes = tuple((name, what, start_s) for start_s, name, what in turns)
    return GrowthFact(growing[0].attributes["name"], colors, places, changes, actor.category in BODIES)


def told_by_film(
    scene: Scene, visibility: VisibilityGrid | None
) -> tuple[tuple[PaintFact, ...], tuple[LimbFact, ...]]:
    """Return the paint of an object and how it moves its limbs; nothing where nobody has looked."""
    if visibility is None:
        return (), ()
    timeline = animated_view(scene, visibility)
    return _paint(timeline), _limbs(scene.objects[0], timeline)


def _paint(timeline: AnimatedView) -> tuple[PaintFact, ...]:
    """Return the limbs that are parts of a colour of their own, by kind and colour."""
    names = [n for n in named_limbs(timeline) if n.replace(" ", "").isalpha()]
    kinds = Counter(n.split(" ")[-1] for n in names)
    shown = timeline.visibility.parts_of(0)
    found = Counter(
        (n.split(" ")[-1], timeline.parts[n][0])
        for n in names
        if n in timeline.parts and n in shown and len(set(timeline.parts[n])) == 1
    )
    return tuple(PaintFact(k, c, n, kinds[k]) for (k, c), n in sorted(found.items()) if c)


def _limbs(actor: SceneObject, timeline: AnimatedView) -> tuple[LimbFact, ...]:
    """Return the limbs that plainly move along a line in an action that is done once, the firmest first."""
    acts = [h for h in timeline.happenings if h.what == ACTS]
    if actor.category == "object" or any(c.rate < 0 for c in actor.animations):
        return ()
    found = []
    for h in (h for h in acts if sum(h.key == other.key for other in acts) == 1):
        lines = {limb: limb_line(timeline, (h.first, h.last), limb) for limb in named_limbs(timeline)}
        for limb, told in lines.items():
            if told.ratio < FIRM or told.word == STILL or not _worth_telling(limb, h.key):
                continue
            other = partner_of(limb)
            pair = lines.get(other)
            if pair is None or (pair.word == STILL and pair.ratio >= 1):
                found.append((told.ratio, LimbFact((limb,), told.word, h.key)))
            elif limb < other and pair.word == told.word and pair.ratio >= FIRM:
                found.append((told.ratio, LimbFact((limb, other), told.word, h.key)))
    found.sort(key=lambda f: (-f[0], f[1].limbs, f[1].verb))
    return tuple(fact for _, fact in found[:WORTH])


def _worth_telling(limb: str, verb: str) -> bool:
    """Return whether how a limb moves is worth a sentence: it is no leg, and its name is made of words."""
    return limb.replace(" ", "").isalpha() and limb.split(" ")[-1] not in PLAIN_LIMBS | TRITE.get(
        verb, frozenset()
    )
