"""Mirror images: scenes are reflected as they must be, answers follow by rule and by program alike."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import fathom
from fathom.assets.furniture.catalogue import FURNITURE, furniture_model
from fathom.assets.model import mirrored_model
from fathom.assets.shapes import volume
from fathom.geometry.cameras import project
from fathom.programs.engine import run
from fathom.programs.views.video import video_view
from fathom.questions.contexts.video_visibility import seen_by
from fathom.questions.writing.viewpoints import in_the_mirror
from fathom.records import Camera
from fathom.scenes.mirroring import mirrored
from tests.viewpoints.conftest import RECIPE, SeenRoom


def test_mirrored_twice_a_scene_is_what_it_was(rooms: list[SeenRoom]) -> None:
    for room in rooms[:3]:
        again = mirrored(mirrored(room.scene))
        for one, other in zip(room.scene.objects, again.objects, strict=True):
            for a, b in zip(one.poses, other.poses, strict=True):
                assert a.position_m == b.position_m
                assert abs(np.dot(a.rotation_wxyz, b.rotation_wxyz)) == pytest.approx(1.0)


def test_what_is_seen_at_the_left_is_seen_at_the_right(rooms: list[SeenRoom]) -> None:
    for room in rooms[:3]:
        other = mirrored(room.scene)
        camera, image = room.scene.cameras[0], other.cameras[0]
        for frame in range(len(camera.poses)):
            for one, two in zip(room.scene.objects, other.objects, strict=True):
                points = [np.array([o.poses[0].position_m]) for o in (one, two)]
                (x, y), depth = _seen(camera, frame, points[0])
                (u, v), far = _seen(image, frame, points[1])
                if depth > 0.1:
                    assert (camera.width - u, v, far) == pytest.approx((x, y, depth), abs=1e-3)


def _seen(camera: Camera, frame: int, points: np.ndarray) -> tuple[tuple[float, float], float]:
    pixels, depth = project(camera, points, frame)
    return (float(pixels[0][0]), float(pixels[0][1])), float(depth[0])


def test_rule_and_program_agree_about_every_mirror_image(rooms: list[SeenRoom]) -> None:
    turned = total = 0
    for room in rooms:
        tracks = seen_by(video_view(mirrored(room.scene)), room.visibility, RECIPE.seeing)
        for candidate in room.candidates:
            for view in candidate.views:
                found = run(view.program, tracks).value
                assert found == in_the_mirror(view.value), (candidate.form, view.value)
                turned += found != view.value
                total += 1
    assert total > 500 and turned > 50


def _levels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path), dtype=np.float64)


def _scene_lines(out: Path) -> dict[str, str]:
    lines = (out / "scenes.jsonl").read_text("utf-8").splitlines()
    return {json.loads(line)["id"]: line for line in lines}


def test_a_model_is_mirrored_left_and_right_and_stays_outside_out() -> None:
    model = furniture_model(FURNITURE["built-in:desk lamp"])
    other = mirrored_model(model)
    assert other.extents == pytest.approx(model.extents)
    for one, two in zip(model.parts, other.parts, strict=True):
        assert volume((two.vertices, two.faces)) == pytest.approx(volume((one.vertices, one.faces)))
        assert two.vertices[:, 1].max() == pytest.approx(-one.vertices[:, 1].min())


def test_a_set_with_mirror_images_is_scored_both_ways(painted: Path, tmp_path: Path) -> None:
    samples = list(fathom.load_dataset(painted))
    flips = [s for s in samples if s.question.tags.get("mirrored") == "yes"]
    assert flips and all(s.question.groups.flip == s.question.id.removesuffix("-flip") for s in flips)
    clocks = {room: "clock" in text for room, text in _scene_lines(painted).items()}
    assert set(clocks.values()) == {True, False}, "some rooms have a clock"
    for sample in {s.question.media[0]: s for s in flips}.values():
        name = sample.question.media[0]
        one, other = (_levels(painted / "media" / f"{n}.png") for n in (name, name.removesuffix("-flip")))
        off = np.abs(one - other[:, ::-1])
        # A room with a clock is painted anew, all of it mirrored but the clock.
        assert off.mean() < 6.0 if clocks[sample.question.scene] else off.max() == 0
        assert off.mean() < 0.5 * np.abs(one - other).mean()
    run_ = fathom.run(painted, "scripted:perfect", tmp_path / "run")
    scores = fathom.score(run_.path)
    assert all(s.question.groups.flip for s in samples)
    assert scores["accuracy_both"].value == 1.0 and scores["accuracy_both"].n == len(flips)
