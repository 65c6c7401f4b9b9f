"""Turns and poses of the camera: five that cameras of the build had at one time, and any of them is right."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from fathom.questions.balancing.video_fives import among_the_same, fives
from fathom.questions.candidate import Selection
from fathom.questions.numeric.separation import Slot
from fathom.questions.video_candidate import OptionPlan, VideoCandidate, VideoSelected

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
    from dataclasses import replace

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
