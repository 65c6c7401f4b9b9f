"""Weights under which the words of a question do not tell its answer.

Candidates come as the scenes offer them: "small" may go with "no" more often than with "yes". The weights
found here, by raking, make every word equally likely whatever the answer is: for each feature of the words
(which attributes a description mentions, each word, each relation) its distribution given the answer is
brought to one that all answers share, a geometric mean of theirs that leans to the rarest answer's, so that
what some answer never goes with fades for all of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.build.questions.asking import Candidate
from fathom.build.questions.templates import Template
from fathom.build.questions.vocabulary import Vocabulary
from fathom.build.questions.wording import mask_name
from fathom.geometry.poses import Array

SWEEPS = 10
HEAVIEST = 8.0
"""The most that one candidate may weigh, in units of the mean of its answer."""


@dataclass(frozen=True, eq=False)
class Pool:
    """The candidates of one template: for each answer the indices of its candidates, and all their
    weights.
    """

    answers: tuple[str, ...]
    members: tuple[NDArray[np.int64], ...]
    weights: Array
    room: float
    """How many questions the pool can bear before its rarest answer runs short."""


def features(
    candidate: Candidate, template: Template, vocabulary: Vocabulary, richness: Mapping[str, int]
) -> tuple[str, ...]:
    """Return the features of a candidate's words and of its scene, in a fixed order for each template."""
    slots = dict(candidate.slots)
    out: list[str] = []
    names = []
    for name in template.descriptions:
        words = slots[name]
        mask = mask_name(words, vocabulary.classes)
        names.append(mask)
        of = vocabulary.shapes.get(words[2], words[2])
        out += [mask, words[0], words[1], words[2] if template.asks not in ("shape", "color") else of]
    said = [str(slots[name]) for name in template.relations]
    out += said
    if names and said:
        out.append(f"{names[-1]}|{said[-1]}")
    # Not words, but a guesser could tell them: the fuller the scene, the more is asked of it.
    out += [str(candidate.things), str(richness.get(candidate.scene, 0))]
    return tuple(out)


def pools_of(
    found: Mapping[str, Sequence[Candidate]],
    families: Mapping[str, Template],
    vocabulary: Vocabulary,
    draws: float,
    richness: Mapping[str, int],
) -> dict[str, Pool]:
    """Return the pools of a task's templates; a template is left out where fewer than two answers can be
    asked.

    `richness` is a scene's class by how much it offers.

    Answers of which a pool holds too few for `draws` questions are left out, the rarest first, where that
    makes more of the pool. Which answers these are depends on the pool alone, not on what is drawn.
    """
    tables: dict[str, _Table] = {}
    for name in sorted(found):
        table = _table(found[name], families[name], vocabulary, draws, richness)
        if table is not None:
            tables[name] = table
    _rake(tables)
    pools = {}
    for name, t in tables.items():
        members = tuple(t.rows[t.label == k] for k in range(len(t.answers)))
        weights = np.zeros(len(found[name]))
        weights[t.rows] = t.weights
        pools[name] = Pool(t.answers, members, weights, bearing(len(members), min(len(m) for m in members)))
    return pools


@dataclass(eq=False)
class _Table:
    """The candidates of one template that can be drawn: features and scenes as numbers, labels, and
    weights.
    """

    answers: tuple[str, ...]
    rows: NDArray[np.int64]
    label: NDArray[np.int64]
    coded: list[tuple[NDArray[np.int64], int]]
    scenes: list[str]
    weights: Array


def _table(
    found: Sequence[Candidate],
    template: Template,
    vocabulary: Vocabulary,
    draws: float,
    richness: Mapping[str, int],
) -> _Table | None:
    allowed = vocabulary.answers(template)
    kept = _kept(Counter(c.answer for c in found), draws)
    if len(kept) < 2:
        return None
    answers = tuple(a for a in allowed if a in kept)
    rows = np.array([k for k, c in enumerate(found) if c.answer in answers], dtype=np.int64)
    label = np.array([answers.index(found[k].answer) for k in rows], dtype=np.int64)
    columns = zip(*(features(found[k], template, vocabulary, richness) for k in rows), strict=True)
    uniques = [np.unique(np.array(c), return_inverse=True) for c in columns]
    coded = [(inverse, len(values)) for values, inverse in uniques if len(values) > 1]
    return _Table(answers, rows, label, coded, [found[k].scene for k in rows], np.ones(len(rows)))


def _rake(tables: Mapping[str, _Table]) -> None:
    """Bring the weights of a task's tables to where neither words nor scenes tell the answer.

    Scenes are balanced over all templates with the same few answers together, as one template has too few
    candidates of one scene: a scene of small things must not be a scene of answers "small".
    """
    groups: dict[tuple[str, ...], list[_Table]] = {}
    for t in tables.values():
        if len(t.answers) <= 5:
            groups.setdefault(t.answers, []).append(t)
    for _ in range(SWEEPS):
        for t in tables.values():
            raked(t)
        for group in groups.values():
            _even_scenes(group)


def _even_scenes(group: Sequence[_Table]) -> None:
    scenes = {s: k for k, s in enumerate(dict.fromkeys(s for t in group for s in t.scenes))}
    places = [np.array([scenes[s] for s in t.scenes], dtype=np.int64) for t in group]
    k = len(group[0].answers)
    total = np.zeros((len(scenes), k))
    for t, at in zip(group, places, strict=True):
        total += np.bincount(at * k + t.label, t.weights, k * len(scenes)).reshape(-1, k)
    share = total / total.sum(axis=0) + 0.05 / len(scenes)
    scarce = total.sum(axis=0) ** -2.0
    ratio = np.exp(np.log(share) @ (scarce / scarce.sum()))[:, None] / share
    for t, at in zip(group, places, strict=True):
        t.weights = t.weights * ratio[at, t.label]
        _level(t)


def _level(t: _Table) -> None:
    """Cut weights that are too heavy, and bring the mean of every answer back to 1."""
    totals = np.bincount(t.label, minlength=len(t.answers))
    weights = np.minimum(t.weights, HEAVIEST)
    t.weights = weights * (totals / np.bincount(t.label, weights, len(t.answers)))[t.label]


def bearing(answers: int, rarest: int) -> float:
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


def raked(t: _Table) -> None:
    """Bring the weights of one table, feature by feature, to where no feature tells the answer."""
    answers = len(t.answers)
    totals = np.bincount(t.label, minlength=answers).astype(float)
    # Of the rarest answer nearly all candidates are drawn, whatever they weigh: the others come to meet it.
    scarce = totals**-2.0 / (totals**-2.0).sum()
    for inverse, values in t.coded:
        cell = inverse * answers + t.label
        share = np.bincount(cell, t.weights, values * answers).reshape(values, answers) / totals
        # A little of everything, so that a feature that an answer has only by chance not met stays.
        share = share + 0.1 / totals
        target = np.exp(np.log(share) @ scarce)
        t.weights = t.weights * (target[:, None] / share).reshape(-1)[cell]
        _level(t)


def shares(pools: Mapping[str, Pool], total: int) -> dict[str, int]:
    """Return how many questions each template gets: equal shares, but no more than its pool can bear.

    What a small pool cannot bear goes to the others in equal shares; what none can bear is not asked.
    """
    given: dict[str, float] = dict.fromkeys(pools, 0.0)
    left = float(total)
    open_ = set(pools)
    while left > 1e-9 and open_:
        each = left / len(open_)
        for name in sorted(open_):
            more = min(each, pools[name].room - given[name])
            given[name] += more
            left -= more
            if given[name] >= pools[name].room - 1e-9:
                open_.discard(name)
    total = round(total - left)
    whole = {name: int(v) for name, v in given.items()}
    rest = sorted(given, key=lambda name: (whole[name] - given[name], name))
    for name in rest[: total - sum(whole.values())]:
        whole[name] += 1
    return whole
