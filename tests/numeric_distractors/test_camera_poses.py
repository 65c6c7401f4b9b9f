"""Five poses of one camera: exact before rounding, its own, and of no use to who knows how cameras go."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fathom.questions.numeric.answer_balancing import Span
from fathom.questions.numeric.camera_poses import NEARER, CameraPath, draw_on_way, levelled_ways
from fathom.questions.numeric.error_sampling import POINTS, distances
from fathom.questions.numeric.guessers import Guessed, guessers
from fathom.questions.numeric.option_sets import Options, five_of_parts, five_on_way
from fathom.questions.numeric.vector_answers import pose
from fathom.records import Question, Step, UnfitError
from tests.numeric_distractors.ways import TIMES, carried, ways

INDOOR = pose("indoor")
FREE = Span()


def off_the_way(way: CameraPath, points: NDArray[np.float64]) -> float:
    """How far the points lie from the straight lines between the camera's poses, at most."""
    weights = INDOOR.weights
    a, b = way.turned[:-1] * weights, way.turned[1:] * weights
    along = b - a
    worst = 0.0
    for point in points * weights:
        share = np.clip(((point - a) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-15), 0, 1)
        worst = max(worst, float(np.linalg.norm(a + share[:, None] * along - point, axis=1).min()))
    return worst


@given(st.integers(0, 10**6), st.integers(110, 200))
@settings(max_examples=40, deadline=None)
def test_the_nearest_lies_at_the_error_and_one_weight_drew_them_all_from_the_way(
    seed: int, frame: int
) -> None:
    way = CameraPath(carried(seed), TIMES, frame)
    try:
        drawn = draw_on_way(way, INDOOR, FREE, "law", seed)
    except UnfitError:
        return  # it turns back, or goes too slowly
    others = np.delete(drawn.points, drawn.rank, axis=0)
    assert np.array_equal(drawn.points[drawn.rank], way.answer)
    assert distances(way.answer, others, INDOOR.weights).min() == pytest.approx(drawn.error, rel=1e-9)
    assert INDOOR.errors.least <= drawn.error <= INDOOR.errors.most
    assert 0 <= drawn.weight <= NEARER
    assert off_the_way(way, way.answer + (others - way.answer) / (1 - drawn.weight)) < 1e-9
    low, high = (np.array([getattr(p, end) for p in INDOOR.parts]) for end in ("low", "high"))
    assert ((drawn.points >= low) & (drawn.points <= high)).all()
    gaps = [distances(p, np.delete(drawn.points, i, axis=0), INDOOR.weights).min()
            for i, p in enumerate(drawn.points)]  # fmt: skip
    assert min(gaps) >= INDOOR.errors.least * (1 - 1e-9)


def test_a_yaw_beyond_half_a_turn_is_told_from_the_other_side() -> None:
    poses = carried(3)
    poses[:, 3] = 40 * TIMES
    way = CameraPath(poses, TIMES, 150)
    assert way.answer[3] == pytest.approx(200 - 360)
    made = five_on_way(way, INDOOR, "around", place=1)
    assert "yaw −16" in made.texts[1]


def test_who_stands_still_is_not_asked_about() -> None:
    with pytest.raises(UnfitError, match="ask about another time"):
        draw_on_way(CameraPath(np.zeros((300, 6)), TIMES, 150), INDOOR, FREE, "stands")
    with pytest.raises(UnfitError, match="make more candidates"):
        levelled_ways([], [(INDOOR.errors, 0)], INDOOR)


@pytest.fixture(scope="module")
def lot() -> tuple[list[CameraPath], list[str]]:
    return ways(180, 8, "attacks")


Asked = tuple[list[Options], list[CameraPath], list[str]]


@pytest.fixture(scope="module")
def own(lot: tuple[list[CameraPath], list[str]]) -> Asked:
    """Options that are poses of the camera itself, of levelled ways."""
    found = levelled_ways(lot[0], [(INDOOR.errors, k % 5) for k in range(480)], INDOOR, "attacks")
    assert found.missing < 0.06
    made, of, names = [], [], []
    for i, k in enumerate(found.indices):
        made.append(five_on_way(lot[0][k], INDOOR, "own", k, rates=found.rates, rank=i % 5))
        of.append(lot[0][k])
        names.append(lot[1][k])
    return made, of, names


@pytest.fixture(scope="module")
def held(own: Asked) -> Asked:
    """Options of the same answers that share y, pitch and roll, which are the true ones."""
    vector = INDOOR.holding(("y", "pitch", "roll"))
    return (
        [five_of_parts(way.answer.tolist(), vector, "held", k) for k, way in enumerate(own[1])],
        own[1],
        own[2],
    )


def numbers_of(options: Sequence[Options]) -> NDArray[np.float64]:
    return np.array([[[float(x.replace("−", "-")) for x in re.findall(r"[−\d.]+", t)] for t in o.texts]
                     for o in options])  # fmt: skip


def right(
    asked: Asked, liked: Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
) -> float:
    """How often the option that is liked most is the answer."""
    times = np.array([way.times_s[way.frame] for way in asked[1]])[:, None]
    scores = liked(np.moveaxis(numbers_of(asked[0]), 2, 0), times)
    return float(np.mean(scores.argmax(axis=1) == [o.index for o in asked[0]]))


USUAL: dict[str, Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]] = {
    "looks where it goes": lambda p, t: -np.abs(np.degrees(np.arctan2(-p[0], p[2])) * 2 - p[3]),
    "goes at the usual pace": lambda p, t: -np.abs(np.hypot(p[0], p[2]) - 0.38 * t),
    "turns as usual": lambda p, t: -np.abs(p[3]),
    "goes straight": lambda p, t: -np.abs(p[0]),
}
# Three and a half standard errors of a share of a fifth of 480 questions, three to a camera.
LOW, HIGH = 0.12, 0.28


def test_who_knows_how_cameras_are_carried_is_at_chance(own: Asked) -> None:
    found = {name: right(own, liked) for name, liked in USUAL.items()}
    assert all(LOW < share < HIGH for share in found.values()), found


def test_options_that_share_what_is_usual_are_told_by_the_rest(held: Asked) -> None:
    """The same rules find the answers where false ones lie anywhere around: the test can fail."""
    assert right(held, USUAL["looks where it goes"]) > HIGH


def test_every_rank_on_the_way_is_as_likely_early_and_late(own: Asked) -> None:
    ranks = np.array([o.rank for o in own[0]])
    late = np.array([way.times_s[way.frame] > 5.5 for way in own[1]])
    for part in (ranks, ranks[late], ranks[~late]):
        counts = np.bincount(part, minlength=POINTS) / len(part)
        assert np.abs(counts - 0.2).max() < 4 * np.sqrt(0.2 * 0.8 / len(part)), counts


def questions(asked: Asked) -> list[Question]:
    return [
        Question(
            id=f"q{k:04d}", task="pose_estimation", text="Where?", answer=o.texts[o.index], choices=o.texts,
            scene=name, tags={"setting": "indoor"},
            program=(
                Step(op="at", args=(f"{way.times_s[way.frame]:.2f}",)), Step(op="camera_pose", inputs=(0,)),
            ),
        )
        for k, (o, way, name) in enumerate(zip(*asked, strict=True))
    ]  # fmt: skip


def usual_pose(found: Sequence[Guessed]) -> Guessed:
    return next(g for g in found if g.guesser == "usual pose")


def test_the_guesser_of_usual_poses_is_at_chance_and_finds_what_can_be_found(own: Asked, held: Asked) -> None:
    fair, leaky = (usual_pose(guessers(questions(a))) for a in (own, held))
    assert fair.n == leaky.n == 480
    assert fair.fair, fair.row
    assert leaky.low > 0.2, leaky.row


def test_what_asks_for_no_pose_is_not_guessed_by_usual_poses(own: Asked) -> None:
    other = [msgspec.structs.replace(q, program=()) for q in questions(own)[:20]]
    assert "usual pose" not in [g.guesser for g in guessers(other)]
