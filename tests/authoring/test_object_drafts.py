"""What writers say is read strictly: a question of the right form, or the reason why it is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.authoring import drafts as every
from fathom.authoring import replies
from fathom.authoring.candidates import QuestionCandidate
from fathom.benchmarks.fourdbench.authoring import drafts
from fathom.benchmarks.fourdbench.authoring.drafts import read_draft, repeated
from tests.authoring.objects import draft


def read(task: str = "action", **changes: object) -> QuestionCandidate | str:
    return read_draft(json.dumps(draft(task, **changes)), "uid", task, "w", "0")  # type: ignore[arg-type]


def taken(task: str = "action", **changes: object) -> QuestionCandidate:
    found = read(task, **changes)
    assert isinstance(found, QuestionCandidate), found
    return found


def test_a_draft_becomes_a_question_with_its_options_in_an_order_of_its_own() -> None:
    found = taken()
    assert sorted(found.choices) == sorted(["a red hat", "a blue bag", "a long tail", "two wings"])
    assert (found.answer, found.subject, found.kind, found.writer) == ("a long tail", "uid", "action", "w")
    assert found == taken()
    fenced = "```json\n" + json.dumps(draft("action")) + "\n```"
    assert read_draft(fenced, "uid", "action", "w", "0") == found


def test_the_right_option_stands_in_every_place_about_as_often() -> None:
    places = [
        taken(question=f"What is at its back after turn {n} then?").choices.index("a long tail")
        for n in range(200)
    ]
    assert all(30 <= places.count(k) <= 75 for k in range(4))


def test_letters_before_the_options_are_taken_away_where_all_have_them() -> None:
    letters = ["A. a hat", "B. a bag", "C. a tail", "D. wings"]
    found = taken(choices=letters, answer="C. a tail")
    assert sorted(found.choices) == ["a bag", "a hat", "a tail", "wings"]
    assert found.answer == "a tail"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"choices": ["a", "b", "c"]}, every.FEW),
        ({"choices": ["a hat", "b", "c", " "]}, every.FEW),
        ({"choices": ["a hat", "The hat", "a tail", "wings"], "answer": "a tail"}, every.ALIKE),
        ({"answer": "C"}, every.NO_ANSWER),
        ({"question": "??"}, every.NO_QUESTION),
        ({"question": "Why " * 100}, every.LONG),
        ({"question": "What is <img src=x onerror=alert(1)> on it?"}, replies.MARKUP),
        ({"question": "What is at https://example.org now?"}, replies.MARKUP),
        ({"question": "What is \u202ereversed at its back?"}, replies.MARKUP),
        ({"question": "What is \x07 at its back then?"}, replies.MARKUP),
        ({"question": "Is it a long tail that it has?"}, replies.TOLD),
        ({"question": "What is at its back? (correct: C)"}, replies.SPEAKS_OF_ANSWER),
        ({"question": "What is at its back? Answer: C"}, replies.SPEAKS_OF_ANSWER),
        ({"choices": ["a long tail (correct)", "b", "c", "d"], "answer": "b"}, replies.SPEAKS_OF_ANSWER),
        ({"question": "What is at its back in frame 3 then?"}, replies.BY_NUMBER),
        ({"choices": ["a", "b", "c", "all of the above"], "answer": "b"}, replies.TOGETHER),
        ({"subtask": "appearance"}, drafts.OTHER_TASK),
        ({"choices": "abcd"}, replies.NO_JSON),
        ({"answer": 3}, replies.NO_JSON),
    ],
)
def test_what_is_no_question_is_refused_with_its_reason(changes: dict[str, object], reason: str) -> None:
    assert read(**changes) == reason  # type: ignore[arg-type]


def test_a_count_has_numbers_as_options() -> None:
    assert (
        read("object_counting", choices=["two", "three", "many", "four"], answer="two") == drafts.NO_NUMBERS
    )
    assert isinstance(
        read("object_counting", choices=["two", "three", "five", "four"], answer="two"), QuestionCandidate
    )


def test_a_question_that_names_all_of_its_options_does_not_tell_which() -> None:
    question = "Is it a red hat, a blue bag, a long tail or two wings that shows at its back?"
    assert isinstance(read(question=question), QuestionCandidate)


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    assert isinstance(read_draft(text, "uid", "action", "w", "0"), str)
    assert isinstance(read(question=text), QuestionCandidate | str)


@given(
    st.recursive(st.none() | st.integers() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c))
)
def test_no_json_breaks_the_reader(value: object) -> None:
    assert isinstance(read_draft(json.dumps(value), "uid", "action", "w", "0"), str)
    assert isinstance(read(choices=value), str)


def test_the_same_question_in_other_order_case_or_a_word_more_is_a_duplicate() -> None:
    first = taken(question="What does the big red fox do after it has jumped over the crate?")
    assert repeated(
        taken(question="what does the big red fox do, after it has jumped over the crate"), [first]
    )
    assert repeated(
        taken(question="What does the big red fox do then after it has jumped over the crate?"), [first]
    )
    assert not repeated(taken(question="What does the fox hold in its right paw?"), [first])
