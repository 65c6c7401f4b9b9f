"""What the cells of a film show of each object, put together frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points, Rgb
from fathom.assets.palette import BODY_COLORS
from fathom.ground_truth.cells import TruthCell

BLACK = (0.08, 0.08, 0.08)
"""What nobody calls anything but black, in sRGB: rubber."""

SAME_PAINT = 0.02
"""Colours no further apart than this, in sRGB, are the same."""

ALIKE, CLEARER = 0.35, 0.75
"""The farthest a colour is from the one that it is called by, and its distance over that of the next."""


class CellReader(Protocol):
    """The cells of a film, as `fathom.ground_truth.cell_files.TruthCells` reads them."""

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """(view, frame) of every cell."""
        ...

    def read(self, view: int, frame: int) -> TruthCell:
        """Return one cell."""
        ...


@dataclass(frozen=True, eq=False)
class ObjectEvidence:
    """What all views together show of one object at one frame.

    parts, paints : the names and colours of its model's parts; part_px : (P,) pixels that show each
    faces : (k,) triangles seen; world_m, rest_m : (k, 3) where, and where that is on the object at rest
    px, full_px : pixels that show it, and of its silhouettes alone, in all views together
    """

    parts: tuple[str, ...]
    paints: tuple[Rgb, ...]
    part_px: NDArray[np.int64]
    faces: NDArray[np.int32]
    world_m: Points
    rest_m: Points
    px: int
    full_px: int

    @property
    def there(self) -> bool:
        """Whether the object is there: it has a silhouette, whatever may stand before it."""
        return self.full_px > 0


@dataclass(frozen=True, eq=False)
class ActorViews:
    """What each of V views shows of the actor, at each of G frames.

    view_of : for each point of the actor's `faces` at a frame, the place of the view that shows it
    part_px : (V, P) pixels that show each of its parts at a frame
    """

    view_of: tuple[NDArray[np.int64], ...]
    part_px: tuple[NDArray[np.int64], ...]


@dataclass(frozen=True, eq=False)
class GatheredEvidence:
    """All that a film's cells show. G frames looked at, V views, T objects.

    looks : G tuples of T
    px, full_px : (V, G, T) pixels that show each, and of its silhouette; −1 for cells that are not there
    """

    frames: tuple[int, ...]
    views: tuple[int, ...]
    looks: tuple[tuple[ObjectEvidence, ...], ...]
    px: NDArray[np.int64]
    full_px: NDArray[np.int64]
    actor_views: ActorViews


def gathered(cells: CellReader) -> GatheredEvidence:
    """Return what the cells show, read one after the other."""
    frames = tuple(sorted({f for _, f in cells.cells}))
    views = tuple(sorted({v for v, _ in cells.cells}))
    there = set(cells.cells)
    px: list[NDArray[np.int64]] = []
    full: list[NDArray[np.int64]] = []
    looks: list[tuple[ObjectEvidence, ...]] = []
    view_of: list[NDArray[np.int64]] = []
    part_px: list[NDArray[np.int64]] = []
    for frame in frames:
        found = {v: cells.read(v, frame) for v in views if (v, frame) in there}
        objects = len(next(iter(found.values())).objects)
        shown = {v: np.bincount(c.ids.ravel() + 1, minlength=objects + 1)[1:] for v, c in found.items()}
        none = np.full(objects, -1, np.int64)
        px.append(np.stack([shown.get(v, none) for v in views]))
        full.append(
            np.stack([np.array([t.full_px for t in found[v].objects]) if v in found else none for v in views])
        )
        view_of.append(
            np.repeat([views.index(v) for v in found], [len(c.objects[0].faces) for c in found.values()])
        )
        part_px.append(
            np.stack(
                [
                    _part_px(found[v], 0) if v in found else _part_px(next(iter(found.values())), 0) * 0
                    for v in views
                ]
            )
        )
        looks.append(tuple(_look(k, list(found.values()), list(shown.values())) for k in range(objects)))
    each = ActorViews(tuple(view_of), tuple(part_px))
    return GatheredEvidence(frames, views, tuple(looks), np.stack(px, axis=1), np.stack(full, axis=1), each)


def _part_px(cell: TruthCell, k: int) -> NDArray[np.int64]:
    """Return (P,) pixels of one cell that show each part of object k."""
    count = len(cell.parts[k])
    seen = np.bincount(cell.part[cell.ids == k], minlength=count)[:count]
    return np.asarray(seen, np.int64)


def _look(k: int, cells: list[TruthCell], shown: list[NDArray[np.int64]]) -> ObjectEvidence:
    first = cells[0]
    count = len(first.parts[k])
    part_px = np.zeros(count, np.int64)
    for c in cells:
        part_px += np.bincount(c.part[c.ids == k], minlength=count)[:count] if count else 0
    return ObjectEvidence(
        parts=first.parts[k],
        paints=first.paints[k],
        part_px=part_px,
        faces=np.concatenate([c.objects[k].faces for c in cells]),
        world_m=np.concatenate([c.objects[k].points_m for c in cells]),
        rest_m=np.concatenate([c.objects[k].rest_m for c in cells]),
        px=int(sum(s[k] for s in shown)),
        full_px=sum(c.objects[k].full_px for c in cells),
    )


def same_paints(one: tuple[Rgb, ...], other: tuple[Rgb, ...]) -> bool:
    """Return whether two lists of colours cannot be told apart."""
    return len(one) == len(other) and (
        not one or float(np.abs(np.array(one) - np.array(other)).max()) <= SAME_PAINT
    )


def color_word(paint: Rgb, exact: bool = False, black: bool = False) -> str | None:
    """Return what a colour is called; None where it is like none, or where another word fits as well.

    `exact` asks for one of the colours that objects are painted in; `black` whether that can be one.
    """
    known = BODY_COLORS | ({"black": BLACK} if black else {})
    words = list(known)
    far = np.linalg.norm(np.array([known[w] for w in words]) - np.array(paint), axis=1)
    order = np.argsort(far)
    if exact:
        return words[order[0]] if far[order[0]] <= SAME_PAINT else None
    fits = far[order[0]] <= ALIKE and far[order[0]] <= CLEARER * far[order[1]]
    return words[order[0]] if fits else None
