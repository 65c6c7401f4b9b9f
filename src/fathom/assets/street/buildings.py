"""Buildings of any size with rows of windows, doors, shops and roofs; the front looks towards +x."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fathom.assets.model import Material, Model, Part, Rgb
from fathom.assets.shapes import Shell, box, extrude, merged
from fathom.assets.street import finishes as f
from fathom.geometry.poses import Array
from fathom.store.seeds import rng

FACADES: tuple[Rgb, ...] = (
    (0.86, 0.80, 0.68), (0.62, 0.30, 0.22), (0.78, 0.66, 0.48), (0.70, 0.68, 0.65), (0.84, 0.62, 0.42),
    (0.90, 0.88, 0.84), (0.52, 0.34, 0.27), (0.66, 0.72, 0.74), (0.80, 0.72, 0.60), (0.56, 0.58, 0.60),
    (0.88, 0.76, 0.62), (0.72, 0.46, 0.36),
)  # fmt: skip
SHOPS: tuple[Rgb, ...] = (
    (0.20, 0.28, 0.24), (0.45, 0.12, 0.12), (0.14, 0.20, 0.34), (0.30, 0.28, 0.26), (0.70, 0.62, 0.46),
)  # fmt: skip
"""Facades and shop fronts, sRGB."""

STOREY_M, GROUND_M = 3.1, 3.9
Size = tuple[float, float, float]


def boxes(centres: Array, sizes: Array) -> Shell:
    """Return many boxes (n, 3), (n, 3) as one shell."""
    corner = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
    one = np.array([
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ])  # fmt: skip
    vertices = np.asarray(centres)[:, None] + corner * np.asarray(sizes)[:, None]
    faces = one + 8 * np.arange(len(vertices))[:, None, None]
    return vertices.reshape(-1, 3), faces.reshape(-1, 3).astype(np.int32)


@dataclass(frozen=True)
class Wall:
    """One side of a house: the middle of its foot, outwards (x or y, signed), and how wide it is."""

    middle: tuple[float, float]
    out: tuple[int, int]
    width: float

    def put(self, across: Array, up: Array, wide: float, high: float, thick: float) -> Shell:
        """Return boxes on the wall: their middles across and up it (n,), and one size for all."""
        o = np.array(self.out, float)
        side = np.array([-o[1], o[0]])
        places = np.array(self.middle) + across[:, None] * side + o * thick / 2
        size = np.abs(o) * thick + np.abs(side) * wide
        n = len(across)
        return boxes(np.column_stack([places, up]), np.tile([*size, high], (n, 1)))


def _walls(size: Size) -> tuple[Wall, ...]:
    x, y, _ = size
    return (
        Wall((x / 2, 0.0), (1, 0), y), Wall((-x / 2, 0.0), (-1, 0), y),
        Wall((0.0, y / 2), (0, 1), x), Wall((0.0, -y / 2), (0, -1), x),
    )  # fmt: skip


def _columns(width: float, pitch: float) -> Array:
    count = max(1, math.floor((width - 0.8) / pitch))
    return np.asarray((np.arange(count) - (count - 1) / 2) * pitch, dtype=np.float64)


def _windows(
    walls: Sequence[Wall], floors: Array, wide: float, high: float, pitch: float
) -> tuple[list[Shell], list[Shell]]:
    """Return frames and panes of all windows, their middles at the heights `floors`."""
    frames, panes = [], []
    for wall in walls:
        across, up = (a.ravel() for a in np.meshgrid(_columns(wall.width, pitch), floors))
        if not len(across):
            continue
        frames.append(wall.put(across, up, wide + 0.22, high + 0.22, 0.05))
        frames.append(wall.put(across, up - high / 2 - 0.12, wide + 0.4, 0.1, 0.16))
        panes.append(wall.put(across, up, wide, high, 0.062))
        frames.append(wall.put(across, up, 0.06, high, 0.07))
        frames.append(wall.put(across, up + high * 0.18, wide, 0.05, 0.07))
    return frames, panes


def flat(name: str, shells: Sequence[Shell], material: Material) -> Part:
    """Return a part that is shaded flat: every wall is."""
    vertices, faces = merged(*shells)
    return Part(name, vertices, faces, material)


def building(size: Size, number: int, shops: bool) -> Model:
    """Return a town house of that size; `number` draws its colours and windows."""
    g = rng("building", number)
    x, y, z = size
    tall = z - 0.5
    facade = Material("facade", FACADES[int(g.integers(len(FACADES)))], roughness=0.9)
    ground = GROUND_M if shops else STOREY_M
    count = max(1, round((tall - ground) / STOREY_M))
    storey = (tall - ground) / count
    wide, high = float(g.uniform(1.0, 1.5)), storey * float(g.uniform(0.48, 0.62))
    pitch = wide + float(g.uniform(0.9, 1.5))
    walls = _walls((x - 0.4, y, z))
    floors = np.asarray(ground + storey * (np.arange(count) + 0.5), dtype=np.float64)
    frames, panes = _windows(walls, floors, wide, high, pitch)
    front = walls[0]
    body = [box((0, 0, tall / 2), (x - 0.4, y, tall))]
    ledge = [front.put(np.zeros(1), np.array([ground - 0.05]), y, 0.22, 0.14),
             front.put(np.zeros(1), np.array([tall - 0.15]), y, 0.35, 0.18)]  # fmt: skip
    parapet = [box((0, 0, tall + 0.25), (x - 0.4, y, 0.5))]
    if g.random() < 0.4:
        ledge += [
            front.put(np.zeros(1), np.array([ground + storey * k - 0.02]), y, 0.1, 0.08)
            for k in range(1, count)
        ]
    street, doors, more_panes = _ground_floor(front, ground, shops, g)
    shop = Material("shop front", SHOPS[int(g.integers(len(SHOPS)))], roughness=0.7)
    roof = Material("flat roof", (0.36, 0.35, 0.34), roughness=0.95)
    return Model("building", "structure", "building", (
        flat("walls", body, facade), flat("roof", parapet, roof if g.random() < 0.5 else facade),
        flat("windows", [*panes, *more_panes], f.GLASS), flat("frames", frames, f.FRAME),
        flat("ledges", ledge, f.FRAME if g.random() < 0.6 else f.PLINTH),
        flat("ground floor", street, shop if shops else f.PLINTH), flat("doors", doors, f.DOOR),
    ))  # fmt: skip


def _ground_floor(
    front: Wall, ground: float, shops: bool, g: np.random.Generator
) -> tuple[list[Shell], list[Shell], list[Shell]]:
    """Return what is at street level: the shop fronts or the plinth, the doors, and the panes."""
    across = _columns(front.width, 3.2)
    door = int(g.integers(len(across)))
    others = np.delete(across, door)
    at = across[door : door + 1]
    doors = [front.put(at, np.array([1.15]), 1.1, 2.3, 0.06)]
    if not shops:
        plinth = [front.put(np.zeros(1), np.array([0.4]), front.width, 0.8, 0.06)]
        frames = front.put(others, np.full(len(others), 1.75), 1.5, 1.6, 0.05)
        return [*plinth, frames], doors, [front.put(others, np.full(len(others), 1.75), 1.3, 1.4, 0.06)]
    board = front.put(np.zeros(1), np.array([ground - 0.6]), front.width - 0.3, 0.75, 0.12)
    posts = front.put(
        (across[1:] + across[:-1]) / 2, np.full(len(across) - 1, (ground - 1) / 2), 0.3, ground - 1, 0.12
    )
    foot = front.put(others, np.full(len(others), 0.3), 2.9, 0.6, 0.06)
    panes = front.put(others, np.full(len(others), 0.6 + (ground - 1.7) / 2), 2.6, ground - 1.75, 0.05)
    return [board, posts, foot], doors, [panes]


def house(size: Size, number: int) -> Model:
    """Return a detached house of that size under a pitched roof, its ridge along the street."""
    g = rng("house", number)
    x, y, z = size
    eaves = z * 0.62
    deep, wide = x - 0.9, y - 0.5
    facade = Material("facade", FACADES[int(g.integers(len(FACADES)))], roughness=0.9)
    gable = np.array([(-deep / 2, 0), (deep / 2, 0), (deep / 2, eaves), (0, z - 0.12), (-deep / 2, eaves)])
    body = extrude(gable, -wide / 2, wide / 2, "xz")
    low = eaves - 0.22 * (z - eaves) / (deep / 2)
    slope = np.array([(-x / 2, low - 0.06), (0, z - 0.14), (x / 2, low - 0.06), (x / 2, low + 0.06), (0, z),
                      (-x / 2, low + 0.06)])  # fmt: skip
    roof = extrude(slope, -y / 2, y / 2, "xz")
    walls = _walls((deep, wide, z))
    floors = np.array([1.5, 1.5 + eaves / 2]) if eaves > 4.2 else np.array([1.5])
    frames, panes = _windows(walls[1:], floors, 1.2, 1.25, 2.7)
    upper, glass = _windows(walls[:1], floors[1:], 1.2, 1.25, 2.4)
    across = _columns(wide, 2.6)
    door = int(g.integers(len(across)))
    others, at = np.delete(across, door), across[door : door + 1]
    frames += [*upper, walls[0].put(others, np.full(len(others), 1.5), 1.6, 1.5, 0.05)]
    panes += [*glass, walls[0].put(others, np.full(len(others), 1.5), 1.4, 1.3, 0.06)]
    frames.append(walls[0].put(at, np.array([2.4]), 1.7, 0.12, 0.8))
    doors = [walls[0].put(at, np.array([1.05]), 1.0, 2.1, 0.06)]
    chimney = box((-0.2 * deep, 0.3 * wide, z - 0.75), (0.6, 0.6, 1.5))
    tile = f.ROOF_TILE if g.random() < 0.6 else f.ROOF_SLATE
    return Model("house", "structure", "house", (
        flat("walls", [body], facade), flat("roof", [roof], tile), flat("windows", panes, f.GLASS),
        flat("frames", frames, f.FRAME), flat("doors", doors, f.DOOR), flat("chimney", [chimney], f.PLINTH),
    ))  # fmt: skip
