"""Verbs, what is alike, and the motion that they imply."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fathom.assets.animated.lexicon import read_lexicon, unmet
from fathom.assets.animated.motion import NUMBERS, Measures
from fathom.records import AssetError, InputError

FLAT = Measures(**dict.fromkeys(NUMBERS, 0.0), busiest="left arm")


def verb(**more: Any) -> dict[str, Any]:
    return {
        "key": "hobble",
        "base": "hobble",
        "third": "hobbles",
        "ing": "hobbling",
        "past": "hobbled",
        "plain": "walks with one bad leg",
        "alike": ["walk"],
        **more,
    }


def written(folder: Path, *verbs: dict[str, Any]) -> Path:
    path = folder / "mine.json"
    path.write_text(json.dumps({"verbs": verbs}))
    return path


def test_what_is_alike_is_alike_both_ways_and_never_a_rival() -> None:
    lexicon = read_lexicon()
    for v in lexicon.verbs:
        rivals = {r.key for r in lexicon.rivals(v.key)}
        assert v.key not in rivals
        for other in v.alike:
            assert v.key in lexicon.verb(other).alike
            assert other not in rivals


@pytest.mark.parametrize(
    ("one", "other"),
    [("walk", "run"), ("run", "gallop"), ("attack", "bite"), ("attack", "headbutt"), ("fall", "die"),
     ("idle", "look_around"), ("eat", "lower_head"), ("jump", "hop"), ("fly", "hover")],
)  # fmt: skip
def test_verbs_that_could_both_be_said_are_alike(one: str, other: str) -> None:
    assert other in read_lexicon().verb(one).alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("walk", "gallop"),
        ("eat", "gallop"),
        ("jump", "walk"),
        ("fall", "walk"),
        ("wave", "kick"),
        ("nod", "run"),
    ],
)
def test_verbs_that_are_told_apart_by_eye_are_rivals(one: str, other: str) -> None:
    assert other in {v.key for v in read_lexicon().rivals(one)}


def test_every_form_reads_as_english() -> None:
    for v in read_lexicon().verbs:
        first = v.base.split()[0]
        assert v.ing.split()[0].endswith("ing")
        assert v.third.split()[0].startswith(first[:2])
        if v.key != "ripple":  # "rises and sinks in a wave": two verbs in one
            assert v.base.split()[1:] == v.third.split()[1:] == v.ing.split()[1:] == v.past.split()[1:]


def test_a_file_of_ones_own_adds_verbs_and_makes_those_alike_know_of_them(tmp_path: Path) -> None:
    lexicon = read_lexicon(written(tmp_path, verb(), verb(key="walk", base="stroll", alike=["hobble"])))
    assert lexicon.verb("hobble").ing == "hobbling"
    assert lexicon.verb("walk").base == "stroll"
    assert "walk" in lexicon.verb("run").alike
    assert "run" in lexicon.verb("walk").alike
    plain = read_lexicon(written(tmp_path, verb()))
    assert "hobble" in plain.verb("walk").alike
    assert "hobble" not in read_lexicon().by_key


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"alike": ["no_such_verb"]}, "no_such_verb"),
        ({"alike": ["hobble"]}, "another verb"),
        ({"key": "Limp!"}, "no key"),
        ({"ing": " "}, "'ing'"),
        ({"expects": [["height >= 1"]]}, "height"),
        ({"expects": [["rise > 1"]]}, "rise > 1"),
        ({"expects": [["rise >= much"]]}, "much"),
        ({"expects": [["busiest >= 1"]]}, "busiest"),
        ({"moves": 1}, "moves"),
    ],
)
def test_a_lexicon_that_cannot_be_is_refused_with_the_reason(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    with pytest.raises(AssetError, match=words):
        read_lexicon(written(tmp_path, verb(**change)))


def test_a_verb_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="saunter"):
        read_lexicon().verb("saunter")
    with pytest.raises(AssetError, match="cannot be read"):
        read_lexicon(tmp_path / "none.json")


def test_expectations_are_held_against_measures() -> None:
    lexicon = read_lexicon()
    jump = lexicon.verb("jump")
    assert unmet(jump, replace(FLAT, rise=0.5)) == ()
    (missing,) = unmet(jump, FLAT)
    assert "rise >= 0.08" in missing
    assert unmet(jump, replace(FLAT, rise=0.5, ends_up=0.4))
    assert unmet(lexicon.verb("wave"), replace(FLAT, arm_up=0.5)) == ()
    assert unmet(lexicon.verb("wave"), replace(FLAT, arm_up=0.5, busiest="tail"))


def test_what_cannot_be_measured_is_not_held_against_a_clip() -> None:
    eat = read_lexicon().verb("eat")
    assert unmet(eat, FLAT)
    assert unmet(eat, replace(FLAT, head_down=float("nan"))) == ()
