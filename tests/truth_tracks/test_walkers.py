"""Who walks is followed by trunk and head; legs and arms tell how far the box of the stride reaches."""

from __future__ import annotations

import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.ground_truth.cells import TruthCell
from fathom.ground_truth.footage import as_filmed, firm_points, footage
from fathom.records import Scene
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.outdoor import Outdoor, draw_outdoor, models_at, walking_at
from fathom.verify.observed.video import observed_video

FRAMES = tuple(range(0, 60, 4))


@pytest.fixture(scope="module")
def street() -> Scene:
    """One walker of a street, and a camera that stands four metres away."""
    scene = draw_outdoor(
        0, "walkers", Outdoor(people=(8, 12), vehicles=(1, 2), seconds=2, stories=("zebra",))
    )
    walker = next(t for t in scene.objects if t.subtype.startswith("walker"))
    places = np.array([p.position_m for p in walker.poses])
    way = places[-1] - places[0]
    aside = np.array([-way[1], way[0], 0.0]) / np.linalg.norm(way)
    eye = places[len(places) // 2] + 4.0 * aside + [0.0, 0.0, 1.5]
    times = np.array(scene.times_s)
    looks = routes.looking(np.tile(eye, (len(times), 1)), places + np.array([0.0, 0.0, 0.85]), times)
    camera = cameras.pinhole(480, 360, math.radians(50), looks)
    found: Scene = msgspec.structs.replace(scene, objects=(walker,), cameras=(camera,))
    return found


@pytest.fixture(scope="module")
def cells(street: Scene) -> tuple[TruthCell, ...]:
    """What the camera sees of the walker."""
    filmed, models = as_filmed(street, models_at(street, 0))
    return tuple(footage(filmed, models, FRAMES, swinging=lambda frame: walking_at(street, frame)))


def test_a_walker_is_where_trunk_and_head_are(street: Scene, cells: tuple[TruthCell, ...]) -> None:
    video = observed_video(street, cells)
    (walker,) = street.objects
    for frame, fit in zip(FRAMES, video.fits[0], strict=True):
        assert fit is not None
        assert fit.place_m == pytest.approx(np.array(walker.poses[frame].position_m), abs=1e-3)


def test_the_box_is_that_of_the_whole_stride(street: Scene, cells: tuple[TruthCell, ...]) -> None:
    (extent,) = observed_video(street, cells).extents
    (walker,) = street.objects
    off = np.abs(extent.size_m - np.array(walker.size_m))
    assert (off <= extent.unsure_m + 1e-3).all() and (off < 0.05 * np.array(walker.size_m)).all()


def test_with_the_limbs_no_pose_fits(street: Scene, cells: tuple[TruthCell, ...]) -> None:
    swings = [~firm_points(cell, 0) for cell in cells]
    assert all(0.2 < s.mean() < 0.9 for s in swings)
    whole = [unnamed(cell) for cell in cells]
    assert all(fit is None for fit in observed_video(street, whole).fits[0])


def unnamed(cell: TruthCell) -> TruthCell:
    """Return the cell as if nothing were known to swing."""
    return replace(cell, parts=tuple(tuple("part" for _ in names) for names in cell.parts))
