"""Tables and desks: fronts towards +x, tops flat, metres, on the ground."""

from __future__ import annotations

from fathom.assets.furniture.finishes import OAK, PAINTED, PALE, STEEL, Parts, slab
from fathom.assets.shapes import Shell, box, lathe, merged, part, tube
from tools.modelling.solids import corners_of


def _on_legs(length: float, width: float, height: float, thick: float, leg: float, inset: float) -> Shell:
    """Return four legs and the rails between them, under a top of a thickness."""
    high = height - thick
    places = corners_of(length, width, inset + leg / 2)
    legs = [box((x, y, high / 2), (leg, leg, high)) for x, y in places]
    x, y = places[0]
    rails = [slab((-x, s * y - 0.011, high - 0.08), (x, s * y + 0.011, high)) for s in (-1, 1)]
    rails += [slab((s * x - 0.011, -y, high - 0.08), (s * x + 0.011, y, high)) for s in (-1, 1)]
    return merged(*legs, *rails)


def dining_table() -> Parts:
    """Return a table for six; its long sides are before and behind."""
    top = slab((-0.42, -0.80, 0.715), (0.42, 0.80, 0.75), 0.006)
    return part("top", top, PAINTED, 20), part("legs", _on_legs(0.84, 1.6, 0.75, 0.035, 0.065, 0.03), PAINTED)


def round_table() -> Parts:
    """Return a round table on one foot."""
    top = lathe([(0.001, 0.715), (0.485, 0.715), (0.50, 0.722), (0.50, 0.745), (0.495, 0.75), (0.001, 0.75)],
                "z", 48)  # fmt: skip
    foot = lathe([(0.001, 0.0), (0.27, 0.0), (0.275, 0.012), (0.09, 0.035), (0.045, 0.06), (0.04, 0.66),
                  (0.12, 0.715), (0.001, 0.716)], "z", 32)  # fmt: skip
    return part("top", top, PAINTED, 30), part("foot", foot, STEEL, 40)


def coffee_table() -> Parts:
    """Return a low table with a shelf under its top."""
    top = slab((-0.30, -0.55, 0.385), (0.30, 0.55, 0.42), 0.006)
    shelf = slab((-0.25, -0.50, 0.13), (0.25, 0.50, 0.15))
    legs = [box((x, y, 0.195), (0.05, 0.05, 0.39)) for x, y in corners_of(0.6, 1.1, 0.045)]
    return part("top", top, PAINTED, 20), part("legs", merged(shelf, *legs), PAINTED, 20)


def side_table() -> Parts:
    """Return a small round table on three legs."""
    top = lathe([(0.001, 0.50), (0.225, 0.50), (0.23, 0.505), (0.23, 0.52), (0.225, 0.525), (0.001, 0.525)],
                "z", 40)  # fmt: skip
    legs = [
        tube([(0.185 * x, 0.185 * y, 0.0), (0.11 * x, 0.11 * y, 0.505)], (0.012, 0.016), 10)
        for x, y in ((1, 0), (-0.5, 0.866), (-0.5, -0.866))
    ]
    return part("top", top, PAINTED, 30), part("legs", merged(*legs), OAK, 40)


def desk() -> Parts:
    """Return a desk with drawers at its left; who sits at it sits before it."""
    top = slab((-0.32, -0.65, 0.715), (0.32, 0.65, 0.745), 0.005)
    legs = merged(
        *(box((x, -0.61, 0.36), (0.045, 0.045, 0.72)) for x in (-0.28, 0.28)),
        slab((-0.28, -0.622, 0.66), (0.28, -0.598, 0.715)),
        slab((-0.31, -0.60, 0.45), (-0.295, 0.25, 0.715)),
    )
    drawers = slab((-0.31, 0.23, 0.0), (0.295, 0.63, 0.716))
    faces = [slab((0.295, 0.24, z), (0.308, 0.62, z + 0.215), 0.004) for z in (0.035, 0.26, 0.485)]
    grips = [tube([(0.316, 0.36, z), (0.316, 0.50, z)], 0.007, 8) for z in (0.19, 0.415, 0.64)]
    return (
        part("top", top, PAINTED, 20),
        part("legs", legs, PAINTED, 20),
        part("drawers", merged(drawers, *faces), PAINTED, 20),
        part("grips", merged(*grips), STEEL, 40),
    )


def nightstand() -> Parts:
    """Return a small chest with a drawer and an open shelf."""
    sides = [slab((-0.19, s * 0.22 - 0.01, 0.0), (0.19, s * 0.22 + 0.01, 0.50)) for s in (-1, 1)]
    boards = [slab((-0.19, -0.22, z), (0.19, 0.22, z + 0.02)) for z in (0.06, 0.29, 0.48)]
    back = slab((-0.20, -0.22, 0.06), (-0.185, 0.22, 0.50))
    front = slab((0.185, -0.205, 0.315), (0.20, 0.205, 0.475), 0.004)
    top = slab((-0.205, -0.24, 0.50), (0.205, 0.24, 0.52), 0.004)
    grip = tube([(0.208, -0.05, 0.395), (0.208, 0.05, 0.395)], 0.007, 8)
    return (
        part("body", merged(*sides, *boards, back, top), PAINTED, 20),
        part("drawer", front, PAINTED, 20),
        part("grip", grip, STEEL, 40),
    )


def counter(sink: bool = False) -> Parts:
    """Return a kitchen cupboard with two doors under a worktop, with or without a sink and its tap."""
    body = slab((-0.30, -0.40, 0.09), (0.28, 0.40, 0.86))
    plinth = slab((-0.30, -0.40, 0.0), (0.22, 0.40, 0.09))
    doors = [slab((0.28, s * 0.2 - 0.195, 0.10), (0.30, s * 0.2 + 0.195, 0.85), 0.005) for s in (-1, 1)]
    top = slab((-0.30, -0.40, 0.86), (0.315, 0.40, 0.90), 0.004)
    grips = [tube([(0.312, s * 0.03, 0.62), (0.312, s * 0.03, 0.80)], 0.007, 8) for s in (-1, 1)]
    parts = (
        part("cupboard", merged(body, *doors), PAINTED, 20),
        part("plinth", plinth, STEEL, 20),
        part("worktop", top, OAK if not sink else PALE, 20),
        part("grips", merged(*grips), STEEL, 40),
    )
    if not sink:
        return parts
    rim = merged(
        slab((-0.20, -0.27, 0.899), (0.19, -0.25, 0.908)), slab((-0.20, 0.25, 0.899), (0.19, 0.27, 0.908)),
        slab((-0.20, -0.27, 0.899), (-0.18, 0.27, 0.908)), slab((0.17, -0.27, 0.899), (0.19, 0.27, 0.908)),
        slab((-0.18, -0.25, 0.8995), (0.17, 0.25, 0.902)),
    )  # fmt: skip
    tap = tube([(-0.24, 0, 0.90), (-0.24, 0, 1.12), (-0.20, 0, 1.19), (-0.12, 0, 1.20), (-0.08, 0, 1.15)],
               0.013, 12)  # fmt: skip
    return (*parts, part("basin", rim, STEEL, 20), part("tap", tap, STEEL, 50))


def sink_unit() -> Parts:
    """Return a kitchen cupboard with a sink."""
    return counter(True)
