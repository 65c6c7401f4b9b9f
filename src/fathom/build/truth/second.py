"""Answers derived a second time, from what the truth pass saw.

Nothing of the first derivation is used: relations come from pixels and rigid fits (see evidence.py), and the
operators are written here again, from their meaning. Where the evidence lies too close to a threshold both
outcomes are tried, and where they lead to different answers the verdict is "cannot decide".

docs/second-derivation.md has the table of what each operator uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fathom.build.truth.evidence import FEWEST_PIXELS, Witness
from fathom.records import DataError, Scene, Step

CANNOT_DECIDE = None

SPOKEN = {
    "articulated": "articulated bus", "regular": "regular bus", "double": "double bus",
    "school": "school bus", "road": "road bike", "utility": "utility bike", "mountain": "mountain bike",
    "tandem": "tandem bike",
}  # fmt: skip

Value = frozenset[int] | int | bool | str
Truth3 = bool | None


class Invalid(Exception):
    """The program has no answer on this evidence: a description that should name one thing does not."""


class _Blind(Exception):
    """The evidence for a thing that the program needs is too weak."""


@dataclass(frozen=True)
class Bands:
    """Within how much of a threshold the evidence cannot decide, and where the thresholds of words lie.

    `columns_px` for order in the picture, `metres` for positions, `degrees` for directions, `hidden_px` how
    much must be seen to be hidden. `nearest_of_four` takes the nearest of the four directions (sectors of
    45° to either side), else sectors of 30°.
    """

    published: bool
    columns_px: float = 8.0
    metres: float = 0.03
    degrees: float = 0.75
    hidden_px: int = 15
    hidden_band_px: int = 3
    eps_m: float = 0.2


BANDS = {"fathom": Bands(published=False), "paper": Bands(published=True)}


@dataclass(frozen=True)
class Bench:
    """One scene's evidence, ready to be asked.

    `lean` says how what cannot be decided is taken, and `unsure` has an entry for each time that it was.
    """

    scene: Scene
    witnesses: Sequence[Witness]
    bands: Bands
    lean: bool
    eye_m: tuple[float, float]
    unsure: list[None]

    @property
    def everything(self) -> frozenset[int]:
        """All things."""
        return frozenset(range(len(self.witnesses)))

    def take(self, verdict: Truth3) -> bool:
        """Return the verdict, or the way this bench leans where there is none."""
        if verdict is None:
            self.unsure.append(None)
            return self.lean
        return verdict

    def place(self, i: int) -> tuple[float, float]:
        """Return where thing i stands. Raises where the pixels cannot say."""
        found = self.witnesses[i].position_m
        if found is None or self.witnesses[i].visible_px < FEWEST_PIXELS:
            raise _Blind
        return found

    def heading(self, i: int) -> float:
        """Return where thing i faces, in radians. Raises where the pixels cannot say."""
        found = self.witnesses[i].heading_rad
        if found is None or self.witnesses[i].visible_px < FEWEST_PIXELS:
            raise _Blind
        return found


def derive(program: Sequence[Step], scene: Scene, witnesses: Sequence[Witness], rules: str) -> str | None:
    """Return the answer that the pixels give, "" where the program has none on them, None: cannot decide.

    Raises DataError for an operator that is not known here.
    """
    x, y, _ = scene.cameras[0].poses[0].position_m
    answers: list[str] = []
    unsure: list[None] = []
    for lean in (False, True):
        bench = Bench(scene, witnesses, BANDS[rules], lean, (x, y), unsure)
        try:
            answers.append(spoken(_run(program, bench)))
        except Invalid:
            answers.append("")
        except _Blind:
            return CANNOT_DECIDE
    if answers[0] != answers[1] or (unsure and not answers[0]):
        # Taking everything one way can leave no answer where a mixture of both would have one.
        return CANNOT_DECIDE
    return answers[0]


def spoken(value: Value) -> str:
    """Return a program's value as an answer is written."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        raise Invalid
    return SPOKEN.get(value, value) if isinstance(value, str) else str(value)


def _run(program: Sequence[Step], bench: Bench) -> Value:
    values: list[Value] = []
    for number, step in enumerate(program):
        operator = OPERATORS.get(step.op)
        if operator is None:
            raise DataError(f"step {number}: the second derivation does not know the operator {step.op!r}")
        values.append(operator(bench, [values[i] for i in step.inputs], step.args))
    return values[-1]


# --- sets -------------------------------------------------------------------------------------------


Operator = Callable[[Bench, list[Value], tuple[str, ...]], Value]


def _set(value: Value) -> frozenset[int]:
    if not isinstance(value, frozenset):
        raise Invalid
    return value


def _thing(value: Value) -> int:
    if len(things := _set(value)) != 1:
        raise Invalid
    return next(iter(things))


def _attribute(bench: Bench, i: int, name: str) -> str:
    thing = bench.scene.things[i]
    return thing.subtype if name == "shape" else thing.attributes.get(name, "")


def _filter(name: str) -> Operator:
    def run(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
        wanted = args[0]
        kept = []
        for i in _set(inputs[0]):
            words = {_attribute(bench, i, name)}
            if name == "shape":
                words |= {bench.scene.things[i].category, SPOKEN.get(bench.scene.things[i].subtype, "")}
            if wanted in words:
                kept.append(i)
        return frozenset(kept)

    return run


def _query(name: str) -> Operator:
    return lambda bench, inputs, args: _attribute(bench, _thing(inputs[0]), name)


def _same(name: str) -> Operator:
    def run(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
        i = _thing(inputs[0])
        like = _attribute(bench, i, name)
        return frozenset(j for j in bench.everything - {i} if _attribute(bench, j, name) == like)

    return run


# --- directions -------------------------------------------------------------------------------------


def _above(value: float, threshold: float, band: float) -> Truth3:
    return None if abs(value - threshold) <= band else value > threshold


def _seen_from_camera(bench: Bench, i: int, j: int, word: str) -> Truth3:
    """Whether j is left of, right of, in front of or behind i for the viewer."""
    b = bench.bands
    if b.published:
        turn = math.radians(49.0 if word in ("left", "right") else 139.0)
        sign = 1 if word in ("right", "behind") else -1
        (xi, yi), (xj, yj) = bench.place(i), bench.place(j)
        return _above(sign * ((xj - xi) * math.cos(turn) + (yj - yi) * math.sin(turn)), b.eps_m, b.metres)
    if word in ("left", "right"):
        shift = bench.witnesses[j].column_px - bench.witnesses[i].column_px
        return _above(shift if word == "right" else -shift, 0.0, b.columns_px)
    farther = math.dist(bench.place(j), bench.eye_m) - math.dist(bench.place(i), bench.eye_m)
    return _above(farther if word == "behind" else -farther, 0.0, b.metres)


def _seen_from_thing(bench: Bench, i: int, j: int, word: str) -> Truth3:
    """Whether j is anywhere in the half on the left, on the right, in front or behind for i itself."""
    (xi, yi), (xj, yj) = bench.place(i), bench.place(j)
    b = bench.bands
    around = math.atan2(yj - yi, xj - xi) - bench.heading(i)
    centre = {"front": 0.0, "left": math.pi / 2, "behind": math.pi, "right": -math.pi / 2}[word]
    off = _turn(around, centre)
    return _above(math.hypot(xj - xi, yj - yi) * math.cos(off), b.eps_m if b.published else 0.0, b.metres)


def _turn(a: float, b: float) -> float:
    """The angle between two directions, in [0, π]."""
    return abs(math.remainder(a - b, 2 * math.pi))


def _related(judge: Callable[[Bench, int, int, str], Truth3]) -> Operator:
    def run(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
        i = _thing(inputs[0])
        return frozenset(j for j in bench.everything - {i} if bench.take(judge(bench, i, j, args[0])))

    return run


def _facing(bench: Bench, i: int, word: str) -> Truth3:
    b = bench.bands
    if b.published:
        seen = math.radians(140.0) - bench.heading(i)
    else:
        (x, y), (ex, ey) = bench.place(i), bench.eye_m
        seen = math.atan2(y - ey, x - ex) - bench.heading(i)
    centre = {"back": 0.0, "right": math.pi / 2, "front": math.pi, "left": -math.pi / 2}[word]
    return _above((30.0 if b.published else 45.0) - math.degrees(_turn(seen, centre)), 0.0, b.degrees)


def _filter_pose(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
    return frozenset(i for i in _set(inputs[0]) if bench.take(_facing(bench, i, args[0])))


def _query_pose(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
    i = _thing(inputs[0])
    sure = [w for w in ("front", "back", "left", "right") if bench.take(_facing(bench, i, w))]
    if len(sure) != 1:
        raise Invalid
    return sure[0]


def _pose_relation(low_deg: float, high_deg: float) -> Operator:
    def run(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
        i = _thing(inputs[0])
        if bench.bands.published and not any(
            bench.take(_facing(bench, i, w)) for w in ("front", "back", "left", "right")
        ):
            return frozenset()
        kept = []
        for j in bench.everything - {i}:
            turn = math.degrees(_turn(bench.heading(i), bench.heading(j)))
            parts = (_above(turn, low_deg, bench.bands.degrees), _above(high_deg, turn, bench.bands.degrees))
            verdict = False if False in parts else None if None in parts else True
            if bench.take(verdict):
                kept.append(j)
        return frozenset(kept)

    return run


# --- what hides what, and what lies in the way --------------------------------------------------------


def _hides(bench: Bench, i: int, j: int) -> Truth3:
    """Whether j hides part of i."""
    w, b = bench.witnesses[i], bench.bands
    if not b.published:
        return _above(w.seen_px[j] + 0.5, b.hidden_px, b.hidden_band_px) if w.over_px[j] else False
    hidden = w.amodal_px - w.visible_px
    if not w.seen_px[j] or w.seen_px[j] < max(w.seen_px):
        return False
    return _above(min(hidden, w.visible_px), 15.0, b.hidden_band_px)


def _occluders(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
    wanted = _set(inputs[0])
    return frozenset(j for i in wanted for j in bench.everything - {i} if bench.take(_hides(bench, i, j)))


def _occluded(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
    wanted = _set(inputs[0])
    return frozenset(j for i in wanted for j in bench.everything - {i} if bench.take(_hides(bench, j, i)))


def _filter_occludee(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
    return frozenset(
        i for i in _set(inputs[0]) if any(bench.take(_hides(bench, i, j)) for j in bench.everything - {i})
    )


def _filter_occluder(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
    return frozenset(
        i for i in _set(inputs[0]) if any(bench.take(_hides(bench, j, i)) for j in bench.everything - {i})
    )


def _way_to(bench: Bench, i: int, j: int, word: str) -> float:
    """How far i moves until it meets j: as the rays between the two say.

    Under the published rule, and where no rays were cast, a grid of points of j's footprint is walked over.
    """
    told = bench.witnesses[i].ways_m
    if told is not None and not bench.bands.published:
        return told[word == "backward"][j]
    heading = bench.heading(i) + (math.pi if word == "backward" else 0.0)
    (xi, yi), (xj, yj) = bench.place(i), bench.place(j)
    length, width, _ = bench.scene.things[j].size_m
    own_length, own_width, _ = bench.scene.things[i].size_m
    along, across = np.meshgrid(np.linspace(-0.5, 0.5, 81) * length, np.linspace(-0.5, 0.5, 81) * width)
    c, s = math.cos(bench.heading(j)), math.sin(bench.heading(j))
    dx, dy = xj - xi + along * c - across * s, yj - yi + along * s + across * c
    ahead = dx * math.cos(heading) + dy * math.sin(heading)
    aside = np.abs(dy * math.cos(heading) - dx * math.sin(heading))
    met = ahead[(aside <= own_width / 2) & (ahead > 0)]
    return float(met.min()) - own_length / 2 if met.size else math.inf


def _in_the_way(first_only: bool) -> Operator:
    def run(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
        i = _thing(inputs[0])
        ways = {j: _way_to(bench, i, j, args[0]) for j in bench.everything - {i}}
        nearest = min(ways.values(), default=math.inf)
        if first_only:
            return frozenset(j for j, w in ways.items() if math.isfinite(w) and w == nearest)
        return frozenset(j for j, w in ways.items() if math.isfinite(w))

    return run


def _hit(bench: Bench, inputs: list[Value], args: tuple[str, ...]) -> Value:
    """What a thing would hit: what it meets first; under the published rule everything in its way."""
    return _in_the_way(not bench.bands.published)(bench, inputs, args)


# --- numbers and comparisons ----------------------------------------------------------------------------


def _number(value: Value) -> int:
    if isinstance(value, frozenset):
        return len(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid
    return value


OPERATORS: dict[str, Operator] = {
    "scene": lambda bench, inputs, args: bench.everything,
    "unique": lambda bench, inputs, args: frozenset({_thing(inputs[0])}),
    "union": lambda bench, inputs, args: _set(inputs[0]) | _set(inputs[1]),
    "intersect": lambda bench, inputs, args: _set(inputs[0]) & _set(inputs[1]),
    "count": lambda bench, inputs, args: len(_set(inputs[0])),
    "exist": lambda bench, inputs, args: bool(_set(inputs[0])),
    "others": lambda bench, inputs, args: bench.everything - {_thing(inputs[0])},
    "relate": _related(_seen_from_camera),
    "relate_own": _related(_seen_from_thing),
    "relate_hit": _hit,
    "relate_first": _in_the_way(first_only=True),
    "relate_path": _in_the_way(first_only=False),
    "equal_integer": lambda bench, inputs, args: _number(inputs[0]) == _number(inputs[1]),
    "less_than": lambda bench, inputs, args: _number(inputs[0]) < _number(inputs[1]),
    "greater_than": lambda bench, inputs, args: _number(inputs[0]) > _number(inputs[1]),
    "equal_object": lambda bench, inputs, args: _thing(inputs[0]) == _thing(inputs[1]),
    "filter_pose": _filter_pose,
    "query_pose": _query_pose,
    "same_pose": _pose_relation(-1.0, 45.0),
    "opposite_pose": _pose_relation(135.0, 181.0),
    "vertical_pose": _pose_relation(45.0, 135.0),
    "filter_occludee": _filter_occludee,
    "filter_occluder": _filter_occluder,
    "relate_occluded": _occluders,
    "relate_occluding": _occluded,
    **{f"filter_{n}": _filter(n) for n in ("size", "color", "shape")},
    **{f"query_{n}": _query(n) for n in ("size", "color", "shape")},
    **{f"same_{n}": _same(n) for n in ("size", "color", "shape")},
    **{
        f"equal_{n}": (lambda bench, inputs, args: inputs[0] == inputs[1])
        for n in ("size", "color", "shape", "pose")
    },
}
