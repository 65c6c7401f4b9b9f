"""Cars that everybody knows by what is painted on them: a police car and a taxi, both saloons, towards +x."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fathom.assets.model import BODY, Material, Model, Part
from fathom.assets.shapes import Shell, box, merged
from fathom.assets.street import finishes as f
from fathom.geometry.poses import Array

LONG_M = 4.65
OFF_M = 0.008
"""How long both are, and how far before the metal what is painted on it lies."""

FROM_M, TO_M = -1.95, 1.65
"""Between which lengths a band runs along the sides."""

WHITE = Material("paint white", (0.90, 0.90, 0.89), roughness=0.6)
YELLOW = Material("paint yellow", (0.97, 0.80, 0.12), roughness=0.6)
BLUE = Material("livery blue", (0.03, 0.12, 0.62), roughness=0.6)
BRIGHT = Material("livery yellow", (0.93, 0.88, 0.10), roughness=0.6)
DARK = Material("livery black", (0.04, 0.04, 0.045), roughness=0.6)
BLUE_LAMP = Material("lamp blue", (0.05, 0.20, 0.95), roughness=0.3)
SIGN = Material("roof sign", (0.98, 0.97, 0.90), roughness=0.5)


def police_car(saloon: Model) -> tuple[Part, ...]:
    """Return a white saloon with blue and yellow checks along its sides and blue lamps across its roof."""
    car = _saloon(saloon, WHITE)
    top = _top_m(car)
    return (
        *car,
        *_checks(car, (0.50, 0.88), 2, 9, (BLUE, BRIGHT)),
        _flat("light bar", [box((-0.3, 0, top + 0.03), (0.24, 1.16, 0.04))], f.BLACK),
        _flat(
            "blue lamps", [box((-0.3, y, top + 0.11), (0.26, 0.44, 0.13)) for y in (0.35, -0.35)], BLUE_LAMP
        ),
        _flat("lamp", [box((-0.3, 0, top + 0.10), (0.22, 0.24, 0.11))], f.WHITE),
    )


def taxi(saloon: Model) -> tuple[Part, ...]:
    """Return a yellow saloon with a line of black checks along its sides and a sign on its roof."""
    car = _saloon(saloon, YELLOW)
    top = _top_m(car)
    return (
        *car,
        *_checks(car, (0.66, 0.84), 2, 24, (DARK, WHITE)),
        _flat("roof sign", [box((-0.3, 0, top + 0.12), (0.20, 0.62, 0.20))], SIGN),
        _flat("sign band", [box((-0.3, 0, top + 0.12), (0.21, 0.48, 0.08))], DARK),
        _flat("sign foot", [box((-0.3, 0, top + 0.01), (0.16, 0.50, 0.05))], f.BLACK),
    )


def _saloon(car: Model, paint: Material) -> tuple[Part, ...]:
    factor = LONG_M / car.extents[0]
    return tuple(
        replace(p, vertices=p.vertices * factor, material=paint if p.material.name == BODY else p.material)
        for p in car.parts
    )


def _top_m(car: tuple[Part, ...]) -> float:
    return float(max(p.vertices[:, 2].max() for p in car if p.name == "roof"))


def _flat(name: str, shells: list[Shell], material: Material) -> Part:
    vertices, faces = merged(*shells)
    return Part(name, vertices, faces, material)


def _checks(
    car: tuple[Part, ...],
    heights: tuple[float, float],
    rows: int,
    columns: int,
    paints: tuple[Material, Material],
) -> tuple[Part, ...]:
    """Return two colours of checks that lie on both sides of a car, between two heights."""
    fine = 3
    x = np.linspace(FROM_M, TO_M, columns * fine + 1)
    z = np.linspace(*heights, rows * fine + 1)
    sheet = np.stack(np.meshgrid(x, z, indexing="ij"), axis=-1)
    out = _side_m(car, sheet.reshape(-1, 2)).reshape(sheet.shape[:2]) + OFF_M
    i, j = np.meshgrid(np.arange(len(x) - 1), np.arange(len(z) - 1), indexing="ij")
    odd = ((i // fine + j // fine) % 2).ravel()
    a = (i * len(z) + j).ravel()
    quads = np.stack([a, a + len(z), a + len(z) + 1, a + 1], axis=-1)
    found = []
    for k, paint in enumerate(paints):
        shells: list[Shell] = []
        for side in (1, -1):
            vertices = np.stack([sheet[..., 0], side * out, sheet[..., 1]], axis=-1).reshape(-1, 3)
            turned = quads[odd == k][:, ::-side]
            shells.append(
                (vertices, np.concatenate([turned[:, [0, 1, 2]], turned[:, [0, 2, 3]]]).astype(np.int32))
            )
        found.append(_flat(f"checks {k}", shells, paint))
    return tuple(found)


def _side_m(car: tuple[Part, ...], points: Array) -> Array:
    """Return (n,) how far from the middle a car's side is at (n, 2) points x and z."""
    out = np.full(len(points), 0.0)
    for piece in car:
        if "mirror" in piece.name or "handle" in piece.name or "wheel" in piece.name:
            continue
        for a, b, c in piece.vertices[piece.faces]:
            if max(a[1], b[1], c[1]) <= 0.4:
                continue
            u, v = (b - a)[[0, 2]], (c - a)[[0, 2]]
            area = u[0] * v[1] - u[1] * v[0]
            if abs(area) < 1e-9:
                continue
            d = points - a[[0, 2]]
            s, t = (d[:, 0] * v[1] - d[:, 1] * v[0]) / area, (u[0] * d[:, 1] - u[1] * d[:, 0]) / area
            inside = (s >= -1e-6) & (t >= -1e-6) & (s + t <= 1 + 1e-6)
            y = a[1] + s * (b[1] - a[1]) + t * (c[1] - a[1])
            out[inside] = np.maximum(out[inside], y[inside])
    return out
