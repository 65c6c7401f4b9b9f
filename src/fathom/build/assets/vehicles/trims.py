"""Pieces of a body's surface as data: lamps, grilles, plates, stripes, handles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fathom.build.assets.model import Material
from fathom.build.assets.vehicles.bodywork import Body, grown, mirror_image, outline, raised, sunk

Points2 = Sequence[tuple[float, float]]


def block(low: tuple[float, float], high: tuple[float, float]) -> Points2:
    """Return the four corners of a level rectangle."""
    return (low, (high[0], low[1]), high, (low[0], high[1]))


@dataclass(frozen=True)
class Trim:
    """A piece of the surface: drawn in a view, lifted (or sunk, where negative) by a height, of a material.

    With `fill` it is built up to that height instead, such as bars within a sunk grille.
    The view is "front", "back", "top", "left", "right", or "side" for both sides.

    A name with `{side}` stands for one piece on the left and its mirror image on the right; its points are
    those of the left one. `reach` is how far behind the furthest point of the car's end it may go.
    """

    name: str
    view: str
    points: Points2
    height: float
    material: Material
    round_m: float = 0.02
    reach: float = 0.6
    grow: float = 0.0
    fill: bool = False


def trimmed(b: Body, trims: Sequence[Trim], back: float, front: float) -> Body:
    """Return the body with the trims on it, in order; `back` and `front` are the x of its ends."""
    starts = {"front": front, "back": -back, "left": 0.4, "right": 0.4, "top": 0.6}
    for t in trims:
        region = outline(t.points, t.round_m)
        region = grown(region, t.grow) if t.grow else region
        for side in ("left", "right") if "{side}" in t.name or t.view == "side" else ("",):
            view = side if t.view == "side" else t.view
            drawn = region
            if side == "right" and view in ("front", "back"):
                drawn = mirror_image(region)
            start = starts[view] - (t.reach if view in ("front", "back") else 0.0)
            tag = (t.name.format(side=side), t.material)
            if t.fill or t.height > 0:
                b = raised(b, view, drawn, t.height, tag, start)
            else:
                b = sunk(b, view, drawn, -t.height, tag, start)
    return b
