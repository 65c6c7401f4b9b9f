"""The outlines of objects in a picture."""

from __future__ import annotations

from fathom.records.scene import Record


class Outline(Record, frozen=True, kw_only=True):
    """Where the visible part of one object ends in one picture.

    Each path is a closed polygon, flat (x0, y0, x1, y1, …) in pixels from the picture's top left corner
    (the centre of the first pixel is at 0.5, 0.5). Outer paths run clockwise on the screen, holes the other
    way, so that both fill rules of SVG give the same area.
    """

    scene: str
    object_id: str
    paths: tuple[tuple[float, ...], ...]
    view: int = 0
