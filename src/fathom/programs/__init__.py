"""Question programs: one engine, typed operators by topic, and how far answers are from changing.

    from fathom.programs import FATHOM, still_view, run

    facts = still_view(scene, FATHOM)         # or PAPER, or rules_named("paper")
    trace = run(question.program, facts)
    trace.answer                            # the text of the answer, or None where it is undecided
    trace.margin                            # how far it is from changing

A program runs on a view of its scene: the facts of a still, the story of an animated scene
(`fathom.programs.views.animated`), the tracks of a video (`fathom.programs.views.video`).

`best_answer(program, scene, rules)` is for models that compute: it takes the relations without dead bands,
so that it nearly always has an answer.
"""

from fathom.programs.engine import Trace, checked, run
from fathom.programs.guess import best_answer
from fathom.programs.registry import OPERATORS
from fathom.programs.rules import FATHOM, PAPER, RULES, Rules, Shake, rules_named
from fathom.programs.values import ValueType
from fathom.programs.views.still import StillView, hardened, jittered_views, still_view

__all__ = [
    "FATHOM",
    "OPERATORS",
    "PAPER",
    "RULES",
    "Rules",
    "Shake",
    "StillView",
    "Trace",
    "ValueType",
    "best_answer",
    "checked",
    "hardened",
    "jittered_views",
    "rules_named",
    "run",
    "still_view",
]
