"""A robot alone that kicks once and then raises a hand, as both derivations tell it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest

from fathom.programs.engine import run, traced
from fathom.programs.needs import needs_of
from fathom.programs.views.animated import AnimatedView
from fathom.records import Animation, AssetRef, Environment, Scene, SceneObject
from fathom.scenes.animated_assets import built_in_animated
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation
from tests.truth_stories.yard import FPS, FRAMES, at, close_up, program, seen, told

SIZE, HALF = 110, FRAMES // 2
KICKS, WAVES = "while the filter_verb|kick actions", "while the filter_verb|wave actions"
NUMBERS, WAYS = ("0", "1", "2", "3"), ("towards", "left", "away", "right")
LIMBS = ("head", "left leg", "right leg", "right arm")

CASES = (
    (f"steps {KICKS}", NUMBERS, "1"),
    (f"limb_onset {KICKS}", LIMBS, "right leg"),
    (f"strokes|right_hand|up {WAVES}", NUMBERS, "1"),
    (f"limb_course|right_arm {WAVES}", ("rises", "sinks", "rises back", "sinks back"), "rises"),
    ("faces_seen|0 end", WAYS, "towards"),
    ("faces_seen|6 end", WAYS, "right"),
    ("nearest_seen|6 end", ("left hand", "right hand", "head", "left leg"), "right hand"),
    ("deeds actions", ("wave+kick", "kick+wave", "bow+wave", "bow+walk"), "kick+wave"),
)


UNTOLD = (
    ("leg|off start", ("left leg", "right leg", "head", "right arm"), ""),
    ("nearest_seen|2 start", ("left hand", "left arm", "head", "left leg"), ""),
)
"""What neither derivation tells: which one of two legs is up, whether a hand is nearer than its arm."""


@cache
def scene() -> Scene:
    asset = built_in_animated().asset("Robot")
    length, width, height = asset.extents_m
    acts = (("Kick", "kick", 0), ("Wave", "wave", HALF))
    actor = SceneObject(
        id="actor", category=asset.category, subtype=asset.noun, size_m=(length, width, height),
        poses=(at(0.0, 0.0),), asset=AssetRef(name=asset.name, sha256=asset.sha256),
        attributes={"name": asset.noun, "color": "red", "main": "body"},
        parts={p.word: {"color": p.color, "word": p.word} for p in asset.parts},
        animations=tuple(
            Animation(clip=c, start_s=a / FPS, end_s=(a + HALF) / FPS, rate=0.5, loop=True, verb=v)
            for c, v, a in acts
        ),
    )  # fmt: skip
    return Scene(
        id="a1" * 16, generator="stories", version="1", seed="kicking", objects=(actor,),
        cameras=close_up(asset.extents_m, SIZE),
        environment=Environment(name="white"), times_s=tuple(k / FPS for k in range(FRAMES)),
    )  # fmt: skip


@cache
def film() -> tuple[AnimatedView, ObservedAnimation]:
    return told(scene()), seen(scene())


@pytest.mark.parametrize(("text", "choices", "wanted"), CASES)
def test_both_derivations_tell_it(text: str, choices: tuple[str, ...], wanted: str) -> None:
    view, observed = film()
    steps = program(text, *choices)
    found = run(steps, view)
    assert found.answer == wanted and found.least.ratio >= 1
    assert derived_text(steps, observed) == wanted


def test_a_record_in_which_left_is_right_is_found_out() -> None:
    view, observed = film()
    swap = {"left": "right", "right": "left"}
    limbs = tuple((k, " ".join(swap.get(w, w) for w in n.split(" "))) for k, n in view.visibility.limbs)
    grid = replace(view.visibility, limbs=limbs)
    wrong = replace(view, visibility=grid, headings_rad=view.headings_rad + math.pi)
    differ = set()
    for text, choices, _ in CASES:
        steps = program(text, *choices)
        told_so = run(steps, wrong)
        if told_so.answer is not None and derived_text(steps, observed) not in (told_so.answer, None):
            differ.add(steps[0].op if len(steps) == 2 else steps[-2].op)
    assert {"limb_onset", "faces_seen"} <= differ


@pytest.mark.parametrize(("text", "choices", "wanted"), UNTOLD)
def test_what_is_too_close_to_call_neither_tells(text: str, choices: tuple[str, ...], wanted: str) -> None:
    view, observed = film()
    steps = program(text, *choices)
    found = run(steps, view)
    assert found.answer is None or found.least.ratio < 1
    assert (derived_text(steps, observed) or "") == wanted


def test_a_camera_on_the_border_of_two_sides_tells_neither() -> None:
    view, observed = film()
    for camera in (1, 3, 5, 7):
        steps = program(f"faces_seen|{camera} end", *WAYS)
        assert run(steps, view).least.ratio < 1
        assert derived_text(steps, observed) is None


def test_one_camera_alone_shows_which_way_it_faces_there() -> None:
    view, _ = film()
    steps = program("faces_seen|6 end", *WAYS)
    needs = needs_of(steps, traced(steps, view), view)
    assert [set(n.cells) for n in needs] == [{6}]


def test_who_sets_out_together_sets_out_first_alone_no_more() -> None:
    view, observed = film()
    steps = program(f"limb_onset {WAVES}", *LIMBS)
    found = run(steps, view)
    assert (found.answer is None or found.least.ratio < 1) == (derived_text(steps, observed) is None)
