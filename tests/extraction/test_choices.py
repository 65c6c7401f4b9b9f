"""Reading one of several options: laws that hold for any text, order of options and extractor."""

from __future__ import annotations

import itertools
import unicodedata

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fathom.extraction.quantities import quantities, sole_quantity
from fathom.extraction.shown_options import LETTERS, read_answer, shown
from fathom.extraction.stripped_reasoning import strip_reasoning
from fathom.records import InputError, Question, Variant
from tests.extractors import EXTRACTORS

FATHOM = EXTRACTORS["fathom"]
ARMS = ("Left arm", "Right arm", "Both arms", "Neither arm")
ASKED = Question(id="q", task="t", text="?", answer="Left arm", choices=ARMS)
COUNT = Question(id="q", task="t", text="?", answer="1", possible=tuple("0123456789"))
PIECES = st.sampled_from(
    [
        *"ABCDEabc()[]{}<>.,:;!?*_`\"'“”（）【】「」。、：\n\t \\",
        *(
            "answer",
            "Answer: ",
            "option ",
            "is ",
            "not ",
            "the ",
            "A man ",
            "so ",
            "if ",
            "(B)",
            "\\boxed{",
            "Ｃ",
        ),
        *(
            "correct",
            "wrong",
            "or ",
            "and ",
            "<think>",
            "</think>",
            "<answer>",
            '{"answer": ',
            "left arm",
            "no",
            "答案",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map("".join))


@settings(max_examples=1000, deadline=None)
@given(TEXTS)
def test_any_text_is_read_the_same_twice_and_only_as_an_option_that_is_there(text: str) -> None:
    for extractor in EXTRACTORS.values():
        assert extractor.value(COUNT, extractor.read(COUNT, text)) in (0.0, 1.0)
        if extractor.name == "pulsecheck457-official":
            continue  # it is for questions without options, and takes any text for an answer
        reading = extractor.read(ASKED, text)
        assert reading == extractor.read(ASKED, text)
        assert reading.picked is None or reading.picked in ARMS
        assert extractor.value(ASKED, reading) == float(reading.picked == "Left arm")


@settings(max_examples=1000, deadline=None)
@given(TEXTS, st.text(alphabet=" \n\t\r", min_size=1, max_size=12))
def test_blanks_at_the_end_change_nothing(text: str, blanks: str) -> None:
    for asked in (ASKED, COUNT):
        before, after = FATHOM.read(asked, text), FATHOM.read(asked, text + blanks)
        assert (before.picked, before.how) == (after.picked, after.how)


@settings(deadline=None)
@given(
    st.permutations(range(4)),
    st.sampled_from("ABCD"),
    st.sampled_from(["{}", "({})", "Answer: {}", "It is {}."]),
)
def test_a_letter_means_the_option_that_was_shown_beside_it(order: list[int], letter: str, form: str) -> None:
    variant = Variant(option_order=tuple(order))
    right = ARMS[order["ABCD".index(letter)]]
    assert shown(ASKED, variant).text_of(letter) == right
    assert read_answer(FATHOM, ASKED, variant, form.format(letter)).picked == right


@settings(deadline=None)
@given(st.permutations(range(4)), st.sampled_from(ARMS))
def test_an_option_in_words_means_itself_in_any_order(order: list[int], text: str) -> None:
    assert (
        read_answer(FATHOM, ASKED, Variant(option_order=tuple(order)), f"It is {text.lower()}.").picked
        == text
    )


@settings(deadline=None)
@given(TEXTS, st.sampled_from("ABCD"))
def test_what_is_thought_aloud_changes_no_answer(thought: str, letter: str) -> None:
    assume("think" not in unicodedata.normalize("NFKC", thought))
    assert FATHOM.read(ASKED, f"<think>{thought}</think>({letter})").picked == ARMS["ABCD".index(letter)]


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations("ABCD", 2)))
def test_the_last_of_two_statements_counts_and_what_is_denied_does_not(first: str, second: str) -> None:
    right = ARMS["ABCD".index(second)]
    for text in (
        f"The answer is {first}. No, the answer is {second}.",
        f"Not {first} but {second}.",
        f"I choose ({first}). Wait: I choose ({second}).",
        f"Option {first} is wrong. Option {second} is correct.",
        f"({first}) is out. So ({second}).",
    ):
        assert FATHOM.read(ASKED, text).picked == right
    assert FATHOM.read(ASKED, f"The answer is {first} or {second}.").picked is None


def test_options_that_were_not_shown_have_no_letters() -> None:
    hidden = Variant(options_shown=False)
    assert shown(ASKED, hidden).letters == ""
    assert read_answer(FATHOM, ASKED, hidden, "Right arm").picked == "Right arm"
    assert read_answer(FATHOM, ASKED, hidden, "B").picked not in ARMS


def test_orders_and_numbers_of_options_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="expected an order of its 4 options"):
        shown(ASKED, Variant(option_order=(0, 0, 1, 2)))
    many = msgspec.structs.replace(ASKED, choices=tuple(map(str, range(len(LETTERS) + 1))))
    with pytest.raises(InputError, match="expected at most 10 options, A to J, found 11"):
        shown(many)


def test_the_reading_says_by_which_rule_and_in_which_words() -> None:
    reading = FATHOM.read(ASKED, "The left one rests. Therefore option (B) is correct, I think.")
    assert (reading.picked, reading.how) == ("Right arm", "statement")
    assert reading.quote == "Therefore option (B) is correct, I think"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.44m/s", "44 cm/s"),
        ("0.44 meters per second", ".440 m·s⁻¹"),
        ("0,44 m", "44 cm"),
        ("1,200 m", "1.2 km"),
        ("90°", "90 degrees"),
        ("2 m/s²", "200 cm/s^2"),
        ("36 km/h", "10 m/s"),
        ("−3 m", "-3 metres"),
    ],
)
def test_one_quantity_is_written_in_many_ways(text: str, said: str) -> None:
    assert sole_quantity(text) == quantities(said)[0]


def test_other_units_and_numbers_are_other_quantities() -> None:
    assert sole_quantity("0.44 m") != sole_quantity("0.44 m/s") != sole_quantity("0.44 km/h")
    assert sole_quantity("5 m") != sole_quantity("0.5 m")
    assert sole_quantity("5 cars") is None
    assert len(quantities("between 1 and 2 m/s")) == 2


@pytest.mark.parametrize("text", ["", " ", "\n", "<think>A", "**", "()"])
def test_nothing_said_is_no_option_even_where_an_option_is_empty(text: str) -> None:
    asked = msgspec.structs.replace(ASKED, answer="", choices=("", "a cup", "…"))
    assert FATHOM.read(asked, text).picked is None


def test_options_that_look_like_letters_are_read_by_what_was_shown() -> None:
    asked = msgspec.structs.replace(ASKED, answer="C", choices=("C", "Vitamin C", "B-shaped", "a D"))
    texts = ("A", "(A)", "Answer: C", "vitamin C", "the B-shaped one")
    picked = [FATHOM.read(asked, text).picked for text in texts]
    assert picked == ["C", "C", "B-shaped", "Vitamin C", "B-shaped"]


def test_thinking_that_never_ends_says_nothing() -> None:
    assert strip_reasoning("<think>It is B") == strip_reasoning("<think></think>") == ""
    assert strip_reasoning("It is B</think>\nC<|im_end|>") == "C"
