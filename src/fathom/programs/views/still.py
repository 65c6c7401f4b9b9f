"""What a program runs on: attributes, poses, relations and parts of one scene, decided or left open.

    facts = still_view(scene, FATHOM)             # once per scene
    trace = run(question.program, facts)        # fathom.programs.engine
    trace.answer                                # "red", "3", "yes" … or None, and then trace.why

Every set of objects is a bitmask (object k is bit k). What holds is told by two masks: `yes` (certain) and
`maybe` (certain or open), yes ⊆ maybe. Under rules without dead bands the two are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array
from fathom.programs.predicates import (
    POSES,
    SURE,
    PredicateOutcome,
    RelationInputs,
    cover_relations,
    heading_told,
    open_headings,
    own_relations,
    path_relations,
    pose_relations,
    pose_states,
    viewer_relations,
    world_of,
)
from fathom.programs.rules import Rules
from fathom.programs.state import SceneState, scene_state
from fathom.programs.synonyms import STRETCHED
from fathom.programs.values import Pair, Scenes, TruthValue, Value, ValueType
from fathom.programs.visibility_grid import Visibility, visibility_of
from fathom.records import ObjectVisibility, Scene

ATTRIBUTES = ("size", "color", "shape")
SHAPE_NAMES: dict[str, str] = {
    "articulated": "articulated bus", "regular": "regular bus", "double": "double bus",
    "school": "school bus",
    "road": "road bike", "utility": "utility bike", "mountain": "mountain bike", "tandem": "tandem bike",
    "addi": "regular car",
}  # fmt: skip
"""What shapes are called in programs, questions and answers, where it is not the subtype itself.

Ref: PulseCheck457 §3.2.
"""


@dataclass(frozen=True, eq=False)
class Relation:
    """A relation word over all pairs: masks for each anchor, and how far each pair is from its threshold."""

    name: str
    rows: tuple[Pair, ...]
    held: PredicateOutcome
    world: int = 0

    def ratio(self, i: int, j: int) -> float:
        """Return the signed distance from the threshold in tolerances, for j seen from i."""
        return float(self.held.ratio[self.world, i, j])

    def ratios(self, i: int) -> list[float]:
        """Return the ratios of all objects seen from i."""
        found: list[float] = self.held.ratio[self.world, i].tolist()
        return found


@dataclass(frozen=True, eq=False)
class ObjectPredicate:
    """A word that holds of single objects: its masks, and how far each object is from its threshold."""

    name: str
    masks: Pair
    held: PredicateOutcome
    world: int = 0

    def ratios(self) -> list[float]:
        """Return the ratio of every object."""
        found: list[float] = self.held.ratio[self.world].tolist()
        return found


@dataclass(frozen=True)
class PartFact:
    """One part of an object: what it is called, its attributes, and how many of its pixels show (−1:
    unknown).
    """

    object_id: int
    name: str
    attributes: Mapping[str, str]
    visible_px: int = -1


@dataclass(frozen=True, eq=False)
class StillView:
    """What a program runs on.

    `scene_masks` are the objects that can be made out, and all objects. `values` gives each object's value of
    an attribute, "" where it is not known; `marks` the masks of each value, where the words for shapes are
    both their names ("school bus") and their classes ("bus").
    """

    scene: str
    rules: Rules
    objects: tuple[str, ...]
    scene_masks: Pair
    values: Mapping[str, tuple[str, ...]]
    classes: tuple[str, ...]
    marks: Mapping[str, Mapping[str, Pair]]
    states: Mapping[str, ObjectPredicate]
    relations: Mapping[str, Relation]
    visible_px: tuple[int, ...]
    visible_fraction: tuple[float, ...]
    parts: tuple[PartFact, ...] = ()
    part_marks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    scenes: ClassVar[Scenes] = Scenes.STILL
    memo: ClassVar[None] = None

    @property
    def n(self) -> int:
        """The number of objects."""
        return len(self.objects)

    def ids(self, mask: int) -> tuple[str, ...]:
        """Return the ids of the objects in a mask."""
        return _named(self.objects, mask)

    def objects_of(self, kind: ValueType, value: Value) -> tuple[str, ...]:
        """Return the ids of the objects that a step's value selects, or whose parts it does."""
        if kind is ValueType.OBJECTS:
            return self.ids(value[0])
        if kind is ValueType.OBJECT:
            return (self.objects[value],)
        if kind is ValueType.PART:
            return (self.objects[self.parts[value].object_id],)
        if kind is ValueType.PARTS:
            return self.ids(mask_of(
                any(p.object_id == k and value[0] >> j & 1 for j, p in enumerate(self.parts))
                                    for k in range(self.n)))  # fmt: skip
        return ()


@lru_cache(maxsize=4096)
def _named(objects: tuple[str, ...], mask: int) -> tuple[str, ...]:
    return tuple([name for k, name in enumerate(objects) if mask >> k & 1])


def still_view(scene: Scene, rules: Rules, frame: int = 0) -> StillView:
    """Return what programs run on of one time of a scene under `rules`, from its state alone."""
    state = scene_state(scene)
    held = measured(world_of(state, frame), state.visibility, rules)
    return _view(state, rules, _bits(held, rules.dead_bands), held, state.visibility, 0)


def jittered_views(
    state: SceneState,
    rules: Rules,
    world: RelationInputs,
    visibility: Sequence[Sequence[ObjectVisibility]] | None = None,
) -> list[StillView]:
    """Return the view of each world of the jitter test, without dead bands.

    A relation is open only where its readings differ. Without `sights` of its own a world is given the
    scene's, so that occlusion stays as it is.
    """
    draws = len(world.positions)
    visible = _visibility_for(state, draws, visibility)
    held = measured(world, visible, rules)
    bits = _bits(held, False, open_ties=rules.dead_bands)
    return [_view(state, rules, bits.of(w), held, visible, w) for w in range(draws)]


def hardened(
    state: SceneState,
    rules: Rules,
    world: RelationInputs,
    visibility: Sequence[Sequence[ObjectVisibility]] | None = None,
) -> tuple[StillView, StillView]:
    """Return the scene's view, and the same with all left open that any world of the jitter test changes, and
    of which objects a word is said by some people and not by others. `visibility` is what is seen of the
    scene itself, then in each of the worlds.
    """
    own = world_of(state)
    every = replace(
        own,
        positions=np.concatenate([own.positions, world.positions]),
        headings=np.concatenate([own.headings, world.headings]),
    )
    visible = _visibility_for(state, len(every.positions), visibility)
    held = measured(every, visible, rules)
    firm = _bits(held, rules.dead_bands, worlds=1)
    view = _view(state, rules, firm, held, visible, 0)
    states, relations = _words(view.n, _hardened(firm, held, rules.dead_bands), held, 0)
    marks = {**view.marks, "shape": _stretched(view.marks["shape"], view.values["shape"])}
    return view, replace(view, states=states, relations=relations, marks=marks)


def _hardened(firm: _Bits, held: Sequence[PredicateOutcome], open_ties: bool) -> _Bits:
    """Return what is certain in the scene, `firm`, and in all other worlds, and what may be in any."""
    found = []
    for (yes, maybe), some in zip(firm, _by_size(held), strict=True):
        least = np.array([h.ratio[1:].min(axis=0, initial=SURE) for h in some])
        most = np.array([h.ratio[1:].max(axis=0, initial=-SURE) for h in some])
        open_too = most >= 0 if open_ties else most > 0
        found.append(np.stack([yes & (least > 0)[:, None], maybe | open_too[:, None]]))
    return _Bits(*found)


def _stretched(marks: Mapping[str, Pair], shapes: Sequence[str]) -> dict[str, Pair]:
    """Return the masks of words for shapes, open where people differ: whether a pickup truck is a car."""
    out = dict(marks)
    for word, doubtful in STRETCHED.items():
        mask = mask_of(shape in doubtful for shape in shapes)
        yes, maybe = marks.get(word, (0, 0))
        if mask:
            out[word] = (yes & ~mask, maybe | mask)
    return out


def measured(world: RelationInputs, visible: Visibility | None, rules: Rules) -> list[PredicateOutcome]:
    """Return every relation and state of the worlds; those of occlusion only where there are sights."""
    faces, own, paths = pose_states(world, rules), own_relations(world, rules), path_relations(world, rules)
    turns = pose_relations(world, rules, faces)
    if visible is not None and not (told := heading_told(world, visible, rules)).all():
        faces, own, paths = ([open_headings(h, told) for h in some] for some in (faces, own, paths))
        turns = [open_headings(h, told, of_others=True) for h in turns]
    held = [*faces, *viewer_relations(world, rules), *own, *turns, *paths]
    if visible is not None:
        covers = cover_relations(world, visible, rules)
        hidden = PredicateOutcome("occludee", (), _any_of(covers[0].ratio))
        held += [*covers, hidden, PredicateOutcome("occluder", (), _any_of(covers[1].ratio))]
    return held


def _any_of(ratio: Array) -> Array:
    """Return the ratio of "of some j": the greatest over j."""
    return np.asarray(ratio.max(axis=-1)) if ratio.shape[-1] else np.zeros(ratio.shape[:-1])


def _visibility_for(
    state: SceneState, draws: int, visibility: Sequence[Sequence[ObjectVisibility]] | None
) -> Visibility | None:
    """Return what is seen in each of so many worlds: by their own `sights`, or what is seen of the scene."""
    one = state.visibility
    if one is None:
        return None
    if visibility is not None:
        return visibility_of(visibility, state.objects)

    def repeated(counts: NDArray[Any]) -> NDArray[Any]:
        return np.broadcast_to(counts, (1, draws, *counts.shape[2:]))

    assert one.over_px is not None and one.gaps_px is not None, "a still's summary has both"
    return Visibility(
        px=repeated(one.px),
        alone_px=repeated(one.alone_px),
        full_px=repeated(one.full_px),
        hidden_px=repeated(one.hidden_px),
        over_px=repeated(one.over_px),
        gaps_px=repeated(one.gaps_px),
        ends_px=one.ends_px,
    )


class _Bits(NamedTuple):
    """What is certain, and what may be, in some worlds: (2, words, worlds, n) of single objects, and
    (2, words, worlds, n, n) of pairs.
    """

    singles: NDArray[np.bool_]
    pairs: NDArray[np.bool_]

    def of(self, world: int) -> _Bits:
        """Return those of one world."""
        return _Bits(self.singles[:, :, world : world + 1], self.pairs[:, :, world : world + 1])


def _bits(
    held: Sequence[PredicateOutcome], dead_bands: bool, open_ties: bool = False, worlds: int | None = None
) -> _Bits:
    """Return what is certain and what may be, of the first so many worlds, of all where None."""
    found = []
    for some in _by_size(held):
        ratios = np.array([h.ratio[:worlds] for h in some])
        if dead_bands:
            yes, maybe = ratios >= 1, ratios > -1
        else:
            yes = ratios > 0
            maybe = ratios >= 0 if open_ties else yes
        found.append(np.stack([yes, maybe]))
    return _Bits(*found)


def _by_size(held: Sequence[PredicateOutcome]) -> tuple[list[PredicateOutcome], list[PredicateOutcome]]:
    """Return the words that hold of single objects, and those that hold of pairs."""
    return [h for h in held if h.ratio.ndim == 2], [h for h in held if h.ratio.ndim == 3]


def _packed(bits: NDArray[np.bool_]) -> list[int]:
    """Return bitmasks of (…, n) booleans along the last axis, bit k for column k, flattened."""
    rows = bits.reshape(-1, bits.shape[-1])
    if bits.shape[-1] <= 62:
        masks: list[int] = (rows @ (1 << np.arange(bits.shape[-1], dtype=np.int64))).tolist()
        return masks
    packed = np.packbits(rows, axis=-1, bitorder="little")
    return [int.from_bytes(r.tobytes(), "little") for r in packed]


def _view(
    state: SceneState,
    rules: Rules,
    bits: _Bits,
    held: Sequence[PredicateOutcome],
    visible: Visibility | None,
    world: int,
) -> StillView:
    states, relations = _words(len(state.objects), bits, held, world)
    return _with_objects(state, rules, states, relations, visible)


def _words(
    n: int, bits: _Bits, held: Sequence[PredicateOutcome], world: int
) -> tuple[dict[str, ObjectPredicate], dict[str, Relation]]:
    """Return the states and relations with their bitmasks, from what is and may be in one world."""
    singles, pairs = _by_size(held)
    of_one = _packed(bits.singles) if n else [0] * (2 * len(singles))
    of_two = _packed(bits.pairs) if n else []
    masks = zip(of_one[: len(singles)], of_one[len(singles) :], strict=True)
    rows = list(zip(of_two[: len(pairs) * n], of_two[len(pairs) * n :], strict=True))
    return (
        {h.name: ObjectPredicate(h.name, both, h, world) for h, both in zip(singles, masks, strict=True)},
        {h.name: Relation(h.name, tuple(rows[k * n : k * n + n]), h, world) for k, h in enumerate(pairs)},
    )


def _with_objects(
    state: SceneState,
    rules: Rules,
    states: Mapping[str, ObjectPredicate],
    relations: Mapping[str, Relation],
    visible: Visibility | None,
) -> StillView:
    n = len(state.objects)
    px = tuple(int(v) for v in visible.px[0, 0]) if visible is not None else (0,) * n
    fraction = (
        tuple(
            round(float(v / max(w, 1.0)), 4)
            for v, w in zip(visible.px[0, 0], visible.full_px[0, 0], strict=True)
        )
        if visible is not None
        else (1.0,) * n
    )
    everything = (1 << n) - 1
    seen = everything
    if visible is not None:
        clear = [
            p >= rules.min_visible_px and f >= rules.min_visible_fraction
            for p, f in zip(px, fraction, strict=True)
        ]
        seen = mask_of(clear)
    values = {
        "size": state.first("size"),
        "color": state.first("color"),
        "shape": tuple(SHAPE_NAMES.get(subtype, subtype) for subtype in state.subtypes),
    }
    classes = state.categories
    marks: dict[str, dict[str, Pair]] = {a: _marks_of(values[a], everything) for a in ATTRIBUTES}
    for name in dict.fromkeys(classes):
        mask = mask_of(c == name for c in classes) | marks["shape"].get(name, (0, 0))[0]
        marks["shape"][name] = (mask, mask)
    parts = tuple(
        PartFact(p.object_id, p.name, {a: c[0].value for a, c in p.attributes.items()}, p.visible_px)
        for p in state.parts
    )
    return StillView(
        scene=state.scene,
        rules=rules,
        objects=state.objects,
        scene_masks=(seen, everything),
        values=values,
        classes=classes,
        marks=marks,
        states=states,
        relations=relations,
        visible_px=px,
        visible_fraction=fraction,
        parts=parts,
        part_marks=_part_marks(parts),
    )


def mask_of(flags: Iterable[bool]) -> int:
    """Return the bitmask of flags, bit k for flag k."""
    mask = 0
    for k, flag in enumerate(flags):
        mask |= bool(flag) << k
    return mask


def _marks_of(values: Sequence[str], everything: int) -> dict[str, Pair]:
    """Return the masks of every value that occurs; an object whose value is not known may have any."""
    named: dict[str, int] = {}
    for k, value in enumerate(values):
        named[value] = named.get(value, 0) | 1 << k
    unknown = named.pop("", 0)
    found = {v: (mask, mask | unknown) for v, mask in named.items()}
    if unknown:
        found[""] = (0, unknown & everything)
    return found


def _part_marks(parts: Sequence[PartFact]) -> dict[str, dict[str, int]]:
    marks: dict[str, dict[str, int]] = {"name": {}}
    for k, p in enumerate(parts):
        marks["name"][p.name] = marks["name"].get(p.name, 0) | 1 << k
        for key, value in p.attributes.items():
            of_key = marks.setdefault(key, {})
            of_key[value] = of_key.get(value, 0) | 1 << k
    return marks


def _at(values: Array, world: int, where: tuple[int, ...]) -> float:
    """Return one value of an array whose axes of length 1 stand for all."""
    at = [k if size > 1 else 0 for k, size in zip((world, *where), values.shape, strict=True)]
    return float(values.item(*at))


def margin_of(
    held: PredicateOutcome, ratio: float, world: int, where: tuple[int, ...], between: tuple[str, ...]
) -> TruthValue:
    """Return how firm a relation is at one place: by the reading whose ratio is the one that binds.

    Where the ratio comes of several pairs (the first object in a path), the tolerance itself is the unit.
    """
    best: tuple[float, str, float, str] | None = None
    for r in held.readings:
        value, tolerance = _at(r.value, world, where), _at(r.tolerance, world, where)
        off = abs(value / tolerance - ratio)
        if off < 1e-6 and (best is None or off < best[0]):
            best = (off, r.unit, value, r.label)
    clear = min(abs(ratio), SURE)
    if best is None:
        return TruthValue(clear, held.name, round(clear, 4), "tolerance", between)
    return TruthValue(clear, f"{held.name} ({best[3]})", round(abs(best[2]), 4), best[1], between)


__all__ = [
    "ATTRIBUTES",
    "POSES",
    "SHAPE_NAMES",
    "ObjectPredicate",
    "Pair",
    "PartFact",
    "Relation",
    "StillView",
    "hardened",
    "jittered_views",
    "margin_of",
    "mask_of",
    "measured",
    "still_view",
]
