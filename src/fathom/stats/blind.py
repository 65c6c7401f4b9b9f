"""The blind stress test: how often is the answer guessed by someone who never sees a picture?

A random forest learns the test set itself from everything that is not visual, in k folds drawn once at random
and once by scene, and is compared with chance. What it guesses, a model can guess without looking.

Ref: Brown et al. 2025, "train on the test set".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.records import Asked, InputError, Question, as_asked, missing_extra
from fathom.stats import cues
from fathom.stats.intervals import mean_interval
from fathom.store.seeds import rng

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

EQUIVALENCE_FROM = 10_000
"""From so many questions on, the whole one-sided interval must lie near chance."""
EQUIVALENCE_POINTS = 0.015
RECURRING = 20
"""An option's text is a class of its own when at least so many questions offer it."""


@dataclass(frozen=True)
class FoldResult:
    """What the forest guessed under one way to draw folds.

    `low` and `high` bound the accuracy, each a one-sided 95 % bound clustered by scene; `cues` are the columns
    that the trees leaned on most, with their share of the forest's importance.
    """

    folds: str
    accuracy: float
    low: float
    high: float
    chance: float
    n: int
    cues: tuple[tuple[str, float], ...]

    @property
    def at_chance(self) -> bool:
        """Whether the lower bound reaches chance and, with enough questions, the upper one stays near it."""
        reaches = self.low <= self.chance
        return reaches and (self.n < EQUIVALENCE_FROM or self.high <= self.chance + EQUIVALENCE_POINTS)


@dataclass(frozen=True)
class BlindResult:
    """The stress test of a set of questions; `by_scene` is None where there are fewer than two scenes.

    `bias_scores` has for each tested question the mean probability, out of fold, that the forest put on the
    right answer, less chance: above 0 its answer is easier to guess than it should be. `untested` counts
    questions with fewer than two possible answers, for which chance is not defined.
    """

    n: int
    untested: int
    chance: float
    random: FoldResult | None
    by_scene: FoldResult | None
    bias_scores: dict[str, float]

    @property
    def passed(self) -> bool:
        """Whether every way to draw folds stays at chance."""
        return all(r.at_chance for r in (self.random, self.by_scene) if r)


@dataclass(frozen=True)
class View:
    """Questions whose answers a single forest can tell apart.

    `classes` are texts ("red") or places among the options ("option 2"); `columns` (rows, most candidates) has
    the class of each candidate of each row, −1 where a row has fewer.
    """

    name: str
    classes: tuple[str, ...]
    rows: Ints
    columns: Ints

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """Which classes each row can have, (rows, classes)."""
        allowed = np.zeros((len(self.rows), len(self.classes) + 1), dtype=bool)
        np.put_along_axis(allowed, self.columns, True, axis=1)
        return allowed[:, :-1]


def features(
    asked: Sequence[Asked], vocabulary: Sequence[str] | None = None, options: int = 0
) -> tuple[tuple[str, ...], cues.Matrix]:
    """Return names and values (n, columns) of what each question gives away by itself: words, numbers, options.

    `vocabulary` fixes the tokens (default: those that tell these questions apart best), `options` is the number
    of options that each of the questions shows, 0 where they show none or differ.
    """
    bags = [cues.tokens(a) for a in asked]
    words = cues.vocabulary(bags) if vocabulary is None else tuple(vocabulary)
    names, numbers = cues.text_numbers(asked)
    parts = [cues.token_matrix(bags, words), numbers]
    if options:
        more, columns = cues.option_numbers(asked, options)
        names, parts = names + more, [*parts, columns]
    return words + names, np.hstack(parts)


def stress_test(questions: Sequence[Question], folds: int = 5, seed: int = 0) -> BlindResult:
    """Return how well a forest trained on other questions of the same set guesses each one's answer.

    Raises InputError where a right answer is not among the possible ones, MissingExtraError without
    scikit-learn.
    """
    tested = [q for q in questions if len(cues.candidates(as_asked(q))) > 1]
    if not tested:
        return BlindResult(0, len(questions), float("nan"), None, None, {})
    asked = [as_asked(q) for q in tested]
    right = np.array([_right_place(q, a) for q, a in zip(tested, asked, strict=True)], dtype=np.intp)
    scenes = [q.groups.cluster or q.scene for q in tested]
    chances = np.array([1 / len(cues.candidates(a)) for a in asked])
    tables = [_with_order(v, asked, right) for v in views(asked)]
    results: list[FoldResult] = []
    on_right: list[Floats] = []
    for kind, fold in _folds(scenes, folds, seed):
        shares, weights = _out_of_fold(tables, asked, right, fold, (seed, kind))
        credit = _credit(shares, right)
        excess = mean_interval(credit - chances, scenes, confidence=0.90)
        chance = float(chances.mean())
        results.append(
            FoldResult(
                kind,
                float(credit.mean()),
                chance + excess.low,
                chance + excess.high,
                chance,
                len(tested),
                weights,
            )  # fmt: skip
        )
        on_right.append(shares[np.arange(len(tested)), right] - chances)
    bias = np.round(np.mean(on_right, axis=0), 4).tolist()
    kinds = {r.folds: r for r in results}
    return BlindResult(
        n=len(tested),
        untested=len(questions) - len(tested),
        chance=float(chances.mean()),
        random=kinds.get("random"),
        by_scene=kinds.get("by scene"),
        bias_scores=dict(zip([q.id for q in tested], bias, strict=True)),
    )


@dataclass(frozen=True)
class BlindGuesser:
    """The best guesser that never looks: forests fitted on the questions of another dataset."""

    forests: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], Forest], ...]
    seed: int

    def guess(self, asked: Sequence[Asked]) -> list[str]:
        """Return the likeliest answer to each question, whatever else is asked beside it.

        Where nothing is known of a question, one of its candidates is drawn; where it has none, it is "".
        """
        width = max((len(cues.candidates(a)) for a in asked), default=0)
        shares = np.zeros((len(asked), width))
        for classes, vocabulary, _, forest in self.forests:
            view = _matching(classes, asked, width)
            if len(view.rows):
                some = [asked[i] for i in view.rows]
                _, matrix = features(some, vocabulary, _option_count(classes))
                shares[view.rows] += _spread(forest(matrix), view.columns)
        return [self._pick(a, row) for a, row in zip(asked, shares, strict=True)]

    def _pick(self, asked: Asked, shares: Floats) -> str:
        texts = cues.candidates(asked)
        if not texts:
            return ""
        best = np.flatnonzero(shares[: len(texts)] >= shares[: len(texts)].max() - 1e-12)
        return texts[int(best[0] if len(best) == 1 else rng(self.seed, "blind guess", asked.id).choice(best))]


def fit(questions: Sequence[Question], seed: int = 0) -> BlindGuesser:
    """Return the guesser that learnt all of `questions`; order is left out, so each guess stands alone.

    Raises InputError where there is nothing to learn from, MissingExtraError without scikit-learn.
    """
    tested = [q for q in questions if len(cues.candidates(as_asked(q))) > 1]
    if not tested:
        raise InputError(
            f"none of the {len(questions)} questions to learn from has two or more possible answers; "
            "give a dataset whose questions list their `possible` answers or show choices"
        )
    asked = [as_asked(q) for q in tested]
    right = np.array([_right_place(q, a) for q, a in zip(tested, asked, strict=True)], dtype=np.intp)
    forests = []
    for view in views(asked):
        some = [asked[i] for i in view.rows]
        words = cues.vocabulary([cues.tokens(a) for a in some])
        names, matrix = features(some, words, _option_count(view.classes))
        forest, _ = _grow(matrix, _labels(view, right), len(view.classes), (seed, "fit", view.name))
        forests.append((view.classes, words, names, forest))
    return BlindGuesser(tuple(forests), seed)


def views(asked: Sequence[Asked]) -> list[View]:
    """Return the views of these questions: by the text of the answer, and by its place among the options.

    Answers that some question offers side by side belong to one view of texts. Questions with options are also
    seen by place; their texts count only when each recurs often enough to be learnt.
    """
    offered = Counter(text for a in asked for text in set(cues.candidates(a)))
    least = min(RECURRING, max(2, len(asked) // 10))
    by_text = [i for i, a in enumerate(asked) if not a.choices or all(offered[t] >= least for t in a.choices)]
    width = max(len(cues.candidates(a)) for a in asked)
    found = []
    for classes in _components([cues.candidates(asked[i]) for i in by_text]):
        found.append(_view(classes, [i for i in by_text if cues.candidates(asked[i])[0] in set(classes)],
                           asked, width))  # fmt: skip
    for count in sorted({len(a.choices) for a in asked} - {0}):
        rows = [i for i, a in enumerate(asked) if len(a.choices) == count]
        found.append(_view(_option_classes(count), rows, asked, width))
    return found


def _option_classes(count: int) -> tuple[str, ...]:
    return tuple(f"\0option {i}" for i in range(count))


def _option_count(classes: tuple[str, ...]) -> int:
    return len(classes) if classes[0].startswith("\0") else 0


def _view(classes: tuple[str, ...], rows: Sequence[int], asked: Sequence[Asked], width: int) -> View:
    columns = np.full((len(rows), width), -1, dtype=np.intp)
    place = {text: i for i, text in enumerate(classes)}
    for row, i in zip(columns, rows, strict=True):
        texts = cues.candidates(asked[i])
        row[: len(texts)] = range(len(texts)) if _option_count(classes) else [place.get(t, -1) for t in texts]
    name = f"{len(classes)} options" if _option_count(classes) else ", ".join(classes)
    return View(name, classes, np.array(rows, dtype=np.intp), columns)


def _matching(classes: tuple[str, ...], asked: Sequence[Asked], width: int) -> View:
    """Return the view of those questions that a fitted forest with these classes can say something about."""
    count, known = _option_count(classes), set(classes)
    if count:
        rows = [i for i, a in enumerate(asked) if len(a.choices) == count]
    else:
        rows = [i for i, a in enumerate(asked) if known.intersection(cues.candidates(a))]
    return _view(classes, rows, asked, width)


def _components(sets: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the texts that are linked by being offered together, each group and the list sorted."""
    parent: dict[str, str] = {}

    def root(text: str) -> str:
        while parent.setdefault(text, text) != text:
            parent[text] = parent[parent[text]]
            text = parent[text]
        return text

    for texts in set(sets):
        for text in texts[1:]:
            parent[root(text)] = root(texts[0])
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for text in sorted(parent):
        groups[root(text)].append(text)
    return sorted(tuple(g) for g in groups.values())


def _right_place(question: Question, asked: Asked) -> int:
    texts = cues.candidates(asked)
    for answer in (question.answer, *question.equivalents):
        if answer in texts:
            return texts.index(answer)
    raise InputError(
        f"question {question.id}: the right answer {question.answer!r} is not among its {len(texts)} possible "
        f"answers ({', '.join(texts[:6])}{' …' if len(texts) > 6 else ''}); correct `possible` or the answer"
    )


def _labels(view: View, right: Ints) -> Ints:
    return view.columns[np.arange(len(view.rows)), right[view.rows]]


def _with_order(view: View, asked: Sequence[Asked], right: Ints) -> tuple[View, tuple[str, ...], cues.Matrix]:
    """Return the view with all its columns, those that only the order of the file gives away included."""
    some = [asked[i] for i in view.rows]
    names, own = features(some, None, _option_count(view.classes))
    place_names, place = cues.places(asked)
    parts, labels = [own, place[view.rows]], _labels(view, right)
    titles = [*names, *place_names]
    for grain, key in _FORMS.items():
        parts.append(cues.earlier_answers([key(a) for a in some], labels, view.allowed))
        titles += [f"{c} rarer so far in its {grain}" for c in view.classes]
        titles += [f"{c} rarest so far in its {grain}" for c in view.classes]
        titles += [f"last answer of its {grain}", f"last but one answer of its {grain}"]
    return view, tuple(t.replace("\0", "") for t in titles), np.hstack(parts)


_FORMS: dict[str, Callable[[Asked], str]] = {
    "template": lambda a: f"{a.task}\0{a.tags.get('template', '')}\0{cues.candidates(a)}",
    "task": lambda a: f"{a.task}\0{len(cues.candidates(a))}",
    "view": lambda a: "",
}


def _folds(scenes: Sequence[str], folds: int, seed: int) -> Iterator[tuple[str, Ints]]:
    """Yield each way to draw folds with the fold of every question."""
    n = len(scenes)
    if n > 1:
        yield "random", rng(seed, "blind", "random folds").permutation(np.arange(n) % min(folds, n))
    names = sorted(set(scenes))
    if len(names) > 1:
        order = rng(seed, "blind", "folds by scene").permutation(len(names))
        fold = {names[s]: place % min(folds, len(names)) for place, s in enumerate(order)}
        yield "by scene", np.array([fold[s] for s in scenes], dtype=np.intp)


def _out_of_fold(
    tables: Sequence[tuple[View, tuple[str, ...], cues.Matrix]],
    asked: Sequence[Asked],
    right: Ints,
    fold: Ints,
    names: tuple[int, str],
) -> tuple[Floats, tuple[tuple[str, float], ...]]:
    """Return the probability of each candidate (n, most candidates), and the cues most leaned on."""
    shares = np.zeros((len(asked), max(len(cues.candidates(a)) for a in asked)))
    leaned: Counter[str] = Counter()
    for view, titles, matrix in tables:
        labels, of_fold = _labels(view, right), fold[view.rows]
        for f in np.unique(of_fold):
            train, test = of_fold != f, of_fold == f
            guess = np.zeros((int(test.sum()), len(view.classes)))
            if train.any():
                forest, used = _grow(
                    matrix[train], labels[train], len(view.classes), (*names, view.name, int(f))
                )
                guess = forest(matrix[test])
                leaned.update({titles[c]: w * float(test.sum()) for c, w in used})
            shares[view.rows[test]] += _spread(guess, view.columns[test])
    total = sum(leaned.values()) or 1.0
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    empty = shares.sum(axis=1) == 0
    for i in np.flatnonzero(empty):
        shares[i, : len(cues.candidates(asked[i]))] = 1 / len(cues.candidates(asked[i]))
    return shares, tuple((name, round(w / total, 4)) for name, w in leaned.most_common(8))


def _spread(guess: Floats, columns: Ints) -> Floats:
    """Return the probability of each candidate from that of each class, impossible ones left out; rows sum to 1."""
    padded = np.hstack([guess, np.zeros((len(guess), 1))])
    shares = np.take_along_axis(padded, columns, axis=1)
    total = shares.sum(axis=1, keepdims=True)
    even = (columns >= 0) / np.maximum((columns >= 0).sum(axis=1, keepdims=True), 1)
    return np.where(total > 0, shares / np.where(total > 0, total, 1), even)


def _credit(shares: Floats, right: Ints) -> Floats:
    """Return 1 where the likeliest candidate is right, 0 where not, and a share where several are likeliest."""
    best = shares >= shares.max(axis=1, keepdims=True) - 1e-12
    return best[np.arange(len(right)), right] / best.sum(axis=1)


@dataclass(frozen=True)
class Forest:
    """A fitted forest on the columns that its training questions chose; calling it gives (n, classes)."""

    model: Any
    columns: Ints
    classes: int

    def __call__(self, matrix: cues.Matrix) -> Floats:
        guess = np.zeros((len(matrix), self.classes))
        guess[:, self.model.classes_] = self.model.predict_proba(matrix[:, self.columns])
        return guess


def _grow(
    matrix: cues.Matrix, labels: Ints, classes: int, names: tuple[int | str, ...]
) -> tuple[Forest, list[tuple[int, float]]]:
    """Return a forest grown on these rows, with the columns it leaned on and how much."""
    try:
        from sklearn.ensemble import RandomForestClassifier
    except ImportError as e:
        raise missing_extra("scikit-learn", "stats", "the blind stress test") from e
    columns = _telling(matrix, labels, classes)
    model = RandomForestClassifier(
        n_estimators=100 if len(matrix) < 4_000 else 40,
        min_samples_leaf=max(3, len(matrix) // 1_000),
        max_features=0.25,
        random_state=int(rng(*names[:1], "blind", "forest", *names[1:]).integers(2**31)),
        n_jobs=1,
    ).fit(matrix[:, columns], labels)
    used = model.feature_importances_
    return Forest(model, columns, classes), [
        (int(columns[i]), float(used[i])) for i in np.argsort(-used)[:12] if used[i] > 0
    ]


def _telling(matrix: cues.Matrix, labels: Ints, classes: int, most: int = 64) -> Ints:
    """Return the columns whose means differ most between the answers (the F ratio), at most `most`."""
    if matrix.shape[1] <= most:
        return np.arange(matrix.shape[1], dtype=np.intp)
    member = np.zeros((classes, len(labels)), dtype=np.float32)
    member[labels, np.arange(len(labels))] = 1
    size = member.sum(axis=1, keepdims=True)
    centred = matrix - matrix.mean(axis=0)
    means = (member @ centred) / np.maximum(size, 1)
    between = (size * means**2).sum(axis=0)
    within = np.maximum((centred**2).sum(axis=0) - between, 1e-9 * (centred**2).sum(axis=0) + 1e-12)
    return np.sort(np.argsort(-between / within, kind="stable")[:most]).astype(np.intp)
