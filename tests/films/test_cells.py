"""The second pass over a film: rays, cell by cell, and the file that they are kept in."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fathom.assets.model import Model
from fathom.geometry.poses import to_world
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS, TruthCell, cells_of
from fathom.records import AssetError, DataError, InputError
from fathom.scenes.visibility_grids import visibility_grid_of
from tests.films.staged import FRAMES, film, models_at, objects
from tests.films.whole_cells import truth_of_cell

SCENE = film()
VIEWS = range(len(SCENE.cameras))


def bent(model: Model, up_m: float) -> Model:
    """The model with its front lifted: the same triangles elsewhere."""
    parts = [
        replace(p, vertices=p.vertices + np.outer(np.maximum(p.vertices[:, 0], 0), (0, 0, up_m)))
        for p in model.parts
    ]
    return replace(model, parts=tuple(parts))


def look(points: int = POINTS) -> Iterator[TruthCell]:
    for frame in range(FRAMES):
        yield from cells_of(SCENE, models_at(frame), frame, VIEWS, models_at(0), points)


@pytest.fixture(scope="module")
def cells() -> list[TruthCell]:
    return list(look())


def test_two_derivations_see_the_same(cells: list[TruthCell]) -> None:
    visibility = visibility_grid_of(SCENE, models_at, grid=range(FRAMES), scale=1)
    for cell in cells:
        for k, glimpse in enumerate(cell.objects):
            # Few pixels have their centre so near an edge that rays and the depth buffer disagree.
            slack = 3 + 0.01 * visibility.full_px[cell.view, cell.frame, k]
            assert abs(int(cell.visible(k).sum()) - visibility.px[cell.view, cell.frame, k]) <= slack
            assert abs(glimpse.full_px - visibility.full_px[cell.view, cell.frame, k]) <= slack
            for name, count in cell.part_px(k).items():
                own = visibility.part_px[cell.view, cell.frame, visibility.parts_of(k)[name]]
                assert abs(count - own) <= slack + 3


def test_a_cell_is_what_the_truth_of_still_scenes_says(cells: list[TruthCell]) -> None:
    for cell in cells[:: len(VIEWS) + 1]:
        truth = truth_of_cell(SCENE, models_at(cell.frame), cell.view, cell.frame)
        names = [s.object_id for s in truth.objects]
        of = np.array([[t.id for t in SCENE.objects].index(n) for n in names] + [-1])
        assert np.array_equal(of[truth.ids], cell.ids)
        for s in truth.objects:
            g = cell.objects[[t.object_id for t in cell.objects].index(s.object_id)]
            assert (g.window, g.full_px) == (s.window, s.full_px)
            assert np.array_equal(g.amodal, s.amodal)


def test_points_lie_on_the_surface_and_are_where_their_pixels_look(cells: list[TruthCell]) -> None:
    radius, centre = 0.3, np.array([0.3, 1.0, 0.3])
    seen = [c.objects[2] for c in cells if len(c.objects[2].pixels)]
    assert seen
    for glimpse in seen:
        away = np.linalg.norm(glimpse.points_m - centre, axis=1)
        assert (away < radius + 1e-3).all()
        assert (away > 0.9 * radius).all()


def test_a_point_of_the_surface_is_known_again_by_where_it_is_at_rest() -> None:
    rest, moved = objects()["lorry"][0], bent(objects()["lorry"][0], 0.5)
    found = [c.objects[0] for c in cells_of(SCENE, {"lorry": moved}, 3, VIEWS, {"lorry": rest})]
    for glimpse in found:
        lifted = glimpse.rest_m + np.outer(np.maximum(glimpse.rest_m[:, 0], 0), (0, 0, 0.5))
        world = to_world(SCENE.objects[0].poses[3], lifted)
        # Bending is linear on either side of the middle, and a box has no vertices there.
        front = glimpse.rest_m[:, 0] > 0.5
        assert front.sum() > 5
        assert np.abs(world - glimpse.points_m)[front].max() < 2e-3


def test_without_rest_nothing_is_said_about_it() -> None:
    cell = next(cells_of(SCENE, models_at(0), 0, [0]))
    assert np.isnan(cell.objects[0].rest_m).all()


def test_rest_with_other_triangles_is_refused() -> None:
    with pytest.raises(AssetError, match="at rest: expected the same"):
        next(cells_of(SCENE, models_at(0), 0, [0], {"lorry": objects()["block"][0]}))


@pytest.mark.parametrize(("view", "frame"), [(4, 0), (-1, 0), (0, FRAMES)])
def test_a_cell_that_the_film_does_not_have_is_refused(view: int, frame: int) -> None:
    with pytest.raises(InputError, match="correct what is asked for"):
        next(cells_of(SCENE, models_at(0), frame, [view]))


def same(a: TruthCell, b: TruthCell) -> bool:
    return (
        (a.view, a.frame, a.parts, a.camera) == (b.view, b.frame, b.parts, b.camera)
        and all(np.array_equal(getattr(a, n), getattr(b, n)) for n in ("ids", "part", "over_px", "seen_px"))
        and all(
            (g.object_id, g.window, g.full_px) == (h.object_id, h.window, h.full_px)
            and all(
                np.array_equal(getattr(g, n), getattr(h, n), equal_nan=n == "rest_m")
                for n in ("amodal", "pixels", "depth_m", "points_m", "faces", "rest_m")
            )
            for g, h in zip(a.objects, b.objects, strict=True)
        )
    )


def test_what_was_written_is_read_one_cell_at_a_time(cells: list[TruthCell], tmp_path: Path) -> None:
    write_cells(tmp_path / "a.npz", SCENE, look(), POINTS)
    with TruthCells(tmp_path / "a.npz") as film_truth:
        assert film_truth.scene == SCENE.id
        assert film_truth.objects == ("lorry", "block", "ball")
        assert film_truth.cells == tuple((c.view, c.frame) for c in cells)
        assert all(same(film_truth.read(c.view, c.frame), c) for c in reversed(cells))


def test_the_same_cells_give_the_same_bytes_and_their_hash(tmp_path: Path) -> None:
    hashes = [write_cells(tmp_path / n, SCENE, look(20), 20) for n in ("a", "b")]
    assert hashes[0] == hashes[1]
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_stops_half_way_leaves_no_file(tmp_path: Path) -> None:
    def broken() -> Iterator[TruthCell]:
        yield next(look())
        raise AssetError("the second cell cannot be had")

    with pytest.raises(AssetError):
        write_cells(tmp_path / "a.npz", SCENE, broken(), POINTS)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    write_cells(tmp_path / "a.npz", SCENE, look(20), 20)
    return tmp_path / "a.npz"


def test_a_cell_that_was_not_looked_at_is_named(tmp_path: Path) -> None:
    write_cells(tmp_path / "a.npz", SCENE, cells_of(SCENE, models_at(0), 0, [1]), POINTS)
    with TruthCells(tmp_path / "a.npz") as film_truth:
        assert (1, 0) in film_truth
        assert (1, 2) not in film_truth
        with pytest.raises(DataError, match="no truth of frame 2 of view 1"):
            film_truth.read(1, 2)


@pytest.mark.parametrize("keep", [0, 100, 0.5, 0.99])
def test_a_file_cut_short_is_refused(whole: Path, keep: float) -> None:
    data = whole.read_bytes()
    whole.write_bytes(data[: int(keep * len(data)) if keep < 1 else int(keep)])
    with pytest.raises(DataError, match="not a valid truth of a film"):
        TruthCells(whole)


def test_damage_does_not_go_unnoticed(whole: Path) -> None:
    with zipfile.ZipFile(whole) as z:
        at = z.getinfo("2/3").header_offset + 60
    data = bytearray(whole.read_bytes())
    data[at] ^= 0x55
    whole.write_bytes(bytes(data))
    with TruthCells(whole) as film_truth:
        film_truth.read(1, 3)
        with pytest.raises(DataError, match="restore it or build the scene again"):
            film_truth.read(2, 3)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is none"):
        TruthCells(tmp_path / "nowhere.npz")
