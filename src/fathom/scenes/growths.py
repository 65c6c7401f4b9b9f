"""Parts that grow on an actor alone against its nature: one kind, in a row or all around its body.

Each is a prop of its own that follows the surface that it grows on. Those in a row are of one color and
always there; of those all around, some sprout and some wither while the film runs, in colors of their own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Model
from fathom.assets.props.catalogue import BACK, CHEST, HEAD, LEFT_SIDE, PROPS, RIGHT_SIDE, prop_model
from fathom.programs.growths import GROWTHS, coming, possible
from fathom.records import Pose, SceneObject
from fathom.scenes.animated_assets import unit_m, upright
from fathom.scenes.attachments import Anchor, following
from fathom.scenes.growth_room import crowded
from fathom.scenes.growth_roots import FAN_DEG, GrowingSurface, Root
from fathom.scenes.proportions import size_of
from fathom.scenes.scene_at_time import prop_ref
from fathom.store.seeds import rng

GROWN = "grown"
"""How the ids begin of what grows."""

ALL_AROUND, IN_A_ROW, EVERY, MOST = 8, 1, 9, 4
"""So many of every so many films have such parts where their actors can: all around, or in a row of at most
so many.
"""

LENGTH = {
    "horn": 0.22, "antenna": 0.24, "spike": 0.2, "fin": 0.22, "mushroom": 0.22, "flower": 0.24,
    "crystal": 0.26, "cherry": 0.27, "lamp": 0.24,
}  # fmt: skip
"""How long one is, in the actor's unit, where there is room."""

KINDS_TRIED = 2
"""So many kinds are tried at a place before another one."""

OFTEN = "flower"
"""What comes and goes twice as often as any other kind: it is the flattest."""

ROOM, ROOTS = 0.95, 6.0
"""How wide one is at most, in distances to the next one, and how long, in distances to its root."""

SELDOM = 0.5
"""How much less likely one on top, which is seen from all sides, is among those with a color of their own."""

LARGE = 0.65
"""Where those all around would be shorter than this, against their length, there are fewer or none."""

LARGER = 1.4
"""How much longer one on each side is where several would be too small to be seen."""

SHORTER, SHORTEST = 0.9, 0.8
"""So much shorter all of those all around are, again and again, where two of them have no room; and how short
at most.
"""

TALL = 1.6
"""How long one is at most on a head, in widths of it."""

SINK, SUNK = 0.05, 0.25
"""How deep one sits in the surface, as a share of its length: in a row, and all around, where from ahead of a
body what grows on its sides hardly shows.
"""

SIDES_OF = {True: (CHEST, BACK), False: (LEFT_SIDE, RIGHT_SIDE)}
"""Whether a body is upright → its two sides, of which either may be the fuller one."""

FULLER, OTHER, ON_BACK, ON_HEAD = (2, 3), (1, 2), (0, 2), (1, 1)
"""How many grow on the fuller side, on the other one, on the back of what lies, and on a head: from, to."""

MOST_SEATS = 99
"""As many as there is room for."""

FEWEST_AROUND, FEWEST_SIDES = 2, 2
"""So many on so many sides are left at least where something grows all around."""

SCARCE, OFTEN_SCARCE = 2, 6
"""In one of so many films no more than two grow: else hardly any had as few, and two were seldom counted."""

Rooted = tuple[str, GrowingSurface, Root]
"""The place where one grows, its surface, and where it is."""


@dataclass(frozen=True)
class GrowthPlan:
    """What is to grow: which prop, how many on which places, whether some of them come and go, how many
    there are at most in all, and how much longer they are than such a prop else is.
    """

    name: str
    seats: tuple[tuple[str, int], ...]
    comes: bool = False
    most: int = MOST_SEATS
    length: float = 1.0

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(many for _, many in self.seats)


def growths_of(
    asset: AnimatedAsset,
    anchors: Sequence[Anchor],
    index: int,
    seed: str,
    g: np.random.Generator,
    attached: tuple[str, str] = ("", ""),
) -> tuple[GrowthPlan, ...]:
    """Return what may grow on an actor in a film, what is tried first at the head; () in some films.

    Where an edit has attached a prop at a place, nothing grows on that place, and nothing where the prop is
    itself of a kind that grows.
    """
    prop, taken = attached
    if prop in GROWTHS:
        return ()
    turn = int(rng(seed, "stories", "growth", index // EVERY).permutation(EVERY)[index % EVERY])
    if turn < ALL_AROUND:
        scarce = rng(seed, "stories", "scarce", index // OFTEN_SCARCE).integers(OFTEN_SCARCE)
        plans = _all_around(asset, anchors, taken, g)
        few = index % OFTEN_SCARCE == int(scarce)
        return tuple(replace(p, most=SCARCE) for p in plans) if few else plans
    if turn < ALL_AROUND + IN_A_ROW and asset.category != "object" and not prop:
        amounts = rng(seed, "stories", "growths", index // EVERY // MOST).permutation(MOST)
        return _in_a_row(asset, anchors, 1 + int(amounts[index // EVERY % MOST]), g)
    return ()


def _in_a_row(
    asset: AnimatedAsset, anchors: Sequence[Anchor], count: int, g: np.random.Generator
) -> tuple[GrowthPlan, ...]:
    words = words_of(asset)
    # Of who is all head nobody says that something is on its back.
    own = (HEAD, BACK) if "head" in words else (HEAD,)
    places = [p for p in own if any(a.place == p for a in anchors) and possible(p, words)]
    plans = []
    for place in (places[int(k)] for k in g.permutation(len(places))):
        kinds = possible(place, words)
        plans += [
            GrowthPlan(kinds[int(k)], ((place, count),)) for k in g.permutation(len(kinds))[:KINDS_TRIED]
        ]
    return tuple(plans)


def _all_around(
    asset: AnimatedAsset, anchors: Sequence[Anchor], taken: str, g: np.random.Generator
) -> tuple[GrowthPlan, ...]:
    there = {a.place for a in anchors}
    if BACK not in there:
        return ()
    sides = SIDES_OF[upright(asset)]
    fuller = int(g.integers(2))
    spans = {sides[fuller]: FULLER, sides[1 - fuller]: OTHER}
    if BACK not in spans:
        spans[BACK] = ON_BACK
    if HEAD in there:
        spans[HEAD] = ON_HEAD
    seats = tuple((p, int(g.integers(low, high + 1))) for p, (low, high) in spans.items())
    lots = [*coming(words_of(asset)), OFTEN]
    order = list(dict.fromkeys(lots[int(k)] for k in g.permutation(len(lots))))[:KINDS_TRIED]
    free = [s for s in seats if s[1] and s[0] != taken]
    plans = [GrowthPlan(n, tuple(free), True) for n in order]
    # On a long body several would be small: there one is on each side, and larger.
    return (*plans, GrowthPlan(OFTEN, tuple((place, 1) for place, _ in free), True, length=LARGER))


def words_of(asset: AnimatedAsset) -> frozenset[str]:
    """Return the words for an actor: its category, and those of its noun, limbs and parts."""
    said = (asset.noun, *asset.limbs, *(p.word for p in asset.parts))
    return frozenset((asset.category, *(w for text in said for w in text.split(" "))))


def grown_objects(
    plan: GrowthPlan,
    colors: Sequence[str],
    asset: AnimatedAsset,
    anchors: Sequence[Anchor],
    models: Sequence[Model],
    poses: Sequence[Pose],
) -> tuple[SceneObject, ...]:
    """Return what grows on an actor, each with one pose a frame; nothing on a place that has no room for it.

    The first ones have a color each, the last of the colors is that of all others.
    """
    rooted, length = _rooted(plan, asset, anchors)
    if plan.comes:
        rooted, length = _with_room(plan, rooted, length, models, poses)
        rooted = _by_turns(rooted)[: plan.most] if len(rooted) > plan.most else rooted
    ranks = rng(asset.name, plan.name, "colors", len(rooted)).random(len(rooted))
    on_top = [place == HEAD or (place == BACK and not upright(asset)) for place, *_ in rooted]
    order = np.argsort(np.argsort(ranks + SELDOM * np.array(on_top)))
    return tuple(
        _grown(f"{GROWN}{k}", plan, colors[min(int(order[k]), len(colors) - 1)], r, length, models, poses)
        for k, r in enumerate(rooted)
    )


def _rooted(plan: GrowthPlan, asset: AnimatedAsset, anchors: Sequence[Anchor]) -> tuple[list[Rooted], float]:
    """Return where each one grows, and how long in metres each is at most."""
    rooted: list[Rooted] = []
    length = plan.length * LENGTH[plan.name] * unit_m(asset)
    for place, count in plan.seats:
        shape = GrowingSurface.at(asset, _anchor_at(anchors, place))
        roots = _roots(shape, plan, place, count, LARGE * length)
        if roots is not None:
            longest = _longest_m(plan.name, place, roots)
            longest = min(longest, TALL * shape.anchor.width_m) if place == HEAD else longest
            if plan.comes and longest < LARGE * length:
                continue
            rooted += [(place, shape, root) for root in roots]
            length = min(length, longest)
    return rooted, length


def _by_turns(rooted: Sequence[Rooted]) -> list[Rooted]:
    """Return the same, one of each place before a second one of any."""
    before = Counter[str]()
    rounds = []
    for place, *_ in rooted:
        rounds.append(before[place])
        before[place] += 1
    return [rooted[k] for k in np.argsort(rounds, kind="stable")]


def _with_room(
    plan: GrowthPlan,
    rooted: list[Rooted],
    length_m: float,
    models: Sequence[Model],
    poses: Sequence[Pose],
) -> tuple[list[Rooted], float]:
    """Return where each one grows, and how long, so that none comes near another one: all are shorter, or
    where they would be too short some are not there.
    """
    least_m = SHORTEST * length_m
    while True:
        grown = [_grown(GROWN, plan, "", r, length_m, models, poses) for r in rooted]
        tight = crowded(grown)
        if not tight:
            return rooted, length_m
        if SHORTER * length_m >= least_m:
            length_m *= SHORTER
        else:
            rooted = [r for k, r in enumerate(rooted) if k not in tight]


def _grown(
    name: str,
    plan: GrowthPlan,
    color: str,
    rooted: Rooted,
    length_m: float,
    models: Sequence[Model],
    poses: Sequence[Pose],
) -> SceneObject:
    """Return one that grows somewhere, with one pose a frame."""
    place, shape, root = rooted
    deep = SUNK if plan.comes else SINK
    return SceneObject(
        id=name,
        category="prop",
        subtype=plan.name,
        size_m=size_of(PROPS[plan.name], length_m),
        poses=following(shape.carried(*root), models, poses, deep * length_m),
        asset=prop_ref(plan.name),
        attributes={"name": plan.name, "color": color, "worn_on": place},
    )


def _roots(
    shape: GrowingSurface, plan: GrowthPlan, place: str, count: int, least_m: float
) -> list[Root] | None:
    """Return where so many grow on a place, all around fewer where they would be shorter than `least_m`."""
    if not plan.comes:
        return shape.roots(count)
    roots = shape.spots(count)
    while count > 1 and roots is not None and _longest_m(plan.name, place, roots) < least_m:
        count -= 1
        roots = shape.spots(count)
    return roots


def _anchor_at(anchors: Sequence[Anchor], place: str) -> Anchor:
    """Return the anchor of a place; that of a body's sides is its back's, on another side."""
    own = next((a for a in anchors if a.place == place), None)
    return own or replace(next(a for a in anchors if a.place == BACK), place=place)


def _longest_m(name: str, place: str, roots: Sequence[Root]) -> float:
    """Return how long what grows is at most in a row: on a head they lean away from each other."""
    apart_m = float(np.linalg.norm(np.diff([at for at, _ in roots], axis=0), axis=1).min(initial=np.inf))
    wide = float(prop_model(name).extents[1 if place == HEAD else 0])
    spread = 2 * math.radians(FAN_DEG) / max(len(roots) - 1, 1) if place == HEAD else 0.0
    return min(ROOM * apart_m / max(wide - spread, 0.01), ROOTS * apart_m)


def enough_around(grown: Sequence[SceneObject]) -> bool:
    """Return whether there are enough on enough sides for something to grow all around, and one at least has
    a color of its own, so that it can come or go.
    """
    own = 1 in Counter(o.attributes["color"] for o in grown).values()
    return (
        own and len(grown) >= FEWEST_AROUND and len({o.attributes["worn_on"] for o in grown}) >= FEWEST_SIDES
    )
