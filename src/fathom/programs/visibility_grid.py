"""What cameras see of the objects of a scene, as arrays; of an animated scene also how they move.

Axes, everywhere in this order: V views, G times that were looked at, F frames of the film, T objects, P parts
of all objects one after the other, L limbs of all objects one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.records import ObjectVisibility

Counts = NDArray[np.int32]
Floats = NDArray[np.float64]
Metres = Floats
Pixels = NDArray[np.int32] | NDArray[np.float64]
"""Counts of whole pixels; floats where programs over stills divide by them."""


BODIES = "*"
"""What stands for the part where the pieces are objects alike, as the birds of a flock."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Visibility:
    """What cameras see of the objects of a scene; T is the number of objects.

    px : (V, G, T) pixels of the picture that show the object
    alone_px : (V, G, T) pixels that would show it if it stood alone, inside the picture
    full_px : (V, G, T) the same, and those beyond the edges of the picture
    hidden_px : (V, G, T, T) pixels of i's silhouette that show j
    over_px : (V, G, T, T) pixels of i's silhouette where j is nearer, whatever shows; None where nobody has
        looked
    gaps_px : (V, G, T, T) the least distance in the picture between the silhouettes of i and j; None where
        nobody has looked
    ends_px : (2, 2, T) for front and rear: the pixels of it that show at first, and those that would if the
        object stood alone; None where nobody has looked
    """

    px: Pixels
    alone_px: Pixels
    full_px: Pixels
    hidden_px: Pixels
    over_px: Floats | None = None
    gaps_px: Floats | None = None
    ends_px: Floats | None = None

    @property
    def views(self) -> int:
        """The number of views."""
        return len(self.px)

    def shares(self) -> NDArray[np.float64]:
        """Return (V, G, T): how much of the object's silhouette shows, 0..1; 0 where it is not there."""
        return np.asarray(self.px / np.maximum(self.full_px, 1))


def visibility_of(draws: Sequence[Sequence[ObjectVisibility]], ids: Sequence[str]) -> Visibility:
    """Return what one camera sees of the objects `ids`, from one sequence of sights for each world.

    The axis G are the worlds: the scene itself, or the draws of the jitter test.
    """
    index = {name: k for k, name in enumerate(ids)}
    d, n = len(draws), len(ids)
    single, pair = np.zeros((3, d, n)), np.zeros((2, d, n, n))
    gaps = [[[1e6] * n for _ in ids] for _ in draws]
    for w, visibility in enumerate(draws):
        for s in visibility:
            i = index[s.object_id]
            single[:, w, i] = s.amodal_px, s.visible_px, s.full_px
            for c in s.covers:
                pair[:, w, i, index[c.object_id]] = c.over_px, c.seen_px
            for other, px in s.gaps_px.items():
                gaps[w][i][index[other]] = px
    # A pair that overlaps has no gap, whether or not one was written.
    apart = np.array(gaps).reshape(d, n, n)
    gap = np.where((pair[0] > 0) | (np.swapaxes(pair[0], -1, -2) > 0), 0.0, apart)
    return Visibility(
        px=single[1][None],
        alone_px=single[0][None],
        full_px=single[2][None],
        hidden_px=pair[1][None],
        over_px=pair[0][None],
        gaps_px=gap[None],
        ends_px=_ends(draws[0], ids),
    )


def _ends(visibility: Sequence[ObjectVisibility], ids: Sequence[str]) -> Floats | None:
    """Return (2, 2, n) the pixels of fronts and rears that show, and that could; None unless known."""
    known = {s.object_id: s.ends_px for s in visibility if s.ends_px}
    if set(known) != set(ids):
        return None
    rows = [[known[name][end] for name in ids] for end in ("front", "rear")]
    return np.moveaxis(np.array(rows, dtype=np.float64), -1, 1)


@dataclass(frozen=True, eq=False, kw_only=True)
class VisibilityGrid(Visibility):
    """One animated scene in all its views and times. What is not there has counts of 0, positions of NaN.

    scene : the scene's id
    objects : the ids of the objects, in the scene's order; `things[0]` is the actor
    parts : (P,) the object's index and the part's name; parts of one object that share a name are one part
    limbs : (L,) the object's index and the limb's name
    frames : (G,) the frames of the film that were looked at, increasing
    times_s : (F,) when each frame of the film is shown
    there : (F, T) whether the object is there
    part_px : (V, G, P) pixels that show the part
    limb_px : (V, G, L) pixels that show the limb
    boxes : (V, G, T, 4) left, top, right, bottom of what shows, in pixels, the last two exclusive; 0 where
        nothing does
    centres_m, lows_m, highs_m : (F, T, 3) world; the mean of the vertices, and the corners of their box
    limb_centres_m : (F, L, 3) the middle of the limb's surface in its object's own frame, which moves with it
    actor_ups : (F, 3) where what is up on the actor at rest points, in the world; NaN where it is not there,
        None where nobody has measured it
    limb_lows_m : (F, L) how high the lowest point of the limb is in the world; None where nobody has
        measured it
    pieces : (Q,) the part of each piece of the actor's parts that come in pieces which can be counted; of an
        actor that is several objects alike they are these, and called BODIES
    piece_px : (V, G, Q) pixels that show the piece; None where nobody has looked
    """

    scene: str
    objects: tuple[str, ...]
    parts: tuple[tuple[int, str], ...]
    limbs: tuple[tuple[int, str], ...]
    frames: NDArray[np.int32]
    times_s: NDArray[np.float64]
    there: NDArray[np.bool_]
    part_px: Counts
    limb_px: Counts
    boxes: Counts
    centres_m: Metres
    lows_m: Metres
    highs_m: Metres
    limb_centres_m: Metres
    actor_ups: Metres | None = None
    limb_lows_m: Metres | None = None
    pieces: tuple[str, ...] = ()
    piece_px: Counts | None = None

    def obj(self, name: str) -> int:
        """Return the index of an object. Raises ValueError where the scene has none of that id."""
        return self.objects.index(name)

    def at(self, frame: int) -> int:
        """Return the index, on the grid, of the last frame looked at that is not after `frame`."""
        return max(int(np.searchsorted(self.frames, frame, side="right")) - 1, 0)

    def parts_of(self, obj: int) -> dict[str, int]:
        """Return the parts of an object: name → index on the axis P."""
        return {name: k for k, (owner, name) in enumerate(self.parts) if owner == obj}

    def limbs_of(self, obj: int) -> dict[str, int]:
        """Return the limbs of an object: name → index on the axis L."""
        return {name: k for k, (owner, name) in enumerate(self.limbs) if owner == obj}
