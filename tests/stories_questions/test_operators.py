"""What the operators of programs over films mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.programs.degeneracy import constant, unneeded
from fathom.programs.engine import run, traced
from fathom.programs.needs import needs_of
from fathom.programs.values import members
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.records import InputError, Step
from tests.stories_questions.made import FRAMES, Prop, acts, at, scene_of, timeline, visibility_of


def program(*steps: tuple[str, tuple[int, ...], tuple[str, ...]]) -> list[Step]:
    return [Step(op=op, inputs=inputs, args=args) for op, inputs, args in steps]


def chosen(told: AnimatedView, *steps: tuple[str, tuple[int, ...], tuple[str, ...]]) -> str | None:
    return run(program(*steps), told).answer


FOUR = (
    Prop("ball", "red", 0.0),
    Prop("cube", "blue", 90.0),
    Prop("vase", "green", 180.0),
    Prop("star", "gray", 270.0),
)
SIDES = ("front", "left", "behind", "right")


@pytest.mark.parametrize(("name", "side"), list(zip(("ball", "cube", "vase", "star"), SIDES, strict=True)))
def test_a_side_is_the_actors_own(name: str, side: str) -> None:
    told = timeline(FOUR)
    steps = (
        ("things", (), ()), ("matching", (0,), (name,)), ("only", (1,), ()), ("start", (), ()),
        ("side_of", (2, 3), ()), ("choose", (4,), SIDES),
    )  # fmt: skip
    assert chosen(told, *steps) == side


@given(st.sampled_from((90, 180, 270)), st.integers(0, 3))
def test_turning_the_actor_turns_what_is_on_its_sides(turn: int, obj: int) -> None:
    told = timeline(FOUR, headings_deg=[0.0] * (FRAMES - 1) + [float(turn)])
    steps = program(
        ("things", (), ()), ("matching", (0,), (FOUR[obj].name,)), ("only", (1,), ()), ("end", (), ()),
        ("side_of", (2, 3), ()), ("choose", (4,), SIDES),
    )  # fmt: skip
    assert run(steps, told).answer == SIDES[(obj - turn // 90) % 4]


def test_what_stands_between_two_sides_is_on_neither_with_a_margin() -> None:
    told = timeline((Prop("ball", "red", 47.0),))
    trace = traced(
        program(("things", (), ()), ("only", (0,), ()), ("start", (), ()), ("side_of", (1, 2), ())), told
    )
    assert trace.values[-1] == "left"
    assert trace.least.ratio < 1


def test_actions_follow_one_another() -> None:
    told = timeline((), acts("walk", "jump", "kick"))
    verbs = ("walk", "jump", "kick", "eat")
    anchor = (("actions", (), ()), ("filter_verb", (0,), ("jump",)), ("the", (1,), ()))
    for op, wanted in (("next", "kick"), ("previous", "walk")):
        steps = (*anchor, (op, (0, 2), ()), ("verb", (3,), ()), ("choose", (4,), verbs))
        assert chosen(told, *steps) == wanted
    assert chosen(told, ("actions", (), ()), ("choose_other", (0,), verbs)) == "eat"


def test_the_longest_action_must_be_clearly_longer() -> None:
    steps = program(("actions", (), ()), ("longest", (0,), ()), ("verb", (1,), ()))
    even = traced(steps, timeline((), acts("walk", "jump", lengths=(26, 22))))
    clear = traced(steps, timeline((), acts("walk", "jump", lengths=(32, 16))))
    assert even.values[-1] == clear.values[-1] == "walk"
    assert even.least.ratio < 1 <= clear.least.ratio


def test_colors_are_those_of_the_moment() -> None:
    told = timeline((Prop("ball", "red", events=(at("recolours", 20, "blue"),)), Prop("cube", "red", 90.0)))
    for op, color in (("before", "red"), ("after", "blue")):
        steps = (
            ("events", (), ()), ("pick", (0,), ("recolours:red ball:blue",)), ("the", (1,), ()),
            (op, (2,), ()), ("things", (), ()), ("matching", (4,), ("ball",)), ("only", (5,), ()),
            ("color", (6, 3), ()), ("choose", (7,), ("red", "blue", "green", "gray")),
        )  # fmt: skip
        assert chosen(told, *steps) == color


def test_what_comes_and_goes_is_counted_when_it_is_there() -> None:
    told = timeline((*FOUR, Prop("barrel", "red", 45.0, events=(at("vanishes", 20),))))
    for moment, count in (("start", "5"), ("end", "4")):
        steps = (("standing", (), ()), (moment, (), ()), ("there", (0, 1), ()), ("count", (2,), ()),
                 ("choose", (3,), ("3", "4", "5", "6")))  # fmt: skip
        assert chosen(told, *steps) == count
    assert (
        chosen(told, ("standing", (), ()), ("count", (0,), ()), ("choose", (1,), ("2", "3", "4", "5"))) == "5"
    )


def test_an_event_lies_within_the_action_that_goes_on_around_it() -> None:
    told = timeline((Prop("ball", "red", events=(at("vanishes", 30),)),), acts("walk", "jump", "kick"))
    steps = (
        ("events", (), ()), ("the", (0,), ()), ("while", (1,), ()), ("actions", (), ()),
        ("around", (3, 2), ()), ("the", (4,), ()), ("verb", (5,), ()),
    )  # fmt: skip
    trace = traced(program(*steps), told)
    assert trace.values[-1] == "jump"
    assert trace.least.ratio == pytest.approx(2 / 3)  # two frames before the jump is over


def test_only_the_nearest_that_is_clearly_nearer_counts() -> None:
    def nearest(far: float) -> float:
        told = timeline((Prop("ball", "red", 0.0, 1.0), Prop("cube", "red", 90.0, far)))
        steps = program(("standing", (), ()), ("actor", (), ()), ("start", (), ()),
                        ("nearest", (0, 1, 2), ()), ("key", (3,), ()))  # fmt: skip
        trace = traced(steps, told)
        assert trace.values[-1] == "red ball"
        return trace.least.ratio

    assert nearest(1.1) < 1 < nearest(1.5)


def test_what_is_gone_is_neither_nearest_nor_farthest() -> None:
    props = (Prop("ball", "red", 0.0, 3.0), Prop("star", "red", 45.0, 2.0, events=(at("vanishes", 10),)),
             Prop("cube", "red", 90.0, 1.0))  # fmt: skip
    for op, key in (("nearest", "red cube"), ("farthest", "red ball")):
        steps = program(("standing", (), ()), ("actor", (), ()), ("end", (), ()), (op, (0, 1, 2), ()),
                        ("key", (3,), ()))  # fmt: skip
        assert traced(steps, timeline(props)).values[-1] == key


def test_what_lies_across_the_actor_is_opposite() -> None:
    told = timeline(FOUR)
    steps = (
        ("standing", (), ()), ("things", (), ()), ("matching", (1,), ("cube",)), ("only", (2,), ()),
        ("start", (), ()), ("opposite", (0, 3, 4), ()), ("choose", (5,), ("ball", "vase", "star", "cube")),
    )  # fmt: skip
    assert chosen(told, *steps) == "star"


def test_limbs_are_measured() -> None:
    told = timeline((), acts("nod"))
    whole = (("whole", (), ()),)
    assert traced(program(*whole, ("limb_most", (0,), ())), told).values[-1] == "head"
    assert traced(program(*whole, ("limb_first", (0,), ("head",))), told).values[-1] == "up"
    assert traced(program(*whole, ("repeats", (0,), ())), told).values[-1] == 4
    assert traced(program(("legs", (), ())), told).values[-1] == 4


@given(st.integers(4, 20), st.integers(26, 40))
def test_reversing_time_exchanges_earlier_and_later(first: int, second: int) -> None:
    def around(a: int, b: int, op: str) -> set[str]:
        told = timeline((Prop("ball", "red", events=(at("vanishes", a),)),
                      Prop("cube", "blue", 90.0, events=(at("vanishes", b),))))  # fmt: skip
        steps = program(("events", (), ()), ("pick", (0,), ("vanishes:red ball",)), ("the", (1,), ()),
                        (op, (0, 2), ()))  # fmt: skip
        trace = traced(steps, told)
        return {told.happenings[k].key for k in members(trace.values[-1])}

    later = around(first, second, "later")
    assert later == {"vanishes:blue cube"}
    assert around(FRAMES - first, FRAMES - second, "earlier") == later
    assert around(first, second, "earlier") == set()


def test_a_filter_that_changes_nothing_is_found() -> None:
    told = timeline((Prop("ball", "red"), Prop("ball", "red", 90.0), Prop("ball", "red", 180.0)))
    steps = program(("standing", (), ()), ("whole", (), ()), ("named", (0, 1), ("ball",)),
                    ("count", (2,), ()), ("choose", (3,), ("1", "2", "3", "4")))  # fmt: skip
    assert unneeded(steps, told, "3") == (2,)
    more = timeline((Prop("ball", "red"), Prop("ball", "red", 90.0), Prop("cube", "red", 180.0)))
    assert unneeded(steps, more, "2") == ()


def test_a_moment_that_any_other_would_do_for_is_found() -> None:
    steps = program(("standing", (), ()), ("start", (), ()), ("there", (0, 1), ()), ("count", (2,), ()),
                    ("choose", (3,), ("3", "4", "5", "6")))  # fmt: skip
    assert 1 in unneeded(steps, timeline(FOUR), "4")
    vanishing = timeline((*FOUR, Prop("barrel", "red", 45.0, events=(at("vanishes", 20),))))
    assert unneeded(steps, vanishing, "5") == ()


@pytest.mark.parametrize(
    ("steps", "match"),
    [
        ((), "at least one step"),
        ((("fly", (), ()),), "no such operator"),
        ((("actions", (), ()), ("verb", (1,), ())), "only steps before"),
        ((("actions", (), ()), ("verb", (0,), ())), "takes"),
        ((("actions", (), ()), ("nth", (0,), ())), "argument"),
        ((("actions", (), ()), ("events", (), ())), "nothing reads it"),
        ((("actions", (), ()),), "no answer"),
    ],
)
def test_a_program_that_does_not_fit_says_where(
    steps: tuple[tuple[str, tuple[int, ...], tuple[str, ...]], ...], match: str
) -> None:
    with pytest.raises(InputError, match=match):
        run(program(*steps), timeline(FOUR))


CHANGING = (
    Prop("ball", "red", 0.0, events=(at("vanishes", 30),)),
    Prop("cube", "blue", 90.0, events=(at("appears", 16),)),
    Prop("vase", "green", 180.0),
)


@pytest.mark.parametrize(("place", "name"), [("first", "cube"), ("last", "ball")])
def test_the_subject_of_a_change_is_what_changes(place: str, name: str) -> None:
    told = timeline(CHANGING)
    steps = (("events", (), ()), (place, (0,), ()), ("subject", (1,), ()))
    assert chosen(told, *steps, ("choose", (2,), ("ball", "cube", "vase", "star"))) == name


def test_what_the_actor_does_has_no_other_subject() -> None:
    told = timeline(CHANGING, acts("walk", "jump"), events=(at("recolours", 8, "coat=red"),))
    for course in ("actions", "events"):
        trace = traced(program((course, (), ()), ("first", (0,), ()), ("subject", (1,), ())), told)
        assert "happens to the actor" in trace.why


def needed(told: AnimatedView, *steps: tuple[str, tuple[int, ...], tuple[str, ...]]) -> set[str]:
    made = program(*steps, ("choose", (len(steps) - 1,), ("1", "2", "3", "4")))
    return {n.what for n in needs_of(made, run(made, told), told)}


def test_who_counts_what_is_left_must_see_that_something_has_gone() -> None:
    scene = scene_of(CHANGING)
    told = animated_view(scene, visibility_of(scene, 30.0))
    found = needed(told, ("standing", (), ()), ("end", (), ()), ("there", (0, 1), ()), ("count", (2,), ()))
    assert "after vanishes:red ball" in found
    assert any("cube" in what for what in found)


def test_who_counts_changes_in_a_course_must_see_that_others_lie_outside_it() -> None:
    scene = scene_of(CHANGING, acts("walk", "jump", lengths=(24, 24)))
    told = animated_view(scene, visibility_of(scene, 30.0))
    found = needed(
        told, ("actions", (), ()), ("filter_verb", (0,), ("jump",)), ("the", (1,), ()), ("while", (2,), ()),
        ("events", (), ()), ("within", (4, 3), ()), ("count", (5,), ()),
    )  # fmt: skip
    assert "after appears:blue cube" in found


def test_a_course_in_which_something_changes_is_not_constant() -> None:
    told = timeline(
        (Prop("ball", "red", events=(at("recolours", 12, "blue"),)),), acts("walk", "jump", lengths=(24, 24))
    )
    for verb, same in (("walk", False), ("jump", True)):
        steps = program(
            ("things", (), ()), ("only", (0,), ()), ("actions", (), ()), ("filter_verb", (2,), (verb,)),
            ("the", (3,), ()), ("while", (4,), ()), ("color", (1, 5), ()),
            ("choose", (6,), ("red", "blue", "green", "gray")),
        )  # fmt: skip
        assert constant(steps, told) == same
