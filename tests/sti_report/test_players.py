from __future__ import annotations

import json
import math
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fathom import api
from fathom.benchmarks.stibench import BENCHMARK
from fathom.benchmarks.stibench.depth import seen_tracks
from fathom.geometry.poses import rotation_matrix
from fathom.geometry.rigid import rigid_fit
from fathom.ground_truth.footage import as_filmed, footage
from fathom.inference.models.oracle_tracks import Noise, rolls_rad, with_errors
from fathom.inference.models.tracked import nearest_option, pinned
from fathom.programs.engine import Trace, run
from fathom.programs.views.video import VideoView, video_view
from fathom.records import DataError, Evidence, InputError, Question, Response, Step, Variant, without_answer
from fathom.scenes.videos.desktop import Desktop, draw_desktop, models_at
from fathom.scenes.viewpoints import draw_viewpoints
from fathom.store.datasets import Dataset
from fathom.store.runs import open_run
from tests.said import scored
from tests.sti_report.made import questions_of, video
from tests.tracks import worlds

FRAMES = tuple(np.linspace(0, 299, 30).astype(int).tolist())


def accuracy(run: Path, **group: str) -> float:
    for line in (run / "scores/fathom/scores.jsonl").read_text().splitlines():
        score = json.loads(line)
        if score["name"] == "accuracy" and score.get("group", {}) == group:
            return float(score["value"])
    raise AssertionError("not scored")


def said(run: Path) -> list[Response]:
    return list(open_run(run).responses())


def test_an_exact_oracle_is_always_right(runs: dict[str, Path]) -> None:
    scored(runs["exact"])
    assert accuracy(runs["exact"]) == 1.0


def test_errors_cost_small_scales_more_than_large_ones(runs: dict[str, Path]) -> None:
    scored(runs["noisy"])
    assert accuracy(runs["noisy"]) < 0.9
    assert accuracy(runs["noisy"], setting="desktop") < accuracy(runs["noisy"], setting="outdoor")


def test_an_oracle_that_is_shown_nothing_guesses(made: Dataset, tmp_path: Path) -> None:
    api.run_model(made.path, "oracle", tmp_path / "blind", protocol="blind")
    assert {r.finish for r in said(tmp_path / "blind")} == {"guessed"}


@pytest.mark.parametrize(
    ("model", "what"),
    [
        ("oracle:angle_sigma_deg=1,angle_sigma_rad=0.1", "say the same"),
        ("oracle:time_sigma_s=-1", "0 or more"),
        ("depth:frames=1", "2 and more"),
        ("depth:eyes=2", "no option 'eyes'"),
    ],
)
def test_options_that_cannot_be_are_refused(made: Dataset, tmp_path: Path, model: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        api.run_model(made.path, model, tmp_path / "run")


def test_depth_needs_the_truth_of_the_videos(made: Dataset, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is none"):
        api.run_model(made.path, "depth", tmp_path / "run")


def test_errors_grow_with_their_size_from_one_drawing() -> None:
    tracks = video_view(video("indoor", 0))
    small = with_errors(tracks, Noise(position_sigma_m=0.1), FRAMES, "0")
    large = with_errors(tracks, Noise(position_sigma_m=0.3), FRAMES, "0")
    assert (large.eyes_m - tracks.eyes_m) == pytest.approx(3 * (small.eyes_m - tracks.eyes_m))
    assert with_errors(tracks, Noise(), FRAMES, "0") is tracks


def test_errors_have_the_size_that_was_asked_for() -> None:
    found = [
        with_errors(video_view(video("indoor", k)), Noise(0.1, 0.02, 0.03), FRAMES, "0") for k in range(12)
    ]
    exact = [video_view(video("indoor", k)) for k in range(12)]
    knots = list(FRAMES)
    off = np.concatenate([a.eyes_m[knots] - b.eyes_m[knots] for a, b in zip(found, exact, strict=True)])
    late = np.concatenate([a.times_s[knots] - b.times_s[knots] for a, b in zip(found, exact, strict=True)])
    assert off.std() == pytest.approx(0.1, rel=0.1)
    assert late.std() == pytest.approx(0.02, rel=0.15)
    assert all((np.diff(a.times_s) > 0).all() for a in found)
    cosines = [
        (np.trace(a.views[k] @ b.views[k].T) - 1) / 2
        for a, b in zip(found, exact, strict=True)
        for k in knots
    ]
    assert np.sqrt(np.mean(np.arccos(np.clip(cosines, -1, 1)) ** 2) / 3) == pytest.approx(0.03, rel=0.1)


def test_what_stands_still_is_seen_to_stand_still() -> None:
    tracks = video_view(video("indoor", 0))
    found = with_errors(tracks, Noise(0.1, 0.0, 0.1), FRAMES, "0")
    assert (np.abs(found.positions_m[1:] - found.positions_m[1:, :1]) < 1e-12).all()
    assert np.ptp(found.positions_m[0] - tracks.positions_m[0], axis=0).max() > 0.05


def test_every_answer_is_its_own_nearest_option() -> None:
    for setting in ("desktop", "indoor", "outdoor"):
        scene = video(setting, 1)
        for question in questions_of(scene, numeric=False):
            answered = run(question.program, video_view(scene))
            if answered.numbers:
                assert nearest_option(question, answered) == question.answer, question.id


def test_angles_of_a_pose_are_near_around_the_circle() -> None:
    found = Trace((0.0, 0.0, 0.0, 179.0, 0.0, 0.0), "m m m deg deg deg", (0.1,) * 6)
    text = "position (0.0, 0.0, 0.0) m, yaw {}°, pitch 0°, roll 0°"
    choices = tuple(text.format(yaw) for yaw in ("170", "−178", "0", "90", "−90"))
    question = Question(id="q", task="t", text="?", answer=choices[0], choices=choices)
    assert nearest_option(question, found) == choices[1]


def test_a_way_of_another_form_is_told_by_all_of_it() -> None:
    found = Trace((2.0, 3.0, 88.0), "m m deg", (0.1, 0.1, 1.0), form=("straight", "straight", "left:spot"))
    choices = (
        "Goes straight for 5.0 m, then turns left by 90° on the spot.",
        "Goes straight for 9.0 m, then turns left by 40° on the spot.",
    )
    question = Question(id="q", task="t", text="?", answer=choices[0], choices=choices)
    assert nearest_option(question, found) == choices[0]


def test_who_is_meant_is_named_and_what_nothing_reads_is_left_out() -> None:
    scene = worlds.video([worlds.obj("a", (0, 0, 0)), worlds.obj("b", (1, 0, 0), noun="box")])
    program = (
        Step(op="span", args=("0", "9")),
        Step(op="visible", inputs=(0,)),
        Step(op="named", inputs=(1,), args=("mug",)),
        Step(op="the", inputs=(2,)),
        Step(op="height", inputs=(3,)),
    )
    question = Question(
        id="q", task="t", text="?", answer="0.3 m", program=program,
        evidence=Evidence(objects=("a",), steps=((), ("a", "b"), ("a",), ("a",), ())),
    )  # fmt: skip
    assert [s.op for s in pinned(question)] == ["thing", "height"]
    assert run(pinned(question), video_view(scene)).value == run(program, video_view(scene)).value


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_a_rigid_motion_is_found_from_its_points(seed: int) -> None:
    g = np.random.default_rng(seed)
    rest, q, place = g.normal(size=(12, 3)), g.normal(size=4), g.normal(size=3)
    turn = rotation_matrix(tuple((q / np.linalg.norm(q)).tolist()))
    found, at = rigid_fit(rest, rest @ turn.T + place)
    assert found == pytest.approx(turn, abs=1e-9) and at == pytest.approx(place, abs=1e-9)


def test_true_depth_shows_where_objects_are_at_the_frames_shown() -> None:
    scene = msgspec.structs.replace(draw_desktop(3, "0", Desktop()), truth="")
    filmed, models = as_filmed(scene, models_at(scene, 0))
    frames = (0, 100, 200, 299)
    cells = {cell.frame: cell for cell in footage(filmed, models, frames, 128)}
    exact = video_view(scene)
    seen = seen_tracks(exact, [t.id for t in filmed.objects], cells)
    names = [t.id for t in filmed.objects]
    known = [k for k in range(len(exact.objects)) if seen.valid[k].all()]
    assert len(known) >= 3
    for k in known:
        place = names.index(exact.objects[k])
        watched = [f for f in frames if len(cells[f].objects[place].rest_m) > 20]
        off = np.linalg.norm(seen.positions_m[k, watched] - exact.positions_m[k, watched], axis=1)
        assert off.max() < 1e-3
        assert (seen.sizes_m[k] < exact.sizes_m[k] + 1e-3).all()
    assert np.abs(seen.eyes_m[list(frames)] - exact.eyes_m[list(frames)]).max() < 1e-9
    assert seen.frames == exact.frames


def test_a_number_is_asked_for_with_its_unit(made: Dataset) -> None:
    twin = next(q for q in made.questions() if not q.choices and q.tags["quantity"] == "azimuth_change")
    prompt = BENCHMARK.protocols["default"].prompt(without_answer(twin), Variant(), made.media)
    text = " ".join(p.text for p in prompt.parts if hasattr(p, "text"))
    assert "one number in degrees" in text and "side (left or right)" in text and "letter" not in text


def test_baselines_say_nothing_where_a_number_is_wanted(made: Dataset, runs: dict[str, Path]) -> None:
    numbers = {q.id for q in made.questions() if not q.choices}
    assert numbers and {r.text for r in said(runs["random"]) if r.question in numbers} == {""}


def test_degrees_and_radians_are_one_angle(made: Dataset, tmp_path: Path) -> None:
    texts = []
    for k, option in enumerate((f"angle_sigma_rad={math.radians(4)!r}", "angle_sigma_deg=4")):
        api.run_model(made.path, f"oracle:{option}", tmp_path / str(k))
        texts.append({r.question: r.text for r in said(tmp_path / str(k))})
    assert texts[0] == texts[1]


@given(st.integers(0, 10**6), st.floats(-170, 170), st.floats(-80, 80), st.floats(-180, 180))
def test_a_camera_is_rolled_as_far_as_it_was_turned(seed: int, roll: float, pitch: float, yaw: float) -> None:
    """Level, looking along x: right is −y, down −z. Then turned, tilted, rolled, in this order."""
    level = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    turned = _about(2, yaw) @ level @ _about(0, pitch) @ _about(2, roll)
    assert math.degrees(float(rolls_rad(turned[None])[0])) == pytest.approx(roll, abs=1e-6)


def _about(axis: int, angle_deg: float) -> NDArray[np.float64]:
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    found = np.eye(3)
    one, two = ((1, 2), (2, 0), (0, 1))[axis]
    found[one, one], found[one, two], found[two, one], found[two, two] = c, -s, s, c
    return found


@pytest.fixture(scope="module")
def viewed() -> list[VideoView]:
    """Rooms seen from level cameras and from others."""
    return [video_view(draw_viewpoints(k, "tests")) for k in (0, 4)]


@pytest.mark.parametrize("noise", [Noise(roll_sigma_rad=0.3, pitch_sigma_rad=0.2), Noise(upright=True)])
def test_who_does_not_know_how_the_camera_is_held_still_sees_the_same_before_it(
    viewed: list[VideoView], noise: Noise
) -> None:
    for tracks in viewed:
        found = with_errors(tracks, noise, (), "0")
        before = np.einsum("fji,tfj->tfi", tracks.views, tracks.positions_m - tracks.eyes_m)
        after = np.einsum("fji,tfj->tfi", found.views, found.positions_m - found.eyes_m)
        assert np.allclose(before, after, atol=1e-9), "the same places before the camera"
        own = np.swapaxes(tracks.views, 1, 2) @ tracks.rotations
        assert np.allclose(own, np.swapaxes(found.views, 1, 2) @ found.rotations, atol=1e-9)
        assert np.array_equal(found.eyes_m, tracks.eyes_m)


def test_who_takes_pictures_to_be_upright_is_right_about_level_cameras_alone(viewed: list[VideoView]) -> None:
    wrong = same_places = 0
    for tracks in viewed:
        found = with_errors(tracks, Noise(upright=True), (), "0")
        assert np.allclose(rolls_rad(found.views), 0, atol=1e-9)
        for frame, roll in enumerate(np.degrees(rolls_rad(tracks.views)).tolist()):
            same = np.allclose(found.positions_m[:, frame], tracks.positions_m[:, frame], atol=1e-6)
            assert same == (abs(roll) < 1e-4)
            wrong += not same
            same_places += same
    assert wrong > 1 and same_places > 1
