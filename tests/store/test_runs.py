"""A run folder knows what it is a run of, and refuses to become another."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fathom.records import InputError, Manifest
from fathom.store.datasets import SCHEMA_VERSION
from fathom.store.runs import begin_run, dataset_setting, end_run, open_run
from tests.inference.folders import make_dataset


def manifest(**changes: object) -> Manifest:
    made = Manifest(
        kind="run",
        tool="fathom",
        tool_version="0",
        schema_version=SCHEMA_VERSION,
        command="run",
        settings={"model": "m", "dataset": "../d"},
        inputs={"dataset": "identity"},
    )
    return msgspec.structs.replace(made, **changes)


def test_a_run_is_begun_carried_on_and_ended(tmp_path: Path) -> None:
    begin_run(tmp_path / "r", manifest())
    run = begin_run(tmp_path / "r", manifest(tool_version="1"))
    end_run(run, {"requests": 3}, complete=True)
    found = open_run(tmp_path / "r").manifest
    assert (found.complete, found.counts) == (True, {"requests": 3})


def test_a_folder_of_another_run_is_refused_with_the_difference(tmp_path: Path) -> None:
    begin_run(tmp_path / "r", manifest())
    with pytest.raises(InputError, match="model is 'm' there, and 'n' now"):
        begin_run(tmp_path / "r", manifest(settings={"model": "n"}))
    with pytest.raises(InputError, match="dataset identity is 'identity' there"):
        begin_run(tmp_path / "r", manifest(inputs={"dataset": "other"}))


def test_a_dataset_may_move(tmp_path: Path) -> None:
    begin_run(tmp_path / "r", manifest())
    run = begin_run(tmp_path / "r", manifest(settings={"model": "m", "dataset": "elsewhere"}))
    assert run.manifest.settings["dataset"] == "elsewhere"


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(InputError, match="is not empty, and not a run"):
        begin_run(tmp_path, manifest())
    with pytest.raises(InputError, match="expected a run folder"):
        open_run(tmp_path)


def test_run_and_dataset_can_be_moved_together(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "a" / "d")
    setting = dataset_setting(tmp_path / "a" / "r", dataset.path)
    assert setting == "../d"
    settings = {"model": "m", "dataset": setting}
    begin_run(
        tmp_path / "a" / "r", manifest(settings=settings, inputs={"dataset": dataset.manifest.identity})
    )
    (tmp_path / "a").rename(tmp_path / "b")
    assert open_run(tmp_path / "b" / "r").dataset().path == tmp_path / "b" / "d"


def test_another_dataset_in_the_same_place_is_noticed(tmp_path: Path) -> None:
    make_dataset(tmp_path / "d")
    run = begin_run(tmp_path / "r", manifest(inputs={"dataset": "0" * 64}))
    with pytest.raises(InputError, match="was made on the dataset 000000000000"):
        run.dataset()


def test_a_run_that_was_cut_off_while_it_wrote_its_manifest_begins_again(tmp_path: Path) -> None:
    (tmp_path / ".manifest.json.abc.part").write_text('{"kind": "ru')
    begin_run(tmp_path, manifest())
    assert [p.name for p in tmp_path.iterdir()] == ["manifest.json"]
