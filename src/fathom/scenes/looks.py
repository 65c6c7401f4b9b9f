"""How an object alone is made to look, so that who has not looked does not know.

Some of its limbs are painted, or it has fewer legs than it would.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.palette import BODY_COLORS
from fathom.english import number
from fathom.programs.limb_groups import group_of, members
from fathom.records import SceneObject
from fathom.scenes.caps import removable
from fathom.scenes.counterfactuals import Twist
from fathom.scenes.edits import REMOVE
from fathom.scenes.paint import PAINT, is_free, limb_share, paint_parts
from fathom.store.seeds import rng

MISSING = "missing legs"
"""The kind of twist that takes legs away."""

COLORS = ("blue", "green", "yellow", "purple", "red")
"""The colours that limbs are painted in."""

LEAST_SHARE, MOST_SHARE = 0.01, 0.25
"""How much of an actor's surface each painted limb is at least, and at most one that it has but one of."""

FEWEST_LEGS = 4
"""Of fewer legs none is taken away."""

PARTITIONS = ((4, 0), (3, 1), (2, 0), (2, 2))
"""How many limbs are painted in one color and in another one: so one to four are as often."""

OFTEN = (1 / 3, 1 / 3, 1 / 6, 1 / 6)

BOTH = 0.3
"""How often two limbs are painted of an actor that has few."""

SINGLE = ("head", "tail", "ear", "abdomen", "gun", "turret", "cap", "lid", "knob")
"""The last words of limbs of which one alone is painted."""

ALSO = 0.4
"""How often one of these is painted besides limbs that come in pairs."""

BLOCK = 4
"""In half of every so many films that is so."""


def fewer_legs(asset: AnimatedAsset, index: int, seed: str, g: np.random.Generator) -> Twist | None:
    """Return an actor of four legs without one of them, as it would stand; None for one that keeps all."""
    legs = members("legs", asset.limbs)
    if len(legs) != FEWEST_LEGS or not all(removable(asset, n) for n in legs):
        return None
    if rng(seed, "stories", "legs", index // BLOCK).permutation(BLOCK)[index % BLOCK] >= BLOCK // 2:
        return None
    gone = legs[int(g.integers(len(legs)))]
    return Twist(MISSING, "number of legs", number(len(legs) - 1), number(len(legs)), (f"remove:{gone}",))


def in_paint(actor: SceneObject, asset: AnimatedAsset, g: np.random.Generator) -> SceneObject:
    """Return an actor some of whose limbs are painted: arms and legs, or wings, and what it has one of; but
    none whose noun says a color (a green mech).
    """
    assert actor.asset is not None
    if set(asset.noun.split(" ")) & set(BODY_COLORS):
        return actor
    gone = tuple(e.removeprefix(REMOVE) for e in actor.asset.edits)
    edits = _limbs_in_paint(asset, gone, g)
    if not edits:
        return actor
    return msgspec.structs.replace(
        actor,
        asset=msgspec.structs.replace(actor.asset, edits=(*actor.asset.edits, *edits)),
        parts=actor.parts | paint_parts(edits),
    )


def _limbs_in_paint(asset: AnimatedAsset, gone: Sequence[str], g: np.random.Generator) -> tuple[str, ...]:
    """Return the edits that paint limbs, of those that are there."""
    group = group_of(asset.limbs)
    limbs = [n for n in members(group, asset.limbs) if n not in gone] if group else []
    single = [n for n in asset.limbs if n.split(" ")[-1] in SINGLE]
    single = [n for n in single if LEAST_SHARE <= limb_share(asset, n) <= MOST_SHARE]
    colors = [c for c in COLORS if is_free(asset, c)]
    if len(colors) < 3:
        return ()
    first, second, third = (colors[int(k)] for k in g.permutation(len(colors))[:3])
    painted_so = []
    if limbs and min(limb_share(asset, n) for n in limbs) >= LEAST_SHARE:
        order = [limbs[int(k)] for k in g.permutation(len(limbs))]
        many, more = PARTITIONS[int(g.choice(len(PARTITIONS), p=OFTEN))]
        if len(limbs) < many + more:
            many, more = 1 + int(g.random() < BOTH) if len(limbs) > 1 else 1, 0
        painted_so = [(order[:many], first), (order[many : many + more], second)]
    if single and (not painted_so or g.random() < ALSO):
        painted_so.append(([single[int(g.integers(len(single)))]], third))
    return tuple(f"{PAINT}:{n}={c}" for own, c in painted_so for n in own)
