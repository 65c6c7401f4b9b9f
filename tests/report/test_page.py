"""The page as a file: whole, small, the same each time, and complete without its script."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.records import InputError
from fathom.report.figures import file_name
from fathom.report.page import report_html, write_report
from tests.report.synthetic import report_data

DATA = report_data(scenes=2, a_task=2)


def test_the_same_input_gives_the_same_bytes() -> None:
    assert report_html(DATA) == report_html(report_data(scenes=2, a_task=2))


def test_the_page_points_at_nothing_outside_itself() -> None:
    html = report_html(DATA)
    sources = re.findall(r"""(?:src|href|action|poster|srcset)=["']?([^"'\s>]+)""", html)
    assert sources
    assert all(s.startswith(("#", "data:")) for s in sources)
    assert "http://" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in html


def test_twelve_pictures_stay_under_three_megabytes() -> None:
    assert len(report_html(report_data(scenes=12, a_task=4)).encode()) < 3_000_000


def test_figures_and_tables_lie_beside_the_page(tmp_path: Path) -> None:
    page = write_report(tmp_path, DATA)
    made = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert page == tmp_path / "report.html"
    for stem in ("levels", "tasks", "rpdr", "margins", "confusion-visionary-9b"):
        assert {f"figures/{stem}.svg", f"figures/{stem}.pdf"} <= made
    for stem in ("leaderboard", "table2", "table3", "table4", "variation", "dataset"):
        assert {f"tables/{stem}.csv", f"tables/{stem}.tex"} <= made
    assert "tables/scores.csv" in made
    assert not any(name.endswith(".part") for name in made)


def test_a_report_that_cannot_be_finished_leaves_no_page(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("an older report")
    (tmp_path / "tables").write_text("a file where a folder should be")
    with pytest.raises(InputError, match="could not be written"):
        write_report(tmp_path, DATA)
    assert not (tmp_path / "report.html").exists()


@given(st.text(min_size=1, max_size=60), st.text(min_size=1, max_size=60))
def test_models_of_different_names_have_figures_of_different_names(one: str, other: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+", file_name(one))
    assert (file_name(one).lower() == file_name(other).lower()) == (one == other)


def test_a_large_dataset_shows_only_as_many_pictures_as_asked_for() -> None:
    data = report_data(scenes=40, a_task=1, things=3, pictures_shown=3)
    html = report_html(data)
    assert html.count("<article") == 3
    assert "3 of 40 pictures, chosen by a hash of their names" in html


def test_published_rows_carry_their_label() -> None:
    assert "comparable only where the dataset is the imported official one" in report_html(DATA)
    official = replace(DATA, dataset=replace(DATA.dataset, official=True))
    assert "comparable only where" not in report_html(official)


def test_a_report_without_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least one run"):
        write_report(tmp_path, replace(DATA, runs=[]))


def test_runs_on_different_datasets_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    other = msgspec.structs.replace(DATA.runs[1].manifest, inputs={"dataset": "cd" * 32})
    runs = [DATA.runs[0], replace(DATA.runs[1], manifest=other)]
    with pytest.raises(InputError, match="visionary-9b: was made on the dataset cdcdcdcdcdcd"):
        write_report(tmp_path / "out", replace(DATA, runs=runs))
    assert not (tmp_path / "out").exists()


def test_a_run_without_scores_and_a_dataset_without_scenes_still_make_a_page() -> None:
    bare = replace(DATA.dataset, scenes={}, outlines=(), media={}, checks=())
    runs = [replace(run, scores=(), responses={}) for run in DATA.runs]
    html = report_html(replace(DATA, dataset=bare, runs=runs))
    assert "<article" in html
    assert "–" in html
