"""The table of what is covered names tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from fathom import api

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ("import", "paper's protocol", "extraction", "protocols", "metrics", "published rows")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def table() -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Return the tests that are named in each cell, by benchmark and column."""
    text = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    lines = text.partition("\n\n| ")[2].partition("\n\n")[0].splitlines()
    columns = [cell.strip() for cell in lines[0].split("|") if cell.strip()]
    assert tuple(columns) == COLUMNS
    rows: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for line in lines[2:]:
        title, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[title] = {column: NAMED.findall(cell) for column, cell in zip(columns, cells, strict=True)}
    return rows


@cache
def names_in(path: str) -> frozenset[str]:
    """Return the names of the tests in a file, which is read and not run."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def test_the_table_has_a_row_for_each_benchmark_by_its_title() -> None:
    assert set(table()) == {api.benchmark_named(name).title for name in api.BENCHMARKS}


def test_every_cell_names_a_test() -> None:
    assert [(row, column) for row, cells in table().items() for column in COLUMNS if not cells[column]] == []


def test_every_test_that_is_named_exists() -> None:
    named = {test for cells in table().values() for tests in cells.values() for test in tests}
    missing = {
        f"{path}::{test}" for path, test in named if not (ROOT / path).is_file() or test not in names_in(path)
    }
    assert missing == set()
    assert len(named) > 30
