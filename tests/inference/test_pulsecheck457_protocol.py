"""What a model reads of PulseCheck457."""

from __future__ import annotations

import pytest

from fathom.benchmarks.pulsecheck457 import BENCHMARK, protocol
from fathom.benchmarks.pulsecheck457.protocol import BLIND, DEFAULT, LEVELS, PROTOCOLS
from fathom.benchmarks.pulsecheck457.tasks import TASKS, VOCABULARY
from fathom.records import Media, MediaPart, Question, TextPart, UnansweredQuestion, Variant


def asked(task: str = "L1_single") -> UnansweredQuestion:
    return UnansweredQuestion(id="q", task=task, text="What color is the bus?", media=("m1",), scene="s")


def one_picture(media_id: str) -> Media:
    return Media(id=media_id, path="m.png", kind="image", size=(640, 480), sha256="")


def texts(task: str, variant: Variant | None = None) -> list[str]:
    parts = DEFAULT.prompt(asked(task), variant or Variant(), one_picture).parts
    return [part.text if isinstance(part, TextPart) else "<m1>" for part in parts]


def test_the_order_is_role_picture_question_and_how_to_answer() -> None:
    role, picture, rest = texts("L1_single")
    assert role.startswith("You are")
    assert picture == "<m1>"
    assert rest.startswith("Question: What color is the bus?\n\n")
    assert rest.endswith('{"Reasoning": "<description and reasoning>", "Answer": "<answer>"}')


@pytest.mark.parametrize(
    ("task", "words"),
    [
        ("L3_2d_spatial", "as seen in the picture, from the camera's point of view"),
        ("L4_pose", "front means that an object faces the camera"),
        ("L5_6d_spatial", "from another object's own point of view, and not from the camera's"),
        ("L5_collision", "moved straight along the direction that it faces"),
        ("L4_occ", "hide parts of others"),
    ],
)
def test_each_level_says_whose_view_is_meant(task: str, words: str) -> None:
    assert words in texts(task)[0]


def test_the_levels_differ_and_are_the_seven() -> None:
    assert len({texts(task)[0] for task in LEVELS}) == 7
    assert list(LEVELS) == [
        "L1_single",
        "L2_objects",
        "L3_2d_spatial",
        "L4_occ",
        "L4_pose",
        "L5_6d_spatial",
        "L5_collision",
    ]


def test_every_answer_possible_is_named() -> None:
    tail = texts("L1_single")[2]
    words = (
        *protocol.SHAPES,
        *protocol.SIZES,
        *protocol.COLORS,
        *protocol.DIRECTIONS,
        "Yes",
        "No",
        "0 to 10",
    )
    assert all(word in tail for word in words)
    assert set(protocol.SHAPES) == set(VOCABULARY.shapes)
    assert (set(protocol.SIZES), set(protocol.COLORS)) == (set(VOCABULARY.sizes), set(VOCABULARY.colors))
    assert set(LEVELS) == set(TASKS)


def test_shapes_of_somebodys_own_models_are_named_where_a_shape_is_asked_for() -> None:
    def tail(*possible: str) -> str:
        question = UnansweredQuestion(
            id="q", task="L1_single", text="What shape is it?", tags={"asks": "shape"}, possible=possible
        )
        (*_, last) = DEFAULT.prompt(question, Variant(), one_picture).parts
        assert isinstance(last, TextPart)
        return last.text

    assert "one shape (suv, fire truck, tractor), one size" in tail("suv", "fire truck", "tractor")
    assert "airliner" not in tail("suv", "fire truck", "tractor")
    assert tail("suv", "wagon") == tail(*protocol.SHAPES) == tail()


def test_the_blind_protocol_shows_no_picture_and_says_so() -> None:
    (variant,) = BLIND.variants(asked())
    parts = BLIND.prompt(asked(), variant, one_picture).parts
    assert not any(isinstance(part, MediaPart) for part in parts)
    assert any(isinstance(part, TextPart) and "withheld" in part.text for part in parts)


def test_an_example_answer_is_what_every_extractor_reads() -> None:
    for answer in ("school bus", "yes", "red", "left"):
        question = Question(id="q", task="t", text="?", answer=answer, possible=(answer, "other"))
        for extractor in BENCHMARK.extractors.values():
            reading = extractor.read(question, DEFAULT.example_answer(answer).replace('":', '": '))
            assert extractor.value(question, reading) == 1.0, extractor.name


def test_protocols_are_found_by_name() -> None:
    assert set(PROTOCOLS) == {"default", "blind"}
    assert {p.version for p in PROTOCOLS.values()} == {"3"}
    assert DEFAULT.parameters == {"temperature": 0, "max_tokens": 1024}
