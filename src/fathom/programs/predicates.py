"""How far every relation word is from holding, for every pair of objects at once.

Each word has readings: signed values with a unit and a tolerance, positive where the reading holds. A
`Held` joins them: its ratio is positive where all readings hold, negative where all fail, and 0 where they
differ. Arrays are (d, n, n) for pairs and (d, n) for single objects; d counts worlds (1, or the draws of the
jitter test), and entry [i, j] speaks of j with i as the anchor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import msgspec
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


class Predicate(msgspec.Struct, frozen=True, eq=False):
    """One sense of a relation word: `value` in `unit`, positive where it holds, and its tolerance."""

    label: str
    unit: str
    value: Array
    tolerance: Array

    @property
    def ratio(self) -> Array:
        """The value in units of its tolerance."""
        return np.asarray(self.value / self.tolerance)

    def of(self, word: int) -> Predicate:
        """Return the reading of one of the words whose values are stacked; their tolerance is the same."""
        return Predicate(self.label, self.unit, self.value[word], self.tolerance)


class PredicateOutcome(msgspec.Struct, frozen=True, eq=False):
    """A relation word with its readings and the ratio that they come to."""

    name: str
    readings: tuple[Predicate, ...]
    ratio: Array


Span = tuple[Array, Array]
"""The ways until two contacts: at the soonest, and at the latest."""


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

    @cached_property
    def frames(self) -> g.OwnFrames:
        """The footprint of j in the frame of i."""
        return g.own_frames(self.positions, self.headings, self.sizes)

    @cached_property
    def ranges(self) -> Array:
        """How far each object is from the camera along the ground, (d, n) metres."""
        return g.ranges(self.positions, self.eye)

    @cached_property
    def facing(self) -> Array:
        """The heading of each object as the camera sees it, along the ray to it, (d, n) radians."""
        return g.facing(self.positions, self.headings, self.eye)


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


def agreed(ratios: Sequence[Array]) -> Array:
    """Return what several ratios come to: the least where all hold, the greatest where all fail, else 0."""
    low, high = ratios[0], ratios[0]
    for r in ratios[1:]:
        low, high = np.minimum(low, r), np.maximum(high, r)
    return np.asarray(np.maximum(low, 0.0) + np.minimum(high, 0.0))


def _joined(readings: Sequence[Predicate]) -> Array:
    """Return the ratio of several readings; nothing stands in a relation to itself."""
    ratio = agreed([r.ratio for r in readings])
    if readings[0].tolerance.ndim == 3:
        own = np.arange(ratio.shape[-1])
        ratio[..., own, own] = -SURE
    return ratio


def _held(names: Sequence[str], *readings: Predicate) -> list[PredicateOutcome]:
    """Return words whose readings are stacked, (words, d, n, n) or (words, d, n)."""
    return _each(names, readings, _joined(readings))


def _each(names: Sequence[str], readings: Sequence[Predicate], ratio: Array) -> list[PredicateOutcome]:
    """Return stacked words, each with its own share of the readings and of the ratio."""
    return [
        PredicateOutcome(name, tuple([r.of(k) for r in readings]), ratio[k]) for k, name in enumerate(names)
    ]


_SIGNS = np.array([-1.0, 1.0]).reshape(2, 1, 1, 1)
"""Of two words stacked that are opposites."""


def viewer_relations(world: RelationInputs, rules: Rules) -> list[PredicateOutcome]:
    """Return left, right, front (closer) and behind (farther) as the camera sees them.

    Ref: PulseCheck457 §3.2 (2D spatial relationships).
    """
    p = world.positions
    published = rules.axes == "published"
    ways = _published_ways(world) if published else _camera_ways(world)
    tolerance = np.full((1, 1, 1), max(rules.offset_tolerance_m, 2 * rules.shake.reach_m))
    held = []
    for names in (("left", "right"), ("front", "behind")):
        offset = g.offsets_along(p, [ways[name] for name in names])
        readings = [Predicate("offset on the ground", "m", offset - rules.offset_eps_m, tolerance)]
        if rules.readings == "all":
            readings.append(
                _in_the_picture(world, rules) if names[0] == "left" else _farther(world, tolerance)
            )
        held += _held(names, *readings)
    return held


def _in_the_picture(world: RelationInputs, rules: Rules) -> Predicate:
    """Return how far j is to the left of i in the picture, and to the right."""
    turn, blur = g.bearings(world.positions, world.eye, world.ahead), _blur(world, rules)
    turns = np.degrees(turn[..., None, :] - turn[..., :, None])
    slack = rules.bearing_tolerance_rad + blur[..., None, :] + blur[..., :, None]
    return Predicate("order in the picture", "deg", _SIGNS * turns, np.degrees(slack))


def _farther(world: RelationInputs, tolerance: Array) -> Predicate:
    """Return by how much j is closer to the camera than i, and farther from it."""
    farther = world.ranges[..., None, :] - world.ranges[..., :, None]
    return Predicate("distance from the camera", "m", _SIGNS * farther, tolerance)


def _blur(world: RelationInputs, rules: Rules) -> Array:
    """Return by how much the shake may turn the ray to each object, (d, n) radians."""
    return np.asarray(rules.shake.reach_m / np.maximum(world.ranges, 0.5))


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
    frames = world.frames
    x, y = frames.x, frames.y
    tolerance = np.maximum(
        rules.own_tolerance_m, 2 * rules.shake.reach_m
    ) + rules.shake.heading_rad * np.hypot(x, y)
    sine, cosine = math.sin(rules.own_cone_rad), math.cos(rules.own_cone_rad)
    held = []
    for names, main, cross, reach in (
        (("own:left", "own:right"), -_SIGNS * y, x, frames.across),
        (("own:front", "own:behind"), -_SIGNS * x, y, frames.along),
    ):
        least = tolerance + rules.own_share * reach
        readings = [Predicate("side", "m", main - rules.offset_eps_m, least)]
        if rules.readings == "all":
            inside = main * sine - np.abs(cross) * cosine
            readings.append(Predicate("cone", "m", inside, tolerance))
        held += _held(names, *readings)
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
        angles, blur = world.facing, _blur(world, rules)
    senses = [("", angles, blur)]
    if rules.facing_along_axis:
        along = (math.atan2(world.ahead[1], world.ahead[0]) - world.headings) % (2 * np.pi)
        senses.append((" along the view", along, np.zeros_like(blur)))
    edges = {"sector": rules.sector_rad, "nearest of four": rules.wide_sector_rad}
    if rules.wide_sector_rad == rules.sector_rad:
        del edges["nearest of four"]
    targets = np.array(list(POSES.values()))[:, None, None]
    readings = []
    for sense, angles, blur in senses:
        off = g.apart(angles, targets)
        tolerance = np.degrees(rules.sector_tolerance_rad + rules.shake.heading_rad + blur)
        readings += [
            Predicate(f"{label}{sense}", "deg", np.degrees(edge - off), tolerance)
            for label, edge in edges.items()
        ]
    return _held([f"faces:{name}" for name in POSES], *readings)


def pose_relations(
    world: RelationInputs, rules: Rules, faces: Sequence[PredicateOutcome]
) -> list[PredicateOutcome]:
    """Return whether j faces the same way as i, the opposite way, or at a right angle to it.

    Under all readings both the headings on the ground and those along the rays must say so. The published
    rule gives an anchor that faces none of the four directions no relation at all.
    """
    turns = [("on the ground", g.turned(world.headings))]
    blur = np.zeros_like(world.headings)
    if rules.readings == "all":
        turns.append(("as seen", g.turned(world.facing)))
        blur = _blur(world, rules)
    slack = (
        rules.parallel_tolerance_rad + 2 * rules.shake.heading_rad + blur[..., None, :] + blur[..., :, None]
    )
    tolerance = np.degrees(slack)
    targets = np.array([0.0, math.pi, math.pi / 2])[:, None, None, None]
    readings = []
    for label, turn in turns:
        off = np.abs(turn - targets)
        readings += [
            Predicate(f"turn {label}", "deg", np.degrees(edge - off), tolerance)
            for edge in dict.fromkeys((rules.parallel_rad, rules.wide_parallel_rad))
        ]
    ratio = _joined(readings)
    if rules.readings == "published":
        ratio = np.minimum(ratio, np.max([f.ratio for f in faces], axis=0)[..., :, None])
    return _each(("pose:same", "pose:opposite", "pose:vertical"), readings, ratio)


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
    frames = world.frames
    centre = np.sqrt(frames.x * frames.x + frames.y * frames.y)
    floor = max(rules.path_tolerance_m, 2 * rules.shake.reach_m)
    tolerance = floor + rules.shake.heading_rad * (centre + g.half_diagonals(world.sizes))
    slack = rules.distance_tolerance_m + rules.shake.heading_rad * centre
    overlaps = g.path_overlaps(frames)
    distances = np.minimum(g.path_distances(frames, (0.0,) if exact else (floor, -floor)), NEVER_M)
    readings = [Predicate("overlap with the path", "m", overlaps, tolerance)]
    spans = [(distances[:, 0], distances[:, -1])]
    if world.swept is not None and not published:
        shapes = world.swept.into[:, None]
        value = np.where(np.isnan(shapes), overlaps, shapes)
        readings.append(Predicate("overlap of the shapes", "m", value, tolerance))
        spans.append(_shaped(world.swept, *spans[0], exact))
    path = _joined(readings)
    held = []
    # One way after the other: what compares two objects in every world is large.
    for k, (name, way) in enumerate(zip(DRIVES, g.AHEAD_AND_BACK, strict=True)):
        centres = (way * frames.x, way * -frames.y) if exact else None
        first = _first(path[k], slack, [(soonest[k], latest[k]) for soonest, latest in spans], centres)
        hit = path[k]
        if not published:
            hit = np.where(first > 0, np.minimum(first, hit), np.minimum(hit, 0.0))
        own = tuple([r.of(k) for r in readings])
        words = {"path": path[k], "first": first, "hit": hit}
        held += [PredicateOutcome(f"{word}:{name}", own, ratio) for word, ratio in words.items()]
    return held


def _shaped(swept: Swept, soonest: Array, latest: Array, exact: bool) -> Span:
    """Return the spans of distances until the real shapes touch, the rectangles' where they are not known."""
    known = ~np.isnan(swept.into[:, None])
    last = swept.soonest if exact else swept.latest
    return np.where(known, swept.soonest[:, None], soonest), np.where(known, last[:, None], latest)


def _first(path: Array, slack: Array, spans: Sequence[Span], centres: tuple[Array, Array] | None) -> Array:
    """Return the ratio of "j is the first thing in the path of i" from those of "k is in it", (d, n, n).

    j is first if it is in the path and every other k is not, or is farther: minima and maxima of ratios, so
    that the ratio of the contrary is the negative of it. Where `centres` are given, ahead of i and to its
    right, they break ties.
    """
    hit, own = _others_first(path), np.arange(path.shape[-1])
    if centres is None:
        lead = _lead(spans)
    else:
        # Only one of the two ways to measure can put all objects in one order.
        lead = _without_ties(_lead(spans[-1:]), *centres)
        hit = np.where(hit == 0, -LEAST, hit)
    apart = _others_first(slack)
    beaten = np.divide(lead, np.maximum(apart[:, None], apart), out=lead)
    np.maximum(beaten, -hit[:, None], out=beaten)
    beaten[own, own] = SURE
    first = np.minimum(hit, beaten.min(axis=0, initial=SURE))
    return np.ascontiguousarray(first.transpose(1, 2, 0))


def _others_first(pairs: Array) -> Array:
    """Return an array of pairs (d, n, n) with j before d and i, so that what compares two of them works
    through long rows.
    """
    return np.ascontiguousarray(pairs.transpose(2, 0, 1))


def _lead(spans: Sequence[Span]) -> Array:
    """Return how much farther i must go to touch k than to touch j, (n, n, d, n) [k, j, :, i], in metres.

    Each distance is a span, from the contact of a wider i to that of a narrower one. The lead is 0 where the
    two spans overlap, and where one way to measure has another leader than the next.
    """
    (soonest, latest), *others = ((_others_first(a), _others_first(b)) for a, b in spans)
    later = soonest[:, None] - latest
    for soonest, latest in others:
        np.minimum(later, soonest[:, None] - latest, out=later)
    np.maximum(later, 0.0, out=later)
    # Where j is touched later than k even at the soonest, k is touched sooner even at the latest.
    return np.asarray(later - np.swapaxes(later, 0, 1))


def _without_ties(lead: Array, ahead: Array, aside: Array) -> Array:
    """Return the lead (n, n, d, n) in metres with a least one where it is 0 between two objects.

    The nearer centre comes first, which is `ahead` and to one side of i, (d, n, n) metres; then what stands
    farther to that side, and last the order of the objects.
    """
    order = np.arange(len(lead))
    turn = np.broadcast_to(np.sign(order[:, None] - order)[..., None, None], lead.shape)
    for value in (aside, ahead):
        of_each = _others_first(value)
        apart = np.sign(of_each[:, None] - of_each)
        turn = np.where(apart == 0, turn, apart)
    return np.asarray(np.where(lead == 0, LEAST * turn, lead))


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
    ranges = world.ranges
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
    ratio = np.where(over > 0, hidden.ratio, np.where(np.isnan(away), 0.0, away))
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
    return PredicateOutcome(held.name, held.readings, np.where(unknown, 0.0, held.ratio))


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
    (held,) = _held(("occluders",), Predicate("hidden pixels", "px", value[None], np.full((1, 1, 1), 15.0)))
    return [held, _turned_round(held, "occludees")]


def _turned_round(held: PredicateOutcome, name: str) -> PredicateOutcome:
    def swap(a: Array) -> Array:
        return np.swapaxes(a, -1, -2)

    readings = tuple(
        Predicate(r.label, r.unit, swap(r.value), swap(np.broadcast_to(r.tolerance, r.value.shape)))
        for r in held.readings
    )
    return PredicateOutcome(name, readings, np.asarray(swap(held.ratio)))
