"""What can be measured of how good an object looks, and the floors below which it is left out.

The shape is measured on its triangles, the look on rendered frames. None of it is a matter of taste: what is,
`classifier` learns from people.

Ref: 4D-Bench §3.3.1 (oversimplified geometry, lack of texture).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Part
from fathom.curation.colors import NAMES, name_counts
from fathom.curation.pixels import Picture, covered, reduced
from fathom.records.scene import Record

FLATTEST = 1e-10
"""A triangle whose area is at most this share of its longest edge's square is degenerate."""


class MeshQuality(Record, frozen=True, kw_only=True):
    """What an object's triangles say.

    Shares are of the surface's area, that of degenerate triangles of their number. `thickness` is the
    smallest of the three extents along the principal axes, as a share of the largest.
    """

    triangles: int
    vertices: int
    materials: int
    textured_share: float
    degenerate_share: float
    thickness: float


class FrameQuality(Record, frozen=True, kw_only=True):
    """What rendered frames say.

    `colors` are the names that at least one in a hundred of the object's pixels has, the commonest first, and
    `color_bits` the entropy of all names; `coverage` is the mean share of the picture that the object
    covers, and `cut_share` the share of frames in which it reaches over the picture's edge.
    """

    colors: tuple[str, ...]
    color_bits: float
    coverage: float
    cut_share: float
    frames: int


class Floors(Record, frozen=True, kw_only=True):
    """What an object must measure to stay. A floor of 0, or a ceiling of 1, asks for nothing.

    least_triangles, least_vertices, least_materials : how many the model has at least
    least_textured_share : share of the surface with a texture, at least
    most_degenerate_share : share of triangles without an area, at most
    least_thickness : smallest extent ÷ largest extent, at least
    least_colors : number of colors that show, at least
    least_color_bits : entropy of the colors in bits, at least
    least_coverage, most_coverage : share of the image that the object fills, at least and at most
    most_cut_share : share of the frames in which the object is cut by the edge of the image, at most
    """

    least_triangles: int = 200
    least_vertices: int = 100
    least_materials: int = 1
    least_textured_share: float = 0.0
    most_degenerate_share: float = 0.25
    least_thickness: float = 0.01
    least_colors: int = 2
    least_color_bits: float = 0.15
    least_coverage: float = 0.02
    most_coverage: float = 0.9
    most_cut_share: float = 0.25


FLOORS = Floors()


def shape_of(parts: Sequence[Part]) -> MeshQuality:
    """Return what the triangles of an object say; one without triangles has nothing but zeros."""
    areas = [_areas(p) for p in parts]
    total = sum(float(a.sum()) for a, _ in areas)
    textured = sum(float(a.sum()) for (a, _), p in zip(areas, parts, strict=True) if _is_textured(p))
    triangles = sum(len(p.faces) for p in parts)
    flat = sum(int(f.sum()) for _, f in areas)
    return MeshQuality(
        triangles=triangles,
        vertices=sum(len(np.unique(p.faces)) for p in parts),
        materials=len({(p.material.name, p.material.color) for p in parts if len(p.faces)}),
        textured_share=round(textured / total, 4) if total > 0 else 0.0,
        degenerate_share=round(flat / triangles, 4) if triangles else 0.0,
        thickness=round(_thickness(parts), 5),
    )


def _areas(part: Part) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each triangle's area, and whether it is degenerate, (m,)."""
    corners = part.vertices[part.faces]
    edges = np.stack([corners[:, (k + 1) % 3] - corners[:, k] for k in range(3)], axis=1)
    area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1) / 2
    longest = np.linalg.norm(edges, axis=2).max(axis=1) if len(edges) else np.zeros(0)
    return area, np.asarray(area <= FLATTEST * longest**2)


def _is_textured(part: Part) -> bool:
    if part.material.texture is not None and part.uv is not None:
        return True
    return part.vertex_colors is not None and bool(np.ptp(part.vertex_colors, axis=0).max(initial=0) > 0.02)


def _thickness(parts: Sequence[Part]) -> float:
    points = [p.vertices[np.unique(p.faces)] for p in parts if len(p.faces)]
    if not points:
        return 0.0
    joined = np.concatenate(points)
    joined = joined - joined.mean(axis=0)
    axes = np.linalg.eigh(joined.T @ joined)[1]
    extents = np.ptp(joined @ axes, axis=0)
    return float(extents.min() / extents.max()) if extents.max() > 0 else 0.0


class Gaze:
    """Takes in frames one by one and sums up what they say of an object's look."""

    def __init__(self, longest_px: int = 256) -> None:
        self.longest_px = longest_px
        self.counts: NDArray[np.int64] = np.zeros(len(NAMES), np.int64)
        self.shares: list[float] = []
        self.cut = 0

    def add(self, frame: Picture) -> None:
        """Take in one frame. Raises InputError where it is no picture."""
        small = reduced(frame, self.longest_px)
        where = covered(small)
        self.counts += name_counts(small, where)
        self.shares.append(float(where.mean()))
        self.cut += bool(where[0].any() or where[-1].any() or where[:, 0].any() or where[:, -1].any())

    def look(self) -> FrameQuality:
        """Return what the frames so far come to."""
        total = int(self.counts.sum())
        shares = self.counts / max(1, total)
        some = shares[shares > 0]
        order = np.argsort(-shares, kind="stable")
        frames = len(self.shares)
        return FrameQuality(
            colors=tuple(NAMES[i] for i in order if shares[i] >= 0.01),
            color_bits=round(abs(float(-(some * np.log2(some)).sum())), 4),
            coverage=round(float(np.mean(self.shares)), 5) if frames else 0.0,
            cut_share=round(self.cut / frames, 4) if frames else 0.0,
            frames=frames,
        )


def shape_reasons(shape: MeshQuality, floors: Floors = FLOORS) -> tuple[str, ...]:
    """Return why an object's shape is not good enough, in words; nothing where it is."""
    lows: list[tuple[str, float, float, str]] = [
        ("triangles", shape.triangles, floors.least_triangles, ",.0f"),
        ("vertices", shape.vertices, floors.least_vertices, ",.0f"),
        ("materials", shape.materials, floors.least_materials, ",.0f"),
        ("textured share of the surface", shape.textured_share, floors.least_textured_share, ".0%"),
        ("thickness (smallest ÷ largest extent)", shape.thickness, floors.least_thickness, ".3f"),
    ]
    highs = [("degenerate triangles", shape.degenerate_share, floors.most_degenerate_share, ".0%")]
    return (*_below(lows), *_above(highs))


def look_reasons(look: FrameQuality, floors: Floors = FLOORS) -> tuple[str, ...]:
    """Return why an object's look is not good enough, in words; nothing where it is."""
    lows: list[tuple[str, float, float, str]] = [
        ("colors that have a name of their own", len(look.colors), floors.least_colors, ".0f"),
        ("entropy of colors (bits)", look.color_bits, floors.least_color_bits, ".2f"),
        ("coverage of the picture", look.coverage, floors.least_coverage, ".1%"),
    ]
    highs = [
        ("coverage of the picture", look.coverage, floors.most_coverage, ".1%"),
        ("frames that cut the object off", look.cut_share, floors.most_cut_share, ".0%"),
    ]
    return (*_below(lows), *_above(highs))


def _below(measured: Sequence[tuple[str, float, float, str]]) -> list[str]:
    return [
        f"{name}: {value:{form}}, at least {floor:{form}} asked for"
        for name, value, floor, form in measured
        if value < floor
    ]


def _above(measured: Sequence[tuple[str, float, float, str]]) -> list[str]:
    return [
        f"{name}: {value:{form}}, at most {ceiling:{form}} asked for"
        for name, value, ceiling, form in measured
        if value > ceiling
    ]
