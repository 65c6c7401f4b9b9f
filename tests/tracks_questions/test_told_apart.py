"""What looking cannot tell apart is kept apart: in words, in options, and in what is asked together."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.benchmarks.stibench.construction import templates
from fathom.datasets.generators.videos_proofs import says
from fathom.programs.engine import run
from fathom.programs.operators.selecting import carries, motion_grade
from fathom.programs.synonyms import paints
from fathom.programs.trajectory_words import mirrored
from fathom.programs.views.video import video_view
from fathom.programs.wrongness import wrongness
from fathom.questions.balancing.video_fives import fives
from fathom.questions.balancing.video_numbers import large_enough, vector_of
from fathom.questions.balancing.video_words import of_stacked_nouns, words
from fathom.questions.candidate import Selection
from fathom.questions.contexts.video import VideoContext, video_context
from fathom.questions.contexts.video_visibility import Seeing, Sights
from fathom.questions.mix import VideoMix
from fathom.questions.numeric.answer_balancing import Span
from fathom.questions.numeric.option_sets import Options, five
from fathom.questions.numeric.separation import Slot
from fathom.questions.sampling.video import drafted
from fathom.questions.video_candidate import LASTING, VideoCandidate, VideoSelected
from fathom.questions.writing.video import clearly, drawn_of, sentence, too_fine, view_words
from fathom.records import Question, Scene, Step
from fathom.scenes.videos.desktop import draw_desktop
from tests.tracks.test_referring import words_of
from tests.tracks.worlds import obj, pose, refer, tracks, upright, video
from tests.tracks_questions.conftest import RECIPE
from tests.tracks_questions.worlds import projected

Worlds = dict[str, tuple[Scene, Sights]]
FORM = {f.id: f for f in templates().templates}


def test_every_false_number_is_two_tolerances_off(selection: Selection[VideoSelected]) -> None:
    found = 0
    for p in selection.selected:
        for k, numbers in enumerate(p.options.numbers):
            if k != p.options.index:
                assert wrongness(p.candidate.answered, numbers) >= 2, p.candidate.names
                found += 1
    assert found > 200


def boxes(*last: float) -> tuple[tuple[float, ...], ...]:
    """Five boxes a metre apart, but the last two, which differ by (x, yaw)."""
    rows = [(float(k), 0.2, 2.0, 0.4, 0.3, 0.5, 10.0) for k in range(4)]
    x, yaw = last
    return (*rows, (3.0 + x, 0.2, 2.0, 0.4, 0.3, 0.5, 10.0 + yaw))


@pytest.mark.parametrize(
    ("off", "fine"), [((0.03, 0.0), True), ((0.03, 2.5), True), ((0.03, 3.5), False), ((0.2, 0.0), False)]
)
def test_boxes_differ_by_a_place_or_by_a_yaw(
    candidates: list[VideoCandidate], off: tuple[float, float], fine: bool
) -> None:
    box = next(d for d in candidates if d.template.asks == "box")
    options = Options(tuple("abcde"), 0, numbers=boxes(*off))
    assert too_fine(replace(box, reach_px_m=math.inf), options, RECIPE) is fine


def test_how_far_something_is_is_not_told_more_finely_than_by_a_pixel(
    candidates: list[VideoCandidate],
) -> None:
    far = next(d for d in candidates if d.template.id == "camera_distance")
    options = Options(tuple("abcde"), 0, numbers=tuple((50.0 + 2.5 * k,) for k in range(5)))
    # 60 m away, 20 or 30 pixels: one of them is 3 m or 2 m.
    assert too_fine(replace(far, reach_px_m=60.0 * 20), options, RECIPE)
    assert not too_fine(replace(far, reach_px_m=60.0 * 30), options, RECIPE)
    orders = (options, replace(options, index=3, numbers=options.numbers[::-1]))
    assert len({too_fine(replace(far, reach_px_m=60.0 * 24), o, RECIPE) for o in orders}) == 1
    way = next(d for d in candidates if d.template.id == "camera_moved")
    assert not too_fine(replace(way, reach_px_m=60.0), options, RECIPE)


def test_a_yaw_of_half_a_turn_is_near_to_that_of_minus_half_a_turn(candidates: list[VideoCandidate]) -> None:
    pose = next(d for d in candidates if d.template.asks == "pose")
    rows = [(float(k), 0.0, 2.0, 179.0, 0.0, 0.0) for k in range(4)]
    near, far = ((3.01, 0.0, 2.0, yaw, 0.0, 0.0) for yaw in (-179.5, -170.0))
    assert too_fine(pose, Options(tuple("abcde"), 0, numbers=(*rows, near)), RECIPE)
    assert not too_fine(pose, Options(tuple("abcde"), 0, numbers=(*rows, far)), RECIPE)


def test_a_side_that_all_options_name_is_not_asked_for(
    questions: list[Question], candidates: list[VideoCandidate]
) -> None:
    turned = [q for q in questions if q.tags["form"] == "turned" and q.choices]
    for q in turned:
        sides = {c.rpartition(" ")[2] for c in q.choices}
        said = re.search(r"to the (left|right)", q.text)
        assert (said is not None) == (len(sides) == 1), q.text
        if said is not None:
            assert sides == {said[1]}
    one = next(d for d in candidates if d.template.id == "turned")
    assert "to the left" in sentence(one, "seed", "left") and "to the left" not in sentence(one, "seed")
    twins = [q for q in questions if q.tags["form"] == "turned" and not q.choices]
    assert twins and not any(re.search(r"to the (left|right)", q.text) for q in twins)


def test_no_turn_is_no_option_and_no_answer(candidates: list[VideoCandidate]) -> None:
    assert all(abs(d.value) >= 2.5 for d in candidates if d.template.quantity == "azimuth_change")
    for k in range(200):
        options = five(9.0, "outdoor", "azimuth_change", "no turn", k, span=Span(-60, 60))
        assert min(abs(n[0]) for n in options.numbers) >= 2.5 - 0.05  # as written


def test_every_question_about_numbers_says_how_wide_the_camera_sees(
    questions: list[Question], worlds: Worlds, candidates: list[VideoCandidate]
) -> None:
    for q in questions:
        camera = worlds[q.scene][0].cameras[0]
        wide = math.degrees(2 * math.atan(camera.width / (2 * camera.fx)))
        words = f"view is {wide:.1f}° wide."
        assert (words in q.text) == (not q.tags["form"].startswith(("relation", "order"))), q.text
    assert not any(view_words(d) for d in candidates if d.template.asks in ("words", "order"))


@pytest.mark.parametrize(
    ("said", "clear"),
    [
        (
            "How far is the camera from the photo camera?",
            "How far is the filming camera from the photo camera?",
        ),
        ("The camera and that camera's view", "The filming camera and that filming camera's view"),
    ],
)
def test_the_camera_that_films_is_told_from_one_that_is_filmed(said: str, clear: str) -> None:
    assert clearly(said) == clear


def test_beside_a_photo_camera_the_camera_is_the_filming_one(worlds: Worlds) -> None:
    scene, visibility = next(
        w for w in worlds.values() if all(t.attributes["name"] != "photo camera" for t in w[0].objects)
    )
    first = scene.objects[1]
    named = msgspec.structs.replace(first, attributes={**first.attributes, "name": "photo camera"})
    renamed = msgspec.structs.replace(scene, objects=(scene.objects[0], named, *scene.objects[2:]))
    for world, said in ((scene, "the camera"), (renamed, "the filming camera")):
        found = [d for d in drafted(world, visibility, RECIPE) if d.template.id == "camera_path"]
        assert found and all(said in sentence(d, "seed") for d in found)


def test_ways_of_the_camera_are_compared_with_those_that_last_as_long(
    candidates: list[VideoCandidate],
) -> None:
    ways = [d for d in candidates if d.template.id in ("camera_moved", "camera_path")]
    lengths: dict[tuple[str, ...], list[float]] = {}
    for d in ways:
        lengths.setdefault(d.stratum, []).append(d.span_s[1] - d.span_s[0])
    assert len(lengths) > 2
    for found in lengths.values():
        assert max(found) / min(found) <= LASTING + 1e-9


def test_a_turn_and_its_mirror_image_are_spread_together_and_told_apart(
    candidates: list[VideoCandidate],
) -> None:
    found = [
        d
        for d in candidates
        if d.template.id == "camera_trajectory" and d.answered.form[0].startswith("left")
    ]
    one = found[0]
    other = replace(one, answered=replace(one.answered, form=mirrored(one.answered.form)))
    assert one.stratum == other.stratum and one.answered.form != other.answered.form
    numbers = ["1"] * len(one.answered.numbers)
    left, right = (vector_of(d).write(numbers) for d in (one, other))
    assert left.startswith("Turns left") and right.startswith("Turns right")
    assert mirrored(("straight:forward", "right:left", "stop:")) == (
        "straight:forward",
        "left:right",
        "stop:",
    )


def test_the_options_of_a_trajectory_go_the_way_of_its_answer() -> None:
    scenes = [draw_desktop(k, "questions") for k in range(34)]
    candidates = [d for s in scenes for d in drafted(s, projected(s), RECIPE)]
    left = [d for d in candidates if d.answered.form[:1] == ("left:right",) and len(d.answered.form) == 1]
    right = [replace(d, answered=replace(d.answered, form=mirrored(d.answered.form))) for d in left]
    found = [next(fives([*left, *right], Slot(-1, "hard"), ("test", k)), None) for k in range(6)]
    told: Counter[str] = Counter()
    for p in (own for own in found if own):
        drawn = drawn_of(p, RECIPE)
        for text in drawn.options.texts if drawn else ():
            turns, way = p.candidate.answered.form[0].split(":")
            assert text.startswith(f"Turns {turns} by") and f"moving to the {way} for" in text
            told[turns] += 1
    assert told["left"] and told["right"]


def test_turns_are_explained_where_there_are_any(candidates: list[VideoCandidate]) -> None:
    told = [d for d in candidates if d.template.asks == "trajectory"]
    turning = [any(p.startswith(("left", "right")) for p in d.answered.form) for d in told]
    assert any(turning) and not all(turning)
    for d, turns in zip(told, turning, strict=True):
        assert (d.template.of_turns in sentence(d, "seed")) == turns


def test_what_is_small_everywhere_is_not_asked_about(worlds: Worlds) -> None:
    scene, visibility = next(iter(worlds.values()))
    wide = max(
        (drafted(scene, visibility, replace(RECIPE, seeing=Seeing(named_px=px))) for px in (24.0, 1e4)),
        key=len,
    )
    assert any(d.objects for d in wide)
    none = drafted(scene, visibility, replace(RECIPE, seeing=Seeing(named_px=1e4)))
    assert none and not any(d.objects for d in none)


def stage_with(noun: str, size: tuple[float, float, float], poses: object = (0.0, 0.0, 0.0)) -> VideoContext:
    scene = video([obj("a", poses, noun, size=size), obj("b", (0, 1, 0), "box")], frames=300)  # type: ignore[arg-type]
    return video_context(scene, projected(scene), recipe_for("x"))


@pytest.mark.parametrize(
    ("noun", "size", "shape"),
    [
        ("can", (0.1, 0.1, 0.2), "round"),
        ("widget", (0.1, 0.1, 0.2), ""),
        ("widget", (0.2, 0.1, 0.2), "sides"),
        ("sandwich", (0.13, 0.09, 0.05), ""),
        ("basket", (0.55, 0.45, 0.4), ""),
        ("banana", (0.2, 0.1, 0.04), ""),
        ("fan", (0.5, 0.3, 1.2), ""),
    ],
)
def test_only_round_nouns_are_asked_how_wide_they_are_across(
    noun: str, size: tuple[float, float, float], shape: str
) -> None:
    stage = stage_with(noun, size)
    stage = replace(stage, tracks=replace(stage.tracks, fronts=(False, False)))
    assert stage.shape(0) == shape


def test_a_object_moves_from_where_it_leaves_its_place_to_where_it_comes_to_rest() -> None:
    places = [min(max(k - 120, 0), 60) / 60 for k in range(300)]  # a metre between 4 and 6 s
    stage = stage_with("box", (0.1, 0.1, 0.1), [pose((0, x, 0)) for x in places])
    start, end = stage.moves_s(0, ("0.0", "9.0"))
    assert start == pytest.approx(4.0, abs=0.2) and end == pytest.approx(6.0, abs=0.2)
    assert start >= 4.0 - 1 / 30 and end <= 6.0 + 1 / 30
    assert stage.moves_s(0, ("4.5", "5.0")) == pytest.approx((4.5, 5.0), abs=0.11)
    assert stage.moves_s(0, ("7.0", "9.0")) == (7.0, 9.0)


def test_two_poses_of_a_video_are_a_quarter_of_it_apart(selection: Selection[VideoSelected]) -> None:
    poses: dict[str, list[float]] = {}
    for p in selection.selected:
        if p.candidate.template.asks == "pose":
            poses.setdefault(p.candidate.scene, []).append(float(p.candidate.times[0]))
    assert poses and max(map(len, poses.values())) <= 2 == VideoMix().most(FORM["pose"])
    for times in poses.values():
        assert all(abs(a - b) >= 0.24 * 10 for a, b in combinations(times, 2))


def test_nobody_looks_for_a_second_orange_object_where_the_other_is_red() -> None:
    slow = [pose((0, -3 - 0.01 * k, 0)) for k in range(300)]
    orange = obj("a", (0, 2, 0), "photo camera", "orange")
    red, white = obj("b", slow, "photo camera", "red"), obj("c", (0, 5, 0), "photo camera", "white")
    found = refer(tracks(orange, red, white), "a")
    assert found is None or not found.words.startswith("the orange photo camera that")
    second = tracks(orange, obj("b", slow, "photo camera", "orange"), white)
    assert words_of(second, "a") == "the orange photo camera that does not move"
    assert paints("gray", "silver") and not paints("orange", "red")


def test_a_table_is_not_called_closest_to_the_lamp_that_stands_on_it() -> None:
    stands = [obj(n, (0, y, 0), "nightstand", "brown", (0.4, 0.4, 0.5)) for n, y in (("a", 0), ("b", 3))]
    lamp = obj("l", (0, 0, 0.5), "lamp", "white", (0.2, 0.2, 0.4))
    beside = obj("l", (0, 0.6, 0.0), "lamp", "white", (0.2, 0.2, 0.4))
    assert carries(tracks(*stands, lamp), 0, 2, (0, 299))
    assert not carries(tracks(*stands, beside), 0, 2, (0, 299))
    assert "closest" not in str(words_of(tracks(*stands, lamp), "a"))


def test_a_turn_that_nobody_watches_names_nothing() -> None:
    turns = [min(max(k - 150, 0), 60) / 60 * np.pi / 2 for k in range(300)]
    places = np.cumsum([(0.1 * np.cos(a), 0.1 * np.sin(a), 0.0) for a in turns], axis=0)
    car = obj("a", [pose(p, upright(a)) for p, a in zip(places, turns, strict=True)], "car", size=(4, 2, 1.5))
    t = tracks(car, setting="outdoor")
    frames = list(range(0, 300, 10))
    watched = t.with_seen(frames, np.ones((30, 1), dtype=bool))
    assert motion_grade(watched, 0, "turns left", (0, 299)).ratio >= 1
    seen = np.array([[k <= 150 or k >= 200] for k in frames])
    missed = t.with_seen(frames, seen)
    assert motion_grade(missed, 0, "turns left", (0, 299)).ratio == 0
    assert motion_grade(missed, 0, "turns right", (0, 299)).ratio <= -1


def test_above_and_below_are_asked_of_nouns_of_which_some_are_stacked(
    candidates: list[VideoCandidate],
) -> None:
    relation = next(d for d in candidates if d.template.asks == "words")

    def pair(one: str, other: str, word: str, k: int) -> VideoCandidate:
        value = replace(relation.answered, value=word)
        return replace(relation, scene=f"{one}{other}{word}{k}", nouns=(one, other), answered=value)

    stacked = [pair("lamp", "desk", w, k) for k in range(20) for w in ("above", "left", "right")]
    stacked += [pair("desk", "lamp", w, k) for k in range(20) for w in ("below", "front", "behind")]
    others = [pair("desk", "sofa", w, k) for k in range(20) for w in ("left", "right", "front", "behind")]
    picked = words(of_stacked_nouns([*stacked, *others]), 100, ("test",))
    assert len(picked) == 100
    assert {frozenset(p.candidate.nouns) for p in picked} == {frozenset(("lamp", "desk"))}
    upright_words = sum(p.candidate.answered.value in ("above", "below") for p in picked)
    assert upright_words == 20


def test_in_a_few_videos_ways_of_any_length_are_asked_about_together(
    candidates: list[VideoCandidate],
) -> None:
    ways = [d for d in candidates if d.template.id == "camera_moved"]
    pools: dict[tuple[str, ...], list[VideoCandidate]] = {}
    for d in ways:
        pools.setdefault(d.stratum, []).append(d)
    most = max(map(len, pools.values()))
    together = large_enough(pools, len(ways))
    assert [{*map(id, found)} for found in together.values()] == [{*map(id, ways)}]
    assert all(pool[:2] == ("desktop", "camera_moved") and "from" not in pool[2] for pool in together)
    assert any("from" in pool[2] for pool in large_enough(pools, most))
    sizes = [d for d in candidates if d.template.id == "height"]
    assert large_enough({sizes[0].stratum: sizes}, len(sizes) + 1) == {}


def test_what_a_program_does_not_find_is_no_written_answer(
    worlds: Worlds, candidates: list[VideoCandidate]
) -> None:
    scene, _ = next(iter(worlds.values()))
    found = run(
        (Step(op="thing", args=(scene.objects[0].id,)), Step(op="width", inputs=(0,))), video_view(scene)
    )
    nothing = replace(found, value=None, unit="")
    question = Question(id="q", task="spatial_relation", text="Where?", answer="To the left", media=("m",))
    assert nothing.numbers == () and not says(question, nothing)
