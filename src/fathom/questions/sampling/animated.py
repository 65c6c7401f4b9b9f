"""Everything that could be asked of one film: fillings of forms that have an answer which can be proved.

A candidate's answer is decided with its margin, every filter and every moment of it is needed, it withstands
the jitter test, and all that it hangs on can be seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

import msgspec
import numpy as np

from fathom.programs.degeneracy import constant, steady, unneeded
from fathom.programs.engine import Trace, run, traced
from fathom.programs.needs import met, needs_of, one_time_is_enough, one_view_is_enough
from fathom.programs.values import ValueType
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.programs.views.sampled import bordered, sampled
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.questions.animated_candidate import AnimatedCandidate, AnimatedQuestionRecipe
from fathom.questions.candidate import SceneCandidates
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_meaning import (
    FROM_ANOTHER,
    begun_again,
    means_nothing,
    rivals_of,
)
from fathom.questions.contexts.animated_obvious import is_obvious
from fathom.questions.distractors.pools import answers_of, named_in, pool, text_of
from fathom.questions.distractors.sources import ABSENT, PRIOR, RIVAL, Option
from fathom.questions.repeating.animated import told_by
from fathom.questions.templates import Fill, Template, animated_steps, with_choice
from fathom.records import Need, Scene, Step
from fathom.store.seeds import rng

PLACED = frozenset(("side", "side_of", "nearest", "farthest", "opposite", "on", "travels", "turns", "goes"))
"""Operators whose outcome depends on where objects stand and how they are turned."""

OF_ACTS = frozenset(("actions", "happenings"))
OF_CHANGES = frozenset(("growing", "sprouting", "events", "happenings"))
"""Operators by which a program takes in what the actor does, and what comes and goes or becomes another."""

SHOWN_FIRM = 0.5
"""How firmly the frames that are shown have to say the answer: a margin of the first derivation."""

PER_FORM = 8
"""How many candidates of one form a film offers at most."""


def offer(
    scene: Scene, visibility: VisibilityGrid, recipe: AnimatedQuestionRecipe
) -> SceneCandidates[AnimatedCandidate]:
    """Return the candidates of a film. A pure function of its arguments."""
    timeline = animated_view(scene, visibility, recipe.rules)
    views = tuple(recipe.shown(scene)) if recipe.only_shown and recipe.shown else ()
    can = recipe.supply.verbs.get(scene.objects[0].asset.name, ())
    stage = AnimatedContext(_plainly(scene, recipe), timeline, recipe.language, recipe.verbs, views, can)
    shaken = list(_shaken(timeline, recipe))
    tried: Counter[str] = Counter()
    found: list[AnimatedCandidate] = []
    for form in recipe.forms:
        every = [
            candidate
            for fills in _fillings(stage, form, recipe)
            for candidate in _candidates(stage, form, fills, shaken, recipe, tried)
        ]
        found += _kept(every)
    return SceneCandidates(scene.id, tuple(found), tried)


def _kept(every: Sequence[AnimatedCandidate]) -> list[AnimatedCandidate]:
    """Return the candidates of a form that are kept: of each answer one after the other, first the ones that
    take most; of equal ones, those that came first.
    """
    place: Counter[str] = Counter()
    ranked: list[tuple[int, int, int, AnimatedCandidate]] = []
    for c in sorted(every, key=lambda c: -c.worth):
        ranked.append((place[c.answer.key], -c.worth, len(ranked), c))
        place[c.answer.key] += 1
    return [c for *_, c in sorted(ranked, key=lambda r: r[:3])[:PER_FORM]]


def _plainly(scene: Scene, recipe: AnimatedQuestionRecipe) -> Scene:
    """Return the scene in which parts of the actor have no colour that no one name fits."""
    vague = recipe.vague(scene) if recipe.vague else frozenset()
    actor, *others = scene.objects
    parts = {n: p if n not in vague else {**p, "color": ""} for n, p in actor.parts.items()}
    return msgspec.structs.replace(
        scene, objects=(msgspec.structs.replace(actor, parts=parts), *others)
    ) if vague else scene  # fmt: skip


def _fillings(
    stage: AnimatedContext, form: Template, recipe: AnimatedQuestionRecipe
) -> Iterator[dict[str, Fill]]:
    """Yield some fillings of a form, in random order."""
    slots = list(form.slots)
    every = [stage.fills(form.slots[s]) for s in slots]
    count = math.prod(len(e) for e in every)
    order = rng(recipe.seed, "fillings", stage.scene.id, form.id).permutation(count)
    combinations = list(islice(product(*every), 4000))
    for k in order[: recipe.tries * max(len(slots) - 1, 1)]:
        if k < len(combinations):
            fills = dict(zip(slots, combinations[k], strict=True))
            if len({f.key for f in fills.values()}) == len(fills) and not _same_moment(form, fills):
                yield fills


def _same_moment(form: Template, fills: Mapping[str, Fill]) -> bool:
    """Return whether two moments are those before and after one and the same event."""
    named = [set(f.names) for slot, f in fills.items() if form.slots[slot] == "instant"]
    return len(named) == 2 and bool(named[0] & named[1])


def _candidates(
    stage: AnimatedContext,
    form: Template,
    fills: Mapping[str, Fill],
    shaken: list[AnimatedView],
    recipe: AnimatedQuestionRecipe,
    tried: Counter[str],
) -> Iterator[AnimatedCandidate]:
    """Yield the candidates of one filling, and count what became of it."""
    steps = animated_steps(form, fills)
    trace = traced(steps, stage.timeline)
    if len(trace.values) < len(steps):
        tried["no answer"] += 1
        return
    kind, value = trace.kinds[-1], trace.values[-1]
    if trace.least.ratio < 1:
        tried["margin below 1"] += 1
        return
    if means_nothing(stage, steps, trace):
        tried["means nothing here"] += 1
        return
    answers = answers_of(stage, form, fills, kind, value, recipe.supply)
    order = rng(recipe.seed, "answers", stage.scene.id, *(f.key for f in fills.values()))
    for k in order.permutation(len(answers))[:2]:
        made = _candidate(stage, form, fills, steps, trace, answers[k], recipe)
        needs = made if isinstance(made, str) else _proved(made, stage, shaken, form, recipe)
        if isinstance(made, str) or isinstance(needs, str):
            tried[str(needs)] += 1
            continue
        whole = _with_needs(made, needs, stage, recipe)
        trivial = form.hard and not whole.worth and whole.prior is None
        tried["trivial" if trivial else "accepted"] += 1
        if not trivial:
            yield whole


def _candidate(
    stage: AnimatedContext,
    form: Template,
    fills: Mapping[str, Fill],
    steps: tuple[Step, ...],
    trace: Trace,
    answer: str,
    recipe: AnimatedQuestionRecipe,
) -> AnimatedCandidate | str:
    """Return the candidate with one answer, or why there is none."""
    text = text_of(stage, form, answer)
    own = _own_names(stage, steps, trace) if form.asks in ("names", "things") else frozenset()
    again = begun_again(stage, steps, trace)
    if not text or answer in named_in(form, fills) | again or answer.split(" ")[-1] in own:
        return "answer named or unsayable"
    every = pool(stage, form, fills, trace.kinds[-1], trace.values[-1], answer, recipe.supply)
    false = tuple(o for o in every if o.key not in again and o.key.split(" ")[-1] not in own)
    rivals = rivals_of(stage, steps, trace) if form.asks in ("names", "colors") else None
    if rivals is not None:
        false = tuple(replace(o, source=RIVAL) if o.key in rivals else o for o in false)
        if not any(o.source == RIVAL for o in false):
            return "nothing else could be it"
    if len(false) < 3 or sum(o.source != ABSENT for o in false) < form.near:
        return "too few false choices"
    prior = _prior(stage, form, fills, answer, trace.kinds[-1])
    if not prior and is_obvious(stage, form, fills, answer):
        return "known without looking"
    asks, tells = told_by(stage, form, fills, steps, trace, answer)
    return AnimatedCandidate(
        scene=stage.scene.id,
        asset=stage.scene.objects[0].asset.name,
        template=form,
        fills=dict(fills),
        program=steps,
        answer=Option(answer, text, "answer"),
        pool=false,
        prior=prior,
        asks=asks,
        tells=tells,
    )


def _own_names(stage: AnimatedContext, steps: Sequence[Step], trace: Trace) -> frozenset[str]:
    """Return the last words of what the actor is called, and of the object that another is measured from: no
    choice is what the question itself is about.
    """
    found = {stage.actor.split(" ")[-1]}
    for step in steps:
        if step.op in FROM_ANOTHER and len(step.inputs) > 1:
            base = trace.values[step.inputs[1]]
            found |= {name.split(" ")[-1] for name in stage.timeline.names[base]} if base else set()
    return frozenset(found)


def _prior(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, kind: ValueType
) -> Option | None:
    """Return what world knowledge would say, where the question is about what was edited."""
    source = stage.scene.source
    about, expected = source.get("about", ""), source.get("expected", "")
    if not about:
        return None
    key = ""
    if about == "number of legs" and form.program == "legs":
        key = NUMBERS.get(expected, expected)
    elif about.startswith("color of the ") and "P" in fills:
        key = expected if fills["P"].key == about.removeprefix("color of the ") else ""
    elif about == "direction it goes" and form.asks == "goes":
        key = expected
    elif expected == "nothing" and form.asks == "names" and "place:$Q" in form.program:
        key = expected if fills["Q"].key in ("back", "belly") else ""
    if not key or key == answer:
        return None
    text = expected if key == "nothing" else text_of(stage, form, key)
    return Option(key, text[:1].upper() + text[1:], PRIOR) if text else None


NUMBERS = {w: str(n) for n, w in enumerate(("no", "one", "two", "three", "four", "five", "six", "seven",
                                           "eight", "nine", "ten", "eleven", "twelve"))}  # fmt: skip


def provisional(candidate: AnimatedCandidate, form: Template) -> tuple[Step, ...]:
    """Return a candidate's program with the first of the choices that it can have."""
    keys = [candidate.answer.key, *(o.key for o in candidate.pool[:3])]
    return with_choice(form, candidate.program, keys)


def _proved(
    candidate: AnimatedCandidate,
    stage: AnimatedContext,
    shaken: list[AnimatedView],
    form: Template,
    recipe: AnimatedQuestionRecipe,
) -> tuple[Need, ...] | str:
    """Return what it takes to answer a candidate, or why it is not asked."""
    timeline = stage.timeline
    program = provisional(candidate, form)
    trace = run(program, timeline)
    if trace.answer != candidate.answer.key:
        return "no single choice fits"
    if trace.least.ratio < 1:
        return "margin below 1"
    if unneeded(program, timeline, candidate.answer.key):
        return "a word is not needed"
    if _changes(candidate, form, program, timeline):
        return "not so all the time"
    if any(s.op in PLACED for s in program) and any(
        run(program, moved).answer != candidate.answer.key for moved in shaken
    ):
        return "jitter"
    needs = needs_of(program, trace, timeline)
    if any(not n.cells for n in needs):
        return "cannot be seen"
    lacking = unshown(program, needs, stage, recipe) if recipe.only_shown else ""
    return lacking or needs


def unshown(
    program: Sequence[Step], needs: Sequence[Need], stage: AnimatedContext, recipe: AnimatedQuestionRecipe
) -> str:
    """Return why the cells that are always shown do not answer a question, "" where they do.

    They have to meet all needs, and whoever takes everything to go straight on between their frames has to
    come to the same answer, half as firmly at least as has to hold of the film.
    """
    if recipe.shown is None:
        return ""
    shown = recipe.shown(stage.scene)
    if not met(needs, shown):
        return "what is shown lacks it"
    frames = tuple(sorted({f for own in shown.values() for f in own}))
    whole, seen = run(program, stage.timeline), run(program, sampled(stage.timeline, frames))
    if seen.answer != whole.answer or seen.least.ratio < SHOWN_FIRM:
        return "the frames shown say something else"
    ops = {s.op for s in program}
    if ops & OF_CHANGES and ops & OF_ACTS and any(
        run(program, bordered(stage.timeline, frames, late)).answer != whole.answer for late in (False, True)
    ):  # fmt: skip
        return "the frames shown do not tell which comes first"
    return ""


def _changes(
    candidate: AnimatedCandidate, form: Template, program: tuple[Step, ...], timeline: AnimatedView
) -> bool:
    """Return whether a question has another answer at some time: at any where it names no moment, else while
    that lasts which it names.
    """
    if not constant(program, timeline):
        return True
    timeless = any(form.slots[s] == "moment" and f.key == "whole" for s, f in candidate.fills.items())
    return timeless and not steady(program, timeline)


def _with_needs(
    candidate: AnimatedCandidate,
    needs: tuple[Need, ...],
    stage: AnimatedContext,
    recipe: AnimatedQuestionRecipe,
) -> AnimatedCandidate:
    """Return a candidate with what its needs say of views and times."""
    views, times = not one_view_is_enough(needs), not one_time_is_enough(needs)
    shown = recipe.shown is None or met(needs, recipe.shown(stage.scene))
    return replace(candidate, several_views=views, several_times=times, shown=shown)


def _shaken(timeline: AnimatedView, recipe: AnimatedQuestionRecipe) -> Iterator[AnimatedView]:
    """Yield the story with everything moved and turned a little: by up to so much of the scene's width."""
    g = rng(recipe.seed, "jitter", timeline.scene)
    here = timeline.positions_m
    low, high = np.nanmin(here, axis=(0, 1)), np.nanmax(here, axis=(0, 1))
    width = max(float((high - low).max()), timeline.subject_size_m)
    reach, turn = recipe.shake_share * width, math.radians(recipe.shake_deg)
    for _ in range(recipe.shakes):
        shift = g.uniform(-reach, reach, (len(timeline.objects), 2))
        yield timeline.moved(shift, g.uniform(-turn, turn, len(timeline.objects)))
