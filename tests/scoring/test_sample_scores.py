from __future__ import annotations

import msgspec
import pytest

from fathom.records import InputError, Question, Variant
from fathom.scoring.sample_scores import score_responses
from fathom.scoring.scores import aggregate_scores
from tests.extractors import EXTRACTORS
from tests.scoring.made import BENCHMARK, EXACT, questions, response

ASKED = questions(scenes=2)
FIRST, SECOND = ASKED[0], ASKED[1]


def test_a_right_answer_is_worth_one_and_a_wrong_one_nothing() -> None:
    wrong = next(p for p in SECOND.possible if p != SECOND.answer)
    found = score_responses(
        [FIRST, SECOND], [response(SECOND, wrong), response(FIRST, FIRST.answer.upper())], EXACT
    )
    assert [(m.question, m.value, m.picked) for m in found] == [
        (FIRST.id, 1.0, FIRST.answer),
        (SECOND.id, 0.0, wrong),
    ]
    assert {m.extractor for m in found} == {"exact-1"}
    assert {m.cluster for m in found} == {"s000"}


def test_what_cannot_be_read_is_a_mark_without_a_pick() -> None:
    (found,) = score_responses([FIRST], [response(FIRST, "Hard to say.")], EXACT)
    assert (found.status, found.picked, found.how, found.value) == ("ok", None, "unreadable", 0)


@pytest.mark.parametrize("status", ["refused", "failed"])
def test_refusals_and_failures_keep_their_status_and_are_worth_nothing(status: str) -> None:
    (found,) = score_responses([FIRST], [response(FIRST, FIRST.answer, status=status)], EXACT)
    assert (found.status, found.how, found.value, found.picked) == (status, status, 0, None)


def test_a_question_without_a_response_is_missing_and_not_dropped() -> None:
    found = score_responses(ASKED, [response(FIRST, FIRST.answer)], EXACT)
    assert len(found) == len(ASKED)
    assert [m.how for m in found].count("missing") == len(ASKED) - 1


def test_a_later_success_counts_in_place_of_a_failure() -> None:
    tries = [response(FIRST, "", status="failed"), response(FIRST, FIRST.answer), response(FIRST, "")]
    for order in (tries, tries[1::-1]):
        (found,) = score_responses([FIRST], order, EXACT)
        assert found.value == 1


def test_repeats_and_variants_have_marks_of_their_own() -> None:
    variants = [Variant(repeat=1), Variant(), Variant(name="circular 1")]
    found = score_responses([FIRST], [response(FIRST, FIRST.answer, variant=v) for v in variants], EXACT)
    assert [m.variant for m in found] == [Variant(name="circular 1"), Variant(), Variant(repeat=1)]


def test_options_are_read_in_the_order_in_which_they_were_shown() -> None:
    seen: list[tuple[str, ...]] = []

    def watch(question: Question, text: str) -> object:
        seen.append(question.choices)
        return EXACT.read(question, text)

    asked = Question(id="q", task="t", text="Which?", answer="b", choices=("a", "b", "c"))
    extractor = type(EXACT)("watch", "1", watch, EXACT.value)  # type: ignore[arg-type]
    (found,) = score_responses(
        [asked], [response(asked, "b", variant=Variant(option_order=(2, 0, 1)))], extractor
    )
    assert seen == [("c", "a", "b")]
    assert found.value == 1
    with pytest.raises(InputError, match="expected an order of its 3 options"):
        score_responses([asked], [response(asked, "b", variant=Variant(option_order=(0, 1)))], extractor)


def test_judges_are_not_marked() -> None:
    (found,) = score_responses([FIRST], [response(FIRST, FIRST.answer, purpose="judge")], EXACT)
    assert found.how == "missing"


def test_a_response_to_no_question_is_refused() -> None:
    with pytest.raises(InputError, match="found 's001-"):
        score_responses([FIRST], [response(ASKED[-1], "Yes")], EXACT)


@pytest.mark.parametrize(
    "text",
    [
        "<think>one caption: …</think>\ncaption: A car turns.",
        "<seed:think>caption: no</seed:think>Caption: A car turns.",
        "[THINK]caption: a dog[/THINK]A car turns.",
        "<|START_THINKING|>caption: a dog<|END_THINKING|>caption: A car turns.",
        "<|channel|>analysis<|message|>caption: a dog<|end|><|channel|>final<|message|>A car turns.",
        '<reasoning effort="high">caption: a dog</reasoning>A car turns.',
    ],
)
def test_what_is_thought_aloud_is_no_part_of_a_caption(text: str) -> None:
    asked = msgspec.structs.replace(FIRST, references=("A car turns left.",), choices=(), possible=())
    stated = response(asked, text)
    (found,) = score_responses([asked], [stated], EXTRACTORS["fathom"])
    assert found.picked == "A car turns."
    (published,) = score_responses([asked], [stated], EXTRACTORS["4d-bench-official"])
    assert published.picked != "A car turns."


def test_an_answer_that_was_cut_off_is_read_and_told() -> None:
    cut = response(FIRST, FIRST.answer, finish="length")
    (found,) = score_responses([FIRST], [cut], EXACT)
    assert (found.value, found.cut_off) == (1, True)
    scores = {s.name: s.value for s in aggregate_scores(BENCHMARK, ASKED, [found], 0) if not s.group}
    assert (scores["cut_off"], scores["unreadable"]) == (1, 0)
