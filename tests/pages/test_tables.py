"""Tables as text: what is a number stands to the right, what is words to the left, and lists fit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fathom.pages.tables import WORDY, Table, as_text, listed

TEXTS = st.lists(st.text("abc ", min_size=1, max_size=30), min_size=1, max_size=12)


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    words = "a" * (WORDY + 1)
    table = Table("T", ("name", "n", "answers"), (("x", "7", words), ("long name", "1,234", "b")))
    lines = as_text(table).splitlines()
    assert lines[2] == "name           n  answers"
    assert lines[4] == f"x              7  {words}"
    assert lines[5] == "long name  1,234  b"


@given(TEXTS, st.integers(5, 60))
def test_a_list_says_how_many_it_leaves_out(texts: list[str], room: int) -> None:
    shown, _, more = listed(texts, room).partition(", and ")
    kept = len(texts) - int(more.split()[0]) if more else len(texts)
    assert kept >= 1
    assert shown == ", ".join(texts[:kept])
    assert kept == 1 or len(shown) <= room
