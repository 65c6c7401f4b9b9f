"""Which objects, times and spans of a video its questions are tried with, drawn by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from fathom.programs.referring import Expression
from fathom.questions.contexts.video import WHOLE, Moment, VideoContext
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.templates import Template
from fathom.questions.video_candidate import is_pace, turns_camera
from fathom.store.seeds import rng

CLAUSES = {1: 1, 2: 1, 3: 0}
"""How many of so many objects may have a clause behind their noun: of an order one would tell."""

LASTING_SHARES = (0.32, 0.45, 0.63, 0.88)
"""Which shares of a video the spans last in which the camera's trajectories and turns are asked for."""


def spans_of(stage: VideoContext) -> list[Moment]:
    """Return the spans of the video in which objects are asked about, drawn by chance."""
    g, shown = rng(stage.recipe.seed, "spans", stage.scene.id), stage.clear.shape[1]
    return [_span(stage.recipe, shown, g) for _ in range(stage.recipe.spans if shown > 2 else 0)]


def _span(recipe: VideoQuestionRecipe, shown: int, g: np.random.Generator) -> Moment:
    least, most = (max(1, round(share * (shown - 1))) for share in (recipe.least_span, recipe.most_span))
    length = int(g.integers(least, most + 1))
    first = int(g.integers(0, shown - length))
    return Moment(first, first + length)


def _ways(shown: int, g: np.random.Generator) -> list[Moment]:
    """Return the spans in which the camera's trajectory, or turn, is asked for: many that last as long."""
    lengths = sorted({max(1, round(share * (shown - 1))) for share in LASTING_SHARES})
    found = [Moment(first, first + n) for n in lengths for first in range(shown - n)]
    return [found[int(k)] for k in g.permutation(len(found))]


def times_of(form: Template, recipe: VideoQuestionRecipe) -> int:
    """Return how many times as many drafts of a form there are."""
    if is_pace(form):
        return recipe.paces
    return recipe.ways if form.asks == "pose" or _is_of_camera(form) else 1


def _is_of_camera(form: Template) -> bool:
    """Return whether what the camera did is told of spans that last as long in all videos."""
    return (form.asks == "trajectory" and not form.objects) or turns_camera(form)


def fillings(
    stage: VideoContext, form: Template, spans: Sequence[Moment], g: np.random.Generator
) -> Iterator[tuple[tuple[int, ...], Moment]]:
    """Yield who is asked about, and when, by chance."""
    count = len(form.objects)
    shown = stage.clear.shape[1]
    if len(stage.objects) < count or (form.when == "span" and not spans):
        return
    if _is_of_camera(form):
        # In the same order for all videos, so that there is much of which something is asked at once.
        common = rng(stage.recipe.seed, "ways")
        yield from (((), moment) for moment in _ways(shown, common))
        return
    if form.asks == "pose":
        yield from (((), moment) for moment in _all_times(form, shown, g))
        return
    for k in range(stage.recipe.tries * times_of(form, stage.recipe)):
        moment = WHOLE
        if form.when == "time":
            moment = _time(form, shown, g)
        elif form.when == "span":
            # Words for objects are found once a span; the camera needs none.
            moment = spans[int(g.integers(len(spans)))] if count else _span(stage.recipe, shown, g)
        who = _who(stage, count, moment, g)
        if form.asks == "words" and k % 2:
            who = _stacked(stage, moment, g) or who
        if len(who) == count:
            yield who, moment


def _who(stage: VideoContext, count: int, moment: Moment, g: np.random.Generator) -> tuple[int, ...]:
    """Return things that are clear at a time and can be named in one sentence, as many as wanted or fewer."""
    found: list[int] = []
    clauses: list[int] = []
    for k in _mixed(stage, stage.there(moment), g) if count else ():
        if len(found) == count:
            break
        called = stage.called(k, moment)
        if called is None or (has_clause(called) and len(clauses) == CLAUSES[count]):
            continue
        found.append(k)
        clauses += [k] * has_clause(called)
    mixed = [found[int(i)] for i in g.permutation(len(found))]
    # "The mug and the can beside the plate", and not the other way round.
    return tuple(sorted(mixed, key=lambda k: k in clauses))


def has_clause(called: Expression) -> bool:
    """Return whether anything is said of an object behind its noun."""
    ops = {s.op for s in called.program}
    return bool(ops & {"related", "closest", "moving"})


def _mixed(stage: VideoContext, objects: Sequence[int], g: np.random.Generator) -> list[int]:
    """Return objects by chance, one of each noun before the second of any: streets have many lamps."""
    before: Counter[str] = Counter()
    ranked: list[tuple[int, int, int]] = []
    for i in g.permutation(len(objects)):
        noun = stage.tracks.names[objects[int(i)]]
        ranked.append((before[noun], len(ranked), objects[int(i)]))
        before[noun] += 1
    return [k for _, _, k in sorted(ranked)]


def _time(form: Template, shown: int, g: np.random.Generator) -> Moment:
    """Return a time that a form asks about."""
    place = int(g.integers(_earliest(form, shown), shown))
    return Moment(place, place)


def _all_times(form: Template, shown: int, g: np.random.Generator) -> list[Moment]:
    """Return all times that a form can ask about, in any order."""
    first = _earliest(form, shown)
    return [Moment(first + int(k), first + int(k)) for k in g.permutation(shown - first)]


def _earliest(form: Template, shown: int) -> int:
    """Return from which of the frames on a form asks: poses, and boxes in the first frame's own frame, need a
    way from there.
    """
    return min(shown - 1, max(1, shown // 6)) if form.into_first or form.asks == "pose" else 0


def _stacked(stage: VideoContext, moment: Moment, g: np.random.Generator) -> tuple[int, ...]:
    """Return two objects of which one is above the other at a time, in any order; none where none is.

    Such pairs are rare, and their words have to be right as often as the others.
    """
    there = stage.there(moment)
    centres = stage.tracks.centres_m[list(there), int(stage.tracks.shown[moment.first])]
    off = np.abs(centres[:, None] - centres[None])
    pairs = np.argwhere(off[..., 2] > 1.2 * np.hypot(off[..., 0], off[..., 1]))
    if not len(pairs):
        return ()
    a, b = pairs[int(g.integers(len(pairs)))]
    return there[int(a)], there[int(b)]
