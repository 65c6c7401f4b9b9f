"""The scripts that measure say what they do, and measure nothing until they are asked to."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted(p for folder in ("perf", "tools") for p in (ROOT / folder).glob("[!_]*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.stem)
def test_help_says_what_a_script_measures(script: Path) -> None:
    about = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    first = about.partition("\n")[0]
    assert first
    words = [sys.executable, str(script), "--help"]
    said = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert said.returncode == 0, said.stderr
    assert " ".join(first.split()) in " ".join(said.stdout.split())
