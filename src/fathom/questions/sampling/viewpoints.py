"""What pictures of one room offer to ask: every form, of all objects that both viewpoints show clearly.

Nothing trivial is asked: of two distances, or heights, neither is much larger than the other. Where the
change of one object turns the answer round, the question is asked of the changed room as well: a pair. Where
a recipe has the opposite of a form (higher, lower), a candidate carries that too.

Ref: 3DSRBench §3.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from fathom.geometry.box_gaps import corners_m, gap_m
from fathom.programs.engine import run
from fathom.programs.referring import Expression, expressions
from fathom.programs.values import ValueType
from fathom.questions.contexts.video import VideoContext, video_context
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import Sights
from fathom.questions.notation import filled_program
from fathom.questions.picture_guesser import BoxPx, guessed
from fathom.questions.templates import Template
from fathom.questions.view_candidate import OF_PARTS, VIEWPOINTS, AskedView, ViewCandidate
from fathom.records import Scene
from fathom.store.seeds import rng

TRIED = 150
"""So many fillings of a form are tried in a room."""

NEEDS_FRONT = {
    "front_of": (1,), "left_of": (1,), "side_seen": (0,), "side_towards": (0,), "faces_of": (0,),
    "parallel": (0, 1), "same_direction": (0, 1),
}  # fmt: skip
"""Operator → the objects of which it has to be seen which way they face."""

BESIDE = ("side_towards", "faces_of", "front_of", "left_of", "next_to", "nearer_of", "closer_of")
"""Operators that nobody would apply to what stands on, or over, another object."""

MOST = {
    "indoor": {"higher_of": 0.6, "nearer_of": 1.8, "closer_of": 1.8, "next_to": 4.0},
    "outdoor": {"higher_of": 1.2, "nearer_of": 6.0, "closer_of": 6.0, "next_to": 12.0},
}
"""Setting → operator → by how much (metres) one is higher, or farther, or what the gap is, at most."""

SIDELESS = frozenset({"desk"})
"""Nouns of what has a front by its model, and of which people do not say which way it faces."""

NOT_PLAIN = SIDELESS | {"shelf", "desk lamp", "robot vacuum", "fire hydrant", "street lamp"}
"""Nouns of what has a front by its model, and of which it is not plain which side that is."""

IN_ANOTHER_M = 0.01
"""Objects whose boxes meet by more than this are one in the other: who sits on a chair, and the chair."""

OFF_THE_FLOOR_M, ON_TOP_M = 0.2, 0.3
"""What could be above another stands higher than this, and no more than that below the other's top."""


def view_candidates(scene: Scene, visibility: Sights, recipe: VideoQuestionRecipe) -> list[ViewCandidate]:
    """Return what can be asked of the pictures of a room. A pure function of its arguments."""
    stage = video_context(scene, visibility, recipe)
    called = _names(stage)
    opposites = {form.opposite_of: form for form in recipe.forms if form.opposite_of}
    out: list[ViewCandidate] = []
    setting = stage.tracks.rules.name
    for form in (f for f in recipe.forms if not f.opposite_of and setting in f.settings):
        g = rng(recipe.seed, "fillings", scene.id, form.id)
        for who in _fillings(stage, form, sorted(called), g):
            found = _candidate(stage, form, who, [called[k] for k in who])
            if found is not None and form.id in opposites:
                found = _with_opposite(stage, found, opposites[form.id], who, called)
            out += [found] if found is not None else []
    return out


def _with_opposite(
    stage: VideoContext,
    found: ViewCandidate,
    form: Template,
    who: Sequence[int],
    called: Mapping[int, Expression],
) -> ViewCandidate | None:
    """Return a candidate with its opposite about the same objects; None where that has no clear answer."""
    slots = dict(zip(found.template.objects, who, strict=True))
    turned = tuple(slots[slot] for slot in form.objects)
    opposite = _candidate(stage, form, turned, [called[k] for k in turned])
    if opposite is None or len(opposite.views) != len(found.views):
        return None
    return replace(found, opposite=opposite)


def _names(stage: VideoContext) -> dict[int, Expression]:
    """Return the objects that both viewpoints show clearly and that have a name of their own in the room: a
    noun, or a colour and a noun.
    """
    listed = expressions(stage.tracks)
    found = {}
    for k in stage.objects:
        one = listed.get(stage.tracks.objects[k])
        if (
            one is not None
            and not one.anchor
            and stage.clear[k, :VIEWPOINTS].all()
            and named_once(stage, k, one)
        ):
            found[k] = one
    return found


def named_once(stage: VideoContext, obj: int, called: Expression) -> bool:
    """Return whether an object is called by a noun, or a colour and a noun, and nothing else in the room is
    called so, whether or not it shows.
    """
    t = stage.tracks
    ways = (f"the {t.colors[obj]} {t.names[obj]}", f"the {t.names[obj]} in {t.colors[obj]}")
    colored = bool(t.colors[obj]) and called.words in ways
    if not colored and called.words != f"the {t.names[obj]}":
        return False  # what merely might be called so is told apart otherwise
    alike = [k for k, noun in enumerate(t.names) if noun == t.names[obj]]
    return len([k for k in alike if not colored or t.colors[k] == t.colors[obj]]) == 1


def _fillings(
    stage: VideoContext, form: Template, named: Sequence[int], g: np.random.Generator
) -> Iterator[tuple[int, ...]]:
    """Yield who is asked about, by chance."""
    fronted = NEEDS_FRONT.get(form.quantity, ())
    plain = {k for k in named if stage.tracks.names[k] not in NOT_PLAIN}
    every = [
        who
        for who in permutations(named, len(form.objects))
        if all(who[i] in plain and stage.fronted[who[i], :VIEWPOINTS].all() for i in fronted)
        and _apart(stage, form, who)
    ]
    for k in g.permutation(len(every))[:TRIED]:
        yield every[int(k)]


def _apart(stage: VideoContext, form: Template, who: Sequence[int]) -> bool:
    """Return whether no object is a part of another one here, or is none that the form is asked about."""
    wholes = _wholes(stage)
    ids = [stage.tracks.objects[k] for k in who]
    if form.quantity not in OF_PARTS:
        return not any(i in wholes for i in ids)
    return len({wholes.get(i, i) for i in ids}) == len(ids)


def _wholes(stage: VideoContext) -> dict[str, str]:
    """Return of which object each part is."""
    return {o.id: o.attributes["part_of"] for o in stage.scene.objects if "part_of" in o.attributes}


def _candidate(
    stage: VideoContext, form: Template, who: tuple[int, ...], called: Sequence[Expression]
) -> ViewCandidate | None:
    views = [_asked(stage, form, who, called, place) for place in range(len(stage.tracks.shown))]
    known = [v for v in views[:VIEWPOINTS] if v is not None]
    if len(known) < VIEWPOINTS:
        return None
    wholes = _wholes(stage)
    after = [v for v in views[VIEWPOINTS:] if v is not None]
    alone = len(_changed(stage, who)) == 1
    if (
        alone
        and len(after) == VIEWPOINTS
        and all(a.value != b.value for a, b in zip(known, after, strict=True))
    ):
        known += after
    return ViewCandidate(
        scene=stage.scene.id,
        template=form,
        program=known[0].program,
        setting=stage.tracks.rules.name,
        objects=tuple(stage.tracks.objects[k] for k in who),
        words=tuple(c.words for c in called),
        nouns=tuple(stage.tracks.names[k] for k in who),
        views=tuple(known),
        parts=tuple(i for i, k in enumerate(who) if stage.tracks.objects[k] in wholes),
    )


def _changed(stage: VideoContext, who: Sequence[int]) -> list[int]:
    """Return which of some objects were moved, hung elsewhere, or turned."""
    changed = {o.id for o in stage.scene.objects if "changed" in o.attributes}
    return [k for k in who if stage.tracks.objects[k] in changed]


def _asked(
    stage: VideoContext, form: Template, who: tuple[int, ...], called: Sequence[Expression], place: int
) -> AskedView | None:
    """Return a question about one picture; None where it has no clear answer there, or a trivial one."""
    t = stage.tracks
    fronted = NEEDS_FRONT.get(form.quantity, ())
    if not stage.clear[list(who), place].all() or not all(stage.fronted[who[i], place] for i in fronted):
        return None
    objects = dict(zip(form.objects, (c.program for c in called), strict=True))
    program = filled_program(form.tree, {"t": stage.at(place)}, objects)
    answered = run(program, t)
    if answered.value is None or answered.least.ratio < 1:
        return None
    margin = answered.margin
    if margin is not None and margin.value > MOST[t.rules.name].get(form.quantity, np.inf):
        return None
    if _in_another(stage, who, place):
        return None
    if form.quantity in BESIDE and _stacked(stage, who, place):
        return None
    if form.quantity == "above" and answered.value == "no" and not _could_be_above(stage, who, place):
        return None
    px, share = stage.visibility.visible_px[list(who), place], stage.shares[list(who), place]
    kinds = zip(answered.kinds, answered.values, strict=False)
    return AskedView(
        program=program,
        answered=answered,
        steps=tuple(t.objects_of(kind, value) if kind in _OBJECTS else () for kind, value in kinds),
        smallest_px=int(px.min()),
        smallest_share=round(float(share.min()), 4),
        guess=guessed(form.quantity, [_box_px(stage, k, place) for k in who]),
    )


_OBJECTS = (ValueType.OBJECT, ValueType.OBJECTS)


def _stacked(stage: VideoContext, who: Sequence[int], place: int) -> bool:
    """Return whether one of some objects stands on, or over, another: nobody would speak of sides then."""
    t = stage.tracks
    low = t.centres_m[list(who), int(t.shown[place]), :2]
    reach = np.linalg.norm(t.sizes_m[list(who), :2], axis=1) / 2
    apart = np.linalg.norm(low[:, None] - low[None], axis=-1) + 1e9 * np.eye(len(who))
    return bool((apart < np.maximum(reach[:, None], reach[None]) * 0.9).any())


def _in_another(stage: VideoContext, who: Sequence[int], place: int) -> bool:
    """Return whether the boxes of two of some objects share room."""
    t, frame = stage.tracks, int(stage.tracks.shown[place])
    at = slice(frame, frame + 1)
    boxes = [
        (t.centres_m[k, at], t.rotations[k, at], np.maximum(t.sizes_m[k] - IN_ANOTHER_M, 1e-6)) for k in who
    ]
    return any(float(gap_m(a, b)[0]) == 0 for a, b in combinations(boxes, 2))


def _could_be_above(stage: VideoContext, who: Sequence[int], place: int) -> bool:
    """Return whether "is one above the other?" has to be looked up: it is off the floor, and reaches up to
    the other's top or near it; or it stands below it.
    """
    t, frame = stage.tracks, int(stage.tracks.shown[place])
    middles, halves = t.centres_m[list(who), frame, 2], t.sizes_m[list(who), 2] / 2
    low, top = middles[0] - halves[0], middles[1] + halves[1]
    return bool(low > OFF_THE_FLOOR_M and low > top - ON_TOP_M) or _stacked(stage, who, place)


def _box_px(stage: VideoContext, obj: int, place: int) -> BoxPx:
    """Return the box of an object in a picture: that around the corners of its own box."""
    t, frame = stage.tracks, int(stage.tracks.shown[place])
    at = slice(frame, frame + 1)
    corners = corners_m(t.centres_m[obj, at], t.rotations[obj, at], t.sizes_m[obj])[0]
    local = (corners - t.eyes_m[frame]) @ t.views[frame]
    flat = local[:, :2] / np.maximum(local[:, 2:], 0.05) * t.focal_px
    return tuple(map(float, (*flat.min(axis=0), *flat.max(axis=0))))  # type: ignore[return-value]
