"""The operators of programs over tracks: what each takes and gives.

Ref: docs/benchmarks/sti-bench-definitions.md, which has the meaning and the formula of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fathom.programs.tracks import motion, quantities, relations, selecting, trajectories
from fathom.programs.tracks.facts import CAMERA
from fathom.programs.tracks.values import Act, Kind, Measured, Operator, Run, Value, the


def _measure(measure: Callable[..., Measured], *extra: object) -> Act:
    """Return the act of a quantity: its inputs, then its arguments, then what is fixed."""

    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Measured:
        found = measure(run.tracks, *inputs, *args, *extra)
        run.hang_on(found.grade)
        return found

    return act


def _windowed(measure: Callable[..., Measured]) -> Act:
    def act(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Measured:
        return measure(run.tracks, *inputs, *(float(a) for a in args))

    return act


def _closest(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> int:
    chosen, grade = selecting.closest(run.tracks, *inputs)
    run.hang_on(grade)
    return chosen


def _relation(run: Run, inputs: Sequence[Value], args: Sequence[str]) -> Measured:
    thing, anchor, frame = inputs
    if args:
        found = relations.pair_word(run.tracks, thing, anchor, frame, args[0])
    else:
        found = relations.main_word(run.tracks, thing, anchor, frame)
    run.hang_on(found.grade)
    return found


_SELECT = (
    Operator("span", (), Kind.SPAN, lambda r, i, a: r.tracks.span(float(a[0]), float(a[1])), ("number",) * 2),
    Operator("whole", (), Kind.SPAN, lambda r, i, a: (0, r.tracks.frames - 1)),
    Operator("at", (), Kind.TIME, lambda r, i, a: r.tracks.at(float(a[0])), ("number",)),
    Operator("camera", (), Kind.CAMERA, lambda r, i, a: CAMERA),
    Operator("thing", (), Kind.THING, lambda r, i, a: r.tracks.index(a[0]), ("text",)),
    Operator("visible", (Kind.SPAN,), Kind.THINGS, lambda r, i, a: selecting.visible(r.tracks, i[0])),
    Operator(
        "named", (Kind.THINGS,), Kind.THINGS, lambda r, i, a: selecting.named(r.tracks, i[0], a[0]), ("text",)
    ),
    Operator(
        "colored",
        (Kind.THINGS,),
        Kind.THINGS,
        lambda r, i, a: selecting.colored(r.tracks, i[0], a[0]),
        ("text",),
    ),
    Operator(
        "related",
        (Kind.THINGS, Kind.THING, Kind.SPAN),
        Kind.THINGS,
        lambda r, i, a: selecting.related(r.tracks, i[0], a[0], i[1], i[2]),
        ("word",),
        selecting.RELATIONS,
    ),
    Operator(
        "moving",
        (Kind.THINGS, Kind.SPAN),
        Kind.THINGS,
        lambda r, i, a: selecting.moving(r.tracks, i[0], a[0], i[1]),
        ("word",),
        selecting.MOTIONS,
    ),
    Operator("closest", (Kind.THINGS, Kind.THING, Kind.SPAN), Kind.THING, _closest),
    Operator("the", (Kind.THINGS,), Kind.THING, lambda r, i, a: the(r, i[0])),
)  # fmt: skip

_BODIES = (Kind.THING, Kind.CAMERA)


def _of_bodies(name: str, act: Act, when: Kind, args: tuple[str, ...] = ()) -> tuple[Operator, ...]:
    """Return an operator that takes a body and a time or a span; its arguments may be left out."""
    return tuple(Operator(name, (body, when), Kind.ANSWER, act, args, least=0) for body in _BODIES)


def _of_pairs(name: str, act: Act, when: Kind) -> tuple[Operator, ...]:
    """Return an operator that takes two things, or a thing and the camera, and a time or a span."""
    return tuple(Operator(name, (Kind.THING, other, when), Kind.ANSWER, act) for other in _BODIES)


_STILL = (
    *(Operator(s, (Kind.THING,), Kind.ANSWER, _measure(quantities.side, s)) for s in quantities.SIDES),
    *_of_pairs("distance", _measure(quantities.distance), Kind.TIME),
    *_of_pairs("gap", _measure(quantities.gap), Kind.TIME),
    *_of_pairs("least_distance", _measure(quantities.extreme_distance, False), Kind.SPAN),
    *_of_pairs("greatest_distance", _measure(quantities.extreme_distance, True), Kind.SPAN),
    Operator(
        "relation",
        (Kind.THING, Kind.THING, Kind.TIME),
        Kind.ANSWER,
        _relation,
        ("word",),
        tuple(relations.PAIRS),
        0,
    ),
    Operator(
        "order",
        (Kind.THING,) * 3 + (Kind.TIME,),
        Kind.ANSWER,
        _measure(relations.order_word),
        ("word",),
        tuple(relations.ORDERS),
    ),
    Operator("quarter", (Kind.THING, Kind.TIME), Kind.ANSWER, _measure(relations.quarter_word)),
    Operator("centre", (Kind.THING, Kind.TIME), Kind.ANSWER, _measure(quantities.in_camera)),
    Operator("box", (Kind.THING, Kind.TIME), Kind.ANSWER, _measure(quantities.box)),
    Operator("box", (Kind.THING, Kind.TIME, Kind.TIME), Kind.ANSWER, _measure(quantities.box)),
    Operator(
        "camera_pose",
        (Kind.TIME,),
        Kind.ANSWER,
        _measure(quantities.camera_pose),
        ("word",),
        ("angles", "quaternion"),
        0,
    ),
)  # fmt: skip

_MOVING = (
    *_of_bodies("displacement", _measure(motion.displacement), Kind.SPAN),
    *_of_bodies("path_length", _measure(motion.path_length), Kind.SPAN),
    *_of_bodies("average_speed", _measure(motion.average_speed), Kind.SPAN),
    *_of_bodies("velocity", _measure(motion.velocity), Kind.SPAN),
    *_of_bodies("mean_acceleration", _measure(motion.mean_acceleration), Kind.SPAN),
    *_of_bodies("trajectory", _measure(trajectories.trajectory), Kind.SPAN),
    *_of_bodies("speed", _windowed(motion.speed), Kind.TIME, ("number",)),
    *_of_bodies("acceleration", _windowed(motion.acceleration), Kind.TIME, ("number",)),
    Operator("azimuth_change", (Kind.SPAN,), Kind.ANSWER, _measure(motion.azimuth_change)),
)


def _by_name(steps: Sequence[Operator]) -> dict[str, tuple[Operator, ...]]:
    out: dict[str, tuple[Operator, ...]] = {}
    for step in steps:
        out[step.name] = (*out.get(step.name, ()), step)
    return out


OPERATORS = _by_name((*_SELECT, *_STILL, *_MOVING))
"""Name → its signatures."""
