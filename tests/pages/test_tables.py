"""Tables as text: what is a number stands to the right, what is words to the left, and lists fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.english import rounded
from fathom.pages.html import percent
from fathom.pages.names import number_of
from fathom.pages.tables import WORDY, Table, as_latex, as_text, listed, per_cent

TEXTS = st.lists(st.text("abc ", min_size=1, max_size=30), min_size=1, max_size=12)


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    words = "a" * (WORDY + 1)
    table = Table("T", ("name", "n", "answers"), (("x", "7", words), ("long name", "1,234", "b")))
    lines = as_text(table).splitlines()
    assert lines[2] == "name           n  answers"
    assert lines[4] == f"x              7  {words}"
    assert lines[5] == "long name  1,234  b"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(33.05, "33.1"), (47.65, "47.7"), (82.55, "82.6"), (84.95, "85.0"), (100 * 0.8255, "82.6"),
     (-0.05, "-0.1"), (-0.049, "0.0"), (float("nan"), "nan"), (5.0, "5.0")],
)  # fmt: skip
def test_halves_are_rounded_away_from_0_wherever_a_number_is_shown(value: float, shown: str) -> None:
    assert rounded(value) == per_cent(value / 100) == percent(value / 100) == shown


def test_a_column_with_more_words_than_numbers_begins_at_the_left() -> None:
    rows = (
        ("a", "yes", "12.5 [3.0, 20.1]", "–"),
        ("b", "NO", "–", "+0.3"),
        ("c", "too few to tell", "", "−2"),
    )
    table = Table("T", ("", "passed", "%", "points"), rows)
    assert table.worded == (True, True, False, False)


@given(TEXTS, st.integers(5, 60))
def test_a_list_says_how_many_it_leaves_out(texts: list[str], room: int) -> None:
    shown, _, more = listed(texts, room).partition(", and ")
    kept = len(texts) - int(more.split()[0]) if more else len(texts)
    assert kept >= 1
    assert shown == ", ".join(texts[:kept])
    assert kept == 1 or len(shown) <= room


def test_latex_numbers_tables_itself_and_a_wide_table_fits_its_column() -> None:
    cells = ["62.9 (58.1–67.4)"] * 14
    text = as_latex(Table("Table 2: the accuracy", ("", *"abcdefghijklmn"), (("model", *cells),)))
    assert "\\caption{The accuracy}" in text
    assert text.count("62.9 &") == 13
    assert text.count("\\tiny (58.1--67.4)") == 14, "in a row of their own"
    assert "\\resizebox" in text
    assert "\\linewidth" in text
    assert text.count("{") == text.count("}")
    narrow = as_latex(Table("Leaderboard", ("", "a"), (("model", cells[0]),)))
    assert "62.9 (58.1--67.4) \\\\" in narrow
    assert "\\tiny" not in narrow


def test_words_in_brackets_are_no_interval() -> None:
    text = as_latex(Table("T", ("", *"abcdefgh"), (("model (incomplete)", *["a b (c)"] * 8),)))
    assert "\\tiny" not in text


def test_numbers_and_nouns_go_together() -> None:
    assert [number_of(n, "question") for n in (0, 1, 1200)] == [
        "0 questions",
        "1 question",
        "1,200 questions",
    ]
    assert [number_of(n, "group is", "groups are") for n in (1, 2)] == ["1 group is", "2 groups are"]
