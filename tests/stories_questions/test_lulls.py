"""Times that questions speak of: an actor plainly does then what it does, and two of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.fourdbench.words import LANGUAGE
from fathom.programs.engine import traced
from fathom.programs.state import ACTS
from fathom.programs.views.animated import AnimatedView, SceneEvent, animated_view
from fathom.questions.animated_candidate import AnimatedCandidate
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_changes import in_a_lull
from fathom.questions.contexts.animated_words import ActionWords
from fathom.questions.sampling.animated import offer
from fathom.records import Animation
from tests.stories_questions.made import (
    FPS,
    FRAMES,
    LIMBS,
    Prop,
    acts,
    at,
    made_recipe,
    scene_of,
    visibility_of,
)

EAGER = made_recipe(tries=40)
PROPS = (
    Prop("teapot", "red", 0.0, events=(at("vanishes", 28),)),
    Prop("cube", "blue", 90.0, events=(at("vanishes", 38),)),
    Prop("vase", "green", 180.0, events=(at("recolours", 10, "purple"),)),
    Prop("star", "gray", 45.0, far=3.0),
)
CUT = FRAMES // 2
AT_AN_EVENT = ("action.when", "action.before", "action.after")


def tracks(moves: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return limbs that swing all the time but in the second action, where they move only in some frames."""
    swing = 0.3 * np.sin(np.arange(FRAMES) * 2.0)
    on = np.arange(FRAMES) < CUT
    for first, last in moves:
        on[first : last + 1] = True
    found = np.zeros((FRAMES, len(LIMBS), 3))
    found[:, :, 2] = np.where(on, swing, 0.0)[:, None]
    return found


def timeline(moves: Sequence[tuple[int, int]]) -> AnimatedView:
    scene = scene_of(PROPS, acts("walk", "jump"))
    return animated_view(scene, replace(visibility_of(scene), limb_centres_m=tracks(moves)))


def candidates(
    moves: Sequence[tuple[int, int]], animations: tuple[Animation, ...] | None = None
) -> tuple[AnimatedCandidate, ...]:
    scene = scene_of(PROPS, acts("walk", "jump") if animations is None else animations)
    return offer(scene, replace(visibility_of(scene, 50.0), limb_centres_m=tracks(moves)), EAGER).candidates


def event(of: AnimatedView, name: str) -> SceneEvent:
    return next(h for h in of.happenings if name in h.key)


@pytest.mark.parametrize(
    ("moves", "lull"),
    [([(CUT, 47)], False), ([(32, 47)], True), ([(CUT, 26)], True), ([(CUT, 25), (34, 47)], False)],
    ids=["moves all the time", "begins late", "is over early", "pauses"],
)
def test_an_event_before_an_action_shows_or_when_it_no_longer_does_is_in_a_lull(
    moves: list[tuple[int, int]], lull: bool
) -> None:
    told = timeline(moves)
    assert in_a_lull(told, event(told, "teapot")) is lull


def test_an_actor_without_limbs_has_no_lulls() -> None:
    told = timeline([(CUT, 47)])
    bare = replace(
        told, visibility=replace(told.visibility, limb_centres_m=np.full((FRAMES, len(LIMBS), 3), np.nan))
    )
    assert not any(in_a_lull(bare, h) for h in bare.happenings if h.what != ACTS)


def test_what_the_actor_does_is_not_asked_at_an_event_in_a_lull() -> None:
    lively, late = candidates([(CUT, 47)]), candidates([(32, 47)])

    def spoken(found: Sequence[AnimatedCandidate], name: str) -> int:
        keys = [f.key for c in found if c.form in AT_AN_EVENT for f in c.fills.values()]
        return sum(name in k for k in keys)

    assert spoken(lively, "teapot")
    assert not spoken(late, "teapot")
    assert spoken(late, "cube"), "what happens while it plainly jumps is asked about all the same"


def test_a_change_in_a_lull_is_no_matter_where_another_one_is_found_by_its_place() -> None:
    """At the last change it plainly jumps; that the second one comes too early says nothing of that."""

    def asked(moves: Sequence[tuple[int, int]]) -> set[str]:
        return {c.fills["X"].key for c in candidates(moves) if c.form == "action.when_change"}

    assert {"first", "last", "second"} <= asked([(CUT, 47)])
    assert asked([(32, 47)]) == {"first", "last"}


def test_who_walks_again_and_again_does_so_at_each_time() -> None:
    late, played = timeline([(32, 47)]), acts("walk", "jump")
    teapot = event(late, "teapot")
    assert in_a_lull(late, teapot, {"walk"}) and not in_a_lull(late, teapot, {"jump"})
    verbs = {v: ActionWords(v, f"{v}ing", f"{v}s", (), v == "jump") for v in ("walk", "jump")}
    for loops, steady in ((False, set()), (True, {"walk"})):
        made = scene_of(PROPS, tuple(msgspec.structs.replace(a, loop=loops) for a in played))
        assert AnimatedContext(made, late, LANGUAGE, verbs).steady == steady


def test_what_is_done_again_and_again_is_no_false_choice_of_what_is_done_next() -> None:
    again = tuple(
        Animation(clip=v, start_s=a / FPS, end_s=b / FPS, verb=v, loop=v == "walk")
        for v, a, b in (("kick", 0, 6), ("walk", 6, 30), ("jump", 30, 48))
    )
    once = tuple(Animation(clip=a.clip, start_s=a.start_s, end_s=a.end_s, verb=a.verb) for a in again)

    def offered(animations: tuple[Animation, ...]) -> set[str]:
        found = candidates([(0, 47)], animations)
        at_vase = [c for c in found if c.form == "action.after" and "vase" in c.fills["H"].key]
        assert at_vase
        return {o.key for c in at_vase for o in c.pool}

    assert "walk" in offered(once)
    assert "walk" not in offered(again)
    assert "kick" in offered(again)


def test_what_is_done_twice_is_not_what_is_done_next_after_something_during_the_first_time() -> None:
    """For some it goes on with what it does: whether it starts that again is a matter of opinion."""
    for second, asked in (("kick", False), ("walk", True)):
        verbs = ((second if k == 1 else v, a, b) for k, (v, a, b) in enumerate(
            (("kick", 0, 20), ("", 24, 34), ("jump", 38, 48))))  # fmt: skip
        twice = tuple(Animation(clip=v, start_s=a / FPS, end_s=b / FPS, verb=v) for v, a, b in verbs)
        found = candidates([(0, 47)], twice)
        answers = {c.answer.key for c in found if c.form == "action.after" and "vase" in c.fills["H"].key}
        assert (second in answers) == asked


def test_nobody_need_look_which_of_two_objects_named_by_their_colors_is_yellow() -> None:
    twins = (
        Prop("cube", "yellow", 0.0),
        Prop("cube", "blue", 90.0),
        Prop("vase", "yellow", 180.0, events=(at("recolours", 10, "purple"),)),
        Prop("star", "gray", 45.0, far=3.0),
        Prop("ball", "red", 200.0, far=3.0),
        Prop("chair", "green", 300.0),
    )
    scene = scene_of(twins, acts("walk", "jump"))
    found = [
        c for c in offer(scene, visibility_of(scene, 50.0), EAGER).candidates if c.form == "appearance.which"
    ]
    assert found
    for c in found:
        assert not {"yellow cube", "blue cube"} & {c.answer.key, *(o.key for o in c.pool)}


def test_what_is_there_at_two_moments_is_asked_only_where_something_comes_or_goes() -> None:
    scene = scene_of(PROPS, acts("walk", "jump"))
    told = animated_view(scene, visibility_of(scene))
    found = [c for c in candidates([(CUT, 47)]) if c.form == "counting.both_times"]
    assert found
    objects = list(told.standing)
    for c in found:
        there = told.visibility.there
        first, then = (_moment(c, told, n) for n in (0, 1))
        assert (there[first[0], objects] != there[then[0], objects]).any()


def _moment(candidate: AnimatedCandidate, told: AnimatedView, which: int) -> tuple[int, int]:
    steps = [s for s in candidate.program if s.op == "there"]
    found = traced(candidate.program, told).values[steps[which].inputs[1]]
    return int(found[0]), int(found[1])
