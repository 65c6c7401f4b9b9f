"""Weights under which the words of a question do not tell its answer.

Candidates come as the scenes offer them: "small" may go with "no" more often than with "yes", and a long
description with "0". The weights found here, by raking, make every wording equally likely whatever the answer
is: for each feature its distribution given the answer is brought to one that all answers share, a geometric
mean of theirs that leans to the rarest answer's, so that what some answer never goes with fades for all.

How a question is built (which descriptions say how much, and which relation) is evened out in each template;
which words stand there in all templates of a task with the same answers together, as one template has too few
candidates to estimate that from: weights that follow chance would let one half of the file tell the other.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fathom.build.questions.asking import Candidate
from fathom.build.questions.templates import Template, Words
from fathom.build.questions.vocabulary import Vocabulary
from fathom.geometry.poses import Array

Ints = NDArray[np.int64]

SWEEPS = 8
HEAVIEST = 8.0
"""The most that one candidate may weigh, in units of the mean of its answer."""

SURELY = 0.9
"""The highest probability with which a candidate is meant to be drawn: the rest is room for chance."""

UNSEEN = 0.3
"""Candidates that every answer is taken to have of everything, so that what it has only by chance not met stays."""

UNEVEN = 0.12
"""How much of an answer's questions may be built in ways that other answers' are not, before it is given up."""


@dataclass(frozen=True, eq=False)
class Pool:
    """The candidates of one template: for each answer the indices of its candidates, and all their weights.

    `wanted` is how many questions are to be drawn from it.
    """

    answers: tuple[str, ...]
    members: tuple[Ints, ...]
    weights: Array
    wanted: int


@dataclass(eq=False)
class _Table:
    """The candidates of one template that can be drawn, as numbers.

    `label` is each one's answer; `form` and `words` hold for each feature its level in every row and the
    number of its levels. `heaviest` is the most that each answer's candidates may weigh.
    """

    template: str
    answers: tuple[str, ...]
    rows: Ints
    label: Ints
    totals: Array
    form: list[tuple[Ints, int]]
    words: dict[str, list[Hashable]]
    scenes: list[str]
    weights: Array
    heaviest: Array
    levels: list[tuple[Ints, int]] = field(default_factory=list)


@lru_cache(maxsize=65536)
def _said(words: Words, classes: frozenset[str]) -> tuple[int, int, int]:
    """Return which words a description has, as a number, how many there are, and how many letters."""
    size, color, shape = words
    kind = bool(size) + 2 * bool(color) + (4 if shape in classes else 8 if shape else 0)
    return kind, bool(size) + bool(color) + bool(shape), len(size) + len(color) + len(shape)


def _form(
    c: Candidate, slots: Mapping[str, Words | str], t: Template, vocabulary: Vocabulary, richness: int
) -> list[Hashable]:
    """Return how a candidate is built, and how much its scene offers, in a fixed order for each template."""
    said = [_said(slots[name], vocabulary.classes) for name in t.descriptions]  # type: ignore[arg-type]
    related = [slots[name] for name in t.relations]
    long = sum(n for _, n, _ in said)
    out: list[Hashable] = [tuple(kind for kind, _, _ in said), long, sum(n for _, _, n in said) // 5]
    if len(said) > 1:
        out += [kind for kind, _, _ in said]
    out += related
    if related:
        out += [(related[-1], long), (related[-1], said[-1][0])]
    # Not words, but a guesser could tell them: the fuller the scene, the more is asked of it.
    return [*out, c.things, richness]


def _word_features(
    slots: Mapping[str, Words | str], template: Template, vocabulary: Vocabulary
) -> list[tuple[str, str]]:
    """Return the words of a candidate by where they stand, counted from the description nearest the answer."""
    out: list[tuple[str, str]] = []
    for place, name in enumerate(reversed(template.descriptions)):
        size, color, shape = slots[name]
        if template.asks in ("shape", "color"):
            shape = vocabulary.shapes.get(shape, shape)
        out += [(f"{place}s", size), (f"{place}c", color), (f"{place}k", shape)]
    return out


def _coded(column: Sequence[Hashable]) -> tuple[Ints, int]:
    """Return the values of a column as numbers from 0, and how many different ones there are."""
    levels: dict[Hashable, int] = {}
    codes = np.array([levels.setdefault(v, len(levels)) for v in column], dtype=np.int64)
    return codes, len(levels)


def pools_of(
    found: Mapping[str, Sequence[Candidate]],
    families: Mapping[str, Template],
    vocabulary: Vocabulary,
    total: int,
    richness: Mapping[str, int],
) -> dict[str, Pool]:
    """Return the pools of a task's templates, from which `total` questions are wanted.

    A template is left out where fewer than two answers can be asked. `richness` is a scene's class by how
    much it offers. Answers of which a pool holds too few, or that it can only ask in words of their own, are
    left out, where that makes more of the pool. Which answers these are depends on the pool alone, not on
    what is drawn.
    """
    draws = total / max(len(found), 1)
    tables = []
    for name in sorted(found):
        table = _table(found[name], families[name], vocabulary, draws, richness)
        if table is not None:
            tables.append(table)
    _rake(tables, SWEEPS)
    wanted = shares({t.template: _room(t) for t in tables}, total)
    for t in tables:
        drawn = max(wanted[t.template], 1) / len(t.answers)
        t.heaviest = np.clip(SURELY * t.totals / drawn, 1.0, HEAVIEST)
    _rake(tables, SWEEPS // 2)
    pools = {}
    for t in tables:
        drawn = wanted[t.template] / len(t.answers)
        chance = np.minimum(t.weights * (drawn / t.totals)[t.label], 0.97)
        weights = np.zeros(len(found[t.template]))
        # Drawn one by one without return, a candidate comes up with about 1 − exp(−weight).
        weights[t.rows] = -np.log1p(-chance)
        members = tuple(t.rows[t.label == k] for k in range(len(t.answers)))
        pools[t.template] = Pool(t.answers, members, weights, wanted[t.template])
    return pools


def _table(
    found: Sequence[Candidate],
    template: Template,
    vocabulary: Vocabulary,
    draws: float,
    richness: Mapping[str, int],
) -> _Table | None:
    kept = _kept(Counter(c.answer for c in found), draws)
    while len(kept) >= 2:
        table = _filled(found, template, vocabulary, kept, richness)
        if len(kept) == 2:
            return table
        for _ in range(SWEEPS):
            _raked(table, table.form)
        off = _off(table)
        if off.max() <= UNEVEN:
            table.weights[:] = 1.0
            return table
        kept = [a for a in kept if a != table.answers[int(off.argmax())]]
    return None


def _filled(
    found: Sequence[Candidate],
    template: Template,
    vocabulary: Vocabulary,
    kept: Sequence[str],
    richness: Mapping[str, int],
) -> _Table:
    answers = tuple(a for a in vocabulary.answers(template) if a in kept)
    place = {a: k for k, a in enumerate(answers)}
    rows = [k for k, c in enumerate(found) if c.answer in place]
    forms, words = [], defaultdict(list)
    for k in rows:
        c = found[k]
        slots = dict(c.slots)
        forms.append(_form(c, slots, template, vocabulary, richness.get(c.scene, 0)))
        for name, word in _word_features(slots, template, vocabulary):
            words[name].append(word)
    label = np.array([place[found[k].answer] for k in rows], dtype=np.int64)
    coded = [_coded(column) for column in zip(*forms, strict=True)]
    return _Table(
        template.id,
        answers,
        np.array(rows, dtype=np.int64),
        label,
        np.bincount(label, minlength=len(answers)).astype(float),
        [c for c in coded if c[1] > 1],
        dict(words),
        [found[k].scene for k in rows],
        np.ones(len(rows)),
        np.full(len(answers), HEAVIEST),
    )


def _off(t: _Table) -> Array:
    """Return for each answer how much of it is built in ways that the answers together are not."""
    inverse, values = t.form[0]
    k = len(t.answers)
    share = np.bincount(inverse * k + t.label, t.weights, values * k).reshape(values, k) / t.totals
    return np.asarray(np.abs(share - share.mean(axis=1, keepdims=True)).sum(axis=0) / 2)


def _rake(tables: Sequence[_Table], sweeps: int) -> None:
    """Bring the weights of a task's tables to where neither words nor scenes tell the answer.

    Scenes and words are balanced over all templates with the same answers together: a scene of small things
    must not be a scene of answers "small".
    """
    groups: dict[tuple[str, ...], list[_Table]] = defaultdict(list)
    for t in tables:
        groups[t.answers].append(t)
    joint = [(group, _joint(group)) for group in groups.values()]
    for _ in range(sweeps):
        for group, features in joint:
            for codes, values in features:
                _raked_together(group, codes, values)
            for t in group:
                _raked(t, t.form)


def _joint(group: Sequence[_Table]) -> list[tuple[list[Ints], int]]:
    """Return the features that a group's tables share: for each the level in every row, and their number."""
    found: list[tuple[list[Ints], int]] = []
    columns: list[Callable[[_Table], Sequence[Hashable]]] = []
    names = dict.fromkeys(name for t in group for name in t.words)
    columns += [lambda t, name=name: t.words.get(name, ()) for name in names]  # type: ignore[misc]
    if len(group[0].answers) <= 5:
        columns.append(lambda t: t.scenes)
    for column in columns:
        levels: dict[Hashable, int] = {"": 0}
        codes = [
            np.array([levels.setdefault(v, len(levels)) for v in column(t)] or [0] * len(t.rows), dtype=np.int64)
            for t in group
        ]
        if len(levels) > 2:
            found.append((codes, len(levels)))
    return found


def _raked_together(group: Sequence[_Table], codes: Sequence[Ints], values: int) -> None:
    k = len(group[0].answers)
    count = np.zeros((values, k))
    for t, at in zip(group, codes, strict=True):
        count += np.bincount(at * k + t.label, t.weights, values * k).reshape(values, k)
    ratio = _towards_one(count, np.sum([t.totals for t in group], axis=0))
    for t, at in zip(group, codes, strict=True):
        t.weights = t.weights * ratio[at, t.label]
        _level(t)


def _towards_one(count: Array, totals: Array) -> Array:
    """Return by what to multiply weights so that each answer's levels are spread as a common mean of theirs."""
    # Of the rarest answer nearly all candidates are drawn, whatever they weigh: the others come to meet it.
    scarce = totals**-2.0 / (totals**-2.0).sum()
    share = np.log((count + UNSEEN) / totals)
    return np.asarray(np.exp((share @ scarce)[:, None] - share))


def _level(t: _Table) -> None:
    """Cut weights that are too heavy, and bring the mean of every answer back to 1."""
    t.weights = np.minimum(t.weights, t.heaviest[t.label])
    t.weights *= (t.totals / np.bincount(t.label, t.weights, len(t.answers)))[t.label]


def _raked(t: _Table, features: Sequence[tuple[Ints, int]]) -> None:
    """Bring the weights of one table, feature by feature, to where no feature tells the answer."""
    k = len(t.answers)
    for inverse, values in features:
        cell = inverse * k + t.label
        count = np.bincount(cell, t.weights, values * k).reshape(values, k)
        t.weights = t.weights * _towards_one(count, t.totals).reshape(-1)[cell]
        _level(t)


def _room(t: _Table) -> float:
    """Return how many questions a table can bear before its rarest answer runs short."""
    k = len(t.answers)
    # As many candidates of equal weight would vary as much.
    equal = t.totals**2 / np.bincount(t.label, t.weights**2, k)
    return bearing(k, float(equal.min()))


def bearing(answers: int, rarest: float) -> float:
    """Return how many questions can be drawn with that many answers before the rarest is likely to run out.

    Draws of one answer vary as their mean's square root: two and a half times that must still be there, and
    three in ten of the candidates are never counted on.
    """
    root = (math.sqrt(6.25 + 4 * 0.7 * rarest) - 2.5) / 2
    return answers * max(root, 0.0) ** 2


def _kept(counts: Mapping[str, int], draws: float) -> list[str]:
    """Return the answers to ask for: those with which a pool is worth most bits, for at most `draws`
    questions.
    """
    ranked = sorted((a for a in counts if counts[a] >= 2), key=lambda a: -counts[a])
    best: tuple[float, int] = (0.0, 0)
    for size in range(len(ranked), 1, -1):
        worth = min(bearing(size, counts[ranked[size - 1]]), draws) * math.log2(size)
        if worth > best[0]:
            best = (worth, size)
    return ranked[: best[1]]


def shares(rooms: Mapping[str, float], total: int) -> dict[str, int]:
    """Return how many questions each template gets: equal shares, but no more than its pool can bear.

    What a small pool cannot bear goes to the others in equal shares; what none can bear is not asked.
    """
    given: dict[str, float] = dict.fromkeys(rooms, 0.0)
    left = float(total)
    open_ = set(rooms)
    while left > 1e-9 and open_:
        each = left / len(open_)
        for name in sorted(open_):
            more = min(each, rooms[name] - given[name])
            given[name] += more
            left -= more
            if given[name] >= rooms[name] - 1e-9:
                open_.discard(name)
    total = round(total - left)
    whole = {name: int(v) for name, v in given.items()}
    rest = sorted(given, key=lambda name: (whole[name] - given[name], name))
    for name in rest[: total - sum(whole.values())]:
        whole[name] += 1
    return whole
