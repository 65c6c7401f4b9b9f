from __future__ import annotations

import csv
import io
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.benchmarks.pulsecheck457.paper import ACCURACY, REAL_POSE, TASKS
from fathom.pages.published import NOT_OFFICIAL, OFFICIAL, beside_published, find_score
from fathom.pages.tables import Table, as_csv, as_latex, as_text, with_interval
from fathom.records import InputError, Score
from fathom.scoring.expected_answers import scope_of
from fathom.scoring.scores import aggregate_scores
from fathom.scoring.tables import score_tables
from tests.scoring.made import BENCHMARK, questions, sample_score, sample_scores

ASKED = questions(8, per_task=1)
SAMPLE_SCORES = sample_scores(ASKED)
SCORES = aggregate_scores(BENCHMARK, ASKED, SAMPLE_SCORES, seed=0)


def the(scores: list[Score], name: str, **group: str) -> Score:
    found = find_score(scores, name, group)
    assert found is not None, (name, group)
    return found


@settings(max_examples=8, deadline=None)
@given(st.randoms(use_true_random=False))
def test_scores_do_not_depend_on_the_order_of_questions_and_marks(random: Random) -> None:
    asked, said = list(ASKED), list(SAMPLE_SCORES)
    random.shuffle(asked)
    random.shuffle(said)
    assert aggregate_scores(BENCHMARK, asked, said, seed=0) == SCORES


def test_another_seed_moves_only_bootstrap_intervals() -> None:
    other = aggregate_scores(BENCHMARK, ASKED, SAMPLE_SCORES, seed=1)
    assert [s.value for s in other] == [s.value for s in SCORES]
    moved = {a.name for a, b in zip(SCORES, other, strict=True) if a != b}
    assert moved <= {"rpdr", "cv_population", "cv_sample"}
    assert "rpdr" in moved


def test_accuracy_is_given_overall_by_task_by_level_and_by_what_is_asked() -> None:
    overall = the(SCORES, "accuracy")
    assert overall.value == pytest.approx(sum(m.value for m in SAMPLE_SCORES) / len(SAMPLE_SCORES))
    assert overall.n == len(ASKED)
    assert sum(the(SCORES, "accuracy", task=t).n for t in TASKS) == len(ASKED)
    assert the(SCORES, "accuracy", level="L4").n == 2 * the(SCORES, "accuracy", task="L4_occ").n
    assert the(SCORES, "accuracy", asks="color").n == sum(q.tags["asks"] == "color" for q in ASKED)


def test_no_two_scores_have_the_same_name_and_group() -> None:
    keys = [(s.name, tuple(sorted(s.group.items()))) for s in SCORES]
    assert len(keys) == len(set(keys))


def test_unanswered_questions_count_as_wrong_and_are_shown_apart() -> None:
    said = [
        sample_score(ASKED[0], None, "refused", "refused"),
        sample_score(ASKED[1], None, "failed", "failed"),
        sample_score(ASKED[2], None, "failed", "missing"),
        sample_score(ASKED[3], None, "ok", "unreadable"),
        *(sample_score(q, q.answer) for q in ASKED[4:]),
    ]
    scores = aggregate_scores(BENCHMARK, ASKED, said, seed=0)
    n = len(ASKED)
    assert the(scores, "accuracy").value == pytest.approx(1 - 4 / n)
    assert the(scores, "accuracy_of_read").value == 1
    assert the(scores, "accuracy_of_read").n == n - 4
    for name in ("refused", "failed", "missing", "unreadable"):
        assert the(scores, name).value == pytest.approx(1 / n)


def test_only_questions_that_have_marks_are_scored() -> None:
    scores = aggregate_scores(BENCHMARK, ASKED, SAMPLE_SCORES[:5], seed=0)
    assert the(scores, "accuracy").n == 5


def test_a_run_without_marks_has_scores_without_values() -> None:
    assert the(aggregate_scores(BENCHMARK, ASKED, [], seed=0), "accuracy").value is None


def test_a_mark_of_another_dataset_is_refused() -> None:
    with pytest.raises(InputError, match="holds no such question"):
        aggregate_scores(BENCHMARK, ASKED[1:], SAMPLE_SCORES, seed=0)


def test_our_row_stands_below_the_published_ones_under_the_label() -> None:
    accuracies = next(t for t in score_tables(BENCHMARK, SCORES, "toy") if t.title.startswith("Table 2"))
    assert accuracies.rows[:-2] == tuple(
        (f"{m}, published", *(f"{c:.2f}" for c in row)) for m, row in ACCURACY.rows.items()
    )
    assert [row[0] for row in accuracies.rows[-2:]] == ["toy", "Guessing, from the options here"]
    for column, cell in zip(TASKS, accuracies.rows[-2][1:], strict=True):
        assert float(cell) == pytest.approx(
            100 * (the(SCORES, "accuracy", task=column).value or 0), abs=0.005
        )
    assert NOT_OFFICIAL in accuracies.notes
    assert accuracies.columns[1] == "Task L1_single"


def test_tables_2_3_and_4_are_printed_and_table_5_which_we_cannot_fill_is_not() -> None:
    titles = [t.title for t in score_tables(BENCHMARK, SCORES, "toy")]
    assert [t[:7] for t in titles] == ["PulseCh", "Table 2", "Table 3", "Table 4"]


def test_the_label_changes_only_for_the_official_dataset() -> None:
    table = beside_published(ACCURACY, [("toy", SCORES)], {}, official=True)
    assert OFFICIAL in table.notes
    assert NOT_OFFICIAL not in table.notes
    assert beside_published(REAL_POSE, [("toy", SCORES)], {}, official=False).notes == (REAL_POSE.note,)


def test_an_incomplete_run_says_so() -> None:
    said = [*SAMPLE_SCORES[:-3], *(sample_score(q, None, "failed", "missing") for q in ASKED[-3:])]
    scope = scope_of(said, len(ASKED), len(ASKED))
    scores = aggregate_scores(BENCHMARK, ASKED, said, 0)
    table = score_tables(BENCHMARK, scores, scope.named("toy"), scope=scope)[0]
    assert "toy (incomplete)" in table.title
    assert any(f"of {len(ASKED)} answers due, 3 never came" in note for note in table.notes)


SMALL = Table(
    "Small", ("", "a", "bb"), (("x", "1.0", "–"), ("über|z", "10.0", "=SUM(A1)")), ("50 % & more",), (1, 1)
)


def test_text_columns_are_aligned() -> None:
    assert as_text(SMALL) == (
        "Small\n"
        "\n"
        "           a        bb\n"
        "──────  ────  ────────\n"
        "x        1.0         –\n"
        "──────  ────  ────────\n"
        "über|z  10.0  =SUM(A1)\n"
        "  50 % & more\n"
    )  # fmt: skip


def test_csv_reads_back_and_holds_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(SMALL))))
    assert rows == [["", "a", "bb"], ["x", "1.0", "–"], ["über|z", "10.0", "'=SUM(A1)"]]
    negative = Table("n", ("", "v"), (("m", "-0.5"),))
    assert "m,-0.5" in as_csv(negative)


def test_latex_escapes_what_would_break_it() -> None:
    text = as_latex(SMALL)
    assert r"50 \% \& more" in text
    assert r"über\textbar{}z & 10.0 & =SUM(A1) \\" in text
    assert text.count("\\midrule") == 2
    assert "{lrr}" in text


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="2 columns, but 1 cells"):
        Table("t", ("", "a"), (("x",),))
    with pytest.raises(ValueError, match="are not 1 rows"):
        Table("t", ("",), (("x",),), groups=(2,))


def test_shares_are_written_in_per_cent() -> None:
    assert with_interval(0.625, 0.5, 0.71) == "62.5 [50.0, 71.0]"
    assert with_interval(None, None, None) == "–"
