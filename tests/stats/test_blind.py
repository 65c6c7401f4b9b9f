from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from fathom.datasets.checks import blind_promise
from fathom.records import InputError, Question, without_answer
from fathom.stats.blind import features, fit, stress_test
from fathom.stats.blind_verdicts import BlindResult, FoldResult, compare_with_chance, seen_words
from fathom.stats.cues import choose_vocabulary, earlier_answers, several_numbers, tokens
from fathom.stats.views import views
from tests.stats import sets

ways = {"random", "by scene", "in file order"}


def flagged(result: BlindResult) -> set[str]:
    """The ways of holding out that are not at chance."""
    return {f.folds for f in result.folds if f.verdict == "above chance"}


LEAKS: dict[str, tuple[Callable[[int, int], list[Question]], set[str]]] = {
    "order: the rarer answer so far comes next": (sets.quotas, {"in file order"}),
    "order: the file is sorted by answer": (sets.sorted_by_answer, {"random", "by scene"}),
    "option length: the longest option is right": (sets.longest_is_right, ways),
    "answer prior: the first answer is right more often": (sets.mostly_first, ways),
    "number format: the right number has more decimals": (sets.precise_is_right, ways),
    "several numbers: the right place lies farther ahead": (sets.far_ahead_is_right, ways),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str) -> None:
    plant, ways_that_must_see_it = LEAKS[leak]
    result = stress_test(plant(300, 1), seed=1)
    assert not result.passed
    assert ways_that_must_see_it <= flagged(result)


@pytest.mark.parametrize("make", [sets.clean, sets.even_options])
def test_sets_without_a_leak_are_seldom_flagged(make: Callable[[int, int], list[Question]]) -> None:
    """One clean set of twenty may be called leaky; two of three is too much."""
    alarms = sum(not stress_test(make(120, seed), seed=seed).passed for seed in range(3))
    assert alarms <= 1


@pytest.mark.parametrize(
    ("scenes", "sizes"), [(6, (14, 34)), (12, (14, 34)), (36, (14, 34)), (6, (1, 2)), (15, (1, 4))]
)
def test_a_clean_set_of_any_size_is_called_leaky_in_at_most_one_of_twenty_cases(
    scenes: int, sizes: tuple[int, int]
) -> None:
    """Guesses drawn by chance, right or wrong together on a scene, held out in three independent ways."""
    g = np.random.default_rng([scenes, 462])
    alarms, draws = 0, 600
    for _ in range(draws):
        names = [f"s{i}" for i, size in enumerate(g.integers(*sizes, scenes)) for _ in range(size)]
        chances = 1 / g.choice([2, 4, 8], len(names))
        ways = [drawn_guesses(g, names, chances) for _ in range(3)]
        alarms += any(way.verdict == "above chance" for way in ways)
    assert alarms / draws <= 0.05


def drawn_guesses(
    g: np.random.Generator, names: list[str], chances: np.ndarray, leak: float = 0.0
) -> FoldResult:
    """What is found where the guess is right with each question's chance, and some more."""
    moods = {name: g.random() for name in dict.fromkeys(names)}
    tied = g.random(len(names)) < 0.1
    right = np.where(tied, [moods[name] for name in names], g.random(len(names))) < chances + leak
    shares = np.stack([right, ~right], axis=1).astype(float)
    first = np.zeros(len(names), dtype=np.intp)
    everything = np.ones(len(names), dtype=bool)
    return compare_with_chance("by scene", shares, first, chances, names, everything, ())


@pytest.mark.parametrize("scenes", [60, 250])
def test_a_leak_as_large_as_the_test_says_it_would_notice_is_noticed_in_four_sets_of_five(
    scenes: int,
) -> None:
    g = np.random.default_rng([scenes, 17])
    names = [f"s{i}" for i in range(scenes) for _ in range(20)]
    chances = np.full(len(names), 0.2)
    least = drawn_guesses(g, names, chances).noticeable
    found = [drawn_guesses(g, names, chances, leak=least) for _ in range(300)]
    assert sum(f.verdict == "above chance" for f in found) >= 0.8 * 300


def test_a_set_is_called_clean_only_where_five_points_would_have_been_noticed() -> None:
    g = np.random.default_rng(3)
    small, large = ([f"s{i}" for i in range(n) for _ in range(7)] for n in (66, 600))
    few = drawn_guesses(g, small, np.full(len(small), 0.2))
    many = drawn_guesses(g, large, np.full(len(large), 0.2))
    assert (few.verdict, many.verdict) == ("too few to tell", "at chance")
    assert few.noticeable > 0.05 >= many.noticeable
    both = BlindResult(1, 0, 0.2, (few, many), {})
    assert (both.verdict, both.passed) == ("too few to tell", True)
    assert "could go unnoticed" in seen_words(both)
    clean = BlindResult(1, 0, 0.2, (many, many), {})
    assert clean.verdict == "at chance" and "would be noticed" in seen_words(clean)
    assert blind_promise(both).verdict == "too few to tell"
    assert blind_promise(clean).verdict == "yes"


def test_one_leaking_task_among_clean_ones_is_found_and_named() -> None:
    leaky = [msgspec.structs.replace(q, task="leaky") for q in sets.mostly_first(130, 4, share=0.9)]
    result = stress_test([*sets.clean(300, 5), *leaky], seed=2)
    assert {r.folds for r in result.tasks if r.verdict == "above chance"} == {
        "leaky, random",
        "leaky, by scene",
    }
    assert "leaky, random" in blind_promise(result).found


def test_of_few_scenes_nothing_is_told_and_nothing_fails() -> None:
    few = FoldResult("random", 0.9, 0.8, 1.0, 0.25, 500, (), 5)
    assert few.verdict == "too few to tell"
    assert BlindResult(500, 0, 0.25, (few,), {}).passed
    more = FoldResult("random", 0.9, 0.8, 1.0, 0.25, 500, (), 6, 0.1)
    assert more.verdict == "above chance"
    assert not BlindResult(500, 0, 0.25, (few, more), {}).passed


def test_a_leak_that_is_found_is_one_however_few_the_questions_and_few_are_never_called_clean() -> None:
    assert FoldResult("random", 0.73, 0.44, 1.0, 0.25, 30, (), 15, 0.37).verdict == "above chance"
    assert FoldResult("random", 0.25, 0.1, 0.4, 0.25, 99, (), 99, 0.01).verdict == "too few to tell"
    assert FoldResult("random", 0.25, 0.1, 0.4, 0.25, 100, (), 99, 0.01).verdict == "at chance"


def test_guesses_that_are_alike_on_all_scenes_have_bounds_all_the_same() -> None:
    """Six questions with two answers are all guessed by chance in one of 64 sets."""
    right, names = np.zeros(6, dtype=np.intp), [f"s{i}" for i in range(6)]
    for guess, (low, high) in {1.0: (0.0, 1.0), 0.0: (0.0, 1.0)}.items():
        shares = np.tile([guess, 1 - guess], (6, 1))
        chances, all_six = np.full(6, 0.5), np.ones(6, dtype=bool)
        found = compare_with_chance("random", shares, right, chances, names, all_six, ())
        assert low <= found.low < found.high <= high and found.high - found.low > 0.4
        assert found.verdict == "too few to tell"


def test_a_leak_is_found_in_small_sets_too() -> None:
    for seed in range(2):
        result = stress_test(sets.mostly_first(130, seed, share=0.6), seed=seed)
        assert {f.verdict for f in result.folds} == {"above chance"}
    tiny = stress_test(sets.mostly_first(90, 0, share=0.9))
    assert not tiny.passed
    assert seen_words(tiny) == ""


def test_chance_is_the_mean_of_one_over_the_possible_answers() -> None:
    questions = sets.clean(60, 2)
    result = stress_test(questions, folds=2)
    assert result.chance == pytest.approx(np.mean([1 / len(q.possible) for q in questions]))
    assert {f.folds for f in result.folds} == ways


def test_bias_scores_are_high_where_the_answer_is_easy_to_guess() -> None:
    questions = sets.clean(200, 3)
    easy = {q.id for q in questions[::3]}
    marked = [
        msgspec.structs.replace(q, text=f"Surely: {q.text}", answer=q.possible[0]) if q.id in easy else q
        for q in questions
    ]
    scores = stress_test(marked).bias_scores
    assert set(scores) == {q.id for q in questions}
    assert all(-1 <= s <= 1 for s in scores.values())
    by_kind = [np.mean([s for q, s in scores.items() if (q in easy) is kind]) for kind in (True, False)]
    assert by_kind[0] > 0.3
    assert abs(by_kind[1]) < 0.1


def test_the_cues_that_gave_it_away_are_named() -> None:
    by_text = [
        msgspec.structs.replace(q, text=q.text + (" shiny" if q.answer == q.possible[0] else ""))
        for q in sets.clean(200, 4)
    ]
    random = stress_test(by_text).folds[0]
    assert random.accuracy > 0.5
    assert any("shiny" in cue for cue, _ in random.cues[:2])


def test_the_result_is_a_function_of_questions_and_seed() -> None:
    questions = sets.clean(80, 5)
    assert stress_test(questions, folds=2, seed=9) == stress_test(questions, folds=2, seed=9)


def test_from_10000_questions_on_the_accuracy_must_lie_within_one_and_a_half_points() -> None:
    def found(n: int, accuracy: float) -> str:
        return FoldResult("random", accuracy, 0.249, 0.30, 0.25, n, (), 300, 0.03).verdict

    assert found(9_999, 0.27) == "at chance"
    assert found(10_000, 0.27) == "above chance"
    assert found(10_000, 0.264) == "at chance"
    assert FoldResult("random", 0.27, 0.26, 0.28, 0.25, 500, (), 300).verdict == "above chance"


def test_questions_that_cannot_be_guessed_are_counted_and_left_out() -> None:
    free = [Question(id=f"free-{i}", task="t", text="How far?", answer="3.2") for i in range(3)]
    result = stress_test([*sets.clean(60, 6), *free], folds=2)
    assert (result.n, result.untested) == (60, 3)
    nothing = stress_test(free)
    assert (nothing.n, nothing.untested, nothing.folds, nothing.passed) == (0, 3, (), True)


def test_an_answer_that_is_not_possible_is_said_with_its_question() -> None:
    wrong = msgspec.structs.replace(sets.clean(1, 0)[0], answer="mauve")
    with pytest.raises(InputError, match=r"scene-0000-0: the right answer 'mauve' is not among"):
        stress_test([wrong])


def test_fewer_questions_than_folds_still_give_a_result() -> None:
    result = stress_test(sets.clean(3, 7))
    assert {f.folds for f in result.folds} == {"random", "in file order"}
    assert result.n == 3


def test_a_guesser_learns_on_one_set_and_guesses_on_another() -> None:
    guesser = fit(sets.mostly_first(400, 10, share=0.6))
    other = sets.mostly_first(200, 11, share=0.6)
    guesses = guesser.guess([without_answer(q) for q in other])
    assert np.mean([g == q.answer for g, q in zip(guesses, other, strict=True)]) > 0.5
    assert all(g in q.possible for g, q in zip(guesses, other, strict=True))


def test_a_guess_does_not_depend_on_what_else_is_asked() -> None:
    guesser = fit(sets.clean(150, 12))
    asked = [without_answer(q) for q in sets.clean(20, 13)]
    together = guesser.guess(asked)
    assert together == [guesser.guess([a])[0] for a in asked]
    assert together == guesser.guess(asked[::-1])[::-1]


def test_options_are_guessed_by_how_they_are_written() -> None:
    guesser = fit(sets.longest_is_right(300, 14))
    other = sets.longest_is_right(150, 15)
    guesses = guesser.guess([without_answer(q) for q in other])
    assert np.mean([g == q.answer for g, q in zip(guesses, other, strict=True)]) > 0.5


def test_what_was_never_learnt_is_drawn_and_what_has_no_candidates_is_empty() -> None:
    guesser = fit(sets.clean(60, 16))
    strange = without_answer(Question(id="q", task="t", text="Which?", answer="x", possible=("x", "y")))
    free = without_answer(Question(id="r", task="t", text="How far?", answer="1"))
    drawn, empty = guesser.guess([strange, free])
    assert drawn in ("x", "y")
    assert empty == ""


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(InputError, match="none of the 1 questions to learn from"):
        fit([Question(id="r", task="t", text="How far?", answer="1")])


def test_answers_offered_side_by_side_are_learnt_together() -> None:
    found = views([without_answer(q) for q in sets.clean(100, 17)])
    assert {v.classes for v in found} == {tuple(sorted(p)) for p in sets.POSSIBLE.values()}
    assert sum(len(v.rows) for v in found) == 100


def test_features_have_a_name_for_each_column_and_fixed_columns_for_fixed_words() -> None:
    asked = [without_answer(q) for q in sets.clean(50, 18)]
    words = choose_vocabulary([tokens(a) for a in asked])
    names, matrix = features(asked, words)
    assert matrix.shape == (50, len(names))
    assert features(asked[:7], words)[0] == names
    assert np.array_equal(features(asked[:7], words)[1], matrix[:7])


def test_numbers_of_an_option_are_looked_at_one_by_one_where_there_are_several() -> None:
    asked = [without_answer(q) for q in sets.far_ahead_is_right(20, 3)]
    places = len(asked[0].choices)
    names, matrix = several_numbers(asked, places)
    assert matrix.shape == (20, len(names)) == (20, places * 3 * 3)
    assert matrix[0, names.index("option 0: number 3")] == pytest.approx(
        float(asked[0].choices[0].rsplit(", ", 1)[1].removesuffix(") m"))
    )
    single = [without_answer(q) for q in sets.precise_is_right(20, 3)]
    assert several_numbers(single, places)[0] == ()


def test_what_the_picture_shows_is_no_cue() -> None:
    asked = without_answer(sets.clean(1, 19)[0])
    seen = msgspec.structs.replace(asked, tags={**asked.tags, "n_objects": "7"})
    assert tokens(seen) == tokens(asked)


def test_earlier_answers_tell_only_of_questions_before() -> None:
    allowed = np.ones((4, 2), dtype=bool)
    labels = np.array([0, 0, 1, 1])
    rows = earlier_answers(["f", "f", "f", "g"], ["a", "b", "c", "d"], labels, allowed)
    assert rows[0].tolist() == [0, 0, 0.5, 0.5, -1, -1]
    assert rows[1].tolist() == [-0.5, 0.5, 0, 1, 0, -1]
    assert rows[2].tolist() == [-1, 1, 0, 1, 0, 0]
    assert rows[3].tolist() == [0, 0, 0.5, 0.5, -1, -1]
    changed = earlier_answers(["f", "f", "f", "g"], ["a", "b", "c", "d"], np.array([0, 0, 0, 0]), allowed)
    assert np.array_equal(rows[:3], changed[:3])


def test_earlier_answers_on_the_same_scene_are_not_told() -> None:
    allowed = np.ones((3, 2), dtype=bool)
    rows = earlier_answers(["f"] * 3, ["a", "b", "b"], np.array([0, 1, 1]), allowed)
    assert rows[2].tolist() == rows[1].tolist() == [-0.5, 0.5, 0, 1, 0, -1]


def test_answers_that_go_together_on_a_picture_are_shown_apart() -> None:
    """Ten pictures, on each of which one answer prevails: nothing that would help on an eleventh."""
    result = stress_test(sets.alike_on_a_picture(400, 20))
    by_scene = next(f for f in result.folds if f.folds == "by scene")
    assert result.same_picture is not None
    assert result.same_picture.low > result.chance + 0.05
    assert result.same_picture.accuracy > by_scene.accuracy + 0.1
    assert "same picture" not in {f.folds for f in result.folds}
