"""What is not asked as it is not clear: ways that bend, limbs of who rolls over, sides without a flower."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.words import LANGUAGE, VERBS
from fathom.programs.engine import traced
from fathom.programs.values import ValueType
from fathom.programs.views.animated import AnimatedView
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_meaning import means_nothing
from fathom.questions.distractors.sources import SOURCES, Supply
from fathom.questions.notation import chained
from fathom.questions.templates import animated_steps
from fathom.records import Animation
from tests.fourdbench_sentences.corpus import BLOOMS, blooms
from tests.stories_questions.made import FPS, FRAMES, LIMBS, Prop, acts, at, scene_of, timeline
from tests.stories_questions.test_limb_motion import film

FORMS = {f.id: f for f in templates("alone")}


def unclear(view: AnimatedView, *steps: Any) -> bool:
    """Return whether a program means nothing in a film."""
    stage = AnimatedContext(scene_of((), acts("walk", "eat")), view, LANGUAGE, VERBS)
    program = chained(*steps)
    trace = traced(program, view)
    assert len(trace.values) == len(program)
    return means_nothing(stage, program, trace)


def turned_from_camera(heading_deg: float) -> AnimatedView:
    """Return a fox that faces so far aside of the first camera."""
    view = timeline((), acts("walk", "eat"))
    line = view.eyes_m[0, :2] - view.positions_m[:, 0]
    view.headings_rad[:, 0] = np.arctan2(line[:, 1], line[:, 0]) + np.radians(heading_deg)
    return view


def going(off_deg: float, turn_deg: float = 0.0) -> AnimatedView:
    """Return a fox that goes a metre at an angle from straight away from the first camera, and turns."""
    view, share = timeline((), acts("walk", "eat")), np.linspace(0.0, 1.0, FRAMES)[:, None]
    away = np.radians(180.0 + off_deg)
    way = share * np.array([np.cos(away), np.sin(away)])
    turned = view.headings_rad + np.radians(turn_deg) * share
    return replace(view, positions_m=view.positions_m + way[:, None], headings_rad=turned)


@pytest.mark.parametrize(
    ("off_deg", "turn_deg", "bends"),
    [
        (0, 0, False),
        (8, 0, False),
        (22, 0, True),
        (-22, 0, True),
        (90, 0, False),
        (112, 0, False),
        (122, 0, True),
        (0, 60, False),
        (0, 90, True),
    ],
)
def test_a_way_between_two_directions_or_that_turns_is_not_asked_about(
    off_deg: float, turn_deg: float, bends: bool
) -> None:
    assert unclear(going(off_deg, turn_deg), ("goes_seen", "0"), "whole") == bends


@pytest.mark.parametrize(("turn_deg", "curved"), [(0, False), (6, False), (13, True)])
def test_who_turns_a_little_does_not_go_straight_ahead(turn_deg: float, curved: bool) -> None:
    view = going(0, turn_deg)
    line = np.array([1.0, 0.0]) * np.linspace(0.0, 1.0, FRAMES)[:, None]
    view = replace(view, positions_m=np.repeat(line[:, None], view.positions_m.shape[1], axis=1))
    assert unclear(view, ("goes",), "whole") == curved


@pytest.mark.parametrize(
    ("own_m", "lift_m", "sinks"), [(-0.4, 0.0, False), (0.1, -0.5, True), (-0.1, -0.4, True)]
)
def test_a_limb_that_is_lower_since_the_body_is_has_not_got_lower(
    own_m: float, lift_m: float, sinks: bool
) -> None:
    """The legs of who lands hang lower at the end, and against the body they are higher."""
    view, share = timeline((), acts("walk", "eat")), np.linspace(0.0, 1.0, FRAMES)
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, 0, 2] = own_m * share
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
    view = replace(view, heights_m=lift_m * share)
    assert unclear(view, ("limb_shift", "head"), "whole") == sinks


@pytest.mark.parametrize(("own_m", "others_m", "sinks"), [(-0.4, 0.0, False), (-0.4, -0.35, True)])
def test_a_limb_that_a_clip_lowers_with_all_others_has_not_got_lower(
    own_m: float, others_m: float, sinks: bool
) -> None:
    """Who is seen in the middle of a jump at first holds nothing lower at the end than all of it is."""
    view, share = timeline((), acts("walk", "eat")), np.linspace(0.0, 1.0, FRAMES)
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, :, 2] = others_m * share[:, None]
    tracks[:, 0, 2] = own_m * share
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
    assert unclear(view, ("limb_shift", "head"), "whole") == sinks


def test_of_who_rolls_over_nobody_asks_which_limb_moves_most() -> None:
    for lean, rolls in ((10.0, False), (80.0, True)):
        view = timeline((), acts("walk", "eat"))
        tracks = np.zeros((FRAMES, len(LIMBS), 3))
        tracks[:, 1, 2] = 0.3 * (np.arange(FRAMES) % 8 > 3)
        ups = np.tile([0.0, 0.0, np.cos(np.radians(lean))], (FRAMES, 1))
        view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks, actor_ups=ups))
        steps = ("limb_most", "while", "the", ("filter_verb", "eat"), "actions")
        assert unclear(view, *steps) == rolls


@pytest.mark.parametrize(
    ("heading_deg", "yaw_deg", "askew"),
    [(0, 0, False), (18, 0, False), (23, 0, True), (18, 20, True), (-18, 20, False)],
)
def test_a_body_between_two_directions_faces_nowhere_in_a_picture(
    heading_deg: float, yaw_deg: float, askew: bool
) -> None:
    view = turned_from_camera(heading_deg)
    at_rest = np.array(
        [(0.5, 0, 0.3), (-0.5, 0, 0.3), *((x, y, 0) for x in (0.3, -0.3) for y in (0.2, -0.2))]
    )
    turn = np.radians(yaw_deg) * (np.arange(FRAMES) > FRAMES // 2)
    c, s, z = np.cos(turn), np.sin(turn), np.zeros(FRAMES)
    turned = np.stack([np.stack([c, -s, z], -1), np.stack([s, c, z], -1), np.stack([z, z, z + 1], -1)], 1)
    tracks = np.einsum("fij,kj->fki", turned, at_rest)
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
    assert unclear(view, ("faces_seen", "0"), "end") == askew


@pytest.mark.parametrize(
    ("heading_deg", "swing_deg", "askew"), [(15, 0, False), (15, 20, True), (15, -20, False)]
)
def test_a_fish_that_swings_faces_where_its_head_is_from_its_tail(
    heading_deg: float, swing_deg: float, askew: bool
) -> None:
    view = turned_from_camera(heading_deg)
    tracks = np.zeros((FRAMES, 3, 3))
    swing = np.radians(swing_deg)
    tracks[:, 0, :2] = 0.5 * np.cos(swing), 0.5 * np.sin(swing)
    tracks[:, 1] = -tracks[:, 0]
    limbs = tuple((0, n) for n in ("head", "tail", "body"))
    seen = replace(view.visibility, limbs=limbs, limb_centres_m=tracks)
    assert unclear(replace(view, visibility=seen), ("faces_seen", "0"), "end") == askew


def test_of_what_the_body_carries_nobody_asks_how_it_moves() -> None:
    for carried in (False, True):
        view = timeline((), acts("walk", "eat"))
        tracks = np.zeros((FRAMES, len(LIMBS), 3))
        there_and_back = 0.3 * np.sin(np.pi * np.arange(FRAMES) / (FRAMES - 1))
        tracks[:, 0, 0] = there_and_back
        if carried:
            tracks[:, :, 0] += there_and_back[:, None]
            tracks[:, 0, 0] -= 0.8 * there_and_back
        view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
        assert unclear(view, ("limb_line", "head"), "whole") == carried


@pytest.mark.parametrize(("moment", "nothing"), [("start", True), ("end", False)])
def test_nobody_asks_how_many_are_on_a_side_while_there_are_none_anywhere(moment: str, nothing: bool) -> None:
    flower = Prop("flower", "red", events=(at("appears", 20),), attributes={"worn_on": "left side"})
    view = timeline((flower,), acts("walk", "eat"))
    stage, form = AnimatedContext(scene_of((), ()), view, LANGUAGE, VERBS), FORMS["counting.growing_side"]
    keys = {"G": "flower", "Q": "left side", "M": moment}
    fills = {s: next(f for f in stage.fills(k) if f.key == keys[s]) for s, k in form.slots.items()}
    steps = animated_steps(form, fills)
    assert means_nothing(stage, steps, traced(steps, view)) == nothing


def test_a_limb_that_was_taken_away_is_no_choice() -> None:
    scene = scene_of((), acts("walk", "eat"))
    fox = scene.objects[0]
    lame = msgspec.structs.replace(fox.asset, edits=("remove:back right leg",))
    hopping = msgspec.structs.replace(scene, objects=(msgspec.structs.replace(fox, asset=lame),))
    for found, there in ((scene, True), (hopping, False)):
        stage = AnimatedContext(found, timeline((), acts("walk", "eat")), LANGUAGE, VERBS)
        keys = {k for k, _ in SOURCES["limbs"](stage, FORMS["action.limb"], {}, "head", Supply({}, (), ()))}
        assert ("back right leg" in keys) == there and "back left leg" in keys


def test_what_is_held_by_the_model_is_no_limb_and_no_false_choice() -> None:
    armed = timeline((), acts("walk", "eat"))
    limbs = tuple((0, n) for n in ("head", "left arm", "right arm", "left leg", "right leg", "sword"))
    armed = replace(armed, visibility=replace(armed.visibility, limbs=limbs))
    stage = AnimatedContext(scene_of((), acts("walk", "eat")), armed, LANGUAGE, VERBS)
    keys = {k for k, _ in SOURCES["limbs"](stage, FORMS["action.limb"], {}, "head", Supply({}, (), ()))}
    assert keys == {"left arm", "right arm", "left leg", "right leg"}
    form = FORMS["appearance.carried_always"]
    fills: Any = {"Q": SimpleNamespace(key="right hand")}
    names = Supply({}, ("sword", "flag", "wand"), ())
    assert {k for k, _ in SOURCES["names"](stage, form, fills, "shield", names)} == {"flag", "wand"}


def test_of_tanks_and_of_who_got_wings_nobody_asks_which_part_is_closest_to_the_camera() -> None:
    """A hull is as near as its front end, wherever its middle is; and wings may be nearer than any limb."""
    view = timeline((), acts("walk", "eat"))
    program = chained(("nearest_seen", "0"), "whole")
    scene = scene_of((), acts("walk", "eat"))
    for category, edit, asked in (("animal", "", True), ("vehicle", "", False), ("animal", "wings", False)):
        actor = msgspec.structs.replace(scene.objects[0], category=category)
        source = {**scene.source, "counterfactual": edit}
        made = msgspec.structs.replace(scene, objects=(actor, *scene.objects[1:]), source=source)
        stage = AnimatedContext(made, view, LANGUAGE, VERBS)
        assert means_nothing(stage, program, traced(program, view)) != asked


@pytest.mark.parametrize(("nearest", "asked"), [("tail", True), ("left ear", False)])
def test_what_is_of_the_head_is_not_asked_for_as_nearest(nearest: str, asked: bool) -> None:
    view = timeline((), acts("walk", "eat"))
    names = ("head", nearest, "left wing", "right leg", "body", "left leg")
    towards = np.arctan2(*(view.eyes_m[0, :2] - view.positions_m[0, 0])[::-1]) - view.headings_rad[0, 0]
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, 1, :2] = 0.3 * np.cos(towards), 0.3 * np.sin(towards)
    seen = replace(view.visibility, limb_centres_m=tracks, limbs=tuple((0, n) for n in names))
    view = replace(view, visibility=seen)
    program = chained(("nearest_seen", "0"), "start")
    assert traced(program, view).values[-1] == nearest
    assert unclear(view, ("nearest_seen", "0"), "start") != asked


def test_of_who_has_arms_nobody_asks_which_part_is_nearest() -> None:
    view = timeline((), acts("walk", "eat"))
    names = tuple((0, n) for n in ("head", "tail", "left arm", "right leg", "body", "left leg"))
    armed = replace(view, visibility=replace(view.visibility, limbs=names))
    assert unclear(armed, ("nearest_seen", "0"), "start")
    assert not unclear(view, ("nearest_seen", "0"), "start")


@pytest.mark.parametrize(("tail_px", "asked"), [(100, True), (70, False)])
def test_the_nearest_limb_shows_about_as_large_as_any_other(tail_px: int, asked: bool) -> None:
    """A broad flipper seems nearer than the tip of a tail."""
    view = timeline((), acts("walk", "eat"))
    towards = np.arctan2(*(view.eyes_m[0, :2] - view.positions_m[0, 0])[::-1]) - view.headings_rad[0, 0]
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, LIMBS.index("tail"), :2] = 0.3 * np.cos(towards), 0.3 * np.sin(towards)
    px = view.visibility.limb_px.copy()
    px[..., LIMBS.index("tail")] = tail_px
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks, limb_px=px))
    assert unclear(view, ("nearest_seen", "0"), "start") != asked


@pytest.mark.parametrize(
    ("limb", "acted", "asked"),
    [("tail", "eat", True), ("front left leg", "eat", False), ("tail", "fall", False)],
)
def test_nobody_asks_where_a_leg_has_got_nor_a_limb_of_who_falls(limb: str, acted: str, asked: bool) -> None:
    """A leg is wherever its step has got to; and of who lies nobody says what is up, and what is back."""
    moving = film(**{limb.replace(" ", "_"): (0, 0.4 * np.linspace(0.0, 1.0, FRAMES))})
    stage = AnimatedContext(
        scene_of((), acts("walk", acted)), timeline((), acts("walk", acted)), LANGUAGE, VERBS
    )
    made = replace(stage.timeline, visibility=moving.visibility)
    program = chained(("limb_shift", limb), "whole")
    trace = traced(program, made)
    assert means_nothing(replace(stage, timeline=made), program, trace) != asked


@pytest.mark.parametrize(("lean_deg", "lies"), [(10.0, False), (80.0, True)])
def test_of_who_lies_in_the_end_nobody_asks_where_a_limb_has_got(lean_deg: float, lies: bool) -> None:
    view, share = timeline((), acts("walk", "eat")), np.linspace(0.0, 1.0, FRAMES)
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, 0, 2] = -0.4 * share
    ups = np.tile([0.0, 0.0, 1.0], (FRAMES, 1))
    ups[-4:, 2] = np.cos(np.radians(lean_deg))
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks, actor_ups=ups))
    assert unclear(view, ("limb_shift", "head"), "whole") == lies


@pytest.mark.parametrize(("far_m", "plain"), [(0.2, True), (0.03, False)])
def test_a_limb_that_hardly_moves_against_the_others_has_no_line(far_m: float, plain: bool) -> None:
    view = timeline((), acts("walk", "eat"))
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, 1, 2] = far_m * (np.arange(FRAMES) % 8 > 3)
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
    assert unclear(view, ("limb_line", "tail"), "whole") != plain


def test_where_a_sword_is_from_a_leg_nobody_asks() -> None:
    """It is where its hilt is, or where it points."""
    view = timeline((), acts("walk", "eat"))
    names = ("head", "sword", "left arm", "right leg", "body", "left leg")
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, :4] = ((0.0, 0.0, 0.6), (0.0, -0.6, 0.2), (0.0, 0.3, 0.3), (0.0, -0.1, 0.0))
    seen = replace(view.visibility, limb_centres_m=tracks, limbs=tuple((0, n) for n in names))
    view = replace(view, visibility=seen)
    assert unclear(view, ("limb_place", "sword", "right leg"), "end")
    assert not unclear(view, ("limb_place", "head", "right leg"), "end")


def test_of_what_is_done_twice_at_once_nobody_asks_what_is_second() -> None:
    """For some the second action is the same again, for others what comes after both."""
    for course, vague in ((("walk", "walk", "jump"), True), (("walk", "eat", "jump"), False)):
        done = tuple(
            Animation(clip=v, start_s=a / FPS, end_s=(a + 13) / FPS, verb=v)
            for v, a in zip(course, (0, 16, 32), strict=True)
        )
        view = timeline((), done)
        stage = AnimatedContext(scene_of((), done), view, LANGUAGE, VERBS)
        program = chained("verb", ("nth", "2"), "actions")
        assert means_nothing(stage, program, traced(program, view)) == vague


@pytest.mark.parametrize(
    ("own", "asked"), [(LIMBS, True), (("head", "tail", "left leg", "right leg"), False)]
)
def test_of_who_has_two_legs_nobody_asks_how_many_are_down(own: tuple[str, ...], asked: bool) -> None:
    view = timeline((), acts("walk", "eat"))
    tracks, px = view.visibility.limb_centres_m[:, : len(own)], view.visibility.limb_px[..., : len(own)]
    limbs = tuple((0, n) for n in own)
    seen = replace(view.visibility, limbs=limbs, limb_centres_m=tracks, limb_px=px)
    made = replace(view, visibility=seen)
    stage = AnimatedContext(scene_of((), acts("walk", "eat")), made, LANGUAGE, VERBS)
    program = chained("legs_down", "start")
    trace: Any = SimpleNamespace(values=((0, 0), 2), kinds=(ValueType.SPAN, ValueType.NUMBER))
    assert means_nothing(stage, program, trace) != asked


def test_of_one_cherry_nobody_asks_what_colors_the_cherries_have() -> None:
    form = FORMS["appearance.growth_colors"]
    later, gone, stays = BLOOMS[1], BLOOMS[2], BLOOMS[3]
    for props, asked in (((later, gone, stays), True), ((gone, stays), False)):
        stage = blooms(props)
        fills = {
            "G": stage.fills("coming growth")[0],
            "M": next(f for f in stage.fills("point") if f.key == "end"),
        }
        program = animated_steps(form, fills)
        trace = traced(program, stage.timeline)
        assert len(trace.values) == len(program)
        assert means_nothing(stage, program, trace) != asked


@pytest.mark.parametrize(("aside_m", "asked"), [(0.1, True), (0.25, False)])
def test_what_is_below_and_aside_is_not_asked_for_as_below(aside_m: float, asked: bool) -> None:
    """The abdomen of a wasp is below its right wing, and to its left."""
    view = timeline((), acts("walk", "eat"))
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, 0] = 0.0, aside_m, -0.6
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
    assert unclear(view, ("limb_place", "head", "tail"), "end") != asked
