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


@dataclass(frozen=True)
class Forest:
    """A fitted forest, or where there was too little to fit one (None) the share of each class.

    It reads `columns` of the matrix, and `importance` is their share of its gain.
    """

    model: Any
    columns: Ints
    importance: Floats
    frequencies: Floats

    def __call__(self, matrix: Matrix) -> Floats:
        """Return the probability of each class for each row, (n, classes)."""
        guess = np.zeros((len(matrix), len(self.frequencies)))
        if self.model is None:
            return guess + self.frequencies
        guess[:, self.model.classes_] = self.model.predict_proba(matrix[:, self.columns])
        return guess


def grow(matrix: Matrix, labels: Ints, classes: int, seed: Name, *names: Name) -> Forest:
    """Return a forest grown on these rows. Raises MissingExtraError without scikit-learn.

    The columns are chosen from these rows alone, so nothing of a test fold enters. Leaves are kept large:
    what a guesser can use at all it can use on more than a few questions.
    """
    try:
        from sklearn import config_context
        from sklearn.ensemble import RandomForestClassifier
    except ImportError as e:
        raise missing_extra("scikit-learn", "stats", "guessing blind") from e
    counts = np.bincount(labels, minlength=classes)
    if len(labels) < 2 * np.count_nonzero(counts):
        return Forest(None, np.zeros(0, dtype=np.intp), np.zeros(0), counts / len(labels))
    columns = telling_columns(matrix, labels, classes)
    forest = RandomForestClassifier(
        n_estimators=24 if len(matrix) < 1_000 else 40,
        min_samples_leaf=max(5, len(matrix) // 1_000),
        max_features=0.25,
        random_state=int(rng(seed, "forest", *names).integers(2**31)),
        n_jobs=1,
    )
    with config_context(
        assume_finite=True, skip_parameter_validation=True
    ):  # else half the time of small ones
        model = forest.fit(matrix[:, columns], labels)
    with np.errstate(invalid="ignore"):  # trees that never split have no gain to share out
        importance = np.nan_to_num(model.feature_importances_)
    return Forest(model, columns, importance, counts / len(labels))


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
