"""What a film shows and how its things move, as arrays: what the programs of its questions run on.

Axes, everywhere in this order: V views, G frames of the grid, F frames of the film, T things, P parts of all
things one after the other, L limbs of all things one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int32]
Metres = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class VisibilityGrid:
    """One scene in all its views and times. What is not there has counts of 0 and positions of NaN.

    scene : the scene's id
    things : the ids of the things, in the scene's order; `things[0]` is the actor
    parts : (P,) the thing's index and the part's name; parts of one thing that share a name are one part
    limbs : (L,) the thing's index and the limb's name
    frames : (G,) the frames of the film that were looked at, increasing
    times_s : (F,) when each frame of the film is shown
    there : (F, T) whether the thing is there
    px : (V, G, T) pixels of the picture that show the thing
    alone_px : (V, G, T) pixels that would show it if it stood alone, inside the picture
    full_px : (V, G, T) the same, and those beyond the edges of the picture
    hidden_px : (V, G, T, T) pixels of i's silhouette that show j
    part_px : (V, G, P) pixels that show the part
    limb_px : (V, G, L) pixels that show the limb
    boxes : (V, G, T, 4) left, top, right, bottom of what shows, in pixels, the last two exclusive; 0 where
        nothing does
    centres_m, lows_m, highs_m : (F, T, 3) world; the mean of the vertices, and the corners of their box
    limb_centres_m : (F, L, 3) the mean of the limb's vertices in its thing's own frame, which moves with it
    actor_ups : (F, 3) where what is up on the actor at rest points, in the world; NaN where it is not there,
        None where nobody has measured it
    """

    scene: str
    things: tuple[str, ...]
    parts: tuple[tuple[int, str], ...]
    limbs: tuple[tuple[int, str], ...]
    frames: NDArray[np.int32]
    times_s: NDArray[np.float64]
    there: NDArray[np.bool_]
    px: Counts
    alone_px: Counts
    full_px: Counts
    hidden_px: Counts
    part_px: Counts
    limb_px: Counts
    boxes: Counts
    centres_m: Metres
    lows_m: Metres
    highs_m: Metres
    limb_centres_m: Metres
    actor_ups: Metres | None = None

    @property
    def views(self) -> int:
        """The number of views."""
        return len(self.px)

    def thing(self, name: str) -> int:
        """Return the index of a thing. Raises ValueError where the scene has none of that id."""
        return self.things.index(name)

    def at(self, frame: int) -> int:
        """Return the index, on the grid, of the last frame looked at that is not after `frame`."""
        return max(int(np.searchsorted(self.frames, frame, side="right")) - 1, 0)

    def parts_of(self, thing: int) -> dict[str, int]:
        """Return the parts of a thing: name → index on the axis P."""
        return {name: k for k, (owner, name) in enumerate(self.parts) if owner == thing}

    def limbs_of(self, thing: int) -> dict[str, int]:
        """Return the limbs of a thing: name → index on the axis L."""
        return {name: k for k, (owner, name) in enumerate(self.limbs) if owner == thing}

    def shares(self) -> NDArray[np.float64]:
        """Return (V, G, T): how much of the thing's silhouette shows, 0..1; 0 where it is not there."""
        return np.asarray(self.px / np.maximum(self.full_px, 1))
