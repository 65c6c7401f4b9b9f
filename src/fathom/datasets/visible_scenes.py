"""What the camera of a built scene sees at one time, counted in the scene's truth.

Still scenes carry these counts. Rooms, tables, streets and objects alone do not: theirs are read from the
truth on disk.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from functools import partial

import msgspec
import numpy as np

from fathom.authoring.information.pictures import SceneAtFrame
from fathom.ground_truth.cell_files import TruthCells
from fathom.ground_truth.cells import TruthCell
from fathom.records import ObjectVisibility, Scene
from fathom.store.datasets import Dataset


def scenes_by_cell(dataset: Dataset, scene: Scene) -> Mapping[tuple[int, int], SceneAtFrame]:
    """Return for each view and frame of which there is truth what gives the scene as it is seen from there.

    There is none of scenes whose truth is not kept in cells. Raises DataError where the file is damaged.
    """
    path = dataset.truth_path(scene)
    in_cells = path.suffix == ".zip" or len(scene.cameras) > 1
    if not in_cells or not zipfile.is_zipfile(path):
        return {}
    with TruthCells(path) as cells:
        known = sorted(cells.cells)
    return {(view, frame): partial(_scene_at, dataset, scene, view, frame) for view, frame in known}


def _scene_at(dataset: Dataset, scene: Scene, view: int, frame: int) -> Scene:
    """Return a scene with the camera of a view alone, and what it sees of each object at a frame."""
    with TruthCells(dataset.truth_path(scene)) as cells:
        cell = cells.read(view, frame)
        visibility = [_visibility(cell, k, name) for k, name in enumerate(cells.objects)]
    known = {thing.id for thing in scene.objects}
    seen = tuple(v for v in visibility if v is not None and v.object_id in known)
    found: Scene = msgspec.structs.replace(scene, cameras=(scene.cameras[view],), visibility=seen)
    return found


def _visibility(cell: TruthCell, index: int, name: str) -> ObjectVisibility | None:
    """Return how much of an object a cell shows; None where that is nothing."""
    rows, columns = np.nonzero(cell.visible(index))
    if not len(rows):
        return None
    seen = cell.objects[index]
    box = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    left, top, right, bottom = (int(edge) for edge in box)
    return ObjectVisibility(
        object_id=name,
        full_px=seen.full_px,
        amodal_px=int(seen.amodal.sum()),
        visible_px=len(rows),
        box_px=(left, top, right, bottom),
    )
