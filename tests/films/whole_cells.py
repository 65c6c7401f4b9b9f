"""One cell of a film as the truth pass of still scenes gives it: what cells are held against."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.assets.model import Model
from fathom.ground_truth.cells import _cast
from fathom.ground_truth.solids import solid_of
from fathom.ground_truth.trace import truth_of
from fathom.ground_truth.views import Truth
from fathom.records import Scene


def truth_of_cell(scene: Scene, models: Mapping[str, Model], view: int, frame: int) -> Truth:
    """Return one cell as the truth pass of still scenes gives it: whole depths and silhouettes.

    Objects that are not there are left out of it. Raises what `cells_of` raises.
    """
    solids = {name: solid_of(m) for name, m in models.items()}
    camera, library = _cast(scene, solids, frame, view)
    there = [(t, a) for t, a in zip(scene.objects, library, strict=True) if a is not None]
    only = Scene(
        id=scene.id, generator=scene.generator, version=scene.version, seed=scene.seed,
        objects=tuple(t for t, _ in there), cameras=scene.cameras, environment=scene.environment,
    )  # fmt: skip
    return truth_of(only, models, [a for _, a in there], camera)
