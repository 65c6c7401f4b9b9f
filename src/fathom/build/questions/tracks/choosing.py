"""Which drafts become questions, over a whole build, so that nothing can be guessed from what is asked.

Numbers are levelled form by form, sets of numbers part by part. Of relations, each word is right in a fifth
of the questions that offer it. Orders are even by themselves: things are named in an order drawn by chance.
Each video gives what it has room for: drafts are thinned before the choice, by chance, never by their
answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

import numpy as np

from fathom.build.options.fine.adjusting import POINTS
from fathom.build.options.fine.levelling import levelled
from fathom.build.options.fine.levelling_parts import levelled_parts
from fathom.build.options.fine.measures import measure_of
from fathom.build.options.fine.parts import (
    KNOWN_OF_BOXES,
    KNOWN_ON_STREETS,
    Vector,
    box,
    centre,
    pose,
    trajectory,
)
from fathom.build.options.fine.ways import levelled_ways
from fathom.build.questions.tracks.asking import WAYS, Draft, Picked, TrackRecipe
from fathom.build.questions.tracks.forms import RELATION_TEXTS
from fathom.build.questions.tracks.repeating import new
from fathom.build.questions.tracks.writing import drawn_of
from fathom.records import UnfitError
from fathom.store.seeds import rng

LESS = 0.6
"""By which share fewer questions of a form are tried where so many cannot be spread."""

NARROW = 6.0
"""How many least errors the answers of a form must span: in less, five options have one way to lie."""

WELL_KNOWN = 0.4
"""The weight of sizes on streets: cars are as long as cars are, and half a metre more or less shows."""

STRAIGHT = 0.35
"""The weight of poses straight ahead of the first one: they ask for a distance, and little else."""

EVEN = 0.5
"""Poses have to be spread more evenly than other answers, by so much: five of one way are told by little."""

ALIKE = ("outdoor",)
"""Where the ways of cameras are much alike: cars slow down before a corner, and are round it in a while."""

CHOICE = 3
"""How many times as many drafts of poses there are to choose from in a video as may be asked."""

UPRIGHT_WORDS = ("above", "below")

ROUNDS = 6
"""How often what a form could not give is asked of the others of its task."""


@dataclass
class Selection:
    """What is asked, how much of each task and setting could not be had, and what became of each form's pool.

    missing : pool → the share of a level spread that its answers lack
    refused : pool → how many of its drafts found no five options that anybody could tell apart
    """

    picked: list[Picked] = field(default_factory=list)
    short: Counter[tuple[str, str]] = field(default_factory=Counter)
    missing: dict[tuple[str, ...], float] = field(default_factory=dict)
    refused: Counter[tuple[str, ...]] = field(default_factory=Counter)


@dataclass
class _Desk:
    """The selection while it grows: how much room each video, task and form of a video has left."""

    recipe: TrackRecipe
    selection: Selection = field(default_factory=Selection)
    used: Counter[tuple[str, ...]] = field(default_factory=Counter)
    asked: dict[str, list[Draft]] = field(default_factory=lambda: defaultdict(list))
    refused: set[tuple[str, ...]] = field(default_factory=set)

    def has_room(self, draft: Draft) -> bool:
        """Return whether a video may be asked one more question like this."""
        mix, scene = self.recipe.mix, draft.scene
        return (
            self.used[(scene,)] < mix.most_per_video
            and self.used[scene, draft.form.task] < mix.most_per_task
            and self.used[scene, draft.form.task, draft.form.id] < mix.most(draft.form)
            and draft.names not in self.refused
            and new(draft, self.asked[scene])
        )

    def take(self, picked: Picked) -> bool:
        """Ask a question, and return whether five options could be found for it; else it is left."""
        draft = picked.draft
        drawn = drawn_of(picked, self.recipe)
        if drawn is None:
            self.refused.add(draft.names)
            self.selection.refused[draft.pool] += 1
            return False
        for k in range(3):
            self.used[(draft.scene, draft.form.task, draft.form.id)[: k + 1]] += 1
        self.asked[draft.scene].append(draft)
        self.selection.picked.append(replace(picked, options=drawn.options))
        return True


def chosen(drafts: Sequence[Draft], wanted: Mapping[tuple[str, str], int], recipe: TrackRecipe) -> Selection:
    """Return what is asked: of each task and setting as many as are wanted, where there are.

    A pure function of the drafts, in any order, what is wanted, and the recipe.
    """
    pools: dict[tuple[str, str], dict[tuple[str, ...], list[Draft]]] = defaultdict(lambda: defaultdict(list))
    for d in sorted(drafts, key=lambda d: d.names):
        pools[d.form.task, d.setting][d.pool].append(d)
    desk = _Desk(recipe)
    for cell in _scarcest_first(pools, wanted):
        desk.selection.short[cell] = wanted[cell] - _fill(desk, cell, pools.get(cell, {}), wanted[cell])
    order = rng(recipe.seed, "order of questions").permutation(len(desk.selection.picked))
    desk.selection.picked = [desk.selection.picked[int(k)] for k in order]
    return desk.selection


def _scarcest_first(
    pools: Mapping[tuple[str, str], Mapping[tuple[str, ...], Sequence[Draft]]],
    wanted: Mapping[tuple[str, str], int],
) -> list[tuple[str, str]]:
    def plenty(cell: tuple[str, str]) -> float:
        return sum(len(p) for p in pools.get(cell, {}).values()) / max(wanted[cell], 1)

    return sorted(wanted, key=lambda cell: (plenty(cell), cell))


def _fill(
    desk: _Desk, cell: tuple[str, str], pools: Mapping[tuple[str, ...], Sequence[Draft]], wanted: int
) -> int:
    """Ask up to `wanted` questions of a task in a setting, and return how many there are."""
    taken: Counter[tuple[str, ...]] = Counter()
    fewest = desk.recipe.mix.fewest
    kept = {p: of_stacked_nouns(d) if d[0].form.kind == "words" else d for p, d in pools.items()}
    large = {p: d for p, d in kept.items() if len(d) >= fewest or (d and d[0].form.kind == "order")}
    large |= {p: d for p, d in _joined(kept, large).items() if len(d) >= fewest}
    weights = {pool: _weight(large, pool) for pool in sorted(large)}
    for turn in range(ROUNDS):
        left = wanted - sum(taken.values())
        if left <= 0 or not weights:
            break
        for pool, share in _shared(left, weights).items():
            found = _some(desk, pool, large[pool], share, str(turn))
            taken[pool] += found
            if not found and share:
                del weights[pool]
    return sum(taken.values())


def _joined(
    pools: Mapping[tuple[str, ...], Sequence[Draft]], large: Mapping[tuple[str, ...], Sequence[Draft]]
) -> dict[tuple[str, ...], list[Draft]]:
    """Return the ways of the camera, however long they last, of forms of which no pool is large enough: of a
    few videos nobody learns a usual pace.
    """
    out: dict[tuple[str, ...], list[Draft]] = defaultdict(list)
    for pool, drafts in pools.items():
        if pool[1] in WAYS and not any(p[:2] == pool[:2] for p in large):
            out[pool[:2]] += drafts
    return out


def _shared(count: int, weights: Mapping[tuple[str, ...], float]) -> dict[tuple[str, ...], int]:
    """Return whole shares by weight that add up to `count`."""
    total, done, given = sum(weights.values()), 0.0, 0
    out = {}
    for pool, weight in weights.items():
        done += count * weight / total
        out[pool] = round(done) - given
        given = round(done)
    return out


def _weight(pools: Mapping[tuple[str, ...], Sequence[Draft]], pool: tuple[str, ...]) -> float:
    """Return a pool's share of its task: its form's, by size where a form has several pools."""
    drafts = pools[pool]
    every = sum(len(d) for p, d in pools.items() if p[:2] == pool[:2])
    straight = STRAIGHT if drafts[0].straight else 1.0
    known = WELL_KNOWN if drafts[0].setting == "outdoor" and drafts[0].form.when == "" else 1.0
    return straight * known * drafts[0].form.weight * len(drafts) / every


def _some(desk: _Desk, pool: tuple[str, ...], drafts: Sequence[Draft], count: int, turn: str) -> int:
    """Ask up to `count` questions of one pool, and return how many."""
    free = _thinned(desk, [d for d in drafts if desk.has_room(d)], pool, turn)
    if not free:
        return 0
    names = (desk.recipe.seed, *pool, turn)
    count = min(count, len(free))
    while count >= 1:
        found, missing = _tried(free, count, names)
        if found and missing <= (EVEN if free[0].way else 1.0) * desk.recipe.mix.most_missing:
            desk.selection.missing[pool] = max(missing, desk.selection.missing.get(pool, 0.0))
            return sum(desk.has_room(p.draft) and desk.take(p) for p in found)
        count = int(count * LESS)
    return 0


def _tried(free: Sequence[Draft], count: int, names: tuple[str, ...]) -> tuple[list[Picked], float]:
    """Return `count` questions of one pool, or as many as are even, and the share that lacks."""
    kind = free[0].form.kind
    if kind == "order":
        return _orders(free, count, names), 0.0
    return (_words(free, count, names), 0.0) if kind == "words" else _spread(free, count, names)


def _thinned(desk: _Desk, drafts: Sequence[Draft], pool: tuple[str, ...], turn: str) -> list[Draft]:
    """Return as many drafts of each video as may be asked there, drawn by chance."""
    mix = desk.recipe.mix
    by_scene: dict[str, list[Draft]] = defaultdict(list)
    for d in drafts:
        by_scene[d.scene].append(d)
    out = []
    for scene, found in sorted(by_scene.items()):
        task = found[0].form.task
        room = min(
            mix.most_per_video - desk.used[(scene,)],
            mix.most_per_task - desk.used[scene, task],
            mix.most(found[0].form) - desk.used[scene, task, found[0].form.id],
        )
        # Poses are levelled by when they are asked as well: there have to be more to choose from.
        room *= CHOICE if found[0].way else 1
        g = rng(desk.recipe.seed, "thinned", scene, *pool, turn)
        kept: list[Draft] = []
        for k in g.permutation(len(found)):
            if len(kept) < room and new(found[int(k)], kept):
                kept.append(found[int(k)])
        out += kept
    return out


def vector_of(draft: Draft) -> Vector:
    """Return what kind of several numbers a draft's answer is."""
    kind, setting = draft.form.kind, draft.setting
    if kind == "trajectory":
        return trajectory(setting, draft.answered.form)
    if setting == "outdoor" and kind == "box":
        return box(setting, (*KNOWN_OF_BOXES, *KNOWN_ON_STREETS))
    if setting == "outdoor" and kind == "centre":
        return centre(setting, ("y", *KNOWN_ON_STREETS))
    return {"box": box, "centre": centre, "pose": pose}[kind](setting)


def _spread(drafts: Sequence[Draft], count: int, names: tuple[str, ...]) -> tuple[list[Picked], float]:
    """Return `count` of the drafts with their answers spread evenly, and the share that is missing.

    None where there is no room for options.
    """
    one = drafts[0]
    try:
        if one.form.kind == "number":
            measure = measure_of(one.setting, one.form.quantity)
            line = levelled([d.value for d in drafts], count, measure, *names)
            if line.span.high - line.span.low < NARROW * measure.least:
                return [], 1.0
            return [Picked(drafts[k], span=line.span) for k in line.indices], line.missing
        if one.way is not None:
            kind = vector_of(one)
            alike = one.setting in ALIKE
            ways = levelled_ways([d.way for d in drafts if d.way], count, kind, *names, alike=alike)
            order = rng("order of poses", *names).permutation(len(ways.indices))
            found = [replace(drafts[ways.indices[int(k)]], way=ways.ways[int(k)]) for k in order]
            return [Picked(d, span=ways.rates, vector=kind) for d in found], ways.missing
        rows = np.array([d.answered.numbers for d in drafts])
        parts = levelled_parts(rows, count, vector_of(one), *names)
        found = [drafts[k] for k in parts.indices]
        # In a mirror a trajectory is told in other words.
        return [
            Picked(d, vector=replace(parts.vector, write=vector_of(d).write)) for d in found
        ], parts.missing
    except UnfitError:
        return [], 1.0


def _orders(drafts: Sequence[Draft], count: int, names: tuple[str, ...]) -> list[Picked]:
    """Return drafts of three things in order, each with four of the five other orders."""
    g = rng("orders", *names)
    out = []
    for k in g.permutation(len(drafts))[:count].tolist():
        every = [" ".join(map(str, p)) for p in permutations((1, 2, 3))]
        false = [o for o in every if o != drafts[k].answered.value]
        false.pop(int(g.integers(len(false))))
        out.append(Picked(drafts[k], false=tuple(false)))
    return out


def _words(drafts: Sequence[Draft], count: int, names: tuple[str, ...]) -> list[Picked]:
    """Return drafts about relations, each with four false words, so that each word is right in a fifth of the
    questions in which it is offered.

    A word that is right in a share p ≤ 1/5 of all questions is left out of 1 − 5·p of them: of six words one
    is left out each time. Above and below are right in a fifth together: the nouns tell which of these two it
    might be.
    """
    g = rng("relations", *names)
    by_word: dict[str, list[Draft]] = {word: [] for word in RELATION_TEXTS}
    for k in g.permutation(len(drafts)).tolist():
        by_word[str(drafts[k].answered.value)].append(drafts[k])
    counts = even_counts({w: len(d) for w, d in by_word.items()}, count)
    total = sum(counts.values())
    if not total:
        return []
    out = []
    for word, n in counts.items():
        rest = np.array([total - POINTS * counts[w] if w != word else 0 for w in counts], dtype=float)
        for draft in by_word[word][:n]:
            absent = [*counts][int(g.choice(len(rest), p=rest / rest.sum()))] if rest.sum() else ""
            false = [w for w in counts if w not in (word, absent)]
            out.append(Picked(draft, false=tuple(false)))
    return out


def of_stacked_nouns(drafts: Sequence[Draft]) -> list[Draft]:
    """Return the drafts about two things of which the one kind carries the other in some video: else "desk"
    and "lamp" would tell that one is above.
    """
    stacked = [d for d in drafts if d.answered.value in UPRIGHT_WORDS]
    carried = {d.nouns[d.answered.value != "above"] for d in stacked}
    carriers = {d.nouns[d.answered.value == "above"] for d in stacked}
    return [
        d
        for d in drafts
        if any(one in carried and other in carriers for one, other in (d.nouns, d.nouns[::-1]))
    ]


def even_counts(available: Mapping[str, int], most: int) -> dict[str, int]:
    """Return how often each of six words is right in at most `most` questions: each of four in a fifth, above
    and below in a fifth together.
    """
    upright = [available[w] for w in UPRIGHT_WORDS]
    each = min(most // POINTS, sum(upright), *(n for w, n in available.items() if w not in UPRIGHT_WORDS))
    above = min(max(each // 2, each - upright[1]), upright[0])
    counts = dict(zip(UPRIGHT_WORDS, (above, each - above), strict=True))
    return {word: counts.get(word, each) for word in available}
