"""How limbs move, on tracks that are made up: what is asked, what shows it, and what is not firm enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.words import LANGUAGE, VERBS
from fathom.programs.engine import run, traced
from fathom.programs.needs import needs_of, one_time_is_enough, one_view_is_enough
from fathom.programs.views.animated import AnimatedView
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_meaning import means_nothing
from fathom.questions.contexts.animated_obvious import is_obvious
from fathom.questions.distractors.sources import SOURCES, Supply
from fathom.questions.notation import chained
from fathom.records import Step
from tests.stories_questions.made import FRAMES, LIMBS, acts, scene_of, timeline

CLOCK = np.arange(FRAMES) / (FRAMES - 1)
SWAY = 0.1 * np.sin(2 * np.pi * 3 * CLOCK)
HUMP = 0.2 * np.sin(np.pi * CLOCK)


def film(**ways: np.ndarray | tuple[int, np.ndarray]) -> AnimatedView:
    """Return a fox that walks and then eats; each limb (words joined by _) goes some way along an axis."""
    made = timeline((), acts("walk", "eat"))
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    for k, name in enumerate(LIMBS):
        tracks[:, k] = (0.5 - 0.2 * k, 0.0, 0.3 * (k < 2))
        if (way := ways.get(name.replace(" ", "_"))) is not None:
            axis, far = way
            tracks[:, k, axis] += far
    return replace(made, visibility=replace(made.visibility, limb_centres_m=tracks))


def comes_to(view: AnimatedView, *steps: Any) -> Any:
    """Return what a program comes to, None where it is not firm."""
    program = chained(*steps)
    trace = traced(program, view)
    return trace.values[-1] if len(trace.values) == len(program) and trace.least.ratio >= 1 else None


@pytest.mark.parametrize(
    ("way", "wanted"),
    [
        ((0, SWAY), "lengthwise"),
        ((1, SWAY), "sideways"),
        ((2, SWAY), "vertical"),
        ((2, SWAY / 20), "still"),
        ((1, SWAY / 6), None),
    ],
)
def test_a_limb_moves_along_a_line_or_keeps_still(way: tuple[int, np.ndarray], wanted: str | None) -> None:
    assert comes_to(film(tail=way), ("limb_line", "tail"), "whole") == wanted


def test_what_goes_along_two_lines_alike_goes_along_none() -> None:
    view = film(tail=(1, SWAY))
    tracks = view.visibility.limb_centres_m.copy()
    tracks[:, 1, 2] += SWAY
    both = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
    assert comes_to(both, ("limb_line", "tail"), "whole") is None


def test_one_of_a_pair_is_not_asked_about_where_both_move_along_one_line() -> None:
    view = film(tail=(1, SWAY), front_left_leg=(2, SWAY), front_right_leg=(2, SWAY), back_left_leg=(2, SWAY))
    assert comes_to(view, ("limb_line", "front left leg"), "whole") is None
    assert comes_to(view, ("limb_line", "back left leg"), "whole") == "vertical", "the other one keeps still"
    assert comes_to(view, ("limb_line", "tail"), "whole") == "sideways"


def test_both_of_a_pair_move_along_the_line_that_each_of_them_does() -> None:
    alike = film(front_left_leg=(2, SWAY), front_right_leg=(2, -SWAY))
    assert comes_to(alike, ("limb_line", "front legs"), "whole") == "vertical"
    unlike = film(front_left_leg=(2, SWAY), front_right_leg=(1, SWAY))
    assert comes_to(unlike, ("limb_line", "front legs"), "whole") is None
    assert comes_to(alike, ("limb_line", "legs"), "whole") is None, "there are four"


def test_each_action_that_is_offered_among_what_is_done_stands_in_two_choices() -> None:
    form = next(f for f in templates() if f.id == "action.deeds")
    for verbs in (("walk", "eat"), ("walk", "jump", "eat")):
        stage = AnimatedContext(scene_of((), acts(*verbs)), timeline((), acts(*verbs)), LANGUAGE, VERBS)
        view = stage.timeline
        answer = comes_to(view, "deeds", "actions")
        assert answer == "+".join(verbs)
        supply = Supply({"Fox": ("wave", "kick", "spin")}, (), ())
        keys = [answer, *(k for k, _ in SOURCES["deeds"](stage, form, {}, answer, supply))]
        counts = Counter(v for key in keys for v in key.split("+"))
        assert len(set(keys)) == 4 and sorted(counts.values()) == sorted([2] * 4 + [4] * (len(verbs) - 2))


@pytest.mark.parametrize(
    ("way", "wanted"),
    [
        (0.2 * CLOCK, "rises"),
        (-0.2 * CLOCK, "sinks"),
        (HUMP, "rises back"),
        (-HUMP, "sinks back"),
        (SWAY, None),
        (0.05 * CLOCK, None),
    ],
)
def test_the_course_of_a_limb_and_its_reversal_are_told_apart(way: np.ndarray, wanted: str | None) -> None:
    view = film(tail=(2, way))
    assert comes_to(view, ("limb_course", "tail"), "whole") == wanted
    turned = {"rises": "sinks", "sinks": "rises", "rises back": "rises back", "sinks back": "sinks back"}
    assert comes_to(film(tail=(2, way[::-1])), ("limb_course", "tail"), "whole") == turned.get(wanted or "")


def test_only_what_plainly_moves_is_offered_beside_what_keeps_still() -> None:
    view = film(head=(2, SWAY), tail=(1, SWAY / 3), front_left_leg=(0, SWAY), back_left_leg=(0, SWAY))
    assert comes_to(view, "limbs_still", "whole") == ("front right leg", "back right leg")
    form = next(f for f in templates() if f.id == "action.limb_still")
    stage = AnimatedContext(scene_of((), acts("walk", "eat")), view, LANGUAGE, VERBS)
    fills = {"M": stage.fills("course")[0]}
    found = SOURCES["still limbs"](stage, form, fills, "front right leg", Supply({}, (), ()))
    assert [key for key, _ in found] == ["head", "front left leg", "back left leg"]
    px = view.visibility.limb_px.copy()
    px[:, :, LIMBS.index("head")] = 0
    px[3, :, LIMBS.index("head")] = 400
    hidden = replace(view, visibility=replace(view.visibility, limb_px=px))
    keys = ("front right leg", "head", "front left leg", "back left leg")
    program = (*chained("limbs_still", "whole"), choice(1, *keys))
    needs = needs_of(program, run(program, hidden), hidden)
    assert {tuple(n.cells) for n in needs if n.what.startswith("head")} == {(3,)}
    assert not one_view_is_enough(needs) and not one_time_is_enough(needs)


def choice(at: int, *keys: str) -> Step:
    return Step(op="choose", inputs=(at,), args=keys)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_steps_are_counted_as_one_leg_passes_the_other(count: int) -> None:
    view = film()
    names = {"front left leg": "left leg", "front right leg": "right leg"}
    limbs = tuple((k, names.get(n, n)) for k, n in view.visibility.limbs)
    tracks = view.visibility.limb_centres_m.copy()
    swing = 0.2 * np.cos(np.pi * count * CLOCK)
    tracks[:, 2:4] = 0.0
    tracks[:, 2, 0], tracks[:, 3, 0] = swing, -swing
    biped = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks, limbs=limbs))
    assert comes_to(biped, "steps", "whole") == count


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_limb_is_raised_above_another_as_often_as_it_comes_from_below(count: int) -> None:
    up_and_down = 0.3 - 0.3 * np.cos(2 * np.pi * count * CLOCK)
    view = film(front_left_leg=(2, up_and_down))
    assert comes_to(view, ("raises", "front left leg", "tail"), "whole") == count
    assert comes_to(view, ("raises", "tail", "front left leg"), "whole") == count
    assert comes_to(film(), ("raises", "front left leg", "tail"), "whole") is None


def test_legs_are_on_the_ground_or_off_it() -> None:
    view = film()
    lows = np.full((FRAMES, len(LIMBS)), 0.3)
    lows[:, 2:] = 0.01
    lows[-1, 2] = 0.2
    standing = replace(view, visibility=replace(view.visibility, limb_lows_m=lows))
    assert [comes_to(standing, "legs_down", m) for m in ("start", "end")] == [4, 3]
    assert comes_to(view, "legs_down", "start") is None
    assert [comes_to(standing, ("leg", "off"), m) for m in ("start", "end")] == [None, "front left leg"]
    assert comes_to(standing, ("leg", "on"), "end") is None
    lows[0, 3] = 0.035
    assert comes_to(standing, "legs_down", "start") is None


@pytest.mark.parametrize(
    ("first", "then", "left", "right"), [(0, 80, "eat", None), (-80, -80, None, "walk"), (0, 10, None, None)]
)
def test_an_action_in_which_it_turns_to_its_own_left(
    first: float, then: float, left: str | None, right: str | None
) -> None:
    half = FRAMES // 2
    course = np.radians(np.concatenate([np.linspace(0, first, half), np.linspace(first, then, half)]))
    view = film()
    view = replace(view, headings_rad=np.repeat(course[:, None], view.headings_rad.shape[1], axis=1))
    assert comes_to(view, "verb", ("turning", "left"), "actions") == left
    assert comes_to(view, "verb", ("turning", "right"), "actions") == right


def test_to_each_order_of_actions_its_reversal_is_offered() -> None:
    form = next(f for f in templates() if f.id == "action.sequence")
    for verbs in (("walk", "eat"), ("walk", "jump", "eat")):
        stage = AnimatedContext(scene_of((), acts(*verbs)), timeline((), acts(*verbs)), LANGUAGE, VERBS)
        answer = ">".join(verbs)
        supply = Supply({"Fox": ("wave", "kick")}, (), ())
        keys = [answer, *(k for k, _ in SOURCES["sequences"](stage, form, {}, answer, supply))]
        assert len(set(keys)) == 4
        assert {">".join(k.split(">")[::-1]) for k in keys} == set(keys)


@pytest.mark.parametrize(
    ("tail", "head", "wanted"),
    [
        (2 * SWAY, 0 * SWAY, "tail"),
        (0.03 * np.sin(2 * np.pi * 20 * CLOCK), -0.3 * CLOCK, None),
        (SWAY / 2.1, 0 * SWAY, None),
    ],
    ids=["sways", "wags while a head comes down", "hardly moves"],
)
def test_what_moves_most_has_the_longest_way_and_gets_farthest(
    tail: np.ndarray, head: np.ndarray, wanted: str | None
) -> None:
    view = film(tail=(1, tail), head=(2, head))
    assert comes_to(view, "limb_most", "whole") == wanted


ASKED: tuple[tuple[Any, ...], ...] = (
    (("limb_line", "tail"), "whole"),
    (("limb_shift", "tail"), "whole"),
    (("limb_first", "tail"), "whole"),
)


@pytest.mark.parametrize("steps", ASKED, ids=lambda s: s[0][0])
def test_no_one_view_tells_ahead_from_aside(steps: tuple[Any, ...]) -> None:
    view = film(tail=(0, 0.2 * CLOCK))
    program = chained(*steps)
    needs = needs_of(program, traced(program, view), view)
    assert all(n.cells for n in needs)
    assert not one_view_is_enough(needs) and not one_time_is_enough(needs)


@pytest.mark.parametrize(
    ("form", "limb", "moment", "answer", "known"),
    [
        ("action.limb_line", "front left leg", "while walk", "lengthwise", True),
        ("action.limb_line", "tail", "while walk", "sideways", False),
        ("action.limb_course", "tail", "while jump", "rises back", True),
        ("action.limb_line", "tail", "while jump", "vertical", True),
        ("action.limb_line", "tail", "while jump", "sideways", False),
    ],
)
def test_how_legs_walk_goes_without_saying(
    form: str, limb: str, moment: str, answer: str, known: bool
) -> None:
    stage = AnimatedContext(
        scene_of((), acts("walk", "jump")), timeline((), acts("walk", "jump")), LANGUAGE, VERBS
    )
    template = next(f for f in templates() if f.id == form)
    fill: Callable[[str, str], Any] = lambda kind, key: next(f for f in stage.fills(kind) if f.key == key)
    fills = {"L": fill(template.slots["L"], limb), "M": fill(template.slots["M"], moment)}
    assert is_obvious(stage, template, fills, answer) == known


@pytest.mark.parametrize(
    ("deeds", "asked"), [(("walk",), ["whole"]), (("walk", "jump"), ["while walk", "while jump"])]
)
def test_how_a_limb_moves_is_asked_of_one_action(deeds: tuple[str, ...], asked: list[str]) -> None:
    stage = AnimatedContext(scene_of((), acts(*deeds)), timeline((), acts(*deeds)), LANGUAGE, VERBS)
    template = next(f for f in templates() if f.id == "action.limb_line")
    assert [f.key for f in stage.fills(template.slots["M"])] == asked


def test_which_of_two_legs_is_above_the_other_is_not_asked() -> None:
    up_and_down = 0.3 - 0.3 * np.cos(2 * np.pi * 2 * CLOCK)
    view = film(front_left_leg=(2, up_and_down), back_left_leg=(2, 0.3 + 0 * CLOCK))
    stage = AnimatedContext(scene_of((), acts("walk", "eat")), view, LANGUAGE, VERBS)
    for other, unclear in (("tail", False), ("back left leg", True)):
        program = chained(("raises", "front left leg", other), "whole")
        assert means_nothing(stage, program, traced(program, view)) == unclear


@pytest.mark.parametrize(("category", "known"), [("fish", True), ("animal", False)])
def test_that_a_fish_swims_goes_without_saying(category: str, known: bool) -> None:
    scene = scene_of((), acts("swim", "flip"))
    actor = msgspec.structs.replace(scene.objects[0], category=category)
    scene = msgspec.structs.replace(scene, objects=(actor, *scene.objects[1:]))
    stage = AnimatedContext(scene, timeline((), acts("swim", "flip")), LANGUAGE, VERBS)
    form = next(f for f in templates() if f.id == "action.shown")
    assert is_obvious(stage, form, {}, "swim") == known and not is_obvious(stage, form, {}, "flip")
