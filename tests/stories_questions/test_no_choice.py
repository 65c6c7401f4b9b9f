"""What is no false choice, and what nobody asks: what is there from the start, what pictures do not tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.words import LANGUAGE
from fathom.programs.values import ValueType
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_obvious import is_obvious
from fathom.questions.contexts.animated_words import ActionWords
from fathom.questions.distractors.pools import pool
from fathom.questions.distractors.sources import SOURCES, Option, Supply, absent_verbs
from fathom.questions.templates import Fill, Template
from tests.fourdbench_sentences.corpus import SUPPLY, blooms, stages

FORMS = {f.id: f for f in templates("alone")}
PAIRS = (("kick", "gallop"), ("gallop", "kick"), ("flinch", "bite"), ("nod", "shake_head"))
EARLY = ("temporal.first_event", "temporal.earlier", "temporal.previous_event")
LATE = ("temporal.last_event", "temporal.later", "temporal.next_event")


def offered(form: str, answer: str) -> Iterator[str]:
    source = SOURCES["happenings"](blooms(), FORMS[form], {}, answer, SUPPLY)
    return (key for key, _ in source if key.startswith("appears:"))


@pytest.mark.parametrize("form", EARLY)
def test_what_is_there_from_the_start_is_not_said_to_appear_first(form: str) -> None:
    assert set(offered(form, "appears:red cherry")) <= {"appears:red cherry", "appears:blue cherry"}


@pytest.mark.parametrize("form", LATE)
def test_later_it_plainly_does_not_appear(form: str) -> None:
    assert {"appears:yellow cherry", "appears:green cherry"} & set(offered(form, "appears:red cherry"))


@pytest.mark.parametrize(("own", "never"), PAIRS)
def test_what_two_pictures_do_not_tell_apart_is_no_choice_beside_another(own: str, never: str) -> None:
    stage = blooms()
    words = {v: ActionWords(v, v, v, ()) for v in (own, never, "wave")}
    happens = (SimpleNamespace(key=own),)
    said = words.keys() - LANGUAGE.unsaid_verbs
    known = {"scene": stage.scene, "timeline": stage.timeline, "language": LANGUAGE}
    made: Any = SimpleNamespace(actions=happens, verbs=words, can_say=lambda v: v in said, **known)
    supply = Supply({stage.scene.objects[0].asset.name: (never, "wave")}, (), ())
    assert absent_verbs(made, supply) == ["wave"]


@pytest.mark.parametrize(("own", "other", "offered"), [("fall", "jump", False), ("jump", "fall", True)])
def test_who_falls_may_leave_the_ground(own: str, other: str, offered: bool) -> None:
    """So whether it jumps as well nobody says for certain; who jumps does not lie there afterwards."""
    stage = blooms()
    words = {v: ActionWords(v, v, v, ()) for v in (own, other)}
    known = {"scene": stage.scene, "timeline": stage.timeline, "language": LANGUAGE}
    made: Any = SimpleNamespace(
        actions=(SimpleNamespace(key=own),), verbs=words, can_say=lambda v: v in words, **known
    )
    supply = Supply({stage.scene.objects[0].asset.name: (other,)}, (), ())
    assert (absent_verbs(made, supply) == [other]) == offered


@pytest.mark.parametrize(
    ("limb", "upright", "offered"),
    [
        ("left fin", False, False),
        ("left wing", False, False),
        ("neck", False, True),
        ("left leg", True, True),
    ],
)
def test_where_the_head_of_what_has_no_neck_ends_nobody_knows(
    limb: str, upright: bool, offered: bool
) -> None:
    places = ("left side", "right side", "back", "head", "belly")
    there = SimpleNamespace(
        places=(), subjects=(), visibility=SimpleNamespace(limbs_of=lambda k: (limb, "tail"))
    )
    stage: Any = SimpleNamespace(timeline=there, places_there=lambda: places, is_upright=upright)
    source = SOURCES["growing places"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("fathom.questions.distractors.sources.growing", lambda timeline: ())
        for one, other in (("head", "back"), ("back", "head")):
            found = {key for key, _ in source(stage, FORMS["spatial.growth_color_place"], {}, one, SUPPLY)}
            assert {"left side", "right side", "belly"} <= found and (other in found) == offered


def test_who_carries_something_is_not_said_to_swing_it_nowhere() -> None:
    """As arms swing, a sword in a hand does."""
    with_hands_full, empty_handed = stages()
    assert "slash" not in absent_verbs(with_hands_full, SUPPLY)
    assert "slash" in absent_verbs(empty_handed, SUPPLY)


def test_what_is_first_is_asked_only_where_enough_happens() -> None:
    """Of four changes of which two never happen, hardly anything is left to put in order."""
    many, two = stages()
    first = FORMS["temporal.first_event"]
    assert sum(o.source != "absent" for o in choices(many, first)) >= first.near
    assert not choices(two, first)
    assert choices(two, msgspec.structs.replace(first, near=1))


def choices(stage: AnimatedContext, form: Template) -> tuple[Option, ...]:
    """Return the false choices of a question about what happens first in a film."""
    answer = min(stage.single_events, key=lambda h: h.first)
    value = stage.timeline.happenings.index(answer)
    return pool(stage, form, {}, ValueType.EVENT, value, answer.key, SUPPLY)


@pytest.mark.parametrize(("verb", "asked"), [("walk", False), ("gallop", False), ("kick", True)])
def test_of_who_walks_nobody_asks_which_limb_swings_most(verb: str, asked: bool) -> None:
    assert is_obvious(blooms(), FORMS["action.limb"], {"V": Fill(verb, {})}, "left arm") != asked


@pytest.mark.parametrize(("last", "asked"), [("purple", False), ("green", True)])
def test_of_legs_that_are_all_alike_nobody_is_asked_about_one(last: str, asked: bool) -> None:
    stage = blooms()
    legs = {f"{side} {end} leg": "purple" for side in ("left", "right") for end in ("front", "hind")}
    legs["right hind leg"] = last
    parts = {name: {"color": color, "word": name} for name, color in legs.items()}
    actor = msgspec.structs.replace(stage.scene.objects[0], parts=parts)
    made = replace(stage, scene=msgspec.structs.replace(stage.scene, objects=(actor,)))
    fills = {"P": Fill("left front leg", {})}
    assert is_obvious(made, FORMS["appearance.part"], fills, "purple") != asked
    assert (
        is_obvious(made, FORMS["appearance.which_part"], {"C": Fill("purple", {})}, "left front leg") != asked
    )


def test_how_often_something_is_done_is_asked_of_what_is_done_at_all() -> None:
    assert FORMS["counting.times"].least == 1


def test_nobody_is_asked_the_color_of_a_part_that_all_of_it_has() -> None:
    stage: AnimatedContext = blooms()
    form = FORMS["appearance.part"]
    whole = stage.scene.objects[0].attributes["color"]
    fills = {"P": Fill("claws", {})}
    assert is_obvious(stage, form, fills, whole)
    other = next(c for c in ("green", "purple", "pink") if c != whole)
    assert not is_obvious(stage, form, fills, other)
