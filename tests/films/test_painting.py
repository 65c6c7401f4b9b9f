"""Pictures of films: on white, where the truth sees objects, in colours that can be told from every side."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.assets.model import Material, Model
from fathom.assets.palette import BODY_COLORS
from fathom.assets.shapes import ellipsoid
from fathom.assets.shapes import part as shape
from fathom.ground_truth.cells import cells_of
from fathom.inference.pictures import decode_picture
from fathom.media.images import inspect_image
from fathom.media.video import probe, read_frames
from fathom.records import InputError, Scene, still_path
from fathom.render.animated import RenderLook, painted
from fathom.render.frame_writer import joined, make_film, make_stills
from fathom.render.panorama import irradiance
from fathom.render.variants import SLOW, Engine
from fathom.render.white_background import studio_light
from fathom.store.datasets import has_film
from tests.films.staged import COMES, film, models_at, objects
from tests.needed import needs

pytestmark = needs("mitsuba", "pyoidn")

SCALAR = Engine(SLOW)
LIGHT = Material("paint", (0.8, 0.8, 0.8), roughness=0.6)
SCENE = film()
LOOK = RenderLook()


@pytest.fixture(scope="module")
def pictures() -> dict[tuple[int, int], np.ndarray]:
    return dict(painted(SCENE, models_at, [(v, f) for v in (0, 2) for f in (0, COMES)], SCALAR, LOOK))


def test_cells_come_by_frame_and_then_by_view(pictures: dict[tuple[int, int], np.ndarray]) -> None:
    assert list(pictures) == [(0, 0), (2, 0), (0, COMES), (2, COMES)]


def test_the_background_is_exactly_white_and_objects_are_where_the_truth_sees_them(
    pictures: dict[tuple[int, int], np.ndarray],
) -> None:
    for (view, frame), pixels in pictures.items():
        cell = next(cells_of(SCENE, models_at(frame), frame, [view]))
        mask = np.pad(cell.ids >= 0, 1)
        near = sum(
            mask[1 + y : mask.shape[0] - 1 + y, 1 + x : mask.shape[1] - 1 + x].astype(int)
            for y in (-1, 0, 1) for x in (-1, 0, 1)
        )  # fmt: skip
        white = (pixels == 255).all(axis=-1)
        assert white[near == 0].all()
        assert not white[near == 9].any()


def test_what_is_not_there_yet_is_not_painted(pictures: dict[tuple[int, int], np.ndarray]) -> None:
    def red(pixels: np.ndarray) -> int:
        r, g, b = np.moveaxis(pixels.astype(int), -1, 0)
        return int(np.count_nonzero(r > 2 * np.maximum(g, b)))

    assert red(pictures[0, 0]) == 0
    assert red(pictures[0, COMES]) > 20


def test_the_studio_is_about_as_bright_from_every_side() -> None:
    sides = [(np.cos(a), np.sin(a), 0.0) for a in np.arange(12) * np.pi / 6]
    level = np.array([irradiance(studio_light(), n)[0] / np.pi for n in sides])
    assert 0.7 < level.min() <= level.max() < 1.15
    assert level.max() / level.min() < 1.35


def _always(models: Mapping[str, Model], frame: int) -> Mapping[str, Model]:
    return models


def test_the_body_colours_look_as_they_are_named_seen_from_both_sides() -> None:
    model, _ = objects()["block"]
    for k, (name, color) in enumerate(BODY_COLORS.items()):
        part = replace(model.parts[0], material=Material("body", color, roughness=0.6))
        alone: Scene = msgspec.structs.replace(SCENE, objects=(SCENE.objects[1],))
        models = {"block": Model("b", "prop", "b", (part,))}
        # Of the first from both sides, of the others from one side or the other in turn.
        cells = [(0, 0), (2, 0)] if k == 0 else [(2 * (k % 2), 0)]
        for _, pixels in painted(alone, partial(_always, models), cells, SCALAR, LOOK):
            solid = pixels[(pixels != 255).any(axis=-1)].astype(float)
            middle = np.median(solid, axis=0) / 255
            assert np.abs(middle - color).max() < 0.2, name


def test_a_coarse_smooth_body_has_no_black_rim() -> None:
    """At its rim the normals of a body of few faces lean away from the camera on faces that show."""
    coarse = shape("ball", ellipsoid((0.0, 0.0, 0.0), (0.3, 0.3, 0.3), 4, 3), LIGHT, crease_deg=180.0)
    large = film(size=128)
    alone: Scene = msgspec.structs.replace(large, objects=(large.objects[1],))
    models = {"block": Model("b", "prop", "b", (coarse,))}
    for _, pixels in painted(alone, partial(_always, models), [(0, 0), (1, 0)], SCALAR, LOOK):
        assert pixels.max(axis=-1).min() > 100


def test_a_shadow_darkens_what_is_below_and_nothing_far_away() -> None:
    ((_, plain),) = painted(SCENE, models_at, [(0, 0)], SCALAR, LOOK)
    ((_, shaded),) = painted(SCENE, models_at, [(0, 0)], SCALAR, RenderLook(shadow=True))
    darker = (plain.astype(int) - shaded).max(axis=-1)
    assert 20 < np.count_nonzero(darker > 10) < 1200
    assert (shaded[:6] == 255).all()


def test_a_film_in_an_environment_has_a_ground() -> None:
    outside = film(environment="sky:veiled-sun")
    ((_, pixels),) = painted(outside, models_at, [(1, 0)], SCALAR, LOOK)
    assert (pixels == 255).all(axis=-1).mean() < 0.2


def test_an_empty_cell_is_all_white() -> None:
    ((_, pixels),) = painted(SCENE, lambda _: {}, [(0, 0)], SCALAR, LOOK)
    assert (pixels == 255).all()


@pytest.mark.parametrize("cell", [(4, 0), (0, 6), (-1, 0)])
def test_a_cell_that_the_film_does_not_have_is_refused(cell: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="correct what is asked for"):
        next(painted(SCENE, models_at, [cell], SCALAR, LOOK))


def test_stills_lie_beside_the_film_and_their_record_says_which(tmp_path: Path) -> None:
    first, second = make_stills(tmp_path, SCENE, models_at, {2: (0, 4), 0: (4,)}, SCALAR, LOOK)
    assert (first.id, second.id) == (f"{SCENE.id}/view_0", f"{SCENE.id}/view_2")
    assert second.path == f"media/{SCENE.id}/view_2_rgb_white_bg.mp4"
    assert (second.frames, second.fps, second.size, second.view) == (6, 12.0, (64, 64), 2)
    assert list(second.stills) == [0, 4]
    for frame, sha256 in second.stills.items():
        data = (tmp_path / still_path(second, frame)).read_bytes()
        assert hashlib.sha256(data).hexdigest() == sha256
        assert inspect_image(data, "still").mime == "image/png"
    assert not has_film(second)
    assert not (tmp_path / second.path).exists()


def test_a_film_shows_what_its_stills_show(tmp_path: Path) -> None:
    scene: Scene = msgspec.structs.replace(SCENE, times_s=SCENE.times_s[:3])
    (whole,) = make_film(tmp_path, scene, models_at, [1], SCALAR, LOOK)
    stills = make_stills(tmp_path, scene, models_at, {1: (2,)}, SCALAR, LOOK)
    assert probe(tmp_path / whole.path).frames == 3
    (frame,) = read_frames(tmp_path / whole.path, [2])
    still = decode_picture((tmp_path / still_path(whole, 2)).read_bytes(), "still")
    assert np.abs(frame.astype(int) - still).mean() < 3
    (record,) = joined([*stills, whole])
    assert (record.sha256, list(record.stills)) == (whole.sha256, [2])
    assert has_film(record)
    assert joined([whole, *stills]) == (record,)


def test_stills_made_in_two_goes_become_one_record(tmp_path: Path) -> None:
    once = make_stills(tmp_path, SCENE, models_at, {1: (0, 2)}, SCALAR, LOOK)
    twice = joined(
        [*make_stills(tmp_path, SCENE, models_at, {1: (2,)}, SCALAR, LOOK),
         *make_stills(tmp_path, SCENE, models_at, {1: (0,)}, SCALAR, LOOK)]
    )  # fmt: skip
    assert [list(m.stills) for m in twice] == [list(m.stills) for m in once]


def test_an_unknown_quality_is_refused() -> None:
    with pytest.raises(InputError, match="expected one of draft, preview, final"):
        next(painted(SCENE, models_at, [(0, 0)], SCALAR, RenderLook("best")))
