"""How somebody holds themselves at one moment, as numbers and as text.

posture = Posture(...)
read(written(posture)) == posture          # to a millimetre
"""

from __future__ import annotations

from dataclasses import dataclass

Vec3 = tuple[float, float, float]

HIP_M = 0.977
"""How high the hips are of somebody who stands upright."""

ANKLE_M = 0.07
"""How high the ankle is of a foot on the floor."""

HANGING: tuple[Vec3, Vec3] = ((0.03, 0.228, 0.805), (0.03, -0.228, 0.805))
"""Where the left and the right hand are of somebody who stands with hanging arms."""


@dataclass(frozen=True)
class Foot:
    """Where an ankle is, how far the foot is turned to the left, and how far its toes point down."""

    place_m: Vec3
    turn_rad: float = 0.0
    down_rad: float = 0.0


@dataclass(frozen=True)
class Palm:
    """Where the middle of a hand is, and where the palm looks, not a unit vector."""

    place_m: Vec3
    looks: Vec3 = (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class Posture:
    """How somebody holds themselves: places in metres of somebody of usual size, in their own frame.

    hips_m : ahead and up
    lean_rad : how far the trunk leans forward
    feet, palms : left and right
    """

    hips_m: tuple[float, float]
    lean_rad: float
    feet: tuple[Foot, Foot]
    palms: tuple[Palm, Palm]


def standing() -> Posture:
    """Return how somebody stands upright with hanging arms."""
    left, right = (Foot((0.0, side * 0.1, ANKLE_M)) for side in (1, -1))
    hands = Palm(HANGING[0], (0.0, -1.0, 0.0)), Palm(HANGING[1], (0.0, 1.0, 0.0))
    return Posture((0.0, HIP_M), 0.0, (left, right), hands)


def written(posture: Posture) -> str:
    """Return a posture as text: millimetres and thousandths of a radian."""
    feet = [v for f in posture.feet for v in (*f.place_m, f.turn_rad, f.down_rad)]
    palms = [v for p in posture.palms for v in (*p.place_m, *p.looks)]
    values = [*posture.hips_m, posture.lean_rad, *feet, *palms]
    return " ".join(str(round(1000 * v)) for v in values)


def read(text: str) -> Posture:
    """Return the posture that a text says."""
    v = [int(word) / 1000 for word in text.split()]
    left, right = (Foot((a, b, c), turn, down) for a, b, c, turn, down in (v[3:8], v[8:13]))
    hands = [Palm((w[0], w[1], w[2]), (w[3], w[4], w[5])) for w in (v[13:19], v[19:25])]
    return Posture((v[0], v[1]), v[2], (left, right), (hands[0], hands[1]))
