"""Question programs: typed operators, what they run on, and how far their answers are from changing.

    from fathom.programs import FATHOM, facts_of, run

    facts = facts_of(scene, FATHOM)        # or PAPER, or rules_named("paper")
    run(question.program, facts).answer    # the text of the answer, or None where it is undecided

`best_answer(program, scene, rules)` is for models that compute: it takes the relations without dead bands,
so that it nearly always has an answer.
"""

from fathom.programs.engine import Trace, checked, run
from fathom.programs.facts import Facts, facts_of, facts_under, hardened
from fathom.programs.guess import best_answer
from fathom.programs.registry import OPERATORS
from fathom.programs.rules import FATHOM, PAPER, RULES, Rules, Shake, rules_named
from fathom.programs.values import Kind

__all__ = [
    "FATHOM",
    "OPERATORS",
    "PAPER",
    "RULES",
    "Facts",
    "Kind",
    "Rules",
    "Shake",
    "Trace",
    "best_answer",
    "checked",
    "facts_of",
    "facts_under",
    "hardened",
    "rules_named",
    "run",
]
