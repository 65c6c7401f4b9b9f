"""Which drafts become questions, over a whole build, so that nothing can be guessed from what is asked.

It is dealt out first which of the five options is to be the answer, by chance, and how far apart they are to
lie. Then answers are taken for which that can be, spread
evenly form by form, sets of numbers part by part. Of relations, each word is right in a fifth of the
questions that offer it, and each order of three as often as the others. Each video gives what it has room
for: drafts are thinned before the choice, by chance, never by their answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from fathom.questions.balancing.camera_paces import CameraPaces, paced_like
from fathom.questions.balancing.option_places import OptionPlaces, dealt_places
from fathom.questions.balancing.video_fives import among_the_same, fives
from fathom.questions.balancing.video_numbers import Spreading, large_enough
from fathom.questions.balancing.video_selection import VideoSampler
from fathom.questions.balancing.video_words import of_stacked_nouns, orders, words
from fathom.questions.candidate import Cell, Selection, Stratum
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.repeating.video import new
from fathom.questions.video_candidate import VideoCandidate, VideoSelected
from fathom.store.seeds import rng

LESS = 0.6
"""By which share fewer questions of a form are tried where so many cannot be spread."""


ROUNDS = 6
"""How often what a form could not give is asked of the others of its task."""

TRIES = 8
"""How many drafts are tried for a question that is dealt: more would ask for rare answers too often."""


def chosen(
    candidates: Sequence[VideoCandidate], wanted: Mapping[Cell, int], recipe: VideoQuestionRecipe
) -> Selection[VideoSelected]:
    """Return what is asked: of each task and setting as many as are wanted, where there are.

    A pure function of the drafts, in any order, what is wanted, and the recipe.
    """
    candidates = sorted(candidates, key=lambda d: d.names)
    ranked = {d.cell for d in candidates if d.is_ranked}
    places = dealt_places({cell: n for cell, n in wanted.items() if cell in ranked}, recipe)
    graded: Counter[str] = Counter()
    for cell in {d.cell for d in candidates if d.template.asks not in ("words", "order")}:
        graded[cell[1]] += wanted.get(cell, 0)
    sampler = VideoSampler(recipe, OptionPlaces(recipe, places, graded), CameraPaces(candidates))
    sampler.sample(candidates, wanted, partial(_fill, sampler))
    selection = sampler.selection
    order = rng(recipe.seed, "order of questions").permutation(len(selection.selected))
    selection.selected = [selection.selected[int(k)] for k in order]
    return selection


def _fill(
    sampler: VideoSampler, cell: Cell, pools: Mapping[Stratum, Sequence[VideoCandidate]], wanted: int
) -> tuple[int, str]:
    """Ask up to `wanted` questions of a task in a setting. Return how many there are, and why not more."""
    kept = {p: of_stacked_nouns(d) if d[0].template.asks == "words" else list(d) for p, d in pools.items()}
    large = large_enough({p: d for p, d in kept.items() if d}, sampler.recipe.mix.fewest)
    weights = {pool: _weight(large, pool) for pool in sorted(large)}
    ended: dict[Stratum, str] = {}
    first = len(sampler.selection.selected)
    for turn in range(ROUNDS):
        left = wanted - (len(sampler.selection.selected) - first)
        if left <= 0 or not weights:
            break
        for pool, share in _shared(left, weights).items():
            found, why = _some(sampler, pool, large[pool], share, str(turn))
            if not found and share:
                del weights[pool]
                ended[pool] = why
        if turn == ROUNDS - 2:
            _level_out(sampler, first)
    left = wanted - (len(sampler.selection.selected) - first)
    _again(sampler, [d for own in pools.values() for d in own], left)
    _level_out(sampler, first)
    return len(sampler.selection.selected) - first, _why(pools, large, ended, sampler.recipe)


def _level_out(sampler: VideoSampler, first: int) -> None:
    """Leave the questions of a task by which places for which there are more answers come up too often."""
    ranked = [p for p in sampler.selection.selected[first:] if p.plan.is_ranked]
    for picked in sampler.places.surplus(ranked):
        sampler.leave(picked)


def _why(
    pools: Mapping[Stratum, Sequence[VideoCandidate]],
    large: Mapping[Stratum, Sequence[VideoCandidate]],
    ended: Mapping[Stratum, str],
    recipe: VideoQuestionRecipe,
) -> str:
    """Return why a task has fewer questions than are wanted, in words."""
    if not pools:
        return "no video shows what it asks for"
    asked = {pool[1] for pool in large}
    small: Counter[str] = Counter()
    for pool, candidates in pools.items():
        small[pool[1]] += len(candidates) * (pool[1] not in asked)
    few = [f"{form}: {n}" for form, n in sorted(small.items()) if n]
    out = (
        [f"fewer candidates than the {recipe.mix.fewest} that an even spread needs ({', '.join(few)})"]
        if few
        else []
    )
    by_why: dict[str, list[str]] = defaultdict(list)
    for pool, why in sorted(ended.items()):
        if pool[1] not in by_why[why]:
            by_why[why].append(pool[1])
    out += [f"{why} ({', '.join(forms)})" for why, forms in by_why.items()]
    return "; ".join(out) or "no answers that fit the places drawn for them among the five options"


def _shared(count: int, weights: Mapping[tuple[str, ...], float]) -> dict[tuple[str, ...], int]:
    """Return whole shares by weight that add up to `count`."""
    total, done, given = sum(weights.values()), 0.0, 0
    out = {}
    for pool, weight in weights.items():
        done += count * weight / total
        out[pool] = round(done) - given
        given = round(done)
    return out


def _weight(pools: Mapping[tuple[str, ...], Sequence[VideoCandidate]], pool: tuple[str, ...]) -> float:
    """Return a pool's share of its task: its form's, by size where a form has several pools."""
    candidates = pools[pool]
    every = sum(len(d) for p, d in pools.items() if p[:2] == pool[:2])
    return candidates[0].template.weight * len(candidates) / every


def _some(
    sampler: VideoSampler, pool: Stratum, candidates: Sequence[VideoCandidate], count: int, turn: str
) -> tuple[int, str]:
    """Ask up to `count` questions of one pool. Return how many there are, and why there are none."""
    there = [d for d in candidates if sampler.has_room(d)]
    names = (sampler.recipe.seed, *pool, turn)
    if there and there[0].is_among_real:
        return _fives(sampler, there, count, names)
    free = _thinned(sampler, there, pool, turn)
    if not free:
        return 0, "its videos already have as many questions as one video may have"
    count = min(count, len(free))
    one = free[0]
    if one.template.asks in ("order", "words"):
        said = {str(d.answered.value) for d in free}
        had = {v: sampler.places.had[one.template.task, one.setting, v] for v in said}
        found = orders(free, count, had, names) if one.template.asks == "order" else words(free, count, names)
        return sum(map(sampler.take, found)), "not every direction is the answer somewhere"
    spreading = Spreading(free, names)
    while count >= 1:
        would, missing = spreading.for_slots(sampler.places.deal(one, count, turn))
        if any(would) and missing <= sampler.recipe.mix.most_missing:
            sampler.selection.missing[pool] = max(missing, sampler.selection.missing.get(pool, 0.0))
            taken = sum(any(map(sampler.take, own[:TRIES])) for own in would)
            return taken, "no five options were found for its answers"
        count = int(count * LESS)
    return 0, "its answers are too uneven, or too close to one another"


def _fives(
    sampler: VideoSampler, candidates: Sequence[VideoCandidate], count: int, names: Stratum
) -> tuple[int, str]:
    """Ask up to `count` questions of a pool of trajectories, turns or poses, one after the other: what has
    become an option of one is none of the next. All five are such as could be asked about, so that none is an
    option more often than the answer.
    """
    taken = 0
    for k in range(count):
        (slot,) = sampler.places.deal(candidates[0], 1, f"{names[-1]} {k}")
        free = [d for d in candidates if sampler.has_room(d) and d.scene not in sampler.among]
        taken += bool(free) and any(map(sampler.take, fives(free, slot, (*names, k))))
    return taken, "no five candidates of equal duration differ enough to be the five options"


def _again(sampler: VideoSampler, candidates: Sequence[VideoCandidate], count: int) -> None:
    """Ask up to `count` further questions about cameras of which a turn or a pose is asked, each among the
    same five cameras: turns and poses, ways and speeds.
    """
    own = [d for d in candidates if d.scene in sampler.among and (d.is_among_cameras or d.is_pace)]
    by_time: dict[tuple[str, ...], list[VideoCandidate]] = defaultdict(list)
    for d in candidates:
        by_time[d.template.id, *d.times].append(d)
    order = rng(sampler.recipe.seed, "again", *(own[0].cell if own else ())).permutation(len(own))
    for k in order.tolist():
        if count <= 0:
            return
        one, among = own[k], sampler.among[own[k].scene]
        if one.is_pace:
            plan = paced_like(one, tuple(among), sampler.paces)
        else:
            beside = [d for d in by_time[one.template.id, *one.times] if not sampler.is_told(d)]
            (slot,) = sampler.places.deal(one, 1, f"again {k}")
            plan = among_the_same(one, among, beside, slot)
        count -= plan is not None and sampler.take(plan)


def _thinned(
    sampler: VideoSampler, candidates: Sequence[VideoCandidate], pool: tuple[str, ...], turn: str
) -> list[VideoCandidate]:
    """Return as many drafts of each video as may be asked there, drawn by chance."""
    by_scene: dict[str, list[VideoCandidate]] = defaultdict(list)
    for d in candidates:
        by_scene[d.scene].append(d)
    out = []
    for scene, found in sorted(by_scene.items()):
        room = sampler.room.left(found[0])
        g = rng(sampler.recipe.seed, "thinned", scene, *pool, turn)
        kept: list[VideoCandidate] = []
        for k in g.permutation(len(found)):
            if len(kept) < room and new(found[int(k)], kept):
                kept.append(found[int(k)])
        out += kept
    return out
