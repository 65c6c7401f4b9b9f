"""What is done again and again: it may be the answer, and any time that it is done shows it."""

from __future__ import annotations

import pytest

from fathom.benchmarks.fourdbench.construction import MIXES, templates
from fathom.benchmarks.fourdbench.words import LANGUAGE
from fathom.programs.engine import run, traced
from fathom.programs.needs import needs_of
from fathom.programs.state import TOGETHER
from fathom.programs.values import ValueType
from fathom.programs.views.animated import animated_view
from fathom.questions.animated_candidate import Told
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.distractors.pools import answers_of
from fathom.questions.distractors.sources import Supply
from fathom.questions.repeating.animated import told_by
from fathom.questions.templates import animated_steps
from fathom.records import Need, Step
from tests.stories_questions.made import FRAMES, WORDS, acts, scene_of, visibility_of

SHOWN = next(f for f in templates("alone") if f.id == "action.shown")
NOTHING = Supply({}, (), ())


def film(*verbs: str) -> AnimatedContext:
    scene = scene_of((), acts(*verbs))
    return AnimatedContext(scene, animated_view(scene, visibility_of(scene)), LANGUAGE, WORDS)


def needs(stage: AnimatedContext, op: str, *keys: str) -> tuple[Need, ...]:
    program = (Step(op="actions"), Step(op=op, inputs=(0,), args=keys))
    return needs_of(program, run(program, stage.timeline), stage.timeline)


def test_what_is_done_again_may_be_the_answer_and_is_named_by_no_time() -> None:
    stage = film("jump", "walk", "jump")
    assert stage.plain_verbs == ("jump", "walk") and stage.single_verbs == ("walk",)
    value = traced((Step(op="actions"),), stage.timeline).values[0]
    assert answers_of(stage, SHOWN, {}, ValueType.EVENTS, value, NOTHING) == ["jump", "walk"]


def test_any_time_that_it_is_done_shows_it() -> None:
    """Who sees how it begins once, and how it goes on another time, has seen it."""
    third = FRAMES // 3
    once, again = (needs(film(*verbs), "choose", *KEYS) for verbs in (ONCE, AGAIN))
    assert len(once) == len(again)
    for one, both in zip(once, again, strict=True):
        first, every = (frames(n) for n in (one, both))
        assert max(first) < third and first < every
        assert {f % third for f in first} == {f % third for f in every}


def test_what_is_not_done_is_told_by_any_time_of_what_is() -> None:
    stage = film("jump", "walk", "shake_head", "jump")
    found = needs(stage, "choose_other", "jump", "walk", "shake_head", "bow")
    jumps = [n for n in found if n.what.endswith("to jump")]
    assert jumps and all({f // (FRAMES // 4) for f in frames(n)} == {0, 3} for n in jumps)


def test_more_questions_of_a_film_are_asked_in_the_same_mix() -> None:
    usual = MIXES["alone"]
    more = usual.asking(8.0)
    assert (more.questions_per_scene, more.most_per_scene, more.most_per_task) == (8.0, 12, 6)
    assert more.shares == usual.shares and more.both == usual.both
    wanted = usual.wanted([""] * 40), more.wanted([""] * 40)
    assert all(abs(wanted[1][cell] - 2 * n) <= 1 for cell, n in wanted[0].items())


@pytest.mark.parametrize("other", ["temporal.first", "temporal.last", "action.nth"])
def test_who_tells_all_that_is_done_in_order_is_not_asked_what_is_first(other: str) -> None:
    stage = film("walk", "eat")

    def facts(name: str, answer: str) -> set[Told]:
        form = next(f for f in templates("alone") if f.id == name)
        steps = animated_steps(form, {})
        return set(told_by(stage, form, {}, steps, traced(steps, stage.timeline), answer)[0])

    answer = "walk" if other == "temporal.first" else "eat"
    assert facts("action.deeds", TOGETHER.join(("walk", "eat"))) & facts(other, answer)


ONCE, AGAIN = ("jump", "walk", "shake_head"), ("jump", "walk", "jump")
KEYS = ("jump", "bow", "flip", "eat")


def frames(need: Need) -> set[int]:
    """Return the frames in which a need is met in some view."""
    found: set[int] = set()
    for text in need.cells.values():
        for piece in text.split(","):
            first, _, last = piece.partition("-")
            found.update(range(int(first), int(last or first) + 1))
    return found
