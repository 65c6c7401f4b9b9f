"""Operators on how an actor looks: its limbs of a color, what it wears or holds, what grows on it.

Ref: docs/benchmarks/4d-bench-questions.md, "About the object alone".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from fathom.programs import looks
from fathom.programs.evidence.conditions import Condition, Conditions, Walk, clear, limb_cells, name
from fathom.programs.evidence.events import shows_event
from fathom.programs.evidence.outlook import all_sides
from fathom.programs.growths import growing, grown
from fathom.programs.operators.limbs import hung, of_film
from fathom.programs.operators.sets import shows_members
from fathom.programs.registry import ANIMATED, Operator, ProgramRun, declare
from fathom.programs.state import TOGETHER
from fathom.programs.values import SURE, Set, Unanswerable, Value, ValueType, members
from fathom.programs.views.animated import AnimatedView


def _count(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return int(hung(run, looks.count_colored(run.view, *args)))


def _worn(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    return len(looks.worn(run.view))


def _grown(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    found = grown(run.view, args[0])
    if not found:
        raise Unanswerable(f"no {args[0]} grows on it")
    run.hang_on(SURE)
    return len(found)


def _grown_color(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    colors = {c for k in grown(run.view, args[0]) for c in run.view.colors[k]}
    return _alike(run, colors)


def _grown_on(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    view = run.view
    return _alike(run, {view.names[k][0] for k in grown(view) if view.places[k] == args[0]})


def _alike(run: ProgramRun[AnimatedView], words: set[str]) -> str:
    """Return the one word that is true of all that grows. Raises Unanswerable where there is not just one."""
    if len(words) != 1:
        raise Unanswerable("what grows there is not all alike")
    run.hang_on(SURE)
    return words.pop()


ANYWHERE = "anywhere"
"""Stands for all places on the actor."""


def _growing(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    name, place = args
    return dict.fromkeys(growing(run.view, name, "" if place == ANYWHERE else place), SURE)


def _sprouting(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    own = set(growing(run.view))
    return {k: SURE for k, h in enumerate(run.view.happenings) if h.what == args[0] and h.object_id in own}


def _own_color(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return _alike(run, set(run.view.colors[inputs[0]]))


def _colors_of(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    """Return all colors of some objects: "blue+red". Raises Unanswerable where there are none."""
    found = {c for k in members(inputs[0]) for c in run.view.colors[k]}
    if not found or not all(found):
        raise Unanswerable("one of them has no color, or there are none")
    run.hang_on(SURE)
    return TOGETHER.join(sorted(found))


def _side_counts(run: ProgramRun[AnimatedView], inputs: Sequence[Value], args: Sequence[str]) -> str:
    """Return how many objects are on each of two places: "left side=2+right side=1". Raises Unanswerable
    where one of them has none.
    """
    counts, places = Counter(run.view.places[k] for k in members(inputs[0])), args[0].split(TOGETHER)
    if not all(counts[place] for place in places):
        raise Unanswerable("one of the places has none")
    run.hang_on(SURE)
    return TOGETHER.join(f"{place}={counts[place]}" for place in places)


# What shows it


def _shows_growing(w: Walk) -> Conditions:
    """Each of what grows; of all places all sides as well, on which there could be more."""
    of = {k: (Condition(name(w.timeline, k), clear(w.timeline, k)),) for k in members(w.value)}
    return Conditions(tuple(all_sides(w.timeline)) if w.step.args[1] == ANYWHERE else (), of)


def _shows_it(w: Walk) -> Conditions:
    seen = Condition(name(w.timeline, w.inputs[0]), clear(w.timeline, w.inputs[0]))
    return Conditions((*w.before, seen))


def _shows_sprouting(w: Walk) -> Conditions:
    return Conditions((), {k: shows_event(w.timeline, w.timeline.happenings[k]) for k in members(w.value)})


def _shows_group(w: Walk) -> Conditions:
    """Every limb of the group."""
    names = looks.limbs_of(w.timeline, w.step.args[0])
    return Conditions((*w.before, *(Condition(n, limb_cells(w.timeline, n)) for n in names)))


def _shows_one(w: Walk) -> Conditions:
    return Conditions((*w.before, Condition(w.value, limb_cells(w.timeline, w.value))))


def _shows_worn(w: Walk) -> Conditions:
    """Everything that it wears or holds, and all its sides, on which there could be more."""
    own = [Condition(name(w.timeline, k), clear(w.timeline, k)) for k in looks.worn(w.timeline)]
    return Conditions((*w.before, *own, *all_sides(w.timeline)))


def _shows_grown(w: Walk) -> Conditions:
    """Everything that grows, and all sides of the actor, on which there could be more."""
    own = [Condition(f"{w.step.args[0]} ({n + 1})", clear(w.timeline, k)) for n, k in enumerate(_own(w))]
    return Conditions((*w.before, *own, *all_sides(w.timeline)))


def _shows_any_grown(w: Walk) -> Conditions:
    """One of all that grows."""
    shown = np.any([clear(w.timeline, k) for k in _own(w)], axis=0)
    return Conditions((*w.before, Condition("what grows on it", np.asarray(shown))))


def _own(w: Walk) -> tuple[int, ...]:
    return grown(w.timeline) if w.step.op == "grown_on" else grown(w.timeline, w.step.args[0])


_TWO = ("text", "text")
_TEXT = ("text",)
_OBJECTS = (ValueType.OBJECTS,)

declare(
    Operator("limbs_painted", (), ValueType.NUMBER, _count, ANIMATED, _TWO, evidence=_shows_group),
    Operator(
        "limb_painted", (), ValueType.WORD, of_film(looks.only_colored), ANIMATED, _TWO, evidence=_shows_one
    ),
    Operator("grown", (), ValueType.NUMBER, _grown, ANIMATED, ("text",), evidence=_shows_grown),
    Operator("grown_color", (), ValueType.WORD, _grown_color, ANIMATED, ("text",), evidence=_shows_any_grown),
    Operator("grown_on", (), ValueType.WORD, _grown_on, ANIMATED, ("text",), evidence=_shows_any_grown),
    Operator("growing", (), ValueType.OBJECTS, _growing, ANIMATED, ("text", "text"), evidence=_shows_growing),
    Operator("sprouting", (), ValueType.EVENTS, _sprouting, ANIMATED, ("text",), evidence=_shows_sprouting),
    Operator("own_color", (ValueType.OBJECT,), ValueType.WORD, _own_color, ANIMATED, evidence=_shows_it),
    Operator("colors_of", _OBJECTS, ValueType.WORD, _colors_of, ANIMATED, evidence=shows_members),
    Operator("side_counts", _OBJECTS, ValueType.WORD, _side_counts, ANIMATED, _TEXT, evidence=shows_members),
    Operator("worn", (), ValueType.NUMBER, _worn, ANIMATED, evidence=_shows_worn),
)
