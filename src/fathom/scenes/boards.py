"""Where a word stands in a world: on a poster, a screen, a box or a sign; and whether it reads."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.lettering import BRIGHT, FONTS, LETTERING, WORDS, aspect_of, lettering_hash
from fathom.geometry.poses import Array, yaw_quaternion
from fathom.records import AssetRef, Camera, Pose, SceneObject
from fathom.scenes.videos import cameras

INK_M = 0.003
READ_DEG, READ_PX = 32.0, 22.0
"""By how much a face is turned away from the camera at most, and how high its letters are at least."""

LETTERING_CATEGORY = "lettering"
SHINES_ON = ("screen",)


@dataclass(frozen=True)
class Word:
    """A word, the font that it is set in, and what it may be taken for."""

    said: str
    font: str

    @property
    def aspect(self) -> float:
        """How wide it is, ÷ its height."""
        return aspect_of(self.said, self.font)


@dataclass(frozen=True)
class WordPlace:
    """What a word stands on, by its noun; the middle of the word, which way it faces, and how high it is."""

    on: str
    middle_m: tuple[float, float, float]
    heading_rad: float
    high_m: float


def drawn_word(g: np.random.Generator) -> Word:
    """Return a word and a font, drawn evenly."""
    row = WORDS[int(g.integers(len(WORDS)))]
    word = row[int(g.integers(len(row)))]
    return Word(word, tuple(FONTS)[int(g.integers(len(FONTS)))])


def lettering(board: WordPlace, word: Word) -> SceneObject:
    """Return a word on a board: an object of its own, so that the truth shows its strokes."""
    x, y, z = board.middle_m
    wide = board.high_m * word.aspect
    font = BRIGHT + word.font if board.on in SHINES_ON else word.font
    return SceneObject(
        id="lettering",
        category=LETTERING_CATEGORY,
        subtype=LETTERING_CATEGORY,
        size_m=(INK_M, round(wide, 6), round(board.high_m, 6)),
        poses=(
            Pose(
                position_m=(round(x, 6), round(y, 6), round(z - board.high_m / 2, 6)),
                rotation_wxyz=yaw_quaternion(board.heading_rad),
            ),
        ),
        asset=AssetRef(name=f"{LETTERING}{font}:{word.said}", sha256=lettering_hash()),
        attributes={"name": LETTERING_CATEGORY, "color": "", "text": word.said, "written_on": board.on},
    )


def ahead_of(heading_rad: float) -> Array:
    """Return the unit vector (2,) of a heading."""
    return np.array([math.cos(heading_rad), math.sin(heading_rad)])


def read_from(board: WordPlace, word: Word, camera: Camera) -> NDArray[np.bool_]:
    """Return (F,) whether each pose sees the whole word so large and so far from the side that it reads."""
    middle = np.array(board.middle_m)
    off = np.array([p.position_m for p in camera.poses]) - middle
    far = np.linalg.norm(off, axis=1)
    level = np.maximum(np.linalg.norm(off[:, :2], axis=1), 1e-9)
    facing = off[:, :2] @ ahead_of(board.heading_rad) / level
    across = np.array([-math.sin(board.heading_rad), math.cos(board.heading_rad), 0.0])
    ends = middle + np.array([[-0.55], [0.55]]) * across * board.high_m * word.aspect
    whole = cameras.framed(camera, ends, 0.02).all(axis=1)
    high_px = camera.fx * board.high_m / far
    return np.asarray((facing >= math.cos(math.radians(READ_DEG))) & (high_px >= READ_PX) & whole)
