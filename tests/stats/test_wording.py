from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.stats.paired import Difference, paired_difference
from fathom.stats.wording import difference_sentence, more_sentence, p_words, planning_sentence
from fathom.store.seeds import rng


def compared(first_only: int, second_only: int, both: int, per_scene: int = 1) -> Difference:
    first = [1.0] * first_only + [0.0] * second_only + [1.0] * both
    second = [0.0] * first_only + [1.0] * second_only + [1.0] * both
    order = rng("wording").permutation(len(first)).tolist()
    names = [f"s{i // per_scene}" for i in range(len(first))]
    return paired_difference([first[i] for i in order], [second[i] for i in order], names)


def test_a_clear_difference_is_said() -> None:
    assert difference_sentence("A", "B", compared(60, 20, 320)) == (
        "A is better than B: 95.0 % against 85.0 % of 400 questions, a difference of 10.0 points "
        "(95 % interval 5.6 to 14.3, p < 0.0001, exact McNemar)."
    )


def test_the_better_run_comes_first_in_the_sentence() -> None:
    said = difference_sentence("A", "B", compared(20, 60, 320))
    assert said.startswith("B is better than A: 95.0 % against 85.0 % of 400 questions")
    assert "5.6 to 14.3" in said


def test_no_difference_is_not_called_one() -> None:
    said = difference_sentence("A", "B", compared(22, 20, 358))
    assert said.startswith("A and B cannot be told apart: 95.0 % against 94.5 %")
    assert "95 % interval −2.7 to 3.7" in said


def test_a_task_and_its_adjusted_p_value_are_named() -> None:
    said = difference_sentence("A", "B", compared(60, 20, 320), 0.031, where="Action")
    assert said.startswith("On Action, A is better than B")
    assert "p = 0.031, Holm-adjusted" in said
    assert "cannot be told apart" in difference_sentence("A", "B", compared(60, 20, 320), 0.2)


def test_runs_that_do_not_differ_are_equal() -> None:
    assert (
        difference_sentence("A", "B", compared(0, 0, 50))
        == "A and B do equally well on each of 50 questions."
    )
    assert difference_sentence("A", "B", compared(0, 0, 1)) == "A and B do equally well on the one question."


def test_what_more_questions_would_do_is_said() -> None:
    assert more_sentence(compared(60, 20, 320)) == "No more questions are needed to tell them apart."
    assert more_sentence(compared(24, 20, 356)) == (
        "If the difference is as large as it looks, about 8,400 more questions of this kind are needed to "
        "show it in 80 of 100 sets."
    )


def test_that_two_runs_look_alike_is_no_proof_that_they_are() -> None:
    """Twelve questions, one right for each run alone: nothing follows, least of all that they are equal."""
    few = more_sentence(compared(1, 1, 10))
    assert few.startswith("That is no proof that they are equally good: up to ")
    assert "more questions of this kind find a difference of 5.0 points" in few
    many = compared(20, 20, 360)
    assert f"up to {100 * many.high:.1f} points either way are not ruled out" in more_sentence(many)
    assert "one scene" in more_sentence(compared(1, 1, 3, per_scene=5))


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(1, 4))
def test_interval_and_test_never_contradict_each_other(
    first_only: int, second_only: int, both: int, per_scene: int
) -> None:
    if not first_only + second_only + both:
        return
    found = compared(first_only, second_only, both, per_scene)
    told = found.p_value < 0.05
    if told:
        assert min(found.low, found.high) >= 0 or max(found.low, found.high) <= 0
    else:
        assert found.low <= 0 <= found.high
    said = difference_sentence("A", "B", found)
    assert ("cannot be told apart" in said or "equally well" in said) != told


def test_a_difference_that_counts_only_alone_says_so() -> None:
    said = difference_sentence("A", "B", compared(60, 20, 320), p_value=0.2, where="size")
    assert "cannot be told apart where so many differences are looked at" in said


def test_what_a_set_can_show_is_said() -> None:
    assert planning_sentence(600, 0.12) == (
        "600 questions find a difference of 4.1 points or more in 80 of 100 sets, where two runs differ on "
        "12 % of them."
    )
    assert planning_sentence(5, 0.1).startswith("5 questions are too few to tell two runs apart")


@pytest.mark.parametrize(
    ("p_value", "words"),
    [
        (1e-9, "p < 0.0001"),
        (0.00042, "p = 0.0004"),
        (0.0312, "p = 0.031"),
        (0.4, "p = 0.40"),
        (1.0, "p = 1.00"),
    ],
)
def test_p_values_have_as_many_digits_as_say_something(p_value: float, words: str) -> None:
    assert p_words(p_value) == words


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 60), st.integers(1, 9))
def test_every_sentence_is_one_sentence(first_only: int, second_only: int, both: int, per_scene: int) -> None:
    found = compared(first_only, second_only, both, per_scene)
    for said in (
        difference_sentence("A", "B", found),
        more_sentence(found),
        planning_sentence(found.n, found.spread, max(1.0, found.design_effect)),
    ):
        assert said.endswith(".")
        assert len(re.findall(r"\.(?= [A-Z])", said)) == 0
        assert "nan" not in said
        assert "inf" not in said.replace("interval", "")
