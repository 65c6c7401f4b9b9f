"""Answers derived a second time, from what the truth pass saw.

Nothing of the first derivation is used: relations come from pixels and rigid fits (see evidence.py), and the
operators are written here again, from their meaning. What words mean is told by a judge of each rule set.
What is neither yes nor no is tried both ways: where that leads to different answers, Fathom's rules say that
there is no answer, and under the published ones the evidence "cannot decide".

docs/second-derivation.md has the table of what each operator uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fathom.records import DataError, Scene, Step
from fathom.verify.judges.fathom import FathomJudge
from fathom.verify.judges.published import PublishedJudge
from fathom.verify.observed.observations import Observation
from fathom.verify.observed.still import ObservedStill, Truth3
from fathom.verify.undecided import InsufficientEvidence, NoAnswer

CANNOT_DECIDE = None

SPOKEN = {
    "articulated": "articulated bus", "regular": "regular bus", "double": "double bus",
    "school": "school bus", "road": "road bike", "utility": "utility bike", "mountain": "mountain bike",
    "tandem": "tandem bike",
}  # fmt: skip

Value = frozenset[int] | int | bool | str
Judge = FathomJudge | PublishedJudge

JUDGES: dict[str, Judge] = {
    "fathom": FathomJudge(),
    "fathom, version 1": FathomJudge(heading_long_px=0.0, along_view=False),
    "paper": PublishedJudge(),
}
"""Rule set → who says what its words mean."""


def derive(
    program: Sequence[Step], scene: Scene, observations: Sequence[Observation], rules: str
) -> str | None:
    """Return the answer that the pixels give, "" where the program has none on them, None: cannot decide.

    Under rules that leave open what is not clear, a program whose answer hangs on such an object has none.
    Raises DataError for an operator that is not known here.
    """
    judge = JUDGES[rules]
    answers: list[str] = []
    unsure: list[None] = []
    for lean in (False, True):
        try:
            answers.append(spoken(_run(program, ObservedStill(scene, observations, lean, unsure), judge)))
        except NoAnswer:
            answers.append("")
        except InsufficientEvidence:
            return CANNOT_DECIDE
    if answers[0] == answers[1] and (answers[0] or not unsure or judge.decides):
        return answers[0]
    # Assumptions everything one way can leave no answer where a mixture of both would have one.
    return "" if judge.decides else CANNOT_DECIDE


def spoken(value: Value) -> str:
    """Return a program's value as an answer is written."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        raise NoAnswer
    return SPOKEN.get(value, value) if isinstance(value, str) else str(value)


def _run(program: Sequence[Step], bench: ObservedStill, judge: Judge) -> Value:
    values: list[Value] = []
    for number, step in enumerate(program):
        operator = OPERATORS.get(step.op)
        if operator is None:
            raise DataError(f"step {number}: the second derivation does not know the operator {step.op!r}")
        values.append(operator(Asked(bench, judge), [values[i] for i in step.inputs], step.args))
    return values[-1]


# --- sets -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """Whom an operator asks: the evidence, and the judge of what words mean."""

    bench: ObservedStill
    judge: Judge

    def those(self, judged: Mapping[int, Truth3]) -> frozenset[int]:
        """Return the objects of which something is said, as this bench leans."""
        return frozenset(j for j, verdict in judged.items() if self.bench.take(verdict))


Operator = Callable[[Asked, list[Value], tuple[str, ...]], Value]


def _set(value: Value) -> frozenset[int]:
    if not isinstance(value, frozenset):
        raise NoAnswer
    return value


def _object(value: Value) -> int:
    if len(objects := _set(value)) != 1:
        raise NoAnswer
    return next(iter(objects))


def _attribute(bench: ObservedStill, i: int, name: str) -> str:
    obj = bench.scene.objects[i]
    return obj.subtype if name == "shape" else obj.attributes.get(name, "")


def _filter(name: str) -> Operator:
    def run(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> Value:
        wanted = args[0]
        kept = []
        for i in _set(inputs[0]):
            words = {_attribute(asked.bench, i, name)}
            if name == "shape":
                words |= {
                    asked.bench.scene.objects[i].category,
                    SPOKEN.get(asked.bench.scene.objects[i].subtype, ""),
                }
            if wanted in words:
                kept.append(i)
        return frozenset(kept)

    return run


def _query(name: str) -> Operator:
    return lambda asked, inputs, args: _attribute(asked.bench, _object(inputs[0]), name)


def _same(name: str) -> Operator:
    def run(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> Value:
        i = _object(inputs[0])
        like = _attribute(asked.bench, i, name)
        return frozenset(j for j in _others(asked, i) if _attribute(asked.bench, j, name) == like)

    return run


# --- relations --------------------------------------------------------------------------------------


def _others(asked: Asked, i: int) -> frozenset[int]:
    return asked.bench.everything - {i}


def _related(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> Value:
    i = _object(inputs[0])
    return asked.those({j: asked.judge.related(asked.bench, i, j, args[0]) for j in _others(asked, i)})


def _own(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> Value:
    i = _object(inputs[0])
    return asked.those({j: asked.judge.own(asked.bench, i, j, args[0]) for j in _others(asked, i)})


def _filter_pose(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> Value:
    return asked.those({i: asked.judge.facing(asked.bench, i, args[0]) for i in _set(inputs[0])})


def _query_pose(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> Value:
    i = _object(inputs[0])
    ways = ("front", "back", "left", "right")
    sure = [w for w in ways if asked.bench.take(asked.judge.facing(asked.bench, i, w))]
    if len(sure) != 1:
        raise NoAnswer
    return sure[0]


def _pose_relation(word: str) -> Operator:
    def run(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> Value:
        i = _object(inputs[0])
        return asked.those({j: asked.judge.turned(asked.bench, i, j, word) for j in _others(asked, i)})

    return run


def _hidden_by(asked: Asked, i: int) -> frozenset[int]:
    return asked.those({j: asked.judge.hides(asked.bench, i, j) for j in _others(asked, i)})


def _hiding(asked: Asked, i: int) -> frozenset[int]:
    return asked.those({j: asked.judge.hides(asked.bench, j, i) for j in _others(asked, i)})


def _occlusion(look: Callable[[Asked, int], frozenset[int]]) -> Operator:
    return lambda asked, inputs, args: frozenset(j for i in _set(inputs[0]) for j in look(asked, i))


def _occluded(look: Callable[[Asked, int], frozenset[int]]) -> Operator:
    return lambda asked, inputs, args: frozenset(i for i in _set(inputs[0]) if look(asked, i))


def _met(what: str) -> Operator:
    def run(asked: Asked, inputs: list[Value], args: tuple[str, ...]) -> Value:
        return asked.those(asked.judge.met(asked.bench, _object(inputs[0]), args[0], what))

    return run


# --- numbers and comparisons ----------------------------------------------------------------------------


def _number(value: Value) -> int:
    if isinstance(value, frozenset):
        return len(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NoAnswer
    return value


OPERATORS: dict[str, Operator] = {
    "scene": lambda asked, inputs, args: asked.bench.everything,
    "unique": lambda asked, inputs, args: frozenset({_object(inputs[0])}),
    "union": lambda asked, inputs, args: _set(inputs[0]) | _set(inputs[1]),
    "intersect": lambda asked, inputs, args: _set(inputs[0]) & _set(inputs[1]),
    "count": lambda asked, inputs, args: len(_set(inputs[0])),
    "exist": lambda asked, inputs, args: bool(_set(inputs[0])),
    "others": lambda asked, inputs, args: asked.bench.everything - {_object(inputs[0])},
    "relate": _related,
    "relate_own": _own,
    "relate_hit": _met("hit"),
    "relate_first": _met("first"),
    "relate_path": _met("path"),
    "equal_integer": lambda asked, inputs, args: _number(inputs[0]) == _number(inputs[1]),
    "less_than": lambda asked, inputs, args: _number(inputs[0]) < _number(inputs[1]),
    "greater_than": lambda asked, inputs, args: _number(inputs[0]) > _number(inputs[1]),
    "equal_object": lambda asked, inputs, args: _object(inputs[0]) == _object(inputs[1]),
    "filter_pose": _filter_pose,
    "query_pose": _query_pose,
    "same_pose": _pose_relation("same"),
    "opposite_pose": _pose_relation("opposite"),
    "vertical_pose": _pose_relation("vertical"),
    "filter_occludee": _occluded(_hidden_by),
    "filter_occluder": _occluded(_hiding),
    "relate_occluded": _occlusion(_hidden_by),
    "relate_occluding": _occlusion(_hiding),
    **{f"filter_{n}": _filter(n) for n in ("size", "color", "shape")},
    **{f"query_{n}": _query(n) for n in ("size", "color", "shape")},
    **{f"same_{n}": _same(n) for n in ("size", "color", "shape")},
    **{
        f"equal_{n}": (lambda asked, inputs, args: inputs[0] == inputs[1])
        for n in ("size", "color", "shape", "pose")
    },
}
