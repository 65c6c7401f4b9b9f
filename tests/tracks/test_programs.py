"""Programs over tracks: what fits together, what each comes to, and how firm that is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fathom.programs.degeneracy import unneeded
from fathom.programs.engine import operators_on, resolved, run, traced
from fathom.programs.operators import relations as r
from fathom.programs.steps import joined
from fathom.programs.values import Scenes, Unanswerable, ValueType
from fathom.programs.views.video import VideoView
from fathom.programs.wrongness import margin_against, wrongness
from fathom.questions.picture_guesser import GUESSES
from fathom.records import InputError, Step
from tests.dimensions.test_operators import TRIED
from tests.tracks.worlds import FPS, level_view, obj, pose, tracks, upright

SPAN = ("span", (), ("1", "9"))
AT = ("at", (), ("5",))


def steps(*rows: tuple[str, tuple[int, ...], tuple[str, ...]]) -> tuple[Step, ...]:
    return tuple(Step(op=op, inputs=inputs, args=args) for op, inputs, args in rows)


def desk() -> VideoView:
    """Camera at (-4, 0, 1.5) looking along x: its left is world y."""
    return tracks(
        obj("red-mug", (0, 1.0, 0)),
        obj("other-mug", (0, -1.0, 0)),
        obj("blue-mug", (1.0, 0.5, 0), color="blue"),
        obj("plate", (0, 0, 0), noun="plate", color="white", size=(0.3, 0.3, 0.04)),
        obj("apple", (0, 0, 0.04), noun="apple", color="green", size=(0.08, 0.08, 0.08)),
        obj("wall", (3, 0, 0), noun="wall", category="structure", size=(0.1, 6, 3)),
    )


MUGS = (SPAN, ("visible", (0,), ()), ("named", (1,), ("mug",)))

RED_LEFT_OF_PLATE = steps(
    SPAN,
    ("visible", (0,), ()),
    ("named", (1,), ("mug",)),
    ("colored", (2,), ("red",)),
    ("named", (1,), ("plate",)),
    ("the", (4,), ()),
    ("related", (3, 5, 0), ("left",)),
    ("the", (6,), ()),
    ("height", (7,), ()),
)


def test_a_described_object_is_measured() -> None:
    t = desk()
    answer = run(RED_LEFT_OF_PLATE, t)
    assert (answer.value, answer.unit, answer.why) == (0.3, "m", "")
    assert answer.margin is not None
    assert answer.margin.relation == "left"
    assert answer.margin.ratio > 1
    assert answer.margin.between == ("red-mug", "plate")
    chosen = answer.selected(t)
    assert chosen[6] == chosen[7] == ("red-mug",)
    assert "wall" not in chosen[1]
    assert unneeded(RED_LEFT_OF_PLATE, t) == ()


def test_a_filter_that_changes_nothing_is_found() -> None:
    plate = (SPAN, ("visible", (0,), ()), ("named", (1,), ("plate",)))
    idle = steps(*plate, ("colored", (2,), ("white",)), ("the", (3,), ()), ("width", (4,), ()))
    assert unneeded(idle, desk()) == (3,)


def test_a_description_that_fits_two_objects_has_no_answer() -> None:
    two = steps(
        SPAN, ("visible", (0,), ()), ("named", (1,), ("mug",)), ("the", (2,), ()), ("height", (3,), ())
    )
    answer = run(two, desk())
    assert answer.value is None
    assert answer.why == "step 3 (the): more than one object fits"


MEASURES: dict[str, tuple[tuple[str, tuple[int, ...], tuple[str, ...]], ...]] = {
    "length": (("length", (0,), ()),),
    "distance": (("thing", (), ("plate",)), AT, ("distance", (0, 1, 2), ())),
    "gap": (("camera", (), ()), AT, ("gap", (0, 1, 2), ())),
    "least_distance": (("camera", (), ()), SPAN, ("least_distance", (0, 1, 2), ())),
    "greatest_distance": (("thing", (), ("plate",)), ("whole", (), ()), ("greatest_distance", (0, 1, 2), ())),
    "relation": (("thing", (), ("plate",)), AT, ("relation", (0, 1, 2), ("side",))),
    "main relation": (("thing", (), ("plate",)), AT, ("relation", (0, 1, 2), ())),
    "quarter": (AT, ("quarter", (0, 1), ())),
    "centre": (AT, ("centre", (0, 1), ())),
    "box": (AT, ("at", (), ("0",)), ("box", (0, 1, 2), ())),
    "displacement": (SPAN, ("displacement", (0, 1), ())),
    "path_length": (SPAN, ("path_length", (0, 1), ())),
    "average_speed": (SPAN, ("average_speed", (0, 1), ())),
    "velocity": (SPAN, ("velocity", (0, 1), ())),
    "mean_acceleration": (SPAN, ("mean_acceleration", (0, 1), ())),
    "trajectory": (SPAN, ("trajectory", (0, 1), ())),
    "speed": (AT, ("speed", (0, 1), ("0.2",))),
    "acceleration": (AT, ("acceleration", (0, 1), ())),
}


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_of_a_object_has_numbers_with_units_and_tolerances(name: str) -> None:
    program = steps(("thing", (), ("red-mug",)), *MEASURES[name])
    answer = run(program, desk())
    assert answer.why == ""
    assert resolved(program)[-1].unit in ("", answer.unit)
    if isinstance(answer.value, str):
        assert answer.value in ("left", "front")
        assert answer.margin is not None
    else:
        assert len(answer.numbers) == len(answer.tolerance) == len(answer.unit.split()) > 0
        assert all(math.isfinite(n) for n in (*answer.numbers, *answer.tolerance))


@pytest.mark.parametrize(
    "rows",
    [
        (("camera", (), ()), SPAN, ("path_length", (0, 1), ())),
        (SPAN, ("azimuth_change", (0,), ())),
        (AT, ("camera_pose", (0,), ())),
        (AT, ("camera_pose", (0,), ("quaternion",))),
    ],
)
def test_every_measure_of_the_camera_has_too(
    rows: tuple[tuple[str, tuple[int, ...], tuple[str, ...]], ...],
) -> None:
    answer = run(steps(*rows), desk())
    assert resolved(steps(*rows))[-1].unit in ("", answer.unit)
    assert len(answer.numbers) == len(answer.tolerance) == len(answer.unit.split()) > 0


def test_every_operator_that_answers_is_tried_here() -> None:
    others = {"azimuth_change", "camera_pose", "width", "height", "order"}
    tried = (
        {row[-1][0] for row in MEASURES.values()} | others | set(GUESSES) | TRIED
    )  # in tests/viewpoints, tests/dimensions
    assert tried == {n for n, ops in operators_on(Scenes.VIDEO).items() if ops[0].gives is ValueType.QUANTITY}


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "needs at least one step"),
        ([("weigh", (), ())], "no such operator"),
        ([("thing", (), ("a",)), ("length", (1,), ())], "only steps before 1 can be read"),
        ([SPAN, ("length", (0,), ())], r"takes \(object\), but reads \(span\)"),
        ([("at", (), ("soon",)), ("camera_pose", (0,), ())], "must be a number of seconds"),
        ([("at", (), ()), ("camera_pose", (0,), ())], r"takes 1 argument\(s\), but has \[\]"),
        ([AT, ("camera_pose", (0,), ("matrix",))], "none of angles, quaternion"),
        ([AT, AT, ("camera_pose", (0,), ())], "nothing reads it"),
    ],
)
def test_programs_that_do_not_fit_together_are_refused(
    rows: list[tuple[str, tuple[int, ...], tuple[str, ...]]], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        resolved(steps(*rows))


def test_a_program_must_end_in_an_answer_and_speak_of_what_there_is() -> None:
    with pytest.raises(InputError, match="gives an object, which is no answer"):
        run(steps(("thing", (), ("plate",))), desk())
    with pytest.raises(InputError, match="there is no thing 'spoon' to ask about"):
        traced(steps(("thing", (), ("spoon",))), desk())


def test_programs_are_joined_and_what_they_share_is_done_once() -> None:
    mug, plate = RED_LEFT_OF_PLATE[:8], RED_LEFT_OF_PLATE[:2] + steps(
        ("named", (1,), ("plate",)), ("the", (2,), ())
    )  # fmt: skip
    both, (first, second) = joined([mug, plate])
    assert len(both) == 8
    assert (first, second) == (7, 5)
    answer = run((*both, *steps(AT, ("distance", (first, second, 8), ()))), desk())
    assert answer.value == pytest.approx(math.hypot(1.0, 0.13))


def test_how_wrong_another_answer_is_counts_in_tolerances() -> None:
    answer = run(steps(("thing", (), ("red-mug",)), ("height", (0,), ())), desk())
    room = answer.tolerance[0]
    assert wrongness(answer, [0.3 + 3 * room]) == pytest.approx(3)
    margin = margin_against(answer, [[0.3 + 3 * room], [0.3 - 5 * room]])
    assert margin is not None
    assert margin.relation == "nearest option"
    assert margin.ratio == pytest.approx(3, abs=1e-3)
    described = run(RED_LEFT_OF_PLATE, desk())
    assert margin_against(described, [[9.0]]) == described.margin


def test_angles_of_a_box_are_compared_around_the_circle_and_quaternions_up_to_sign() -> None:
    turned = [pose((0, 0, 0), upright(math.radians(179.9)))]
    box = run(steps(("thing", (), ("a",)), AT, ("box", (0, 1), ())), tracks(obj("a", turned)))
    other = (*box.numbers[:6], -179.9)
    assert wrongness(box, other) == pytest.approx(0.2 / box.tolerance[6])
    spin = [pose((0, 0, 1), level_view(0.003 * k)) for k in range(300)]
    turn = run(steps(AT, ("camera_pose", (0,), ("quaternion",))), tracks(camera=spin))
    assert wrongness(turn, (*turn.numbers[:3], *(-v for v in turn.numbers[3:]))) == pytest.approx(0)


def test_sides_are_those_of_the_camera() -> None:
    t = desk()
    mug, other, blue, plate, apple, _ = range(6)
    assert r.pair_word(t, mug, plate, 0, "side").value == "left"
    assert r.pair_word(t, other, plate, 0, "side").value == "right"
    assert r.pair_word(t, plate, blue, 0, "depth").value == "front"
    assert r.pair_word(t, apple, plate, 0, "height").value == "above"
    assert r.main_word(t, mug, plate, 0).value == "left"
    assert r.main_word(t, apple, plate, 0).value == "above"
    assert r.on_ratios(t, plate, np.array([0]))[:, 0].tolist() == [-2, -2, -2, -2, 2, -2]


def test_from_the_other_side_of_the_table_left_is_right() -> None:
    t = tracks(obj("a", (0, 1, 0)), obj("b", (0, -1, 0)), camera=[pose((4, 0, 1.5), level_view(math.pi))])
    assert r.pair_word(t, 0, 1, 0, "side").value == "right"


def test_a_word_of_a_pair_is_as_firm_as_its_opposite_seen_from_the_other() -> None:
    t = desk()
    for asked in r.PAIRS:
        for a in range(4):
            for b in range(a):
                try:
                    one, other = r.pair_word(t, a, b, 0, asked), r.pair_word(t, b, a, 0, asked)
                except Unanswerable:
                    continue
                assert r.OPPOSITE[str(one.value)] == other.value
                assert one.truth.ratio == pytest.approx(other.truth.ratio)


def test_objects_one_before_the_other_are_in_the_dead_band_of_left_and_right() -> None:
    t = tracks(obj("a", (0, 0.02, 0)), obj("b", (1, 0, 0)))
    assert r.pair_word(t, 0, 1, 0, "side").truth.ratio < 1
    with pytest.raises(Unanswerable, match="no one word"):
        r.main_word(tracks(obj("a", (0, 0.8, 0)), obj("b", (0.8, 0, 0))), 0, 1, 0)


@pytest.mark.parametrize(
    ("spot", "word"),
    [((3, 0.3, 0), "front"), ((-4, 5, 0), "left"), ((-4.5, -5, 0), "right"), ((-9, 0, 0), "behind")],
)
def test_a_object_has_a_quarter_around_the_camera(spot: tuple[float, float, float], word: str) -> None:
    assert r.quarter_word(tracks(obj("a", spot)), 0, 0).value == word


def test_a_camera_that_looks_down_has_the_top_of_the_picture_ahead() -> None:
    down = np.array([[0.0, -1, 0], [-1, 0, 0], [0, 0, -1]])  # right is world -y, down the picture world -x
    t = tracks(obj("a", (0.5, 0.5, 0)), obj("b", (-0.5, -0.5, 0)), camera=[pose((0, 0, 2), down)])
    assert r.pair_word(t, 0, 1, 0, "side").value == "left"
    assert r.level_axes(t, np.array([0]))[0, 1] == pytest.approx((1, 0, 0))


def test_a_moving_object_is_where_it_is_at_the_time_asked_about() -> None:
    way = [pose((0, 1 - 0.2 * k / FPS, 0)) for k in range(300)]
    t = tracks(obj("a", way), obj("b", (0, 0, 0), noun="plate"))
    program = steps(
        ("thing", (), ("a",)), ("thing", (), ("b",)), ("at", (), ("0",)), ("relation", (0, 1, 2), ("side",))
    )
    assert run(program, t).value == "left"
    late = (*program[:2], Step(op="at", args=("9.9",)), program[3])
    assert run(late, t).value == "right"


def test_every_quantity_says_in_which_unit_it_is_measured_but_those_whose_unit_depends() -> None:
    depends = {"camera_pose", "trajectory", "relation", "order", "quarter"}
    video = operators_on(Scenes.VIDEO).items()
    without = {n for n, ops in video for o in ops if o.gives is ValueType.QUANTITY and not o.unit}
    assert without == depends | set(GUESSES) | TRIED, "whose answers are words"
