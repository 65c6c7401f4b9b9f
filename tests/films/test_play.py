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
from fathom.scenes.visibility_grids import (
    Limbs,
    grid_of,
    read_visibility_grid,
    visibility_grid_of,
    write_visibility_grid,
)
from tests.films.staged import COMES, FRAMES, film, models_at, objects

SCENE = film()


def limbs() -> dict[str, Limbs]:
    model = objects()["lorry"][0]
    of = tuple((p.vertices[:, 0] > 0).astype(int) for p in model.parts)
    return {"lorry": Limbs(("back", "front"), of)}


@pytest.fixture(scope="module")
def play() -> VisibilityGrid:
    return visibility_grid_of(SCENE, models_at, limbs=limbs(), scale=1)


def test_every_second_frame_is_looked_at(play: VisibilityGrid) -> None:
    assert play.frames.tolist() == list(grid_of(FRAMES)) == [0, 2, 4]
    assert [play.at(f) for f in range(6)] == [0, 0, 1, 1, 2, 2]


def test_it_says_what_still_scenes_say(play: VisibilityGrid) -> None:
    """Cell by cell, against the sights that are computed for single pictures."""
    for g, frame in enumerate(play.frames):
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
                k = play.obj(s.object_id)
                assert play.px[view, g, k] == s.visible_px
                assert (play.alone_px[view, g, k], play.full_px[view, g, k]) == (s.amodal_px, s.full_px)
                assert tuple(play.boxes[view, g, k]) == s.box_px
                own = play.parts_of(k)
                assert {n: int(play.part_px[view, g, own[n]]) for n in own} == s.part_px
                seen = {play.objects[j]: int(c) for j, c in enumerate(play.hidden_px[view, g, k]) if c}
                assert seen == {c.object_id: c.seen_px for c in s.covers if c.seen_px}


def test_what_is_not_there_has_no_pixels_and_no_place(play: VisibilityGrid) -> None:
    k = play.obj("ball")
    assert play.there[:, k].tolist() == [f >= COMES for f in range(FRAMES)]
    assert not play.px[:, 0, k].any()
    assert play.px[:, 1:, k].any()
    assert np.isnan(play.centres_m[:COMES, k]).all()
    assert np.isfinite(play.centres_m[COMES:, k]).all()


def test_limbs_share_out_the_pixels_and_follow_their_object(play: VisibilityGrid) -> None:
    lorry = play.obj("lorry")
    own = play.limbs_of(lorry)
    assert list(own) == ["back", "front"]
    assert (play.limb_px[..., list(own.values())].sum(axis=-1) == play.px[..., lorry]).all()
    # The lorry is stiff, and its limbs are told in its own frame: they do not move.
    assert np.ptp(play.limb_centres_m[:, list(own.values())], axis=0).max() < 1e-9
    assert play.limb_centres_m[0, own["front"], 0] > 0.2


def test_half_the_resolution_finds_about_the_same(play: VisibilityGrid) -> None:
    coarse = visibility_grid_of(SCENE, models_at, scale=2)
    assert (coarse.px % 4 == 0).all()
    assert np.abs(coarse.px - play.px).max() < 0.15 * play.px.max()


def test_drawing_what_stands_still_once_changes_nothing(play: VisibilityGrid) -> None:
    alone = visibility_grid_of(SCENE, models_at, grid=(4,), limbs=limbs(), scale=1)
    assert np.array_equal(alone.px[:, 0], play.px[:, 2])
    assert np.array_equal(alone.part_px[:, 0], play.part_px[:, 2])


@pytest.mark.parametrize("grid", [(2, 0), (0, 0), (0, FRAMES), (-1, 2)])
def test_a_grid_that_leaves_the_film_is_refused(grid: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="correct the grid"):
        visibility_grid_of(SCENE, models_at, grid=grid)


def test_what_was_written_is_read_and_the_same_play_gives_the_same_bytes(
    play: VisibilityGrid, tmp_path: Path
) -> None:
    write_visibility_grid(tmp_path / "a.npz", play)
    write_visibility_grid(tmp_path / "b.npz", play)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    again = read_visibility_grid(tmp_path / "a.npz")
    for f in fields(VisibilityGrid):
        mine, theirs = getattr(play, f.name), getattr(again, f.name)
        same = np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f") if isinstance(
            mine, np.ndarray
        ) else mine == theirs  # fmt: skip
        assert same, f.name


@pytest.mark.parametrize("keep", [0, 100, 0.5, 0.99])
def test_a_file_cut_short_is_refused(play: VisibilityGrid, tmp_path: Path, keep: float) -> None:
    path = tmp_path / "a.npz"
    write_visibility_grid(path, play)
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data)) if keep < 1 else int(keep)])
    with pytest.raises(DataError, match="not a valid file of arrays"):
        read_visibility_grid(path)
