from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.questions.numeric.answer_balancing import Span
from fathom.questions.numeric.error_sampling import (
    POINTS,
    adjusted,
    distances,
    nearest_of_each,
    patterns,
)
from fathom.questions.numeric.measures import KINDS, SETTINGS, measure_of
from fathom.questions.numeric.number_format import decimals_of, number, rounded, step_for
from fathom.questions.numeric.option_sets import (
    answer_places,
    five,
    five_of_parts,
)
from fathom.questions.numeric.set_sampling import draw
from fathom.questions.numeric.vector_answers import (
    Vector,
    box,
    centre,
    kept_within,
    pose,
    trajectory,
)
from fathom.records import InputError, UnfitError
from fathom.store.seeds import rng

NUMBER = re.compile(r"−?\d+(?:\.\d+)?")
BOX = (0.42, -0.13, 2.31, 0.62, 0.58, 0.91, 35.0)
FORM = ("straight:", "left:", "stop:", "right:spot")

settings_ = st.sampled_from(SETTINGS)
quantities = st.sampled_from(sorted(KINDS))
seeds = st.integers(0, 10**6)


def numbers_of(text: str) -> list[float]:
    return [float(x.replace("−", "-")) for x in NUMBER.findall(text)]


@given(seeds, st.integers(1, 8), st.floats(1e-3, 1e3))
def test_the_adjustment_puts_the_nearest_distractor_exactly_at_the_error(
    seed: int, dimensions: int, error: float
) -> None:
    g = rng("test", seed)
    answer, initial = g.normal(size=dimensions), g.normal(size=(4, dimensions))
    weights = g.uniform(0.1, 2, dimensions)
    moved, w = adjusted(answer, initial, error, weights)
    assert distances(answer, moved, weights).min() == pytest.approx(error, rel=1e-9)
    assert np.allclose(moved, (1 - w) * initial + w * answer)


def test_the_adjustment_by_hand() -> None:
    moved, w = adjusted(np.array([10.0]), np.array([[14.0], [2.0], [20.0], [5.0]]), 1.0, np.ones(1))
    assert w == 0.75
    assert moved[:, 0].tolist() == [11.0, 8.0, 12.5, 8.75]


def test_a_distractor_that_is_the_answer_cannot_be_adjusted() -> None:
    with pytest.raises(ValueError, match="no weight"):
        adjusted(np.zeros(2), np.zeros((4, 2)), 1.0, np.ones(2))


@given(seeds, st.integers(1, 9))
def test_in_a_pattern_all_points_are_about_as_far_from_the_next(seed: int, dimensions: int) -> None:
    nearest = nearest_of_each(patterns(rng("test", seed), 8, dimensions))
    assert nearest.min() > 0.7
    assert nearest.max() < 1.3


@given(settings_, quantities, st.floats(0.5, 40), seeds)
@settings(max_examples=60)
def test_scalars_lie_at_the_error_and_are_written_alike(
    setting: str, quantity: str, size: float, seed: int
) -> None:
    measure = measure_of(setting, quantity)
    answer = size * 2 * measure.least
    bounds = Span() if measure.positive else Span(-180, 180)
    made = five(min(answer, 150.0) if measure.unit == "°" else answer, setting, quantity, seed, span=bounds)
    assert made.error is not None
    assert made.nearest_shown is not None
    assert measure.least <= made.error <= measure.most
    assert abs(made.nearest_shown - made.error) <= 0.1 * made.error * (1 + 1e-6)
    assert made.weight == pytest.approx(1 - made.error / measure.most)
    assert len(set(made.texts)) == POINTS
    assert len({len(t.partition(".")[2]) for t in made.texts}) == 1
    assert all(t.endswith(measure.unit) for t in made.texts)
    values = [numbers_of(t)[0] for t in made.texts]
    assert values[made.index] == pytest.approx(sorted(values)[made.rank])
    if measure.positive:
        assert min(values) > 0
    if measure.unit == "°":
        assert made.step in (0.1, 1.0)
    shown = values[made.index] * measure.one
    assert abs(shown - (min(answer, 150.0) if measure.unit == "°" else answer)) <= 0.021 * shown


@given(st.floats(0.02, 0.9), seeds)
@settings(max_examples=40)
def test_before_rounding_the_nearest_lies_exactly_at_the_error(answer: float, seed: int) -> None:
    drawn = draw(
        np.array([answer]),
        np.ones(1),
        measure_of("desktop", "width"),
        lambda s: np.ones(len(s)),
        seed,
    )
    off = np.abs(np.delete(drawn.points[:, 0], drawn.rank) - answer)
    assert off.min() == pytest.approx(drawn.error, rel=1e-9)
    assert drawn.points[drawn.rank, 0] == answer
    assert np.all(np.diff(drawn.points[:, 0]) > 0)


@given(st.sampled_from(["box", "held box", "centre", "pose", "trajectory"]), settings_, seeds)
@settings(max_examples=60)
def test_vectors_lie_at_the_error_before_rounding_and_near_it_after(
    kind: str, setting: str, seed: int
) -> None:
    scale = {"desktop": 0.1, "indoor": 1.0, "outdoor": 10.0}[setting]
    lengths = np.array([scale] * 6 + [1.0])
    vector, numbers = {
        "box": (box(setting, ()), np.array(BOX) * lengths),
        "held box": (box(setting), np.array(BOX) * lengths),
        "centre": (centre(setting), np.array(BOX[:3]) * scale),
        "pose": (
            pose(setting, ("roll",)),
            np.array([0.4, -0.1, 2.2, 35.0, -2.0, 0.3]) * [scale, scale, scale, 1, 1, 1],
        ),
        "trajectory": (trajectory(setting, FORM), np.array([5 * scale, 90, 3 * scale, 2.0, 60])),
    }[kind]
    drawn = draw(numbers, vector.weights, vector.errors, kept_within(vector), "test", seed)
    others = np.delete(drawn.points, drawn.rank, axis=0)
    assert distances(numbers, others, vector.weights).min() == pytest.approx(drawn.error, rel=1e-9)
    held = vector.weights == 0
    assert np.array_equal(drawn.points[:, held], np.tile(numbers[held], (POINTS, 1)))
    made = five_of_parts(numbers.tolist(), vector, "test", seed)
    assert made.error is not None
    assert made.nearest_shown is not None
    assert abs(made.nearest_shown - made.error) <= 0.1 * made.error * (1 + 1e-6)
    assert len(set(made.texts)) == POINTS
    assert len({re.sub(r"−?\d+", "0", t) for t in made.texts}) == 1


def test_parts_stay_within_their_bounds() -> None:
    vector = box("indoor", held=())
    for seed in range(30):
        made = five_of_parts((0.1, 0.2, 1.5, 0.3, 0.2, 0.25, 170.0), vector, seed)
        for text in made.texts:
            numbers = numbers_of(text)
            assert min(numbers[3:6]) >= 0.05
            assert abs(numbers[6]) <= 180


def test_boxes_poses_and_trajectories_read_well() -> None:
    made = five_of_parts(BOX, box("indoor"), "read", place=2)
    assert re.fullmatch(
        r"center \(0\.42\d*, −0\.13\d*, 2\.31\d*\) m, length 0\.62\d* m, width 0\.58\d* m, "
        r"height 0\.91\d* m, yaw 35(\.0)?°",
        made.texts[2],
    )
    path = five_of_parts((12.0, 90.0, 6.3, 2.0, 45.0), trajectory("outdoor", FORM), "read", place=0).texts[0]
    assert path.startswith("Goes straight for 12")
    assert "then turns left by 90" in path
    assert path.endswith("° on the spot.")


def test_angles_can_be_said_with_a_side() -> None:
    made = five(-35.0, "indoor", "azimuth_change", "sides", sides=True, place=1)
    assert made.texts[1] in ("35° to the right", "35.0° to the right")
    assert all(t.endswith((" to the left", " to the right")) and "−" not in t for t in made.texts)


def test_options_are_a_function_of_their_names() -> None:
    assert five(0.62, "indoor", "height", "a", 3) == five(0.62, "indoor", "height", "a", 3)
    assert five(0.62, "indoor", "height", "a", 3).texts != five(0.62, "indoor", "height", "a", 4).texts


@given(st.floats(1e-4, 1e4), st.integers(1, 9))
def test_written_digits_are_true_and_as_many_as_a_tenth_of_the_gap_takes(gap: float, d: int) -> None:
    step = step_for(gap, d)
    finest = 0.1 * gap / d**0.5
    assert step <= finest * (1 + 1e-6)
    assert step * 10.01 > finest
    assert round(step / 10.0 ** np.floor(np.log10(step) + 1e-9), 6) == 1.0
    assert step_for(gap, d, gap / 100) <= 0.04 * gap / 100 * (1 + 1e-6)


def test_zero_has_no_sign_and_every_decimal_is_written() -> None:
    assert number(float(rounded(np.array([-0.04]), 0.1)[0]), 0.1) == "0.0"
    assert number(-12.0, 0.5) == "−12.0"
    assert [decimals_of(s) for s in (5.0, 1.0, 0.5, 0.1, 0.05, 0.01, 0.005)] == [0, 0, 1, 1, 2, 2, 3]


@given(st.integers(0, 60), seeds)
def test_answers_stand_at_each_place_as_often(count: int, seed: int) -> None:
    ids = [f"q{i}" for i in range(count)]
    places = answer_places(ids, seed)
    counts = np.bincount(list(places.values()), minlength=5)
    assert len(counts) == 5
    assert np.ptp(counts) <= 1
    assert answer_places(ids[::-1], seed) == places


def test_what_has_no_room_is_refused_with_a_reason() -> None:
    with pytest.raises(UnfitError, match="room for five options"):
        five(0.01, "indoor", "height", "small")
    with pytest.raises(UnfitError, match="room for five options"):
        five(0.5, "indoor", "height", "narrow", span=Span(0.45, 0.55))
    with pytest.raises(InputError, match="expected a setting"):
        five(0.5, "kitchen", "height")
    with pytest.raises(UnfitError, match="numbers of which some vary"):
        five_of_parts((1.0, 2.0), pose("indoor"))
    with pytest.raises(UnfitError, match="0 that do"):
        five_of_parts(BOX, Vector(box("indoor").parts, measure_of("indoor", "length"), str).holding(
            [p.name for p in box("indoor").parts]
        ))  # fmt: skip


@given(seeds)
@settings(max_examples=20)
def test_turns_of_a_trajectory_keep_their_radius(seed: int) -> None:
    answer = np.array([8.0, 70.0, 6.3])
    vector = trajectory("outdoor", ("straight:", "left:"))
    axes = vector.axes(answer[None])[0]
    points = draw(answer, vector.weights, vector.errors, kept_within(vector), seed, axes=axes).points
    assert points[:, 2] / points[:, 1] == pytest.approx(np.full(POINTS, 6.3 / 70.0))
    assert axes @ axes.T == pytest.approx(np.eye(2))


def test_half_a_turn_to_the_right_is_written_as_one_to_the_left() -> None:
    vector = box("outdoor", ("x", "y", "length", "width", "height", "yaw"))
    made = five_of_parts((1.0, 0.5, 20.0, 4.0, 1.8, 1.5, -179.99), vector, "half")
    assert all(t.endswith(("yaw 180.0°", "yaw 180°")) for t in made.texts), made.texts


def test_no_written_number_is_off_by_more_than_two_per_cent() -> None:
    for k in range(60):
        made = five_of_parts((85.8, 16.3), trajectory("outdoor", ("left:forward",)), "coarse", k)
        angle, way = made.numbers[made.index]
        assert abs(angle - 85.8) <= 0.02 * 85.8, made.texts
        assert abs(way - 16.3) <= 0.02 * 16.3, made.texts
        turned = five(-6.26, "outdoor", "azimuth_change", "turned", k, span=Span(-60, 60))
        assert turned.texts[turned.index] == "−6.3°"
