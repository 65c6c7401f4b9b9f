"""A random forest that is grown on the columns that tell its training questions apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.records import missing_extra
from fathom.stats.cues import Matrix
from fathom.store.seeds import Name, rng

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

MOST_COLUMNS = 64

SMALL = 1_000
"""With fewer questions than these, a tree takes longer to prepare than to grow."""


@dataclass(frozen=True)
class Forest:
    """A fitted forest, or where there was too little to fit one (None) the share of each class.

    It reads `columns` of the matrix, and `importance` is their share of its gain.
    """

    trees: tuple[Any, ...] | None
    columns: Ints
    importance: Floats
    frequencies: Floats

    def __call__(self, matrix: Matrix) -> Floats:
        """Return the probability of each class for each row, (n, classes)."""
        guess = np.zeros((len(matrix), len(self.frequencies)))
        if self.trees is None:
            return guess + self.frequencies
        some, known = np.ascontiguousarray(matrix[:, self.columns]), np.flatnonzero(self.frequencies)
        found = sum(t.tree_.predict(some).reshape(len(some), -1) for t in self.trees)
        guess[:, known] = found / len(self.trees)
        return guess


def grow(matrix: Matrix, labels: Ints, classes: int, seed: Name, *names: Name) -> Forest:
    """Return a forest grown on these rows. Raises MissingExtraError without scikit-learn.

    The columns are chosen from these rows alone, so nothing of a test fold enters. Leaves are kept large:
    what a guesser can use at all it can use on more than a few questions.
    """
    try:
        import sklearn  # noqa: F401
    except ImportError as e:
        raise missing_extra("scikit-learn", "stats", "guessing blind") from e
    counts = np.bincount(labels, minlength=classes)
    if len(labels) < 2 * np.count_nonzero(counts):
        return Forest(None, np.zeros(0, dtype=np.intp), np.zeros(0), counts / len(labels))
    columns = telling_columns(matrix, labels, classes)
    trees = _trees(
        matrix[:, columns],
        labels,
        count=24 if len(matrix) < SMALL else 40,
        leaf=max(5, len(matrix) // 1_000),
        seed=int(rng(seed, "forest", *names).integers(2**31)),
    )
    return Forest(trees, columns, _importance(trees, len(columns)), counts / len(labels))


def _trees(matrix: Matrix, labels: Ints, count: int, leaf: int, seed: int) -> tuple[Any, ...]:
    """Return the trees of a random forest, each grown on as many questions drawn with replacement.

    They are those of scikit-learn's RandomForestClassifier. That spends more than half its time on small sets
    copying, checking and handing round its trees, and its trees half of theirs looking at the classes again.
    There the trees are asked for the share of each class instead, a number each: the squared error of these
    shares is the impurity by which classes are told apart, so that the splits are the same.
    """
    from sklearn import config_context
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    state, n = np.random.RandomState(seed), len(labels)
    seeds = [int(state.randint(np.iinfo(np.int32).max)) for _ in range(count)]
    classes = np.unique(labels, return_inverse=True)[1]
    if n < SMALL:
        kind, wanted = DecisionTreeRegressor, np.eye(int(classes.max()) + 1)[classes]
    else:
        kind, wanted = DecisionTreeClassifier, classes.astype(np.float64)[:, None]
    trees = []
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for one in seeds:
            drawn = np.bincount(np.random.RandomState(one).randint(0, n, n), minlength=n)
            tree = kind(min_samples_leaf=leaf, max_features=0.25, random_state=one)
            trees.append(tree.fit(matrix, wanted, sample_weight=drawn, check_input=False))
    return tuple(trees)


def _importance(trees: tuple[Any, ...], columns: int) -> Floats:
    """Return each column's share of the trees' gain; 0 where no tree ever splits."""
    gains = [t.feature_importances_ for t in trees if t.tree_.node_count > 1]
    mean = np.mean(gains, axis=0, dtype=np.float64) if gains else np.zeros(columns)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(mean / np.sum(mean)))


def telling_columns(matrix: Matrix, labels: Ints, classes: int, most: int = MOST_COLUMNS) -> Ints:
    """Return the columns whose means differ most between the answers (by the F ratio), at most `most`."""
    if matrix.shape[1] <= most:
        return np.arange(matrix.shape[1], dtype=np.intp)
    member = np.zeros((classes, len(labels)), dtype=np.float32)
    member[labels, np.arange(len(labels))] = 1
    size = member.sum(axis=1, keepdims=True)
    centred = matrix - matrix.mean(axis=0)
    means = (member @ centred) / np.maximum(size, 1)
    total = (centred**2).sum(axis=0)
    between = (size * means**2).sum(axis=0)
    ratio = between / np.maximum(total - between, 1e-6 * total + 1e-12)
    return np.sort(np.argsort(-ratio, kind="stable")[:most]).astype(np.intp)
