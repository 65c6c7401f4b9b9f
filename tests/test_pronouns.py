"""People are spoken of as people, and what is said of them is read as it is said of anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.benchmarks.fourdbench.sentences.persons import OF_PERSONS, impersonal
from fathom.pronouns import MEN, OTHERS, WOMEN, personal, pronoun_of, subject_of
from fathom.records import ContradictionError

PLAIN = (
    "what does the {} do with its left arm?",
    "on its left side",
    "in front of it",
    "behind it",
    "shaking itself",
    "its left arm up and down, its tail hardly at all",
)


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("man", "On his left, behind him"),
        ("old woman", "On her left, behind her"),
        ("pirate", "On their left, behind them"),
        ("astronaut frog", "On its left, behind it"),
        ("robot", "On its left, behind it"),
    ],
)
def test_people_are_spoken_of_as_people(noun: str, said: str) -> None:
    assert personal("On its left, behind it", noun) == said


def test_an_answer_that_begins_with_a_pronoun_keeps_its_capital() -> None:
    assert personal("Its left arm", "man") == "His left arm"


def test_who_is_of_no_known_sex_is_called_by_the_noun_before_a_verb() -> None:
    assert [subject_of(n) for n in ("man", "queen", "pirate", "fox")] == ["he", "she", "the pirate", "it"]


def test_no_noun_is_of_two_kinds() -> None:
    assert not MEN & WOMEN and not MEN & OTHERS and not WOMEN & OTHERS


@given(st.sampled_from(sorted(MEN | WOMEN | OTHERS | {"fox", "robot"})), st.sampled_from(PLAIN))
def test_what_is_said_of_a_person_is_read_as_of_anything_else(noun: str, text: str) -> None:
    plain = text.format(noun)
    assert impersonal(personal(plain, noun), noun) == plain


def test_the_reader_and_the_writer_agree_who_is_who() -> None:
    read = {noun: who for who, nouns in OF_PERSONS.items() for noun in nouns.split(" ")}
    assert read == {noun: pronoun_of(noun) for noun in MEN | WOMEN | OTHERS}


@pytest.mark.parametrize(
    ("text", "noun"), [("on his back", "fox"), ("on her back", "man"), ("he is", "pirate")]
)
def test_who_is_called_otherwise_than_anybody_would_is_not_read(text: str, noun: str) -> None:
    with pytest.raises(ContradictionError, match="is said of the"):
        impersonal(text, noun)
