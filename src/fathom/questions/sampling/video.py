"""What one video offers to ask: every form, of objects, times and spans drawn by chance.

A draft is kept where everything that it speaks of can be seen, where who is meant is said in words that fit
nothing else, where the answer stands firm, and where its tolerance is fine enough for the setting's options.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fathom.programs.engine import Trace, run
from fathom.programs.referring import Expression
from fathom.questions.contexts.video import WHOLE, Moment, VideoContext, video_context
from fathom.questions.contexts.video_nouns import EXTRAS, FACED
from fathom.questions.contexts.video_poses import has_poses
from fathom.questions.contexts.video_precision import clear_by, known_to, precision_of
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import Mask, Sights, need
from fathom.questions.notation import filled_program
from fathom.questions.numeric.measures import measure_of
from fathom.questions.numeric.option_sets import LEAST_TO_A_SIDE_DEG
from fathom.questions.sampling.video_fillings import fillings, has_clause, spans_of, times_of
from fathom.questions.templates import START, Template
from fathom.questions.video_candidate import VideoCandidate
from fathom.records import Need, Scene, Step
from fathom.store.seeds import rng

LEAST_UPRIGHT = 0.1
"""The cosine between down in the picture and down in the world from which the ground has a slope there."""

AT_REST = 0.1
"""Mean accelerations below this share of the least error are those of what stands still at both ends."""


def drafted(scene: Scene, visibility: Sights, recipe: VideoQuestionRecipe) -> list[VideoCandidate]:
    """Return the drafts of a video. A pure function of its arguments, whatever other videos there are."""
    stage = video_context(scene, visibility, recipe)
    return drafts_of(stage, spans_of(stage))


def drafts_of(stage: VideoContext, spans: Sequence[Moment]) -> list[VideoCandidate]:
    """Return the drafts of a video in which spans are taken from these."""
    recipe = stage.recipe
    out: list[VideoCandidate] = []
    for form in recipe.forms:
        if stage.tracks.rules.name not in form.settings:
            continue
        g = rng(recipe.seed, "drafts", stage.scene.id, form.id)
        found: dict[tuple[str, ...], VideoCandidate] = {}
        for who, moment in fillings(stage, form, spans, g):
            candidate = draft_of(stage, form, who, moment)
            if candidate is not None:
                found.setdefault(candidate.names, candidate)
            if len(found) == recipe.drafts_per_form * times_of(form, recipe):
                break
        out += found.values()
    return out


def draft_of(
    stage: VideoContext, form: Template, who: tuple[int, ...], moment: Moment
) -> VideoCandidate | None:
    """Return a form about these objects at this time, None where it cannot be asked."""
    needs = _needs(stage, form, who, moment)
    if needs is None:
        return None
    shape = stage.shape(who[0]) if who and form.texts_of else ""
    if (form.texts_of and shape not in form.texts_of) or not _has_sides(stage, form, who, moment):
        return None
    called = [stage.called(k, moment) for k in who]
    named = [c for c in called if c is not None]
    if len(named) < len(who) or not _read_well(named):
        return None
    stated = _stated(form, moment)
    times = tuple(stage.at(k) for k in stated)
    if [stage.tracks.at(float(t)) for t in times] != [stage.tracks.shown[k] for k in stated]:
        return None  # the clock is too fast for times with two decimals
    program = program_of(form, [c.program for c in named], times, stage.at(0))
    answered = run(program, stage.tracks)
    if answered.value is None or answered.least.ratio < _least_ratio(stage, form, who, moment):
        return None
    if shape == "round":
        # Nobody measures across exactly here or there.
        room = answered.tolerance[0] + stage.unround(who[0])
        answered = replace(answered, tolerance=(room,))
    usual = stage.usual(who[0], form.quantity) if _is_size(stage, form) else None
    if usual is not None and not usual.all_sizes:
        return None  # the noun tells it
    if not _fine_enough(stage, form, answered) or (form.asks == "pose" and not has_poses(stage)):
        return None
    fine = precision_of(stage, form, who, moment, answered)
    known = known_to(fine, stage, form, answered)
    if known is None:
        return None
    found = _draft(stage, form, who, named, shape, times, program, answered, needs)
    clear = clear_by(stage, form, who, moment, answered)
    return replace(found, precision=fine, known=known, scale=stage.scale, clear=clear, usual=usual)


def _is_size(stage: VideoContext, form: Template) -> bool:
    """Return whether a size is asked for, among five by equal factors."""
    return form.of_one and form.when == "" and stage.recipe.errors == "graded"


def _has_sides(stage: VideoContext, form: Template, who: tuple[int, ...], moment: Moment) -> bool:
    """Return whether objects have the sides that a form speaks of, and these can be told in the picture."""
    if form.id == "gap":
        return not any(stage.shape(k) in ("round", "handled") for k in who)
    if form.asks == "box":
        return bool(stage.fronted[who[0], moment.first])
    if form.quantity == "length" and stage.tracks.names[who[0]].endswith(FACED):
        return False  # how deep a plate on a post is
    if form.quantity in ("length", "width") and stage.shape(who[0]) in ("front", "long"):
        return bool((stage.fronted & stage.whole)[who[0]].sum() > 1)
    return True


def _draft(
    stage: VideoContext, form: Template, who: tuple[int, ...], named: Sequence[Expression], shape: str,
    times: tuple[str, ...], program: tuple[Step, ...], answered: Trace, needs: tuple[Need, ...],
) -> VideoCandidate:  # fmt: skip
    selected = answered.selected(stage.tracks)
    everything = {stage.tracks.index(name) for ids in selected[-2:] for name in ids}
    used = sorted({*who, *everything} & set(stage.objects))
    clear = stage.clear[used]
    px, share = stage.visibility.visible_px[used][clear], stage.shares[used][clear]
    whole = (float(stage.tracks.times_s[0]), round(float(stage.tracks.times_s[-1]), 2))
    source = stage.scene.source
    return VideoCandidate(
        scene=stage.scene.id,
        setting=stage.tracks.rules.name,
        video=source.get("video", stage.scene.id),
        template=form,
        objects=tuple(stage.tracks.objects[k] for k in who),
        words=tuple(c.words for c in named),
        nouns=tuple(stage.tracks.names[k] for k in who),
        shape=shape,
        extra=EXTRAS.get(stage.tracks.names[who[0]], "") if who else "",
        times=times,
        span_s=(float(times[0]), float(times[1])) if len(times) == 2 else whole,
        program=program,
        answered=answered,
        steps=selected,
        needs=needs,
        smallest_px=int(px.min()) if px.size else 0,
        smallest_share=round(float(share.min()), 4) if share.size else 1.0,
        view_deg=stage.view_deg,
        moves_s=stage.moves_s(who[0], times) if form.moving and form.when == "span" else None,
        away_m=stage.away_m(who, times[0]) if len(form.objects) == 2 and times else 0.0,
        reach_px_m=stage.reach_px_m(who),
        ground=_ground(stage, form, times),
        beside_cameras=any(name.endswith("camera") for name in stage.tracks.names),
    )


def _ground(stage: VideoContext, form: Template, times: tuple[str, ...]) -> tuple[float, float]:
    """Return by how much y grows with x and with z along level ground, in the frame of the camera in which a
    place is told; 0 of other forms, and where the camera looks straight up or down. A camera looks down, so
    that what is farther away and not in the air is higher in its frame.
    """
    if form.asks not in ("centre", "box"):
        return 0.0, 0.0
    frame = stage.tracks.shown[0] if form.into_first else stage.tracks.at(float(times[0]))
    x, y, z = stage.tracks.views[frame].T @ (0.0, 0.0, 1.0)
    return (float(-x / y), float(-z / y)) if abs(y) > LEAST_UPRIGHT else (0.0, 0.0)


def _read_well(named: Sequence[Expression]) -> bool:
    """Return whether things can be named in one sentence: at most one with a clause behind its noun, and that
    does not speak of the others.
    """
    if len(named) < 2:
        return True
    words = [c.words for c in named]
    told = [any(w != o and o in w for o in words) for w in words]
    return len(set(words)) == len(words) and not any(told) and sum(map(has_clause, named)) <= 1


def _stated(form: Template, moment: Moment) -> tuple[int, ...]:
    return {"": (), "time": (moment.first,), "span": (moment.first, moment.last)}[form.when]


def program_of(
    form: Template, called: Sequence[tuple[Step, ...]], times: tuple[str, ...], first: str = "0.0"
) -> tuple[Step, ...]:
    """Return the steps that select who is meant, and the one that measures; the video begins at `first`."""
    stated = {"": (), "time": ("t",), "span": ("s", "e")}[form.when]
    words = {START: first, **dict(zip(stated, times, strict=True))}
    return filled_program(form.tree, words, dict(zip(form.objects, called, strict=True)))


def _least_ratio(stage: VideoContext, form: Template, who: tuple[int, ...], moment: Moment) -> float:
    """Return how firm an answer must be: beyond its tolerance and, of words, the annotations' own."""
    if form.asks not in ("words", "order"):
        return 1.0
    t, frame = stage.tracks, int(stage.tracks.shown[moment.first])
    sigma = t.rules.sigmas * math.sqrt(2) * float(t.sigmas_m[list(who), frame].max())
    # No tolerance of a relation is finer than one and a half times the smallest half extent.
    return 1.0 + sigma / (0.75 * float(t.sizes_m[list(who)].min()))


def _fine_enough(stage: VideoContext, form: Template, answered: Trace) -> bool:
    """Return whether a number is known finely enough for options of its setting."""
    if form.asks != "number":
        return form.asks != "trajectory" or len(answered.numbers) > 1
    if form.quantity == "azimuth_change" and abs(answered.numbers[0]) < LEAST_TO_A_SIDE_DEG:
        return False
    least = measure_of(stage.tracks.rules.name, form.quantity).least
    if form.quantity == "mean_acceleration" and abs(answered.numbers[0]) < AT_REST * least:
        return False
    if stage.recipe.errors == "graded":
        return True  # options are made for how finely it is known
    # Of a speed at a time the frames around it must tell the same.
    room = 1.0 if form.quantity in ("speed", "mean_acceleration") else stage.recipe.tolerance
    return answered.tolerance[0] <= room * least


def _needs(
    stage: VideoContext, form: Template, who: tuple[int, ...], moment: Moment
) -> tuple[Need, ...] | None:
    """Return what has to be seen to answer, None where it is not."""
    frames, seeing = stage.visibility.frames, stage.recipe.seeing
    inside = np.zeros(len(frames), dtype=bool)
    inside[moment.first :] = True
    if moment is not WHOLE:
        inside[moment.last + 1 :] = False
    metric = form.asks not in ("words", "order") and form.quantity != "azimuth_change"
    if metric and not stage.scaled.issuperset(who):
        return None
    if form.moving and not all(stage.moves(k, moment) for k in who):
        return None
    out = []
    for k in who:
        seen = (stage.clear if form.when else stage.whole)[k] & inside
        if not _long_enough(form, seen, inside, seeing.span_share):
            return None
        out += _ends(f"{stage.tracks.names[k]} ({stage.tracks.objects[k]})", form, frames, seen, moment)
    if form.of_camera:
        if form.asks == "pose" or form.into_first:
            inside = np.arange(len(frames)) <= moment.last
        if stage.anchored[inside].mean() < seeing.anchored_share:
            return None
        if not who:
            out += _ends("the surroundings", form, frames, inside, moment)
    return tuple(out)


def _long_enough(form: Template, seen: Mask, inside: Mask, share: float) -> bool:
    """Return whether an object is seen at the time that is stated; in a span at both ends, and often; where
    nothing is stated, twice.
    """
    places = np.flatnonzero(inside)
    if form.when == "":
        return bool(seen.sum() > 1)
    return bool(seen[places[0]] and seen[places[-1]] and seen[places].mean() >= share)


def _ends(what: str, form: Template, frames: Sequence[int], seen: Mask, moment: Moment) -> list[Need]:
    """Return the needs of something that is seen: any frame, or the stated ones, and one between them."""
    if form.when == "":
        return [need(what, frames, seen)]
    if form.asks == "pose":
        one = [need(f"{what} at the first frame", frames, np.arange(len(frames)) == 0)]
        return [*one, need(f"{what} at the time", frames, np.arange(len(frames)) == moment.first)]
    if moment.first == moment.last:
        return [need(f"{what} at the time", frames, seen)]
    places = np.arange(len(frames))
    out = [need(f"{what} at the beginning", frames, places == moment.first)]
    between = seen & (places > moment.first) & (places < moment.last)
    if form.quantity not in ("displacement", "velocity", "azimuth_change") and between.any():
        out.append(need(f"{what} in between", frames, between))
    return [*out, need(f"{what} at the end", frames, places == moment.last)]
