"""docs/walkthrough.md: its template is the project's, and its blocks run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "walkthrough.md").read_text(encoding="utf-8")


def test_the_template_of_the_page_is_one_of_the_benchmark() -> None:
    template = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    folder = ROOT / "src/fathom/benchmarks/pulsecheck457/templates"
    assert len(template) == 1 and template[0] in (folder / "L1_single.toml").read_text(encoding="utf-8")


def test_every_file_and_folder_that_the_page_names_is_there() -> None:
    named = re.findall(
        r"`((?:datasets|scenes|ground_truth|questions|verify|render|benchmarks|extraction|curation)/\S*?)`",
        PAGE,
    )
    assert len(named) > 8
    assert [path for path in named if not (ROOT / "src/fathom" / path).exists()] == []


def test_every_block_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        exec(compile(block, "docs/walkthrough.md", "exec"), names)
