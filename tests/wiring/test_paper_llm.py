"""3DSRBench's LLM-involved choice extraction: its rules, then a reader that is shown the question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import fathom
from fathom import api
from fathom.records import Question, Request, TextPart
from fathom.store.requests import open_requests
from tests.said import scored
from tests.wiring.answered import answer


def _questions(dataset: Path) -> dict[str, Question]:
    return {s.question.id: s.question for s in fathom.load_dataset(dataset)}


def _shown(request: Request) -> dict[str, object]:
    """Return the JSON at the head of what a reader is shown."""
    first = request.prompt.parts[0]
    assert isinstance(first, TextPart)
    found: dict[str, object] = msgspec.json.decode(first.text.partition("\n")[0])
    return found


@pytest.fixture
def run(made: Callable[[str], Path], tmp_path: Path) -> Path:
    """Return a run of which the first question is answered in words that no rule reads."""
    lines = []
    for k, q in enumerate(_questions(made("3dsrbench")).values()):
        unclear = "Going by the shadows, it must be what stands at the wall."
        lines.append({"question": q.id, "text": q.answer if k else unclear})
    script = tmp_path / "script.jsonl"
    script.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    api.run_model(made("3dsrbench"), f"scripted:{script}", tmp_path / "run", protocol="paper-llm")
    return tmp_path / "run"


def test_a_run_of_the_protocol_is_read_by_its_extractor_and_waits_for_a_reader(
    run: Path, made: Callable[[str], Path]
) -> None:
    said = scored(run)
    first = next(iter(_questions(made("3dsrbench")).values()))
    waiting = len(first.choices)
    assert f"paper-llm is whole only with a reader: {waiting} answers" in said
    assert (run / "scores" / "paper-llm" / "samples.jsonl").is_file()
    assert "paper-llm" not in scored(run, extractor="fathom").rpartition("\n")[2]


def test_the_reader_sees_question_and_options_of_every_pass_and_decides(
    run: Path, made: Callable[[str], Path], tmp_path: Path
) -> None:
    questions = _questions(made("3dsrbench"))
    before = fathom.score(run)["accuracy_circular"]
    scored(run, reader_requests=tmp_path / "asked")
    orders = set()
    for request in open_requests(tmp_path / "asked").requests():
        shown, q = _shown(request), questions[request.asked.id]
        options = shown["options"]
        assert isinstance(options, dict) and shown["question"] == q.text
        assert set(options.values()) == set(q.choices) and "shadows" in str(shown["text"])
        orders.add(tuple(options.values()))
    assert len(orders) == len(next(iter(questions.values())).choices)

    def right(request: Request) -> str:
        options = _shown(request)["options"]
        assert isinstance(options, dict)
        letter = next(k for k, text in options.items() if text == questions[request.asked.id].answer)
        return f'{{"choice": "{letter}"}}'

    read = answer(tmp_path / "asked", tmp_path / "read", right, "reader-1")
    said = scored(run, responses=[read])
    assert "read by reader-1" in said and "whole only" not in said
    after = fathom.score(run, responses=[read])["accuracy_circular"]
    assert before.value == pytest.approx(1 - 1 / before.n) and after.value == 1.0

    none = answer(tmp_path / "asked", tmp_path / "none", lambda r: '{"choice": "none"}', "reader-2")
    again = fathom.score(run, responses=[none])["accuracy_circular"]
    assert again.value == before.value


def test_other_extractors_show_their_reader_no_question(run: Path, tmp_path: Path) -> None:
    scored(run, extractor="3dsrbench-official", reader_requests=tmp_path / "asked")
    for request in open_requests(tmp_path / "asked").requests():
        assert set(_shown(request)) == {"options", "text"}
