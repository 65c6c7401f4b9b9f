"""The first derivation: what shows in every view and at every time, from a depth buffer."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from fathom.geometry.poses import to_world
from fathom.geometry.visibility import object_visibility, silhouette
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import DataError, InputError
from fathom.scenes.visibility_files import read_visibility_grid, write_visibility_grid
from fathom.scenes.visibility_grids import Limbs, grid_of, visibility_grid_of
from tests.films.staged import COMES, FRAMES, film, models_at, objects

SCENE = film()


def limbs() -> dict[str, Limbs]:
    model = objects()["lorry"][0]
    of = tuple((p.vertices[:, 0] > 0).astype(int) for p in model.parts)
    return {"lorry": Limbs(("back", "front"), of)}


@pytest.fixture(scope="module")
def visibility() -> VisibilityGrid:
    return visibility_grid_of(SCENE, models_at, limbs=limbs(), scale=1)


def test_every_second_frame_is_looked_at(visibility: VisibilityGrid) -> None:
    assert visibility.frames.tolist() == list(grid_of(FRAMES)) == [0, 2, 4]
    assert [visibility.at(f) for f in range(6)] == [0, 0, 1, 1, 2, 2]


def test_it_says_what_still_scenes_say(visibility: VisibilityGrid) -> None:
    """Cell by cell, against the sights that are computed for single pictures."""
    for g, frame in enumerate(visibility.frames):
        models = models_at(int(frame))
        for view, camera in enumerate(SCENE.cameras):
            shapes, names = {}, {}
            for t in SCENE.objects:
                if t.id not in models:
                    continue
                parts = models[t.id].parts
                starts = np.cumsum([0] + [len(p.vertices) for p in parts])
                points = to_world(
                    t.poses[min(int(frame), len(t.poses) - 1)], np.concatenate([p.vertices for p in parts])
                )
                faces = np.concatenate([p.faces + s for p, s in zip(parts, starts, strict=False)])
                owner = np.repeat(np.arange(len(parts)), [len(p.faces) for p in parts])
                shapes[t.id] = silhouette(camera, points, faces, owner)
                names[t.id] = [p.name for p in parts]
            for s in object_visibility(camera, shapes, names):
                k = visibility.obj(s.object_id)
                assert visibility.px[view, g, k] == s.visible_px
                assert (visibility.alone_px[view, g, k], visibility.full_px[view, g, k]) == (
                    s.amodal_px,
                    s.full_px,
                )
                assert tuple(visibility.boxes[view, g, k]) == s.box_px
                own = visibility.parts_of(k)
                assert {n: int(visibility.part_px[view, g, own[n]]) for n in own} == s.part_px
                seen = {
                    visibility.objects[j]: int(c) for j, c in enumerate(visibility.hidden_px[view, g, k]) if c
                }
                assert seen == {c.object_id: c.seen_px for c in s.covers if c.seen_px}


def test_what_is_not_there_has_no_pixels_and_no_place(visibility: VisibilityGrid) -> None:
    k = visibility.obj("ball")
    assert visibility.there[:, k].tolist() == [f >= COMES for f in range(FRAMES)]
    assert not visibility.px[:, 0, k].any()
    assert visibility.px[:, 1:, k].any()
    assert np.isnan(visibility.centres_m[:COMES, k]).all()
    assert np.isfinite(visibility.centres_m[COMES:, k]).all()


def test_limbs_share_out_the_pixels_and_follow_their_object(visibility: VisibilityGrid) -> None:
    lorry = visibility.obj("lorry")
    own = visibility.limbs_of(lorry)
    assert list(own) == ["back", "front"]
    assert (visibility.limb_px[..., list(own.values())].sum(axis=-1) == visibility.px[..., lorry]).all()
    # The lorry is stiff, and its limbs are told in its own frame: they do not move.
    assert np.ptp(visibility.limb_centres_m[:, list(own.values())], axis=0).max() < 1e-9
    assert visibility.limb_centres_m[0, own["front"], 0] > 0.2


def test_half_the_resolution_finds_about_the_same(visibility: VisibilityGrid) -> None:
    coarse = visibility_grid_of(SCENE, models_at, scale=2)
    assert (coarse.px % 4 == 0).all()
    assert np.abs(coarse.px - visibility.px).max() < 0.15 * visibility.px.max()


def test_drawing_what_stands_still_once_changes_nothing(visibility: VisibilityGrid) -> None:
    alone = visibility_grid_of(SCENE, models_at, grid=(4,), limbs=limbs(), scale=1)
    assert np.array_equal(alone.px[:, 0], visibility.px[:, 2])
    assert np.array_equal(alone.part_px[:, 0], visibility.part_px[:, 2])


@pytest.mark.parametrize("grid", [(2, 0), (0, 0), (0, FRAMES), (-1, 2)])
def test_a_grid_that_leaves_the_film_is_refused(grid: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="correct the grid"):
        visibility_grid_of(SCENE, models_at, grid=grid)


def test_what_was_written_is_read_and_the_same_play_gives_the_same_bytes(
    visibility: VisibilityGrid, tmp_path: Path
) -> None:
    write_visibility_grid(tmp_path / "a.npz", visibility)
    write_visibility_grid(tmp_path / "b.npz", visibility)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    again = read_visibility_grid(tmp_path / "a.npz")
    for f in fields(VisibilityGrid):
        mine, theirs = getattr(visibility, f.name), getattr(again, f.name)
        same = np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f") if isinstance(
            mine, np.ndarray
        ) else mine == theirs  # fmt: skip
        assert same, f.name


@pytest.mark.parametrize("keep", [0, 100, 0.5, 0.99])
def test_a_file_cut_short_is_refused(visibility: VisibilityGrid, tmp_path: Path, keep: float) -> None:
    path = tmp_path / "a.npz"
    write_visibility_grid(path, visibility)
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data)) if keep < 1 else int(keep)])
    with pytest.raises(DataError, match="not a valid file of arrays"):
        read_visibility_grid(path)
