"""Packages that are not installed: named where nothing can be done without, noted where something can."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fathom.records import MissingExtraError
from tests.importing import predicted, shapes
from tests.importing.breaking import workbook
from tests.importing.reading import imported


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] in packages:
            monkeypatch.delitem(sys.modules, name)
    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)


def test_parquet_without_pyarrow_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shapes.sti(tmp_path / "sti", b"")
    without(monkeypatch, "pyarrow")
    with pytest.raises(MissingExtraError, match=r"fathom-bench\[tables\]"):
        imported("sti-bench", folder, tmp_path / "out")


def test_excel_without_openpyxl_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fathom import api

    imported("3dsrbench", shapes.threed_kit(tmp_path / "3d"), tmp_path / "set")
    shapes.write(tmp_path / "m.xlsx", workbook(predicted.vlmevalkit_rows()))
    without(monkeypatch, "openpyxl")
    with pytest.raises(MissingExtraError, match=r"fathom-bench\[tables\]"):
        api.import_run(tmp_path / "set", tmp_path / "m.xlsx", tmp_path / "run")


def test_videos_without_pyav_are_imported_and_noted(
    tmp_path: Path, video: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shapes.fourd(tmp_path / "4d", video)
    without(monkeypatch, "av")
    found = imported("4d-bench", folder, tmp_path / "out")
    assert len(found.questions) == 5
    assert found.found("noted", "could not be looked into") == 12
    assert found.dataset.media(found.questions[f"{shapes.UIDS[0]}_motion"].media[0]).frames == 0


def test_pictures_need_no_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    without(monkeypatch, "av", "pyarrow", "openpyxl", "PIL")
    found = imported("pulsecheck457", folder, tmp_path / "out")
    assert len(found.questions) == 6
    assert json.loads((tmp_path / "out" / "import.json").read_text())["read"] == 6
