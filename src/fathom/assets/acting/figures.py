"""People in pictures: the body of those who act, in one posture each, as specs like those of furniture.

figures()                          # by the names that scenes call them
figure_model(spec)                 # at its usual size, standing over the origin, its front towards +x
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from fathom.assets.acting.body import body, body_hash
from fathom.assets.acting.postures import (
    ANKLE_M,
    HANGING,
    HIP_M,
    Foot,
    Palm,
    Posture,
    Vec3,
    standing,
    written,
)
from fathom.assets.model import SWINGING, Model, Part
from fathom.assets.sizes import by
from fathom.assets.spec import PERSON, AssetSpec

USUAL = {"woman": 0.94, "man": 0.98}
"""How large people are in pictures, usually, in the body's own size."""

PLURALS = {"woman": "women", "man": "men"}
CLOTHES = ("red", "blue", "green", "yellow", "orange", "white", "gray", "black")

SEAT_M, SITS_UP_M, SHIN_AHEAD_M = 0.485, 0.095, 0.42
"""How high a seat is, how high over it the hips are, and how far before them the ankles, as bodies are."""

PALMS_M, APART_M, LEAN_RAD = (0.74, 0.8), 0.13, 0.55
"""Where the palms are of who pushes, ahead of the hips and up; how far from the middle; how far they lean."""

PALM_M: Vec3 = (0.29, 0.19, 1.12)
PALM_DEEP_M, PALM_LONG_M, CALF_M = 0.023, 0.062, 0.06
"""Where the open hand is; half of how thick and how long a hand is; how far the calf is behind the ankle."""

UP, DOWN, AHEAD = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)
INWARD: tuple[Vec3, Vec3] = ((0.0, -1.0, 0.0), (0.0, 1.0, 0.0))


class Figure(AssetSpec, frozen=True, kw_only=True):
    """Somebody as they hold themselves in a picture.

    does : what they do: walks, stands, holds, sits, seated, lies, pushes
    """

    does: str = ""

    @property
    def shape_of_posture(self) -> str:
        """The hash of what makes its shape."""
        said = f"{body_hash()}|{written(POSTURES[self.does][self.variant]())}|{USUAL[self.noun]:g}"
        return hashlib.sha256(said.encode()).hexdigest()

    @property
    def variant(self) -> int:
        """Which of the postures of what they do it is."""
        return int(self.name.rpartition(" ")[2]) - 1


def _feet(left: Vec3, right: Vec3, down: tuple[float, float] = (0.0, 0.0)) -> tuple[Foot, Foot]:
    return Foot(left, 0.0, down[0]), Foot(right, 0.0, down[1])


def _palms(left: Vec3, right: Vec3, looks: tuple[Vec3, Vec3] = INWARD) -> tuple[Palm, Palm]:
    return Palm(left, looks[0]), Palm(right, looks[1])


def _at_ease(side: float) -> Posture:
    """Return how somebody stands who has put one foot (left 1, right −1) a little ahead and aside."""
    feet = {s: (0.05 if s == side else -0.01, s * (0.115 if s == side else 0.095), ANKLE_M) for s in (1, -1)}
    hands = {s: (0.05 + 0.02 * s * side, s * 0.232, 0.805) for s in (1, -1)}
    return replace(standing(), feet=_feet(feet[1], feet[-1]), palms=_palms(hands[1], hands[-1]))


def _striding(side: int, ahead_m: float) -> Posture:
    """Return how somebody walks whose left (1) or right (−1) foot comes down so far before the hips."""
    back_m = ahead_m - 0.6
    feet = {
        side: ((ahead_m, side * 0.09, ANKLE_M + 0.012), -0.2),
        -side: ((back_m, -side * 0.09, 0.135), 0.6),
    }
    hands = {side: (-0.17, side * 0.245, 0.83), -side: (0.25, -side * 0.235, 0.87)}
    return Posture(
        (0.0, 0.93),
        0.04,
        _feet(feet[1][0], feet[-1][0], (feet[1][1], feet[-1][1])),
        _palms(hands[1], hands[-1]),
    )


def _holding() -> Posture:
    return replace(standing(), palms=_palms(PALM_M, HANGING[1], (UP, INWARD[1])))


def _on_the_floor() -> Posture:
    hands: tuple[Vec3, Vec3] = ((0.25, 0.11, 0.51), (0.25, -0.11, 0.51))
    feet = _feet((0.54, 0.12, ANKLE_M), (0.54, -0.12, ANKLE_M))
    return Posture((0.0, 0.142), 0.02, feet, _palms(*hands, (DOWN, DOWN)))


def _on_seat() -> Posture:
    up = SEAT_M + SITS_UP_M
    feet = _feet((SHIN_AHEAD_M, 0.1, ANKLE_M), (SHIN_AHEAD_M, -0.1, ANKLE_M))
    hands: tuple[Vec3, Vec3] = ((0.35, 0.11, up + 0.068), (0.35, -0.11, up + 0.068))
    return Posture((0.0, up), -0.06, feet, _palms(*hands, (DOWN, DOWN)))


def _pushing() -> Posture:
    ahead, up = PALMS_M[0] - PALM_DEEP_M, PALMS_M[1]
    feet = _feet((-0.1, 0.1, ANKLE_M), (-0.52, -0.1, 0.1), (0.0, 0.35))
    hands: tuple[Vec3, Vec3] = ((ahead, APART_M, up), (ahead, -APART_M, up))
    return Posture((0.0, 0.9), LEAN_RAD, feet, _palms(*hands, (AHEAD, AHEAD)))


def _lying() -> Posture:
    hands: tuple[Vec3, Vec3] = ((-0.03, 0.25, 0.83), (-0.03, -0.25, 0.83))
    feet = _feet((-0.02, 0.11, ANKLE_M), (-0.02, -0.11, ANKLE_M))
    return Posture((0.0, HIP_M), 0.0, feet, _palms(*hands))


POSTURES: Mapping[str, tuple[Callable[[], Posture], ...]] = {
    "stands": (lambda: _at_ease(1), lambda: _at_ease(-1)),
    "walks": (lambda: _striding(1, 0.3), lambda: _striding(-1, 0.3), lambda: _striding(1, 0.24)),
    "holds": (_holding,),
    "sits": (_on_the_floor,),
    "seated": (_on_seat,),
    "pushes": (_pushing,),
    "lies": (_lying,),
}
"""What people do in pictures → how they may hold themselves then."""

ON_THE_BACK = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
"""What turns somebody who stands onto the back, the feet towards +x."""


@lru_cache(maxsize=32)
def _made(noun: str, does: str, variant: int) -> tuple[Model, tuple[float, float, float]]:
    """Return a model at its usual size over the origin, and where the body's own origin is then."""
    turn = ON_THE_BACK if does == "lies" else np.eye(3)
    parts = [_turned(p, turn) for p in body(noun, POSTURES[does][variant]())]
    points = np.concatenate([p.vertices for p in parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    stood = tuple(replace(p, vertices=(p.vertices - shift) * USUAL[noun]) for p in parts)
    x, y, z = (float(v) for v in -shift * USUAL[noun])
    return Model(f"{does} {noun}", PERSON, noun, stood), (x, y, z)


def _turned(p: Part, turn: np.ndarray) -> Part:
    normals = None if p.normals is None else p.normals @ turn.T
    # Nothing of it moves while it is looked at.
    name = p.name.removeprefix(SWINGING).strip()
    return replace(p, name=name, vertices=p.vertices @ turn.T, normals=normals)


def figure_model(spec: Figure) -> Model:
    """Return somebody in their posture, over the origin, looking towards +x."""
    return _made(spec.noun, spec.does, spec.variant)[0]


def _figure(noun: str, does: str, variant: int) -> Figure:
    model, (x, y, z) = _made(noun, does, variant)
    factor, half = USUAL[noun], model.extents[0] / 2
    wide, high = PALMS_M[1] - PALM_LONG_M, PALMS_M[1] + PALM_LONG_M
    seat = (SEAT_M * factor + z, half, (SHIN_AHEAD_M - CALF_M) * factor + x)
    palm = (PALM_M[0] * factor + x, PALM_M[1] * factor + y, (PALM_M[2] + PALM_DEEP_M) * factor + z)
    hands = (wide * factor + z, high * factor + z, APART_M * factor)
    none = (0.0, 0.0, 0.0)
    return Figure(
        file="",
        category=PERSON,
        subtype=noun,
        name=f"{noun} {does} {variant + 1}",
        noun=noun,
        plural=PLURALS[noun],
        box_m=model.extents,
        recolourable=True,
        color_told=False,
        varies=(by("xyz", 0.05),),
        named_parts=(("head", "head"),),
        seat=seat if does == "seated" else none,
        palm=palm if does == "holds" else none,
        hands=hands if does == "pushes" else none,
        lies=does == "lies",
        palette="street",
        colors=CLOTHES,
        license="Apache-2.0",
        reviewed=True,
        pack="acting",
        does=does,
    )


def _figures() -> Iterator[Figure]:
    for noun in USUAL:
        for does, ways in POSTURES.items():
            yield from (_figure(noun, does, k) for k in range(len(ways)))


@lru_cache(maxsize=1)
def figures() -> Mapping[str, Figure]:
    """Return all people in pictures by the names that scenes call them."""
    return {spec.asset: spec for spec in _figures()}
