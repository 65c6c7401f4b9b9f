"""Weights under which the words of a question do not tell its answer.

Candidates come as the scenes offer them: "small" may go with "no" more often than with "yes". The weights
found here, by raking, make every word equally likely whatever the answer is: for each feature of the words
(which attributes a description mentions, each word, each relation) its distribution given the answer is
brought to one that all answers share, the geometric mean of theirs, so that what some answer never goes with
fades for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.build.questions.candidates import Candidate
from fathom.build.questions.templates import Template
from fathom.build.questions.vocabulary import Vocabulary
from fathom.build.questions.wording import mask_name
from fathom.geometry.poses import Array

SWEEPS = 10
HEAVIEST = 8.0
"""The most that one candidate may weigh, in units of the mean of its answer."""


@dataclass(frozen=True, eq=False)
class Pool:
    """The candidates of one template: for each answer the indices of its candidates, and all their weights."""

    answers: tuple[str, ...]
    members: tuple[NDArray[np.int64], ...]
    weights: Array
    room: float
    """How many questions the pool can bear before its rarest answer runs short."""


def features(candidate: Candidate, template: Template, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the features of a candidate's words, in a fixed order for each template."""
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
    return tuple(out)


def pool_of(
    found: Sequence[Candidate], template: Template, vocabulary: Vocabulary, draws: float, slack: float = 2.0
) -> Pool | None:
    """Return the pool of a template's candidates, None where fewer than two answers can be asked for.

    An answer is left out when the pool holds too few of it for `draws` questions: the rarest first, as long
    as that leaves more room. Which answers these are depends on the pool alone, not on what is drawn.
    """
    allowed = vocabulary.answers(template)
    rows: dict[str, list[int]] = {a: [] for a in allowed}
    for k, c in enumerate(found):
        rows[c.answer].append(k)
    kept = sorted((a for a in allowed if len(rows[a]) >= 2), key=lambda a: -len(rows[a]))
    while len(kept) > 2 and len(kept) * len(rows[kept[-1]]) / slack < draws:
        kept.pop()
    if len(kept) < 2:
        return None
    answers = tuple(a for a in allowed if a in kept)
    members = tuple(np.array(rows[a], dtype=np.int64) for a in answers)
    label = np.full(len(found), -1)
    for k, m in enumerate(members):
        label[m] = k
    used = np.flatnonzero(label >= 0)
    columns = [features(found[k], template, vocabulary) for k in used]
    weights = np.zeros(len(found))
    weights[used] = raked(columns, label[used], len(answers))
    room = len(answers) * min(len(m) for m in members) / slack
    return Pool(answers, members, weights, room)


def raked(columns: Sequence[Sequence[str]], label: NDArray[np.integer], answers: int) -> Array:
    """Return weights, with mean 1 for every answer, under which no feature tells the answer.

    `columns` holds each candidate's features, `label` its answer's number.
    """
    n = len(label)
    coded = [np.unique(np.array(c), return_inverse=True) for c in zip(*columns, strict=True)]
    tables = [(inverse, len(values)) for values, inverse in coded if len(values) > 1]
    totals = np.bincount(label, minlength=answers).astype(float)
    weights = np.ones(n)
    for _ in range(SWEEPS):
        for inverse, values in tables:
            cell = inverse * answers + label
            share = np.bincount(cell, weights, values * answers).reshape(values, answers) / totals
            # A little of everything, so that a feature that an answer has only by chance not met stays.
            share = share + 0.25 / totals
            target = np.exp(np.log(share).mean(axis=1))
            weights = weights * (target[:, None] / share).reshape(-1)[cell]
            weights = np.minimum(weights, HEAVIEST)
            weights = weights * (totals / np.bincount(label, weights, answers))[label]
    return np.asarray(weights)


def shares(pools: Mapping[str, Pool], total: int) -> dict[str, int]:
    """Return how many questions each template gets: equal shares, but no more than its pool can bear.

    What a small pool cannot bear goes to the others in equal shares; where all of them are full, the rest
    is spread by room.
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
    if left > 1e-9 and pools:
        room = sum(p.room for p in pools.values())
        for name, p in pools.items():
            given[name] += left * p.room / room
    whole = {name: int(v) for name, v in given.items()}
    rest = sorted(given, key=lambda name: (whole[name] - given[name], name))
    for name in rest[: total - sum(whole.values())]:
        whole[name] += 1
    return whole
