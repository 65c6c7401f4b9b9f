"""The page as a file: whole, small, the same each time, and complete without its script."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom import api
from fathom.pages.charts import Bar, Cell, Panel
from fathom.pages.figures import lines_figure, points_figure, save_figure
from fathom.records import InputError
from fathom.reporting.data import ReportData
from fathom.reporting.figures import file_name
from fathom.reporting.gallery import gallery
from fathom.reporting.leaderboard import leaderboard
from fathom.reporting.page import findings, header, write_report
from tests.latex import HOSTILE, compiled
from tests.protocols.made import write_3dsrbench
from tests.reporting.synthetic import report_data, report_html
from tests.said import scored


@cache
def data() -> ReportData:
    return report_data(scenes=2, a_task=2)


def test_the_same_input_gives_the_same_bytes() -> None:
    assert report_html(data()) == report_html(report_data(scenes=2, a_task=2))


def test_the_page_points_at_nothing_outside_itself() -> None:
    html = report_html(data())
    sources = re.findall(r"""(?:src|href|action|poster|srcset)=["']?([^"'\s>]+)""", html)
    assert sources
    assert all(s.startswith(("#", "data:")) for s in sources)
    assert "http://" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in html


def test_a_set_without_pictures_is_not_said_to_have_one() -> None:
    there = data()
    bare = tuple(msgspec.structs.replace(q, media=()) for q in there.dataset.questions)
    found = header_of(replace(there, dataset=replace(there.dataset, questions=bare)))
    assert {"2 scenes", "no pictures"} <= set(found) and not any("1 picture" in fact for fact in found)
    alone = tuple(msgspec.structs.replace(q, scene="") for q in bare)
    found = header_of(replace(there, dataset=replace(there.dataset, questions=alone)))
    assert "no pictures" in found and not any(fact.startswith("1 ") for fact in found)
    assert "2 pictures" in header_of(there) and "no pictures" not in header_of(there)


def header_of(data: ReportData) -> tuple[str, ...]:
    board = leaderboard(data)
    return header(data, board, None, gallery(data, board.tasks)).facts


def test_twelve_pictures_stay_under_three_megabytes() -> None:
    assert len(report_html(report_data(scenes=12, a_task=4)).encode()) < 3_000_000


def test_figures_and_tables_lie_beside_the_page(tmp_path: Path) -> None:
    page = write_report(tmp_path, data())
    made = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert page == tmp_path / "report.html"
    for stem in ("levels", "tasks", "rpdr", "margins", "confusion-visionary-9b"):
        assert {f"figures/{stem}.svg", f"figures/{stem}.pdf"} <= made
    for stem in ("leaderboard", "table2", "table3", "table4", "variation", "dataset"):
        assert {f"tables/{stem}.csv", f"tables/{stem}.tex"} <= made
    assert "tables/scores.csv" in made
    assert not any(name.endswith(".part") for name in made)


def test_every_table_of_a_report_compiles_whatever_its_models_are_called(tmp_path: Path) -> None:
    named = zip(HOSTILE, data().runs, strict=False)
    runs = tuple(replace(run, model=f"{name}{run.model}") for name, run in named)
    write_report(tmp_path / "report", replace(data(), runs=runs))
    files = sorted(tmp_path.rglob("*.tex"))
    assert len(files) >= 6
    compiled(tmp_path, *(path.read_text(encoding="utf-8") for path in files))


def test_a_report_that_cannot_be_finished_leaves_no_page(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("an older report")
    (tmp_path / "tables").write_text("a file where a folder should be")
    with pytest.raises(InputError, match="could not be written"):
        write_report(tmp_path, data())
    assert not (tmp_path / "report.html").exists()


@given(st.text(min_size=1, max_size=60), st.text(min_size=1, max_size=60))
def test_models_of_different_names_have_figures_of_different_names(one: str, other: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+", file_name(one))
    assert (file_name(one).lower() == file_name(other).lower()) == (one == other)


def test_a_large_dataset_shows_only_as_many_pictures_as_asked_for() -> None:
    data = report_data(scenes=40, a_task=1, objects=3, pictures_shown=3)
    html = report_html(data)
    assert html.count("<article") == 3
    assert "3 of 40 pictures, chosen by a hash of their names" in html


def test_published_rows_carry_their_label() -> None:
    assert "comparable only where the dataset is the imported official one" in report_html(data())
    official = replace(data(), dataset=replace(data().dataset, official=True))
    assert "comparable only where" not in report_html(official)


def test_a_report_without_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least one run"):
        write_report(tmp_path, replace(data(), runs=[]))


def test_runs_on_different_datasets_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    other = msgspec.structs.replace(data().runs[1].manifest, inputs={"dataset": "cd" * 32})
    runs = [data().runs[0], replace(data().runs[1], manifest=other)]
    with pytest.raises(InputError, match="visionary-9b: was made on the dataset cdcdcdcdcdcd"):
        write_report(tmp_path / "out", replace(data(), runs=runs))
    assert not (tmp_path / "out").exists()


def test_a_run_without_scores_and_a_dataset_without_scenes_still_make_a_page() -> None:
    bare = replace(data().dataset, scenes={}, outlines=(), media={}, checks=())
    runs = [replace(run, scores=(), responses={}) for run in data().runs]
    html = report_html(replace(data(), dataset=bare, runs=runs))
    assert "<article" in html
    assert "–" in html


def tiles(runs: list[str]) -> dict[str, str]:
    """The tiles of a page of these models of `synthetic.py`, in the order of their scores."""
    chosen = replace(data(), runs=[run for run in data().runs if run.model in runs])
    return {found.what: found.words for found in findings(leaderboard(chosen))}


def test_a_model_below_a_baseline_is_not_called_the_best_without_saying_so() -> None:
    found = tiles(["squinter-2b", "oracle"])
    assert found["Best and only model"].startswith("squinter-2b")
    assert found["Baselines ahead of every model"].startswith("oracle 100.0 %")
    assert "Baselines ahead of every model" not in tiles(["visionary-9b", "squinter-2b", "random"])


def test_a_page_of_baselines_alone_has_their_numbers() -> None:
    found = tiles(["oracle", "random"])
    assert list(found) == ["Baselines alone", "Chance"]
    assert found["Baselines alone"].startswith("oracle 100.0 %, random ")


def test_tasks_without_an_order_are_joined_by_no_line_and_fit_a_page(tmp_path: Path) -> None:
    names = ["Multi-object: viewpoint towards an object", *(f"Kind: task number {k}" for k in range(11))]
    panels = [Panel(model, tuple(Bar(n, Cell(0.5, 0.4, 0.6, 9)) for n in names)) for model in ("a", "b")]
    figure = points_figure(panels, "correct, % (circular)", [0.25] * 12)
    svg, _ = save_figure(figure, tmp_path / "levels")
    text = svg.read_text(encoding="utf-8")
    width = re.search(r'width="([0-9.]+)pt"', text)
    assert width
    assert float(width[1]) <= 72 * 6.8 + 1
    (ax,) = figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == names, "no label is cut"
    dots = [line for line in ax.lines if line.get_marker() not in ("None", "")]
    assert {len(np.asarray(line.get_xdata())) for line in dots} == {1}
    assert (lines_figure(panels, "task").get_size_inches() <= (6.8, 10)).all()


def test_every_number_of_grouped_passes_is_called_what_it_is(tmp_path: Path) -> None:
    dataset, run = write_3dsrbench(tmp_path / "set"), tmp_path / "run"
    api.run_model(dataset, "random", run)
    text = scored(run)
    assert re.search(r"circular, leading +plain +flip +flip \+ circular", text)
    assert re.search(r"mean of passes +95 % interval", text)
    assert not re.search(r"accuracy +95 % interval", text)
    page = api.write_report([run], tmp_path / "report").read_text(encoding="utf-8")
    assert ">Overall, circular<" in page
    assert "flip + circular" in page
    table = (tmp_path / "report" / "tables" / "leaderboard.csv").read_text(encoding="utf-8")
    assert table.startswith('Model,"Overall, circular",')
    assert "correct, % (circular)" in (tmp_path / "report" / "figures" / "levels.svg").read_text("utf-8")
