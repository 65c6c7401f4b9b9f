"""Questions from what is known of pictures, to the dataset: scripted models, the real runner."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.authoring import drafts as every
from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.engine import Next
from fathom.authoring.engine import next_step as engine_step
from fathom.authoring.filters import BLIND_RIGHT
from fathom.authoring.outcomes import Rejected
from fathom.authoring.replies import NO_JSON
from fathom.authoring.review import FILE
from fathom.benchmarks.seedbench.authoring import AUTHORING
from fathom.benchmarks.seedbench.authoring import drafts as reasons
from fathom.benchmarks.seedbench.authoring.balancing import balanced
from fathom.benchmarks.seedbench.authoring.drafts import read_drafts, repeated
from fathom.benchmarks.seedbench.authoring.review import OTHERWISE, AnnotationLine
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting
from fathom.benchmarks.seedbench.paper import PUBLISHED_COUNTS, SIZES, SPATIAL, TEMPORAL
from fathom.records import InputError, Request
from fathom.store.datasets import open_dataset
from fathom.store.files import read_jsonl
from tests.authoring.answering import answer, words_of
from tests.information.worlds import make_worlds

SETTINGS = PictureWriting(
    dimensions=("instance_identity", "instances_counting", "visual_reasoning"), nouns=3, people=2
)
RIGHT = {"a vehicle", "4", "to reach another place"}


def entry(kind: str, **changes: object) -> dict[str, object]:
    made: dict[str, dict[str, object]] = {
        "instance_identity": {
            "question": "What is the large thing in the middle?",
            "choices": ["a vehicle", "a tall tree", "a house", "a cloud"],
            "answer": "a vehicle",
        },
        "instances_counting": {
            "question": "How many vehicles are there in the scene?",
            "choices": ["2", "3", "4", "5"],
            "answer": "4",
        },
        "visual_reasoning": {
            "question": "Why would somebody use what stands here?",
            "choices": [
                "to cook a meal",
                "to sleep well",
                "to reach another place",
                "to sing a long old song",
            ],
            "answer": "to reach another place",
        },
    }
    return made[kind] | changes


def writer(request: Request) -> str:
    return json.dumps({"questions": [entry(request.asked.tags["subtask"])]})


def reader(good: bool) -> object:
    """Return a blind reader that always, or never, is right."""

    def speak(request: Request) -> str:
        return f"({'ABCD'[next(k for k, c in enumerate(request.asked.choices) if (c in RIGHT) == good)]})"

    return speak


@pytest.fixture
def info(tmp_path: Path) -> Path:
    worlds = make_worlds(tmp_path / "worlds", 3)
    api.extract_information(worlds, tmp_path / "info", extractors=["perfect"])
    return tmp_path / "info"


def go_on(info: Path, *runs: Path, settings: PictureWriting | None = None) -> Next:
    return engine_step(AUTHORING, open_dataset(info), info.parent / "work", runs, settings)


def until_review(info: Path) -> Next:
    work = info.parent / "work"
    first = go_on(info, settings=SETTINGS)
    assert {p.parent.name for p in first.requests} == {"write", "write-visual_reasoning"}
    runs = [answer(work, "write", "small", writer), answer(work, "write-visual_reasoning", "large", writer)]
    assert go_on(info, *runs).step == "blind"

    def one(request: Request) -> str:
        return str(reader("counting" in request.asked.id)(request))  # type: ignore[operator]

    return go_on(info, *(answer(work, "blind", name, one) for name in ("a", "b", "c")))


def lines_of(info: Path) -> list[AnnotationLine]:
    return list(read_jsonl(info.parent / "work" / FILE, AnnotationLine))


def fill(info: Path, lines: list[AnnotationLine]) -> None:
    path = info.parent / "work" / FILE
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def test_writers_read_the_information_and_no_picture(info: Path) -> None:
    go_on(info, settings=SETTINGS)
    seen: list[Request] = []

    def listen(request: Request) -> str:
        seen.append(request)
        return "{}"

    answer(info.parent / "work", "write", "small", listen)
    assert len(seen) == 6
    scene = next(open_dataset(info.parent / "worlds").scenes())
    words = words_of(seen[0])
    assert all(f"- {o.category}: [" in words for o in scene.objects)
    assert not any(hasattr(part, "media") for request in seen for part in request.prompt.parts)


def test_what_all_readers_get_right_goes_and_the_share_is_said_by_dimension_and_writer(info: Path) -> None:
    found = until_review(info)
    assert found.step == "review"
    assert "right blind by all readers: 3 of 9 (33.33 %); in the paper 5.52 %" in found.say
    assert "Instances Counting: 3 of 3 (100.00 %)" in found.say
    assert "scripted" in found.say
    rejected = list(read_jsonl(info.parent / "work" / "rejected.jsonl", Rejected))
    assert Counter(r.reason for r in rejected) == {BLIND_RIGHT: 3}
    assert len(lines_of(info)) == 12
    assert not any(hasattr(line, "answer") for line in lines_of(info))


def test_people_answer_assign_dimensions_and_discard_and_the_rest_becomes_a_dataset(info: Path) -> None:
    until_review(info)
    lines = lines_of(info)
    questions = list(dict.fromkeys(line.question for line in lines))
    for line in lines:
        line.reviewer = ("ana", "ben")[line.person - 1]
        line.decision = "keep"
        line.answer_given = next(c for c in line.choices if c in RIGHT)
        if line.question == questions[0]:
            line.dimension = "scene_understanding"
        elif line.question == questions[1] and line.person == 2:
            line.answer_given = "abcd"[next(k for k, c in enumerate(line.choices) if c not in RIGHT)]
        elif line.question == questions[2] and line.person == 1:
            line.decision, line.reason = "reject", "several right"
    fill(info, lines)
    found = go_on(info)
    assert found.done
    assert len(found.questions) == 4
    kept = {q.id: q for q in found.questions}
    assert kept[questions[0]].task == "scene_understanding"
    assert found.table.count("review", OTHERWISE) == 1
    assert "people agree in 66.7 % of 6 pairs" in found.say
    assert "Cohen's κ of ana and ben" in found.say
    rejected = list(read_jsonl(info.parent / "work" / "rejected.jsonl", Rejected))
    assert "several right" in {r.detail for r in rejected}
    api.write_questions(info, info.parent / "work", out=info.parent / "set")
    made = open_dataset(info.parent / "set")
    assert {q.id for q in made.questions()} == set(kept)
    assert all(made.media_bytes(q.media[0]) for q in made.questions())


def test_an_answer_that_is_no_option_is_said_with_its_line(info: Path) -> None:
    until_review(info)
    lines = lines_of(info)
    lines[0].decision, lines[0].answer_given = "keep", "a ship"
    fill(info, lines)
    with pytest.raises(InputError, match=r"review\.jsonl:1: keeps the question, and answers a ship"):
        go_on(info)
    lines[0].answer_given, lines[0].dimension = lines[0].choices[0], "smell"
    fill(info, lines)
    with pytest.raises(InputError, match="no dimension 'smell'"):
        go_on(info)


def drafts(reply: object, kind: str = "instance_identity") -> list[QuestionCandidate | str]:
    said = reply if isinstance(reply, str) else json.dumps(reply)
    return read_drafts(said, "one", kind, "model", "0")


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps([entry("instance_identity")]),
        f"Here you are:\n```json\n{json.dumps({'questions': [entry('instance_identity')]})}\n```\nDone.",
        json.dumps(entry("instance_identity", answer="A")),
        json.dumps(
            entry(
                "instance_identity",
                choices={"A": "a vehicle", "B": "a tall tree", "C": "a house", "D": "a cloud"},
                answer="(A)",
            )
        ),
        json.dumps(
            entry(
                "instance_identity",
                choices=["A. a vehicle", "B. a tall tree", "C. a house", "D. a cloud"],
                answer="A. a vehicle",
            )
        ),
    ],
)
def test_the_form_of_a_reply_is_mended_and_its_words_are_not(reply: str) -> None:
    (found,) = drafts(reply)
    assert isinstance(found, QuestionCandidate)
    assert (found.answer, sorted(found.choices)) == (
        "a vehicle",
        ["a cloud", "a house", "a tall tree", "a vehicle"],
    )


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"choices": ["a vehicle", "a tree"]}, every.FEW),
        ({"choices": ["a vehicle", "A vehicle", "a house", "a cloud"]}, every.ALIKE),
        ({"answer": "a ship"}, every.NO_ANSWER),
        ({"question": "What does the caption name in the middle?"}, reasons.SPEAKS_OF_SOURCE),
        ({"question": "What is the thing at [0.1, 0.2]?"}, reasons.COORDINATES),
        (
            {
                "choices": ["a vehicle with four wheels and many windows", "a tree", "a house", "a cloud"],
                "answer": "a vehicle with four wheels and many windows",
            },
            reasons.STANDS_OUT,
        ),
    ],
)
def test_a_draft_that_cannot_be_a_question_says_why(changes: dict[str, object], reason: str) -> None:
    assert drafts({"questions": [entry("instance_identity", **changes)]}) == [reason]


def test_counts_begin_with_how_many_and_nothing_to_ask_is_no_error() -> None:
    wrong = entry("instances_counting", question="What is the number of vehicles here?")
    assert drafts({"questions": [wrong]}, "instances_counting") == [reasons.NO_NUMBERS]
    assert drafts({"questions": []}) == []
    assert drafts("I cannot say.") == [NO_JSON]


def test_nearly_the_same_question_with_the_same_answer_is_the_same() -> None:
    first, other, new = (
        drafts(entry("instance_identity", question=text))[0]
        for text in (
            "What is the large thing in the middle?",
            "In the middle, what is the large thing?",
            "What is the small thing on the left?",
        )
    )
    assert isinstance(first, QuestionCandidate)
    assert isinstance(other, QuestionCandidate)
    assert isinstance(new, QuestionCandidate)
    assert repeated(other, [first])
    assert not repeated(new, [first])


def test_balancing_keeps_as_many_of_each_or_the_shares_of_the_paper() -> None:
    many = [
        QuestionCandidate(id=f"{kind}{n}", subject="", kind=kind, text="", choices=(), answer="")
        for kind, number in (
            ("scene_understanding", 40),
            ("instance_attributes", 93),
            ("instances_counting", 12),
        )
        for n in range(number)
    ]
    assert balanced(many, "none", "0") == many
    assert Counter(c.kind for c in balanced(many, "even", "0")) == dict.fromkeys({c.kind for c in many}, 12)
    counts = Counter(c.kind for c in balanced(many, "paper", "0"))
    assert counts["instances_counting"] == 12
    assert counts["instance_attributes"] / 12 == pytest.approx(4649 / 2447, rel=0.05)


def test_the_published_counts_add_up_to_the_parts() -> None:
    assert sum(PUBLISHED_COUNTS[t] for t in SPATIAL) == SIZES["Spatial"]
    assert sum(PUBLISHED_COUNTS[t] for t in TEMPORAL) == SIZES["Temporal"]


def test_pictures_whose_captions_have_few_nouns_are_left_out(info: Path) -> None:
    with pytest.raises(InputError, match="more than 40 nouns are said"):
        go_on(info, settings=msgspec.structs.replace(SETTINGS, nouns=40))
