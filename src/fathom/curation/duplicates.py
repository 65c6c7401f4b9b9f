"""Near-duplicates: the same asset under two names, and the same object twice.

Two *assets* are the same where their shapes and their colours are near. A shape is two
histograms: of distances between points of its surface (D2), and of their distances from its centre (D1), in
units of the mean of the first, so that neither a turn nor a scale changes them, and a mirror image counts as
the same. A recoloured asset is another asset; it is near in shape, and said to be so.

Two *objects* are the same where the asset is the same and so is the sequence of clips and edits, or where
they look the same in every view at every time, whatever they are made from. Two clips of one asset are two
objects, however little they differ in small pictures: wheels that turn forwards, and backwards.

Ref: Osada et al. 2002 (shape distributions).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Material, Part
from fathom.curation.pixels import Small
from fathom.records.scene import Record
from fathom.render.color import linear, srgb
from fathom.store.seeds import rng

BINS = 48
_REACH_D2, _REACH_D1 = 3.0, 2.0
"""Up to how many mean distances the histograms reach."""
_PAIRS = 1 << 17
_TEXELS = 64
"""Along each side, how many places of a texture stand for its colours."""

Floats = NDArray[np.float64]


class DuplicateSettings(Record, frozen=True, kw_only=True):
    """How near is a duplicate.

    shape : total variation distance of histograms of the shape, 0 to 1
    color : total variation distance of histograms of the colors, 0 to 1
    look : mean difference of brightness over views and times, 0 to 1, as a share of how far the pictures
        are from their background
    """

    shape: float = 0.02
    color: float = 0.06
    look: float = 0.04


DUPLICATES = DuplicateSettings()


class Fingerprint(Record, frozen=True, kw_only=True):
    """What an object is known by; whatever is empty is not compared.

    `shape` and `color` are histograms of the asset; `sequence` names its clips and edits in order; `look` is
    a row of thumbnails in 0..255, white where nothing is, views one after the other and times within them.
    """

    name: str
    shape: tuple[float, ...] = ()
    color: tuple[float, ...] = ()
    sequence: tuple[str, ...] = ()
    look: bytes = b""


class Cluster(Record, frozen=True, kw_only=True):
    """Objects that are the same: which one stays, which go, and in what they are the same."""

    kept: str
    dropped: dict[str, str]


class Duplicates(Record, frozen=True, kw_only=True):
    """What was found: clusters of duplicates, and pairs that are near in shape and differ in colour."""

    clusters: tuple[Cluster, ...]
    recolored: tuple[tuple[str, str], ...] = ()

    def reasons(self) -> dict[str, str]:
        """Return why each object that goes does so."""
        return {name: why for cluster in self.clusters for name, why in cluster.dropped.items()}


def shape_histogram(parts: Sequence[Part]) -> tuple[float, ...]:
    """Return the histograms of distances, D2 before D1, half of the weight each, (96,).

    Empty without any surface.
    """
    corners = [p.vertices[p.faces] for p in parts if len(p.faces)]
    if not corners:
        return ()
    t = np.concatenate(corners)
    area = np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1)
    if not area.sum() > 0 or not np.isfinite(area).all():
        return ()
    draw = rng("duplicates", "shape")
    # Evenly spaced along the surface, so that much less is left to chance than by drawing each point.
    places = (np.arange(2 * _PAIRS) + 0.5) / (2 * _PAIRS) * area.sum()
    chosen = np.minimum(np.searchsorted(np.cumsum(area), places), len(area) - 1)
    a, b = draw.random((2, len(chosen)))
    over = a + b > 1
    a, b = np.where(over, 1 - a, a)[:, None], np.where(over, 1 - b, b)[:, None]
    points = t[chosen, 0] + a * (t[chosen, 1] - t[chosen, 0]) + b * (t[chosen, 2] - t[chosen, 0])
    points = points[draw.permutation(len(points))]
    apart = np.linalg.norm(points[:_PAIRS] - points[_PAIRS:], axis=1)
    from_centre = np.linalg.norm(points - points.mean(axis=0), axis=1)
    both = [
        np.histogram(np.minimum(values / apart.mean(), reach), BINS, (0, reach))[0] / len(values) / 2
        for values, reach in ((apart, _REACH_D2), (from_centre, _REACH_D1))
    ]
    return tuple(np.concatenate(both).round(7).tolist())


def color_histogram(parts: Sequence[Part]) -> tuple[float, ...]:
    """Return the shares of the surface in each of 64 cells of sRGB, textures and vertex colours included."""
    counts = np.zeros(64)
    for part in parts:
        if not len(part.faces):
            continue
        t = part.vertices[part.faces]
        area = float(np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1).sum())
        colors = surface_colors(part)
        cells = np.minimum((colors * 4).astype(int), 3) @ (16, 4, 1)
        counts += np.bincount(cells, minlength=64) * (area / len(cells))
    return tuple((counts / counts.sum()).round(6).tolist()) if counts.sum() > 0 else ()


def surface_colors(part: Part) -> Floats:
    """Return the colours of a part's faces, (faces, 3) in 0..1 sRGB; (1, 3) where all have the same.

    As the format has it and as pictures are painted, the colours of material, texture and vertices multiply
    as light does.
    """
    material: Material = part.material
    found = linear(np.asarray([material.color], dtype=np.float64).clip(0, 1))
    if material.texture is not None and part.uv is not None:
        height, width = material.texture.shape[:2]
        corners = part.uv[part.faces].mean(axis=1)
        x = (corners[:, 0] % 1 * width).astype(int) % width
        y = ((1 - corners[:, 1]) % 1 * height).astype(int) % height
        found = found * linear(material.texture[y, x, :3] / 255.0)
    if part.vertex_colors is not None:
        found = found * linear(part.vertex_colors.clip(0, 1))[part.faces].mean(axis=1)
    # Rounded, so that what is multiplied by white falls into the same cell of a histogram as before.
    return srgb(found).astype(np.float64).round(5)


def look_of(thumbnails: Iterable[Small]) -> bytes:
    """Return the thumbnails of an object, views one after the other, as the bytes of a fingerprint."""
    return b"".join(np.rint(t).clip(0, 255).astype(np.uint8).tobytes() for t in thumbnails)


def find_duplicates(
    fingerprints: Iterable[Fingerprint], settings: DuplicateSettings = DUPLICATES
) -> Duplicates:
    """Return which objects are the same. Of each cluster the first by name stays, whatever the order.

    Each object is compared with those that stay, so that a chain of small differences does not join ends
    that are far apart.
    """
    kept = _Kept(settings)
    dropped: dict[str, dict[str, str]] = {}
    recolored = []
    for one in sorted(fingerprints, key=lambda f: f.name):
        same, why, near = kept.nearest(one)
        if same:
            dropped.setdefault(same, {})[one.name] = why
            continue
        recolored += [(name, one.name) for name in near]
        kept.add(one)
    clusters = tuple(Cluster(kept=name, dropped=gone) for name, gone in sorted(dropped.items()))
    return Duplicates(clusters=clusters, recolored=tuple(recolored))


class _Kept:
    """The objects that stay so far, as tables that grow."""

    def __init__(self, settings: DuplicateSettings) -> None:
        self.settings = settings
        self.all: list[Fingerprint] = []
        self.shapes = _Table()
        self.looks: dict[int, _Table] = {}

    def add(self, one: Fingerprint) -> None:
        row = len(self.all)
        self.all.append(one)
        if one.shape:
            self.shapes.add(row, np.array(one.shape, np.float32))
        if one.look:
            self.looks.setdefault(len(one.look), _Table()).add(row, _pixels(one.look))

    def nearest(self, one: Fingerprint) -> tuple[str, str, list[str]]:
        """Return the name of the same object and in what they are the same, and what is only recoloured."""
        near, other_clips = [], set()
        if one.shape:
            for row, apart in self.shapes.within(np.array(one.shape, np.float32), 2 * self.settings.shape):
                other = self.all[row]
                colors = _variation(one.color, other.color)
                if one.color and other.color and colors > self.settings.color:
                    near.append(other.name)
                elif one.sequence and other.sequence and one.sequence != other.sequence:
                    other_clips.add(row)
                elif one.sequence == other.sequence:
                    why = (
                        f"the same asset as {other.name} (shapes {apart / 2:.3f}, colors {colors:.3f} apart)"
                    )
                    clips = f" and the same clips ({', '.join(one.sequence)})" if one.sequence else ""
                    return other.name, f"duplicate: {why}{clips}", near
        if one.look and len(one.look) in self.looks:
            pixels = _pixels(one.look)
            # The mean over what differs from the white background; two empty films are the same.
            reach = max(1.0, float((255 - pixels).sum()))
            within = self.looks[len(one.look)].within(pixels, self.settings.look * reach)
            found = [f for f in within if f[0] not in other_clips]
            if found:
                row, apart = min(found, key=lambda f: (f[1], f[0]))
                why = f"looks like {self.all[row].name} in every view ({apart / reach:.3f} apart)"
                return self.all[row].name, f"duplicate: {why}", near
        return "", "", near


class _Table:
    """Rows of one length, each with the number of its object, and those within a distance of another row."""

    def __init__(self) -> None:
        self.owners: list[int] = []
        self.rows: NDArray[np.generic] = np.zeros((0, 0))

    def add(self, owner: int, row: NDArray[np.generic]) -> None:
        if len(self.owners) == len(self.rows):
            more = np.zeros((max(16, 2 * len(self.rows)), len(row)), row.dtype)
            more[: len(self.rows)] = self.rows if len(self.rows) else 0
            self.rows = more
        self.rows[len(self.owners)] = row
        self.owners.append(owner)

    def within(self, row: NDArray[np.generic], reach: float) -> list[tuple[int, float]]:
        """Return (object, sum of absolute differences) of the rows at most `reach` away, in order."""
        found = []
        for start in range(0, len(self.owners), 256):
            block = self.rows[start : min(start + 256, len(self.owners))].astype(np.float32)
            apart = np.abs(block - row.astype(np.float32)).sum(axis=1)
            found += [(self.owners[start + int(k)], float(apart[k])) for k in np.flatnonzero(apart <= reach)]
        return found


def _pixels(look: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(look, np.uint8)


def _variation(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the total variation distance of two histograms, 0 where either is unknown."""
    return float(np.abs(np.array(a) - np.array(b)).sum() / 2) if a and b else 0.0
