"""What captions can say of an object by itself: its painted limbs, and along which line it moves them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fathom.programs.limb_motion import STILL, limb_line
from fathom.programs.limb_positions import named_limbs
from fathom.programs.state import ACTS
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Scene, SceneObject

FIRM, WORTH = 1.5, 4
"""How firmly a limb moves along a line of which captions tell, and how many such facts are kept."""


@dataclass(frozen=True)
class PaintFact:
    """Painted limbs of a kind: the kind ("leg"), the colour, how many are, and how many the actor has."""

    limb: str
    color: str
    count: int
    of: int


@dataclass(frozen=True)
class LimbFact:
    """What a limb does while something is done: it moves along a line."""

    limb: str
    line: str
    verb: str


@dataclass(frozen=True)
class GrowthFact:
    """What grows all around an actor: what it is, the objects, how many are there at first, and what comes or
    goes, in the order of time: the object, its color, "appears" or "vanishes".
    """

    noun: str
    objects: tuple[str, ...]
    first: int
    changes: tuple[tuple[str, str, str], ...]

    def of(self, what: str) -> tuple[tuple[str, str], ...]:
        """Return the objects that come, or that go, each with its color."""
        return tuple((name, color) for name, color, how in self.changes if how == what)


def growth_of(growing: Sequence[SceneObject]) -> GrowthFact | None:
    """Return what grows all around an actor, of which some comes or goes; None where all stays."""
    whats = Counter(e.what for o in growing for e in o.events)
    if not whats or set(whats) - {"appears", "vanishes"} or len({o.subtype for o in growing}) > 1:
        return None
    if any(len(o.events) > 1 for o in growing):
        return None
    first = len(growing) - whats["appears"]
    ids = tuple(o.id for o in growing)
    turns = sorted(
        (o.events[0].start_s, o.id, o.attributes.get("color", ""), o.events[0].what)
        for o in growing
        if o.events
    )
    return GrowthFact(growing[0].attributes["name"], ids, first, tuple(t[1:] for t in turns))


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
        for limb in (n for n in named_limbs(timeline) if n.replace(" ", "").isalpha()):
            told = limb_line(timeline, (h.first, h.last), limb)
            if told.ratio >= FIRM and told.word != STILL:
                found.append((told.ratio, LimbFact(limb, told.word, h.key)))
    found.sort(key=lambda f: (-f[0], f[1].limb, f[1].verb))
    return tuple(fact for _, fact in found[:WORTH])
