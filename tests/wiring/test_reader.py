"""A reader of last resort: off by default, asked in a folder, and its scores are scores of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.records import InputError, Request, SampleScore
from fathom.store.files import read_jsonl
from fathom.store.requests import open_requests
from tests.said import scored
from tests.wiring.answered import answer
from tests.wiring.made import MODEL

MakeRun = Callable[..., Path]


@pytest.fixture
def mumbled(made: Callable[[str], Path], tmp_path: Path) -> Path:
    """A run in which every answer is one that no rule reads."""
    lines = [
        {"question": str(q["id"]), "text": "Well, it is rather hard to say, is it not."}
        for line in (made("4d-bench") / "questions.jsonl").read_bytes().splitlines()
        for q in [msgspec.json.decode(line)]
    ]
    script = tmp_path / "mumbling.jsonl"
    script.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    api.run_model(made("4d-bench"), f"scripted:{script}", tmp_path / "mumbled")
    return tmp_path / "mumbled"


def sample_scores_of(run: Path, extractor: str) -> list[SampleScore]:
    return list(read_jsonl(run / "scores" / extractor / "samples.jsonl", SampleScore))


def test_without_a_reader_what_cannot_be_read_stays_unread(mumbled: Path) -> None:
    scored(mumbled)
    assert all(m.picked is None for m in sample_scores_of(mumbled, "fathom"))


def test_a_readers_answers_make_scores_of_their_own(mumbled: Path, tmp_path: Path) -> None:
    scored(mumbled, reader_requests=tmp_path / "requests")
    asked = list(open_requests(tmp_path / "requests").requests())
    assert len(asked) == 5

    read = answer(tmp_path / "requests", tmp_path / "read", lambda r: '{"choice": "B"}', "reader-9")
    said = scored(mumbled, responses=[read])
    assert "what fathom could not read was read by reader-9" in said
    sample_scores = sample_scores_of(mumbled, "fathom+reader")
    assert {m.extractor for m in sample_scores} == {"fathom-3+reader-2:reader-9"}
    assert all(m.picked is not None and "reader" in m.how for m in sample_scores)
    assert {m.value for m in sample_scores} <= {0.0, 1.0}
    assert all(m.picked is None for m in (scored(mumbled), sample_scores_of(mumbled, "fathom"))[1])


@pytest.mark.parametrize("reply", [None, "B", '{"choice": "none"}', '{"choice": "Z"}', "It is B."])
def test_a_reply_that_is_not_exactly_what_was_asked_for_changes_nothing(
    mumbled: Path, tmp_path: Path, reply: str | None
) -> None:
    scored(mumbled, reader_requests=tmp_path / "requests")
    read = answer(tmp_path / "requests", tmp_path / "read", lambda r: reply)
    scored(mumbled, responses=[read])
    assert all(m.picked is None and m.value == 0 for m in sample_scores_of(mumbled, "fathom+reader"))


def test_the_reader_is_never_shown_the_question_or_the_answer(mumbled: Path, tmp_path: Path) -> None:
    scored(mumbled, reader_requests=tmp_path / "requests")

    def shown(request: Request) -> str:
        return msgspec.json.encode(request.prompt).decode()

    for request in open_requests(tmp_path / "requests").requests():
        assert "What does the robot do" not in shown(request)
        assert request.asked.choices == ()


def test_where_every_answer_is_read_no_reader_is_needed(run_on: MakeRun, tmp_path: Path) -> None:
    run = run_on("4d-bench", skill="1")
    assert MODEL
    with pytest.raises(InputError, match="no reader is needed"):
        scored(run, reader_requests=tmp_path / "requests")


def test_a_reader_of_another_extractors_rest_is_refused(
    mumbled: Path, run_on: MakeRun, tmp_path: Path
) -> None:
    scored(mumbled, reader_requests=tmp_path / "requests")
    read = answer(tmp_path / "requests", tmp_path / "read", lambda r: '{"choice": "A"}')
    with pytest.raises(InputError, match="answers other requests about answers"):
        scored(run_on("4d-bench", skill="1"), responses=[read])
