"""Every table in LaTeX compiles, whatever names are in it, and shows them as they are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from fathom import api
from fathom.pages.tables import STACKED_FROM, Table, as_latex
from fathom.scoring.published import published_tables
from tests.latex import HOSTILE, compiled


def test_every_shape_of_table_compiles_whatever_its_names_are(tmp_path: Path) -> None:
    names = [*HOSTILE, "".join(map(chr, range(0xA0, 0x180)))]
    narrow = Table(names[0], ("", *names[1:4]), tuple((n, "1.0", "–", n) for n in names), tuple(names))
    wide = ("", *names[: STACKED_FROM + 1])
    cells = ("62.9 (58.1–67.4)", "−0.5 [−1.0, +2.0]", "–")
    rows = tuple((n, *(cells[k % 3] for k in range(len(wide) - 1))) for n in names)
    stacked = Table(f"Table 2: {names[1]}", wide, rows, (), (1, len(rows) - 1))
    bare = [Table(name, (name,), ((name,), ("",), (name,))) for name in names]
    compiled(tmp_path, *map(as_latex, (narrow, stacked, *bare)))


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    names = ("100%_&#$~^{}\\", "[0.5ex] row", "*starred", "a--b---c", "1 ≥ −2", "a\nb", "模")
    compiled(tmp_path, as_latex(Table("Names", ("",), tuple((n,) for n in names))))
    subprocess.run(["pdftotext", "-layout", "all.pdf"], cwd=tmp_path, check=True, timeout=60)
    lines = [line.strip() for line in (tmp_path / "all.txt").read_text(encoding="utf-8").splitlines()]
    for name in ("[0.5ex] row", "*starred", "a--b---c", "1 ≥ −2", "a\\nb", "U+6A21"):
        assert name in lines, lines
    assert any(line.startswith("100%") and "&#$" in line and line.endswith("{}\\") for line in lines), lines


@pytest.mark.parametrize("name", list(api.BENCHMARKS))
def test_every_published_table_compiles(tmp_path: Path, name: str) -> None:
    benchmark = api.benchmark_named(name)
    compiled(tmp_path, *map(as_latex, published_tables(benchmark.tables, benchmark.tasks)))
