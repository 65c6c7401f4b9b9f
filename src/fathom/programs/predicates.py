"""How far every relation word is from holding, for every pair of objects at once.

Each word has readings: signed values with a unit and a tolerance, positive where the reading holds. A
`Held` joins them: its ratio is positive where all readings hold, negative where all fail, and 0 where they
differ. Arrays are (d, n, n) for pairs and (d, n) for single objects; d counts worlds (1, or the draws of the
jitter test), and entry [i, j] speaks of j with i as the anchor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fathom.geometry import relations as g
from fathom.geometry.poses import Array
from fathom.programs.rules import Rules
from fathom.programs.state import DRIVES, NEVER_M, SceneState, Swept
from fathom.programs.values import CERTAIN
from fathom.programs.visibility_grid import Visibility

POSES: dict[str, float] = {"back": 0.0, "right": math.pi / 2, "front": math.pi, "left": 3 * math.pi / 2}
"""The directions that an object can face, as angles from the ray that leads away from the camera."""

PUBLISHED_RIGHT = (math.cos(math.radians(49)), math.sin(math.radians(49)))
PUBLISHED_BEHIND = (math.cos(math.radians(139)), math.sin(math.radians(139)))
PUBLISHED_POSE_RAD = math.radians(140)
"""The azimuth from which the published headings are told, close to that of the view direction."""

SURE = CERTAIN
"""The ratio of what no measurement can change."""

LEAST = 1e-9
"""The ratio, or the metres, of a difference that only breaks a tie."""


@dataclass(frozen=True, eq=False)
class Predicate:
    """One sense of a relation word: `value` in `unit`, positive where it holds, and its tolerance."""

    label: str
    unit: str
    value: Array
    tolerance: Array

    @property
    def ratio(self) -> Array:
        """The value in units of its tolerance."""
        return np.asarray(self.value / self.tolerance)


@dataclass(frozen=True, eq=False)
class PredicateOutcome:
    """A relation word with its readings and the ratio that they come to."""

    name: str
    readings: tuple[Predicate, ...]
    ratio: Array


@dataclass(frozen=True, eq=False)
class RelationInputs:
    """What relations are computed from: positions (d, n, 2), headings (d, n), sizes (n, 2), the viewpoint.

    `swept` is of the scene itself, and stands for every one of the worlds; None where shapes are not known.
    `long_px` (n,) is how long each object would be in the picture of the scene itself, seen from its side at
    its distance. `directions` (2,) are those that a published file gives on the ground for the relation
    words.
    """

    positions: Array
    headings: Array
    sizes: Array
    eye: Array
    ahead: Array
    long_px: Array
    swept: Swept | None = None
    directions: Mapping[str, Array] = field(default_factory=dict)


def world_of(state: SceneState, frame: int = 0) -> RelationInputs:
    """Return the scene's world, d = 1, as its one camera sees it at `frame`."""
    places, eye = state.poses.positions_m[:, frame], state.cameras.positions_m[0, frame]
    away = np.linalg.norm(places - eye, axis=-1)
    return RelationInputs(
        positions=places[None, :, :2],
        headings=state.poses.headings_rad[None, :, frame] % (2 * math.pi),
        sizes=state.sizes_m[:, :2],
        eye=eye[:2],
        ahead=g.ahead_on_ground(state.cameras.rotations[0, frame]),
        long_px=state.focal_px[0, 0] * state.sizes_m[:, 0] / np.maximum(away, 0.5),
        swept=state.swept if frame == 0 else None,
        directions=state.directions,
    )


def joined(readings: Sequence[Predicate]) -> Array:
    """Return the ratio of several readings: the least where all hold, the greatest where all fail, else 0."""
    ratios = [r.ratio for r in readings]
    low, high = ratios[0], ratios[0]
    for r in ratios[1:]:
        low, high = np.minimum(low, r), np.maximum(high, r)
    return np.asarray(np.where(low > 0, low, np.where(high < 0, high, 0.0)))


def _held(name: str, *readings: Predicate) -> PredicateOutcome:
    ratio = joined(readings)
    if ratio.ndim == 3:
        # Nothing stands in a relation to itself.
        ratio = np.where(np.eye(ratio.shape[-1], dtype=bool), -SURE, ratio)
    return PredicateOutcome(name, readings, ratio)


def viewer_relations(world: RelationInputs, rules: Rules) -> list[PredicateOutcome]:
    """Return left, right, front (closer) and behind (farther) as the camera sees them.

    Ref: PulseCheck457 §3.2 (2D spatial relationships).
    """
    p = world.positions
    published = rules.axes == "published"
    ways = _published_ways(world) if published else _camera_ways(world)
    tolerance = np.full((1, 1, 1), max(rules.offset_tolerance_m, 2 * rules.shake.reach_m))
    rays = g.ranges(p, world.eye)
    turn = g.bearings(p, world.eye, world.ahead)
    turns = turn[..., None, :] - turn[..., :, None]
    blur = rules.shake.reach_m / np.maximum(rays, 0.5)
    slack = rules.bearing_tolerance_rad + blur[..., None, :] + blur[..., :, None]
    farther = rays[..., None, :] - rays[..., :, None]
    eps = rules.offset_eps_m
    held = []
    for name, sign in (("left", -1), ("right", 1), ("front", -1), ("behind", 1)):
        offset = g.offsets_along(p, ways[name])
        readings = [Predicate("offset on the ground", "m", offset - eps, tolerance)]
        if rules.readings == "all" and name in ("left", "right"):
            readings.append(
                Predicate("order in the picture", "deg", np.degrees(sign * turns), np.degrees(slack))
            )
        elif rules.readings == "all":
            readings.append(Predicate("distance from the camera", "m", sign * farther, tolerance))
        held.append(_held(name, *readings))
    return held


def _camera_ways(world: RelationInputs) -> dict[str, Array]:
    """Return the four directions (2,) on the ground along the camera's own axes."""
    right, behind = np.array([world.ahead[1], -world.ahead[0]]), world.ahead
    return {"left": -right, "right": right, "front": -behind, "behind": behind}


def _published_ways(world: RelationInputs) -> dict[str, Array]:
    """Return the four directions (2,) of the published rules: the file's own, else the constant ones."""
    right, behind = np.array(PUBLISHED_RIGHT), np.array(PUBLISHED_BEHIND)
    return {"left": -right, "right": right, "front": -behind, "behind": behind, **world.directions}


def own_relations(world: RelationInputs, rules: Rules) -> list[PredicateOutcome]:
    """Return left, right, front and behind from the anchor's own point of view.

    "Anywhere on its left" is the left half of the ground. Under all readings an object is there only within a
    cone about the left as well, and is not there only in the right half, so that nothing hangs on the border;
    and the longer an object reaches over the border, the farther from it its centre must be.

    Ref: PulseCheck457 §3.2 (6D spatial relationships).
    """
    local = g.in_own_frame(world.positions, world.headings)
    x, y = local[..., 0], local[..., 1]
    tolerance = np.maximum(
        rules.own_tolerance_m, 2 * rules.shake.reach_m
    ) + rules.shake.heading_rad * np.hypot(x, y)
    along, across = tolerance + rules.own_share * g.half_extents(world.headings, world.sizes)
    sine, cosine = math.sin(rules.own_cone_rad), math.cos(rules.own_cone_rad)
    held = []
    for name, main, cross, least in (
        ("left", y, x, across), ("right", -y, x, across), ("front", x, y, along), ("behind", -x, y, along)
    ):  # fmt: skip
        readings = [Predicate("side", "m", main - rules.offset_eps_m, least)]
        if rules.readings == "all":
            inside = main * sine - np.abs(cross) * cosine
            readings.append(Predicate("cone", "m", inside, tolerance))
        held.append(_held(f"own:{name}", *readings))
    return held


def pose_states(world: RelationInputs, rules: Rules) -> list[PredicateOutcome]:
    """Return, for single objects, whether they face front (the camera), back, left or right.

    "Towards the camera" may be meant along the ray to an object, or along the camera's view: at the edge of a
    picture these are far apart. Under all readings it must be so by both.

    Ref: PulseCheck457 §3.2; sectors of 30° to either side.
    """
    if rules.axes == "published":
        angles = (PUBLISHED_POSE_RAD - world.headings) % (2 * np.pi)
        blur = np.zeros_like(angles)
    else:
        angles = g.facing(world.positions, world.headings, world.eye)
        blur = rules.shake.reach_m / np.maximum(g.ranges(world.positions, world.eye), 0.5)
    senses = [("", angles, blur)]
    if rules.facing_along_axis:
        along = (math.atan2(world.ahead[1], world.ahead[0]) - world.headings) % (2 * np.pi)
        senses.append((" along the view", along, np.zeros_like(blur)))
    edges = {"sector": rules.sector_rad, "nearest of four": rules.wide_sector_rad}
    if rules.wide_sector_rad == rules.sector_rad:
        del edges["nearest of four"]
    held = []
    for name, target in POSES.items():
        readings = [
            Predicate(
                f"{label}{sense}",
                "deg",
                np.degrees(edge - g.apart(angles, target)),
                np.degrees(rules.sector_tolerance_rad + rules.shake.heading_rad + blur),
            )
            for sense, angles, blur in senses
            for label, edge in edges.items()
        ]
        held.append(_held(f"faces:{name}", *readings))
    return held


def pose_relations(
    world: RelationInputs, rules: Rules, faces: Sequence[PredicateOutcome]
) -> list[PredicateOutcome]:
    """Return whether j faces the same way as i, the opposite way, or at a right angle to it.

    Under all readings both the headings on the ground and those along the rays must say so. The published
    rule gives an anchor that faces none of the four directions no relation at all.
    """
    seen = g.facing(world.positions, world.headings, world.eye)
    turns = [("on the ground", g.turned(world.headings))]
    blur = np.zeros_like(seen)
    if rules.readings == "all":
        turns.append(("as seen", g.turned(seen)))
        blur = rules.shake.reach_m / np.maximum(g.ranges(world.positions, world.eye), 0.5)
    slack = (
        rules.parallel_tolerance_rad + 2 * rules.shake.heading_rad + blur[..., None, :] + blur[..., :, None]
    )
    tolerance = np.degrees(slack)
    held = []
    for name, target in (("same", 0.0), ("opposite", math.pi), ("vertical", math.pi / 2)):
        readings = []
        for label, turn in turns:
            off = np.abs(turn - target)
            readings += [
                Predicate(f"turn {label}", "deg", np.degrees(edge - off), tolerance)
                for edge in dict.fromkeys((rules.parallel_rad, rules.wide_parallel_rad))
            ]
        one = _held(f"pose:{name}", *readings)
        if rules.readings == "published":
            posed = np.max([f.ratio for f in faces], axis=0)[..., :, None]
            one = PredicateOutcome(one.name, one.readings, np.minimum(one.ratio, posed))
        held.append(one)
    return held


def path_relations(world: RelationInputs, rules: Rules) -> list[PredicateOutcome]:
    """Return, forward and backward, what lies in the path of i, what it touches first, and what it would hit.

    Under all readings "would hit" holds for the first object in the path and fails for what is not in it;
    for the objects behind the first it is open. The published rule counts everything in the path. Where the
    world knows the real shapes, they are a second reading beside the rectangles around the objects: what lies
    in the path, and what is touched sooner, must be so by both. Without dead bands one object is the first of
    every path that is not empty: what touches at once, as footprints that cross do, is told apart by its
    centre.
    """
    published, exact = rules.readings == "published", not rules.dead_bands
    p, h, sizes = world.positions, world.headings, world.sizes
    local = g.in_own_frame(p, h)
    centre = np.linalg.norm(local, axis=-1)
    floor = max(rules.path_tolerance_m, 2 * rules.shake.reach_m)
    tolerance = floor + rules.shake.heading_rad * (centre + g.half_diagonals(sizes))
    slack = rules.distance_tolerance_m + rules.shake.heading_rad * centre
    overlaps = g.path_overlaps(p, h, sizes)
    distances = np.minimum(g.path_distances(p, h, sizes, (0.0,) if exact else (floor, -floor)), NEVER_M)
    held = []
    for k, (name, way) in enumerate(zip(DRIVES, g.AHEAD_AND_BACK, strict=True)):
        into, spans = overlaps[k], [(distances[k][0], distances[k][-1])]
        readings = [Predicate("overlap with the path", "m", into, tolerance)]
        if world.swept is not None and not published:
            shapes = world.swept.into[k]
            readings.append(
                Predicate("overlap of the shapes", "m", np.where(np.isnan(shapes), into, shapes), tolerance)
            )
            spans.append(_shaped(world.swept, k, *spans[0], exact))
        path = _held(f"path:{name}", *readings)
        # Without dead bands only one of the two ways to measure can put all objects in one order.
        lead = _lead(*spans[-1]) if exact else _agreed([_lead(*span) for span in spans])
        hit = path.ratio
        if exact:
            lead, hit = _without_ties(lead, way * local), np.where(hit == 0, -LEAST, hit)
        first = PredicateOutcome(f"first:{name}", path.readings, _first(hit, lead, slack))
        both = path.ratio
        if not published:
            both = np.where(first.ratio > 0, np.minimum(first.ratio, both), np.minimum(both, 0.0))
        held += [path, first, PredicateOutcome(f"hit:{name}", path.readings, both)]
    return held


def _shaped(swept: Swept, way: int, soonest: Array, latest: Array, exact: bool) -> tuple[Array, Array]:
    """Return the spans of distances until the real shapes touch, the rectangles' where they are not known."""
    known = ~np.isnan(swept.into[way])
    last = swept.soonest if exact else swept.latest
    return np.where(known, swept.soonest[way], soonest), np.where(known, last[way], latest)


def _agreed(leads: Sequence[Array]) -> Array:
    """Return the least of leads that have the same sign, and 0 where they differ."""
    lead = leads[0]
    for other in leads[1:]:
        least = np.minimum(np.abs(lead), np.abs(other))
        lead = np.where(lead * other > 0, np.copysign(least, lead), 0.0)
    return lead


def _lead(soonest: Array, latest: Array) -> Array:
    """Return how much farther i must go to touch k than to touch j, (n, d, n, n) [k, i, j], in metres.

    Each distance is a span, from the contact of a wider i to that of a narrower one; where the two spans
    overlap the lead is 0.
    """
    later = np.moveaxis(soonest, -1, 0)[..., None] - latest
    sooner = np.moveaxis(latest, -1, 0)[..., None] - soonest
    # Never both: where k is touched later at the soonest, it is not touched sooner at the latest.
    return np.asarray(np.maximum(later, 0.0, out=later) + np.minimum(sooner, 0.0, out=sooner))


def _without_ties(lead: Array, local: Array) -> Array:
    """Return the lead (n, d, n, n) in metres with a least one where it is 0 between two objects.

    The nearer centre comes first, by `local` (d, n, n, 2), which is ahead and to one side of i in metres;
    then what stands farther to that side, and last the order of the objects.
    """
    ahead, aside = local[..., 0], -local[..., 1]
    order = np.arange(lead.shape[0])
    turn = np.broadcast_to(np.sign(order[:, None, None, None] - order), lead.shape)
    for value in (aside, ahead):
        apart = np.sign(np.moveaxis(value, -1, 0)[..., None] - value)
        turn = np.where(apart == 0, turn, apart)
    return np.asarray(np.where(lead == 0, LEAST * turn, lead))


def _first(hit: Array, lead: Array, slack: Array) -> Array:
    """Return the ratio of "j is the first thing in the path of i" from those of "k is in it".

    j is first if it is in the path and every other k is not, or is farther: minima and maxima of ratios, so
    that the ratio of the contrary is the negative of it.
    """
    own = np.arange(hit.shape[-1])
    beaten = lead / np.maximum(np.moveaxis(slack, -1, 0)[..., None], slack)
    beaten = np.maximum(beaten, -np.moveaxis(hit, -1, 0)[..., None])
    beaten[own, ..., own] = SURE
    return np.asarray(np.minimum(hit, beaten.min(axis=0, initial=SURE)))


def cover_relations(world: RelationInputs, visible: Visibility, rules: Rules) -> list[PredicateOutcome]:
    """Return whether j hides part of i (`occluders`), and the other way round (`occludees`).

    It does where it is what the picture shows on enough of i's silhouette. It does not where the two
    silhouettes keep clear of each other, or where i lies over j and stands clearly nearer.
    """
    if rules.readings == "published":
        return _published_covers(visible)
    assert visible.over_px is not None and visible.gaps_px is not None, "a still's summary has both"
    over, gaps = visible.over_px[0], visible.gaps_px[0]
    need = np.maximum(rules.hidden_px, rules.hidden_share * visible.alone_px[0])[..., :, None]
    need = np.maximum(need, 1e-9)
    ranges = g.ranges(world.positions, world.eye)
    nearer = ranges[..., None, :] - ranges[..., :, None]
    hidden = Predicate("hidden pixels", "px", np.where(over > 0, visible.hidden_px[0], np.nan), need)
    clear = Predicate(
        "gap in the picture",
        "px",
        np.where(over > 0, np.nan, -gaps),
        np.full((1, 1, 1), rules.gap_px),
    )
    on_top = (over <= 0) & (np.swapaxes(over, -1, -2) >= rules.hidden_px)
    front = Predicate(
        "distance from the camera", "m", np.where(on_top, -nearer, np.nan), np.full((1, 1, 1), rules.order_m)
    )
    away = np.fmin(clear.ratio, np.where(on_top, np.minimum(front.ratio, 0.0), np.nan))
    ratio = np.where(over > 0, hidden.ratio, np.nan_to_num(away, nan=0.0))
    # Less than all that counts as hidden is neither hidden nor clear.
    ratio = np.where(np.eye(ratio.shape[-1], dtype=bool), -SURE, ratio)
    held = PredicateOutcome("occluders", (hidden, clear, front), ratio)
    return [held, _turned_round(held, "occludees")]


def heading_told(world: RelationInputs, visible: Visibility, rules: Rules) -> NDArray[np.bool_]:
    """Return (n,) whether it shows where each thing faces: by its front, or by its rear, of a thing that is
    long enough in the picture for the two to look different.

    A front counts as shown by its pixels, by its share of the whole object, and by how much of it is not
    hidden. Where nobody has looked every front does.
    """
    long = np.asarray(world.long_px >= rules.heading_long_px)
    if visible.ends_px is None:
        return long
    shown, alone = visible.ends_px[:, 0], visible.ends_px[:, 1]
    least = np.maximum(rules.heading_px, rules.heading_of_all * visible.alone_px[0, 0])
    return np.asarray(((shown >= least) & (shown >= rules.heading_share * alone)).any(axis=0) & long)


def open_headings(
    held: PredicateOutcome, told: NDArray[np.bool_], of_others: bool = False
) -> PredicateOutcome:
    """Return a relation, or state, that is open where the heading that it hangs on does not show.

    The heading is that of the object itself, or of the anchor; `of_others`: of the other object as well.
    """
    unknown = ~told if held.ratio.ndim == 2 else ~told[:, None]
    if of_others:
        unknown = unknown | ~told
    if held.ratio.ndim == 3:
        unknown = unknown & ~np.eye(len(told), dtype=bool)
    return replace(held, ratio=np.where(unknown, 0.0, held.ratio))


def _published_covers(visible: Visibility) -> list[PredicateOutcome]:
    """Return the published rule: hidden by its largest occluder alone, and wholly or by more than 15 pixels.

    Of what is hidden in part more than 15 pixels must be visible as well.
    """
    alone, shown, by = visible.alone_px[0], visible.px[0], visible.hidden_px[0]
    hidden = alone - shown
    largest = by.argmax(axis=-1)
    main = (np.arange(by.shape[-1]) == largest[..., None]) & (by > 0)
    partly = np.minimum(hidden, shown) - 15.0
    enough = np.where(shown < 1, alone, partly)[..., :, None]
    value = np.where(main, np.broadcast_to(enough, main.shape), -15.0)
    held = _held("occluders", Predicate("hidden pixels", "px", value, np.full((1, 1, 1), 15.0)))
    return [held, _turned_round(held, "occludees")]


def _turned_round(held: PredicateOutcome, name: str) -> PredicateOutcome:
    def swap(a: Array) -> Array:
        return np.swapaxes(a, -1, -2)

    readings = tuple(
        Predicate(r.label, r.unit, swap(r.value), swap(np.broadcast_to(r.tolerance, r.value.shape)))
        for r in held.readings
    )
    return PredicateOutcome(name, readings, np.asarray(swap(held.ratio)))
