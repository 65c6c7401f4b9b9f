"""From scenes to questions: balance, order, determinism, and what is enforced."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec
import pytest

from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.geometry.poses import heading_rad
from fathom.programs import FATHOM, jittered_views, run, still_view
from fathom.programs.state import scene_state
from fathom.programs.synonyms import STRETCHED
from fathom.questions.jitter import shaken_poses, shaken_world
from fathom.questions.making import told
from fathom.questions.selection import blocks
from fathom.questions.tally import Tally
from fathom.records import Camera, Pose, Question, Scene, Step
from tests.questions.asked import make_questions
from tests.questions.synthetic import random_scene

SCENES = [random_scene("making", k) for k in range(120)]
BY_ID = {s.id: s for s in SCENES}


@pytest.fixture(scope="module")
def made() -> tuple[list[Question], Tally]:
    return make_questions(SCENES, recipe("making"))


def test_questions_carry_their_proof(made: tuple[list[Question], Tally]) -> None:
    questions, _ = made
    assert len({q.id for q in questions}) == len(questions)
    for q in questions:
        trace = run(q.program, still_view(BY_ID[q.scene], FATHOM))
        assert trace.answer == q.answer and q.answer in q.possible and len(q.possible) >= 2
        assert q.evidence is not None and set(q.evidence.objects) <= {t.id for t in BY_ID[q.scene].objects}
        assert not q.evidence.objects or q.evidence.smallest_visible_px >= FATHOM.min_visible_px
        assert q.groups.cluster == q.scene and q.media == (q.scene,)
        assert {"template", "asks", "signature"} <= q.tags.keys()


def test_no_question_of_a_scene_is_asked_twice(made: tuple[list[Question], Tally]) -> None:
    questions, _ = made
    assert len({(q.scene, q.text) for q in questions}) == len(questions)


def test_no_world_of_the_jitter_test_changes_an_answer(made: tuple[list[Question], Tally]) -> None:
    questions, _ = made
    worlds = {
        s.id: jittered_views(scene_state(s), FATHOM, shaken_world(scene_state(s), FATHOM.shake, "making"))
        for s in SCENES[:15]
    }
    for q in questions:
        for facts in worlds.get(q.scene, ()):
            assert run(q.program, facts).answer == q.answer


def test_what_the_jitter_test_leaves_open_is_not_drafted(made: tuple[list[Question], Tally]) -> None:
    _, tally = made
    assert tally.tried["accepted"] > 1000
    assert not {"undecided", "no answer"} & tally.tried.keys()


def test_nothing_that_was_drafted_fails_the_last_check(made: tuple[list[Question], Tally]) -> None:
    _, tally = made
    assert set(tally.checked) == {"questions"}


def test_the_jitter_test_moves_objects_no_farther_than_it_says() -> None:
    scene = SCENES[3]
    world = shaken_world(scene_state(scene), FATHOM.shake, "s")
    poses = shaken_poses(scene, world)
    assert len(poses) == FATHOM.shake.draws
    for draw in poses:
        for pose, obj in zip(draw, scene.objects, strict=True):
            assert (
                max(abs(a - b) for a, b in zip(pose.position_m, obj.poses[0].position_m, strict=True))
                <= 0.0600001
            )
            turn = abs(heading_rad(pose) - heading_rad(obj.poses[0]))
            assert min(turn, 2 * math.pi - turn) <= math.radians(1.8) + 1e-6


def test_who_computes_does_not_change_what_is_made() -> None:
    def threaded(function: Callable[[object], object], values: Iterable[object]) -> Iterable[object]:
        with ThreadPoolExecutor(3) as pool:
            return list(pool.map(function, values))

    some = SCENES[:24]
    one, _ = make_questions(some, recipe("same"))
    two, _ = make_questions(some, recipe("same"), threaded)  # type: ignore[arg-type]
    assert msgspec.json.encode(one) == msgspec.json.encode(two)
    other, _ = make_questions(some, recipe("another"))
    assert msgspec.json.encode(one) != msgspec.json.encode(other)


def test_blocks_are_even_and_cover_every_scene() -> None:
    for count in (0, 1, 12, 249, 300, 374, 376, 1000, 10_000):
        found = blocks(count)
        assert [k for b in found for k in b] == list(range(count))
        assert all(len(b) <= 375 for b in found)
        assert not found or max(map(len, found)) - min(map(len, found)) <= 1


def test_a_dozen_scenes_are_enough() -> None:
    questions, _ = make_questions(SCENES[:12], recipe("dozen"))
    assert len(questions) >= 150
    assert {q.task for q in questions} == set(recipe("dozen").asking.amounts)


def test_answers_are_as_uniform_as_independent_draws(made: tuple[list[Question], Tally]) -> None:
    questions, _ = made
    families: dict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    for q in questions:
        families[q.tags["template"], q.possible][q.answer] += 1
    square = freedom = 0.0
    for (_, possible), counts in families.items():
        expected = counts.total() / len(possible)
        square += sum((counts[a] - expected) ** 2 / expected for a in possible)
        freedom += len(possible) - 1
    assert abs(square - freedom) < 4.5 * math.sqrt(2 * freedom)


def test_the_rarer_answer_so_far_is_no_better_than_chance(made: tuple[list[Question], Tally]) -> None:
    assert made[1].order.z < 3


def test_the_words_of_a_question_do_not_tell_its_answer(made: tuple[list[Question], Tally]) -> None:
    questions, _ = made
    even = [q for q in questions if int(q.scene[-1]) % 2 == 0]
    odd = [q for q in questions if int(q.scene[-1]) % 2]
    for key in (
        lambda q: (q.tags["template"],),
        lambda q: (q.tags["template"], q.tags["signature"]),
        lambda q: (q.tags["template"], q.tags.get("relation", "")),
        lambda q: (q.task, q.tags["asks"], len(q.text) // 12),
    ):
        learnt: dict[tuple[object, ...], Counter[str]] = defaultdict(Counter)
        for q in even:
            learnt[key(q)][q.answer] += 1
        right = sum(max(q.possible, key=lambda a: learnt[key(q)][a]) == q.answer for q in odd)
        chance = sum(1 / len(q.possible) for q in odd)
        spread = math.sqrt(sum((1 - 1 / len(q.possible)) / len(q.possible) for q in odd))
        assert right < chance + 3.5 * spread


def test_published_rules_report_what_fathoms_enforce() -> None:
    questions, tally = make_questions(SCENES[:30], recipe("paper", rules="paper"))
    assert tally.checked["questions"] >= len(questions) > 500
    assert tally.share("droppable filter") > 0.2 and tally.share("droppable relation") > 0.1
    assert 0 < tally.share("jitter flips") < 0.2
    assert tally.share("margin below 1") > 0.05


def mirrored(scene: Scene) -> Scene:
    """Return the scene seen in a mirror that stands upright along the camera's line of view."""
    (camera,) = scene.cameras
    x, y, _ = camera.poses[0].position_m
    axis = math.atan2(-y, -x)

    def pose(p: Pose) -> Pose:
        a, b = p.position_m[:2]
        c, s = math.cos(2 * axis), math.sin(2 * axis)
        turn = 2 * axis - heading_rad(p)
        return Pose(
            position_m=(c * a + s * b, s * a - c * b, 0.0),
            rotation_wxyz=(math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)),
        )

    objects = tuple(msgspec.structs.replace(t, poses=(pose(t.poses[0]),)) for t in scene.objects)
    same: Camera = camera
    return msgspec.structs.replace(scene, objects=objects, cameras=(same,))


def test_in_the_mirror_left_and_right_change_places(made: tuple[list[Question], Tally]) -> None:
    swap = {"left": "right", "right": "left"}
    seen = 0
    for q in made[0]:
        turned = tuple(
            msgspec.structs.replace(s, args=tuple(swap.get(a, a) for a in s.args))
            if s.op in ("relate", "relate_own", "filter_pose")
            else s
            for s in q.program
        )
        trace = run(turned, still_view(mirrored(BY_ID[q.scene]), replace(FATHOM, name="mirror")))
        wanted = swap.get(q.answer, q.answer) if q.tags["asks"] == "pose" else q.answer
        if q.margin is None or q.margin.ratio > 1.01:
            assert trace.answer == wanted, q.text
            seen += 1
    assert seen > 1000


def test_no_question_says_the_word_that_it_asks_for() -> None:
    wrong = (
        Step(op="scene"),
        Step(op="filter_color", inputs=(0,), args=("yellow",)),
        Step(op="filter_shape", inputs=(1,), args=("suv",)),
        Step(op="unique", inputs=(2,)),
        Step(op="query_color", inputs=(3,)),
    )
    assert told(wrong, "yellow") and not told(wrong, "red")
    assert not told((*wrong[:-1], Step(op="query_size", inputs=(3,))), "large")
    questions, _ = make_questions([random_scene("told", k) for k in range(60)], recipe("told"))
    assert len(questions) > 500
    for q in questions:
        assert not told(q.program, q.answer), q.text
        if q.program[-1].op == "query_color":
            reads = q.program[q.program[-1].inputs[0]]
            while reads.op == "unique" or reads.op.startswith("filter_"):
                assert reads.op != "filter_color", q.text
                reads = q.program[reads.inputs[0]]


def test_no_answer_hangs_on_whether_a_pickup_is_a_car_or_a_fighter_a_jet(
    made: tuple[list[Question], Tally],
) -> None:
    questions, _ = made
    scenes = {s.id: s for s in SCENES}
    tried = 0
    for q in questions:
        words = {a for step in q.program for a in step.args} & set(STRETCHED)
        view = still_view(scenes[q.scene], FATHOM)
        for word in words:
            doubtful = [k for k, shape in enumerate(view.values["shape"]) if shape in STRETCHED[word]]
            for said in (True, False) if doubtful else ():
                own, _ = view.marks["shape"].get(word, (0, 0))
                for k in doubtful:
                    own = own | 1 << k if said else own & ~(1 << k)
                shapes = {**view.marks["shape"], word: (own, own)}
                other = replace(view, marks={**view.marks, "shape": shapes})
                assert run(q.program, other).answer == q.answer, (q.text, word, said)
                tried += 1
    assert tried > 20
