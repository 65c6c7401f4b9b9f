"""Raking: the weights of candidates are brought, feature by feature, to where no feature tells the answer.

Tables that share no feature have nothing to do with one another: theirs take their turn together, numbered
through, which takes a tenth of the calls. Every sum is still over one table, in the order of its candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

import numpy as np

from fathom.geometry.poses import Array
from fathom.questions.columns import Column, Ints

FEW = 5
"""Answers of a family with at most so many are weighed against one another by how even they are."""

HEAVIEST = 8.0
"""The most that one candidate may weigh, in units of the mean of its answer."""

UNSEEN = 0.3
"""Candidates that every answer is taken to have of everything, so that what it happens to lack stays."""

EVIDENCE = 6.0
"""What fewer candidates an answer have, on average, is taken together: its differences are chance."""


@dataclass(frozen=True, eq=False)
class Feature:
    """Something that can be told of questions: its level in every row, and the shares it should come to.

    `cells` numbers level and answer together; `target` (levels × answers) is the share of each level given
    the answer, flattened, and `wanted` the weight that this makes of the candidates.
    """

    cells: Ints
    target: Array
    wanted: Array


def feature(told: Column, label: Ints, totals: Array) -> Feature:
    """Return a feature whose shares are brought to one that all answers have in common; `label` is the answer
    of every row, and `totals` how many rows each answer has.
    """
    k, levels, values = len(totals), told.codes, len(told.values)
    rare = np.bincount(levels, minlength=values) < EVIDENCE * k
    if rare.any():
        levels = np.where(rare, 0, np.arange(1, values + 1)).take(levels)
        values += 1
    cells = levels * k + label
    count = np.bincount(cells, minlength=values * k).reshape(values, k)
    common = np.where(count.any(axis=1), _common((count + UNSEEN) / totals, totals), 0.0)
    target = (common / common.sum()).repeat(k)
    return Feature(cells, target, (target.reshape(-1, k) * totals).ravel())


def _common(shares: Array, totals: Array) -> Array:
    """Return what the shares of every level (levels × answers) should come to for all answers alike."""
    if len(totals) <= FEW:
        # The harmonic mean: what one answer hardly ever goes with fades for the others too. Each such way to
        # build a question is rare, but there are hundreds, and what is left of them adds up over blocks.
        return np.asarray(len(totals) / (1 / shares).sum(axis=1))
    # Of the rarest answer nearly all candidates are drawn, whatever they weigh: the others come to meet it.
    scarce = totals**-2.0 / (totals**-2.0).sum()
    return np.asarray(np.exp(np.log(shares) @ scarce))


@dataclass(eq=False)
class RakedTable:
    """The candidates of one template that can be drawn, with their weights.

    `label` is each one's answer, `totals` how many candidates each answer has, `form` the features of how
    they are built; `heaviest` is the most that each answer's candidates may weigh.
    """

    label: Ints
    totals: Array
    form: list[Feature]
    weights: Array = field(init=False)
    heaviest: Array = field(init=False)

    def __post_init__(self) -> None:
        self.weights = np.ones(len(self.label))
        self.heaviest = np.full(len(self.totals), HEAVIEST)


Shared = tuple[Sequence[RakedTable], Sequence[Feature]]
"""Tables with the same answers, and the features that they have together, over the rows of all."""


class Raking:
    """The raking of several tables, whose weights become parts of one array: first what some of them share,
    and then how the candidates of each are built.
    """

    def __init__(self, tables: Sequence[RakedTable], shared: Sequence[Shared] = ()) -> None:
        # Tables with more features of their form come first: so the rows of each such turn are one slice.
        self.tables = sorted(tables, key=lambda t: -len(t.form))
        self.weights = np.concatenate([t.weights for t in self.tables])
        ends = np.cumsum([len(t.label) for t in self.tables]).tolist()
        places = {t: slice(end - len(t.label), end) for t, end in zip(self.tables, ends, strict=True)}
        for t, place in places.items():
            t.weights = self.weights[place]
        self.turns = [*_turns(shared, places), *_turns([([t], t.form) for t in self.tables], places)]

    def sweep(self, times: int) -> None:
        """Bring the weights so many times to what every feature should come to."""
        heaviest = np.concatenate([t.heaviest.take(t.label) for t in self.tables])
        tops = [heaviest[turn.rows] for turn in self.turns]
        for _ in range(times):
            for turn, most in zip(self.turns, tops, strict=True):
                turn.bring(self.weights, most)


@dataclass(frozen=True, eq=False)
class _Turn:
    """One feature of each of several lots of tables, numbered through.

    `rows` are the tables' rows among all. Of each row, `cells` is its cell in its own table, and `label` its
    answer there; `shared` is for each such cell the one that it is part of over all tables of its lot.
    `wanted` is what each of these should weigh, and `totals` what each answer of each table.
    """

    rows: Ints | slice
    cells: Ints
    shared: Ints
    wanted: Array
    label: Ints
    totals: Array

    def bring(self, weights: Array, heaviest: Array) -> None:
        """Bring weights to what is wanted, cut those that are heavier than `heaviest`, and bring the mean of
        every answer back to 1.
        """
        own = weights[self.rows]
        count = np.bincount(self.shared, np.bincount(self.cells, own, len(self.shared)), len(self.wanted))
        ratio = self.wanted / np.maximum(count, 1e-9, out=count)
        own *= ratio.take(self.shared).take(self.cells)
        np.minimum(own, heaviest, out=own)
        own *= (self.totals / np.bincount(self.label, own, len(self.totals))).take(self.label)
        weights[self.rows] = own


def _turns(lots: Sequence[Shared], places: dict[RakedTable, slice]) -> list[_Turn]:
    """Return the first features of all lots as one turn, then their second ones, and so on."""
    tables = [some for some, _ in lots]
    return [
        _turn([(some, f) for some, f in zip(tables, features, strict=True) if f is not None], places)
        for features in zip_longest(*[features for _, features in lots])
    ]


def _turn(parts: Sequence[tuple[Sequence[RakedTable], Feature]], places: dict[RakedTable, slice]) -> _Turn:
    cells, shared, label = [], [], []
    n_cells = n_shared = n_answers = 0
    for tables, f in parts:
        end = 0
        for t in tables:
            start, end = end, end + len(t.label)
            cells.append(f.cells[start:end] + n_cells)
            shared.append(np.arange(n_shared, n_shared + len(f.wanted)))
            label.append(t.label + n_answers)
            n_cells += len(f.wanted)
            n_answers += len(t.totals)
        n_shared += len(f.wanted)
    return _Turn(
        rows=_rows([places[t] for tables, _ in parts for t in tables]),
        cells=np.concatenate(cells),
        shared=np.concatenate(shared),
        wanted=np.concatenate([f.wanted for _, f in parts]),
        label=np.concatenate(label),
        totals=np.concatenate([t.totals for tables, _ in parts for t in tables]),
    )


def _rows(places: Sequence[slice]) -> Ints | slice:
    """Return the rows of several tables: one slice where each begins where the one before it ends."""
    if all(one.stop == two.start for one, two in pairwise(places)):
        return slice(places[0].start, places[-1].stop)
    return np.concatenate([np.arange(p.start, p.stop) for p in places])
