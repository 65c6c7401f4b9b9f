"""Operators on motion: of an animated scene's actor and its limbs, and of what moves in a video.

Ref: docs/benchmarks/4d-bench-questions.md, sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fathom.programs.registry import ANIMATED, VIDEO, Act, Operator, Run, declare
from fathom.programs.stories import motion
from fathom.programs.stories.facts import Story
from fathom.programs.tracks import selecting
from fathom.programs.tracks.facts import Tracks
from fathom.programs.values import Kind, Set, Stop, Truth, Value


def _measured(measure: Callable[..., motion.Measured]) -> Act:
    def act(run: Run[Story], inputs: Sequence[Value], args: Sequence[str]) -> str:
        found = measure(run.view, inputs[0], *args)
        if not found.word:
            raise Stop(f"{found.relation}: it does not move enough to tell")
        run.hang_on(Truth(found.ratio, found.relation, found.value, found.unit))
        return found.word

    return act


_times = _measured(motion.repeats)


def _repeats(run: Run[Story], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(_times(run, inputs, args))


def _moving(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return selecting.moving(run.view, inputs[0], args[0], inputs[1])


_OF_ACTOR = (Kind.SPAN,), Kind.WORD

declare(
    Operator("limb_most", *_OF_ACTOR, _measured(motion.limb_most), ANIMATED),
    Operator("limb_first", *_OF_ACTOR, _measured(motion.limb_first), ANIMATED, ("text",)),
    Operator("repeats", (Kind.SPAN,), Kind.NUMBER, _repeats, ANIMATED),
    Operator("travels", *_OF_ACTOR, _measured(motion.travels), ANIMATED),
    Operator("turns", *_OF_ACTOR, _measured(motion.turns), ANIMATED),
    Operator("goes", *_OF_ACTOR, _measured(motion.goes), ANIMATED),
    Operator(
        "moving",
        (Kind.OBJECTS, Kind.SPAN),
        Kind.OBJECTS,
        _moving,
        VIDEO,
        ("word",),
        selecting.MOTIONS,
        judged=True,
    ),
)
