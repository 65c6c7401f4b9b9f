"""Signs that hang out over a pavement, with room for a word on their face."""

from __future__ import annotations

from fathom.assets.model import Material, Model
from fathom.assets.shapes import box
from fathom.assets.street import finishes as f
from fathom.assets.street.buildings import Size, flat

BOARD = Material("sign board", (0.93, 0.90, 0.82), roughness=0.7)
RIM_M, ARM_M = 0.05, 0.18
"""How broad the rim is, and how long the arms are at the side of the wall, which is to the left."""


def hanging_sign(size: Size) -> Model:
    """Return a board that faces along x, hung by two arms on its left; its underside is at z = 0."""
    deep, wide, high = size
    board, right = wide - ARM_M, ARM_M / 2
    arms = [box((0.0, (wide - ARM_M) / 2, z), (0.04, ARM_M, 0.05)) for z in (0.15 * high, 0.85 * high)]
    rim = [box((0.0, -right, z), (deep, board, RIM_M)) for z in (RIM_M / 2, high - RIM_M / 2)] + [
        box((0.0, y - right, high / 2), (deep, RIM_M, high))
        for y in (-(board - RIM_M) / 2, (board - RIM_M) / 2)
    ]
    face = [box((0.0, -right, high / 2), (0.8 * deep, board - 2 * RIM_M, high - 2 * RIM_M))]
    return Model(
        "hanging sign",
        "structure",
        "sign",
        (flat("board", face, BOARD), flat("rim", rim, f.DARK_STEEL), flat("arms", arms, f.DARK_STEEL)),
    )
