"""Which counts are asked: one number is right as often as another, wherever the scenes are that show it."""

from __future__ import annotations

from collections import Counter

from fathom.benchmarks.seedbench.construction import recipe
from fathom.programs.engine import Trace
from fathom.questions.balancing.choices import chosen
from fathom.questions.choice_candidate import ChoiceCandidate, DrawnOption
from fathom.questions.sampling.choice_pools import COUNTED

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
