"""The summary of a truth that a scene carries: pixels, boxes, covers, and gaps between silhouettes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.ground_truth.trace import covers_of
from fathom.ground_truth.views import ObjectTruth, Truth, box_of
from fathom.records import ObjectVisibility


def object_visibility(truth: Truth) -> tuple[ObjectVisibility, ...]:
    """Return what is seen of each object, in the scene's order."""
    gaps = gaps_px(truth)
    names = [s.object_id for s in truth.objects]
    found = []
    for i, s in enumerate(truth.objects):
        visible = truth.visible(i)
        counts = np.bincount(s.part[visible], minlength=len(s.parts))
        part_px: dict[str, int] = {}
        for name, count in zip(s.parts, counts, strict=True):
            if count:
                part_px[name] = part_px.get(name, 0) + int(count)
        found.append(
            ObjectVisibility(
                object_id=s.object_id,
                full_px=s.full_px,
                amodal_px=int(np.count_nonzero(s.amodal)),
                visible_px=int(np.count_nonzero(visible)),
                box_px=box_of(visible, s.window[0], s.window[1]),
                covers=covers_of(names, i, truth.over_px, truth.seen_px),
                gaps_px={
                    names[j]: float(gaps[i, j])
                    for j in range(len(names))
                    if np.isfinite(gaps[i, j]) and j != i
                },
                part_px=part_px,
            )
        )
    return tuple(found)


def gaps_px(truth: Truth) -> NDArray[np.float64]:
    """Return the (n, n) smallest distances in pixels between silhouettes, to a tenth of a pixel.

    0 where two overlap or touch (their nearest pixels are neighbours, diagonally too), infinite where one
    of them is not in the picture.
    """
    from scipy.spatial import cKDTree

    n = len(truth.objects)
    rims = [_rim(s) for s in truth.objects]
    trees = [cKDTree(rim) for rim in rims]
    gaps = np.full((n, n), np.inf)
    for i in range(n):
        for j in range(i):
            if not len(rims[i]) or not len(rims[j]):
                continue
            if truth.over_px[i, j] + truth.over_px[j, i] > 0:
                gap = 0.0
            else:
                apart = float(np.min(trees[i].query(rims[j])[0]))
                gap = 0.0 if apart < 1.5 else round(apart - 1.0, 1)
            gaps[i, j] = gaps[j, i] = gap
    return gaps


def _rim(s: ObjectTruth) -> NDArray[np.float64]:
    """Return the (k, 2) pixels x, y of the silhouette that have a neighbour outside it."""
    mask = np.pad(s.amodal, 1)
    inner = mask[1:-1, 1:-1] & mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
    rows, columns = np.nonzero(mask[1:-1, 1:-1] & ~inner)
    return np.column_stack([columns + s.window[0], rows + s.window[1]]).astype(np.float64)
