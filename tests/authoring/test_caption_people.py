"""Captions that people wrote or revised come in whole, and what cannot come in is refused and counted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from fathom.authoring.captions.grammar import captions_of
from fathom.authoring.captions.people import (
    DECIDED,
    DUPLICATE,
    EMPTY,
    LAST,
    NO_DECISION,
    NO_SUCH_CAPTION,
    NOTHING_LEFT,
    TWICE,
    UNKNOWN,
    take_captions,
)
from fathom.authoring.captions.questions import caption_question
from fathom.records import InputError, Question
from tests.authoring.captions import LEXICON, drawn_scene


@pytest.fixture
def questions() -> list[Question]:
    scenes = [drawn_scene(n) for n in range(3)]
    other = Question(id="x", task="action", text="?", answer="a", scene=scenes[0].id)
    return [*(caption_question(s, captions_of(s, LEXICON, "0"), ()) for s in scenes), other]


def csv(path: Path, *rows: str) -> Path:
    path.write_text("folder_name,caption_1,caption_2,caption_3\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def jsonl(path: Path, *rows: Mapping[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def reasons(found: object) -> dict[str, int]:
    return {f.reason: f.count for f in found.findings}  # type: ignore[attr-defined]


def test_captions_that_people_wrote_take_the_place_of_the_objects_own(
    questions: list[Question], tmp_path: Path
) -> None:
    uid = questions[0].scene
    taken = take_captions(
        questions, csv(tmp_path / "c.csv", f'{uid},A fox.,"A fox, sitting.",Ein Fuchs läuft.')
    )
    assert taken.questions[0].references == ("A fox.", "A fox, sitting.", "Ein Fuchs läuft.")
    assert taken.questions[0].answer == "A fox."
    assert taken.questions[0].tags["captions"] == "people"
    assert taken.questions[1:] == tuple(questions[1:])
    assert (taken.report.read, taken.report.imported, taken.report.left_out) == (1, 1, 0)


def test_captions_that_are_added_stand_behind_the_objects_own(
    questions: list[Question], tmp_path: Path
) -> None:
    own = questions[0].references
    row = {"folder_name": questions[0].scene, "caption_1": "A fox.", "caption_2": own[2].upper()}
    taken = take_captions(questions, jsonl(tmp_path / "c.jsonl", row), "add")
    assert taken.questions[0].references == (*own, "A fox.")
    assert taken.questions[0].answer == own[0]
    assert reasons(taken.report) == {f"{DUPLICATE} was refused": 1}


def test_unknown_objects_empty_captions_and_second_rows_are_refused_by_reason(
    questions: list[Question], tmp_path: Path
) -> None:
    a, b, _ = (q.scene for q in questions[:3])
    taken = take_captions(
        questions,
        csv(
            tmp_path / "c.csv",
            "0" * 32 + ",x,y,z",
            f"{a},A fox.,,...",
            f"{a},B,C,D",
            f"{b}, ,,",
            f"{b},too,few",
        ),
    )
    found = reasons(taken.report)
    assert (found[UNKNOWN], found[TWICE], found[NOTHING_LEFT], found[f"{EMPTY} was refused"]) == (1, 1, 1, 1)
    assert any(reason.startswith("a row that cannot be read") for reason in found)
    assert taken.questions[0].references == ("A fox.",)
    assert taken.questions[1:] == tuple(questions[1:])
    assert taken.report.left_out == 4


def test_revisions_change_single_captions_and_become_verdicts(
    questions: list[Question], tmp_path: Path
) -> None:
    uid, own = questions[0].scene, questions[0].references
    line: dict[str, object] = {"object": uid, "reviewer": "ana"}
    taken = take_captions(
        questions,
        jsonl(
            tmp_path / "r.jsonl",
            {**line, "caption": 1, "decision": "revise", "text": "A fox\neats.", "reason": "too short"},
            {**line, "caption": 2, "decision": "keep"},
            {**line, "caption": 3, "decision": "reject", "reason": "dull"},
        ),
    )
    assert taken.questions[0].references == ("A fox eats.", own[1], *own[3:])
    assert taken.questions[0].answer == "A fox eats."
    assert taken.questions[0].tags["captions"] == "grammar, revised by people"
    assert [(v.decision, v.answer_given, v.reason) for v in taken.verdicts] == [
        ("reject", "A fox eats.", "caption 1: too short"),
        ("keep", "", "caption 2"),
        ("reject", "", "caption 3: dull"),
    ]
    assert {v.question for v in taken.verdicts} == {questions[0].id}


def test_revisions_that_cannot_be_are_refused_by_reason(questions: list[Question], tmp_path: Path) -> None:
    uid, own = questions[0].scene, questions[0].references
    path = jsonl(
        tmp_path / "r.jsonl",
        {"object": uid, "caption": 9, "decision": "keep", "text": ""},
        {"object": uid, "caption": 1, "decision": "maybe", "text": ""},
        {"object": uid, "caption": 1, "decision": "revise", "text": " "},
        {"object": uid, "caption": 1, "decision": "revise", "text": own[1]},
        {"object": uid, "caption": 1, "decision": "keep", "text": ""},
        {"object": uid, "caption": 1, "decision": "reject", "text": ""},
        *({"object": uid, "caption": n, "decision": "reject", "text": ""} for n in (2, 3, 4, 5)),
        {"object": "nobody", "caption": 1, "decision": "keep", "text": ""},
    )
    taken = take_captions(questions, path)
    found = reasons(taken.report)
    assert found == {NO_SUCH_CAPTION: 1, NO_DECISION: 1, EMPTY: 1, DUPLICATE: 1, DECIDED: 1, UNKNOWN: 1}
    assert taken.questions[0].references == own[:1]
    last = jsonl(tmp_path / "l.jsonl", {"object": uid, "caption": 1, "decision": "reject", "text": ""})
    assert reasons(take_captions(taken.questions, last).report) == {LAST: 1}


def test_a_file_of_something_else_is_refused_with_what_was_expected(
    questions: list[Question], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="expected the columns folder_name and caption_1"):
        take_captions(questions, jsonl(tmp_path / "x.jsonl", {"a": 1}))
