"""Weights under which the words of a question do not tell its answer.

Candidates come as the scenes offer them: "small" may go with "no" more often than with "yes", and a long
description with "0". The weights found here, by raking, make every wording equally likely whatever the answer
is: for each feature its distribution given the answer is brought to one that all answers share, a mean of
theirs in which what some answer never goes with fades for all: the harmonic mean where there are few answers,
and otherwise a geometric one that leans to the rarest answer's.

How a question is built (which descriptions say how much, and which relation) is evened out in each template,
and so is which size and which class of object each description names: what hides others is large, and what is
hidden is small, so that templates may pull in opposite directions and seem even together. All other words are
evened in all templates of a task with the same answers together, as one template has too few candidates to
estimate that from: weights that follow chance would let one half of the file tell the other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from fathom.geometry.poses import Array
from fathom.questions.asking import StillCandidate
from fathom.questions.columns import Column, Ints, column, constant, end_to_end, paired, summed
from fathom.questions.raking import FEW, HEAVIEST, Feature, RakedTable, Raking, Shared, feature
from fathom.questions.templates import Template, Words
from fathom.questions.vocabulary import Vocabulary

SWEEPS = 8

AT_EASE = 150
"""Scenes from which on a block is held to all of this; smaller ones teach no guesser."""

LEARNT = 20
"""Questions of a family from which on it is held to all of this, for the same reason."""

SLACK = (1.06, 1.25, 1.5, 2.0, 4.0)
"""By how much a family may exceed its target share where others fall short: the least of these with which
ENOUGH of what is wanted can be asked."""

ENOUGH = 0.8

WITHIN_KIND = (1.08, 1.6)
"""By how much a family may exceed its target where others of its kind fall short: the least with which a kind
has NEARLY all that it could have of its share."""

NEARLY = 0.95

UNEVEN = 0.08
"""The share of an answer's questions that may be built otherwise than those of other answers are."""

ROUNDS = 2
"""How often less is asked of pools that are uneven, before that is put up with."""

YIELDS = 0.95
"""What an uneven pool keeps of its questions each time: all times together take less than a tenth of them."""

FULL = 2.0
"""By which power of the share that it can be asked of what is wanted the worth of a pool falls."""

SPENT = 1.0
"""How many questions there may be for each candidate that a pool's weights leave it worth."""

SURELY = 0.9
"""The highest probability with which a candidate is meant to be drawn: the rest is room for chance."""


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
class _Table(RakedTable):
    """The candidates of one template that can be drawn, as numbers.

    `rows` are their places among all candidates of the template, `words` says what they say, and `scenes`
    what they are asked of; `care`, from 0 to 1, how strictly they are held to what many questions would teach
    a guesser.
    """

    template: str
    answers: tuple[str, ...]
    rows: Ints
    words: dict[str, Column]
    scenes: Column
    care: float


class _Words(NamedTuple):
    """What can be told of a description: which words it has, as bits, how many letters, and its size, color,
    shape, and the class of its shape.
    """

    kind: int
    letters: int
    size: str
    color: str
    shape: str
    kin: str


_KIND, _LETTERS, _SIZE, _COLOR, _SHAPE, _KIN = map(itemgetter, range(6))


class _Described(dict[Words, _Words]):
    """What can be told of descriptions, each worked out once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.vocabulary = vocabulary

    def __missing__(self, words: Words) -> _Words:
        """Work out what can be told of a description, and return it."""
        size, color, shape = words
        kind = bool(size) + 2 * bool(color) + (4 if shape in self.vocabulary.classes else 8 if shape else 0)
        letters = len(size) + len(color) + len(shape)
        found = _Words(kind, letters, size, color, shape, self.vocabulary.shapes.get(shape, shape))
        self[words] = found
        return found


def pools_of(
    found: Mapping[str, Sequence[StillCandidate]],
    families: Mapping[str, Template],
    vocabulary: Vocabulary,
    total: int,
    richness: Mapping[str, int],
    targets: Mapping[str, float],
) -> dict[str, Pool]:
    """Return the pools of a task's templates, from which `total` questions are wanted, by their `targets`.

    A template is left out where fewer than two answers can be asked. `richness` is a scene's class by how
    much it offers. Answers of which a pool holds too few, or that it can only ask in words of their own, are
    left out, where that makes more of the pool. Which answers these are depends on the pool alone, not on
    what is drawn.
    """
    care = min(1.0, len(richness) / AT_EASE)
    tables, described = [], _Described(vocabulary)
    for name in sorted(found):
        table = _table(found[name], families[name], described, total * targets[name], richness, care)
        if table is not None:
            tables.append(table)
    if not tables:
        return {}
    raking = Raking(tables, _shared(tables))
    raking.sweep(SWEEPS)
    rooms = {t.template: _room(t) for t in tables}
    tasks = {families[name].task for name in rooms}
    kinds = {name: t.kind or name for name, t in families.items() if t.task in tasks}
    for _ in range(ROUNDS):
        wanted = shares(rooms, total, targets, kinds)
        for t in tables:
            drawn = max(wanted[t.template], 1) / len(t.answers)
            t.heaviest = np.clip(SURELY * t.totals / drawn, 1.0, HEAVIEST)
        raking.sweep(SWEEPS // 2)
        uneven = [t for t in tables if _off(t) > UNEVEN / t.care]
        if not uneven:
            break
        for t in uneven:
            rooms[t.template] = YIELDS * wanted[t.template]
    return {t.template: _pool(t, wanted[t.template], len(found[t.template])) for t in tables}


def _pool(t: _Table, wanted: int, candidates: int) -> Pool:
    """Return the pool of a table's template, of which there are so many candidates."""
    drawn = wanted / len(t.answers)
    chance = np.minimum(t.weights * (drawn / t.totals)[t.label], 0.97)
    weights = np.zeros(candidates)
    # Drawn one by one without return, a candidate comes up with about 1 − exp(−weight).
    weights[t.rows] = -np.log1p(-chance)
    members = tuple(t.rows[t.label == k] for k in range(len(t.answers)))
    return Pool(t.answers, members, weights, wanted)


def _table(
    found: Sequence[StillCandidate],
    template: Template,
    described: _Described,
    draws: float,
    richness: Mapping[str, int],
    care: float,
) -> _Table | None:
    care *= min(1.0, draws / LEARNT)
    answers = column([c.answer for c in found])
    counts = np.bincount(answers.codes, minlength=len(answers.values)).tolist()
    kept = _kept(dict(zip(answers.values, counts, strict=True)), draws, care)
    best: tuple[float, _Table | None] = (0.0, None)
    told = _Told(found, template, described, richness, answers)
    while len(kept) >= 2:
        table = _filled(told, kept, care)
        if not 2 < len(kept) <= FEW and best[1] is None:
            return table
        Raking([table]).sweep(SWEEPS // 2)
        worth = _worth(_room(table), draws, len(kept))
        if worth > best[0] and _off(table) < UNEVEN / care:
            best = worth, table
        kept = [a for a in kept if a != table.answers[int(_equal(table).argmin())]]
    if best[1] is not None:
        best[1].weights[:] = 1.0
    return best[1]


class _Told:
    """What can be told of the candidates of a template. Column by column, `forms` says how each is built and
    what its scene offers, `words` what it says, by where its words stand, counted from the answer.
    """

    def __init__(
        self,
        found: Sequence[StillCandidate],
        template: Template,
        described: _Described,
        richness: Mapping[str, int],
        answers: Column,
    ) -> None:
        self.template, self.answers = template, answers
        self.order = described.vocabulary.answers(template)
        self.scenes = column([c.scene for c in found])
        filled = {name: column([c.slots[k][1] for c in found]) for k, name in enumerate(template.slot_names)}
        columns = [filled[name] for name in template.descriptions] or [constant(("", "", ""), len(found))]
        said = [replace(c, values=[described[w] for w in c.values]) for c in columns]
        # Not words, but a guesser could tell them: the fuller the scene, the more is asked of it.
        rich = [column([c.objects // 2 for c in found]), self.scenes.of(lambda s: richness.get(s, 0))]
        self.forms = [*_forms(said, [filled[name] for name in template.relations]), *rich]
        by_kin = template.asks in ("shape", "color")
        self.words: dict[str, Column] = {}
        for place, words in enumerate(reversed(said)):
            self.words[f"{place}s"] = words.of(_SIZE)
            self.words[f"{place}c"] = words.of(_COLOR)
            self.words[f"{place}k"] = words.of(_KIN if by_kin else _SHAPE)


def _forms(said: Sequence[Column], related: Sequence[Column]) -> list[Column]:
    """Return how candidates are built, column by column, from their descriptions and relation words."""
    kinds = [words.of(_KIND) for words in said]
    long = reduce(summed, [kind.of(int.bit_count) for kind in kinds])
    letters = reduce(summed, [words.of(_LETTERS) for words in said]).of(lambda n: n // 6)
    out = [reduce(paired, kinds), long, letters]
    if len(said) > 1:
        out += kinds
    out += related
    if related:
        out.append(paired(related[-1], long))
    for words in said:
        out += [words.of(_SIZE), words.of(_KIN)]
    return out


def _filled(told: _Told, kept: Sequence[str], care: float) -> _Table:
    """Return the table of the candidates whose answers are kept."""
    answers = tuple(a for a in told.order if a in kept)
    place = {a: k for k, a in enumerate(answers)}
    label = np.array([place.get(a, -1) for a in told.answers.values], dtype=np.int64).take(told.answers.codes)
    rows = np.flatnonzero(label >= 0)
    every = len(rows) == len(label)
    label = label.take(rows)
    totals = np.bincount(label, minlength=len(answers)).astype(float)
    forms = told.forms if every else [c.some(rows) for c in told.forms]
    return _Table(
        label,
        totals,
        [feature(c, label, totals) for c in forms if len(c.values) > 1],
        told.template.id,
        answers,
        rows,
        told.words if every else {name: c.some(rows) for name, c in told.words.items()},
        told.scenes if every else told.scenes.some(rows),
        care,
    )


def _shared(tables: Sequence[_Table]) -> list[Shared]:
    """Return the tables with the same answers together, and for each group the features that they share.

    Scenes are features too: a scene of small objects must not be a scene of answers "small".
    """
    groups: dict[tuple[str, ...], list[_Table]] = defaultdict(list)
    for t in tables:
        groups[t.answers].append(t)
    return [(group, _features(group)) for group in groups.values()]


def _features(group: Sequence[_Table]) -> list[Feature]:
    label = np.concatenate([t.label for t in group])
    totals = np.sum([t.totals for t in group], axis=0)
    names = dict.fromkeys(name for t in group for name in t.words)
    columns = [[t.words.get(name) or constant("", len(t.label)) for t in group] for name in names]
    if len(group[0].answers) <= FEW:
        columns.append([t.scenes for t in group])
    joined = map(end_to_end, columns)
    return [feature(c, label, totals) for c in joined if len(c.values) > 1]


def _equal(t: _Table) -> Array:
    """Return for each answer how many candidates of equal weight would vary as much."""
    return np.asarray(t.totals**2 / np.bincount(t.label, t.weights**2, len(t.answers)))


def _off(t: _Table) -> float:
    """Return how much of an answer, at most, is built in ways that are not those that all should share."""
    k = len(t.answers)
    worst = 0.0
    for f in t.form:
        share = np.bincount(f.cells, t.weights, len(f.target)).reshape(-1, k) / t.totals
        worst = max(worst, float(np.abs(share - f.target.reshape(-1, k)).sum(axis=0).max()) / 2)
    return worst


def _room(t: _Table) -> float:
    """Return how many questions a table can bear before its rarest answer runs short."""
    k = len(t.answers)
    return min(bearing(k, float(t.totals.min()), t.care), SPENT / t.care * k * float(_equal(t).min()))


def bearing(answers: int, rarest: float, care: float = 1.0) -> float:
    """Return how many questions can be drawn with that many answers before the rarest is likely to run out.

    Draws of one answer vary as their mean's square root: two and a half times that must still be there, and
    three in ten of the candidates are never counted on; less of both with less `care`, from 0 to 1.
    """
    spread, counted = 2.5 * care, 1 - 0.3 * care
    root = (math.sqrt(spread**2 + 4 * counted * rarest) - spread) / 2
    return answers * max(root, 0.0) ** 2


def _worth(bears: float, draws: float, answers: int) -> float:
    """Return what a pool is worth with that many answers: bits, and less where it bears fewer than so many
    questions, so that a family rather has its share than one answer more.
    """
    return float(min(bears / draws, 1.0) ** FULL * math.log2(answers))


def _kept(counts: Mapping[str, int], draws: float, care: float) -> list[str]:
    """Return the answers to ask for: those with which a pool is worth most, for at most `draws`
    questions.
    """
    ranked = sorted((a for a in counts if counts[a] >= 1 + (care > 0.5)), key=lambda a: -counts[a])
    best: tuple[float, int] = (0.0, 0)
    for size in range(len(ranked), 1, -1):
        worth = _worth(bearing(size, counts[ranked[size - 1]], care), draws, size)
        if worth > best[0]:
            best = (worth, size)
    return ranked[: best[1]]


def shares(
    rooms: Mapping[str, float],
    total: int,
    targets: Mapping[str, float],
    kinds: Mapping[str, str] | None = None,
) -> dict[str, int]:
    """Return how many questions each template gets: its share by `targets`, but no more than its pool can
    bear.

    What a small pool cannot bear goes first to templates of the same kind (one hop, two hops), and then to
    others, as long as no kind has much more than its share of what is asked; what would take it beyond that
    is not asked.
    """
    of_kind: dict[str, list[str]] = defaultdict(list)
    for name in sorted(rooms):
        of_kind[kinds[name] if kinds else name].append(name)
    # The share of a family that has no pool at all is still its kind's.
    goals = dict.fromkeys(of_kind, 0.0)
    for name in kinds or rooms:
        kind = kinds[name] if kinds else name
        if kind in goals:
            goals[kind] += targets[name]
    bears: dict[str, float] = {}
    for kind, names in of_kind.items():
        bears |= _bearing_of({n: rooms[n] for n in names}, total, targets, goals[kind], kinds is not None)
    space = {kind: sum(bears[n] for n in names) for kind, names in of_kind.items()}
    given: dict[str, float] = {}
    for slack in SLACK:
        given = _within(space, total, goals, slack)
        if sum(given.values()) >= ENOUGH * min(total, sum(space.values())):
            break
    found: dict[str, float] = {}
    for kind, names in of_kind.items():
        found |= _filled_up({n: bears[n] for n in names}, targets, given[kind])
    whole = {name: int(v) for name, v in found.items()}
    rest = sorted(found, key=lambda name: (whole[name] - found[name], name))
    for name in rest[: round(sum(found.values())) - sum(whole.values())]:
        whole[name] += 1
    return whole


def _bearing_of(
    rooms: Mapping[str, float], total: int, targets: Mapping[str, float], goal: float, kin: bool
) -> dict[str, float]:
    """Return how many questions each family of a kind may have, none much more than its share where the kind
    has `goal`, its own share, nearly without that; `kin` where families make kinds at all.
    """
    near, far = WITHIN_KIND if kin else (math.inf, math.inf)
    wide = {n: min(room, far * targets[n] * total) for n, room in rooms.items()}
    narrow = {n: min(room, near * targets[n] * total) for n, room in rooms.items()}
    return narrow if sum(narrow.values()) >= NEARLY * min(sum(wide.values()), goal * total) else wide


def _within(
    rooms: Mapping[str, float], total: int, targets: Mapping[str, float], slack: float
) -> dict[str, float]:
    """Return the most questions, up to `total`, of which nothing has more than `slack` times its target
    share; what is left to choose comes as near to its share as the others' lack allows.
    """
    low, high = 0.0, float(total)
    for _ in range(40):
        asked = (low + high) / 2
        enough = sum(min(rooms[n], slack * targets[n] * asked) for n in rooms) >= asked
        low, high = (asked, high) if enough else (low, asked)
    bears = {n: min(rooms[n], slack * targets[n] * high) for n in rooms}
    return _filled_up(bears, targets, min(high, sum(bears.values())))


def _filled_up(rooms: Mapping[str, float], targets: Mapping[str, float], amount: float) -> dict[str, float]:
    """Return an amount given out by targets, to each no more than it has room for."""
    found: dict[str, float] = {}
    left, weight = amount, sum(targets[n] for n in rooms)
    for n in sorted(rooms, key=lambda n: (rooms[n] / targets[n], n)):
        found[n] = min(rooms[n], left * targets[n] / weight) if weight > 1e-12 else 0.0
        left, weight = left - found[n], weight - targets[n]
    return found
