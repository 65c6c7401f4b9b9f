"""What is known of an object from its record: how it looks, what it does in which order, what is around."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from fathom.authoring.captions.acts import ObservedAction, acts_of, told_acts
from fathom.authoring.captions.own_facts import GrowthFact, LimbFact, PaintFact, growth_of, told_by_film
from fathom.english import NUMBERS
from fathom.geometry.poses import from_world, heading_rad
from fathom.programs.growths import GROWTHS
from fathom.programs.state import SCREEN
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Event, Scene, SceneObject, UnfitError

Change = tuple[str, str]
"""What becomes of an object: "appears", "vanishes", "recolours" or "swaps", and the detail."""

SIDE_RAD = math.radians(25)
"""An object stands in front, behind, left or right where its direction is within this of the axis."""

TRAVEL_SIZES = 0.5
"""How many of its own lengths an actor has to go for captions to say that it does."""

ONE_WAY = 0.9
"""Which share of its way it gets from where it was: who turns back goes neither way."""

TURN_RAD = math.radians(30)

ODD_PARTS = frozenset({"coins"})
"""Parts that somebody tells of first of all, whatever their color: it has several, or no name."""


@dataclass(frozen=True)
class AppearanceFact:
    """One part of the actor, in words, or what it wears or holds, or what grows on it: `where` is on or in
    what, `objects` are all that look so; `shows` is how much of a part shows, against others.
    """

    word: str
    color: str
    how: str = "part"
    where: str = ""
    objects: tuple[str, ...] = ()
    shows: float = 1.0


@dataclass(frozen=True)
class PropGroup:
    """Props of one description to which the same objects happen.

    `how` and `where` say of what is worn or held on or in what it is; both are "" for what stands about.

    `side` is the direction from the actor's own point of view in which all of them stand, "" where they do
    not, or where it changes. `during` is the place in the actor's acts of the one in which all changes
    begin, −1 where there is none.
    """

    objects: tuple[str, ...]
    noun: str
    color: str
    changes: tuple[Change, ...] = ()
    acts: tuple[ObservedAction, ...] = ()
    side: str = ""
    during: int = -1
    how: str = ""
    where: str = ""


@dataclass(frozen=True)
class Facts:
    """All that captions can say of an object; `counts` are numbers of limbs that it has against nature,
    `turns_in` is what it does while it turns, and `at_one` whether it does but one thing, told or not.
    """

    scene: str
    actor: str
    noun: str
    color: str
    looks: tuple[AppearanceFact, ...]
    acts: tuple[ObservedAction, ...]
    groups: tuple[PropGroup, ...]
    changes: tuple[Change, ...] = ()
    during: int = -1
    counts: tuple[tuple[str, int], ...] = ()
    travel: str = ""
    turn: str = ""
    turns_in: str = ""
    paint: tuple[PaintFact, ...] = ()
    limbs: tuple[LimbFact, ...] = ()
    growth: GrowthFact | None = None
    at_one: bool = False


def facts_of(
    scene: Scene,
    parts: Collection[str] | None = None,
    in_color: bool = True,
    visibility: VisibilityGrid | None = None,
) -> Facts:
    """Return what is known of an object.

    `parts` are the names of the actor's parts that are large enough to be spoken of (None: all); without
    colour, props that differ in colour alone are one group. Raises UnfitError where the record says neither
    what the object is nor what it does.
    """
    if not scene.objects or not scene.objects[0].attributes.get("name"):
        raise UnfitError(f"scene {scene.id}: says not what its object is; give its actor a name")
    actor, *others = scene.objects
    done, acts = acts_of(actor, scene.times_s), told_acts(actor, scene.times_s)
    if not done:
        raise UnfitError(f"scene {scene.id}: nothing is known of what {actor.id} does; give its clips verbs")
    # Tents and alcoves are background: the prompt asks to leave that out.
    others = [t for t in others if t.category != SCREEN]
    growing = [t for t in others if _is_carried(t) and t.attributes.get("name") in GROWTHS]
    growth = growth_of(actor, growing, visibility)
    others = [t for t in others if growth is None or t not in growing]
    carried = [t for t in others if _is_carried(t) and not t.events]
    props = [t for t in others if t not in carried and t.attributes.get("name")]
    paint, limbs = told_by_film(scene, visibility)
    verbs = {act.verb for act in acts}
    return Facts(
        scene=scene.id,
        actor=actor.id,
        noun=actor.attributes["name"],
        color=actor.attributes.get("color", ""),
        looks=(*_parts(actor, parts, visibility), *_carried(carried)),
        acts=acts,
        groups=_groups(actor, props, partial(_during, acts, done), in_color),
        changes=_changes(actor),
        during=_during(acts, done, actor.events),
        counts=_counts(scene),
        travel=_travel(actor, scene.times_s, done),
        turn=_turn(actor),
        turns_in=_turning(scene, done, verbs),
        paint=paint,
        limbs=tuple(fact for fact in limbs if fact.verb in verbs),
        growth=growth,
        at_one=len(done) == 1,
    )


def _is_carried(obj: SceneObject) -> bool:
    return "worn_on" in obj.attributes or "held_in" in obj.attributes


def _carried(carried: Sequence[SceneObject]) -> list[AppearanceFact]:
    """Return what an actor wears and holds, and what grows on it: all of a kind as one."""
    found: dict[tuple[str, ...], list[str]] = {}
    for obj in carried:
        name, color = obj.attributes.get("name", ""), obj.attributes.get("color", "")
        how, where = place_of(obj)
        alike = ("grown", where, "") if name in GROWTHS else (how, where, obj.id)
        found.setdefault((name, color, *alike), []).append(obj.id)
    return [AppearanceFact(n, c, how, at, tuple(ids)) for (n, c, how, at, _), ids in found.items()]


def place_of(obj: SceneObject) -> tuple[str, str]:
    """Return whether an object is "worn" or "held", and on or in what; ("", "") where it is neither."""
    for key, how in (("worn_on", "worn"), ("held_in", "held")):
        if key in obj.attributes:
            return how, obj.attributes[key]
    return "", ""


def _parts(
    actor: SceneObject, wanted: Collection[str] | None, visibility: VisibilityGrid | None
) -> list[AppearanceFact]:
    """Return the parts that have a colour and a word that no other part has with another colour, and those
    that nobody leaves out.
    """
    px: dict[str, float] = {}
    if visibility is not None:
        px = {n: float(visibility.part_px[:, :, k].sum()) for n, k in visibility.parts_of(0).items()}
    painted = {e.partition(":")[2].partition("=")[0] for e in edits_of(actor) if e.startswith("paint:")}
    named = [
        (n, p.get("word", ""), p.get("color", "")) for n, p in sorted(actor.parts.items()) if n not in painted
    ]
    colors: dict[str, set[str]] = {}
    for _, word, color in named:
        colors.setdefault(word, set()).add(color)
    found: dict[str, AppearanceFact] = {}
    for name, word, color in named:
        alone = len(colors[word]) == 1
        tells = (color and alone) or word in ODD_PARTS
        if word and tells and word != actor.attributes["name"] and (wanted is None or name in wanted):
            color = color if alone and word not in ODD_PARTS else ""
            shows = sum(px.get(n, 0.0) for n, w, _ in named if w == word) if px else 1.0
            found.setdefault(word, AppearanceFact(word, color, objects=(actor.id,), shows=shows))
    return list(found.values())


def edits_of(obj: SceneObject) -> tuple[str, ...]:
    """Return the edits to an object's asset."""
    return obj.asset.edits if obj.asset is not None else ()


def _changes(obj: SceneObject) -> tuple[Change, ...]:
    return tuple((e.what, e.detail) for e in sorted(obj.events, key=lambda e: (e.start_s, e.what)))


def _groups(
    actor: SceneObject, props: Sequence[SceneObject], within: Callable[[Sequence[Event]], int], in_color: bool
) -> tuple[PropGroup, ...]:
    alike: dict[tuple[object, ...], list[SceneObject]] = {}
    # Beside "a cone" without a colour, "a red cone" could be the same one.
    plain = {p.attributes["name"] for p in props if not in_color or not p.attributes.get("color")}
    for prop in props:
        color = "" if prop.attributes["name"] in plain else prop.attributes["color"]
        does = tuple((a.verb, a.backwards) for a in acts_of(prop))
        said = (prop.attributes["name"], color, _changes(prop), does, place_of(prop))
        alike.setdefault(said, []).append(prop)
    found = []
    for members in alike.values():
        noun, (how, where) = members[0].attributes["name"], place_of(members[0])
        during = {within(m.events) for m in members}
        sides = {side_of(actor, m) for m in members}
        found.append(
            PropGroup(
                objects=tuple(m.id for m in members),
                noun=noun,
                color="" if noun in plain else members[0].attributes["color"],
                changes=_changes(members[0]),
                acts=told_acts(members[0]),
                side=sides.pop() if len(sides) == 1 and not how else "",
                during=during.pop() if len(during) == 1 else -1,
                how=how,
                where=where,
            )
        )
    return tuple(found)


def _during(told: Sequence[ObservedAction], done: Sequence[ObservedAction], events: Sequence[Event]) -> int:
    """Return the place of the told act in which all events lie, from beginning to end; −1 where there is
    none, or where they lie in what is passed over.
    """
    for i, act in enumerate(told):
        own = [d for d in done if d.verb == act.verb and act.start_s <= d.start_s < act.end_s]
        if events and any(all(d.start_s < e.start_s and e.end_s < d.end_s for e in events) for d in own):
            return i
    return -1


def side_of(actor: SceneObject, obj: SceneObject) -> str:
    """Return "front", "behind", "left" or "right" as the actor sees it; "" between them, or if either moves.

    An object that stands within the actor's own box is on no side of it.
    """
    if len(actor.poses) > 1 or len({p.position_m for p in obj.poses if p.valid}) != 1:
        return ""
    place = next(p.position_m for p in obj.poses if p.valid)
    x, y, _ = from_world(actor.poses[0], np.asarray([place]))[0]
    if abs(x) < actor.size_m[0] / 2 and abs(y) < actor.size_m[1] / 2:
        return ""
    angle = math.atan2(float(y), float(x))
    for side, axis in (("front", 0.0), ("left", math.pi / 2), ("right", -math.pi / 2)):
        if abs(angle - axis) <= SIDE_RAD:
            return side
    return "behind" if math.pi - abs(angle) <= SIDE_RAD else ""


def _counts(scene: Scene) -> tuple[tuple[str, int], ...]:
    """Return the limbs that are not as many as by nature, and how many there are."""
    what, _, limb = scene.source.get("about", "").partition(" of ")
    actual = scene.source.get("actual", "")
    return ((limb, NUMBERS.index(actual)),) if what == "number" and actual in NUMBERS else ()


def _travel(actor: SceneObject, times_s: Sequence[float], acts: Sequence[ObservedAction]) -> str:
    """Return "forward" or "backward" where the actor goes straight on in all that it does, as its front looks
    at the start.
    """
    poses = [p for p in actor.poses if p.valid]
    if len(poses) < 2:
        return ""
    gone = from_world(poses[0], np.asarray([poses[-1].position_m]))[0][:2]
    length = max(actor.size_m[:2])
    if float(np.hypot(*gone)) < TRAVEL_SIZES * length or _turn(actor):
        return ""
    steps = [float(np.hypot(*np.subtract(b.position_m[:2], a.position_m[:2]))) for a, b in pairwise(poses)]
    begun = [t for t, far in zip(times_s, steps, strict=False) if far > 1e-6]
    if float(np.hypot(*gone)) < ONE_WAY * sum(steps) or not all(
        any(act.start_s <= t < act.end_s for t in begun) for act in acts
    ):
        return ""
    angle = abs(math.atan2(float(gone[1]), float(gone[0])))
    if angle <= SIDE_RAD:
        return "forward"
    return "backward" if math.pi - angle <= SIDE_RAD else ""


def _turn(actor: SceneObject) -> str:
    """Return "left" or "right" where the actor turns that way, and never back."""
    poses = [p for p in actor.poses if p.valid]
    steps = [
        (heading_rad(b) - heading_rad(a) + math.pi) % (2 * math.pi) - math.pi for a, b in pairwise(poses)
    ]
    if abs(sum(steps)) < TURN_RAD or not (min(steps) > -1e-6 or max(steps) < 1e-6):
        return ""
    return "left" if sum(steps) > 0 else "right"


def _turning(scene: Scene, acts: Sequence[ObservedAction], told: Collection[str]) -> str:
    """Return the verb of the only act in which the actor turns, "" where there are several or none, or where
    nobody is told of it.
    """
    poses = scene.objects[0].poses
    if len(poses) != len(scene.times_s):
        return ""
    turned = {
        act.verb
        for t, (a, b) in zip(scene.times_s, pairwise(poses), strict=False)
        if abs(math.remainder(heading_rad(b) - heading_rad(a), 2 * math.pi)) > 1e-6
        for act in acts
        if act.start_s <= t < act.end_s
    }
    return next(iter(turned)) if len(turned) == 1 and turned <= set(told) else ""
