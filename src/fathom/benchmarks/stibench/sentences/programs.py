"""From the steps of a program to what it asks, in the same form as from the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fathom.benchmarks.stibench.sentences.meaning import (
    CAMERA,
    CAMERA_AXES,
    AskedQuantity,
    Body,
    NamedObject,
    in_order,
)
from fathom.benchmarks.stibench.sentences.naming import plain
from fathom.records import ContradictionError, Step

LAST: dict[str, str] = {
    "height": "extent up", "length": "extent front or longer", "width": "extent side or shorter",
    "distance": "centres apart", "gap": "boxes apart", "least_distance": "nearest approach",
    "relation": "direction", "centre": "centre", "box": "box", "displacement": "displacement",
    "path_length": "path", "average_speed": "mean speed", "velocity": "mean velocity", "speed": "speed",
    "mean_acceleration": "mean change of speed", "acceleration": "change of speed", "azimuth_change": "pan",
    "trajectory": "trajectory", "camera_pose": "pose",
}  # fmt: skip
"""The last step of a program → what it asks; "or" and "pan": the words may tell it in more than one way."""

CLOSE_S = 0.011
"""Times are written with two decimals."""

WINDOWS = {"speed": 0.2, "acceleration": 1.0}
"""Over how many seconds these are measured where the step does not say it."""

MOTIONS = {
    "moves": "moves",
    "stands still": "rests",
    "turns left": "turns left",
    "turns right": "turns right",
}
RELATIONS = {
    "left": "left", "right": "right", "above": "above", "below": "below", "on": "on",
    "front": "nearer", "behind": "farther",
}  # fmt: skip


@dataclass(frozen=True)
class Meant:
    """What a program asks, which step selects each object, those by which others are told included, and the
    times within which who is meant is told (none: the whole video).
    """

    asked: AskedQuantity
    selects: Mapping[NamedObject, int]
    told_in: frozenset[tuple[float, ...]]


def meant_by(program: Sequence[Step], first_s: float) -> Meant:
    """Return what a program asks. Raises ContradictionError for one that no words could ask."""
    last = program[-1]
    bodies: list[Body] = []
    moments = []
    found = _Found({}, set())
    for at in last.inputs:
        step = program[at]
        if step.op in ("at", "span"):
            moments.append(tuple(float(a) for a in step.args))
        elif step.op == "camera":
            bodies.append(CAMERA)
        else:
            bodies.append(_object(program, at, found))
    asked = replace(_last(last), bodies=tuple(bodies), moment=moments[0] if moments else ())
    if last.op in ("centre", "box"):
        asked = replace(asked, frame=CAMERA_AXES)
    if len(moments) > 1:
        if last.op != "box" or abs(moments[1][0] - first_s) > CLOSE_S:
            raise ContradictionError(f"{last.op} at two times, {moments}")
        asked = replace(asked, what="box in the first frame")
    if asked.what == "trajectory" and asked.bodies != (CAMERA,):
        asked = replace(asked, what="trajectory from above")
    asked = replace(asked, bodies=in_order(asked.what, asked.bodies))
    return Meant(asked, found.selects, frozenset(found.told_in))


def _last(step: Step) -> AskedQuantity:
    if step.op == "order":
        return AskedQuantity(f"order {step.args[0]}")
    if step.op not in LAST or (step.args and step.op not in WINDOWS and step.args != ("angles",)):
        raise ContradictionError(f"no words ask for {step.op} {' '.join(step.args)}".rstrip())
    window = 2 * float(step.args[0]) if step.args and step.op in WINDOWS else WINDOWS.get(step.op, 0.0)
    return AskedQuantity(LAST[step.op], window_s=window)


@dataclass
class _Found:
    """What is found on the way through a program."""

    selects: dict[NamedObject, int]
    told_in: set[tuple[float, ...]]


def _object(program: Sequence[Step], at: int, found: _Found) -> NamedObject:
    """Return the object that a step selects."""
    step = program[at]
    if step.op not in ("the", "closest"):
        raise ContradictionError(f"no words select an object by {step.op}")
    named = _set(program, step.inputs[0], found)
    if step.op == "closest":
        named = replace(named, relation="closest", other=_object(program, step.inputs[1], found))
    if found.selects.setdefault(named, at) != at:
        raise ContradictionError(f"two objects are called the {named.noun} in the same words")
    return named


def _set(program: Sequence[Step], at: int, found: _Found) -> NamedObject:
    """Return what a set of objects is called, filter by filter."""
    step = program[at]
    if step.op == "visible":
        span = program[step.inputs[0]]
        found.told_in.add(tuple(float(a) for a in span.args) if span.op == "span" else ())
        return NamedObject("")
    named = _set(program, step.inputs[0], found)
    if step.op == "named":
        return replace(named, noun=plain(step.args[0]))
    if step.op == "colored":
        return replace(named, color=step.args[0].casefold())
    if step.op == "moving":
        return replace(named, motion=MOTIONS[step.args[0]])
    if step.op == "related":
        other = _object(program, step.inputs[1], found)
        return replace(named, relation=RELATIONS[step.args[0]], other=other)
    raise ContradictionError(f"no words filter by {step.op}")
