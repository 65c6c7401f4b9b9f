"""What can fill the slots of forms about how the actor of a film moves its limbs, and how it is said."""

from __future__ import annotations

from fathom.programs.limb_groups import pairs
from fathom.programs.limb_motion import SENSES
from fathom.programs.limb_positions import named_limbs
from fathom.programs.motion import paths
from fathom.programs.views.animated import AnimatedView
from fathom.questions.contexts.animated_words import Language
from fathom.questions.templates import Fill


class LimbFills:
    """The limbs of a story."""

    timeline: AnimatedView
    language: Language

    def _limb(self) -> tuple[Fill, ...]:
        """The limbs that move, with the ones that move most first."""
        moving = paths(self.timeline, (0, self.timeline.frames - 1))
        named = [n for n in moving if is_limb(n)]
        return tuple(Fill(n, {"said": (n,)}) for n in named[:4])

    def _any_limb(self) -> tuple[Fill, ...]:
        """The limbs that are there all the time."""
        return tuple(Fill(n, {"said": (n,)}) for n in named_limbs(self.timeline) if is_limb(n))

    def _limb_or_pair(self) -> tuple[Fill, ...]:
        """The same, and what is called by one word on both sides: "wings", "front legs"."""
        names = [f.key for f in self._any_limb()]
        return (*self._any_limb(), *(Fill(n, {"said": (n,)}) for n in pairs(names)))

    def _sense(self) -> tuple[Fill, ...]:
        """The ways that a limb is moved."""
        return tuple(Fill(k, {"said": (self.language.ways[k],)}) for k in SENSES)


COUNTED_OFF = frozenset(("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"))
"""Words for limbs of which there are so many alike that nobody follows one of them."""


def is_limb(name: str) -> bool:
    """Return whether a limb is a part of the body that questions name: "body" is all of it, and nobody tells
    the third leg of a spider from the others.
    """
    return name.replace(" ", "").isalpha() and name != "body" and not COUNTED_OFF & set(name.split(" "))
