"""The published tables, recomputed where one can be derived from another."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.benchmarks.pulsecheck457.paper import (
    ACCURACY,
    FACTOR_EDGES,
    FACTORS,
    RETENTION,
    TABLES,
    TASKS,
    VARIATION,
)
from fathom.scoring.metrics.rpdr import factor_retentions

CELLS = [(model, factor) for model in RETENTION.rows for factor in FACTORS]


def test_table_3_has_16_cells() -> None:
    assert len(CELLS) == 16


@pytest.mark.parametrize(("model", "factor"), CELLS)
def test_the_published_rpdr_follows_from_the_published_accuracies(model: str, factor: str) -> None:
    accuracies = np.array(ACCURACY.rows[model], dtype=float)
    place = FACTORS.index(factor)
    ours = 100 * factor_retentions(accuracies, TASKS, FACTOR_EDGES)[place]
    assert ours == pytest.approx(RETENTION.rows[model][place], abs=0.02)


def test_two_cells_need_the_clip() -> None:
    """Claude and Qwen2-VL do better on collisions than on occlusion, which the clip keeps from counting."""
    for model in ("Claude 3.5 Sonnet", "Qwen2-VL-7B-Inst."):
        row = dict(zip(TASKS, ACCURACY.rows[model], strict=True))
        assert row["L5_collision"] is not None
        assert row["L4_occ"] is not None
        assert row["L5_collision"] / row["L4_occ"] > 1.1


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.name)
def test_every_published_row_has_a_cell_for_each_column(table: object) -> None:
    assert table in TABLES
    for published in TABLES:
        assert all(len(row) == len(published.columns) for row in published.rows.values())
        assert len(published.ours) in (0, len(published.columns))


def test_no_coefficient_of_variation_is_larger_than_its_labels_allow() -> None:
    most = {
        "Shape": np.sqrt(5),
        "(no heading)": np.sqrt(21),
        "Color": np.sqrt(8),
        "Size": np.sqrt(2),
        "Pose": 2,
    }
    for row in VARIATION.rows.values():
        assert all(
            cell is not None and cell <= most[name] for name, cell in zip(VARIATION.columns, row, strict=True)
        )
