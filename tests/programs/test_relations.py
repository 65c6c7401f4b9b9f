"""What relation words mean, under the published rules and under Fathom's."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry import relations as g
from fathom.geometry.boxes import footprint
from fathom.inference.models.oracle import with_noise
from fathom.programs import FATHOM, PAPER, Rules, StillView, jittered_views, still_view
from fathom.programs.predicates import world_of
from fathom.programs.state import scene_state
from fathom.records import Cover, DataError, ObjectVisibility, Scene, Sweep
from fathom.scenes.clevr import read_scenes
from tests.geometry.separating import separation_m
from tests.questions.synthetic import EYE, obj, random_scene, scene

SAMPLES = Path(os.environ.get("FATHOM_ASSETS", "../shared/assets")).parent / "samples/super-clevr/scenes"
AWAY = math.atan2(-EYE[1], -EYE[0])


def holds(facts: StillView, relation: str, i: int, j: int) -> str:
    yes, maybe = facts.relations[relation].rows[i]
    return "yes" if yes >> j & 1 else "open" if maybe >> j & 1 else "no"


def faces(facts: StillView, pose: str, i: int) -> str:
    yes, maybe = facts.states[f"faces:{pose}"].masks
    return "yes" if yes >> i & 1 else "open" if maybe >> i & 1 else "no"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no sample scenes beside FATHOM_ASSETS")
def test_published_rules_give_the_published_lists() -> None:
    for path in sorted(SAMPLES.glob("*.json")):
        for published in read_scenes(path):
            facts = still_view(published.scene, PAPER)
            for word in ("left", "right", "front", "behind"):
                ours = [
                    tuple(k for k in range(facts.n) if yes >> k & 1) for yes, _ in facts.relations[word].rows
                ]
                assert ours == [tuple(sorted(js)) for js in published.relationships[word]]


def test_what_is_nearer_and_aside_is_told_from_where_the_camera_stands() -> None:
    along, right = np.array([math.cos(AWAY), math.sin(AWAY)]), np.array([math.sin(AWAY), -math.cos(AWAY)])
    spots = [np.zeros(2), 1.5 * along, 1.5 * right]
    facts = still_view(
        scene(
            "s",
            tuple(
                obj(f"t{k}", "suv", "small", "red", float(s[0]), float(s[1]), 0.0)
                for k, s in enumerate(spots)
            ),
            False,
        ),
        FATHOM,
    )
    assert holds(facts, "behind", 0, 1) == "yes" and holds(facts, "front", 1, 0) == "yes"
    assert holds(facts, "right", 0, 2) == "yes" and holds(facts, "left", 2, 0) == "yes"
    assert holds(facts, "left", 0, 1) == "open"


@pytest.mark.parametrize(("turn", "pose"), [(0, "back"), (-90, "right"), (180, "front"), (90, "left")])
def test_pose_words_are_told_along_the_ray_to_the_object(turn: float, pose: str) -> None:
    for x, y in ((0.0, 0.0), (-2.5, -2.5), (2.5, 2.5)):
        ray = math.atan2(y - EYE[1], x - EYE[0])
        there = scene("s", (obj("t0", "suv", "small", "red", x, y, ray + math.radians(turn)),), False)
        facts = still_view(there, FATHOM)
        assert [faces(facts, p, 0) for p in ("back", "right", "front", "left")].count("yes") == 1
        assert faces(facts, pose, 0) == "yes"


def test_what_faces_the_camera_along_the_ray_alone_is_open() -> None:
    x, y = 2.5, 2.5
    ray, view = math.atan2(y - EYE[1], x - EYE[0]), AWAY
    apart = math.degrees(abs(ray - view))
    assert apart > 12
    outward = math.copysign(1.0, ray - view)
    for off, said in ((0.0, "yes"), (math.radians(30 - apart / 2) * outward, "open")):
        there = scene("s", (obj("t0", "suv", "small", "red", x, y, ray + math.pi + off),), False)
        assert faces(still_view(there, replace(FATHOM, facing_along_axis=False)), "front", 0) == "yes"
        assert faces(still_view(there, FATHOM), "front", 0) == said


def test_a_heading_between_two_directions_is_neither_yes_nor_no() -> None:
    there = scene("s", (obj("t0", "suv", "small", "red", 0, 0, AWAY - math.radians(45)),), False)
    facts = still_view(there, FATHOM)
    assert faces(facts, "right", 0) == faces(facts, "back", 0) != "yes"


def test_own_left_follows_the_way_a_bicycle_faces() -> None:
    for subtype in ("road", "suv"):
        pair = (
            obj("t0", subtype, "small", "red", 0, 0, 0.0),
            obj("t1", "jet", "small", "blue", 0, 1.5, 0.0),
        )
        facts = still_view(scene("s", pair, False), FATHOM)
        assert holds(facts, "own:left", 0, 1) == "yes" and holds(facts, "own:right", 0, 1) == "no"
        assert holds(facts, "own:right", 1, 0) == "yes"


def test_only_the_first_object_in_the_path_is_certainly_hit() -> None:
    row = tuple(obj(f"t{k}", "suv", "small", "red", 2.2 * k - 2.2, 0, 0.0) for k in range(3))
    facts = still_view(scene("s", row, False), FATHOM)
    assert [holds(facts, "path:forward", 0, j) for j in (1, 2)] == ["yes", "yes"]
    assert [holds(facts, "first:forward", 0, j) for j in (1, 2)] == ["yes", "no"]
    assert [holds(facts, "hit:forward", 0, j) for j in (1, 2)] == ["yes", "open"]
    assert [holds(still_view(scene("s", row, False), PAPER), "hit:forward", 0, j) for j in (1, 2)] == [
        "yes",
        "yes",
    ]
    assert holds(facts, "path:backward", 0, 1) == "no" and holds(facts, "hit:backward", 2, 1) == "yes"


SUBTYPES = ("suv", "regular", "chopper", "jet", "road")
on_a_grid = st.tuples(
    st.sampled_from(SUBTYPES), st.integers(-2, 2), st.integers(-2, 2), st.integers(0, 3).map(lambda k: k / 2)
)
anywhere = st.tuples(st.sampled_from(SUBTYPES), st.floats(-2, 2), st.floats(-2, 2), st.floats(0, 2))
NO_BANDS = [PAPER, replace(FATHOM, dead_bands=False)]


@pytest.mark.parametrize("rules", NO_BANDS, ids=["paper", "all readings"])
@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(on_a_grid, anywhere), min_size=3, max_size=7, unique=True))
def test_without_dead_bands_one_object_is_the_first_of_every_path_that_is_not_empty(
    rules: Rules, spots: list[tuple[str, float, float, float]]
) -> None:
    """Objects that touch at once, and objects whose footprints cross, are among them."""
    objects = tuple(
        obj(f"t{k}", subtype, "small", "red", x, y, turn * math.pi)
        for k, (subtype, x, y, turn) in enumerate(spots)
    )
    facts = still_view(scene("s", objects, False), rules)
    for way in ("forward", "backward"):
        for first, path in zip(
            facts.relations[f"first:{way}"].rows, facts.relations[f"path:{way}"].rows, strict=True
        ):
            assert first[0] == first[1]
            assert first[0].bit_count() == min(1, path[0].bit_count())
            assert first[0] & path[0] == first[0]


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_objects_that_would_be_hit_at_once_the_same_is_the_first_in_any_order(turned: bool) -> None:
    wide = obj("t0", "jet", "large", "red", 0, 0, 0.0)
    sides = [obj(n, "road", "small", "red", 2.5, y, 0.0) for n, y in (("left", 0.5), ("right", -0.5))]
    facts = still_view(scene("s", (wide, *(sides[::-1] if turned else sides)), False), PAPER)
    assert facts.ids(facts.relations["path:forward"].rows[0][0]) == tuple(
        t.id for t in (sides[::-1] if turned else sides)
    )
    assert facts.ids(facts.relations["first:forward"].rows[0][0]) == ("left",)


box = st.tuples(
    st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 2 * math.pi), st.floats(0.3, 3), st.floats(0.2, 1.5)
)


@settings(max_examples=80, deadline=None)
@given(box, box)
def test_the_path_test_agrees_with_a_path_drawn_as_a_rectangle(
    a: tuple[float, ...], b: tuple[float, ...]
) -> None:
    positions, headings = np.array([a[:2], b[:2]]), np.array([a[2], b[2]])
    sizes = np.array([a[3:], b[3:]])
    overlap = float(g.path_overlaps(g.own_frames(positions, headings, sizes))[0, 0, 1])
    reach = 40.0
    middle = positions[0] + reach / 2 * np.array([math.cos(a[2]), math.sin(a[2])])
    path = footprint(middle[0], middle[1], a[2], reach, a[4])
    apart = separation_m(path, footprint(b[0], b[1], b[2], b[3], b[4]))
    if abs(apart) > 1e-6:
        assert (overlap > 0) == (apart < 0)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_left_mirrors_right_and_closer_mirrors_farther(index: int) -> None:
    facts = still_view(random_scene("laws", index), FATHOM)
    for one, other in (
        ("left", "right"),
        ("front", "behind"),
        ("pose:same", "pose:same"),
        ("occluders", "occludees"),
    ):
        for i in range(facts.n):
            for j in range(facts.n):
                assert holds(facts, one, i, j) == holds(facts, other, j, i)


# --- the shapes beside the rectangles ------------------------------------------------------------------


def two_in_a_row() -> Scene:
    """A car that drives at two others, 2.2 and 4.4 m ahead."""
    row = tuple(obj(f"t{k}", "suv", "small", "red", 2.2 * k - 2.2, 0, 0.0) for k in range(3))
    return scene("s", row, False)


def with_sweeps(there: Scene, *sweeps: tuple[str, float, float | None, float | None]) -> Scene:
    """The scene with what t0 meets forward: (other, into, soonest, latest)."""
    found = tuple(
        Sweep(object_id="t0", way="forward", other=other, into_m=into, soonest_m=soonest, latest_m=latest)
        for other, into, soonest, latest in sweeps
    )
    return msgspec.structs.replace(there, sweeps=found)


def test_a_path_needs_the_rectangle_and_the_shape() -> None:
    there = two_in_a_row()
    for into, wanted in ((1.0, "yes"), (0.05, "open"), (0.0, "open"), (-1.0, "open")):
        facts = still_view(with_sweeps(there, ("t1", into, 0.6, 0.7)), FATHOM)
        assert holds(facts, "path:forward", 0, 1) == wanted
        assert holds(facts, "path:forward", 0, 2) == "yes"
    aside = msgspec.structs.replace(
        there, objects=(*there.objects[:2], obj("t2", "suv", "small", "red", 2.2, 2.5, 0.0))
    )
    assert (
        holds(still_view(with_sweeps(aside, ("t2", -1.0, None, None)), FATHOM), "path:forward", 0, 2) == "no"
    )
    assert (
        holds(still_view(with_sweeps(aside, ("t2", 1.0, 0.5, 0.5)), FATHOM), "path:forward", 0, 2) == "open"
    )


def test_what_is_hit_first_must_be_so_for_rectangles_and_shapes() -> None:
    there, near = two_in_a_row(), ("t1", 1.0, 0.6, 0.7)
    for other, wanted in (
        (("t2", 1.0, 2.8, 2.9), "yes"),
        (("t2", 1.0, 0.1, 0.2), "open"),
        (("t2", 1.0, 0.65, 3.0), "open"),
        (("t2", 1.0, 0.9, 1.0), "open"),
    ):
        assert holds(still_view(with_sweeps(there, near, other), FATHOM), "first:forward", 0, 1) == wanted
    # Over the first one it drives, by its shape, to the second.
    passed = still_view(with_sweeps(there, ("t1", -0.5, None, None), ("t2", 1.0, 2.8, 2.9)), FATHOM)
    assert [holds(passed, "first:forward", 0, j) for j in (1, 2)] == ["open", "open"]
    assert [holds(passed, "hit:forward", 0, j) for j in (1, 2)] == ["open", "open"]


def test_published_rules_know_rectangles_alone() -> None:
    there = two_in_a_row()
    odd = with_sweeps(there, ("t1", -1.0, None, None), ("t2", -1.0, None, None))
    for word in ("path:forward", "first:forward", "hit:forward"):
        assert still_view(odd, PAPER).relations[word].rows == still_view(there, PAPER).relations[word].rows


def test_worlds_of_the_jitter_test_know_the_shapes_of_the_scene() -> None:
    there = with_sweeps(two_in_a_row(), ("t1", -1.0, None, None))
    world = world_of(scene_state(there))
    many = replace(
        world, positions=np.repeat(world.positions, 3, 0), headings=np.repeat(world.headings, 3, 0)
    )
    for facts in jittered_views(scene_state(there), FATHOM, many):
        assert [holds(facts, "path:forward", 0, j) for j in (1, 2)] == ["open", "yes"]


def test_a_noisy_eye_knows_rectangles_alone() -> None:
    there = with_sweeps(two_in_a_row(), ("t1", 1.0, 0.6, 0.7))
    assert with_noise(there, 0.0, 0.0, "0").sweeps == there.sweeps
    assert with_noise(there, 0.1, 0.0, "0").sweeps == ()


def test_a_sweep_of_what_is_not_there_is_refused() -> None:
    with pytest.raises(DataError, match="expected ids of the scene"):
        still_view(with_sweeps(two_in_a_row(), ("t7", 1.0, 0.5, 0.5)), FATHOM)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.data())
def test_without_dead_bands_shapes_leave_one_first_object_in_every_path(
    index: int, data: st.DataObject
) -> None:
    there = random_scene("swept", index, 5)
    lengths = st.one_of(st.none(), st.integers(0, 12).map(lambda k: k / 4))
    sweeps = tuple(
        Sweep(
            object_id=a.id,
            way=way,
            other=b.id,
            into_m=data.draw(st.sampled_from((-1.0, 0.0, 0.5))),
            soonest_m=data.draw(lengths),
            latest_m=data.draw(lengths),
        )
        for way in ("forward", "backward")
        for a in there.objects
        for b in there.objects
        if a is not b
    )
    facts = still_view(msgspec.structs.replace(there, sweeps=sweeps), replace(FATHOM, dead_bands=False))
    for way in ("forward", "backward"):
        for first, path in zip(
            facts.relations[f"first:{way}"].rows, facts.relations[f"path:{way}"].rows, strict=True
        ):
            assert first[0].bit_count() == min(1, path[0].bit_count()) and first[0] & path[0] == first[0]


# --- what published scenes and files say --------------------------------------------------------------


def seen(*px: tuple[int, int, tuple[int, ...]]) -> Scene:
    """Cars in a row, each with its pixels alone, its pixels in the picture, and how many show each other."""
    row = tuple(obj(f"t{k}", "suv", "small", "red", 2.0 * k, 0, 0.0) for k in range(len(px)))
    visibility = tuple(
        ObjectVisibility(
            object_id=f"t{k}",
            full_px=alone,
            amodal_px=alone,
            visible_px=visible,
            box_px=(0, 0, 1, 1),
            covers=tuple(Cover(object_id=f"t{j}", over_px=c, seen_px=c) for j, c in enumerate(others) if c),
        )
        for k, (alone, visible, others) in enumerate(px)
    )
    return msgspec.structs.replace(scene("s", row, False), visibility=visibility)


@pytest.mark.parametrize(
    ("alone", "visible", "occluded"),
    [
        (500, 0, True),  # hidden wholly
        (10, 0, True),  # wholly, however small it is
        (500, 16, True),
        (500, 15, False),
        (500, 1, False),  # neither wholly nor in part: the published code says -1, which counts as no
        (500, 484, True),
        (500, 485, False),
        (500, 500, False),
    ],
)
def test_the_published_rule_knows_what_is_hidden_wholly_and_in_part(
    alone: int, visible: int, occluded: bool
) -> None:
    facts = still_view(seen((alone, visible, (0, alone - visible)), (900, 900, (0, 0))), PAPER)
    assert holds(facts, "occluders", 0, 1) == ("yes" if occluded else "no")
    assert facts.states["occludee"].masks[0] & 1 == occluded


def test_published_rules_take_the_axes_of_the_file_where_it_has_any(tmp_path: Path) -> None:
    def published(directions: Mapping[str, Sequence[float]]) -> StillView:
        cars = [
            {"shape": "suv", "size": "small", "color": c, "3d_coords": [x, y, 0.2], "rotation": 0}
            for c, x, y in (("red", 0, 0), ("blue", 1.0, 0), ("green", 0, 1.0))
        ]
        path = tmp_path / "scene.json"
        path.write_text(json.dumps({"objects": cars, "directions": directions}))
        return still_view(read_scenes(path)[0].scene, PAPER)

    axes = {"left": [-1, 0, 0], "right": [1, 0, 0], "front": [0, -1, 0], "behind": [0, 1, 0]}
    turned = {"left": [0, -1, 0], "right": [0, 1, 0], "front": [1, 0, 0], "behind": [-1, 0, 0]}
    for axis_set, right, behind in ((axes, 1, 2), (turned, 2, None)):
        facts = published(axis_set)
        assert [j for j in (1, 2) if holds(facts, "right", 0, j) == "yes"] == [right]
        assert [j for j in (1, 2) if holds(facts, "behind", 0, j) == "yes"] == ([behind] if behind else [])
    # Without any they are the constant ones, 49° and 139°.
    constant = published({})
    assert [j for j in (1, 2) if holds(constant, "right", 0, j) == "yes"] == [1, 2]
    assert [j for j in (1, 2) if holds(constant, "behind", 0, j) == "yes"] == [2]


def with_ends(*ends: dict[str, tuple[int, int]]) -> Scene:
    """Cars that all show, and how much of each front and rear does."""
    whole = seen(*((1000, 900, ()) for _ in ends))
    visibility = tuple(
        msgspec.structs.replace(s, ends_px=e) for s, e in zip(whole.visibility, ends, strict=True)
    )
    return msgspec.structs.replace(whole, visibility=visibility)


BOTH = {"front": (300, 300), "rear": (250, 250)}


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        (BOTH, True),
        ({"front": (0, 300), "rear": (250, 250)}, True),  # the rear tells as well
        ({"front": (300, 300), "rear": (0, 250)}, True),
        ({"front": (220, 300), "rear": (180, 250)}, False),  # a part of either is hidden
        ({"front": (225, 300), "rear": (0, 0)}, True),
        ({"front": (4, 4), "rear": (100, 500)}, False),  # a mirror does not tell
        ({"front": (99, 99), "rear": (0, 400)}, False),
    ],
)
def test_where_neither_front_nor_rear_shows_everything_that_hangs_on_the_heading_is_open(
    ends: dict[str, tuple[int, int]], told: bool
) -> None:
    facts = still_view(with_ends(ends, BOTH), FATHOM)
    own = [holds(facts, f"own:{word}", 0, 1) for word in ("left", "right", "front", "behind")]
    ways = [holds(facts, f"{op}:{way}", 0, 1) for op in ("path", "first") for way in ("forward", "backward")]
    turns = [holds(facts, f"pose:{word}", 0, 1) for word in ("same", "opposite", "vertical")]
    assert (set(own + ways + turns) == {"open"}) == (not told)
    assert [holds(facts, f"pose:{word}", 1, 0) for word in ("same", "opposite", "vertical")] == turns
    assert holds(facts, "own:behind", 1, 0) == "yes"  # it is the anchor's heading that counts
    assert ({faces(facts, pose, 0) for pose in ("left", "right", "front", "back")} == {"open"}) == (not told)


def test_of_a_object_that_is_too_short_in_the_picture_nobody_knows_the_heading() -> None:
    whole = with_ends(BOTH, BOTH)
    for focal, told in ((700.0, True), (200.0, False)):
        camera = msgspec.structs.replace(whole.cameras[0], fx=focal, fy=focal)
        facts = still_view(msgspec.structs.replace(whole, cameras=(camera,)), FATHOM)
        poses = {faces(facts, pose, 0) for pose in ("left", "right", "front", "back")}
        assert (poses == {"open"}) == (not told), (focal, poses)


def test_the_published_rules_ask_for_no_front_that_shows() -> None:
    facts = still_view(with_ends({"front": (0, 300), "rear": (0, 250)}, BOTH), PAPER)
    assert holds(facts, "own:front", 0, 1) == "yes"
