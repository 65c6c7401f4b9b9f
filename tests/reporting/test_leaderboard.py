"""From scores to the rows of the leaderboard."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from fathom.pages.scope import Scope
from fathom.records import PublishedTable, Score
from fathom.reporting.data import ReportData
from fathom.reporting.leaderboard import (
    chance,
    leaderboard,
    level_of,
    score_cell,
    task_columns,
)
from fathom.reporting.published import PublishedRows, published_rows
from tests.reporting.synthetic import TASKS, report_data


@cache
def data() -> ReportData:
    return report_data(scenes=2, a_task=2)


def test_the_best_model_comes_first_and_the_order_of_runs_does_not_matter() -> None:
    rows = [row.model for row in leaderboard(data()).rows]
    assert rows == [row.model for row in leaderboard(replace(data(), runs=data().runs[::-1])).rows]
    overall = [row.overall.value or 0 for row in leaderboard(data()).rows]
    assert overall == sorted(overall, reverse=True)


def test_a_baseline_is_never_called_the_best() -> None:
    board = leaderboard(data())
    oracle = next(row for row in board.rows if row.model == "oracle")
    assert oracle.baseline
    assert not oracle.best_overall
    assert not any(best for _, _, best in oracle.cells)
    assert [row.model for row in board.rows if row.best_overall] == ["visionary-9b"]


def test_a_row_links_to_the_mistakes_of_its_own_model() -> None:
    board = leaderboard(data())
    names = [run.model for run in data().runs]
    for row in board.rows:
        assert row.links[0] == f"task=L1_single&model={names.index(row.model)}&outcome=wrong"


def test_tasks_stand_in_the_benchmarks_order_under_their_levels() -> None:
    board = leaderboard(data())
    assert [t.name for t in task_columns(data())] == list(TASKS)
    assert board.levels == (("Level 1", 1), ("Level 2", 1), ("Level 3", 1), ("Level 4", 2), ("Level 5", 2))
    assert level_of("counting") == ""


def test_a_score_is_found_by_its_exact_group() -> None:
    scores = [
        Score(name="accuracy", value=0.5, n=2, method="m", group={"task": "a", "relation": "left"}),
        Score(name="accuracy", value=0.7, n=2, method="m", group={"task": "a"}),
    ]
    assert score_cell(scores, "accuracy", task="a").value == 0.7
    assert score_cell(scores, "accuracy").value is None


def test_chance_is_the_mean_of_one_over_the_possible_answers() -> None:
    one, two = data().dataset.questions[0], data().dataset.questions[1]
    assert chance([one, two]) == pytest.approx((1 / len(one.possible) + 1 / len(two.possible)) / 2)
    assert chance([]) is None


def test_whatever_became_of_answers_has_a_share_and_a_column_of_its_own() -> None:
    shares = {"unreadable": 0.1, "refused": 0.3, "failed": 0.2, "missing": 0.0, "empty": 0.05, "cut_off": 0.0}
    scores = [Score(name=name, value=value, n=10, method="m") for name, value in shares.items()]
    board = leaderboard(replace(data(), runs=[replace(data().runs[0], scores=scores)]))
    assert board.rows[0].shares == tuple(shares.values())
    assert [title for _, title in board.shown_shares] == ["Unreadable", "Refused", "Failed", "Empty"]


def test_published_rows_are_matched_by_task_whatever_the_order_of_columns() -> None:
    table = PublishedTable(
        name="t",
        title="T",
        columns=tuple("abcdefg"),
        rows={"m": (1.0, 2.0, 3.0, None, 5.0, 6.0, 7.0)},
        ours=tuple(("accuracy", {"task": task}) for task in reversed(TASKS)),
    )
    found = published_rows([table], [t.name for t in task_columns(data())])
    title, rows = found.title, found.rows
    assert title == "T"
    assert rows == (("m", (0.07, 0.06, 0.05, None, 0.03, 0.02, 0.01)),)


def test_the_published_rows_of_the_paper_stand_below_ours() -> None:
    published = dict(leaderboard(data()).published)
    assert published["GPT-4o"] == pytest.approx((0.7446, 0.6288, 0.5614, 0.4840, 0.4241, 0.3701, 0.3841))


def test_a_table_that_lacks_a_task_is_not_shown() -> None:
    ours = (("accuracy", {"task": "L1_single"}),)
    table = PublishedTable(name="t", title="T", columns=("L1_single",), rows={"m": (1.0,)}, ours=ours)
    assert published_rows([table], [t.name for t in task_columns(data())]) == PublishedRows()


def test_a_run_that_is_not_complete_is_told() -> None:
    scope = Scope(28, 28, 28, {"missing": 23})
    run = replace(data().runs[1], model=scope.named("visionary-9b"), scope=scope)
    (note,) = leaderboard(replace(data(), runs=[run])).notes
    assert note.startswith(
        "visionary-9b: the run is not complete; of 28 answers due, 23 never came. Each counts as wrong."
    )
