"""How limbs move, derived twice: the yard's robot walks, swinging its arms, and then bows to its left."""

from __future__ import annotations

from typing import Any

import pytest

from fathom.programs.engine import run
from fathom.programs.views.animated import AnimatedView
from fathom.questions.notation import chained
from fathom.records import Step
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation

WALK = ("while", "the", ("filter_verb", "walk"), "actions")
LINES = ("lengthwise", "sideways", "vertical", "still")
PLACES = ("left", "right", "above", "below")
VERBS = ("walk", "bow", "run", "jump")
NUMBERS = ("0", "1", "2", "3")
LIMBS = ("head", "left arm", "left leg", "right leg")

CASES: tuple[tuple[tuple[Any, ...], tuple[str, ...], str], ...] = (
    ((("limb_line", "arms"), *WALK), LINES, "lengthwise"),
    ((("limb_line", "head"), *WALK), LINES, "still"),
    (("limbs_still", *WALK), LIMBS, "head"),
    ((("raises", "left hand", "right hand"), *WALK), NUMBERS, "1"),
    (("verb", ("turning", "left"), "actions"), VERBS, "bow"),
    (("sequence", "actions"), ("walk>bow", "bow>walk", "walk>run", "run>walk"), "walk>bow"),
    (("legs_down", "end"), NUMBERS, "2"),
    ((("limb_place", "left arm", "right arm"), "start"), PLACES, "left"),
    ((("limb_place", "right arm", "left arm"), "start"), PLACES, "right"),
)


def asked(steps: tuple[Any, ...], choices: tuple[str, ...]) -> tuple[Step, ...]:
    program = chained(*steps)
    return (*program, Step(op="choose", inputs=(len(program) - 1,), args=choices))


@pytest.mark.parametrize(("steps", "choices", "wanted"), CASES, ids=lambda c: str(c)[:40])
def test_both_derivations_find_how_limbs_move(
    steps: tuple[Any, ...],
    choices: tuple[str, ...],
    wanted: str,
    timeline: AnimatedView,
    film: ObservedAnimation,
) -> None:
    program = asked(steps, choices)
    found = run(program, timeline)
    assert found.answer == wanted and found.least.ratio >= 1
    assert derived_text(program, film) == wanted


def test_one_of_two_arms_that_swing_alike_is_not_asked_about_though_its_line_is_seen(
    timeline: AnimatedView, film: ObservedAnimation
) -> None:
    program = asked((("limb_line", "left arm"), *WALK), LINES)
    assert run(program, timeline).answer is None
    assert derived_text(program, film) == "lengthwise"


def test_a_record_in_which_left_is_right_is_found_out(
    timeline: AnimatedView, film: ObservedAnimation
) -> None:
    """Tracks that belong to other limbs than the record says."""
    from dataclasses import replace

    swap = {"left": "right", "right": "left", "head": "left leg", "leg": "hand"}
    limbs = tuple((k, " ".join(swap.get(w, w) for w in n.split(" "))) for k, n in timeline.visibility.limbs)
    wrong = replace(timeline, visibility=replace(timeline.visibility, limbs=limbs))
    differ = 0
    for steps, choices, _ in CASES:
        program = asked(steps, choices)
        first = run(program, wrong)
        if first.answer is not None and first.least.ratio >= 1:
            differ += derived_text(program, film) not in (first.answer, None)
    assert differ >= 3
