"""What `--help` prints is held by files; FATHOM_GOLDEN=write draws them again."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from fathom import api
from tests.cli.conftest import Fathom

GOLDEN = Path(__file__).parent / "golden"
DRAWN_WITH = "0.29"
"""The version of typer that drew the files; another one may break lines elsewhere."""

VERBS = (
    "quickstart", "build", "import", "import-run", "run", "score", "compare", "study", "report", "errors",
    "check", "export", "tables", "assets", "assets index", "curate", "curate train", "write-questions",
    "captions", "upgrade",
)  # fmt: skip

HEAVY = (
    "mitsuba", "drjit", "scipy", "sklearn", "matplotlib", "PIL", "aiohttp", "trimesh", "embreex",
    "manifold3d", "pyarrow", "av", "torch", "numpy", "jinja2",
)  # fmt: skip


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_reads_as_its_golden_file(fathom: Fathom, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    if not version("typer").startswith(DRAWN_WITH):
        pytest.skip(f"the golden files were drawn with typer {DRAWN_WITH}, and {version('typer')} is here")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERMINAL_WIDTH", "100")
    ended = fathom(*verb.split(), "--help")
    assert (ended.code, ended.err) == (0, "")
    file = GOLDEN / f"{verb.replace(' ', '-') or 'fathom'}.txt"
    if os.environ.get("FATHOM_GOLDEN") == "write":
        file.write_text(ended.out, encoding="utf-8")
    assert ended.out == file.read_text(encoding="utf-8")


def test_help_lists_every_verb(fathom: Fathom) -> None:
    said = fathom("--help").out
    for verb in VERBS:
        assert f" {verb.split()[0]} " in said


def test_without_words_fathom_shows_its_help(fathom: Fathom) -> None:
    said = fathom()
    assert "Start with: fathom quickstart" in said.out + said.err


def test_the_version_is_printed(fathom: Fathom) -> None:
    from fathom import __version__

    assert fathom("--version").out == f"fathom {__version__}\n"


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    code = "import sys, fathom.cli, fathom.api; print(*sorted({m.partition('.')[0] for m in sys.modules}))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not set(HEAVY) & set(said.split())


def test_help_waits_for_no_records() -> None:
    code = "import sys, fathom.cli; print(*sorted({m.partition('.')[0] for m in sys.modules}))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {*HEAVY, "msgspec"} & set(said.split())


def test_the_api_is_this_list() -> None:
    assert api.__all__ == [
        "BENCHMARKS",
        "Checked",
        "PhotosBuilt",
        "Progress",
        "Ran",
        "Review",
        "ReviewPlan",
        "RunComparison",
        "Studied",
        "accept_assets",
        "ask_of_pictures",
        "begin_review",
        "benchmark_named",
        "build_dataset",
        "build_from_photos",
        "build_settings",
        "check_dataset",
        "compare_runs",
        "export_dataset",
        "extract_information",
        "import_dataset",
        "import_run",
        "import_settings",
        "index_assets",
        "is_review",
        "open_review",
        "published_tables",
        "quickstart",
        "read_error_labels",
        "review_assets",
        "run_model",
        "run_model_study",
        "run_settings",
        "run_study",
        "score_run",
        "take_captions",
        "train_classifier",
        "training_settings",
        "upgrade_folder",
        "write_questions",
        "write_report",
        "writing_settings",
    ]
    assert all(getattr(api, name).__doc__ for name in api.__all__ if name != "BENCHMARKS")
