"""The check of the structure sees what it is there for, in a small package made for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import structure

FILES = {
    "__init__.py": "",
    "cli/__init__.py": "from fathom.build.make import made\n\ndef main():\n    made()\n",
    "build/__init__.py": "",
    "build/make.py": (
        "from fathom.scoring.table import Row\n\nclass Kind: ...\n\ndef made():\n    return _help()\n\n"
        "def _help():\n    return Row\n\ndef forgotten():\n    return _lost()\n\ndef _lost():\n    return 1\n"
    ),
    "scoring/__init__.py": "",
    "scoring/table.py": (
        "class Row: ...\n\nclass Kind: ...\n\ndef late():\n    from fathom.build.make import made\n"
        "    return made() if 'sti-bench' else Kind\n"
    ),
    "scoring/alone.py": "def alone():\n    return 1\n",
}


@pytest.fixture
def modules(tmp_path: Path) -> dict[str, structure.Module]:
    for name, text in FILES.items():
        path = tmp_path / "fathom" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return structure.read_modules(tmp_path / "fathom")


def test_what_no_verb_reaches_is_found(modules: dict[str, structure.Module]) -> None:
    lost = {f"{d.module}.{d.name}" for d in structure.unreached(modules)}
    assert {"fathom.build.make.forgotten", "fathom.build.make._lost", "fathom.scoring.alone.alone"} <= lost
    assert not lost & {"fathom.build.make.made", "fathom.build.make._help", "fathom.scoring.table.Row"}


def test_folders_in_a_circle_are_found(modules: dict[str, structure.Module]) -> None:
    assert structure.folder_cycles(modules) == [("fathom.build", "fathom.scoring")]


def test_a_class_name_that_stands_twice_is_found(modules: dict[str, structure.Module]) -> None:
    assert structure.class_names_twice(modules) == {"Kind": ["fathom.build.make", "fathom.scoring.table"]}


def test_a_benchmark_named_in_a_general_layer_is_found(modules: dict[str, structure.Module]) -> None:
    assert structure.benchmarks_named(modules) == ["fathom.scoring.table:7: sti-bench"]
