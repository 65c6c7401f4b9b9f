"""Which option is picked from likelihoods."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.records import InputError, Question, Response, Variant
from fathom.scoring.likelihood import RANKINGS, Ranking, pick, ranking_of
from fathom.scoring.sample_scores import score_responses
from tests.extractors import EXTRACTORS

OPTIONS = ("a cat", "a very long answer", "dog", "bird")
logprob = st.floats(-200, 0)


def question(choices: tuple[str, ...] = OPTIONS, answer: str = "dog") -> Question:
    return Question(id="q", task="t", text="?", answer=answer, choices=choices)


def response(
    logprobs: tuple[float, ...], order: tuple[int, ...] = (), tokens: tuple[int, ...] = ()
) -> Response:
    variant = Variant(name="circular", option_order=order) if order else Variant()
    return Response(
        key="k",
        question="q",
        status="ok",
        variant=variant,
        option_logprobs=logprobs,
        option_tokens=tokens or (1,) * len(logprobs),
    )


@given(st.lists(logprob, min_size=4, max_size=4, unique=True))
def test_the_sum_picks_the_highest(logprobs: list[float]) -> None:
    found = pick(OPTIONS, logprobs, (1, 2, 3, 4), Ranking("sum"))
    assert found.text == OPTIONS[logprobs.index(max(logprobs))]
    assert found.how == "most likely (sum)"


def test_the_normalisations_disagree_where_options_differ_in_length() -> None:
    logprobs, tokens = (-2.0, -9.0, -3.0, -8.0), (1, 6, 1, 1)
    picked = {name: pick(OPTIONS, logprobs, tokens, Ranking(name)).text for name in ("sum", "token", "char")}
    assert picked == {"sum": "a cat", "token": "a very long answer", "char": "a cat"}
    assert pick(OPTIONS, (-5.0, -9.0, -8.0, -8.0), tokens, Ranking("char")).text == "a very long answer"


def test_letters_are_not_normalised_by_the_length_of_what_they_stand_for() -> None:
    logprobs = (-2.0, -9.0, -3.0, -8.0)
    by_text = pick(OPTIONS, (-5.0, -9.0, -8.0, -8.0), (), Ranking("char", "text"))
    by_letter = pick(OPTIONS, (-5.0, -9.0, -8.0, -8.0), (), Ranking("char", "letter"))
    assert (by_text.text, by_letter.text) == ("a very long answer", "a cat")
    assert pick(OPTIONS, logprobs, (), Ranking("char", "letter")).text == "a cat"


@given(st.permutations(range(4)), st.lists(logprob, min_size=4, max_size=4, unique=True))
def test_the_order_of_the_options_does_not_matter(order: list[int], logprobs: list[float]) -> None:
    turned = [OPTIONS[i] for i in order]
    values = [logprobs[i] for i in order]
    assert pick(turned, values, (), Ranking()).text == pick(OPTIONS, logprobs, (), Ranking()).text


def test_two_that_are_equally_likely_are_no_answer_unless_they_are_the_same_text() -> None:
    tie = pick(OPTIONS, (-1.0, -1.0, -2.0, -3.0), (), Ranking())
    assert (tie.text, tie.failed) == (None, False)
    assert tie.how == "equally likely"
    alike = pick(("dog", "cat", "dog", "cow"), (-1.0, -2.0, -1.0, -4.0), (), Ranking())
    assert alike.text == "dog"
    assert pick(OPTIONS, (-math.inf,) * 4, (), Ranking()).text is None
    assert pick(OPTIONS, (-math.inf, -1.0, -math.inf, -math.inf), (), Ranking()).text == OPTIONS[1]


@pytest.mark.parametrize(
    ("logprobs", "tokens", "normalisation", "why"),
    [
        ((-1.0, math.nan, -2.0, -3.0), (), "sum", "NaN"),
        ((-1.0, math.inf, -2.0, -3.0), (), "sum", "infinite"),
        ((-1.0, -2.0, -3.0), (), "sum", "3 log-probabilities for 4 options"),
        ((-1.0, -2.0, -3.0, -4.0), (1, 2, 0, 4), "token", "no length"),
        ((-1.0, -2.0, -3.0, -4.0), (), "token", "no length"),
    ],
)
def test_numbers_that_cannot_be_used_are_a_failure_with_a_reason(
    logprobs: tuple[float, ...], tokens: tuple[int, ...], normalisation: str, why: str
) -> None:
    found = pick(OPTIONS, logprobs, tokens, Ranking(normalisation))  # type: ignore[arg-type]
    assert found.failed
    assert found.text is None
    assert why in found.how


def test_a_mark_says_that_a_ranking_made_it_and_letters_follow_the_order_shown() -> None:
    said = response((-4.0, -1.0, -3.0, -2.0), order=(1, 2, 3, 0))
    (sample_score,) = score_responses([question()], [said], EXTRACTORS["fathom"], Ranking("sum", "letter"))
    assert (sample_score.picked, sample_score.value, sample_score.extractor) == ("dog", 1.0, "rank-sum-1")


def test_a_mark_of_nan_has_failed_and_is_worth_nothing() -> None:
    (sample_score,) = score_responses([question()], [response((math.nan, -1, -2, -3))], EXTRACTORS["fathom"])
    assert (sample_score.status, sample_score.value, sample_score.picked) == ("failed", 0.0, None)


def test_the_extractor_that_names_a_normalisation_wins_over_that_of_the_run() -> None:
    said = response((-2.0, -9.0, -3.0, -8.0), tokens=(1, 6, 1, 1))
    asked = question(answer="a very long answer")
    sample_scores = {
        name: score_responses([asked], [said], extractor, Ranking("sum"))[0]
        for name, extractor in {**RANKINGS, "fathom": EXTRACTORS["fathom"]}.items()
    }
    assert {name: m.value for name, m in sample_scores.items()} == {
        "rank-sum": 0.0, "rank-token": 1.0, "rank-char": 0.0, "fathom": 0.0
    }  # fmt: skip
    assert {m.extractor for m in sample_scores.values()} == {"rank-sum-1", "rank-token-1", "rank-char-1"}


def test_a_extractor_for_likelihoods_reads_nothing_in_text() -> None:
    said = Response(key="k", question="q", status="ok", text="dog")
    (sample_score,) = score_responses([question()], [said], RANKINGS["rank-sum"])
    assert (sample_score.picked, sample_score.value, sample_score.how) == (None, 0.0, "no log-probabilities")


def test_a_runs_manifest_says_how_its_likelihoods_are_compared() -> None:
    assert ranking_of({}) == Ranking("sum", "text")
    found = ranking_of({"protocol.normalisation": "token", "protocol.continuation": "letter"})
    assert found == Ranking("token", "letter")
    with pytest.raises(InputError, match="sum or token or char"):
        ranking_of({"protocol.normalisation": "words"})
