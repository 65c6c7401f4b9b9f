"""How many times a robot kicks that kicks, waves and kicks again, as both derivations count it."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from fathom.programs.engine import run, traced
from fathom.programs.needs import met, needs_of
from fathom.programs.views.animated import AnimatedView
from fathom.records import Animation, Scene
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation
from tests.truth_stories.test_kicking import scene as kicking
from tests.truth_stories.yard import FPS, FRAMES, program, seen, told

NUMBERS = ("0", "1", "2", "3")
PART = FRAMES // 3
KICK, WAVE = ("Kick", "kick"), ("Wave", "wave")

CASES = (("times|kick actions", NUMBERS, "2"), ("times|jump actions", NUMBERS, "0"))


def film_of(*acts: tuple[str, str], loop: bool = False, rate: float = 1.0) -> Scene:
    """Return the film of a robot that does three things, a third of it each."""
    made = kicking()
    clips = tuple(
        Animation(
            clip=clip, start_s=k * PART / FPS, end_s=((k + 1) * PART - 3 * (k < 2)) / FPS, rate=rate,
            loop=loop or clip == "Wave", verb=verb, blend_s=4 / FPS if k else 0.0,
        )
        for k, (clip, verb) in enumerate(acts)
    )  # fmt: skip
    actor = msgspec.structs.replace(made.objects[0], animations=clips)
    return msgspec.structs.replace(made, objects=(actor,))


@cache
def film(*acts: tuple[str, str]) -> tuple[AnimatedView, ObservedAnimation]:
    scene = film_of(*acts)
    return told(scene), seen(scene)


@pytest.mark.parametrize(
    ("acts", "count"),
    [
        ((KICK, WAVE, KICK), "2"),
        ((KICK, KICK, KICK), "3"),
        ((KICK, KICK, WAVE), "2"),
        ((WAVE, KICK, WAVE), "1"),
    ],
)
def test_both_derivations_count_each_time(acts: tuple[tuple[str, str], ...], count: str) -> None:
    view, observed = film(*acts)
    steps = program("times|kick actions", *NUMBERS)
    found = run(steps, view)
    assert found.answer == count and found.least.ratio >= 1
    assert derived_text(steps, observed) == count


@pytest.mark.parametrize(("text", "choices", "wanted"), CASES)
def test_what_is_never_done_is_done_no_times(text: str, choices: tuple[str, ...], wanted: str) -> None:
    view, observed = film(KICK, WAVE, KICK)
    steps = program(text, *choices)
    assert run(steps, view).answer == derived_text(steps, observed) == wanted


def test_a_record_that_leaves_out_a_kick_is_found_out() -> None:
    _, observed = film(KICK, KICK, WAVE)
    wrong = told(film_of(KICK, WAVE, WAVE))
    steps = program("times|kick actions", *NUMBERS)
    assert run(steps, wrong).answer == "1"
    assert derived_text(steps, observed) == "2"


def test_each_time_has_to_be_seen_and_what_lies_before_it() -> None:
    view, _ = film(KICK, KICK, KICK)
    steps = program("times|kick actions", *NUMBERS)
    needs = needs_of(steps, traced(steps, view), view)
    shown = list(range(0, FRAMES, PART // 2))
    assert met(needs, {0: shown})
    for frame in shown:
        assert not met(needs, {0: [f for f in shown if f != frame]}), f"without frame {frame}"


def test_two_kicks_in_one_act_are_two() -> None:
    scene = film_of(KICK, WAVE, WAVE, loop=True, rate=2.0)
    steps = program("times|kick actions", *NUMBERS)
    assert run(steps, told(scene)).answer == "2"
    assert derived_text(steps, seen(scene)) in ("2", None)
