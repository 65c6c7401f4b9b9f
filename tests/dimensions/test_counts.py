"""What is asked of all that could be: numbers as often as others, scarce forms before others."""

from __future__ import annotations

from collections import Counter

from fathom.benchmarks.seedbench.construction import recipe
from fathom.programs.engine import Trace
from fathom.questions.balancing.choices import chosen
from fathom.questions.choice_candidate import ChoiceCandidate, DrawnOption
from fathom.questions.sampling.choice_pools import COUNTED
from fathom.questions.templates import Template

RECIPE = recipe("counts")
FORM = next(f for f in RECIPE.forms if f.id == "how_many_of_it")


def counted(scene: int, setting: str, noun: str, value: str) -> ChoiceCandidate:
    """A question how many of a noun there are in a scene."""
    false = tuple(DrawnOption(n, n, -1 if int(n) < int(value) else 1) for n in COUNTED if n != value)
    return ChoiceCandidate(
        scene=f"{setting}-{scene}", template=FORM, program=(), setting=setting, objects=(), words=(noun,),
        nouns=(noun,), answer=DrawnOption(value, value), pool=false, answered=Trace(int(value)), steps=(),
        media="a.png",
    )  # fmt: skip


def test_a_number_that_came_too_often_on_streets_is_asked_of_rooms_once_others_have_caught_up() -> None:
    streets = [counted(k, "outdoor", f"post {k}", "1") for k in range(10)]
    rooms = [counted(k, "indoor", f"mug {k}", value) for value in COUNTED for k in range(40)]
    wanted = {(FORM.task, "outdoor"): 4, (FORM.task, "indoor"): 66}
    asked = Counter(s.candidate.answer.value for s in chosen([*streets, *rooms], wanted, RECIPE).selected)
    assert sum(asked.values()) == 70
    assert set(asked) == set(COUNTED)
    assert max(asked.values()) - min(asked.values()) <= 4


def of_people(scene: int, form: Template) -> ChoiceCandidate:
    """A question about the one person of a room."""
    right, *false = (DrawnOption(word, word) for word in ("a", "b", "c", "d"))
    return ChoiceCandidate(
        scene=f"room-{scene}", template=form, program=(), setting="indoor", objects=("who",), words=("she",),
        nouns=("woman",), answer=right, pool=tuple(false), answered=Trace("a"), steps=(), media="a.png",
    )  # fmt: skip


def test_what_is_offered_seldom_is_asked_before_others_tell_the_same() -> None:
    """Of nobody two questions are asked: where one of few is offered, what all rooms offer waits."""
    forms = {f.id: f for f in RECIPE.forms if f.task == "instance_interaction"}
    often, seldom = forms["beside_what_somebody_is"], forms["what_somebody_looks_at"]
    rooms = [of_people(k, often) for k in range(120)]
    few = [of_people(k, seldom) for k in range(12)]
    asked = chosen([*rooms, *few], {(often.task, "indoor"): 30}, RECIPE).selected
    counts = Counter(s.candidate.template.id for s in asked)
    assert counts.total() == 30
    assert counts[seldom.id] == len(few)
