"""Runs compared whole: early stop, extractors, and what is said of the best two."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.records import InputError, Question, Response
from fathom.store.datasets import QUESTIONS
from fathom.store.files import read_jsonl
from fathom.store.journal import read_responses

MakeRun = Callable[..., Path]


def journal_of(run: Path) -> Path:
    return next((run / "journal").glob("*.jsonl"))


def rewrite(run: Path, keep: Callable[[Response], Response | None], complete: bool) -> None:
    """Change a run's answers by hand."""
    kept = [r for r in map(keep, list(read_responses(run / "journal"))) if r is not None]
    journal_of(run).write_bytes(b"".join(msgspec.json.encode(r) + b"\n" for r in kept))
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    manifest["complete"] = complete
    (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_run_that_was_stopped_early_compares_as_the_whole_one_does(run_on: MakeRun) -> None:
    better, whole = run_on("3dsrbench", "0.9"), run_on("3dsrbench", "0.4")
    early = run_on("3dsrbench", "0.4", early_stop="yes")
    full, stopped = (json.loads(api.compare_runs([better, r]).json) for r in (whole, early))
    for part in ("overall", "tasks", "left_out"):
        assert full[part] == stopped[part]
    assert full["grouping"] == "circular"
    assert stopped["left_out"] == 0


def test_groups_that_a_failure_left_open_are_left_out_and_counted(run_on: MakeRun) -> None:
    better, early = run_on("3dsrbench", "1"), run_on("3dsrbench", "0.9", early_stop="yes")
    failed: list[str] = []

    def fail_one(response: Response) -> Response:
        right = sum(r.question == response.question for r in read_responses(early / "journal"))
        if not failed and right > 1:
            failed.append(response.question)
            return msgspec.structs.replace(response, status="failed", text="", error="out of order")
        return response

    rewrite(early, fail_one, complete=True)
    found = api.compare_runs([better, early])
    held = json.loads(found.json)
    assert held["overall"]["n"] == 71
    assert held["left_out"] == 1
    assert (
        "left out: 1 groups that made-up-0.9 (incomplete) left open, with an answer that failed" in found.text
    )


def test_an_unfinished_run_that_stops_early_is_not_compared(run_on: MakeRun) -> None:
    """Wrong passes decide first: what is decided so far is worse than the run will be."""
    better, early = run_on("3dsrbench", "0.9"), run_on("3dsrbench", "0.8", early_stop="yes")
    rewrite(
        early, lambda r: r if not r.variant.option_order or r.variant.option_order[0] == 0 else None, False
    )
    with pytest.raises(InputError, match=r"is not finished: .+ wrong ones are decided first"):
        api.compare_runs([better, early])


def test_two_extractors_are_compared_answer_by_answer(made: Callable[[str], Path], tmp_path: Path) -> None:
    """One extractor takes the last letter that is stated, the other wants an answer in so many words."""
    ids = [q.id for q in read_jsonl(made("4d-bench") / QUESTIONS, Question)]
    lines = [{"question": q, "text": "Not A. I would rather say that B is what it does."} for q in ids]
    (tmp_path / "said.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    api.run_model(made("4d-bench"), f"scripted:{tmp_path / 'said.jsonl'}", tmp_path / "run")
    text = api.compare_runs([tmp_path / "run"], extractors="4d-bench-official,vlmevalkit").text
    table = text[text.index("Read differently: 4d-bench-official (first) and vlmevalkit (second)") :]
    assert "first picks" in table
    assert table.count("Not A. I would rather say") == 5


def test_extractors_that_read_alike_have_no_list(run_on: MakeRun) -> None:
    run = run_on("seed-bench", "1")
    text = api.compare_runs([run], extractors="fathom,fathom").text
    assert "Read differently" not in text
