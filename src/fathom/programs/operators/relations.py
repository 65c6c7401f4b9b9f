"""Operators on where the objects of a video are to one another, as its camera sees them.

Ref: STI-Bench §3.1 b; docs/benchmarks/sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.programs.registry import VIDEO, Operator, Run, declare
from fathom.programs.tracks import relations, selecting
from fathom.programs.tracks.facts import Tracks
from fathom.programs.values import Kind, Measured, Set, Value


def _related(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Set:
    things, anchor, span = inputs
    return selecting.related(run.view, things, args[0], anchor, span)


def _closest(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> int:
    chosen, truth = selecting.closest(run.view, *inputs)
    run.hang_on(truth)
    return chosen


def _hung_on(run: Run[Tracks], found: Measured) -> Measured:
    run.hang_on(found.truth)
    return found


def _relation(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Measured:
    measure = relations.pair_word if args else relations.main_word
    return _hung_on(run, measure(run.view, *inputs, *args))


def _order(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Measured:
    return _hung_on(run, relations.order_word(run.view, *inputs, *args))


def _quarter(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Measured:
    return _hung_on(run, relations.quarter_word(run.view, *inputs))


_PAIR = Kind.OBJECT, Kind.OBJECT, Kind.TIME
_BY_ANOTHER = Kind.OBJECTS, Kind.OBJECT, Kind.SPAN

declare(
    Operator(
        "related", _BY_ANOTHER, Kind.OBJECTS, _related, VIDEO, ("word",), selecting.RELATIONS, judged=True
    ),
    Operator("closest", _BY_ANOTHER, Kind.OBJECT, _closest, VIDEO),
    Operator("relation", _PAIR, Kind.QUANTITY, _relation, VIDEO, ("word",), tuple(relations.PAIRS), 0),
    Operator(
        "order", (Kind.OBJECT, *_PAIR), Kind.QUANTITY, _order, VIDEO, ("word",), tuple(relations.ORDERS)
    ),
    Operator("quarter", (Kind.OBJECT, Kind.TIME), Kind.QUANTITY, _quarter, VIDEO),
)
