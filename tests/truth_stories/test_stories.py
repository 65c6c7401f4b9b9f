"""Films derived a second time: what is planted is found, and so is every fault planted in the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from fathom.programs.engine import operators_on
from fathom.programs.values import Scenes
from fathom.programs.views.animated import AnimatedView
from fathom.records import DataError, Step
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation
from fathom.verify.observed.events import open_ended
from fathom.verify.registry import OPERATORS, SceneKind
from tests.truth_stories.test_kicking import CASES as KICKING
from tests.truth_stories.test_kicking import UNTOLD
from tests.truth_stories.test_limb_motion import CASES as OF_LIMBS
from tests.truth_stories.test_limb_motion import asked
from tests.truth_stories.test_looks import BLOOMING
from tests.truth_stories.test_looks import CASES as LOOKS
from tests.truth_stories.test_pieces import CASES as PIECES
from tests.truth_stories.test_times import CASES as TIMES
from tests.truth_stories.yard import first_answer, program

COMES, GOES = "appears:purple cube", "vanishes:brown barrel"
TURNS_BLUE, TURNS_INTO = "recolours:red ball:blue", "swaps:cyan vase:lantern"
VERBS = ("walk", "run", "bow", "jump")
SIDES = ("front", "left", "behind", "right")
FEW, MANY = tuple("1234"), tuple("5678")
NAMES = ("teapot", "cube", "ball", "star")
COLORS = ("blue", "green", "red", "brown")

SEEN_WAYS = ("towards", "away", "left", "right")

CASES: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    # program, choices, the planted answer, the fault that must be found
    ("verb first actions", VERBS, "walk", "deeds"),
    ("verb last actions", VERBS, "bow", "deeds"),
    ("verb nth|2 actions", VERBS, "bow", "deeds"),
    ("verb next actions the filter_verb|walk actions", VERBS, "bow", "deeds"),
    ("verb previous actions the filter_verb|bow actions", VERBS, "walk", "deeds"),
    (f"verb the around actions while the pick|{GOES} events", VERBS, "walk", "times"),
    (f"verb last earlier actions the pick|{TURNS_INTO} events", VERBS, "walk", "deeds"),
    ("verb longest actions", VERBS, "bow", ""),
    ("count actions", FEW, "2", ""),
    (
        f"order pick|{COMES}|walk|{TURNS_BLUE} happenings",
        (f"walk>{COMES}>{TURNS_BLUE}", f"{COMES}>walk>{TURNS_BLUE}", f"walk>{TURNS_BLUE}>{COMES}", "walk"),
        f"walk>{COMES}>{TURNS_BLUE}",
        "times",
    ),
    ("happened first events", (COMES, GOES, TURNS_BLUE, TURNS_INTO), COMES, "times"),
    (
        "key subject first events",
        ("purple cube", "brown barrel", "red ball", "cyan vase"),
        "purple cube",
        "times",
    ),
    ("happened last events", (COMES, GOES, TURNS_BLUE, TURNS_INTO), TURNS_INTO, "times"),
    (
        "within events while the filter_verb|bow actions",
        (COMES, GOES, TURNS_BLUE, "appears:x"),
        TURNS_BLUE,
        "times",
    ),
    (f"earlier events the pick|{GOES} events", (COMES, TURNS_BLUE, TURNS_INTO, "x"), COMES, "times"),
    (f"later events the pick|{GOES} events", (COMES, TURNS_BLUE, "appears:x", "x"), TURNS_BLUE, "times"),
    ("happened the of events only matching|barrel things", (COMES, GOES, TURNS_BLUE, "x"), GOES, "times"),
    ("count filter_event|vanishes events", FEW, "1", "times"),
    ("count there standing start", MANY, "7", ""),
    ("count there standing end", MANY, "7", "times"),
    ("count standing", ("7", "8", "9", "10"), "8", "numbers"),
    ("count carried", FEW, "2", "numbers"),
    ("color only matching|ball things end", COLORS, "blue", "looks"),
    (f"color only matching|ball things before the pick|{TURNS_BLUE} events", COLORS, "red", "looks"),
    (f"color only matching|ball things after the pick|{TURNS_BLUE} events", COLORS, "blue", "looks"),
    ("name only matching|vase things end", ("lantern", "bucket", "vase", "ball"), "lantern", "times"),
    (
        "key only matching|barrel things",
        ("brown barrel", "red barrel", "barrel", "x"),
        "brown barrel",
        "looks",
    ),
    ("count colored|gray there standing end end", FEW, "1", "looks"),
    ("count named|ball standing whole", FEW, "1", "looks"),
    ("side_of only matching|ball things start", SIDES, "left", "positions"),
    (
        f"name only side|front standing after the pick|{COMES} events end",
        NAMES,
        "cube",
        "positions",
    ),
    ("name nearest standing actor start start", NAMES, "ball", "positions"),
    ("name farthest standing actor start start", NAMES, "star", "positions"),
    (
        f"name opposite standing only matching|barrel things after the pick|{COMES} events end",
        NAMES,
        "cube",
        "positions",
    ),
    ("name only on standing only matching|table things end end", NAMES, "teapot", "positions"),
    ("hidden_from only matching|star things start", SIDES, "right", "positions"),
    ("hidden|right there standing start start", NAMES, "star", "positions"),
    ("name only place|head carried whole", ("top hat", "sword", "crown", "x"), "top hat", "looks"),
    (
        "place_of only matching|sword things",
        ("head", "left hand", "right hand", "back"),
        "left hand",
        "looks",
    ),
    ("part_color|body end", COLORS, "green", "looks"),
    ("part_color|chest whole", ("white", "black", "red", "blue"), "white", "looks"),
    ("part_colored|white whole", ("body", "chest", "joints", "eyes"), "chest", "looks"),
    ("legs", FEW, "2", "limbs"),
    (
        "limb_most while the filter_verb|bow actions",
        ("left leg", "head", "right hand", "left hand"),
        "head",
        "",
    ),
    ("limb_first|head while the filter_verb|bow actions", ("up", "forward", "left", "right"), "forward", ""),
    ("repeats while the filter_verb|bow actions", FEW, "2", ""),
    (
        "travels while the filter_verb|walk actions",
        ("forward", "backward", "left", "none"),
        "forward",
        "ways",
    ),
    ("goes while the filter_verb|walk actions", ("forward", "backward", "left", "none"), "forward", "ways"),
    ("goes_seen|0 while the filter_verb|walk actions", SEEN_WAYS, "towards", "ways"),
    ("goes_seen|6 while the filter_verb|walk actions", SEEN_WAYS, "right", "ways"),
    ("turns while the filter_verb|bow actions", ("left", "right", "none", "round"), "left", "ways"),
    ("limb_place|head|left_hand whole", ("behind", "front", "below", "above"), "above", ""),
    ("limb_place|left_arm|right_arm whole", ("left", "right", "below", "above"), "left", ""),
    ("limb_swings|left_hand while the filter_verb|bow actions", FEW, "2", ""),
)
UNSEEN = {
    "limb_shift": ("limb_shift|head whole", ("forward", "backward", "up", "down")),
    "color_most": ("color_most", ("black", "orange", "yellow", "red")),
    "bodies": ("bodies|birds", FEW),
}
"""Operators of which the yard shows too little, with what is asked of it."""

IDS = [text for text, *_ in CASES]


def steps(text: str, choices: tuple[str, ...]) -> tuple[Step, ...]:
    for key in (COMES, GOES, TURNS_BLUE, TURNS_INTO):
        text = text.replace(key, key.replace(" ", "_"))
    return program(text, *choices)


@pytest.mark.parametrize(("text", "choices", "answer", "fault"), CASES, ids=IDS)
def test_what_is_planted_is_found(
    film: ObservedAnimation,
    timeline: AnimatedView,
    text: str,
    choices: tuple[str, ...],
    answer: str,
    fault: str,
) -> None:
    assert derived_text(steps(text, choices), film) == answer


@pytest.mark.parametrize(("text", "choices", "answer", "fault"), CASES, ids=IDS)
def test_both_derivations_agree_on_a_sound_record(
    film: ObservedAnimation,
    timeline: AnimatedView,
    text: str,
    choices: tuple[str, ...],
    answer: str,
    fault: str,
) -> None:
    assert first_answer(steps(text, choices), timeline) == answer


@pytest.mark.parametrize(("text", "choices", "answer", "fault"), [c for c in CASES if c[3]])
def test_a_fault_in_the_record_makes_them_disagree(
    wrong_stories: Mapping[str, AnimatedView], text: str, choices: tuple[str, ...], answer: str, fault: str
) -> None:
    assert first_answer(steps(text, choices), wrong_stories[fault]) != answer


def test_every_operator_of_programs_is_known_and_tried() -> None:
    assert OPERATORS[SceneKind.ANIMATION].keys() == operators_on(Scenes.ANIMATED).keys()
    tried = {s.op for text, choices, _, _ in CASES for s in steps(text, choices)}
    tried |= {s.op for program, choices, _ in OF_LIMBS for s in asked(program, choices)}
    others = (*LOOKS, *BLOOMING, *KICKING, *UNTOLD, *PIECES, *TIMES)
    elsewhere = [(text, choices) for text, choices, _ in others]
    tried |= {s.op for text, choices in elsewhere for s in steps(text, choices)}
    assert OPERATORS[SceneKind.ANIMATION].keys() - tried <= {"choose_other", *UNSEEN}


@pytest.mark.parametrize("operator", UNSEEN)
def test_of_what_the_yard_does_not_show_nothing_is_said(film: ObservedAnimation, operator: str) -> None:
    assert derived_text(steps(*UNSEEN[operator]), film) is None


def test_an_unknown_operator_is_an_error(film: ObservedAnimation) -> None:
    with pytest.raises(DataError, match="frobnicate"):
        derived_text((Step(op="frobnicate"),), film)


def test_where_something_could_have_happened_unseen_nothing_is_said_of_what_happened(
    film: ObservedAnimation,
) -> None:
    unseen = replace(film, untold=True)
    assert derived_text(steps("count events", MANY), film) == "5"
    assert derived_text(steps("count events", MANY), unseen) is None
    assert derived_text(steps("count actions", FEW), unseen) == "2"


def test_what_stands_behind_others_in_every_view_is_there_all_the_same(film: ObservedAnimation) -> None:
    look = replace(film.found.looks[0][1], px=0, full_px=40)
    assert look.there
    assert not replace(look, full_px=0).there


def test_what_is_not_known_at_first_or_at_last_is_open() -> None:
    there = (False, True, True, True)
    assert open_ended(there, (None, None, "red", "red"))
    assert open_ended(there, (None, "red", "red", None))
    assert not open_ended(there, (None, "red", None, "red"))
    assert not open_ended((False,) * 4, (None,) * 4)
