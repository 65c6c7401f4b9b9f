"""What the words of a question tell of its answer is weighed away."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.benchmarks.pulsecheck457.tasks import VOCABULARY, templates
from fathom.questions.asking import StillCandidate
from fathom.questions.balance import pools_of
from fathom.questions.columns import column
from fathom.questions.raking import HEAVIEST, Feature, RakedTable, Raking, feature


@pytest.mark.parametrize("answers", [2, 3, 5])
def test_what_one_answer_never_goes_with_fades_for_the_others(answers: int) -> None:
    # 200 candidates of every answer are built in one way; in another way 22, but none of the last answer.
    label = np.repeat(np.arange(answers), 222)
    level = np.tile(np.repeat([0, 1], [200, 22]), answers)
    keep = ~((label == answers - 1) & (level == 1))
    label, level = label[keep], level[keep]
    totals = np.bincount(label).astype(float)
    target = feature(column(level.tolist()), label, totals).target.reshape(-1, answers)
    # Levels with enough candidates keep their place behind the rare ones, which are taken together.
    left = target[-1, 0] * totals[0]
    assert target.sum(axis=0) == pytest.approx(1.0)
    assert 0 < left < 0.4 * answers, "worth less than two of 22 candidates"


def test_what_all_answers_go_with_stays() -> None:
    label = np.repeat([0, 1], 100)
    level = np.tile(np.repeat([0, 1], [70, 30]), 2)
    target = feature(column(level.tolist()), label, np.array([100.0, 100.0])).target.reshape(-1, 2)
    assert target == pytest.approx(np.array([[0.7, 0.7], [0.3, 0.3]]), abs=0.01)


def _pulls_apart(scene: int, template: str, big: str) -> list[StillCandidate]:
    """Return candidates of a scene that say "large" three times of four where the answer is `big`."""
    found = []
    for answer in ("yes", "no"):
        for n in range(4):
            size = "large" if (n < 3) == (answer == big) else "small"
            slots = (("A", ("", "red", "")), ("B", (size, "", "")))
            found.append(StillCandidate(f"s{scene}", template, slots, answer, objects=6))
    return found


def test_words_that_two_templates_tell_the_opposite_of_are_evened_in_each() -> None:
    # What hides is large and what is hidden small: taken together, sizes seem to tell nothing.
    pulls = {"L4.hides.exist": "yes", "L4.hidden_by.exist": "no"}
    families = {t.id: t for t in templates() if t.id in pulls}
    found = {name: [c for k in range(200) for c in _pulls_apart(k, name, big)] for name, big in pulls.items()}
    shares = dict.fromkeys(pulls, 0.5)
    pools = pools_of(found, families, VOCABULARY, 400, {f"s{k}": 0 for k in range(200)}, shares)
    for name, pool in pools.items():
        said = np.array([dict(c.slots)["B"][0] == "large" for c in found[name]])
        drawn = 1 - np.exp(-pool.weights)
        large = [drawn[m][said[m]].sum() / drawn[m].sum() for m in pool.members]
        assert large == pytest.approx([0.5, 0.5], abs=0.02), name


def test_no_candidate_weighs_much_more_than_it_may() -> None:
    # One candidate alone is built as half of them should be: it would weigh as much as 20.
    cells = np.array([0] * 40 + [1])
    f = Feature(cells, np.array([0.5, 0.5]), np.array([20.5, 20.5]))
    table = RakedTable(np.zeros(41, dtype=np.int64), np.array([41.0]), [f])
    Raking([table]).sweep(1)
    assert table.weights.mean() == pytest.approx(1.0)
    assert HEAVIEST <= table.weights[-1] < 2 * HEAVIEST
