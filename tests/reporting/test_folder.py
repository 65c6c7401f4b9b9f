"""The report's folder: what its manifest says, and what becomes of an earlier report."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec
import pytest

from fathom.records import InputError, Manifest
from fathom.reporting.data import ReportData
from fathom.reporting.folder import run_identity
from fathom.reporting.page import write_report
from fathom.store.datasets import MANIFEST
from fathom.store.files import read_json, sha256_file, write_text
from tests.reporting.synthetic import report_data


@cache
def whole() -> ReportData:
    return report_data(scenes=1, a_task=1)


@cache
def data() -> ReportData:
    return replace(whole(), runs=whole().runs[:2])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(tmp_path_factory.mktemp("made") / "report", data()).parent


def files_in(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_the_manifest_names_what_went_in_and_every_file_with_its_hash(folder: Path) -> None:
    manifest = read_json(folder / MANIFEST, Manifest)
    assert (manifest.kind, manifest.command, manifest.complete) == ("report", "report", True)
    assert manifest.inputs["dataset"] == data().dataset.manifest.identity
    assert [n for n in manifest.inputs if n.startswith("run:")] == [
        f"run:{k}:{run.model}" for k, run in enumerate(data().runs)
    ]
    assert set(manifest.files) == files_in(folder) - {MANIFEST}
    assert all(sha256_file(folder / name) == digest for name, digest in manifest.files.items())


def test_the_same_report_has_the_same_manifest(folder: Path, tmp_path: Path) -> None:
    again = write_report(tmp_path / "report", data()).parent
    assert (again / MANIFEST).read_bytes() == (folder / MANIFEST).read_bytes()


def test_without_figures_all_else_is_the_same(folder: Path, tmp_path: Path) -> None:
    alone = write_report(tmp_path / "report", data(), figures=False).parent
    assert files_in(alone) == {name for name in files_in(folder) if not name.startswith("figures/")}
    assert all(
        (alone / n).read_bytes() == (folder / n).read_bytes() for n in files_in(alone) if n != MANIFEST
    )


def test_a_run_is_known_by_its_answers_and_marks_and_not_by_where_it_lies() -> None:
    run = data().runs[0]
    moved = msgspec.structs.replace(run.manifest, settings={**run.manifest.settings, "dataset": "elsewhere"})
    assert run_identity(replace(run, manifest=moved)) == run_identity(run)
    assert run_identity(replace(run, sample_scores=run.sample_scores[::-1])) == run_identity(run)
    (name, response), *_ = run.responses.items()
    other = msgspec.structs.replace(response, text="otherwise")
    assert run_identity(replace(run, responses={**run.responses, name: other})) != run_identity(run)
    assert run_identity(replace(run, sample_scores=run.sample_scores[1:])) != run_identity(run)


def test_nothing_of_an_earlier_report_survives_and_nothing_else_is_touched(tmp_path: Path) -> None:
    write_report(tmp_path / "report", data())
    write_text(tmp_path / "report" / "figures" / "my-own.svg", "<svg/>")
    fewer = replace(data(), runs=data().runs[:1])
    write_report(tmp_path / "report", fewer)
    write_report(tmp_path / "fresh", fewer)
    assert files_in(tmp_path / "report") == files_in(tmp_path / "fresh") | {"figures/my-own.svg"}


def test_what_a_report_left_that_was_cut_off_is_taken_out(tmp_path: Path) -> None:
    manifest = msgspec.structs.replace(data().dataset.manifest, kind="report", complete=False)
    write_text(tmp_path / MANIFEST, msgspec.json.encode(manifest).decode())
    write_text(tmp_path / "figures" / "confusion-an-older-model.svg", "<svg/>")
    write_report(tmp_path, data())
    assert "figures/confusion-an-older-model.svg" not in files_in(tmp_path)


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    write_text(tmp_path / "d" / MANIFEST, msgspec.json.encode(data().dataset.manifest).decode())
    with pytest.raises(InputError, match="expected a report folder, found a dataset folder"):
        write_report(tmp_path / "d", data())
    write_text(tmp_path / "full" / "thesis.tex", "")
    with pytest.raises(InputError, match="is not empty, and not a report; choose another folder"):
        write_report(tmp_path / "full", data())
    assert files_in(tmp_path) == {f"d/{MANIFEST}", "full/thesis.tex"}
