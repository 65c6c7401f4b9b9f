"""What a model gets wrong, and why."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.benchmarks.threedsrbench.tasks import CURVES, height_of, pitch_of, roll_of
from fathom.pages.tables import Table
from fathom.records import Margin, Question, Score
from fathom.reporting.data import ReportData, ReportRun
from fathom.reporting.diagnosis import (
    confusions_of,
    diagnosis,
    facet_curves,
    pooled_words,
    short_bin,
    short_part,
)
from fathom.reporting.leaderboard import leaderboard
from fathom.reporting.quality import evenness, quality, spread, with_titles
from fathom.reporting.tables import margins_table
from fathom.scoring.metrics.margin import NO_THRESHOLD, margin_bins
from tests.reporting.synthetic import report_data


@cache
def data() -> ReportData:
    return report_data(scenes=2, a_task=4)


def with_scores(run: ReportRun, model: str, scores: list[Score]) -> ReportRun:
    return replace(run, model=model, scores=tuple(scores))


def cell(answer: str, picked: str, value: float, n: int) -> Score:
    group = {"attribute": "size", "answer": answer, "picked": picked}
    return Score(name="confusion", value=value, n=n, method="m", group=group)


CELLS = [
    cell("large", "large", 2 / 3, 3),
    cell("large", "(not read)", 1 / 3, 3),
    cell("small", "large", 1.0, 2),
]


def test_a_confusion_matrix_gives_back_the_counts_of_its_scores() -> None:
    (matrix,) = confusions_of(CELLS)
    assert matrix.picked == ("large", "small", "(not read)")
    counts = {label: [cell.count for cell in row] for label, row in matrix.rows}
    assert counts == {"large": [2, 0, 1], "small": [2, 0, 0]}
    assert matrix.n == 5


@given(st.permutations(CELLS))
def test_a_confusion_matrix_does_not_depend_on_the_order_of_scores(cells: list[Score]) -> None:
    assert confusions_of(cells) == confusions_of(CELLS)


def test_every_row_of_a_real_confusion_matrix_adds_up() -> None:
    for run in data().runs:
        for matrix in confusions_of(run.scores):
            for _, row in matrix.rows:
                assert sum(c.count for c in row) == row[0].total


@pytest.mark.parametrize(
    ("name", "short"),
    [("below 1", "< 1"), ("1.5 to 2", "1.5–2"), ("10 and more", "≥ 10"), ("no threshold", None)],
)
def test_bins_of_margins_are_short_on_an_axis(name: str, short: str | None) -> None:
    assert short_bin(name) == short


def test_every_bin_that_the_scores_know_has_a_place_or_none_on_purpose() -> None:
    assert [name for name in margin_bins() if short_bin(name) is None] == [NO_THRESHOLD]


def test_models_come_before_baselines_in_the_confusion() -> None:
    found = [m.model for m in diagnosis(data(), leaderboard(data())).confusions]
    assert found[:2] == ["visionary-9b", "squinter-2b"]


def test_panels_show_the_same_numbers_by_task_and_by_model() -> None:
    found = diagnosis(data(), leaderboard(data()))
    by_task = {(bar.label, panel.title): bar.cell for panel in found.by_task for bar in panel.bars}
    by_model = {(panel.title, bar.label): bar.cell for panel in found.by_model for bar in panel.bars}
    assert by_task == by_model


def test_retention_and_margins_come_from_the_scores() -> None:
    found = diagnosis(data(), leaderboard(data()))
    assert [p.title for p in found.retention] == ["Multi.", "2D Loc.", "3D Ori.", "3D Loc."]
    assert [len(p.bars) for p in found.retention] == [4] * 4
    assert {p.title for p in found.margins} == {run.model for run in data().runs}


def test_a_curve_over_several_units_says_that_it_pools_them() -> None:
    metres, pixels = data().dataset.questions[0], data().dataset.questions[1]
    other = Margin(relation="occluders (hidden pixels)", value=40, unit="px", ratio=2.5)
    words = pooled_words([metres, msgspec.structs.replace(pixels, margin=other)])
    assert words.startswith("A curve puts 2 relations together, measured in m and px: each margin is first ")
    assert pooled_words([metres]) == ""


def test_accuracy_against_margin_is_also_told_relation_by_relation() -> None:
    table = margins_table(data().runs)
    assert table is not None
    relations = {q.margin.relation for q in data().dataset.questions if q.margin}
    assert {row[0] for row in table.rows} == relations
    assert len(table.rows) == len(relations) * len(data().runs)
    assert {row[1] for row in table.rows} == {"m"}
    bins = [short for name in margin_bins() if (short := short_bin(name)) in table.columns]
    assert list(table.columns) == ["relation", "unit", "model", *bins, "slope"]
    for row in table.rows:
        asked = sum(int(cell.split("(")[1].rstrip(")")) for cell in row[3:-1] if cell != "–")
        assert asked == sum(
            q.margin is not None and q.margin.relation == row[0] for q in data().dataset.questions
        )


@given(st.lists(st.integers(0, 50), min_size=2, max_size=8))
def test_evenness_lies_between_0_and_1(counts: list[int]) -> None:
    found = evenness(counts)
    assert found is None or 0 <= found <= 1 + 1e-12


def test_evenness_is_1_for_equal_counts_and_0_for_one_answer_alone() -> None:
    assert evenness([5, 5, 5]) == pytest.approx(1)
    assert evenness([9, 0]) == 0
    assert evenness([9]) is None


def test_possible_answers_that_never_occur_count_against_evenness() -> None:
    one = Question(id="a", task="t", text="?", answer="large", possible=("large", "small"))
    found = spread("t", "size", [one])
    assert found.answers == (("large", 1, 1.0), ("small", 0, 0.0))
    assert found.evenness == 0


def test_the_dataset_is_described_task_by_task() -> None:
    board = leaderboard(data())
    found = quality(data(), board.tasks)
    assert [row[0] for row in found.tasks.rows] == [t.title for t in board.tasks]
    assert all(len(row) == len(found.tasks.columns) for row in found.tasks.rows)
    assert sum(s.n for s in found.spreads) == len(data().dataset.questions)


def test_counts_stand_beside_those_of_the_paper_where_it_has_any() -> None:
    given = data()
    board, first = leaderboard(given), next(iter(given.benchmark.tasks))
    assert "In the paper" not in quality(given, board.tasks).tasks.columns
    counted = replace(given, benchmark=replace(given.benchmark, published_counts={first: 1192}))
    table = quality(counted, board.tasks).tasks
    assert table.columns[:3] == ("Task", "Questions", "In the paper")
    assert {row[2] for row in table.rows} == {"1,192", "–"}


def test_tasks_are_called_by_their_titles_and_other_words_stay() -> None:
    titles = {"action": "Action", "L4_occ": "Occlusion", "L4_occ_more": "More"}
    rows = (
        ("L4_occ: hides", "L4_occ (2), action 3"),
        ("action, by scene", "x"),
        ("L4_occ_more", ""),
        ("reaction", ""),
    )
    table = with_titles(Table("T", ("", ""), rows, ("never asked: L4_occ.same, of L4_occ",)), titles)
    assert table.rows[0] == ("Occlusion: hides", "Occlusion (2), action 3")
    assert [row[0] for row in table.rows[1:]] == ["Action, by scene", "More", "reaction"]
    assert table.notes == ("never asked: L4_occ.same, of Occlusion",)


def test_what_was_checked_stands_open_and_all_else_is_folded() -> None:
    tables = tuple(
        Table(title, ("check", "passed"), (("a", "NO"),)) for title in ("Answers", "Checks", "Promises")
    )
    given = replace(data(), dataset=replace(data().dataset, checks=tables[:2]))
    found = quality(given, leaderboard(given).tasks)
    assert found.verdicts is not None
    assert found.verdicts.title == "Checks"
    assert [t.title for t in found.checks] == ["Answers"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("roll below 2°", "< 2°"), ("pitch −40 to −20°", "−40 to −20°"), ("roll from 30°", "≥ 30°"),
        ("camera 0.5 to 1.8 m high", "0.5 to 1.8 m"),
    ],
)  # fmt: skip
def test_parts_of_a_facet_are_short_on_an_axis(name: str, short: str) -> None:
    assert short_part(name) == short


@given(st.floats(-89, 89), st.floats(0, 3), st.floats(0, 90))
def test_every_camera_has_its_part_of_each_curve(pitch: float, high: float, roll: float) -> None:
    tags = {"camera_pitch_deg": str(pitch), "camera_height_m": str(high), "camera_roll_deg": str(roll)}
    question = msgspec.structs.replace(data().dataset.questions[0], tags=tags)
    parts = {"camera height": height_of(question), "camera pitch": pitch_of(question)}
    parts["camera roll"] = roll_of(question)
    assert all(part in CURVES[facet] for facet, part in parts.items())
    for facet, found in parts.items():
        order = CURVES[facet]
        value = {"camera height": high, "camera pitch": pitch, "camera roll": roll}[facet]
        higher = msgspec.structs.replace(
            question, tags={k: str(float(v) + abs(value) + 1) for k, v in tags.items()}
        )
        told = {"camera height": height_of, "camera pitch": pitch_of, "camera roll": roll_of}[facet]
        assert order.index(told(higher)) >= order.index(found)


def test_a_curve_has_its_parts_in_order_and_of_the_leading_score() -> None:
    """Of two models, of which one has only one part: a point alone is no curve."""

    def score(name: str, part: str, value: float) -> Score:
        return Score(name=name, value=value, n=9, method="m", group={"camera roll": part})

    run = data().runs[0]
    low, middle, *_ = CURVES["camera roll"]
    told = [score("accuracy_circular", middle, 0.5), score("accuracy_circular", low, 0.7),
            score("accuracy", low, 0.9)]  # fmt: skip
    runs = [with_scores(run, "one", told), with_scores(run, "two", told[:1])]
    (curve,) = facet_curves(runs, CURVES, "accuracy_circular", 0.25)
    (panel,) = curve.panels
    assert (curve.facet, panel.title, panel.chance) == ("camera roll", "one", 0.25)
    assert [(b.label, b.cell.value) for b in panel.bars] == [("< 2°", 0.7), ("2 to 15°", 0.5)]
    (plain,) = facet_curves(
        [with_scores(run, "one", [score("accuracy", part, 0.4) for part in (middle, low)])], CURVES, "x", None
    )
    assert [b.cell.value for b in plain.panels[0].bars] == [0.4, 0.4]
