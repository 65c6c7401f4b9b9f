"""Answers of several numbers: boxes, poses and trajectories as vectors, and how far apart two of them are.

The distance between two answers counts metres as they are and degrees by what the setting says, so that one
error holds for the whole. A part with weight 0 is the same in all five options: what a person would know
without looking (an object stands on its ground) must not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fathom.programs.trajectory_words import STOP, told, units_of
from fathom.questions.numeric import number_format
from fathom.questions.numeric.error_sampling import Floats
from fathom.questions.numeric.measures import METRES_PER_DEGREE, QuantityMeasure, measure_of
from fathom.questions.numeric.set_sampling import Kept

KNOWN_OF_PLACES = ("y",)
KNOWN_OF_BOXES = ("length", "width", "height", "yaw")
KNOWN_ON_STREETS = ("x",)
"""Parts that are held alike: what they usually are is known too well. Objects stand on grounds, have the
sizes of their kind, and stand along walls and streets; what stands and drives on streets keeps to lanes."""

LEAST_TURN_DEG = 15.0
"""Less than that is not told as a turn."""


@dataclass(frozen=True)
class AnswerPart:
    """One number of an answer: its unit, what one of it counts in metres, and between what values it lies."""

    name: str
    unit: str
    weight: float
    low: float = -np.inf
    high: float = np.inf


@dataclass(frozen=True)
class Vector:
    """A kind of answer: its parts, the range of its errors (metres), and how its numbers are written.

    tied : places of parts that keep their ratio in all five options: the angle of a turn and its length, so
        that none has another radius
    """

    parts: tuple[AnswerPart, ...]
    errors: QuantityMeasure
    write: Callable[[Sequence[str]], str]
    tied: tuple[tuple[int, ...], ...] = ()

    @property
    def weights(self) -> Floats:
        """What each part counts in a distance, (d,)."""
        return np.array([p.weight for p in self.parts])

    def axes(self, answers: Floats) -> Floats:
        """Return (n, k, d) the directions in which options differ from each answer (n, d): of length 1 in the
        weighted norm, at right angles to one another.
        """
        weights, free = self.weights, set(np.flatnonzero(self.weights).tolist())
        groups = [g for g in self.tied if free.issuperset(g)]
        single = sorted(free.difference(*groups))
        out = np.zeros((len(answers), len(groups) + len(single), len(weights)))
        for k, group in enumerate(groups):
            out[:, k, group] = (answers * weights)[:, group]
            out[:, k] /= np.linalg.norm(out[:, k], axis=1, keepdims=True)
        out[:, np.arange(len(groups), out.shape[1]), single] = 1.0
        return out

    def holding(self, names: Collection[str]) -> Vector:
        """Return the same kind of answer with these parts alike in all options."""
        return replace(
            self, parts=tuple(replace(p, weight=0.0) if p.name in names else p for p in self.parts)
        )


def box(setting: str, held: Collection[str] = (*KNOWN_OF_PLACES, *KNOWN_OF_BOXES)) -> Vector:
    """Return boxes: x, y, z of the centre, length, width, height in metres, and yaw in degrees."""
    lengths = measure_of(setting, "length")
    places = tuple(AnswerPart(name, "m", 1.0) for name in "xyz")
    sizes = tuple(AnswerPart(name, "m", 1.0, low=lengths.least) for name in ("length", "width", "height"))
    yaw = AnswerPart("yaw", "°", METRES_PER_DEGREE[setting], -180.0, 180.0)
    return Vector((*places, *sizes, yaw), lengths, number_format.box).holding(held)


def centre(setting: str, held: Collection[str] = ()) -> Vector:
    """Return the centres of boxes: x, y, z in metres."""
    parts = tuple(AnswerPart(n, "m", 1.0) for n in "xyz")
    return Vector(parts, measure_of(setting, "length"), number_format.centre).holding(held)


def pose(setting: str, held: Collection[str] = (), degree_m: float = 0.0) -> Vector:
    """Return camera poses: x, y, z in metres, yaw, pitch and roll in degrees; `degree_m` is what a degree
    counts, in metres, where that is not what it counts in the setting.
    """
    lengths = measure_of(setting, "length")
    places = tuple(AnswerPart(name, "m", 1.0) for name in "xyz")
    turn = degree_m or METRES_PER_DEGREE[setting]
    turns = (AnswerPart("yaw", "°", turn, -180.0, 180.0), AnswerPart("pitch", "°", turn, -90.0, 90.0))
    roll = AnswerPart("roll", "°", turn, -180.0, 180.0)
    return Vector((*places, *turns, roll), lengths, number_format.pose).holding(held)


def turn() -> Vector:
    """Return turns of the camera, in degrees."""
    part = AnswerPart("turn", "°", 1.0, -180.0, 180.0)
    return Vector((part,), measure_of("indoor", "angle"), lambda numbers: f"{numbers[0]}°")


def trajectory(setting: str, form: Sequence[str]) -> Vector:
    """Return trajectories of one form (its segments by kind): lengths and turns vary, stops do not, and no
    turn gets another radius.
    """
    lengths, errors = measure_of(setting, "length"), measure_of(setting, "trajectory")
    parts: list[AnswerPart] = []
    tied = []
    for i, segment in enumerate(form):
        if len(units_of(segment)) > 1:
            tied.append(tuple(range(len(parts), len(parts) + len(units_of(segment)))))
        for unit in units_of(segment):
            if unit == "deg":
                part = AnswerPart(f"turn {i}", "°", METRES_PER_DEGREE[setting], LEAST_TURN_DEG, 360.0)
            else:
                counts = float(segment.partition(":")[0] != STOP)
                part = AnswerPart(f"{unit} {i}", unit, counts, lengths.least if counts else -np.inf)
            parts.append(part)
    kinds = tuple(form)
    return Vector(tuple(parts), errors, lambda numbers: _sentence(kinds, numbers), tuple(tied))


def _sentence(form: Sequence[str], numbers: Sequence[str]) -> str:
    text = told(form, numbers)
    return f"{text[:1].upper()}{text[1:]}."


def kept_within(vector: Vector) -> Kept:
    """Return what keeps the sets of which every part lies within its bounds."""
    free = vector.weights > 0
    low = np.array([p.low for p in vector.parts])[free]
    high = np.array([p.high for p in vector.parts])[free]

    def kept(sets: Floats) -> Floats:
        numbers = sets[:, :, free]
        inside: Floats = np.asarray(((numbers >= low) & (numbers <= high)).all(axis=(1, 2)), dtype=np.float64)
        return inside

    return kept
