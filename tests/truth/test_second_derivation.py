"""The second derivation agrees with the first on real worlds, and a fault planted in either shows up."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.assets.libraries import built_in_library
from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.geometry import relations as g
from fathom.geometry.poses import heading_rad, yaw_quaternion
from fathom.ground_truth.trace import trace
from fathom.programs import engine, predicates
from fathom.programs.engine import operators_on, run
from fathom.programs.registry import OPERATORS, ProgramRun
from fathom.programs.rules import FATHOM, PAPER, Rules
from fathom.programs.values import Scenes
from fathom.programs.views.still import SHAPE_NAMES, StillView, still_view
from fathom.records import DataError, Environment, Pose, Scene, Step
from fathom.scenes.placed_models import models_of
from fathom.scenes.scatter import draw_scene
from fathom.scenes.scatter_settings import Scatter
from fathom.verify.engine import derived_text
from fathom.verify.observed.observations import Observation, observations
from fathom.verify.registry import OPERATORS as SECOND
from fathom.verify.registry import SceneKind
from fathom.verify.rule_sets import still_of
from tests.questions.asked import make_questions

World = tuple[Scene, tuple[Observation, ...]]

RELATIONS = (
    *(("relate", w) for w in ("left", "right", "front", "behind")),
    *(("relate_own", w) for w in ("left", "right", "front", "behind")),
    *((op, w) for op in ("relate_hit", "relate_first", "relate_path") for w in ("forward", "backward")),
    *((op,) for op in ("same_pose", "opposite_pose", "vertical_pose", "relate_occluded", "relate_occluding")),
    ("others",),
)


@pytest.fixture(scope="module")
def worlds() -> list[World]:
    return [made(k) for k in range(5)]


def made(k: int) -> World:
    library = built_in_library()
    scene = draw_scene(k, "second", library, Scatter(), lambda _: Environment(name="sky"))
    return scene, observations(trace(scene, models_of(scene, library)))


def programs(scene: Scene) -> Iterator[tuple[Step, ...]]:
    """For every object and relation: how many, is there any; every pose; every direction's count."""
    for obj in scene.objects:
        name = SHAPE_NAMES.get(obj.subtype, obj.subtype)
        anchor = (
            Step(op="scene"),
            Step(op="filter_shape", inputs=(0,), args=(name,)),
            Step(op="filter_color", inputs=(1,), args=(obj.attributes["color"],)),
            Step(op="filter_size", inputs=(2,), args=(obj.attributes["size"],)),
            Step(op="unique", inputs=(3,)),
        )
        for op, *args in RELATIONS:
            related = (*anchor, Step(op=op, inputs=(4,), args=tuple(args)))
            yield (*related, Step(op="count", inputs=(5,)))
            yield (*related, Step(op="exist", inputs=(5,)))
            yield (*related, Step(op="unique", inputs=(5,)), Step(op="query_shape", inputs=(6,)))
        yield (*anchor, Step(op="query_pose", inputs=(4,)))
        for op, a, b in (("less_than", "left", "right"), ("greater_than", "left", "right")):
            yield (
                *anchor,
                Step(op="relate", inputs=(4,), args=(a,)),
                Step(op="count", inputs=(5,)),
                Step(op="relate", inputs=(4,), args=(b,)),
                Step(op="count", inputs=(7,)),
                Step(op=op, inputs=(6, 8)),
            )
    for way in ("front", "back", "left", "right"):
        facing = (Step(op="scene"), Step(op="filter_pose", inputs=(0,), args=(way,)))
        yield (*facing, Step(op="count", inputs=(1,)))
    for op in ("filter_occludee", "filter_occluder"):
        yield (Step(op="scene"), Step(op=op, inputs=(0,)), Step(op="count", inputs=(1,)))


def compared(scenes: list[World], rules: Rules) -> tuple[int, int, int]:
    """How many answers of the first derivation, under these rules, the second agrees with or not, or cannot
    decide.
    """
    agree = disagree = unsure = 0
    for scene, seen in scenes:
        facts = still_view(scene, rules)
        still = still_of(scene, seen, rules.name)  # by the name: rules may be planted faults
        for program in programs(scene):
            first = run(program, facts)
            if first.answer is None:
                continue
            second = derived_text(program, still)
            agree += second == first.answer
            unsure += second is None
            disagree += second is not None and second != first.answer
    return agree, disagree, unsure


@pytest.mark.parametrize("rules", [FATHOM, PAPER], ids=["fathom", "paper"])
def test_two_derivations_agree_wherever_both_decide(worlds: list[World], rules: Rules) -> None:
    agree, disagree, unsure = compared(worlds, rules)
    assert agree > 250
    assert disagree == 0
    assert unsure <= (0 if rules is FATHOM else 0.1 * agree)


def moved(change: Callable[[Pose], Pose]) -> Callable[[World], World]:
    """A fault in the scene's record, which the first derivation reads and the second does not."""

    def apply(world: World) -> World:
        scene, seen = world
        objects = tuple(msgspec.structs.replace(t, poses=(change(t.poses[0]),)) for t in scene.objects)
        return msgspec.structs.replace(scene, objects=objects), seen

    return apply


def turned_by(angle: float) -> Callable[[Pose], Pose]:
    def turn(pose: Pose) -> Pose:
        return msgspec.structs.replace(pose, rotation_wxyz=yaw_quaternion(heading_rad(pose) + angle))

    return turn


def mirrored(pose: Pose) -> Pose:
    x, y, z = pose.position_m
    return msgspec.structs.replace(pose, position_m=(y, x, z))


def evidence(change: Callable[[Observation], Observation]) -> Callable[[World], World]:
    """A fault in what the second derivation reads."""
    return lambda world: (world[0], tuple(change(w) for w in world[1]))


def without_covers(world: World) -> World:
    """Sights in which nothing hides anything."""
    scene, seen = world
    bare = tuple(msgspec.structs.replace(s, covers=(), gaps_px={}) for s in scene.visibility)
    return msgspec.structs.replace(scene, visibility=bare), seen


@pytest.mark.parametrize(
    "fault",
    [
        moved(turned_by(math.pi)),
        moved(turned_by(math.pi / 2)),
        moved(mirrored),
        without_covers,
        evidence(lambda w: replaced(w, heading_rad=-(w.heading_rad or 0.0))),
        evidence(lambda w: replaced(w, column_px=640 - w.column_px)),
        evidence(lambda w: replaced(w, seen_px=w.seen_px[::-1], over_px=w.over_px[::-1])),
        evidence(lambda w: replaced(w, position_m=w.position_m and (-w.position_m[0], w.position_m[1]))),
        evidence(lambda w: replaced(w, ways_m=w.ways_m and w.ways_m[::-1])),
        evidence(lambda w: replaced(w, ways_m=w.ways_m and tuple(way[::-1] for way in w.ways_m))),
    ],
    ids=[
        "faces back",
        "faces left",
        "x and y swapped",
        "no covers",
        "turns the other way",
        "columns mirrored",
        "covers of others",
        "x negated",
        "drives backwards",
        "hits others",
    ],
)
def test_a_fault_planted_in_either_derivation_shows_up(
    worlds: list[World], fault: Callable[[World], World]
) -> None:
    _, disagree, _ = compared([fault(w) for w in worlds], FATHOM)
    assert disagree >= 5


# --- faults in what the first derivation takes words to mean ------------------------------------------------


def opposite_at_160(
    world: predicates.RelationInputs, rules: Rules, faces: Sequence[predicates.PredicateOutcome]
) -> list[predicates.PredicateOutcome]:
    """Headings that differ by 160° and not by 180° are called opposite."""
    same, opposite, vertical = RIGHT(world, rules, faces)
    turn = np.degrees(g.turned(world.headings))
    value = rules.parallel_rad * 180 / math.pi - np.abs(turn - 160.0)
    tolerance = opposite.readings[0].tolerance
    ratio = np.where(np.eye(turn.shape[-1], dtype=bool), -predicates.SURE, value / tolerance)
    wrong = predicates.Predicate("turn", "deg", value, tolerance)
    return [same, predicates.PredicateOutcome(opposite.name, (wrong,), ratio), vertical]


RIGHT = predicates.pose_relations
SHAKE = FATHOM.shake
LOOSE: dict[str, Rules] = {
    "hidden from one pixel on": replace(FATHOM, hidden_px=1, hidden_share=0.0),
    "hidden from 15 pixels on, whatever the share": replace(FATHOM, hidden_share=0.0),
    "headings of what hardly shows": replace(FATHOM, heading_px=0, heading_share=0.0, heading_of_all=0.0),
    "sectors of 40 degrees": replace(FATHOM, sector_rad=math.radians(40)),
    "parallel within 40 degrees": replace(FATHOM, parallel_rad=math.radians(40)),
    "no tolerance on the ground": replace(
        FATHOM, offset_tolerance_m=0.0, shake=replace(SHAKE, position_m=0.01)
    ),
    "own sides without tolerance": replace(
        FATHOM, own_tolerance_m=0.0, own_share=0.0, shake=replace(SHAKE, position_m=0.01)
    ),
    "the wide cone": replace(FATHOM, own_cone_rad=math.radians(80)),
}
"""Rules that call decided what Fathom's leave open."""


@pytest.fixture(scope="module")
def more_worlds(worlds: list[World]) -> list[World]:
    return [*worlds, *(made(k) for k in range(5, 20))]


@pytest.mark.parametrize("name", LOOSE)
def test_what_the_rules_leave_open_is_no_answer_of_the_second_derivation(
    more_worlds: list[World], name: str
) -> None:
    _, disagree, _ = compared(more_worlds, LOOSE[name])
    assert disagree >= 3


def test_headings_that_are_five_degrees_off_show_up(worlds: list[World]) -> None:
    _, disagree, _ = compared([moved(turned_by(math.radians(5)))(w) for w in worlds], FATHOM)
    assert disagree >= 3


def test_opposite_at_160_degrees_shows_up(worlds: list[World], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fathom.programs.views.still.pose_relations", opposite_at_160)
    _, disagree, _ = compared(worlds, FATHOM)
    assert disagree >= 3


def test_both_derivations_know_the_same_operators_but_those_of_parts() -> None:
    """Which part of an object a pixel shows is not in the truth of a still; parts are read from files."""
    only_first = operators_on(Scenes.STILL).keys() - SECOND[SceneKind.STILL].keys()
    assert SECOND[SceneKind.STILL].keys() <= operators_on(Scenes.STILL).keys()
    assert all("part" in name for name in only_first)


def at_most(run: ProgramRun[StillView], inputs: Sequence[int], args: Sequence[str]) -> bool:
    return inputs[0] <= inputs[1]


def at_least(run: ProgramRun[StillView], inputs: Sequence[int], args: Sequence[str]) -> bool:
    return inputs[0] >= inputs[1]


def test_fewer_as_at_most_shows_up(worlds: list[World], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, wrong in (("less_than", at_most), ("greater_than", at_least)):
        (right,) = OPERATORS[name]
        fault = replace(right, act=wrong)
        with monkeypatch.context() as patch:
            patch.setitem(OPERATORS, name, (fault,))
            engine._plan.cache_clear()
            engine._planned.cache_clear()
            _, disagree, _ = compared(worlds, FATHOM)
        engine._plan.cache_clear()
        engine._planned.cache_clear()
        assert disagree >= 1


def test_a_build_finds_a_loose_rule_in_what_it_asks(more_worlds: list[World]) -> None:
    """Not everything that could be asked is asked: a fault must show in the questions of a small build."""
    scenes = {scene.id: (scene, seen) for scene, seen in more_worlds}
    for amounts, wrong in (
        ({"L4_occ": 6.0}, LOOSE["hidden from one pixel on"]),
        ({"L4_pose": 8.0}, LOOSE["sectors of 40 degrees"]),
        ({"L4_pose": 8.0, "L5_6d_spatial": 6.0, "L5_collision": 6.0}, LOOSE["headings of what hardly shows"]),
    ):
        for rules, faults in ((FATHOM, False), (wrong, True)):
            made_by = replace(recipe("loose", amounts=amounts), rules=rules)
            asked, _ = make_questions([s for s, _ in scenes.values()], made_by)
            found = [derived_text(q.program, still_of(*scenes[q.scene], "fathom")) != q.answer for q in asked]
            assert len(found) > 40 and any(found) == faults


def replaced(witness: Observation, **changes: object) -> Observation:
    return replace(witness, **changes)  # type: ignore[arg-type]


def test_positions_and_headings_are_found_again_to_a_millimetre_and_a_milliradian(
    worlds: list[World],
) -> None:
    for scene, seen in worlds:
        for obj, witness in zip(scene.objects, seen, strict=True):
            assert witness.position_m is not None and witness.heading_rad is not None
            assert math.dist(witness.position_m, obj.poses[0].position_m[:2]) < 1e-3
            off = math.remainder(witness.heading_rad - heading_rad(obj.poses[0]), 2 * math.pi)
            assert abs(off) < 1e-3


def test_the_two_rasterisers_count_the_same_pixels(worlds: list[World]) -> None:
    for scene, seen in worlds:
        for visible, witness in zip(scene.visibility, seen, strict=True):
            assert abs(visible.visible_px - witness.visible_px) <= 4
            for cover in visible.covers:
                other = next(k for k, t in enumerate(scene.objects) if t.id == cover.object_id)
                assert abs(cover.over_px - witness.over_px[other]) <= 4


def test_every_drawn_scene_says_how_its_fronts_and_rears_show(worlds: list[World]) -> None:
    for scene, seen in worlds:
        for visible, witness, there in zip(scene.visibility, seen, scene.objects, strict=True):
            assert witness.seen_along_m is not None and witness.alone_along_m is not None
            for name, sign in (("front", 1), ("rear", -1)):
                both = (witness.seen_along_m, witness.alone_along_m)
                found = [int(np.count_nonzero(sign * along > there.size_m[0] / 6)) for along in both]
                assert np.abs(np.subtract(found, visible.ends_px[name])).max() <= 12


def test_a_scene_from_before_fronts_were_looked_at_is_judged_without_them(worlds: list[World]) -> None:
    bare = []
    for scene, seen in worlds:
        visibility = tuple(msgspec.structs.replace(s, ends_px={}) for s in scene.visibility)
        bare.append((msgspec.structs.replace(scene, visibility=visibility), seen))
    agree, disagree, _ = compared(bare, FATHOM)
    assert disagree == 0 and agree > compared(worlds, FATHOM)[0]


def test_an_operator_that_is_not_known_is_refused(worlds: list[World]) -> None:
    scene, seen = worlds[0]
    with pytest.raises(DataError, match="does not know the operator 'teleport'"):
        derived_text((Step(op="scene"), Step(op="teleport", inputs=(0,))), still_of(scene, seen, "fathom"))


def test_what_is_hardly_seen_is_not_judged(worlds: list[World]) -> None:
    scene, seen = worlds[0]
    blind = tuple(replaced(w, visible_px=10) for w in seen)
    program = next(
        p
        for p in programs(scene)
        if p[-1].op == "query_pose" and derived_text(p, still_of(scene, seen, "fathom"))
    )
    assert derived_text(program, still_of(scene, blind, "fathom")) is None
