"""How many of a part an animated scene's actor has: pieces that each hang together.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs import pieces
from fathom.programs.evidence.conditions import Condition, Conditions, Walk
from fathom.programs.operators.limbs import hung
from fathom.programs.operators.patches import sides_shown
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.values import Value, ValueType
from fathom.programs.views.animated import QUARTERS, AnimatedView


def _count(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, pieces.counted(run.view, args[0])))


def _shows_pieces(w: Walk) -> Conditions:
    """Each of them, and all four sides, on which there could be more."""
    cells = pieces.piece_cells(w.timeline, w.step.args[0])
    own = [Condition(f"{w.step.args[0]} ({k + 1})", shown) for k, shown in enumerate(cells)]
    return Conditions((*own, *sides_shown(w.timeline, QUARTERS)))


declare(Operator("pieces", (), ValueType.NUMBER, _count, ANIMATED, ("text",), evidence=_shows_pieces))
