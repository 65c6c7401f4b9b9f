"""Parts that share a picture share a surface, and no others do."""

from dataclasses import replace

import numpy as np

from fathom.assets.model import Material, Model, Part
from fathom.render.surfaces import skin_of

PICTURE = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)


def part(name: str, picture: np.ndarray | None, color: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Part:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    material = Material(name=name, color=color, texture=picture)
    return Part(name, corners, np.array([[0, 1, 2]], np.int32), material, uv=corners[:, :2])


def test_parts_with_one_picture_and_colour_share_its_surface() -> None:
    other = PICTURE[::-1].copy()
    stained = replace(part("stained", PICTURE), vertex_colors=np.full((3, 3), 0.5))
    parts = (
        part("plain", None),
        part("front", PICTURE),
        part("back", PICTURE.copy()),
        part("red", PICTURE, (1.0, 0.0, 0.0)),
        part("top", other),
        stained,
        part("side", PICTURE),
    )
    skin = skin_of(Model("house", "building", "house", parts))
    assert skin.texture.tolist() == [-1, 0, 0, 1, 2, 3, 0]
    assert len(skin.textures) == 4
    assert np.array_equal(skin.textures[0], skin.textures[1])
    assert not np.array_equal(skin.textures[0], skin.textures[2])
