"""Operators that measure a video: sizes, distances, boxes, poses, speeds, trajectories.

Ref: STI-Bench §3.1; docs/benchmarks/sti-bench-definitions.md, which has the formula of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fathom.programs.registry import VIDEO, Act, Operator, Run, declare
from fathom.programs.tracks import motion, quantities, trajectories
from fathom.programs.tracks.facts import Tracks
from fathom.programs.values import Kind, Measured, Value


def _measure(measure: Callable[..., Measured], *extra: object) -> Act:
    """Return the act of a quantity: its inputs, then its arguments, then what is fixed."""

    def act(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Measured:
        found = measure(run.view, *inputs, *args, *extra)
        run.hang_on(found.truth)
        return found

    return act


def _windowed(measure: Callable[..., Measured]) -> Act:
    def act(run: Run[Tracks], inputs: Sequence[Value], args: Sequence[str]) -> Measured:
        return measure(run.view, *inputs, *(float(a) for a in args))

    return act


_BODIES = Kind.OBJECT, Kind.CAMERA


def _of_bodies(name: str, act: Act, when: Kind, args: tuple[str, ...] = ()) -> None:
    """Declare an operator that takes a body and a time or a span; its arguments may be left out."""
    declare(*(Operator(name, (body, when), Kind.QUANTITY, act, VIDEO, args, least=0) for body in _BODIES))


def _of_pairs(name: str, act: Act, when: Kind) -> None:
    """Declare an operator that takes two objects, or an object and the camera, and a time or a span."""
    pairs = [(Kind.OBJECT, other, when) for other in _BODIES]
    declare(*(Operator(name, pair, Kind.QUANTITY, act, VIDEO) for pair in pairs))


for _side in quantities.SIDES:
    declare(Operator(_side, (Kind.OBJECT,), Kind.QUANTITY, _measure(quantities.side, _side), VIDEO))

_of_pairs("distance", _measure(quantities.distance), Kind.TIME)
_of_pairs("gap", _measure(quantities.gap), Kind.TIME)
_of_pairs("least_distance", _measure(quantities.extreme_distance, False), Kind.SPAN)
_of_pairs("greatest_distance", _measure(quantities.extreme_distance, True), Kind.SPAN)

_box, _pose = _measure(quantities.box), _measure(quantities.camera_pose)
declare(
    Operator("centre", (Kind.OBJECT, Kind.TIME), Kind.QUANTITY, _measure(quantities.in_camera), VIDEO),
    Operator("box", (Kind.OBJECT, Kind.TIME), Kind.QUANTITY, _box, VIDEO),
    Operator("box", (Kind.OBJECT, Kind.TIME, Kind.TIME), Kind.QUANTITY, _box, VIDEO),
    Operator(
        "camera_pose", (Kind.TIME,), Kind.QUANTITY, _pose, VIDEO, ("word",), ("angles", "quaternion"), 0
    ),
    Operator("azimuth_change", (Kind.SPAN,), Kind.QUANTITY, _measure(motion.azimuth_change), VIDEO),
)

_of_bodies("displacement", _measure(motion.displacement), Kind.SPAN)
_of_bodies("path_length", _measure(motion.path_length), Kind.SPAN)
_of_bodies("average_speed", _measure(motion.average_speed), Kind.SPAN)
_of_bodies("velocity", _measure(motion.velocity), Kind.SPAN)
_of_bodies("mean_acceleration", _measure(motion.mean_acceleration), Kind.SPAN)
_of_bodies("trajectory", _measure(trajectories.trajectory), Kind.SPAN)
_of_bodies("speed", _windowed(motion.speed), Kind.TIME, ("number",))
_of_bodies("acceleration", _windowed(motion.acceleration), Kind.TIME, ("number",))
