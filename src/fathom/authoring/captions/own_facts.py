"""What captions can say of an object by itself: patches of paint, and along which line it moves its limbs."""

from __future__ import annotations

from dataclasses import dataclass

from fathom.programs.limb_motion import STILL, limb_line
from fathom.programs.limb_positions import named_limbs
from fathom.programs.painted import patches, side_of
from fathom.programs.state import ACTS
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Scene, SceneObject

FIRM, WORTH = 1.5, 4
"""How firmly a limb moves along a line of which captions tell, and how many such facts are kept."""


@dataclass(frozen=True)
class PaintFact:
    """A patch of paint: its colour, and the side that it is on."""

    color: str
    side: str


@dataclass(frozen=True)
class LimbFact:
    """What a limb does while something is done: it moves along a line."""

    limb: str
    line: str
    verb: str


def told_by_film(
    scene: Scene, visibility: VisibilityGrid | None
) -> tuple[tuple[PaintFact, ...], tuple[LimbFact, ...]]:
    """Return the paint of an object and how it moves its limbs; nothing where nobody has looked."""
    if visibility is None:
        return (), ()
    timeline = animated_view(scene, visibility)
    return _paint(timeline), _limbs(scene.objects[0], timeline)


def _paint(timeline: AnimatedView) -> tuple[PaintFact, ...]:
    """Return the patches that plainly are on one side."""
    sides = {color: side_of(timeline, name) for name, color in patches(timeline).items() if color}
    return tuple(PaintFact(color, side.word) for color, side in sorted(sides.items()) if side.ratio >= 1)


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
