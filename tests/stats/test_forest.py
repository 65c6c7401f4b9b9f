"""The trees that are grown here are those of scikit-learn's random forest."""

import numpy as np
import pytest

from fathom.stats.forest import grow
from fathom.store.seeds import rng


@pytest.mark.parametrize(("rows", "trees", "leaf"), [(80, 24, 5), (1_200, 40, 5)])
def test_a_forest_guesses_and_leans_as_scikit_learns_does(rows: int, trees: int, leaf: int) -> None:
    from sklearn.ensemble import RandomForestClassifier

    g = np.random.default_rng(rows)
    matrix = g.integers(0, 3, (rows, 9)).astype(np.float32)
    labels = np.where(g.random(rows) < 0.5, matrix[:, 2].astype(np.intp) * 2, g.integers(0, 5, rows))
    found = grow(matrix, labels, 6, 7, "a", "b")  # class 5 is never the answer
    forest = RandomForestClassifier(
        n_estimators=trees,
        min_samples_leaf=leaf,
        max_features=0.25,
        random_state=int(rng(7, "forest", "a", "b").integers(2**31)),
    ).fit(matrix, labels)
    new = g.integers(0, 3, (50, 9)).astype(np.float32)
    expected = np.zeros((50, 6))
    expected[:, forest.classes_] = forest.predict_proba(new)
    assert np.array_equal(found(new), expected)
    assert np.allclose(found.importance, forest.feature_importances_, rtol=0, atol=1e-12)


def test_trees_that_never_split_lean_on_nothing() -> None:
    labels = np.arange(40, dtype=np.intp) % 2
    found = grow(np.ones((40, 3), np.float32), labels, 2, 0, "even")
    assert found.importance.tolist() == [0, 0, 0]
