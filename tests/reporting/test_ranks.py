"""Places on each task, a leaderboard for each, and gains over text alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from fathom.pages.charts import Cell
from fathom.pages.ranks import RankCell, ranks
from fathom.records import Variant
from fathom.reporting.data import ReportData, ReportRun
from fathom.reporting.leaderboard import TEXT_ONLY, leaderboard
from fathom.reporting.measured import beyond
from fathom.reporting.page import write_report
from fathom.reporting.ranks import TaskRanks, task_ranks
from fathom.reporting.tables import leaderboard_table
from tests.reporting.synthetic import STRENGTHS, TASKS, report_data, report_html, run_of

BLIND = Variant(media_withheld=True)


def blind(run: ReportRun) -> ReportRun:
    """Return a run as if it had been made without pictures."""
    return replace(run, sample_scores=[msgspec.structs.replace(s, variant=BLIND) for s in run.sample_scores])


@pytest.fixture(scope="module")
def data() -> ReportData:
    """The made-up report, with two runs of text alone."""
    given = report_data()
    readers = [blind(run_of(name, 0.3, given.dataset.questions)) for name in ("reader-a", "reader-b")]
    return replace(given, runs=[*given.runs, *readers])


@pytest.fixture(scope="module")
def found(data: ReportData) -> TaskRanks:
    ranked = task_ranks(data.runs, leaderboard(data))
    assert ranked is not None
    return ranked


def test_runs_of_text_alone_are_ranked_apart_and_are_never_the_best(data: ReportData) -> None:
    better = blind(run_of("reader-c", 5.0, data.dataset.questions))
    board = leaderboard(replace(data, runs=[better, *data.runs]))
    ranked = {title: [row.model for row in rows] for title, rows in board.ranked}
    assert list(ranked) == ["", TEXT_ONLY]
    assert ranked[TEXT_ONLY][0] == "reader-c"
    assert set(ranked[TEXT_ONLY]) == {"reader-a", "reader-b", "reader-c"}
    assert [row.model for row in board.rows] == [*ranked[""], *ranked[TEXT_ONLY]]
    assert max(board.rows, key=lambda row: row.overall.value or 0).model in ("reader-c", "oracle")
    assert [row.model for row in board.rows if row.best_overall] == ["visionary-9b"]


def test_a_row_says_under_which_protocol_it_was_asked(data: ReportData) -> None:
    settings = {**data.runs[0].manifest.settings, "protocol": "paper", "protocol.grouping": "circular"}
    other = msgspec.structs.replace(data.runs[0].manifest, settings=settings)
    runs = [replace(data.runs[0], manifest=other), *data.runs[1:]]
    board = leaderboard(replace(data, runs=runs))
    assert next(row for row in board.rows if row.run == 0).protocol == "paper, circular"
    first = next(row[0] for row in leaderboard_table(board).rows if row[0].startswith(data.runs[0].model))
    assert first == f"{data.runs[0].model} [paper, circular]"


def accuracy(run: ReportRun, task: str = "") -> float:
    return mean(s.value for s in run.sample_scores if task in ("", s.task))


def mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def test_equal_scores_share_the_better_place_and_the_first_is_darkest() -> None:
    places = ranks([Cell(0.5), Cell(0.9), Cell(0.5), Cell(None), Cell(0.1)])
    assert [p.rank for p in places] == [2, 1, 2, 0, 4]
    assert [p.share for p in places] == [pytest.approx(v) for v in (2 / 3, 1, 2 / 3, 0, 0)]
    assert RankCell(1, 1, Cell(0.5)).share == 0


def test_a_place_is_one_more_than_the_models_that_are_better_and_baselines_have_none(
    data: ReportData, found: TaskRanks
) -> None:
    models = {run.model: run for run in data.runs if not run.baseline}
    assert [row.model for row in found.matrix.rows] == sorted(models, key=lambda m: -accuracy(models[m]))
    for row in found.matrix.rows:
        for task, place in zip(("", *TASKS), row.cells, strict=True):
            own = accuracy(models[row.model], task)
            assert place.rank == 1 + sum(accuracy(other, task) > own + 1e-9 for other in models.values())
    assert {row.model for row in found.matrix.rows if row.text_only} == {"reader-a", "reader-b"}


def test_each_task_has_a_leaderboard_with_the_best_first(found: TaskRanks) -> None:
    assert [panel.title for panel in found.boards] == list(TASKS.values())
    for panel in found.boards:
        values = [bar.cell.value or 0.0 for bar in panel.bars]
        assert values == sorted(values, reverse=True)
        assert panel.bars[0].label.startswith("1. ")


def test_a_gain_is_the_difference_to_the_mean_of_the_runs_without_pictures(
    data: ReportData, found: TaskRanks
) -> None:
    assert found.gains is not None
    readers = [run for run in data.runs if run.model.startswith("reader")]
    column = found.gains.columns.index("visionary-9b")
    (model,) = [run for run in data.runs if run.model == "visionary-9b"]
    for row, task in zip(found.gains.rows, ("", *TASKS), strict=True):
        wanted = 100 * (accuracy(model, task) - mean(accuracy(r, task) for r in readers))
        assert float(row[column].split(" ")[0].replace("−", "-")) == pytest.approx(wanted, abs=0.051)


def test_without_a_run_of_text_alone_there_are_no_gains_and_of_one_model_no_ranks() -> None:
    data = report_data()
    ranked = task_ranks(data.runs, leaderboard(data))
    assert ranked is not None
    assert ranked.gains is None
    one = replace(data, runs=[run for run in data.runs if run.model in (*list(STRENGTHS)[:2], "random")])
    assert task_ranks(one.runs, leaderboard(one)) is None
    assert 'id="ranks"' not in report_html(one)


def test_a_failed_answer_without_a_variant_does_not_hide_that_pictures_were_withheld() -> None:
    data = report_data()
    run = blind(data.runs[1])
    lost = msgspec.structs.replace(run.sample_scores[0], status="failed", variant=Variant())
    changed = replace(data, runs=[replace(run, sample_scores=[lost, *run.sample_scores[1:]]), data.runs[2]])
    ranked = task_ranks(changed.runs, leaderboard(changed))
    assert ranked is not None
    assert [row.text_only for row in ranked.matrix.rows] == [False, True]


def test_the_page_shows_names_as_text_and_the_folder_has_figure_and_tables(
    data: ReportData, tmp_path: Path
) -> None:
    named = [replace(run, model=f"<b>{run.model}") if i == 1 else run for i, run in enumerate(data.runs)]
    page = write_report(tmp_path / "report", replace(data, runs=named)).read_text(encoding="utf-8")
    section = page.split('id="ranks"')[1].split("</section>")[0]
    assert "&lt;b&gt;visionary-9b" in section
    assert "<b>visionary" not in section
    assert section.count("<tr>") == 1 + 4 + 1 + 1 + len(TASKS)
    assert (tmp_path / "report" / "figures" / "ranks.svg").is_file()
    for name in ("ranks", "gains"):
        assert (tmp_path / "report" / "tables" / f"{name}.csv").is_file()
    assert beyond(data, leaderboard(data)).sections[0] == ("ranks", "Ranks")
