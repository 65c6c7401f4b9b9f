"""The extractor `fathom`: what was stated is read, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.benchmarks.pulsecheck457.protocol import COLORS, DIRECTIONS, SHAPES, example_answer
from fathom.records import Question
from tests.extractors import EXTRACTORS, OPEN

EXTRACTOR = EXTRACTORS["fathom"]
COUNTS = tuple(str(n) for n in range(11))
KINDS: dict[str, tuple[str, ...]] = {
    "shape": SHAPES,
    "color": COLORS,
    "size": ("large", "small"),
    "pose": DIRECTIONS,
    "count": COUNTS,
    "exist": ("yes", "no"),
}


def question(kind: str, answer: str = "", equivalents: tuple[str, ...] = ()) -> Question:
    possible = KINDS[kind]
    return Question(
        id="q", task="t", text="?", answer=answer or possible[0], possible=possible, equivalents=equivalents
    )


def choosing(*choices: str) -> Question:
    return Question(id="q", task="t", text="?", answer=choices[0], choices=choices)


STATED = [
    # as the prompt asks for it
    ("shape", '{"Reasoning": "The red one is a sedan.", "Answer": "sedan"}', "sedan", "json"),
    ("shape", '{"Reasoning": "", "Answer": "Road bike"}', "road bike", "json"),
    ("count", '{"Reasoning": "two buses {and} a car", "Answer": 3}', "3", "json"),
    ("count", '{"Reasoning": "…", "Answer": "10"}', "10", "json"),
    ("count", '{"Answer": 10}', "10", "json"),
    ("exist", '{"Answer": true}', "yes", "json"),
    ("exist", '{"Answer": "No."}', "no", "json"),
    # as models write it
    ("shape", '```json\n{\n  "Reasoning": "x",\n  "Answer": "suv"\n}\n```', "suv", "json"),
    ("shape", "{'Reasoning': 'it's the suv's shape', 'Answer': 'mountain bike'}", "mountain bike", "json"),
    ("color", "Sure! Here is the JSON:\n{'Reasoning': 'x', 'Answer': 'Grey'}", "gray", "json"),
    ("color", '{"Reasoning": "he said "red" aloud", "Answer": "blue"}', "blue", "json"),
    ("color", '{"Reasoning": "line one\nline two", "Answer": "blue"}', "blue", "json"),
    ("color", "{Reasoning: the bus is blue, Answer: blue}", "blue", "json"),
    ("color", "{“Reasoning”: “x”, “Answer”: “red”}", "red", "json"),
    ("color", '{"Reasoning": "x", "Answer": "red",}', "red", "json"),
    ("color", '{"reasoning": "x", "answer": "RED"}', "red", "json"),
    ("color", '{"Reasoning": "x", "Final Answer": "red"}', "red", "json"),
    ("color", '{"Reasoning": {"step": "x", "Answer": "blue"}, "Answer": "red"}', "red", "json"),
    ("color", '{"result": {"Reasoning": "x", "Answer": "red"}}', "red", "json"),
    ("color", '{"Answer": "red"}\nOn reflection:\n{"Answer": "blue"}', "blue", "json"),
    (
        "color",
        '{"Reasoning": "x", "Answer": "<answer>"}\n{"Reasoning": "y", "Answer": "cyan"}',
        "cyan",
        "json",
    ),
    ("color", '{"Reasoning": "x", "Answer": ["red"]}', "red", "json"),
    ("exist", "{'Reasoning': 'x', 'Answer': True}", "yes", "json"),
    ("color", '{"Answer": "It is red"}', "red", "json"),
    ("shape", '{"Answer": "double-decker bus"}', "double bus", "json"),
    ("shape", '{"Answer": "fighter jet"}', "fighter", "json"),
    ("shape", '{"Answer": "Mini-van"}', "minivan", "json"),
    ("shape", '{"Answer": "School"}', "school bus", "json"),
    ("shape", '{"Answer": "mountain bicycle"}', "mountain bike", "json"),
    ("shape", '{"Answer": "a red school bus"}', "school bus", "json"),
    ("size", '{"Answer": "big"}', "large", "json"),
    ("pose", '{"Answer": "front-facing"}', "front", "json"),
    ("count", '{"Answer": "Three"}', "3", "json"),
    ("count", '{"Answer": "3 objects"}', "3", "json"),
    ("count", '{"Answer": 3.0}', "3", "json"),
    ("count", '{"Answer": "None"}', "0", "json"),
    ("exist", '{"Answer": "Yes, there is a red bus."}', "yes", "json"),
    ("exist", '{"Answer": "false"}', "no", "json"),
    # stated, but not one of the answers possible
    ("shape", '{"Answer": "bus"}', "bus", "json"),
    ("shape", '{"Answer": "tractor"}', "tractor", "json"),
    ("color", '{"Answer": "red or blue"}', "red or blue", "json"),
    ("color", '{"Answer": "not red"}', "not red", "json"),
    ("count", '{"Answer": "2 or 3"}', "2 or 3", "json"),
    ("count", '{"Answer": 12}', "12", "json"),
    # broken or cut off
    ("color", '{"Reasoning": "the "red", one", "Answer": "red"', "red", "fragment"),
    ("color", '"Answer": "red"}', "red", "fragment"),
    ("color", '{"Reasoning": "it goes on and on', None, "cannot tell"),
    # without JSON
    ("shape", "The object is… so $\\boxed{\\text{suv}}$", "suv", "boxed"),
    ("count", "\\boxed{2} no wait \\boxed{4}", "4", "boxed"),
    ("color", "I look at the bus.\n**Answer:** Red", "red", "line"),
    ("color", "Reasoning: it is red or blue.\nFinal answer: blue.", "blue", "line"),
    ("color", "### Answer\n\nblue", "blue", "line"),
    ("color", "Answer: red\nLet me check again.\nAnswer: green", "green", "line"),
    ("color", "There is a red car. The answer is blue.", "blue", "statement"),
    ("color", "The answer is red. No: the correct answer would be green, I think.", "green", "statement"),
    ("shape", "So the answer is: **road bike**.", "road bike", "statement"),
    ("count", "The answer is 3, because I see 2 cars and 1 bus.", "3", "statement"),
    ("count", "I count one red bus and two cars in this picture.", None, "cannot tell"),
    ("exist", "Yes", "yes", "whole"),
    ("exist", "No, there is no such bus.", "no", "whole"),
    ("shape", " Sedan.", "sedan", "whole"),
    ("count", "4", "4", "whole"),
    ("count", "There are 4 of them.", "4", "whole"),
    (
        "color",
        "Looking at the picture from the camera, the object that stands to the left of the suv, and nearer "
        "to the viewer than it, is clearly painted purple all over.",
        "purple",
        "mention",
    ),
    ("color", "I see a red car and a blue bus in this picture, both of them large; hard to tell.", None, ""),
    (
        "exist",
        "There is no way to tell whether such an object can be found in this picture, I am afraid.",
        None,
        "",
    ),
    # thinking aloud is not answering
    ("color", '<think>maybe {"Answer": "blue"}</think>{"Answer": "red"}', "red", "json"),
    ("color", 'the answer is blue</think>\n{"Answer": "red"}', "red", "json"),
    ("color", "<think>The answer is blue. Hmm, wait", None, "cannot tell"),
    ("color", '{"Answer": "red"}<|im_end|>', "red", "json"),
    # nothing
    ("color", "", None, "cannot tell"),
    ("color", "   \n", None, "cannot tell"),
    ("color", '{"Answer": ""}', None, "cannot tell"),
    ("color", '{"Answer": null}', None, "cannot tell"),
    ("color", "I'm sorry, but I can't help with that.", None, "cannot tell"),
]


@pytest.mark.parametrize(("kind", "text", "picked", "how"), STATED)
def test_outputs_are_read_as_a_person_would(kind: str, text: str, picked: str | None, how: str) -> None:
    reading = EXTRACTOR.read(question(kind), text)
    assert reading.picked == picked
    assert not how or reading.how == how


CHOSEN = [
    ("(B)", 1),
    ("B", 1),
    ("b.", 1),
    ("B. 0.44m/s", 1),
    ("**B**", 1),
    ("The answer is B", 1),
    ("The answer is (B).", 1),
    ("answer: (D)", 3),
    ("answer is (B): 'It remains in the character's right hand'", 1),
    ("My answer is clearly D", 3),
    ("The answer is definitely A", 0),
    ("answer is most likely option C.", 2),
    ("The correct answer is therefore (C), since the others are wrong", 2),
    ("I would choose option (A).", 0),
    ("Looking closely, option B is correct.", 1),
    ('{"Answer": "C"}', 2),
    ('{"Answer": "(C) 0.5 m/s"}', 2),
    ('{"Answer": "0.25 m/s"}', 2),
    ("0.44m/s", 1),
    ("A man can be observed walking past the car on the left side of the street, with no speed given.", None),
    ("The answer is a man walking past", None),
    ("A or B, I cannot say which of the two", None),
    ("None of the options A through D can be selected", None),
]


@pytest.mark.parametrize(("text", "place"), CHOSEN)
def test_letters_are_read_where_they_are_meant_as_letters(text: str, place: int | None) -> None:
    asked = choosing("0.11 m/s", "0.44m/s", "0.25 m/s", "1.0 m/s")
    picked = EXTRACTOR.read(asked, text).picked
    assert (picked if picked in asked.choices else None) == (None if place is None else asked.choices[place])


def test_a_letter_means_the_choice_that_was_shown_there() -> None:
    shown = Question(id="q", task="t", text="?", answer="red", choices=("blue", "red"))
    assert EXTRACTOR.read(shown, "Answer: B").picked == "red"
    assert EXTRACTOR.read(shown, "Answer: E").picked not in shown.choices


@given(st.sampled_from(sorted(KINDS)), st.data())
def test_every_answer_written_as_asked_is_read_and_right(kind: str, data: st.DataObject) -> None:
    answer = data.draw(st.sampled_from(KINDS[kind]))
    asked = question(kind, answer)
    for text in (
        example_answer(answer),
        f"Answer: {answer}",
        f"The answer is {answer}.",
        answer.capitalize(),
    ):
        reading = EXTRACTOR.read(asked, text)
        assert reading.picked == answer
        assert EXTRACTOR.value(asked, reading) == 1.0


@given(st.sampled_from(sorted(KINDS)), st.data())
def test_another_answer_is_wrong(kind: str, data: st.DataObject) -> None:
    right, said = data.draw(st.permutations(KINDS[kind]))[:2]
    asked = question(kind, right)
    assert EXTRACTOR.value(asked, EXTRACTOR.read(asked, example_answer(said))) == 0.0


@pytest.mark.parametrize(
    "piece", ["{", '{"Answer":', "\n", "answer is ", "not suv ", "\\boxed{", "'", "</think>", "{'a': '"]
)
def test_no_text_holds_up_a_extractor(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    for extractor in EXTRACTORS.values():
        for asked in (question("exist"), question("shape"), choosing("x", "y")):
            extractor.read(asked, text)


def test_text_that_looks_like_code_is_not_run() -> None:
    text = "{'Answer': __import__('os').system('touch /tmp/fathom-was-here')}"
    assert EXTRACTOR.value(question("color"), EXTRACTOR.read(question("color"), text)) == 0.0
    assert not Path("/tmp/fathom-was-here").exists()


def test_equivalents_count_as_the_answer() -> None:
    asked = question("shape", "sedan", equivalents=("saloon car",))
    assert EXTRACTOR.value(asked, EXTRACTOR.read(asked, '{"Answer": "Saloon car"}')) == 1.0
    assert EXTRACTOR.value(asked, EXTRACTOR.read(asked, '{"Answer": "a car"}')) == 0.0


def test_an_answer_is_read_without_a_list_of_those_possible() -> None:
    asked = Question(id="q", task="t", text="?", answer="sedan")
    assert EXTRACTOR.value(asked, EXTRACTOR.read(asked, '{"Answer": "Sedan"}')) == 1.0
    # With nothing to choose between, a mere mention of the right answer is no answer.
    assert (
        EXTRACTOR.read(
            asked, "I see a sedan, a bus and a bike, and cannot decide between them at all."
        ).picked
        is None
    )


def test_extractors_are_versioned_and_found_by_name() -> None:
    assert {name: extractor.version for name, extractor in EXTRACTORS.items()} == {
        "fathom": "3",
        "4d-bench-official": "1",
        "4d-bench-official-letter": "1",
        "seed-bench-official": "1",
        "pulsecheck457-official": "1",
        "sti-bench-official": "1",
        "3dsrbench-official": "1",
        "paper-llm": "1",
        "vlmevalkit": "2",
        "lmms-eval": "2",
        "lmms-eval-3dsrbench": "1",
    }
    assert set(OPEN) == {"fathom", "pulsecheck457-official", "vlmevalkit", "lmms-eval"}
