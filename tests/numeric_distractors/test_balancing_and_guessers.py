from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from fathom.questions.numeric.answer_balancing import NumberLot, Span, levelled, room
from fathom.questions.numeric.guessers import Guessed, guessers
from fathom.questions.numeric.measures import measure_of
from fathom.questions.numeric.option_sets import Options, five_of_parts
from fathom.questions.numeric.vector_answers import pose
from fathom.questions.numeric.vector_balancing import levelled_parts
from fathom.records import Question, UnfitError
from fathom.store.seeds import rng
from tests.numeric_distractors.sets import asked, heights, levelled_options, question, wants


@pytest.fixture(scope="module")
def options() -> list[Options]:
    return levelled_options(1500, "even")


def by_name(questions: list[Question]) -> dict[str, Guessed]:
    return {g.guesser: g for g in guessers(questions)}


def test_every_rank_and_place_is_as_likely(options: list[Options]) -> None:
    ranks = np.bincount([o.rank for o in options], minlength=5)
    # Five standard errors of a count of 1500 questions at a fifth.
    assert np.abs(ranks - 300).max() < 5 * np.sqrt(1500 * 0.2 * 0.8)
    assert np.bincount([o.index for o in options], minlength=5).tolist() == [300] * 5


def test_who_knows_what_is_usual_is_no_better_off(options: list[Options]) -> None:
    """The option nearest to the usual size is right as often as any other."""
    low, high = 0.15, 0.25
    values = np.array([[float(t.split()[0]) for t in o.texts] for o in options])
    nearest = np.abs(np.log(values / 0.8)).argmin(axis=1)
    assert low < np.mean(nearest == [o.index for o in options]) < high


def test_errors_spread_over_their_range(options: list[Options]) -> None:
    errors = np.array([o.error for o in options])
    assert errors.min() < 0.06
    assert errors.max() > 0.25


def test_levelled_answers_are_as_many_as_wanted_and_evenly_spread() -> None:
    values = heights(6000, "spread")
    found = levelled(values, wants(800), "seed")
    assert len(found.indices) == len(set(found.indices)) == 800
    assert found.missing < 0.05
    chosen = np.log([values[i] for i in found.indices])
    everything = np.log(values)
    assert np.std(chosen) > 1.1 * np.std(everything)
    assert found.indices == levelled(values, wants(800), "seed").indices


def test_sizes_that_come_in_classes_cannot_be_levelled_and_that_is_said() -> None:
    g = rng("classes")
    values = np.concatenate([np.exp(g.normal(np.log(c), 0.05, 1500)) for c in (0.45, 0.8, 1.9)]).tolist()
    assert levelled(values, wants(1200), "seed").missing > 0.1


def test_too_few_or_too_narrow_answers_are_refused() -> None:
    height = measure_of("indoor", "height")
    for values in ([], [0.5] * 100, heights(20, "few"), np.linspace(0.70, 0.75, 200).tolist()):
        with pytest.raises(UnfitError, match="answers for seed"):
            levelled(values, [(height, k % 5) for k in range(40)], "seed")


def poses(count: int) -> NDArray[np.float64]:
    """Cameras on a street: most look ahead and have gone some way."""
    g = rng("poses")
    flat = np.zeros(count)
    return np.column_stack(
        [g.normal(0, 2, count), flat, abs(g.normal(30, 20, count)), g.normal(0, 15, count), flat, flat]
    )


def test_who_knows_where_cameras_usually_are_is_no_better_off() -> None:
    rows, level = poses(4000), pose("outdoor", ("y", "pitch", "roll"))
    found = levelled_parts(rows, [(level.errors, -1)] * 600, level, "seed")
    assert len(set(found.indices)) == 600
    made = [five_of_parts(rows[i].tolist(), found.vector, "seed", i) for i in found.indices]
    values = np.array([[re.findall(r"−?[\d.]+", t) for t in o.texts] for o in made])
    numbers = np.char.replace(values, "−", "-").astype(float)
    usual = np.abs(numbers[:, :, 0] / 2) + np.abs(numbers[:, :, 2] - 25) / 20 + np.abs(numbers[:, :, 3] / 15)
    right = np.mean(usual.argmin(axis=1) == [o.index for o in made])
    assert 0.13 < right < 0.27
    low, high = rows[list(found.indices)].min(axis=0), rows[list(found.indices)].max(axis=0)
    assert numbers[:, :, 3].min() >= found.vector.parts[3].low - 0.5
    assert found.vector.parts[3].low <= low[3] <= high[3] <= found.vector.parts[3].high
    with pytest.raises(UnfitError, match="hold more parts alike"):
        levelled_parts(rows[:30], [(level.errors, -1)] * 40, level, "seed")


def test_there_is_less_room_towards_the_ends() -> None:
    found = room(np.array([0.21, 0.5, 0.9, 1.19]), measure_of("indoor", "height"), Span(0.2, 1.2))
    assert found[0] < found[1]
    assert found[3] < found[2]
    assert room(np.array([0.02]), measure_of("indoor", "height"), Span())[0] == 0


def test_the_guessers_are_at_chance_on_a_level_set(options: list[Options]) -> None:
    found = by_name(asked(options))
    assert list(found) == ["middle value", "most frequent", "longest text", "most digits", "most shared"]
    assert all(g.fair for g in found.values()), [g.row for g in found.values()]


def test_an_answer_that_is_always_the_middle_is_found() -> None:
    g = rng("leak")
    made = []
    for i in range(200):
        middle = g.uniform(1, 3)
        texts = [f"{middle + 0.1 * k:.2f} m" for k in (-2, -1, 0, 1, 2)]
        made.append(question(f"{i:03d}", [texts[k] for k in g.permutation(5)], texts[2]))
    found = by_name(made)
    assert found["middle value"].accuracy == 1.0
    assert not found["middle value"].fair
    assert found["middle value"].row[-1] == "above chance"


def test_an_answer_with_more_digits_is_found() -> None:
    g = rng("digits")
    made = []
    for i in range(200):
        texts = [f"{x:.{2 if k == 0 else 1}f} m" for k, x in enumerate(g.uniform(1, 9, 5))]
        made.append(question(f"{i:03d}", [texts[k] for k in g.permutation(5)], texts[0]))
    found = by_name(made)
    assert found["most digits"].low > 0.2
    assert found["longest text"].low > 0.2


def test_a_word_that_is_mostly_right_is_found() -> None:
    words = ("left", "right", "in front", "behind", "above")
    g = rng("words")
    made = [
        question(f"{i:03d}", words, words[0 if g.random() < 0.5 else int(g.integers(5))]) for i in range(300)
    ]
    assert by_name(made)["most frequent"].low > 0.2


def test_ties_are_worth_their_share() -> None:
    made = [question(f"{i}", ("aa", "bb", "cc", "dd", "ee"), "bb") for i in range(10)]
    found = by_name(made)
    assert found["most digits"].accuracy == pytest.approx(0.2)
    assert found["middle value"].accuracy == pytest.approx(0.2)


def test_sides_are_values_to_the_middle_guesser() -> None:
    texts = ("40° to the right", "20° to the right", "10° to the left", "30° to the left", "50° to the left")
    assert by_name([question("q", texts, "10° to the left")])["middle value"].accuracy == 1.0


def test_questions_without_five_choices_are_passed_over() -> None:
    assert guessers([question("q", ("a", "b"), "a")]) == []


def test_values_that_were_asked_for_before_do_as_if_they_never_had_been() -> None:
    values = np.random.default_rng(5).uniform(0.2, 3.0, 120).tolist()
    near, lot = measure_of("indoor", "height"), NumberLot(values, "log", "twice")
    far = replace(near, least=2 * near.least, most=near.most)
    for errors, count in ((near, 40), (far, 20), (near, 10)):
        wants = [(errors, k % 5) for k in range(count)]
        assert lot.levelled(wants) == levelled(values, wants, "twice")


def test_an_answer_whose_parts_are_the_most_common_is_found() -> None:
    """Of boxes that share all numbers but one with the answer, and of orders."""
    g = rng("shared")
    boxes, names = (
        [],
        ("The mug, the can, the lamp", "The mug, the lamp, the can", "The can, the mug, the lamp"),
    )
    for i in range(60):
        right = g.integers(10, 99, 4).astype(str).tolist()
        texts = [" ".join(right)]
        texts += [" ".join((*right[:k], "5", *right[k + 1 :])) for k in range(4)]
        boxes.append(question(f"{i:03d}", [texts[k] for k in g.permutation(5)], texts[0]))
    assert by_name(boxes)["most shared"].accuracy == 1.0
    others = ("The lamp, the mug, the can", "The lamp, the can, the mug")
    # The first shares its first object, and its last one, with one other each; no order shares more.
    orders = [question("o", (*names, *others), names[0])]
    assert 0 < by_name(orders)["most shared"].accuracy <= 0.5
