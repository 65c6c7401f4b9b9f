"""What is asked of two viewpoints: both derivations agree, whatever could be asked, and laws hold."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import heading_rad, pose_at
from fathom.programs.engine import run
from fathom.programs.views.video import VideoView, video_view
from fathom.questions.contexts.video_visibility import seen_by
from fathom.questions.view_candidate import ViewCandidate
from fathom.records import Scene, Step
from fathom.scenes.videos.boxes import boxes_at, within
from fathom.verify.engine import derive
from tests.viewpoints.conftest import RECIPE, SeenRoom

HANGS_ON_THE_CAMERA = ("location_closer_to_camera", "orientation_viewpoint")
TURNED = {"first": "second", "second": "first"}


def _every(rooms: list[SeenRoom]) -> list[tuple[SeenRoom, ViewCandidate]]:
    return [(room, c) for room in rooms for c in room.candidates]


def test_all_types_are_offered(worlds: list[SeenRoom]) -> None:
    counts = Counter(c.template.task for _, c in _every(worlds))
    assert len(counts) == 12 and min(counts.values()) > 3


def test_nothing_that_could_be_asked_has_two_answers(worlds: list[SeenRoom]) -> None:
    """The second derivation decides nearly everything, and never otherwise than the first."""
    undecided = total = 0
    for room, candidate in _every(worlds):
        for view in candidate.views:
            total += 1
            second = derive(view.program, room.observed)
            undecided += second is None
            assert second is None or second.word == view.value, (candidate.words, candidate.form)
    assert total > 1000 and undecided < 0.2 * total


def test_what_does_not_hang_on_the_camera_is_the_same_from_both(worlds: list[SeenRoom]) -> None:
    differ: Counter[str] = Counter()
    for _, candidate in _every(worlds):
        if candidate.template.task not in HANGS_ON_THE_CAMERA:
            assert candidate.values[0] == candidate.values[1] and len(set(candidate.values[2:])) < 2
        else:
            differ[candidate.template.task] += candidate.values[0] != candidate.values[1]
    assert sum(differ.values()) > 0


def test_two_objects_in_the_other_order_have_the_other_answer(worlds: list[SeenRoom]) -> None:
    """Which of two is higher, or nearer, does not hang on who is named first."""
    turned = 0
    for room, candidate in _every(worlds):
        if candidate.template.quantity not in ("higher_of", "nearer_of", "parallel", "next_to"):
            continue
        tracks = seen_by(video_view(room.scene), room.visibility, RECIPE.seeing)
        for view in candidate.views:
            last = view.program[-1]
            one, other, when = last.inputs
            program = (*view.program[:-1], msgspec.structs.replace(last, inputs=(other, one, when)))
            found = run(program, tracks)
            assert found.value == TURNED.get(view.value, view.value)
            turned += 1
    assert turned > 100


TURNS = [(0.0, 30.0), (120.0, 180.0)]
ASKED = {
    "room": {
        "higher_of": [(0.1, 0.6)],
        "next_to": [(0.0, 0.35), (2.2, 4.0)],
        "nearer_of": [(0.35, 1.8)],
        "closer_of": [(0.35, 1.8)],
        "same_direction": TURNS,
    },
    "street": {
        "higher_of": [(0.25, 1.2)],
        "next_to": [(0.0, 2.5), (4.0, 12.0)],
        "nearer_of": [(0.8, 6.0)],
        "closer_of": [(1.0, 6.0)],
        "same_direction": TURNS,
    },
}
"""Operator → between which numbers, in its unit, a room and a street are asked about."""


def test_what_people_would_not_see_at_once_is_not_asked_and_neither_is_what_is_plain(
    worlds: list[SeenRoom],
) -> None:
    seen: Counter[str] = Counter()
    for world, candidate in _every(worlds):
        asked = ASKED["street" if world.scene.source["room"] == "street" else "room"]
        for view in candidate.views:
            margin, spans = view.answered.margin, asked.get(candidate.template.quantity, [])
            assert margin is not None
            inside = [k for k, (low, high) in enumerate(spans) if low <= margin.value <= high]
            assert not spans or inside, (candidate.words, margin)
            seen[f"{candidate.template.quantity} {inside[0] if inside else ''}"] += 1
    assert {"next_to 0", "next_to 1", "same_direction 0", "same_direction 1"} <= set(seen)


def test_what_is_directly_above_is_well_over_the_other_and_what_is_not_is_clear_of_it(
    rooms: list[SeenRoom],
) -> None:
    values: Counter[str] = Counter()
    for room, candidate in _every(rooms):
        if candidate.template.quantity != "above":
            continue
        for k, view in enumerate(candidate.views):
            one, other = (_plan(room.scene, name, k) for name in candidate.objects)
            small, large = sorted((one[0], other[0]), key=lambda c: math.dist(*c[:2]) * math.dist(*c[1:3]))
            shared = within(_grid(small), large).mean()
            apart = np.linalg.norm(_grid(small)[:, None] - _grid(large)[None], axis=-1).min()
            clear = apart > 0.24 or one[1] <= other[1] - 0.1
            assert shared > 0.5 if view.value == "yes" else clear, candidate.words
            values[view.value] += 1
    assert min(values["yes"], values["no"]) > 5


def _grid(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 2) points all over a footprint (4, 2)."""
    u, v = (x.reshape(-1, 1) for x in np.meshgrid(np.linspace(0, 1, 21), np.linspace(0, 1, 21)))
    return np.asarray(corners[0] + u * (corners[1] - corners[0]) + v * (corners[3] - corners[0]))


def _plan(scene: Scene, name: str, frame: int) -> tuple[NDArray[np.float64], float]:
    """Return the corners of an object's footprint and how high its middle is."""
    obj = next(o for o in scene.objects if o.id == name)
    pose = pose_at(obj.poses, frame)
    box = boxes_at(obj.size_m, np.array([pose.position_m]), np.array([heading_rad(pose)]))
    return box.corners[0], pose.position_m[2] + obj.size_m[2] / 2


def test_names_fit_one_object_of_the_room(rooms: list[SeenRoom]) -> None:
    for room, candidate in _every(rooms):
        for words in candidate.words:
            noun = words.removeprefix("the ")
            said = [o.attributes for o in room.scene.objects if "name" in o.attributes]
            fitting = [a for a in said if noun in (a["name"], f"{a['color']} {a['name']}")]
            assert len(fitting) == 1, words


def test_programs_look_at_the_picture_that_is_asked_about(worlds: list[SeenRoom]) -> None:
    for _, candidate in _every(worlds):
        times = [next(s.args for s in v.program if s.op == "at") for v in candidate.views]
        assert times == [("0.0",), ("1.0",), ("2.0",), ("3.0",)][: len(candidate.views)]
        assert all(isinstance(s, Step) for v in candidate.views for s in v.program)


def test_pairs_have_other_answers_and_speak_of_what_was_changed(worlds: list[SeenRoom]) -> None:
    pairs = 0
    for room, candidate in _every(worlds):
        changed = {o.id for o in room.scene.objects if o.attributes.get("changed")}
        if candidate.complementary:
            pairs += 1
            common, uncommon, *after = candidate.values
            assert common != after[0] and uncommon != after[1]
            assert len(changed & set(candidate.objects)) == 1, "the smallest change: one object"
    assert pairs > 40


def test_heights_are_turned_round_in_many_rooms(rooms: list[SeenRoom]) -> None:
    """A picture or a lamp hangs lower, or a small object stands on the floor instead of a shelf."""
    turned = {r.scene.id for r, c in _every(rooms) if c.complementary and c.template.quantity == "higher_of"}
    assert len(turned) >= 3


def test_the_lower_object_often_appears_higher_in_the_picture(rooms: list[SeenRoom]) -> None:
    heights = [v for _, c in _every(rooms) if c.template.quantity == "higher_of" for v in c.views]
    fooled = sum(v.fooled for v in heights)
    assert len(heights) > 100 and fooled > 0.1 * len(heights)


def test_people_and_animals_are_asked_about_as_furniture_is(rooms: list[SeenRoom]) -> None:
    asked = [c for _, c in _every(rooms) if {"man", "woman", "dog", "robot"} & set(c.nouns)]
    fronts = {c.template.quantity for c in asked}
    assert {"front_of", "left_of", "side_seen", "same_direction"} <= fronts


def _surface(tracks: VideoView, obj: int, frame: int) -> NDArray[np.float64]:
    """Return (n, 3) points all over the box of an object."""
    steps = np.linspace(-0.5, 0.5, 9)
    grid = np.array([p for p in product(steps, steps, steps) if max(map(abs, p)) == 0.5])
    own = (grid * tracks.sizes_m[obj]) @ tracks.rotations[obj, frame].T
    return np.asarray(own + tracks.centres_m[obj, frame])


def test_what_is_closer_is_so_by_middles_and_by_nearest_points(worlds: list[SeenRoom]) -> None:
    from scipy.spatial import cKDTree

    asked = 0
    for room, candidate in _every(worlds):
        if candidate.template.quantity not in ("nearer_of", "closer_of"):
            continue
        tracks = seen_by(video_view(room.scene), room.visibility, RECIPE.seeing)
        who = [tracks.objects.index(name) for name in candidate.objects]
        for place, view in enumerate(candidate.views):
            frame = int(tracks.shown[place])
            own = _surface(tracks, who[0], frame) if len(who) == 3 else tracks.eyes_m[None, frame]
            one, other = (np.min(cKDTree(own).query(_surface(tracks, k, frame))[0]) for k in who[-2:])
            assert (one < other) == (view.value == "first"), candidate.words
            # Points of a grid: the nearest ones lie a little nearer.
            assert abs(one - other) > 0.2 and max(one, other) > 1.15 * min(one, other)
            asked += 1
    assert asked > 20
