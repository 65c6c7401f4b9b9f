"""A sign with a word that hangs out over the pavement, where a camera can read it."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.street.signs import ARM_M
from fathom.geometry.poses import Array, rotation_matrix, yaw_quaternion
from fathom.records import Camera, Pose, SceneObject
from fathom.scenes.boards import INK_M, Word, WordPlace, ahead_of, lettering, read_from
from fathom.scenes.videos.audit import STRUCTURE
from fathom.scenes.videos.streetscape import sign_object

DEEP_M, RIM_M, AWAY_M = 0.1, 0.14, 0.16
"""How thick a sign is, how much is free around its word, and how far it hangs from the wall."""

LETTERS_M, FOOT_M = (0.55, 0.72), (2.5, 3.0)
"""How high letters are, and how high signs hang."""

WALL_M = 0.2
"""How far the wall of a building is behind the front of its box."""

PLACES, NEAR_M = 200, 26.0
"""How many places along the buildings are tried, and how near the camera a building is."""


def sign_in_view(
    g: np.random.Generator, objects: tuple[SceneObject, ...], camera: Camera, word: Word
) -> tuple[SceneObject, ...]:
    """Return a sign and its word, hung at a building to the right; nothing where none can be read."""
    high = round(float(g.uniform(*LETTERS_M)), 3)
    size = (DEEP_M, round(high * word.aspect + 2 * RIM_M + ARM_M, 3), round(high + 2 * RIM_M, 3))
    lined = [o for o in objects if o.attributes.get("name") == "building" and _near(o, camera)]
    for _ in range(PLACES if lined else 0):
        house = lined[int(g.integers(len(lined)))]
        front = rotation_matrix(house.poses[0].rotation_wxyz)[:2, 0]
        # The sign's left is at the wall.
        heading = math.atan2(-front[1], -front[0]) - math.pi / 2
        place = _hung(g, house, front, size)
        foot = round(float(g.uniform(*FOOT_M)), 3)
        board = _board(place, heading, foot, size, high)
        if read_from(board, word, camera).all():
            pose = Pose(
                position_m=(round(float(place[0]), 6), round(float(place[1]), 6), foot),
                rotation_wxyz=yaw_quaternion(heading),
            )
            return sign_object("sign", size, pose), lettering(board, word)
    return ()


def _near(house: SceneObject, camera: Camera) -> bool:
    off = np.array(house.poses[0].position_m[:2]) - np.array(camera.poses[0].position_m[:2])
    return house.category == STRUCTURE and float(np.linalg.norm(off)) <= NEAR_M


def _hung(
    g: np.random.Generator, house: SceneObject, front: Array, size: tuple[float, float, float]
) -> Array:
    """Return the place (2,) of the middle of a sign at the front of a house."""
    along = np.array([-front[1], front[0]])
    reach = max(house.size_m[1] / 2 - 0.6, 0.0)
    middle = np.array(house.poses[0].position_m[:2])
    out = house.size_m[0] / 2 - WALL_M + AWAY_M + size[1] / 2
    return np.asarray(middle + out * front + float(g.uniform(-reach, reach)) * along)


def _board(
    place: Array, heading: float, foot: float, size: tuple[float, float, float], high: float
) -> WordPlace:
    right = ahead_of(heading - math.pi / 2) * ARM_M / 2
    x, y = place + right + ahead_of(heading) * (0.4 * DEEP_M + INK_M / 2)
    return WordPlace("sign", (float(x), float(y), foot + size[2] / 2), heading, high)
