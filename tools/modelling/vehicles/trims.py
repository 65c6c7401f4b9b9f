"""Pieces of a body's surface as data: lamps, grilles, plates, stripes, handles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fathom.assets.model import Material
from tools.modelling.vehicles.bodywork import Body, grown, mirror_image, outline, raised, sunk

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
    starts = {"front": front, "back": -back, "top": 0.6, "side": 0.4, "left": 0.4, "right": 0.4}
    for t in trims:
        region = outline(t.points, t.round_m)
        region = grown(region, t.grow) if t.grow else region
        ends = t.view in ("front", "back")
        start = starts[t.view] - (t.reach if ends else 0.0)
        pieces = [(t.name, region)]
        if ends and "{side}" in t.name:
            pieces = [
                (t.name.format(side="left"), region),
                (t.name.format(side="right"), mirror_image(region)),
            ]
        for name, drawn in pieces:
            if t.fill or t.height > 0:
                b = raised(b, t.view, drawn, t.height, (name, t.material), start)
            else:
                b = sunk(b, t.view, drawn, -t.height, (name, t.material), start)
    return b
