"""How an object alone is made to look, so that who has not looked does not know.

Some of its limbs are painted, it has fewer legs than it would, or patches of paint on its sides.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from fathom.assets.animated.library import AnimatedAsset
from fathom.english import number
from fathom.programs.limb_groups import group_of, members
from fathom.records import SceneObject
from fathom.scenes.caps import removable
from fathom.scenes.counterfactuals import Twist
from fathom.scenes.edits import REMOVE
from fathom.scenes.patches import PAINT, amount_of, is_free, limb_share, paint_parts, paintable, painted
from fathom.store.seeds import rng

MISSING = "missing legs"
"""The kind of twist that takes legs away."""

COLORS = ("blue", "green", "yellow", "purple", "red")
"""The colours that limbs are painted in."""

LEAST_SHARE = 0.01
"""How much of an actor's surface each limb is at least that is painted."""

FEWEST_LEGS = 4
"""Of fewer legs none is taken away."""

PARTITIONS = ((4, 0), (3, 1), (2, 0), (2, 2))
"""How many limbs are painted in one color and in another one: so one to four are as often."""

OFTEN = (1 / 3, 1 / 3, 1 / 6, 1 / 6)

BOTH = 0.3
"""How often two limbs are painted of an actor that has few."""

BLOCK = 4
"""In every so many films all amounts are as often."""


def fewer_legs(asset: AnimatedAsset, index: int, seed: str, g: np.random.Generator) -> Twist | None:
    """Return an actor of four legs without one, two or three of them; None for one that keeps all."""
    legs = members("legs", asset.limbs)
    if len(legs) != FEWEST_LEGS or not all(removable(asset, n) for n in legs):
        return None
    left = 1 + int(rng(seed, "stories", "legs", index // BLOCK).permutation(BLOCK)[index % BLOCK])
    if left == len(legs):
        return None
    gone = [legs[int(k)] for k in g.permutation(len(legs))[left:]]
    edits = tuple(f"remove:{n}" for n in gone)
    return Twist(MISSING, "number of legs", number(left), number(len(legs)), edits)


def in_paint(
    actor: SceneObject, asset: AnimatedAsset, index: int, seed: str, g: np.random.Generator
) -> SceneObject:
    """Return an actor some of whose arms and legs, or wings, are painted; one without these with patches."""
    assert actor.asset is not None
    gone = tuple(e.removeprefix(REMOVE) for e in actor.asset.edits)
    edits = _limbs_in_paint(asset, gone, g)
    if not edits:
        return actor if gone else painted(actor, asset, amount_of(index, seed, sum(paintable(asset))), g)
    return msgspec.structs.replace(
        actor,
        asset=msgspec.structs.replace(actor.asset, edits=(*actor.asset.edits, *edits)),
        parts=actor.parts | paint_parts(edits),
    )


def _limbs_in_paint(asset: AnimatedAsset, gone: Sequence[str], g: np.random.Generator) -> tuple[str, ...]:
    """Return the edits that paint limbs, of those that are there; none of an actor with others than that."""
    group = group_of(asset.limbs)
    limbs = [n for n in members(group, asset.limbs) if n not in gone] if group else []
    colors = [c for c in COLORS if is_free(asset, c)]
    if len(colors) < 2 or not limbs or min(limb_share(asset, n) for n in limbs) < LEAST_SHARE:
        return ()
    first, second = (colors[int(k)] for k in g.permutation(len(colors))[:2])
    order = [limbs[int(k)] for k in g.permutation(len(limbs))]
    many, more = PARTITIONS[int(g.choice(len(PARTITIONS), p=OFTEN))]
    if len(limbs) < many + more:
        many, more = 1 + int(g.random() < BOTH) if len(limbs) > 1 else 1, 0
    painted_so = ((order[:many], first), (order[many : many + more], second))
    return tuple(f"{PAINT}:{n}={c}" for own, c in painted_so for n in own)
