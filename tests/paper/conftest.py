"""Where the texts of the papers lie, where there are any."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[3] / "shared"

FILES = {
    "4d-bench": "4d-bench.txt",
    "seed-bench": "seed-bench.txt",
    "pulsecheck457": "pulsecheck457.txt",
    "sti-bench": "sti-bench.txt",
    "3dsrbench": "3dsrbench.json",
}

PaperText = Callable[[str], str]


@pytest.fixture(scope="session")
def paper_text() -> PaperText:
    """Return the text of a benchmark's paper; tests that need it are skipped where it is not there."""
    folder = Path(os.environ.get("FATHOM_ASSETS", BESIDE / "assets")).parent / "papers"

    def read(name: str) -> str:
        path = folder / FILES[name]
        if not path.is_file():
            pytest.skip("the texts of the papers do not lie beside FATHOM_ASSETS")
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            return " ".join(s["content"] for s in json.loads(text)["sections"])
        return text

    return read
