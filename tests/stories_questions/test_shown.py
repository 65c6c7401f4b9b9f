"""Nothing is asked that the pictures which are always shown cannot show: too small, too near, too quick."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fathom.benchmarks.fourdbench.construction import MIXES, recipe, templates
from fathom.benchmarks.fourdbench.words import LANGUAGE, VERBS
from fathom.programs.engine import run
from fathom.programs.evidence.conditions import limb_cells, part_cells
from fathom.programs.evidence.events import shows_event
from fathom.programs.evidence.motion_seen import moved_px, seen_moved, seen_stirring
from fathom.programs.needs import needs_of
from fathom.programs.rules import TILE
from fathom.programs.views.animated import AnimatedView
from fathom.programs.views.sampled import bordered, sampled
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.distractors.sources import Supply
from fathom.questions.notation import chained
from fathom.questions.sampling.animated import offer, unshown
from fathom.questions.templates import animated_steps
from fathom.records import Step
from tests.stories_questions.made import (
    COLORS,
    FRAMES,
    LIMBS,
    NAMES,
    VIEWS,
    WORDS,
    Prop,
    acts,
    at,
    drawn,
    scene_of,
    timeline,
    visibility_of,
)
from tests.stories_questions.test_limb_motion import film

SHOWN = tuple(range(0, FRAMES, 8))
CLOCK = np.arange(FRAMES)


def test_a_part_counts_as_seen_from_so_many_pixels_of_a_small_picture_on() -> None:
    view = film()
    least = view.rules.clear_part_tile_px * view.picture_px / TILE**2
    assert least == view.clear_part_px and least > view.rules.clear_part_tile_px
    for px, seen in ((int(least) - 1, False), (int(least), True)):
        grid = replace(
            view.visibility,
            limb_px=np.full_like(view.visibility.limb_px, px),
            part_px=np.full_like(view.visibility.part_px, px),
        )
        shown = replace(view, visibility=grid)
        assert limb_cells(shown, "tail").all() == seen
        assert part_cells(shown, "coat").any() == seen


def test_something_has_moved_where_it_got_so_many_pixels_across_the_line_of_sight() -> None:
    view = timeline((), acts("walk"))
    far = np.linalg.norm(view.eyes_m[0])
    step = view.rules.motion_tile_px * far / (view.focal_shares[0] * TILE)
    for share, seen in ((0.98, False), (1.02, True)):
        aside = np.where(CLOCK[:, None] >= 24, [[0.0, share * step, 0.0]], 0.0)
        mask = seen_moved(view, aside, 0)
        assert mask[0, 12:].all() == seen and not mask[:, :12].any()
        # The camera that looks along it does not see it go.
        assert not mask[VIEWS // 4].any()
    assert moved_px(view, aside, 0)[0, -1] == pytest.approx(1.02 * view.rules.motion_tile_px, rel=1e-6)
    assert seen_stirring(film(head=(2, 0.2 * (CLOCK >= 24))), (0, 47))[:, 12:].all()
    assert not seen_stirring(film(head=(2, 0.02 * (CLOCK >= 24))), (0, 47)).any()


def test_turning_with_it_is_no_motion_of_a_limb() -> None:
    view = film(tail=(0, 0.3 * (CLOCK >= 24)))
    turned = replace(view, headings_rad=view.headings_rad + np.radians(90) * (CLOCK[:, None] >= 12))
    track = turned.visibility.limb_centres_m[:, LIMBS.index("tail")]
    # It goes along its own heading, which points along the world's y from frame 12 on.
    for frame, views in ((12, (0, VIEWS // 2)), (0, (VIEWS // 4, 3 * VIEWS // 4))):
        seen = moved_px(turned, track, frame)[:, -1]
        assert min(seen[list(views)]) > 10 > seen[[(v + VIEWS // 4) % VIEWS for v in views]].max()


def choice(program: tuple[Step, ...], *keys: str) -> tuple[Step, ...]:
    return (*program, Step(op="choose", inputs=(len(program) - 1,), args=keys))


def why(view: AnimatedView, program: tuple[Step, ...], views: tuple[int, ...] = (0, 3)) -> str:
    """Return why a question is not asked of somebody who is shown six frames of some views."""
    made = recipe("s", Supply({}, (), ()), shown=lambda scene: dict.fromkeys(views, SHOWN))
    assert made.only_shown
    stage = AnimatedContext(scene_of((), acts("walk", "eat")), view, LANGUAGE, VERBS)
    return unshown(program, needs_of(program, run(program, view), view), stage, made)


LINES = ("lengthwise", "sideways", "vertical", "still")


@pytest.mark.parametrize(
    ("at_shown", "between", "aside", "reason"),
    [
        (0.15, 0.15, 0.0, ""),
        # Its ends are about seen, but not that it goes mainly that way.
        (0.093, 0.15, 0.075, "the frames shown say something else"),
        (0.02, 0.15, 0.0, "what is shown lacks it"),
    ],
)
def test_what_happens_between_the_shown_frames_is_not_asked(
    at_shown: float, between: float, aside: float, reason: str
) -> None:
    to_and_fro = 1.0 - 2.0 * (CLOCK // 8 % 2)
    view = film(tail=(2, to_and_fro * np.where(CLOCK % 8 == 4, between, at_shown)))
    tracks = view.visibility.limb_centres_m.copy()
    tracks[:, LIMBS.index("tail"), 1] += aside * to_and_fro
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
    program = choice(chained(("limb_line", "tail"), "whole"), *LINES)
    found = run(program, view)
    assert found.answer == "vertical" and found.least.ratio >= 1
    assert why(view, program) == reason


@pytest.mark.parametrize(
    ("verb", "rise", "seen"), [("jump", 0.2, True), ("jump", 0.02, False), ("nod", 0.02, True)]
)
def test_a_jump_is_seen_where_the_actor_is_off_the_ground(verb: str, rise: float, seen: bool) -> None:
    view = timeline((), acts("walk", verb))
    up = rise * view.subject_size_m * (np.abs(CLOCK - 36) < 4)
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    tracks[:, :, 0] = 0.4 * np.sin(CLOCK / 3.0)[:, None]
    tracks[:, :, 2] = up[:, None]
    view = replace(view, visibility=replace(view.visibility, limb_centres_m=tracks))
    swing = next(s for s in shows_event(view, view.happenings[1]) if "how far" in s.what)
    assert swing.cells.any() == seen
    if verb == "jump" and seen:
        frames = view.visibility.frames[swing.cells.any(axis=0)]
        assert set(frames.tolist()) <= set(range(33, 40))


def test_one_view_alone_lacks_what_two_show() -> None:
    view = film(tail=(0, 0.15 * np.sin(2 * np.pi * CLOCK / 48)))
    program = choice(chained(("limb_line", "tail"), "whole"), *LINES)
    assert why(view, program) == ""
    assert why(view, program, (3,)) == "what is shown lacks it"


def test_between_the_frames_that_are_known_everything_goes_straight_on() -> None:
    view = film(head=(2, 0.2 * np.sin(2 * np.pi * CLOCK / 16)))
    seen = sampled(view, SHOWN)
    track: Any = seen.visibility.limb_centres_m[:, 0, 2]
    known = view.visibility.limb_centres_m[:, 0, 2]
    assert np.allclose(track[list(SHOWN)], known[list(SHOWN)])
    assert np.allclose(track[4], (known[0] + known[8]) / 2) and np.allclose(track[41:], known[40])
    assert seen.happenings == view.happenings


def test_an_action_may_begin_anywhere_between_two_frames_that_are_shown() -> None:
    view = timeline((), acts("walk", "eat", lengths=(20, 28)))
    for late, (last, first) in ((False, (16, 17)), (True, (23, 24))):  # it is on its way in frame 24
        walk, eat = bordered(view, SHOWN, late).happenings
        assert (walk.first, walk.last, eat.first, eat.last) == (0, last, first, 47)
    turning = timeline((), acts("walk", "eat", lengths=(18, 30)))
    walk, eat = bordered(turning, SHOWN, False).happenings
    assert (walk.last, eat.first) == (8, 9), "in frame 16 the pose turns to the next action"
    begins_as_it_is_shown = timeline((), acts("walk", "eat", lengths=(24, 24)))
    _, eat = bordered(begins_as_it_is_shown, SHOWN, True).happenings
    assert eat.first == 32, "what begins in a frame is not seen in it yet"


@pytest.mark.parametrize(("lengths", "reason"), [((20, 28), "which comes first"), ((32, 16), "")])
def test_what_comes_while_one_action_gives_way_to_another_is_told_of_neither(
    lengths: tuple[int, int], reason: str
) -> None:
    flower = Prop("flower", "red", events=(at("appears", 18),), attributes={"worn_on": "back"})
    view = timeline((flower,), acts("walk", "eat", lengths=lengths))
    stage = AnimatedContext(scene_of((), ()), view, LANGUAGE, VERBS)
    (time,) = (f for f in stage.fills("growth time") if f.key == "the appears")
    form = next(f for f in templates("alone") if f.id == "action.when_growth")
    asked = choice(animated_steps(form, {"N": time}), "walk", "eat", "kick", "jump")
    assert why(view, asked).endswith(reason)


def test_the_default_build_asks_nothing_beyond_what_is_shown() -> None:
    assert MIXES["alone"].beyond == 0 < MIXES["props"].beyond


def test_what_is_offered_can_be_told_from_what_is_shown() -> None:
    scene = drawn(3)
    grid = visibility_of(scene, 60.0)
    supply = Supply({f"Asset{k}": tuple(WORDS) for k in range(12)}, NAMES, COLORS)
    few = replace(
        recipe("s", supply, WORDS, shown=lambda scene: dict.fromkeys((0, 4, 8), SHOWN)), tries=4, shakes=1
    )
    strict, free = (
        offer(scene, grid, replace(few, mix=replace(few.mix, beyond=beyond))) for beyond in (0.0, 0.5)
    )
    assert strict.candidates and all(c.shown for c in strict.candidates)
    assert strict.tried["what is shown lacks it"] > 0
    assert any(not c.shown for c in free.candidates)


@pytest.mark.parametrize(
    ("besides", "said"), [(False, "the flower that appears"), (True, "the new flower that appears")]
)
def test_what_comes_is_new_where_others_are_there_from_the_start(besides: bool, said: str) -> None:
    flowers = [Prop("flower", "red", events=(at("appears", 18),), attributes={"worn_on": "back"})]
    if besides:
        flowers.append(Prop("flower", "blue", attributes={"worn_on": "head"}))
    view = timeline(flowers, acts("walk", "eat"))
    stage = AnimatedContext(scene_of((), ()), view, LANGUAGE, VERBS)
    (time,) = (f for f in stage.fills("growth time") if f.key == "the appears")
    assert time.said["that"][0].startswith(said)
