"""How many of a part an animated scene's actor has, and how many objects alike it is: what hangs together.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs import pieces
from fathom.programs.evidence.conditions import Condition, Conditions, Walk
from fathom.programs.evidence.outlook import all_sides
from fathom.programs.operators.limbs import hung
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.values import Value, ValueType
from fathom.programs.views.animated import AnimatedView
from fathom.programs.visibility_grid import BODIES


def _count(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, pieces.counted(run.view, args[0])))


def _bodies(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, pieces.counted(run.view, BODIES)))


def _shows_pieces(w: Walk) -> Conditions:
    """Each of them, and all four sides, on which there could be more."""
    part = w.step.args[0] if w.step.op == "pieces" else BODIES
    own = [
        Condition(f"{part} ({k + 1})", shown) for k, shown in enumerate(pieces.piece_cells(w.timeline, part))
    ]
    return Conditions((*own, *all_sides(w.timeline)))


declare(
    Operator("pieces", (), ValueType.NUMBER, _count, ANIMATED, ("text",), evidence=_shows_pieces),
    Operator("bodies", (), ValueType.NUMBER, _bodies, ANIMATED, ("text",), evidence=_shows_pieces),
)
