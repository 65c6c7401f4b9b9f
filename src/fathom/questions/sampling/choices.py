"""What a picture of a room, or a video of a table, offers to ask with four options.

Every form has a way to be filled and a pool of what is certainly false (choice_pools.py).

Ref: SEED-Bench §3.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from fathom.english import plural
from fathom.programs.engine import Trace, run
from fathom.programs.operators.belonging import MOVED
from fathom.programs.operators.handling import shows_turns, start_gaps_m
from fathom.programs.referring import Expression, expressions
from fathom.programs.values import ValueType
from fathom.questions.choice_candidate import ACTED, CHOICES, DEEDS, ChoiceCandidate, DrawnOption
from fathom.questions.contexts.video import VideoContext, video_context
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import Sights
from fathom.questions.notation import filled_program
from fathom.questions.sampling.acted import acted_fillings, acted_names
from fathom.questions.sampling.choice_pools import POOLS, Asked, index_of, stops_short
from fathom.questions.sampling.filling import Filling
from fathom.questions.sampling.viewpoints import SIDELESS, named_once
from fathom.questions.template_files import ACTED as SETTING
from fathom.questions.templates import Template
from fathom.records import Scene, Step
from fathom.scenes.people import CHAIRS
from fathom.store.seeds import rng

TRIED = 120
"""So many fillings of a form are tried in a scene."""

FOG_LEAVES, DARKEST = 0.45, 0.3
"""To which part of what the air lets one see objects are asked about, and under how much light at least."""

OF_PEOPLE = DEEDS
OF_CONTACTS = ("sat_on", "pushed_by", "doing", "does_to")
TOUCHED_PX, TOUCHED_SHARE = 1500, 0.25
"""Operators of contacts, and how much of what is touched shows at least: a part is behind who touches it."""

OF_ALL = ("part_of_picture", "view_side", "shown_noun", "in_the_way")
"""Operators that are asked about people, and about people as well as about objects."""

OF_CAMERA = ("view_side", "handling")
"""Operators whose words speak of the camera that films: of another camera it is not asked."""

SIDED = ("ends_beside", "out_of_place")
"""Operators of which somebody who does not look could go by something: their options have sides."""

FRONTED = {"dealing": (0,)}
"""Operator → the objects of which it has to be seen which way they face."""


def choice_candidates(scene: Scene, visibility: Sights, recipe: VideoQuestionRecipe) -> list[ChoiceCandidate]:
    """Return what can be asked of a scene. A pure function of its arguments."""
    stage = video_context(scene, visibility, recipe)
    clear = acted_names(stage) if stage.tracks.rules.name == SETTING else _names(stage)
    touched = {**_touched(stage), **clear}
    out = []
    for form in recipe.forms:
        called = touched if form.quantity in OF_CONTACTS else clear
        if stage.tracks.rules.name not in form.settings:
            continue
        g = rng(recipe.seed, "fillings", scene.id, form.id)
        for filling in _fillings(stage, form, called, g):
            found = _candidate(stage, form, filling, called)
            out += [found] if found is not None else []
    return _longest_orders(out)


def _longest_orders(offered: Sequence[ChoiceCandidate]) -> list[ChoiceCandidate]:
    """Return what a scene offers, of orders only those of as many things as any of them has."""
    most = max((len(c.placed) for c in offered), default=0)
    return [c for c in offered if not c.placed or len(c.placed) == most]


def _names(stage: VideoContext) -> dict[int, Expression]:
    """Return the objects that are clear and have a name of their own: a noun, or a colour and a noun.

    In a video they are clear in most frames, and in the first and the last.
    """
    listed = expressions(stage.tracks)
    found = {}
    for k in stage.objects:
        one = listed.get(stage.tracks.objects[k])
        clear = stage.clear[k]
        whole = clear[0] and clear[-1] and clear.mean() >= stage.recipe.seeing.span_share and _lit(stage, k)
        usable = whole and not stage.tracks.texts[k]
        if one is not None and not one.anchor and usable and named_once(stage, k, one):
            found[k] = one
    return found


def _touched(stage: VideoContext) -> dict[int, Expression]:
    """Return the objects that have a name of their own, of which a part is hidden by who touches them."""
    listed = expressions(stage.tracks)
    px, shares = stage.visibility.visible_px[:, 0], stage.shares[:, 0]
    found = {}
    for k in np.flatnonzero((px >= TOUCHED_PX) & (shares >= TOUCHED_SHARE)).tolist():
        one = listed.get(stage.tracks.objects[k])
        still = (
            stage.tracks.stands[k] or stage.tracks.texts[k] or (stage.tracks.does and stage.tracks.does[k])
        )
        if one is not None and not one.anchor and not still and named_once(stage, k, one):
            found[k] = one
    return found


def _lit(stage: VideoContext, obj: int) -> bool:
    """Return whether dark and fog leave enough of an object to be seen."""
    said = stage.scene.environment.detail
    off = stage.tracks.centres_m[obj, 0] - stage.tracks.eyes_m[0]
    through = np.linalg.norm(off) <= FOG_LEAVES * said.get("fog_m", np.inf)
    return bool(through and said.get("dim", 1.0) >= DARKEST)


def _fillings(
    stage: VideoContext, form: Template, called: dict[int, Expression], g: np.random.Generator
) -> Iterator[Filling]:
    """Yield how a form could be filled, by chance."""
    if form.quantity in ACTED:
        yield from acted_fillings(stage, form, called, g)
        return
    if "n" in {a[1:] for node in form.nodes for a in node.args}:
        dim = {stage.tracks.names[k] for k in stage.objects if not _lit(stage, k)}
        there = {stage.tracks.names[k] for k in stage.objects} - dim
        yield from (Filling((), noun=n) for n in sorted(there))
        return
    names = sorted(called)
    if form.asks == "orders":
        every: Sequence[tuple[int, ...]] = list(combinations(names, len(form.objects)))
    else:
        every = list(permutations(names, len(form.objects)))
    fronted = FRONTED.get(form.quantity, ())
    sided = stage.fronted[:, 0] & np.array([name not in SIDELESS for name in stage.tracks.names])
    people = np.array([bool(does) for does in stage.tracks.does or [""] * len(sided)])
    usable = [
        who
        for who in every
        if all(sided[who[i]] for i in fronted)
        and _fits(form, bool(people[list(who[:1])].any()))
        and (form.quantity != "does_to" or stage.tracks.names[who[1]] in CHAIRS)
        and (form.quantity != "dealing" or stage.tracks.names[who[0]] in CHAIRS)
        and (form.quantity not in OF_CAMERA or all(stage.tracks.names[k] != "photo camera" for k in who))
        # Were it asked of a bowl, who knows the noun could rule out that it is turned.
        and (form.quantity != "handling" or shows_turns(stage.tracks, who[0]))
    ]
    places = _places(stage, form)
    # Few sets of four objects are all moved far enough.
    tried = len(usable) if form.asks == "orders" else TRIED
    for k in g.permutation(len(usable))[:tried]:
        for place in g.permutation(places).tolist():
            yield Filling(usable[int(k)], place=place)


def _fits(form: Template, somebody: bool) -> bool:
    """Return whether a form may be about somebody, or something."""
    if form.quantity in OF_PEOPLE:
        return somebody
    return not somebody or form.quantity in OF_ALL


def _places(stage: VideoContext, form: Template) -> list[int]:
    """Return the shown frames at which a form may be asked: of a video where it stops."""
    last = stage.clear.shape[1] - 1
    return list(range(1, last)) if form.quantity == "ends_beside" else [0]


def _candidate(
    stage: VideoContext, form: Template, filling: Filling, called: dict[int, Expression]
) -> ChoiceCandidate | None:
    t = stage.tracks
    objects = dict(zip(form.objects, (called[k].program for k in filling.who), strict=True))
    program = filled_program(form.tree, {"t": stage.at(filling.place), "n": filling.noun}, objects)
    if form.asks == "colors" and _says_color(called[filling.who[0]].program):
        return None
    answered = run(program, t)
    if answered.value is None or answered.least.ratio < 1:
        return None
    words = tuple(called[k].words for k in filling.who) or ((plural(filling.noun),) if filling.noun else ())
    found = POOLS[form.asks](stage, form, filling, str(answered.value), words, called)
    if found is None or len(found[1]) < CHOICES - 1:
        return None
    if form.quantity == "ends_beside":
        found = _sided(stage, filling, found)
    if form.quantity == "out_of_place":
        found = _by_moves(stage, found)
    spoken = [*filling.who, *(index_of(stage, found[0].value))]
    px, share = stage.visibility.visible_px[spoken], stage.shares[spoken]
    return ChoiceCandidate(
        scene=stage.scene.id,
        template=form,
        program=program,
        setting=t.rules.name,
        objects=tuple(t.objects[k] for k in filling.who),
        words=words,
        nouns=tuple(t.names[k] for k in filling.who) or ((filling.noun,) if filling.noun else ()),
        answer=found[0],
        pool=found[1],
        answered=answered,
        steps=_selected(stage, answered),
        media=stage.recipe.media.format(scene=stage.scene.id, video=stage.scene.source["video"]),
        span_s=(0.0, float(stage.at(filling.place))) if stops_short(form) else None,
        smallest_px=int(px.max(axis=1).min()) if spoken else 0,
        smallest_share=round(float(share.max(axis=1).min()), 4) if spoken else 0.0,
        hint=_quarter(found) if form.quantity in SIDED else "",
    )


def _sided(stage: VideoContext, filling: Filling, found: Asked) -> Asked:
    """Return the options of a prediction with their sides: what the object is nearer to at first than to the
    answer comes before it.
    """
    gaps = start_gaps_m(stage.tracks, filling.who[0])

    def gap(option: DrawnOption) -> float:
        return gaps[stage.tracks.objects.index(option.value)]

    right, false = found
    return right, tuple(replace(o, side=-1 if gap(o) < gap(right) else 1) for o in false)


def _by_moves(stage: VideoContext, found: Asked) -> Asked:
    """Return the options of what was moved with their sides: what finds room where it does not belong more
    often than the answer comes before it.
    """

    def place(option: DrawnOption) -> int:
        return MOVED.index(stage.tracks.names[stage.tracks.objects.index(option.value)])

    right, false = found
    return right, tuple(replace(o, side=-1 if place(o) < place(right) else 1) for o in false)


def _quarter(found: Asked) -> str:
    """Return among which quarter of its options an answer is, by their sides."""
    before = sum(o.side < 0 for o in found[1])
    return str(before * CHOICES // (len(found[1]) + 1))


def _says_color(program: tuple[Step, ...]) -> bool:
    return any(step.op == "colored" for step in program)


def _selected(stage: VideoContext, answered: Trace) -> tuple[tuple[str, ...], ...]:
    kinds = zip(answered.kinds, answered.values, strict=False)
    chosen = (ValueType.OBJECT, ValueType.OBJECTS)
    return tuple(stage.tracks.objects_of(kind, value) if kind in chosen else () for kind, value in kinds)
