"""No two questions of a video ask nearly the same, or tell one another's answer."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from fathom.benchmarks.stibench.construction import templates
from fathom.questions.balancing.option_places import OptionPlaces
from fathom.questions.balancing.video import chosen
from fathom.questions.balancing.video_selection import VideoSampler
from fathom.questions.repeating.video import goes_with, repeats
from fathom.questions.video_candidate import VideoCandidate
from tests.tracks_questions.conftest import RECIPE

FORM = {f.id: f for f in templates().templates}


def with_span(
    d: VideoCandidate, start: float, end: float, moves: tuple[float, float] | None
) -> VideoCandidate:
    return replace(d, times=(f"{start}", f"{end}"), span_s=(start, end), moves_s=moves)


def test_the_same_motion_is_asked_about_once(candidates: list[VideoCandidate]) -> None:
    moved = next(d for d in candidates if d.template.id == "moved")
    one, other = with_span(moved, 0.0, 9.0, (4.0, 6.0)), with_span(moved, 3.0, 7.0, (4.0, 6.0))
    assert repeats(one, other)
    assert not repeats(one, with_span(moved, 0.0, 4.0, (1.0, 4.0)))
    assert repeats(one, with_span(moved, 1.0, 9.0, (1.0, 4.0)))
    path = replace(other, template=FORM["path"])
    assert repeats(one, path)
    camera = next(d for d in candidates if d.template.id == "camera_moved")
    assert repeats(with_span(camera, 0.0, 5.0, None), with_span(camera, 1.0, 5.0, None))
    assert not repeats(with_span(camera, 0.0, 5.0, None), with_span(camera, 3.0, 9.0, None))


def test_a_pose_tells_the_way_and_the_turn_from_the_start(candidates: list[VideoCandidate]) -> None:
    pose = next(d for d in candidates if d.template.id == "pose")
    at = replace(pose, times=("6.0",), span_s=(0.0, 9.97))
    for form in ("camera_moved", "turned"):
        camera = next(d for d in candidates if d.template.id == form)
        whole = with_span(camera, 0.33, 6.0, None)
        assert repeats(at, whole) and repeats(whole, at)
        assert not repeats(at, with_span(camera, 3.0, 6.0, None))
    change = next(d for d in candidates if d.template.id == "camera_mean_acceleration")
    assert not repeats(at, with_span(change, 0.0, 6.0, None))
    assert not repeats(at, replace(at, times=("3.0",))) and repeats(at, replace(at, times=("4.5",)))


def test_a_pose_and_a_way_go_together_whenever_they_are(candidates: list[VideoCandidate]) -> None:
    pose = next(d for d in candidates if d.template.id == "pose")
    at = replace(pose, times=("3.0",), span_s=(0.0, 9.97))
    for form in ("camera_moved", "camera_average_speed", "camera_velocity", "camera_path"):
        later = with_span(next(d for d in candidates if d.template.id == form), 5.0, 9.0, None)
        assert goes_with(at, later) and goes_with(later, at) and not repeats(at, later)
    assert goes_with(at, next(d for d in candidates if d.template.id == "camera_speed"))
    moved = next(d for d in candidates if d.template.id == "moved")
    assert not goes_with(at, with_span(moved, 5.0, 9.0, None))
    sampler = VideoSampler(RECIPE, OptionPlaces(RECIPE, {}))
    way = next(d for d in candidates if d.template.id == "camera_moved" and d.scene == pose.scene)
    way = with_span(way, 0.0, 2.0, None)
    sampler.asked.add(replace(pose, times=("9.0",)))
    assert not sampler.has_room(way) and sampler.has_room_among(way)


def test_where_an_object_is_and_how_far_away_are_not_both_asked(candidates: list[VideoCandidate]) -> None:
    place = next(d for d in candidates if d.template.id == "centre")
    other = next(d for d in candidates if d.template.id == "camera_distance")
    far = replace(other, objects=place.objects, scene=place.scene)
    assert repeats(place, far) and repeats(far, place)
    assert repeats(replace(place, times=("0.0",)), replace(far, times=("9.0",)))
    assert not repeats(place, replace(far, objects=("another",)))
    between = next(d for d in candidates if d.template.id == "distance")
    assert not repeats(place, replace(between, objects=(*place.objects, "another")))


def test_a_trajectory_of_the_camera_is_asked_beside_none_of_its_turns_and_poses(
    candidates: list[VideoCandidate],
) -> None:
    told = next(d for d in candidates if d.template.id == "camera_trajectory")
    early, late = with_span(told, 0.0, 3.0, None), with_span(told, 6.0, 9.0, None)
    assert not repeats(early, late)
    for form in ("turned", "turned_signed", "pose"):
        other = next(d for d in candidates if d.template.id == form)
        after = replace(other, times=("8.0",)) if form == "pose" else with_span(other, 6.0, 9.0, None)
        assert repeats(early, after) and repeats(after, early)


def test_orders_at_one_time_have_less_than_a_pair_in_common(candidates: list[VideoCandidate]) -> None:
    order = next(d for d in candidates if d.template.id == "order_away")
    one = replace(order, objects=("a", "b", "c"), times=("4.0",), span_s=(0.0, 9.97))
    assert repeats(one, replace(one, objects=("d", "b", "a"), times=("5.0",)))
    assert not repeats(one, replace(one, objects=("d", "e", "a"), times=("5.0",)))
    assert not repeats(one, replace(one, objects=("d", "b", "a"), times=("8.0",)))
    assert not repeats(one, replace(one, template=FORM["order_across"]))


def test_a_distance_at_a_time_may_be_the_least_of_a_span_around_it(candidates: list[VideoCandidate]) -> None:
    near = next(d for d in candidates if d.template.id == "closest_approach")
    far = replace(near, template=FORM["camera_distance"], times=("4.0",), span_s=(0.0, 10.0))
    assert repeats(far, with_span(near, 3.0, 6.0, None)) and repeats(with_span(near, 3.0, 6.0, None), far)
    assert not repeats(far, with_span(near, 5.0, 9.0, None))


def test_two_trajectories_are_options_where_both_could_be_asked_about(
    candidates: list[VideoCandidate],
) -> None:
    told = [d for d in candidates if d.template.asks == "trajectory"]
    picked = chosen(told, {("trajectory_description", "desktop"): 8}, RECIPE).selected
    assert len(picked) >= 2
    options = [d for p in picked for d in (p.candidate, *p.plan.beside)]
    assert len(options) == 5 * len(picked)
    for one, other in combinations(options, 2):
        assert one.scene != other.scene or not repeats(one, other)


def test_a_question_that_is_asked_no_more_leaves_its_trajectories(candidates: list[VideoCandidate]) -> None:
    told = [d for d in candidates if d.template.asks == "trajectory"]
    (picked,) = chosen(told, {("trajectory_description", "desktop"): 1}, RECIPE).selected
    sampler = VideoSampler(RECIPE, OptionPlaces(RECIPE, {}))
    assert sampler.take(picked.plan)
    assert not any(map(sampler.has_room, (picked.candidate, *picked.plan.beside)))
    sampler.leave(sampler.selection.selected[0])
    assert all(map(sampler.has_room, (picked.candidate, *picked.plan.beside)))
