"""Every published number was typed by hand; here it is found again in the text of its paper."""

from __future__ import annotations

import re

import pytest

from fathom.benchmarks.fourdbench import paper as fourdbench
from fathom.benchmarks.pulsecheck457 import paper as pulsecheck457
from fathom.benchmarks.seedbench import paper as seedbench
from fathom.benchmarks.seedbench.paper_text import TEXT
from fathom.benchmarks.stibench import paper as stibench
from fathom.benchmarks.threedsrbench import paper as threedsrbench
from fathom.records import PublishedTable
from tests.paper.conftest import PaperText

BY_ROWS: list[tuple[str, PublishedTable]] = [
    ("4d-bench", fourdbench.QUESTIONS),
    ("4d-bench", fourdbench.CAPTIONS),
    ("4d-bench", fourdbench.ROBUSTNESS),
    ("seed-bench", seedbench.ACCURACY),
    ("pulsecheck457", pulsecheck457.ACCURACY),
    ("pulsecheck457", pulsecheck457.RETENTION),
    ("pulsecheck457", pulsecheck457.VARIATION),
    ("pulsecheck457", pulsecheck457.REAL_POSE),
    ("sti-bench", stibench.BY_TASK),
    ("sti-bench", stibench.BY_SETTING),
]
"""Tables that the texts print row by row."""


def numbers(line: str) -> list[float]:
    """The numbers of a line, without references such as [12]; ↓ is a minus."""
    bare = re.sub(r"\[\d+\]|/5\b", " ", line)
    return [float(n.replace("↓", "-")) for n in re.findall(r"[↓-]?\d+(?:\.\d+)?", bare)]


def letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.casefold())


def has_row(text: str, name: str, cells: list[float]) -> bool:
    return any(
        numbers(line)[-len(cells) :] == cells
        for line in text.splitlines()
        if letters(name)[:4] in letters(line)
    )


@pytest.mark.parametrize(("paper", "table"), BY_ROWS, ids=lambda v: getattr(v, "name", v))
def test_every_row_stands_in_the_paper(paper: str, table: PublishedTable, paper_text: PaperText) -> None:
    text = paper_text(paper)
    missing = [
        name
        for name, cells in table.rows.items()
        if not has_row(text, name, [c for c in cells if c is not None])
    ]
    assert not missing


def test_the_leaderboard_of_seed_bench_stands_in_the_paper(paper_text: PaperText) -> None:
    """Medals stand for the first three ranks there."""
    lines = paper_text("seed-bench").splitlines()
    for name, cells in seedbench.LEADERBOARD.rows.items():
        rank, accuracy = cells
        assert rank is not None
        found = [
            numbers(line)
            for line in lines
            if letters(name)[:4] in letters(line)
            and line.count("\t") >= 5
            and numbers(line)[-1:] == [accuracy]
        ]
        assert found, name
        assert rank <= 3 or found[0][0] == rank, name


@pytest.mark.parametrize(
    "table",
    [threedsrbench.ACCURACY, threedsrbench.ENCODERS, threedsrbench.VIEWPOINTS],
    ids=lambda t: t.name,
)
def test_every_column_of_3dsrbench_stands_in_the_paper(table: PublishedTable, paper_text: PaperText) -> None:
    """Its text runs down the columns, and breaks off a digit here and there."""
    text = paper_text("3dsrbench")
    for i, column in enumerate(table.columns):
        cells = [
            table.cut_short[name, column] if cells[i] is None else f"{cells[i]:.1f}"
            for name, cells in table.rows.items()
        ]
        if table is threedsrbench.ENCODERS:  # The text has the first row apart.
            cells = cells[1:]
        assert " ".join(cells) in text, column


def test_the_first_row_of_the_encoders_stands_in_the_paper(paper_text: PaperText) -> None:
    assert "2xMLP 36.8 38.5 46.4 27.7 31. Mixed" in paper_text("3dsrbench")


@pytest.mark.parametrize(
    ("paper", "table"),
    [("4d-bench", fourdbench.TEXT), ("sti-bench", stibench.TEXT), ("3dsrbench", threedsrbench.DROPS)],
)
def test_numbers_in_the_text_stand_in_the_paper(
    paper: str, table: PublishedTable, paper_text: PaperText
) -> None:
    text = paper_text(paper)
    for name, (value,) in table.rows.items():
        assert value is not None
        assert re.search(rf"\b{abs(value)}\d?%", text), name


def test_the_sizes_that_are_printed_stand_in_the_papers(paper_text: PaperText) -> None:
    assert "751 question" in paper_text("4d-bench")
    assert "580 4D" in paper_text("4d-bench").replace("\n", " ")
    assert "19242" in paper_text("seed-bench")
    assert "2,064" in paper_text("sti-bench")
    assert "2,625 questions" in paper_text("3dsrbench")
    text = paper_text("pulsecheck457").replace("1000 single", "1,000 single")
    for size in pulsecheck457.ACCURACY.sizes.values():
        assert f"{size:,} " in text


def test_the_comparison_of_benchmarks_stands_in_the_paper_of_seed_bench(paper_text: PaperText) -> None:
    lines = [line.split("\t") for line in paper_text("seed-bench").splitlines() if line.count("\t") == 6]
    found = {re.sub(r" \[\d+\]", "", cells[0]).replace("Ours", "SEED-Bench"): cells[1:] for cells in lines}
    for name, (answers, models) in seedbench.COMPARISON.rows.items():
        said = seedbench.COMPARISON.labels[name]
        mark = {"yes": "\u2713", "no": "\u0425"}[said["own questions"]]
        count = "-" if answers is None else f"{answers:.0f}"
        assert found[name] == [
            said["shows"],
            mark,
            count,
            said["type of answer"],
            said["judge"],
            f"{models:.0f}",
        ]
    assert len(found) - 1 == len(seedbench.COMPARISON.rows)


def test_the_numbers_in_the_text_of_seed_bench_stand_in_the_paper(paper_text: PaperText) -> None:
    sections = re.split(r"^#+ (\d\.\d) ", paper_text("seed-bench"), flags=re.MULTILINE)
    by_number = dict(zip(sections[1::2], sections[2::2], strict=True))
    for row, (value,) in TEXT.rows.items():
        section = row.rsplit("\u00a7", 1)[1].rstrip(")")
        assert re.search(rf"(?<![\d.]){value:g}(?![\d.]*\d)", by_number[section]), row


def test_the_counts_that_seed_bench_prints_are_those_of_its_dimensions(paper_text: PaperText) -> None:
    """The largest stands beside another dimension in the text than in the published files."""
    text = paper_text("seed-bench")
    assert "text recognition with 85 samples" in text
    assert "instance localization with 4649 samples" in text
    assert "1740 videos" in text
    found = {name: cells[0] for name, cells in seedbench.COUNTS.rows.items()}
    printed = {"text understanding": 85.0, "instance attributes": 4649.0, "action recognition": 1740.0}
    assert printed.items() <= found.items()
