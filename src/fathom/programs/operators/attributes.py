"""Operators on what objects are: size, color, shape, name, and where on the actor they are carried.

Ref: PulseCheck457 §3.3, appendix A; docs/benchmarks/4d-bench-questions.md, sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs.facts import Facts
from fathom.programs.registry import ANIMATED, STILL, VIDEO, Act, Operator, Run, declare
from fathom.programs.stories.facts import Story
from fathom.programs.tracks import selecting
from fathom.programs.tracks.facts import Tracks
from fathom.programs.values import Kind, Pair, Set, Stop, Value, kept, known

# Stills


def _query(attribute: str) -> Act:
    def act(run: Run[Facts], inputs: Sequence[Value], args: Sequence[str]) -> str:
        facts = run.view
        value = facts.values[attribute][inputs[0]]
        if not value:
            raise Stop(f"the {attribute} of {facts.things[inputs[0]]} is not known", open=True)
        return value

    return act


def _filter(attribute: str) -> Act:
    def act(run: Run[Facts], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
        masks = run.view.marks[attribute]
        mask = masks.get(args[0]) or masks.get("") or (0, 0)
        yes, maybe = inputs[0]
        return yes & mask[0], maybe & mask[1]

    return act


def _same(attribute: str) -> Act:
    query = _query(attribute)

    def act(run: Run[Facts], inputs: Sequence[Value], args: Sequence[str]) -> Pair:
        facts = run.view
        yes, maybe = facts.marks[attribute][query(run, inputs, args)]
        other = ~(1 << inputs[0])
        return yes & other & facts.scene_masks[0], maybe & other

    return act


# Animated scenes


def _place(run: Run[Story], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.places[k] == args[0])


def _named(run: Run[Story], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.names[k][inputs[1][1]] == args[0])


def _colored(run: Run[Story], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return kept(inputs[0], lambda k: run.view.colors[k][inputs[1][1]] == args[0])


def _color(run: Run[Story], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return known(run.view.colors[inputs[0]][inputs[1][1]], "colour")


def _name(run: Run[Story], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return known(run.view.names[inputs[0]][inputs[1][1]], "name")


def _place_of(run: Run[Story], inputs: Sequence[Value], args: Sequence[str]) -> str:
    return known(run.view.places[inputs[0]], "place on the actor")


# Videos


def _called(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return selecting.named(run.view, inputs[0], args[0])


def _painted(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    return selecting.colored(run.view, inputs[0], args[0])


KIND_OF = {"size": Kind.SIZE, "color": Kind.COLOR, "shape": Kind.SHAPE}

for _a, _kind in KIND_OF.items():
    declare(
        Operator(f"filter_{_a}", (Kind.OBJECTS,), Kind.OBJECTS, _filter(_a), STILL, ("text",), judged=True),
        Operator(f"query_{_a}", (Kind.OBJECT,), _kind, _query(_a), STILL),
        Operator(f"same_{_a}", (Kind.OBJECT,), Kind.OBJECTS, _same(_a), STILL, judged=True),
        Operator(f"equal_{_a}", (_kind, _kind), Kind.BOOL, lambda r, i, a: i[0] == i[1], STILL),
    )

_OBJECTS_THEN = (Kind.OBJECTS, Kind.SPAN)
_OBJECT_THEN = (Kind.OBJECT, Kind.SPAN)

declare(
    Operator("place", (Kind.OBJECTS,), Kind.OBJECTS, _place, ANIMATED, ("text",)),
    Operator("named", _OBJECTS_THEN, Kind.OBJECTS, _named, ANIMATED, ("text",), judged=True),
    Operator("colored", _OBJECTS_THEN, Kind.OBJECTS, _colored, ANIMATED, ("text",), judged=True),
    Operator("color", _OBJECT_THEN, Kind.WORD, _color, ANIMATED),
    Operator("name", _OBJECT_THEN, Kind.WORD, _name, ANIMATED),
    Operator("key", (Kind.OBJECT,), Kind.WORD, lambda r, i, a: r.view.keys[i[0]], ANIMATED),
    Operator("place_of", (Kind.OBJECT,), Kind.WORD, _place_of, ANIMATED),
    Operator("named", (Kind.OBJECTS,), Kind.OBJECTS, _called, VIDEO, ("text",)),
    Operator("colored", (Kind.OBJECTS,), Kind.OBJECTS, _painted, VIDEO, ("text",), judged=True),
)
