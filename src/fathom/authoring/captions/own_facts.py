"""What captions can say of an object by itself: patches of paint, and along which line it moves its limbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fathom.programs.limb_motion import STILL, limb_line
from fathom.programs.limb_positions import named_limbs
from fathom.programs.painted import patches, side_of
from fathom.programs.state import ACTS, SINCE
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Scene, SceneObject

SOON_S = 0.25
"""How long before and after it comes an action has to last that paint comes during."""

FIRM, WORTH = 1.5, 4
"""How firmly a limb moves along a line of which captions tell, and how many such facts are kept."""


class Act(Protocol):
    """Something that an object does, from a time to a time."""

    @property
    def verb(self) -> str:
        """Its key."""
        ...

    @property
    def start_s(self) -> float:
        """When it begins."""
        ...

    @property
    def end_s(self) -> float:
        """When it is over."""
        ...

    @property
    def backwards(self) -> bool:
        """Whether it plays backwards."""
        ...


@dataclass(frozen=True)
class PaintFact:
    """A patch of paint: its colour, the side that it is on, whether it comes, and what is done then."""

    color: str
    side: str
    comes: bool = False
    during: str = ""


@dataclass(frozen=True)
class LimbFact:
    """What a limb does while something is done: it moves along a line."""

    limb: str
    line: str
    verb: str


def told_by_film(
    scene: Scene, visibility: VisibilityGrid | None, acts: Sequence[Act]
) -> tuple[tuple[PaintFact, ...], tuple[LimbFact, ...]]:
    """Return the paint of an object and how it moves its limbs; nothing where nobody has looked."""
    if visibility is None:
        return (), ()
    timeline = animated_view(scene, visibility)
    return _paint(scene.objects[0], timeline, acts), _limbs(scene.objects[0], timeline)


def _paint(actor: SceneObject, timeline: AnimatedView, acts: Sequence[Act]) -> tuple[PaintFact, ...]:
    """Return the patches that plainly are on one side, in the order in which they come."""
    found = []
    for name, color in patches(timeline).items():
        side, since_s = side_of(timeline, name), float(actor.parts[name].get(SINCE, 0.0))
        if side.ratio < 1 or not color:
            continue
        then = [a for a in acts if a.start_s + SOON_S <= since_s <= a.end_s - SOON_S and not a.backwards]
        fact = PaintFact(color, side.word, since_s > 0, then[0].verb if since_s > 0 and then else "")
        found.append((since_s, fact))
    return tuple(fact for _, fact in sorted(found, key=lambda f: (f[0], f[1].color)))


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
