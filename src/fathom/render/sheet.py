"""Contact sheets: rows of models, each seen from all around, with its name."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Material, Model, Part
from fathom.geometry.cameras import look_at
from fathom.geometry.poses import yaw_quaternion
from fathom.records import AssetRef, Camera, Environment, Pose, Scene, SceneObject
from fathom.render.lights import light_of
from fathom.render.paint import paint
from fathom.render.variants import Engine

EIGHT = tuple(45.0 * k for k in range(8))
"""Azimuths in degrees; 0 faces the camera, 90 faces the right of the picture."""

_PAPER, _INK, _FAINT = (255, 255, 255), (28, 30, 33), (112, 117, 124)
_ARROW = Material("arrow", (0.93, 0.33, 0.10), roughness=0.7, emission=0.25)


def sheet(
    models: Sequence[Model],
    engine: Engine,
    azimuths_deg: Sequence[float] = EIGHT,
    tile: int = 200,
    arrows: bool = False,
    notes: Sequence[str] = (),
    title: str = "",
    quality: str = "preview",
) -> NDArray[np.uint8]:
    """Return a page, (height, width, 3) sRGB bytes: one row a model, one column an azimuth.

    Each model is shown as large as its tile, whatever its size. With `arrows` the side that is believed to
    be its front is marked on the ground. `notes` are put under the models' names, one each.
    """
    rows = [
        np.concatenate([tile_of(m, a, engine, tile, arrows, quality) for a in azimuths_deg], axis=1)
        for m in models
    ]
    return _page(rows, models, notes, azimuths_deg, tile, title)


def tile_of(
    model: Model, azimuth_deg: float, engine: Engine, tile: int, arrows: bool, quality: str
) -> NDArray[np.uint8]:
    """Return a model from one side, (3/4 tile, tile, 3) sRGB bytes, as large as that holds."""
    length, width, height = model.extents
    shown = _with_arrow(model) if arrows else model
    radius = 0.5 * math.sqrt(length**2 + width**2 + height**2) * (1.36 if arrows else 1.4)
    columns, rows = 2 * tile, int(1.5 * tile)
    focal = 4.2 * columns
    distance = radius * 2 * focal / (1.12 * rows) * 0.86
    tilt = math.radians(24)
    middle = height * 0.45
    eye = (distance * math.cos(tilt), 0.0, distance * math.sin(tilt) + middle)
    camera = Camera(
        width=columns, height=rows, fx=focal, fy=focal, cx=columns / 2, cy=rows / 2,
        poses=(look_at(eye, (0.0, 0.0, middle)),),
    )  # fmt: skip
    obj = SceneObject(
        id="model",
        category=model.category,
        subtype=model.subtype,
        size_m=model.extents,
        # The camera stands on world x, and its right is world y.
        poses=(Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=yaw_quaternion(math.radians(azimuth_deg))),),
        asset=AssetRef(name=model.name, sha256=""),
    )
    environment = Environment(name="sky:veiled-sun", ground="paper", rotation_rad=math.radians(-115))
    scene = Scene(
        id=f"sheet {model.name} {azimuth_deg:g}", generator="sheet", version="1", seed="sheet",
        objects=(obj,), cameras=(camera,), environment=environment,
    )  # fmt: skip
    large = paint(scene, {"model": shown}, light_of(environment), engine, quality, gain=1.1)
    return _halved(large)


def _halved(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    from PIL import Image

    height, width, _ = pixels.shape
    return np.asarray(Image.fromarray(pixels).resize((width // 2, height // 2), Image.Resampling.LANCZOS))


def _with_arrow(model: Model) -> Model:
    """Return the model with an arrow on the ground that points to its front."""
    length, width, _ = model.extents
    start, tip = 0.53 * length, 0.5 * length + 0.26 * max(length, width)
    half, shaft, z = 0.10 * max(length, width), 0.035 * max(length, width), 0.004 * length
    neck = tip - 1.5 * half
    outline = [
        (start, shaft), (start, -shaft), (neck, -shaft), (neck, shaft),
        (neck, half), (neck, -half), (tip, 0.0),
    ]  # fmt: skip
    vertices = np.array([(x, y, z) for x, y in outline])
    faces = np.array([(0, 1, 2), (0, 2, 3), (4, 5, 6)], dtype=np.int32)
    arrow = Part("front_arrow", vertices, faces, _ARROW)
    return Model(model.name, model.category, model.subtype, (*model.parts, arrow))


def _page(
    rows: Sequence[NDArray[np.uint8]],
    models: Sequence[Model],
    notes: Sequence[str],
    azimuths_deg: Sequence[float],
    tile: int,
    title: str,
) -> NDArray[np.uint8]:
    from PIL import Image, ImageDraw, ImageFont

    size = max(11, tile // 13)
    name_font, note_font, title_font = (ImageFont.load_default(s) for s in (size, size * 0.82, size * 1.5))
    margin, gap = size * 2, max(2, tile // 50)
    label = int(tile * 0.86)
    top = margin + (size * 3 if title else 0) + size * 2
    row_height = rows[0].shape[0] if rows else 0
    width = margin * 2 + label + tile * len(azimuths_deg)
    page = Image.new("RGB", (width, top + len(rows) * (row_height + gap) + margin), _PAPER)
    draw = ImageDraw.Draw(page)
    if title:
        draw.text((margin, margin), title, _INK, title_font)
    for k, azimuth in enumerate(azimuths_deg):
        x = margin + label + tile * (k + 0.5)
        draw.text((x, top - size * 0.7), f"{azimuth:g}°", _FAINT, note_font, anchor="ms")
    for k, (row, model) in enumerate(zip(rows, models, strict=True)):
        y = top + k * (row_height + gap)
        page.paste(Image.fromarray(row), (margin + label, y))
        middle = y + row_height / 2
        draw.text((margin, middle - size * 0.25), model.subtype or model.name, _INK, name_font, anchor="ls")
        draw.text((margin, middle + size * 0.95), model.category, _FAINT, note_font, anchor="ls")
        if k < len(notes) and notes[k]:
            draw.text((margin, middle + size * 2.0), notes[k], _FAINT, note_font, anchor="ls")
    return np.asarray(page)
