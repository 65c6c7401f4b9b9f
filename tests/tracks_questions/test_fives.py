"""Turns and poses of the camera: five that cameras of the build had at one time, and any of them is right."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from fathom.programs.engine import Trace
from fathom.questions.balancing.camera_paces import CameraPaces, least_apart, paced_like
from fathom.questions.balancing.video_fives import among_the_same, fives
from fathom.questions.candidate import Selection
from fathom.questions.numeric.separation import Slot
from fathom.questions.video_candidate import OptionPlan, VideoCandidate, VideoSelected
from fathom.questions.writing.video import drawn_of
from tests.tracks_questions.conftest import RECIPE

MIRROR = np.array([-1.0, 1.0, 1.0, -1.0, 1.0, -1.0])
TIME = "5.16"


@pytest.fixture(scope="module")
def poses(candidates: list[VideoCandidate]) -> list[VideoCandidate]:
    found = [d for d in candidates if d.template.asks == "pose" and abs(float(d.times[0]) - 5.16) < 0.2]
    return [d for d in found if d.times == found[0].times]


def rows_of(plan: OptionPlan) -> np.ndarray:
    return np.array([plan.candidate.answered.numbers, *plan.others])


def test_the_options_are_poses_of_five_cameras_at_one_time_or_those_in_a_mirror(
    poses: list[VideoCandidate],
) -> None:
    plans = [p for k in range(20) for p in fives(poses, Slot(-1, "middle"), ("true", k))]
    assert len(plans) > 40 and {s for p in plans for s in p.sides} == {-1, 1}
    for plan in plans:
        assert len({plan.candidate.scene, *(d.scene for d in plan.beside)}) == 5
        for numbers, other, side in zip(plan.others, plan.beside, plan.sides, strict=True):
            assert other.times == plan.candidate.times
            true = np.array(other.answered.numbers) * (MIRROR if side < 0 else 1)
            assert np.allclose(numbers, true)


def test_cars_are_not_turned_round(poses: list[VideoCandidate]) -> None:
    street = [replace(d, setting="outdoor") for d in poses]
    plans = list(fives(street, Slot(-1, "easy"), ("street",)))
    assert plans and all(set(p.sides) == {1} for p in plans)


def test_whoever_knows_how_cameras_are_carried_is_at_chance(poses: list[VideoCandidate]) -> None:
    """The first of the five is as likely the nearest to the start, the most turned, or the highest."""
    drawn = [next(fives(poses, Slot(-1, "easy"), ("chance", k)), None) for k in range(600)]
    rows = np.array([rows_of(plan) for plan in drawn if plan])
    assert len(rows) > 400
    for told in (np.linalg.norm(rows[..., :3], axis=2), np.abs(rows[..., 3]), rows[..., 1], rows[..., 4]):
        places = told.argsort(axis=1).argsort(axis=1)[:, 0]
        shares = np.bincount(places, minlength=5) / len(rows)
        assert shares == pytest.approx(np.full(5, 0.2), abs=3.5 * 0.4 / np.sqrt(len(rows)))


def test_what_is_asked_of_one_camera_is_asked_among_the_same_cameras(
    selection: Selection[VideoSelected],
) -> None:
    by_scene: dict[str, list[OptionPlan]] = defaultdict(list)
    for p in selection.selected:
        if p.candidate.is_among_cameras:
            by_scene[p.candidate.scene].append(p.plan)
    assert any(len(plans) > 1 for plans in by_scene.values())
    for plans in by_scene.values():
        beside = [
            {d.scene: s for d, s in zip(p.beside, p.sides, strict=True)}
            for p in plans
        ]  # fmt: skip
        assert all(b == beside[0] for b in beside)


def test_no_five_among_the_same_where_one_of_them_cannot_be_asked_about(poses: list[VideoCandidate]) -> None:
    plan = next(fives(poses, Slot(-1, "easy"), ("again",)))
    beside = {d.scene: s for d, s in zip(plan.beside, plan.sides, strict=True)}
    again = among_the_same(plan.candidate, beside, plan.beside, plan.slot)
    assert again is not None and np.allclose(rows_of(again), rows_of(plan))
    assert among_the_same(plan.candidate, beside, plan.beside[1:], plan.slot) is None


def test_beside_a_pose_each_of_its_five_cameras_fits_the_way_and_the_speed_that_are_asked(
    selection: Selection[VideoSelected], candidates: list[VideoCandidate]
) -> None:
    """Nothing of the one question tells which option of the other is right: they are of the same cameras."""
    poses = {p.candidate.scene: p for p in selection.selected if p.candidate.template.asks == "pose"}
    beside = [p for p in selection.selected if p.candidate.is_pace and p.candidate.scene in poses]
    assert beside
    places = {(d.scene, *d.times): d.answered.numbers[:3] for d in candidates if d.template.asks == "pose"}
    checked = 0
    for p in beside:
        cameras = [d.scene for d in poses[p.candidate.scene].plan.beside]
        assert len(p.plan.others) == len(cameras) == 4
        for scene, (told,) in zip(cameras, p.plan.others, strict=True):
            if p.candidate.template.id == "camera_moved":
                start, end = (np.array(places.get((scene, t), np.zeros(3))) for t in p.candidate.times)
                assert told == pytest.approx(np.linalg.norm(end - start))
                checked += 1
    alone = [p for p in selection.selected if p.candidate.is_pace and p.candidate.scene not in poses]
    assert alone and checked and all(not p.plan.others for p in alone if p.candidate.scene not in poses)


def test_ways_of_the_same_cameras_are_as_far_apart_as_can_be_told_whichever_is_asked_about(
    candidates: list[VideoCandidate],
) -> None:
    paces = CameraPaces(candidates)
    ways = [d for d in candidates if d.template.id == "camera_moved"]
    scenes = sorted({d.scene for d in candidates})
    found = 0
    for d in ways:
        for k in range(0, len(scenes) - 4, 2):
            four = [s for s in scenes[k : k + 5] if s != d.scene][:4]
            plan = paced_like(d, four, paces)
            values = np.sort([d.value, *(o for (o,) in plan.others)]) if plan else np.zeros(0)
            if plan:
                assert (1 - values[:-1] / values[1:]).min() >= 1.12 * d.known
                found += 1
    assert found > 10
    assert paced_like(ways[0], ("elsewhere", *scenes[:3]), paces) is None


def test_how_far_apart_ways_must_be_is_the_same_whichever_of_the_five_is_asked_about(
    candidates: list[VideoCandidate],
) -> None:
    way = next(d for d in candidates if d.template.id == "camera_moved")
    values = np.array([0.2, 0.3, 0.45, 0.7, 1.1])
    own = [
        replace(way, scale=0.05, precision=float(np.hypot(0.05 * v, 0.02)), answered=number_of(way, v))
        for v in values
    ]
    found = [least_apart(d, values) for d in own]
    assert all(np.allclose(f, found[0]) for f in found) and (found[0] > 0.05 * values[1:]).all()


def number_of(way: VideoCandidate, value: float) -> Trace:
    return replace(way.answered, value=float(value))


def test_digits_of_poses_do_not_tell_which_of_the_five_is_asked_about(poses: list[VideoCandidate]) -> None:
    street = [replace(d, setting="outdoor") for d in poses]
    plan = next(fives(street, Slot(-1, "easy"), ("digits",)))
    five = (plan.candidate, *plan.beside)
    known = [replace(d, known=d.known * (1 + k)) for k, d in enumerate(five)]
    assert len({d.known for d in known}) > 1
    texts = set()
    for one in known:
        beside = {d.scene: 1 for d in known if d is not one}
        again = among_the_same(one, beside, known, plan.slot)
        assert again is not None
        drawn = drawn_of(again, RECIPE)
        assert drawn is not None
        texts.add(frozenset(drawn.options.texts))
    assert len(texts) == 1
