from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.extraction.fathom_extractor import EXTRACTOR
from fathom.extraction.numeric_answers import TOLERANCES, measured, relative_accuracy, worth
from fathom.records import Groups, Question, SampleScore
from fathom.scoring.metrics.relative import NAME, relative_scores

positive = st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000)


def asked(
    answer: str, name: str = "q", task: str = "dimensional_measurement", setting: str = "indoor"
) -> Question:
    return Question(
        id=name, task=task, text="How high?", answer=answer, groups=Groups(cluster=name),
        tags={"numeric": "yes", "setting": setting},
    )  # fmt: skip


def sample_score(question: Question, picked: str | None) -> SampleScore:
    return SampleScore(
        question=question.id, task=question.task, extractor="fathom-2", status="ok", value=0.0, picked=picked
    )


def test_there_are_ten_tolerances_from_half_to_a_twentieth() -> None:
    assert [float(t) for t in TOLERANCES] == [0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05]


@pytest.mark.parametrize(
    ("said", "right", "expected"),
    [
        ("10", "10", "1"),
        ("10.5", "10", "1"),  # off by 5 %, which the smallest tolerance still keeps
        ("10.51", "10", "0.9"),
        ("9", "10", "0.9"),
        ("12", "10", "0.7"),
        ("7.2", "10", "0.5"),
        ("15", "10", "0.1"),
        ("5", "10", "0.1"),
        ("15.01", "10", "0"),
        ("-10", "10", "0"),
        ("-33", "-30", "0.9"),
        ("0", "0", "1"),
        ("0.2", "0", "0.7"),
        ("0.6", "0", "0"),
    ],
)
def test_relative_accuracy_by_hand(said: str, right: str, expected: str) -> None:
    assert relative_accuracy(Fraction(said), Fraction(right)) == Fraction(expected)


@given(positive)
def test_the_right_number_is_worth_one(right: Fraction) -> None:
    assert relative_accuracy(right, right) == 1


@given(positive, positive, positive)
def test_the_unit_does_not_matter(said: Fraction, right: Fraction, factor: Fraction) -> None:
    assert relative_accuracy(said * factor, right * factor) == relative_accuracy(said, right)


@given(positive, positive, positive)
def test_nearer_is_never_worth_less(right: Fraction, off: Fraction, more: Fraction) -> None:
    assert relative_accuracy(right + off, right) >= relative_accuracy(right + off + more, right)


@pytest.mark.parametrize(
    ("text", "answer", "picked", "value"),
    [
        ("12.4 cm", "12.4 cm", "12.4 cm", 1.0),
        ("12.4", "12.4 cm", "12.4 cm", 1.0),
        ("The answer is 0.124 m.", "12.4 cm", "12.4 cm", 1.0),
        ("<think>maybe 30 cm</think>About 12 cm", "12.4 cm", "12 cm", 1.0),
        ('{"Answer": 11.0}', "12.4 cm", "11 cm", 0.8),
        ("First I see 2 mugs.\nThe distance is 1.5 m", "1.85 m", "1.5 m", 0.7),
        ("\\boxed{3.4~\\text{m/s}}", "3.4 m/s", "3.4 m/s", 1.0),
        ("340 cm/s", "3.4 m/s", "3.4 m/s", 1.0),
        ("Answer: -35°", "−35°", "-35°", 1.0),
        ("35 degrees to the right", "35° to the right", "-35°", 1.0),
        ("It turns right by 33 degrees.", "35° to the right", "-33°", 0.9),
        ("35 degrees to the left", "35° to the right", "35°", 0.0),
        ("120 cm/s²", "1.2 m/s²", "1.2 m/s²", 1.0),
    ],
)
def test_numbers_are_read_with_their_units(text: str, answer: str, picked: str, value: float) -> None:
    question = asked(answer)
    reading = EXTRACTOR.read(question, text)
    assert reading.picked == picked
    assert EXTRACTOR.value(question, reading) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["I cannot tell.", "between 1 and 2 m", "1–2 m", "It is 3 s long.", "1.2 m wide and 1.9 m high", ""],
)
def test_what_states_no_one_number_is_worth_nothing(text: str) -> None:
    question = asked("1.85 m")
    reading = EXTRACTOR.read(question, text)
    assert EXTRACTOR.value(question, reading) == 0
    assert worth(reading.picked, question) == 0


def test_other_questions_are_read_as_before() -> None:
    question = Question(id="q", task="t", text="How many?", answer="3", possible=("1", "2", "3"))
    assert EXTRACTOR.read(question, "3").picked == "3"
    chosen = Question(
        id="q", task="t", text="How high?", answer="3 m", choices=("3 m", "2 m"), tags={"numeric": "yes"}
    )
    assert EXTRACTOR.read(chosen, "A").picked == "3 m"


def test_a_number_without_unit_is_in_the_unit_asked_for() -> None:
    assert measured("12", asked("12.4 cm")) == "12 cm"
    assert measured("12 s", asked("12.4 cm")) is None
    assert measured("the 2 mugs are 12 cm apart", asked("12.4 cm")) == "12 cm"


def test_scores_are_means_over_questions_by_task_and_setting() -> None:
    questions = [
        asked("1.00 m", "a"),
        asked("2.00 m", "b"),
        asked("4.0 m/s", "c", "speed_acceleration", "outdoor"),
        Question(id="d", task="spatial_relation", text="Where?", answer="left", choices=("left", "right")),
    ]
    sample_scores = [
        sample_score(questions[0], "1.1 m"),  # 0.9
        sample_score(questions[1], None),  # 0
        sample_score(questions[2], "4 m/s"),  # 1
        sample_score(questions[3], "left"),
    ]
    found = {tuple(s.group.values()): s for s in relative_scores(questions, sample_scores, 0)}
    assert all(s.name == NAME for s in found.values())
    expected = {
        (): (1.9 / 3, 3),
        ("dimensional_measurement",): (0.45, 2),
        ("speed_acceleration",): (1.0, 1),
        ("indoor",): (0.45, 2),
        ("outdoor",): (1.0, 1),
    }
    assert found.keys() == expected.keys()
    for group, (value, n) in expected.items():
        assert found[group].value == pytest.approx(value)
        assert found[group].n == n


def test_without_numeric_questions_there_is_no_such_score() -> None:
    assert relative_scores([], [], 0) == []
