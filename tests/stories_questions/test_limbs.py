"""Questions about limbs and parts: where they are, and from which side none shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fathom.benchmarks.fourdbench.construction import MIXES, NOT_ALONE, templates
from fathom.benchmarks.fourdbench.paper import SIZES
from fathom.benchmarks.fourdbench.words import LANGUAGE, VERBS
from fathom.programs.engine import run, traced
from fathom.programs.views.animated import AnimatedView
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_limbs import is_limb
from fathom.questions.notation import chained
from fathom.questions.repeating.animated import told_by
from fathom.records import Step
from tests.stories_questions.made import FRAMES, LIMBS, acts, scene_of, timeline

RAISED = 30
"""From this frame on the tail is up, and the front left leg ahead."""


def film(lean: bool = False) -> AnimatedView:
    """Return a fox that walks, jumps and eats; as it eats the tail is up and a leg is ahead."""
    made = timeline((), acts("walk", "jump", "eat", lengths=(16, 14, FRAMES - 30)))
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, LIMBS.index("head")] = (0.4, 0.0, 0.3)
    tracks[:, LIMBS.index("head"), 1] = 0.004 * (-1.0) ** np.arange(FRAMES)
    tracks[:, LIMBS.index("tail")] = (-0.4, 0.0, 0.2)
    tracks[RAISED:, LIMBS.index("tail"), 2] = 0.7
    for k, name in enumerate(n for n in LIMBS if "leg" in n):
        tracks[:, LIMBS.index(name)] = (0.1 * (-1) ** (k // 2), 0.1 * (-1) ** k, -0.3)
    tracks[RAISED:, LIMBS.index("front left leg"), 0] += 0.3
    tracks[4:16, LIMBS.index("back left leg"), 2] += 0.1 * np.abs(np.sin(np.arange(12) * np.pi / 6))
    ups = np.tile([1.0, 0.0, 0.0] if lean else [0.0, 0.0, 1.0], (FRAMES, 1))
    return replace(made, visibility=replace(made.visibility, limb_centres_m=tracks, actor_ups=ups))


def answer(program: tuple[Step, ...], view: AnimatedView) -> str | None:
    found = run(program, view)
    return found.answer if found.least.ratio >= 1 else None


@pytest.mark.parametrize(
    ("steps", "wanted"),
    [
        ((("limb_shift", "tail"), "whole"), "up"),
        ((("limb_shift", "front left leg"), "whole"), "forward"),
        ((("limb_shift", "head"), "whole"), None),
        ((("limb_place", "tail", "head"), "start"), "behind"),
        ((("limb_place", "head", "front left leg"), "start"), None),
        ((("limb_place", "tail", "head"), "end"), None),
        ((("limb_swings", "back left leg"), "whole"), "2"),
    ],
)
def test_limbs_are_where_they_were_put(steps: tuple[Any, ...], wanted: str | None) -> None:
    assert answer(chained(*steps), film()) == wanted


def test_what_leans_has_no_front_but_still_an_up() -> None:
    leaning = film(lean=True)
    assert answer(chained(("limb_shift", "front left leg"), "whole"), leaning) is None
    assert answer(chained(("limb_shift", "tail"), "whole"), leaning) == "up"


def test_who_goes_away_has_moved_no_limb() -> None:
    view = film()
    gone = view.positions_m.copy()
    gone[:, 0, 0] += np.linspace(0, 1, FRAMES)
    assert answer(chained(("limb_shift", "tail"), "whole"), replace(view, positions_m=gone)) is None


def test_most_of_the_actor_is_of_one_color_or_it_is_not_asked() -> None:
    view = timeline(())
    coat = view.visibility.part_px.copy()
    coat[:, :, view.visibility.parts_of(0)["paws"]] //= 3
    assert (
        answer(chained("color_most"), replace(view, visibility=replace(view.visibility, part_px=coat)))
        == "brown"
    )
    assert answer(chained("color_most"), view) is None


def test_a_main_color_is_three_fifths_of_what_shows() -> None:
    """Of what is half orange, and gray and white for the rest, nobody knows the main color."""
    view, colors = timeline(()), {"hull": "orange", "arms": "gray", "feet": "white"}
    whole = view.visibility
    for shares, found in (((70, 20, 10), "orange"), ((50, 25, 25), None)):
        px = np.broadcast_to(np.array(shares, np.int32), (*whole.part_px.shape[:2], 3))
        seen = replace(whole, part_px=px, parts=tuple((0, n) for n in colors))
        parts = {n: (c,) * view.frames for n, c in colors.items()}
        assert answer(chained("color_most"), replace(view, visibility=seen, parts=parts)) == found


def test_the_object_alone_is_asked_more_forms_in_the_mix_of_the_paper() -> None:
    props, alone = ({t.id for t in templates(stage)} for stage in ("props", "alone"))
    assert props - alone == NOT_ALONE < props
    mix = MIXES["alone"]
    assert mix.shares["action"] == pytest.approx(SIZES["action"] / 751)
    assert sum(mix.shares.values()) == pytest.approx(1.0)


def test_where_two_limbs_are_from_one_another_is_one_fact() -> None:
    forms = {f.id: f for f in templates("alone")}
    view, scene = film(), scene_of((), acts("walk", "jump", "eat", lengths=(16, 14, FRAMES - 30)))
    stage = AnimatedContext(scene, view, LANGUAGE, VERBS)
    told = []
    for limb, other, wanted in (("tail", "head", "behind"), ("head", "tail", "front")):
        steps = chained((("limb_place", limb, other)), "start")
        trace = traced(steps, view)
        told.append(told_by(stage, forms["spatial.limb_place"], {}, steps, trace, wanted)[0])
    assert ("limbs", "head", "tail") in told[0]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("form", "kind", "key"),
    [
        ("action.limb_line", "one action", "while jump"),
        ("counting.legs_down", "point", "before jump"),
        ("spatial.faces", "moment", "while jump"),
    ],
)
def test_words_that_say_when_also_say_what_is_done(form: str, kind: str, key: str) -> None:
    forms = {f.id: f for f in templates("alone")}
    stage = AnimatedContext(scene_of((), acts("walk", "jump", "eat")), film(), LANGUAGE, VERBS)
    assert forms[form].slots["M"] == kind
    (when,) = (f for f in stage.fills(kind) if f.key == key)
    steps = chained(("limb_place", "tail", "head"), "start")
    tells = told_by(stage, forms[form], {"M": when}, steps, traced(steps, film()), "behind")[1]
    assert tells == (("acts", "jump"),)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("head", True),
        ("left hind leg", True),
        ("left third leg", False),
        ("right second leg", False),
        ("body", False),
    ],
)
def test_nobody_is_asked_about_one_of_many_limbs_alike(name: str, asked: bool) -> None:
    assert is_limb(name) == asked
