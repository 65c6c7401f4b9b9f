"""Bad input to a build of videos: one sentence, exit code 2, and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Fathom


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--set", "scales=moon"), "--set scales=moon: there is desktop"),
        (("--set", "desktop.fewest=two"), "expected a whole number"),
        (
            ("--set", "desktop.nothing=2"),
            "there is no setting 'desktop.nothing' of videos with exact motion; there are scales, films",
        ),
        (("--set", "film_quality=best"), "--set film_quality=best: there is draft, preview, final"),
        (("--set", "desktop.grounds=cheese", "--set", "scales=desktop"), "there is"),
        (("--set", "lexicon=x.json"), "--set lexicon=x.json: is for films of animated objects"),
        (("--set", "environment=x"), "--set environment=x: is for scenes that stand still"),
        (("--set", "scales=desktop", "--set", "desktop.seconds=0.1"), "film longer or faster"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(
    words: tuple[str, ...], part: str, tmp_path: Path, fathom: Fathom
) -> None:
    out = tmp_path / "videos"
    build = ("build", "sti-bench", "--out", str(out), "--scenes", "1", "--renderer", "none", "--workers", "1")
    assert part in fathom(*build, *words, "--quiet").sentence()


def test_a_folder_without_models_for_any_scale_is_named(tmp_path: Path, fathom: Fathom) -> None:
    (tmp_path / "assets").mkdir()
    words = ("build", "sti-bench", "--out", str(tmp_path / "v"), "--assets", str(tmp_path / "assets"))
    said = fathom(*words, "--renderer", "none").sentence()
    assert "it holds none; name another folder, or leave --assets out" in said
    assert not (tmp_path / "v").exists()


def test_an_empty_folder_of_models_is_named(tmp_path: Path, fathom: Fathom) -> None:
    (tmp_path / "assets" / "tabletop").mkdir(parents=True)
    words = ("build", "sti-bench", "--out", str(tmp_path / "v"), "--assets", str(tmp_path / "assets"))
    assert "fathom assets index" in fathom(*words, "--renderer", "none").sentence()
