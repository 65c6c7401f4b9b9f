"""The truth of a video: what its moving camera sees at some frames, with all that only stands there as one.

Walls, floors and streets are never asked about, so rays are cast at them together; every other thing is cast
at alone, which gives its whole silhouette. What does not change its shape is followed by the places of its
surface points at rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fathom.build.assets.model import Model
from fathom.build.assets.together import with_still_as_one
from fathom.build.truth.cells import POINTS, Cell, cells_of
from fathom.records import Scene

STRUCTURE = "structure"
"""The category of things that no question names."""

BACKDROP = "backdrop"
"""The id of all structure together in a video's truth; it comes last."""


def as_filmed(scene: Scene, models: Mapping[str, Model]) -> tuple[Scene, dict[str, Model]]:
    """Return a video as its truth lists it: the things that can be asked about, and the backdrop."""
    return with_still_as_one(scene, models, BACKDROP, [t for t in scene.things if t.category == STRUCTURE])


def footage(
    filmed: Scene, models: Mapping[str, Model], frames: Sequence[int], points: int = POINTS
) -> Iterator[Cell]:
    """Yield what the camera of a video `as_filmed` sees at each of the frames.

    `models` look the same at every frame. Raises what `cells_of` raises.
    """
    own = {name: model for name, model in models.items() if name != BACKDROP}
    for frame in frames:
        yield from cells_of(filmed, models, frame, (0,), own, points, (BACKDROP,))
