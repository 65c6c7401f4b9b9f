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
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array
from fathom.questions.asking import StillCandidate
from fathom.questions.templates import Template, Words
from fathom.questions.vocabulary import Vocabulary

Ints = NDArray[np.int64]

Column = list[Any]
"""One thing that can be told of candidates, in their order."""

SWEEPS = 8
HEAVIEST = 8.0
"""The most that one candidate may weigh, in units of the mean of its answer."""

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

FEW = 5
"""Answers of a family with at most so many are weighed against one another by how even they are."""

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

UNSEEN = 0.3
"""Candidates that every answer is taken to have of everything, so that what it happens to lack stays."""

EVIDENCE = 6.0
"""What fewer candidates an answer have, on average, is taken together: its differences are chance."""


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

    `label` is each one's answer, `form` the features of how it is built, `words` those of what it says.
    `heaviest` is the most that each answer's candidates may weigh; `care`, from 0 to 1, how strictly it is
    held to what many questions would teach a guesser.
    """

    template: str
    answers: tuple[str, ...]
    rows: Ints
    label: Ints
    totals: Array
    form: list[_Feature]
    words: dict[str, Column]
    scenes: Column
    weights: Array
    heaviest: Array
    care: float


@dataclass(frozen=True, eq=False)
class _Feature:
    """Something that can be told of questions: its level in every row, and the shares it should come to.

    `cells` numbers level and answer together; `target` (levels × answers) is the share of each level given
    the answer, flattened, and `wanted` the weight that this makes of the candidates.
    """

    cells: Ints
    target: Array
    wanted: Array


def _feature(levels: Ints, label: Ints, totals: Array, values: int) -> _Feature:
    """Return a feature whose shares are brought to one that all answers have in common."""
    k = len(totals)
    rare = np.bincount(levels, minlength=values) < EVIDENCE * k
    if rare.any():
        levels = np.where(rare[levels], 0, levels + 1)
        values += 1
    cells = levels * k + label
    count = np.bincount(cells, minlength=values * k).reshape(values, k)
    common = np.where(count.any(axis=1), _common((count + UNSEEN) / totals, totals), 0.0)
    target = np.repeat(common / common.sum(), k)
    return _Feature(cells, target, (target.reshape(-1, k) * totals).ravel())


def _common(shares: Array, totals: Array) -> Array:
    """Return what the shares of every level (levels × answers) should come to for all answers alike."""
    if len(totals) <= FEW:
        # The harmonic mean: what one answer hardly ever goes with fades for the others too. Each such way to
        # build a question is rare, but there are hundreds, and what is left of them adds up over blocks.
        return np.asarray(len(totals) / (1 / shares).sum(axis=1))
    # Of the rarest answer nearly all candidates are drawn, whatever they weigh: the others come to meet it.
    scarce = totals**-2.0 / (totals**-2.0).sum()
    return np.asarray(np.exp(np.log(shares) @ scarce))


class _Words(NamedTuple):
    """What can be told of a description: which words it has, as a number, how many there are, how many
    letters, its size, and the class of its shape.
    """

    kind: int
    number: int
    letters: int
    size: str
    kin: str


def _told_of(words: Words, vocabulary: Vocabulary) -> _Words:
    size, color, shape = words
    kind = bool(size) + 2 * bool(color) + (4 if shape in vocabulary.classes else 8 if shape else 0)
    number = bool(size) + bool(color) + bool(shape)
    letters = len(size) + len(color) + len(shape)
    return _Words(kind, number, letters, size, vocabulary.shapes.get(shape, shape))


def _coded(column: Sequence[Hashable]) -> tuple[Ints, int]:
    """Return the values of a column as numbers from 0, and how many different ones there are."""
    levels = {v: k for k, v in enumerate(dict.fromkeys(column))}
    return np.fromiter(map(levels.__getitem__, column), np.int64, len(column)), len(levels)


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
    tables = []
    for name in sorted(found):
        table = _table(found[name], families[name], vocabulary, total * targets[name], richness, care)
        if table is not None:
            tables.append(table)
    joint = _joint(tables)
    _rake(tables, joint, SWEEPS)
    rooms = {t.template: _room(t) for t in tables}
    tasks = {families[name].task for name in rooms}
    kinds = {name: t.kind or name for name, t in families.items() if t.task in tasks}
    for _ in range(ROUNDS):
        wanted = shares(rooms, total, targets, kinds)
        for t in tables:
            drawn = max(wanted[t.template], 1) / len(t.answers)
            t.heaviest = np.clip(SURELY * t.totals / drawn, 1.0, HEAVIEST)
        _rake(tables, joint, SWEEPS // 2)
        uneven = [t for t in tables if _off(t) > UNEVEN / t.care]
        if not uneven:
            break
        for t in uneven:
            rooms[t.template] = YIELDS * wanted[t.template]
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
    found: Sequence[StillCandidate],
    template: Template,
    vocabulary: Vocabulary,
    draws: float,
    richness: Mapping[str, int],
    care: float,
) -> _Table | None:
    care *= min(1.0, draws / LEARNT)
    kept = _kept(Counter(c.answer for c in found), draws, care)
    best: tuple[float, _Table | None] = (0.0, None)
    told = _Told(found, template, vocabulary, richness, frozenset(kept))
    while len(kept) >= 2:
        table = _filled(told, kept, care)
        if not 2 < len(kept) <= FEW and best[1] is None:
            return table
        for _ in range(SWEEPS // 2):
            _raked(table, table.form)
        worth = _worth(_room(table), draws, len(kept))
        if worth > best[0] and _off(table) < UNEVEN / care:
            best = worth, table
        kept = [a for a in kept if a != table.answers[int(_equal(table).argmin())]]
    if best[1] is not None:
        best[1].weights[:] = 1.0
    return best[1]


class _Told:
    """What can be told of those candidates of a template that have some answers: `rows` are their places
    among all. Column by column, `forms` says how each is built and what its scene offers, `words` what it
    says, by where its words stand, counted from the answer.
    """

    def __init__(
        self,
        found: Sequence[StillCandidate],
        template: Template,
        vocabulary: Vocabulary,
        richness: Mapping[str, int],
        answers: frozenset[str],
    ) -> None:
        self.template, self.order = template, vocabulary.answers(template)
        self.rows = [k for k, c in enumerate(found) if c.answer in answers]
        some = [found[k] for k in self.rows]
        self.answers, self.scenes = [c.answer for c in some], [c.scene for c in some]
        filled = {name: [c.slots[k][1] for c in some] for k, name in enumerate(template.slot_names)}
        described: list[list[Any]] = [filled[name] for name in template.descriptions]
        described = described or [[("", "", "")] * len(some)]
        known = {words: _told_of(words, vocabulary) for words in {w for column in described for w in column}}
        said = [[known[w] for w in column] for column in described]
        # Not words, but a guesser could tell them: the fuller the scene, the more is asked of it.
        rich = [[c.objects // 2 for c in some], [richness.get(c.scene, 0) for c in some]]
        self.forms = [*_forms(said, [filled[name] for name in template.relations]), *rich]
        by_kin = template.asks in ("shape", "color")
        self.words: dict[str, Column] = {}
        for place, (column, of_each) in enumerate(zip(reversed(described), reversed(said), strict=True)):
            self.words[f"{place}s"] = [s.size for s in of_each]
            self.words[f"{place}c"] = [w[1] for w in column]
            self.words[f"{place}k"] = [s.kin for s in of_each] if by_kin else [w[2] for w in column]


def _forms(said: Sequence[Sequence[_Words]], related: Sequence[Column]) -> list[Column]:
    """Return how candidates are built, column by column, from their descriptions and relation words."""
    kinds: list[Column] = [[s.kind for s in column] for column in said]
    long: Column = [sum(counts) for counts in zip(*[[s.number for s in c] for c in said], strict=True)]
    letters = [sum(n) // 6 for n in zip(*[[s.letters for s in c] for c in said], strict=True)]
    out: list[Column] = [list(zip(*kinds, strict=True)), long, letters]
    if len(said) > 1:
        out += kinds
    out += related
    if related:
        out.append(list(zip(related[-1], long, strict=True)))
    for column in said:
        out += [[s.size for s in column], [s.kin for s in column]]
    return out


def _filled(told: _Told, kept: Sequence[str], care: float) -> _Table:
    """Return the table of the candidates whose answers are kept."""
    answers = tuple(a for a in told.order if a in kept)
    place = {a: k for k, a in enumerate(answers)}
    some = [k for k, a in enumerate(told.answers) if a in place]

    def of_some(column: Column) -> Column:
        return column if len(some) == len(column) else [column[k] for k in some]

    label = np.array([place[told.answers[k]] for k in some], dtype=np.int64)
    totals = np.bincount(label, minlength=len(answers)).astype(float)
    coded = [_coded(of_some(column)) for column in told.forms]
    return _Table(
        told.template.id,
        answers,
        np.array([told.rows[k] for k in some], dtype=np.int64),
        label,
        totals,
        [_feature(codes, label, totals, values) for codes, values in coded if values > 1],
        {name: of_some(column) for name, column in told.words.items()},
        of_some(told.scenes),
        np.ones(len(some)),
        np.full(len(answers), HEAVIEST),
        care,
    )


def _joint(tables: Sequence[_Table]) -> list[tuple[list[_Table], list[list[_Feature]]]]:
    """Return the tables with the same answers together, and for each group the features that they share.

    Scenes are features too: a scene of small objects must not be a scene of answers "small".
    """
    groups: dict[tuple[str, ...], list[_Table]] = defaultdict(list)
    for t in tables:
        groups[t.answers].append(t)
    return [(group, _shared(group)) for group in groups.values()]


def _shared(group: Sequence[_Table]) -> list[list[_Feature]]:
    label = np.concatenate([t.label for t in group])
    totals = np.sum([t.totals for t in group], axis=0)
    edges = np.cumsum([len(t.label) for t in group])[:-1]
    names = dict.fromkeys(name for t in group for name in t.words)
    columns = [[t.words.get(name) or [""] * len(t.label) for t in group] for name in names]
    if len(group[0].answers) <= FEW:
        columns.append([t.scenes for t in group])
    found = []
    for column in columns:
        codes, values = _coded([v for part in column for v in part])
        if values > 1:
            feature = _feature(codes, label, totals, values)
            split = np.split(feature.cells, edges)
            found.append([_Feature(cells, feature.target, feature.wanted) for cells in split])
    return found


def _rake(
    tables: Sequence[_Table], joint: Sequence[tuple[list[_Table], list[list[_Feature]]]], sweeps: int
) -> None:
    """Bring the weights of a task's tables to where neither words nor scenes tell the answer."""
    tops = [[t.heaviest.take(t.label) for t in group] for group, _ in joint]
    for _ in range(sweeps):
        for (group, features), heaviest in zip(joint, tops, strict=True):
            for parts in features:
                counts = [
                    np.bincount(p.cells, t.weights, len(p.target)) for p, t in zip(parts, group, strict=True)
                ]
                ratio = parts[0].wanted / np.maximum(np.sum(counts, axis=0), 1e-9)
                for p, t, most in zip(parts, group, heaviest, strict=True):
                    t.weights *= ratio.take(p.cells)
                    _level(t, most)
        for t in tables:
            _raked(t, t.form)


def _level(t: _Table, heaviest: Array) -> None:
    """Cut weights that are heavier than `heaviest`, and bring the mean of every answer back to 1."""
    weights = np.minimum(t.weights, heaviest, out=t.weights)
    weights *= (t.totals / np.bincount(t.label, weights, len(t.answers))).take(t.label)


def _raked(t: _Table, features: Sequence[_Feature]) -> None:
    """Bring the weights of one table, feature by feature, to where no feature tells the answer."""
    heaviest = t.heaviest.take(t.label)
    for f in features:
        count = np.bincount(f.cells, t.weights, len(f.target))
        t.weights *= (f.wanted / np.maximum(count, 1e-9, out=count)).take(f.cells)
        _level(t, heaviest)


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
