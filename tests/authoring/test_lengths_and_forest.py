"""What tells the right option without the picture: the words of a question, lengths, other questions."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from fathom import api
from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.information.nouns import nouns_said
from fathom.authoring.information.record import CaptionOf, SeenInstance, VisualInformation
from fathom.authoring.outcomes import Rejected
from fathom.authoring.replies import TOLD, tells
from fathom.benchmarks.seedbench.authoring.drafts import ALIKE, read_drafts
from fathom.benchmarks.seedbench.authoring.lengths import (
    TOLD_BY_LENGTH,
    chosen,
    longest,
    shortest,
    told_by_length,
)
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting
from fathom.inference.models.function import QuestionView
from fathom.records import InputError
from fathom.store.files import read_jsonl
from tests.conftest import BESIDE
from tests.information.worlds import make_worlds
from tests.needed import needs

OTHERS = ("sofa", "lamp", "rug")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Which of these is seen, and has a chair's shape?", "chair"),
        ("Which of these has a chair’s shape?", "chair"),
        ("Which of these are like the chairs' legs?", "a chair"),
        ("Of which do two boxes hold one?", "box"),
        ("What do people sit on?", "person"),
        ("What is a shelf of a shop for?", "shelves"),
    ],
)
def test_a_possessive_or_a_plural_hides_no_answer(text: str, answer: str) -> None:
    assert tells(text, (answer, *OTHERS), answer)
    draft = {"questions": [{"question": text, "choices": [answer, *OTHERS], "answer": answer}]}
    assert read_drafts(json.dumps(draft), "one", "instance_identity", "model", "0") == [TOLD]


def test_what_other_words_hold_is_not_said() -> None:
    assert not tells("Which of these stands on the carpet?", ("car", *OTHERS), "car")
    assert not tells("What is this glass bowl of?", ("glas", *OTHERS), "glas")
    assert not tells("Is it a lamp, a chair or a rug?", ("chair", *OTHERS), "chair")


def test_of_six_options_four_are_kept_and_the_right_one_has_any_rank_in_length() -> None:
    options = ["a dog", "an old dog", "a very old dog", "a cat", "cow", "a horse that grazes on a meadow"]
    ranks = Counter[int]()
    for number in range(400):
        kept = chosen(options, "an old dog", "0", str(number))
        assert len(set(kept)) == 4 and "an old dog" in kept and set(kept) <= set(options)
        ranks[sum(len(c) > len("an old dog") for c in kept)] += 1
    # Two of the wrong ones are longer, so that the shortest of four it cannot be.
    assert set(ranks) == {0, 1, 2}
    assert 70 < ranks[0] < 130
    assert chosen(options[:4], "a dog", "0", "x") == options[:4]
    draft = {"questions": [{"question": "Who is there?", "choices": options, "answer": "C"}]}
    (found,) = read_drafts(json.dumps(draft), "one", "instance_identity", "model", "0")
    assert isinstance(found, QuestionCandidate)
    assert found.answer == "a very old dog" and len(found.choices) == 4


def test_no_more_than_a_quarter_of_a_dimension_is_told_by_length() -> None:
    def made(kind: str, number: int, answer: str) -> QuestionCandidate:
        choices = ("cat dog", "dog cat", "cat cow", answer)
        return QuestionCandidate(
            id=f"{kind}{number}", subject="", kind=kind, text="", choices=choices, answer=answer
        )

    answers = ["a long answer"] * 18 + ["cow"] * 12 + ["cow dog"] * 13
    every = [made(kind, n, a) for kind in ("one", "two") for n, a in enumerate(answers)]
    gone = told_by_length(every, "0")
    for kind in ("one", "two"):
        left = [c for c in every if c.kind == kind and c.id not in gone]
        assert 20 < len(left) < 43
        for told in (longest, shortest):
            assert sum(map(told, left)) <= len(left) / 4 + 1
    assert told_by_length([made("one", 0, "a long answer")], "0") == set()


def test_what_is_asked_again_and_again_goes_and_the_forest_stands_beside_the_readers(tmp_path: Path) -> None:
    """One question with one answer of 12 pictures: 5 are kept; of another the right option is the longest."""
    info, work = tmp_path / "info", tmp_path / "work"
    api.extract_information(make_worlds(tmp_path / "worlds", 12), info, extractors=["perfect"])

    def writer(question: QuestionView) -> str:
        number = int(question.id[6:9])
        same = {"question": "What is here?", "choices": ["cats", "dogs", "cows", "pigs"], "answer": "cats"}
        told = {
            "question": f"Who has been here {number} times?",
            "choices": ["a", "b", "c", "a long one"],
            "answer": "a long one",
        }
        return json.dumps({"questions": [same, told]})

    settings = PictureWriting(dimensions=("instance_identity",), nouns=3, readers=1, apart=())
    api.write_questions(info, work, settings=settings)
    api.run_model(work / "write" / "01", writer, tmp_path / "written")
    api.write_questions(info, work, responses=[tmp_path / "written"])
    gone = Counter(r.reason for r in read_jsonl(work / "rejected.jsonl", Rejected))
    assert gone == {ALIKE: 7, TOLD_BY_LENGTH: 10}
    api.run_model(work / "blind" / "01", lambda question: "(A)", tmp_path / "reader")
    said = api.write_questions(info, work, responses=[tmp_path / "reader"])
    assert said.index("right blind by all readers") < said.index("Blind stress test") < said.index("random")


def test_classes_of_objects_and_several_captions_count_as_nouns() -> None:
    tags = CaptionOf(text="A picture of couch, lamp.", source="imagenet", of="tags")
    seen = [
        SeenInstance(label=label, box=(0, 0, 1, 1), source="coco80")
        for label in ("chair", "chair", "potted plant", "Chairs", "clock", "vase", "bed")
    ]
    found = VisualInformation(id="one", captions=(tags,), instances=tuple(seen))
    assert nouns_said(found) == {"couch", "lamp", "chair", "plant", "clock", "vase", "bed"}


@needs("efficientnet_lite_pytorch", "rapidocr", "torch")
def test_with_weights_from_packages_alone_something_is_asked_at_defaults(tmp_path: Path) -> None:
    """The photograph of the samples: a bedroom."""
    photo = BESIDE / "samples" / "sun-rgbd"
    if not photo.is_dir():
        pytest.skip("needs ../shared/samples")
    try:
        api.extract_information(photo, tmp_path / "info", extractors=["imagenet", "ocr", "coco80"])
    except InputError as e:
        pytest.skip(str(e))
    assert "1 of 1 pictures are written about" in api.write_questions(tmp_path / "info", tmp_path / "work")
    assert any((tmp_path / "work" / "write" / "01").iterdir())
