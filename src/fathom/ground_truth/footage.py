"""The truth of a video: what its moving camera sees at some frames, with all that only stands there as one.

Walls, floors and streets are never asked about, so rays are cast at them together; every other object is cast
at alone, which gives its whole silhouette. All are followed by the places of their surface points at rest;
of who walks, legs and arms swing against the trunk, and only the rest moves as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import SWINGING, Model
from fathom.assets.together import with_still_as_one
from fathom.ground_truth.alone import ObjectRays
from fathom.ground_truth.cells import POINTS, TruthCell, cells_of
from fathom.records import Scene

STRUCTURE = "structure"
"""The category of objects that no question names."""

BACKDROP = "backdrop"
"""The id of all structure together in a video's truth; it comes last."""


def as_filmed(scene: Scene, models: Mapping[str, Model]) -> tuple[Scene, dict[str, Model]]:
    """Return a video as its truth lists it: the objects that can be asked about, and the backdrop."""
    return with_still_as_one(scene, models, BACKDROP, [t for t in scene.objects if t.category == STRUCTURE])


Swinging = Callable[[int | None], Mapping[str, Model]]
"""The models at a frame of those objects of which parts swing; without a frame, at rest."""


def nothing_swings(frame: int | None) -> Mapping[str, Model]:
    """Return no model: everything looks the same at every frame."""
    return {}


def footage(
    filmed: Scene,
    models: Mapping[str, Model],
    frames: Sequence[int],
    points: int = POINTS,
    swinging: Swinging = nothing_swings,
) -> Iterator[TruthCell]:
    """Yield what the camera of a video `as_filmed` sees at each of the frames.

    `models` look the same at every frame, except those that `swinging` gives. Raises what `cells_of` raises.
    """
    own = {name: model for name, model in {**models, **swinging(None)}.items() if name != BACKDROP}
    # What stands still before a camera that does looks the same at every frame.
    kept: dict[str, ObjectRays] | None = {} if len(filmed.cameras[0].poses) == 1 else None
    for frame in frames:
        posed = {**models, **swinging(frame)}
        yield from cells_of(filmed, posed, frame, (0,), own, points, (BACKDROP,), kept)


def firm_points(cell: TruthCell, index: int) -> NDArray[np.bool_]:
    """Return (k,) which surface points that are seen of an object are of what moves as one."""
    columns, rows = cell.objects[index].pixels.T
    firm = np.array([not name.startswith(SWINGING) for name in cell.parts[index]], dtype=bool)
    return np.asarray(firm[cell.part[rows, columns]])
