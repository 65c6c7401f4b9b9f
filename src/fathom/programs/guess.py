"""The answer that a program most likely has, for those who must answer: models that compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fathom.programs.engine import run
from fathom.programs.rules import Rules
from fathom.programs.views.still import still_view
from fathom.records import Scene, Step


def best_answer(program: Sequence[Step], scene: Scene, rules: Rules) -> str | None:
    """Return the program's answer, without dead bands where it is undecided with them; None if there is
    none.
    """
    answer = run(program, still_view(scene, rules)).answer
    if answer is None and rules.dead_bands:
        answer = run(program, still_view(scene, replace(rules, dead_bands=False))).answer
    return answer
