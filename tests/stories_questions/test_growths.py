"""Questions about what grows on an actor and comes or goes: how it is said, and what two of them tell."""

from __future__ import annotations

from functools import cache

from fathom.benchmarks.fourdbench.construction import templates
from fathom.programs.engine import traced
from fathom.questions.contexts.animated import AnimatedContext
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
