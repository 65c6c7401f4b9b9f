"""Questions about what grows on an actor and comes or goes: how it is said, and what two of them tell."""

from __future__ import annotations

from collections import Counter
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from fathom.benchmarks.fourdbench.construction import templates
from fathom.programs.engine import traced
from fathom.questions.balancing.answer_strata import _drawn_as
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.distractors.pools import text_of
from fathom.questions.distractors.sources import SOURCES, Supply
from fathom.questions.repeating.animated import told_by
from fathom.questions.templates import animated_steps
from tests.fourdbench_sentences.corpus import blooms

FORMS = {f.id: f for f in templates("alone")}
Told = set[tuple[str, ...]]


@cache
def stage() -> AnimatedContext:
    return blooms()


def told(form: str, answer: str, **keys: str) -> tuple[Told, Told]:
    """Return the facts that a question's answer gives away, and those that its words do."""
    slots = FORMS[form].slots
    fills = {s: next(f for f in stage().fills(kind) if f.key == keys[s]) for s, kind in slots.items()}
    steps = animated_steps(FORMS[form], fills)
    asks, tells = told_by(stage(), FORMS[form], fills, steps, traced(steps, stage().timeline), answer)
    return set(asks), set(tells)


def test_times_are_told_by_rank_or_by_what_there_is_but_one_of() -> None:
    said = {f.key: f.said["said"][0] for f in stage().fills("growth time")}
    assert said == {
        "first appears": "the first new cherry appears",
        "last appears": "the last new cherry appears",
        "the vanishes": "a cherry disappears",
    }
    (kind,) = stage().fills("coming growth")
    assert (kind.key, kind.said["said"]) == ("cherry", ("cherries",))
    assert [f.key for f in stage().fills("growth side")] == ["back", "left side", "right side"]


def test_two_counts_that_come_to_the_same_ones_are_one_fact() -> None:
    at_start, _ = told("counting.growing", "2", G="cherry", M="start")
    on_a_side, _ = told("counting.growing_side", "2", G="cherry", Q="right side", M="start")
    at_the_end, _ = told("counting.growing", "3", G="cherry", M="end")
    assert at_start & on_a_side and not at_start & at_the_end


def test_a_color_tells_which_is_the_first_and_words_that_there_is_but_one() -> None:
    asks, _ = told("appearance.growth_time_color", "red", N="first appears")
    assert ("rank", "first", "appears:red cherry") in asks
    asks, tells = told("appearance.growth_time_color", "green", N="the vanishes")
    assert ("event", "vanishes:green cherry") in asks
    assert ("grows", "vanishes", "how many") in tells & told("counting.growth_changes", "1", K="vanishes")[0]


def test_what_colors_there_are_tells_those_and_not_how_many_there_are() -> None:
    ever, _ = told("appearance.growth_colors_ever", "blue+green+red+yellow", G="cherry")
    start, _ = told("appearance.growth_colors", "green+yellow", G="cherry", M="start")
    count, _ = told("counting.growing", "2", G="cherry", M="start")
    assert not ever & start and not start & count
    three, _ = told("counting.growing", "3", G="cherry", M="end")
    sides, _ = told("counting.growing_sides", "", P="left side+right side", G="cherry", M="end")
    assert sides & three, "who knows how many there are on each side knows how many there are"


def choices(form: str, answer: str, scene: str = "0") -> list[str]:
    """Return the keys of all choices of a question of a film, the right one first."""
    made: Any = SimpleNamespace(
        scene=SimpleNamespace(id=scene), timeline=stage().timeline, language=stage().language
    )
    source = SOURCES[FORMS[form].asks](made, FORMS[form], {}, answer, Supply({}, (), ()))
    return [answer, *(key for key, _ in source if key != answer)]


def kind_of(form: str, keys: list[str]) -> str:
    """Return as what a candidate with these choices is drawn."""
    made: Any = SimpleNamespace(
        answer=SimpleNamespace(key=keys[0]),
        pool=[SimpleNamespace(key=k) for k in keys[1:]],
        template=FORMS[form],
    )
    return _drawn_as(made)


@pytest.mark.parametrize("scene", ["0", "1", "2", "3"])
def test_two_colors_stand_in_half_of_the_choices_each_and_the_rest_in_all(scene: str) -> None:
    for answer in ("green+yellow", "blue+green+red", "blue+green+red+yellow"):
        keys = choices("appearance.growth_colors", answer, scene)
        counts = Counter(c for key in keys for c in key.split("+"))
        assert len(set(keys)) == 4 and sorted(n for n in counts.values() if n < 4) == [2, 2]
        assert max(counts.values()) == 4, "one color at least is in all choices"
        by_kind = {kind_of("appearance.growth_colors", [k, *(o for o in keys if o != k)]) for k in keys}
        assert by_kind == {"neither", "one", "other", "both"}, "each of the four is drawn as often"


def test_no_color_is_offered_that_could_be_taken_for_one_that_is_there() -> None:
    for scene in "0123":
        offered = {c for k in choices("appearance.growth_colors", "blue+green", scene) for c in k.split("+")}
        assert "purple" not in offered


@pytest.mark.parametrize(("m", "n"), [(1, 2), (3, 2), (1, 1), (2, 2)])
def test_either_side_can_have_either_of_two_numbers(m: int, n: int) -> None:
    form = "counting.growing_sides"
    keys = choices(form, f"left side={m}+right side={n}")
    pairs = [tuple(int(own.split("=")[1]) for own in key.split("+")) for key in keys]
    one, other = sorted({x for pair in pairs for x in pair})
    assert sorted(pairs) == [(a, b) for a in (one, other) for b in (one, other)] and one >= 1
    by_kind = [kind_of(form, [k, *(o for o in keys if o != k)]) for k in keys]
    assert sorted(by_kind) == ["both the higher", "both the lower", "fewer", "more"]


@pytest.mark.parametrize(
    ("actor", "said"), [("fox", "It walks and then jumps"), ("man", "He walks and then jumps")]
)
def test_what_somebody_does_is_said_of_them(actor: str, said: str) -> None:
    made: Any = SimpleNamespace(actor=actor, verbs=stage().verbs, can_say=stage().can_say)
    assert text_of(made, FORMS["action.deeds"], "walk+jump") == said


def test_colors_and_sides_are_said_as_one_says_them() -> None:
    colors, sides = FORMS["appearance.growth_colors"], FORMS["counting.growing_sides"]
    assert text_of(stage(), colors, "blue+green+red") == "Blue, green and red"
    assert text_of(stage(), colors, "red") == "Only red"
    said = text_of(stage(), sides, "left side=2+right side=1")
    assert said == "2 on its left side and 1 on its right side"
