"""Words: the exact tokenizer through Java, the stand-in, and captions that shift no other caption's words."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.records import InputError, MissingExtraError
from fathom.scoring.metrics.captions import java
from fathom.scoring.metrics.captions.captions import CaptionTools
from fathom.scoring.metrics.captions.tokens import (
    one_line,
    ptb_java,
    ptb_like,
    ptb_stand_in,
    single_spaces,
    white_space,
)
from tests.captions.recorded import PAIRS, PTB_REFERENCE_WORDS, PTB_WORDS

STRANGE = [
    "a\rb",
    "a\u2028b",
    "a\x0bb\x0cc\x1cd\x85e",
    "",
    "   ",
    "😀" * 200,
    "word " * 10_000,
    "*NL* x",
    "a <b\nc> d",
]


def test_the_stand_in_gives_the_words_of_the_real_one_on_plain_captions() -> None:
    assert [" ".join(ptb_like(c)) for c, _ in PAIRS] == list(PTB_WORDS)
    assert [tuple(" ".join(ptb_like(r)) for r in refs) for _, refs in PAIRS] == list(PTB_REFERENCE_WORDS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't can't cannot gonna", "do n't ca n't can not gon na"),
        ("It’s the robot’s arm — “big”…", "it 's the robot 's arm big"),
        ("5,000.50 of 3.14 at 10:30, 1/2", "5,000.50 of 3.14 at 10:30 1/2"),
        ("U.S. army, e.g. Mr. Smith.", "u.s. army e.g. mr. smith"),
        ("low-poly T-shirt and/or R&D", "low-poly t-shirt and/or r&d"),
        ("{a} [b] (c)", "-lcb- a -rcb- -lsb- b -rsb- -lrb- c -rrb-"),
        ("wheels' tops 'tis I'd've", "wheels tops 't is i 'd 've"),
        ("", ""),
        ("?!... -- ''", "?!"),
    ],
)
def test_the_stand_in_parts_words_as_the_treebank_does(text: str, words: str) -> None:
    assert " ".join(ptb_like(text)) == words


@given(st.text(max_size=60))
def test_the_stand_in_gives_words_without_white_space_in_small_letters(text: str) -> None:
    for word in ptb_like(text):
        assert word == word.lower()
        assert word.split() == [word]


@given(st.text(max_size=60), st.text(max_size=20))
def test_words_of_a_text_do_not_hang_on_what_stands_beside_it(text: str, other: str) -> None:
    assert ptb_stand_in().tokens([other, text])[1] == ptb_like(text)


def test_the_stand_in_takes_time_in_proportion_to_a_texts_length() -> None:
    assert len(ptb_like("a-" * 20_000 + "'" * 5_000 + " n't" * 5_000)) > 5_000


def test_every_kind_of_line_end_is_a_space() -> None:
    assert one_line("a\r\nb\u2028c\x85d\x0be") == "a  b c d e"
    assert white_space([" a  b "]) == [["a", "b"]]
    assert single_spaces(["a  b"]) == [["a", "", "b"]]


class TestThroughJava:
    def test_words_are_those_that_the_coco_evaluation_saw(self, ptb_jar: Path | None) -> None:
        flat = [t for c, refs in PAIRS for t in (c, *refs)]
        expected = [w for c, refs in zip(PTB_WORDS, PTB_REFERENCE_WORDS, strict=True) for w in (c, *refs)]
        assert [" ".join(words) for words in ptb_java(ptb_jar).tokens(flat)] == expected

    def test_a_strange_caption_changes_no_other_ones_words(self, ptb_jar: Path | None) -> None:
        sample_scores = [f"caption number {i} isn't strange" for i in range(len(STRANGE))]
        mixed = [t for pair in zip(STRANGE, sample_scores, strict=True) for t in pair]
        found = ptb_java(ptb_jar).tokens(mixed)
        assert [" ".join(w) for w in found[1::2]] == [
            f"caption number {i} is n't strange" for i in range(len(sample_scores))
        ]
        assert found[0] == ["a", "b"]
        assert found[12] == ["word"] * 10_000

    def test_no_text_needs_no_java(self, ptb_jar: Path | None) -> None:
        assert ptb_java(ptb_jar).tokens([]) == []


def test_lines_that_do_not_come_back_one_for_one_are_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program is replaced by one that answers a certain text on two lines."""

    def two_lines(arguments: object, lines: list[str], purpose: str) -> list[str]:
        return [part for line in lines for part in (line.split("|") if "|" in line else [line])] + [""]

    (tmp_path / "x.jar").touch()
    monkeypatch.setattr("fathom.scoring.metrics.captions.tokens.run_java", two_lines)
    found = ptb_java(tmp_path / "x.jar").tokens(["a b", "c|d", "e", "f"])
    assert found == [["a", "b"], ["c", "d"], ["e"], ["f"]]


def test_a_jar_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x\.jar"):
        CaptionTools(ptb_jar=tmp_path / "x.jar").ptb_tokenizer()


def test_without_java_the_stand_in_is_used_and_a_given_jar_asks_for_java(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "without Java" in CaptionTools().ptb_tokenizer().name
    (tmp_path / "x.jar").touch()
    with pytest.raises(MissingExtraError, match="not on the PATH"):
        CaptionTools(ptb_jar=tmp_path / "x.jar").ptb_tokenizer().tokens(["a"])


def test_the_extra_is_named_where_nothing_brings_the_jars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"fathom-bench\[java\]"):
        ptb_java()
