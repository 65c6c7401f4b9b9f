"""What of the published tables follows from the rest, recomputed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom import api
from fathom.benchmarks.fourdbench import paper as fourdbench
from fathom.benchmarks.pulsecheck457 import paper as pulsecheck457
from fathom.benchmarks.seedbench import paper as seedbench
from fathom.benchmarks.seedbench import paper_text
from fathom.benchmarks.stibench import paper as stibench
from fathom.benchmarks.threedsrbench import paper as threedsrbench
from fathom.records import Derivation, PublishedCell, PublishedTable
from fathom.stats.derivations import (
    Formula,
    change,
    derive,
    mean,
    micro,
    printed,
    rank,
    same,
    share_of,
    weighted,
)

TABLES = {
    "4d-bench": fourdbench.TABLES,
    "seed-bench": seedbench.TABLES,
    "pulsecheck457": pulsecheck457.TABLES,
    "sti-bench": stibench.TABLES,
    "3dsrbench": threedsrbench.TABLES,
}

DERIVED = {
    "4d-bench": (91, 91, 0),
    "seed-bench": (129, 125, 1),
    "pulsecheck457": (16, 8, 0),
    "sti-bench": (57, 49, 5),
    "3dsrbench": (73, 63, 0),
}
"""How many cells are derived, how many of them to the last digit, and how many do not follow."""


@pytest.mark.parametrize("name", TABLES)
def test_as_many_cells_follow_as_the_documents_say(name: str) -> None:
    found = derive(TABLES[name])
    exact = sum(d.agrees and d.to_the_last_digit for d in found)
    assert (len(found), exact, sum(not d.agrees for d in found)) == DERIVED[name]


def test_the_cells_that_do_not_follow_are_these() -> None:
    wrong = {
        (d.derivation.cell.table, d.derivation.cell.row, d.derivation.cell.column)
        for tables in TABLES.values()
        for d in derive(tables)
        if not d.agrees
    }
    assert wrong == {
        ("table2", "GPT-4o", "Avg."),
        ("table2", "Gemini-2.0-Flash", "Avg."),
        ("text", "best in pose estimation (§4.2)", "said"),
        ("text", "questions of instance location (§3.3)", "said"),
    }


def test_gemini_would_follow_with_another_orientation() -> None:
    """With 40.8 instead of 10.8 under Ego Orient. the printed average is right."""
    row = dict(zip(stibench.BY_TASK.columns, stibench.BY_TASK.rows["Gemini-2.0-Flash"], strict=True))
    cells = [40.8 if h == "Ego Orient." else row[h] or 0.0 for h in stibench.HEADINGS]
    assert weighted(tuple(stibench.TASK_SIZES.values()))(cells) == pytest.approx(38.7, abs=0.1)


@pytest.mark.parametrize("name", TABLES)
def test_tables_have_a_cell_for_each_column_and_explain_what_is_missing(name: str) -> None:
    for table in TABLES[name]:
        assert all(len(cells) == len(table.columns) for cells in table.rows.values())
        assert len(table.ours) in (0, len(table.columns))
        assert len(table.decimals) in (0, len(table.columns))
        assert set(table.labels) <= set(table.rows) or table.name in ("table2", "table3", "table4")
        assert set(table.sizes) <= set(table.columns)
        for row, column in table.cut_short:
            assert table.rows[row][table.columns.index(column)] is None


def test_every_accuracy_of_4d_bench_is_a_share_of_whole_questions() -> None:
    sizes = list(fourdbench.QUESTIONS.sizes.values())
    for name, cells in fourdbench.QUESTIONS.rows.items():
        if name == "Average":
            continue
        for value, n in zip(cells, sizes, strict=True):
            assert value is not None
            assert round(100 * round(value * n / 100) / n, 2) == pytest.approx(value, abs=0.0051)
    for cells in fourdbench.ROBUSTNESS.rows.values():
        for value in (cells[0], cells[1], cells[3]):
            assert value is not None
            if cells is not fourdbench.ROBUSTNESS.rows["Average"]:
                assert 100 * round(value * 7.51) / 751 == pytest.approx(value, abs=0.0051)


def test_what_the_text_of_4d_bench_says_of_prompts_is_whole_questions() -> None:
    assert pytest.approx(9.72, abs=0.005) == 100 * 73 / 751
    assert pytest.approx(5.51, abs=0.005) == 100 * 7 / 127


def test_no_overall_of_seed_bench_is_a_mean_of_nine_and_three_dimensions() -> None:
    spatial, temporal, overall = (seedbench.ACCURACY.rows["InstructBLIP Vicuna"][i] for i in (0, 2, 4))
    assert spatial is not None
    assert temporal is not None
    assert overall is not None
    assert abs((9 * spatial + 3 * temporal) / 12 - overall) > 0.2


def test_what_seed_bench_says_of_instance_location_is_whole_questions_of_978_and_not_of_4649() -> None:
    said = [
        paper_text.TEXT.rows[row][0]
        for row in paper_text.TEXT.rows
        if "VideoChat" in row and "place" not in row
    ]
    assert said == [39.98, 11.55, 3.58]

    def whole(questions: int) -> list[bool]:
        return [abs(share_of([n or 0.0, questions]) - (n or 0.0)) <= 0.005 for n in said]

    assert whole(978) == [True, True, True]
    assert whole(4649) == [False, True, False]
    assert [round(978 * (n or 0.0) / 100) for n in said] == [391, 113, 35]
    assert (round(100 * (391 - 113) / 978, 2), round(100 * (391 + 35) / 978, 2)) == (28.43, 43.56)
    assert "28.43" in paper_text.TEXT.note
    assert "43.56" in paper_text.TEXT.note


def test_what_fits_the_text_of_seed_bench_is_what_the_counts_of_table_3_say() -> None:
    for claim, (number,) in paper_text.CLAIMS.rows.items():
        assert number is not None
        of = int(found.group(1)) if (found := re.search(r", of (\d+)", claim)) else 0
        said, fits = (paper_text.CLAIMS.labels[claim][key] for key in ("in the text", "fits"))
        holds = {"none": number == 0, "few": number < of / 2, "most": number > of / 2, "all": number == of}
        assert holds[said] == (fits == "yes"), claim


def test_random_overall_of_3dsrbench_is_not_weighted_as_the_others_are() -> None:
    sizes = tuple(threedsrbench.REAL.values())
    for row, expected in (("Random", 21.7), ("Random++", 46.7)):
        cells = [c for c in threedsrbench.ACCURACY.rows[row][1:] if c is not None]
        assert weighted(sizes)(cells) == pytest.approx(expected, abs=0.05)


def spoiled(tables: tuple[PublishedTable, ...], cell: PublishedCell, by: float) -> list[PublishedTable]:
    """The tables with one number mistyped."""
    found = []
    for table in tables:
        if table.name == cell.table:
            place = table.columns.index(cell.column)
            row = list(table.rows[cell.row])
            row[place] = round((row[place] or 0.0) + by, 4)
            table = replace(table, rows={**table.rows, cell.row: tuple(row)})
        found.append(table)
    return found


@pytest.mark.parametrize(
    ("name", "cell", "by"),
    [
        ("4d-bench", PublishedCell("table1", "GPT-4o", "Overall"), 0.02),
        ("4d-bench", PublishedCell("table1", "Human", "Action"), 0.5),
        ("4d-bench", PublishedCell("table2", "GPT-4o", "GPT-Eval"), 0.002),
        ("4d-bench", PublishedCell("table3", "GPT-4o", "original"), 0.01),
        ("seed-bench", PublishedCell("table1", "SEED-Bench", "answers"), 1),
        ("seed-bench", PublishedCell("table1", "SEED-Bench", "models"), 1),
        ("seed-bench", PublishedCell("figure1-left", "spatial relation", "questions"), 1),
        ("seed-bench", PublishedCell("text", "VideoChat, instance location (§4.3)", "said"), 0.01),
        ("seed-bench", PublishedCell("text", "models of images (§4.1)", "said"), 1),
        ("seed-bench", PublishedCell("table3", "BLIP-2", "Overall"), 4),
        ("seed-bench", PublishedCell("table3", "Video-ChatGPT", "Temporal"), 0.5),
        ("seed-bench", PublishedCell("table3", "Valley", "Overall"), 0.02),
        ("seed-bench", PublishedCell("table3", "Valley", "Overall rank"), 1),
        ("pulsecheck457", PublishedCell("table3", "GPT-4o", "3D Ori."), 0.06),
        ("sti-bench", PublishedCell("table3", "GPT-4o", "Overall"), 0.2),
        ("3dsrbench", PublishedCell("table2", "Random", "Overall"), 0.1),
        ("3dsrbench", PublishedCell("table4", "GPT-4o", "common Overall"), 0.2),
    ],
    ids=lambda v: f"{v.table} {v.row} {v.column}" if isinstance(v, PublishedCell) else v,
)
def test_a_mistyped_number_is_noticed(name: str, cell: PublishedCell, by: float) -> None:
    before = sum(not d.agrees for d in derive(TABLES[name]))
    assert sum(not d.agrees for d in derive(spoiled(TABLES[name], cell, by))) > before


def made(formula: Formula, inputs: list[float], value: float, decimals: int = 1) -> PublishedTable:
    columns = (*(f"c{i}" for i in range(len(inputs))), "out")
    return PublishedTable(
        name="t",
        title="T",
        columns=columns,
        rows={"m": (*(round(v, decimals) for v in inputs), round(value, decimals))},
        decimals=(decimals,) * len(columns),
        derivations=(
            Derivation(
                PublishedCell("t", "m", "out"),
                "how",
                tuple(PublishedCell("t", "m", c) for c in columns[:-1]),
                formula,
            ),
        ),
    )


shares = st.floats(5, 95)


@given(st.lists(st.tuples(shares, st.integers(1, 900)), min_size=1, max_size=8), st.integers(1, 2))
def test_rounding_alone_never_makes_a_weighted_mean_disagree(
    cells: list[tuple[float, int]], decimals: int
) -> None:
    values, formula = [v for v, _ in cells], weighted([n for _, n in cells])
    found = derive([made(formula, values, formula(values), decimals)])[0]
    assert found.agrees


@given(st.lists(shares, min_size=2, max_size=8), st.floats(0.3, 5))
def test_what_is_further_off_than_rounding_disagrees(values: list[float], off: float) -> None:
    assert not derive([made(mean, values, mean(values) + off)])[0].agrees


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), min_size=1, max_size=6))
def test_counts_come_back_from_rounded_accuracies(cells: list[tuple[int, int]]) -> None:
    counted = [(min(k, n + 1), n + 1) for k, n in cells]
    accuracies = [round(100 * k / n, 2) for k, n in counted]
    expected = 100 * sum(k for k, _ in counted) / sum(n for _, n in counted)
    assert micro([n for _, n in counted])(accuracies) == pytest.approx(expected)


def test_one_number_in_two_places_has_no_slack() -> None:
    assert not derive([made(same, [62.6], 62.7)])[0].agrees
    assert derive([made(same, [62.6], 62.6)])[0].agrees


def test_simple_formulas() -> None:
    assert change([50.0, 48.5]) == -1.5
    assert rank([3.0, 5.0, 1.0]) == 2


@pytest.mark.parametrize(
    "cell",
    [
        PublishedCell("table9", "GPT-4o", "Overall"),
        PublishedCell("table1", "GPT-9", "Overall"),
        PublishedCell("table1", "GPT-4o", "Speed"),
        PublishedCell("table2", "Average", "CIDEr"),
    ],
)
def test_a_cell_that_is_not_there_is_said(cell: PublishedCell) -> None:
    with pytest.raises(KeyError, match=r"no such cell|is empty"):
        printed(fourdbench.TABLES, cell)


def test_a_cell_that_breaks_off_stands_for_all_that_it_can_be() -> None:
    found = printed(threedsrbench.TABLES, PublishedCell("table2", "GPT-4o", "Height"))
    assert found.text == "49.…"
    assert (found.value - found.half, found.value + found.half) == pytest.approx((48.95, 49.95))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sti-bench", ["table2: GPT-4o, Avg.", "35.23 ± 0.05", "293"]),
        ("4d-bench", ["14.12", "right answers of the five tasks over 751"]),
        ("3dsrbench", ["49.…", "Random++", "guessing in circular groups"]),
        ("seed-bench", ["Flan-T5-XL", "14,233", "Image & Point cloud", "no: BLIP-2 has 46.35"]),
        ("pulsecheck457", ["PO3D-VQA", "3D symbolic", "0.374"]),
    ],
)
def test_the_command_prints_tables_and_what_follows(name: str, said: list[str]) -> None:
    text = api.published_tables(name)
    assert all(words in text for words in said)
    assert "Cells that follow from others" in text
    assert ("Cells that do not follow" in text) == (name in ("sti-bench", "seed-bench"))
