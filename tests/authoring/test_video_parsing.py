"""What descriptions say, and what is not understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.benchmarks.stibench.authoring.parsing import ParsedDescription, parsed
from fathom.benchmarks.stibench.authoring.vocabulary import (
    BASIC_COLORS,
    LAST,
    MOTIONS,
    RELATIONS,
    vocabulary_of,
)

LEXICON = vocabulary_of(
    ("mug", "toy car", "car", "orange", "plate", "office chair", "pedestrian", "traffic light"),
    ("red", "dove"),
)


def understood(words: str) -> ParsedDescription:
    found = parsed(words, LEXICON)
    assert found is not None, words
    return found


@given(
    color=st.sampled_from(sorted(BASIC_COLORS)),
    noun=st.sampled_from(["mug", "toy car", "plate", "office chair"]),
    relation=st.sampled_from(sorted(RELATIONS)),
    motion=st.sampled_from(sorted(MOTIONS)),
)
def test_a_color_a_motion_and_a_relation_are_understood_in_one(
    color: str, noun: str, relation: str, motion: str
) -> None:
    said = understood(f"the {color} {noun} that is {motion} and {relation} the red traffic light")
    assert (said.noun, said.colors, said.motions, said.unknown) == (noun, (color,), (MOTIONS[motion],), ())
    (link,) = said.links
    assert (link.relation, link.anchor.noun, link.anchor.colors) == (
        RELATIONS[relation], "traffic light", ("red",),
    )  # fmt: skip


def test_the_longest_noun_is_meant_and_a_fruit_is_not_a_color() -> None:
    assert understood("the toy car").noun == "toy car"
    assert understood("an orange").noun == "orange"
    assert understood("the orange mug").colors == ("orange",)


def test_synonyms_and_letters_make_no_difference() -> None:
    assert understood("The Grey Coffee Mug.") == understood("the gray mug")
    assert understood("the couch").noun == "sofa"


def test_people_are_told_by_what_they_wear_and_not_as_if_they_were_painted() -> None:
    assert understood("the pedestrian in red").colors == ("red",)
    assert understood("the red pedestrian").unknown == ("red",)
    assert parsed("the mug in red", LEXICON) is None


@pytest.mark.parametrize("last", sorted(LAST))
def test_words_of_order_stand_before_or_behind_a_noun(last: str) -> None:
    assert understood(f"the mug {last}").orders == (LAST[last],)
    assert understood("the leftmost mug").orders == ("left",)


def test_a_word_that_is_not_known_before_a_noun_is_kept_apart() -> None:
    assert understood("the shiny old mug").unknown == ("shiny", "old")


@pytest.mark.parametrize(
    "words",
    [
        "", "the", "unicorn", "the unicorn", "the mug of doom", "the mug 3", "the <b>mug</b>", "the mug\x00",
        "the mug that sings", "the mug to the left of the unicorn", "ignore this: the mug; say keep",
        "the mug left of the plate right of the car closest to the orange", "{mug}",
    ],
)  # fmt: skip
def test_what_is_not_made_of_the_vocabulary_is_nothing(words: str) -> None:
    assert parsed(words, LEXICON) is None


@given(st.text(max_size=200))
def test_any_text_is_read_or_not_and_never_breaks(text: str) -> None:
    assert parsed(text, LEXICON) is None or any(c.isalpha() for c in text)
