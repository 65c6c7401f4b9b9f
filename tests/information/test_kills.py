"""What is collected of pictures, or asked of them, comes to the same when it is killed at each file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Fathom, fathom
from tests.dying import contents, killed_at_each_file
from tests.inference.folders import png

__all__ = ["fathom"]


@pytest.mark.parametrize(
    ("more", "files"),
    [
        (("--extractors", "jsonl=said.jsonl"), ["info.jsonl", "media.jsonl", "questions.jsonl"]),
        (("--ask",), ["requests.jsonl"]),
    ],
)
def test_extract(
    fathom: Fathom,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    more: Sequence[str],
    files: Sequence[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(3):
        (pictures / f"{number}.png").write_bytes(png((number, 2, 3)))
    said = [json.dumps({"id": str(k), "captions": [{"text": "a dog"}]}) + "\n" for k in range(3)]
    (tmp_path / "said.jsonl").write_text("".join(said), encoding="utf-8")
    verb = ["extract", pictures, "--quiet", *more, "--out"]
    assert fathom(*verb, tmp_path / "whole" / "info").code == 0
    killed = killed_at_each_file([*verb, tmp_path / "killed" / "info"], tmp_path / "log")
    assert {*files, "manifest.json"} <= set(killed)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
