"""The blind stress test: how often is the answer guessed by someone who never sees a picture?

A random forest learns the test set itself from everything that is not visual, and its guesses on
held-out questions are compared with chance: what it guesses, a model can guess without looking. There are
four ways to hold out:

- random: k folds, with words, options, numbers, metadata and the place in the scene;
- by scene: k folds of whole scenes, with the place in the file as well;
- in file order: the questions so far teach the next ones, and earlier answers of the same form, on other
  scenes, are known. Only here can a generator show that fills quotas ("the rarer answer so far"). In random
  folds these cues would lie: a running count also tells what comes later, and fair coins look predictable;
- same picture: random folds again, with whatever tells which picture a question belongs to. Answers on one
  picture go together (where all objects are small, "small" is right more than once), so who was told some of
  them guesses others better. That is shown, but no fault of the questions, and nothing is required of it.

Each way says what it could have seen: the smallest share of answers, given away beyond chance, that it would
have noticed in four sets of five. "At chance" is said only where that is at most five points.

Where the whole set is at chance, one task may still leak. So each task is also looked at by itself, held out
at random and by scene; there only alarms count, because tasks are seldom large enough to be called clean.

Ref: Brown et al. 2025, "train on the test set".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError, Question, UnansweredQuestion, without_answer
from fathom.stats import cues
from fathom.stats.blind_verdicts import (
    FALSE_ALARMS,
    TASKS_SHARE,
    BlindResult,
    FoldResult,
    compare_with_chance,
)
from fathom.stats.cues import candidates, features
from fathom.stats.forest import Forest, grow
from fathom.stats.views import (
    GuesserView,
    candidate_shares,
    most_candidates,
    normalised,
    view_by_place,
    view_by_text,
    views,
)
from fathom.store.seeds import rng

__all__ = ["BlindGuesser", "features", "fit", "stress_test"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

SAME_PICTURE = "same picture"


@dataclass(frozen=True)
class _Table:
    """A view with its columns: the questions' own and their places; and what earlier answers give away."""

    view: GuesserView
    labels: Ints
    own: tuple[tuple[str, ...], cues.Matrix]
    earlier: tuple[tuple[str, ...], cues.Matrix]


def stress_test(questions: Sequence[Question], folds: int = 5, seed: int = 0) -> BlindResult:
    """Return how well a forest that learnt other questions of the same set guesses each one's answer.

    `questions` come in file order. Raises InputError where a right answer is not among the candidates,
    MissingExtraError without scikit-learn.
    """
    tested, asked, right = _with_candidates(questions)
    if not tested:
        return BlindResult(0, len(questions), math.nan, (), {})
    scenes = [q.groups.cluster or q.scene or q.id for q in tested]
    chances = np.array([1 / len(candidates(a)) for a in asked])
    tables = _tables(asked, right, scenes)
    results: list[FoldResult] = []
    of_tasks: list[FoldResult] = []
    bias: list[Floats] = []
    pairs = [q.groups.pair or q.id for q in tested]
    for kind, splits in _ways_to_hold_out(scenes, pairs, folds, seed):
        shares, leaned = _held_out(tables, asked, splits, kind, seed)
        held = np.any([test for _, test in splits], axis=0)
        results.append(compare_with_chance(kind, shares, right, chances, scenes, held, leaned))
        if kind in ("random", "by scene"):
            of_tasks += _by_task(kind, shares, right, chances, scenes, [q.task for q in tested])
            bias.append(shares[np.arange(len(tested)), right] - chances)
    scores: list[float] = np.mean(bias, axis=0).round(4).tolist() if bias else []
    return BlindResult(
        n=len(tested),
        untested=len(questions) - len(tested),
        chance=float(chances.mean()),
        folds=tuple(r for r in results if r.folds != SAME_PICTURE),
        bias_scores=dict(zip([q.id for q in tested], scores, strict=False)),
        same_picture=next((r for r in results if r.folds == SAME_PICTURE), None),
        tasks=tuple(of_tasks),
    )


def _by_task(
    kind: str, shares: Floats, right: Ints, chances: Floats, scenes: Sequence[str], tasks: Sequence[str]
) -> list[FoldResult]:
    """Return what was guessed of each task, where there are several that are large enough."""
    names = sorted(set(tasks))
    if len(names) < 2:
        return []
    alarms = FALSE_ALARMS * TASKS_SHARE / (2 * len(names))
    found = []
    for name in names:
        own = np.array([t == name for t in tasks])
        found.append(
            compare_with_chance(f"{name}, {kind}", shares, right, chances, scenes, own, (), alarms=alarms)
        )
    return found


def _with_candidates(questions: Sequence[Question]) -> tuple[list[Question], list[UnansweredQuestion], Ints]:
    """Return the questions that can be guessed, as asked, and the place of each right answer."""
    tested = [q for q in questions if len(candidates(without_answer(q))) > 1]
    asked = [without_answer(q) for q in tested]
    right = [_right_place(q, candidates(a)) for q, a in zip(tested, asked, strict=True)]
    return tested, asked, np.array(right, dtype=np.intp)


def _right_place(question: Question, texts: tuple[str, ...]) -> int:
    for answer in (question.answer, *question.equivalents):
        if answer in texts:
            return texts.index(answer)
    raise InputError(
        f"question {question.id}: the right answer {question.answer!r} is not among the {len(texts)} ones "
        f"possible ({', '.join(texts[:6])}{', …' * (len(texts) > 6)}); correct `possible` or the answer"
    )


_FORMS: dict[str, Callable[[UnansweredQuestion], str]] = {
    "template": lambda a: f"{a.task}\n{a.tags.get('template', '')}\n{candidates(a)}",
    "task": lambda a: f"{a.task}\n{len(candidates(a))}",
    "view": lambda a: "",
}


def _tables(asked: Sequence[UnansweredQuestion], right: Ints, scenes: Sequence[str]) -> list[_Table]:
    place_names, place = cues.places(asked)
    tables = []
    for view in views(asked):
        some = [asked[i] for i in view.rows]
        names, own = features(some, options=view.options)
        labels, of_scene = view.labels(right), [scenes[i] for i in view.rows]
        columns: list[cues.Matrix] = []
        titles: list[str] = []
        for form, key in _FORMS.items():
            columns.append(cues.earlier_answers([key(a) for a in some], of_scene, labels, view.allowed))
            titles += [f"{c} rarer so far in its {form}" for c in view.classes]
            titles += [f"{c} rarest so far in its {form}" for c in view.classes]
            titles += [f"last answer in its {form}", f"last but one answer in its {form}"]
        more, numbers = cues.several_numbers(some, view.options)
        with_place = (*names, *more, *place_names), np.hstack([own, numbers, place[view.rows]])
        tables.append(_Table(view, labels, with_place, (tuple(titles), np.hstack(columns))))
    return tables


Splits = list[tuple[Flags, Flags]]


def _ways_to_hold_out(
    scenes: Sequence[str], pairs: Sequence[str], folds: int, seed: int
) -> Iterator[tuple[str, Splits]]:
    """Yield the name of each way with its (train, test) flags over all questions. The questions of a pair,
    which are the same in other pictures, are held out together.
    """
    n = len(scenes)
    if n < 2:
        return
    place = {name: k for k, name in enumerate(dict.fromkeys(pairs))}
    parts = min(folds, len(place))
    of_pair = rng(seed, "blind", "random folds").permutation(np.arange(len(place)) % parts)
    fold = of_pair[[place[name] for name in pairs]]
    drawn = [(fold != f, fold == f) for f in range(parts)]
    yield "random", drawn
    if len(set(scenes)) < n:
        yield SAME_PICTURE, drawn
    names = sorted(set(scenes))
    if len(names) > 1:
        parts = min(folds, len(names))
        order = rng(seed, "blind", "folds by scene").permutation(len(names))
        of_scene = {names[s]: place % parts for place, s in enumerate(order)}
        fold = np.array([of_scene[s] for s in scenes])
        yield "by scene", [(fold != f, fold == f) for f in range(parts)]
    parts = min(folds + 1, n)
    block = np.arange(n) * parts // n
    yield "in file order", [(block < b, block == b) for b in range(1, parts)]


def _held_out(
    tables: Sequence[_Table], asked: Sequence[UnansweredQuestion], splits: Splits, kind: str, seed: int
) -> tuple[Floats, tuple[tuple[str, float], ...]]:
    """Return the probability of each candidate (n, most candidates), and the cues that were leaned on."""
    shares = np.zeros((len(asked), most_candidates(asked)))
    leaned: Counter[str] = Counter()
    for table in tables:
        titles, matrix = table.own
        if kind == "random":
            kept = [i for i, title in enumerate(titles) if not cues.names_the_picture(title)]
            titles, matrix = tuple(titles[i] for i in kept), matrix[:, kept]
        if kind == "in file order":
            titles, matrix = titles + table.earlier[0], np.hstack([matrix, table.earlier[1]])
        view = table.view
        for part, (trains, tests) in enumerate(splits):
            train, test = trains[view.rows], tests[view.rows]
            if not train.any() or not test.any():
                continue
            forest = grow(matrix[train], table.labels[train], len(view.classes), seed, kind, view.name, part)
            shares[view.rows[test]] += candidate_shares(forest(matrix[test]), view.columns[test])
            weights = (forest.importance * test.sum()).tolist()
            leaned.update({titles[c]: w for c, w in zip(forest.columns, weights, strict=True)})
    possible = np.arange(shares.shape[1]) < np.array([len(candidates(a)) for a in asked])[:, None]
    total = sum(leaned.values()) or 1.0
    return normalised(shares, possible), tuple((t, round(w / total, 4)) for t, w in leaned.most_common(8))


@dataclass(frozen=True)
class Learnt:
    """A forest with the view it was grown on and the words it knows."""

    classes: tuple[str, ...]
    by_place: bool
    vocabulary: tuple[str, ...]
    forest: Forest


@dataclass(frozen=True)
class BlindGuesser:
    """The best guesser that never looks: forests that learnt the questions of another dataset."""

    learnt: tuple[Learnt, ...]
    seed: int

    def guess(self, asked: Sequence[UnansweredQuestion]) -> list[str]:
        """Return the likeliest answer to each question, whatever else is asked beside it.

        Where nothing is known of a question, one of its candidates is drawn; where it has none, it is "".
        """
        shares = np.zeros((len(asked), most_candidates(asked)))
        for one in self.learnt:
            view = (
                view_by_place(len(one.classes), asked) if one.by_place else view_by_text(one.classes, asked)
            )
            if len(view.rows):
                _, matrix = features([asked[i] for i in view.rows], one.vocabulary, view.options)
                shares[view.rows] += candidate_shares(one.forest(matrix), view.columns)
        return [self._pick(a, row) for a, row in zip(asked, shares, strict=True)]

    def _pick(self, asked: UnansweredQuestion, shares: Floats) -> str:
        texts = candidates(asked)
        if not texts:
            return ""
        own = shares[: len(texts)]
        best = np.flatnonzero(own >= own.max() - 1e-12)
        return texts[int(best[0] if len(best) == 1 else rng(self.seed, "blind guess", asked.id).choice(best))]


def fit(questions: Sequence[Question], seed: int = 0) -> BlindGuesser:
    """Return the guesser that learnt all of `questions`; their order is left out, so each guess stands alone.

    Raises InputError where there is nothing to learn from, MissingExtraError without scikit-learn.
    """
    tested, asked, right = _with_candidates(questions)
    if not tested:
        raise InputError(
            f"none of the {len(questions)} questions to learn from has two or more possible answers; "
            "give a dataset whose questions list their `possible` answers or show choices"
        )
    learnt = []
    for view in views(asked):
        some = [asked[i] for i in view.rows]
        words = cues.choose_vocabulary([cues.tokens(a) for a in some])
        _, matrix = features(some, words, view.options)
        forest = grow(matrix, view.labels(right), len(view.classes), seed, "fit", view.name)
        learnt.append(Learnt(view.classes, view.by_place, words, forest))
    return BlindGuesser(tuple(learnt), seed)
