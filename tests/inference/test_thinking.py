"""Models that think: what they think stays apart from what they answer, is counted, and cuts nothing off."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fathom.inference.models import openai
from fathom.inference.models.openai_replies import read_reply
from fathom.inference.models.random import spoken
from fathom.inference.pace import Patience
from fathom.inference.prices import Price
from fathom.inference.start import run_plan
from fathom.inference.summary import Summary
from fathom.inference.thoughts import split_thoughts
from fathom.records import Request, Response
from fathom.store.datasets import Dataset
from fathom.store.runs import open_run
from tests.inference.endpoints import Reply, completion, right, serving
from tests.inference.folders import make_dataset, plan


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        openai, "Patience", lambda: Patience(first_wait_s=0.002, longest_wait_s=0.02, attempts=5)
    )


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d")


def ask(dataset: Dataset, url: str, out: Path, **options: str) -> Summary:
    return run_plan(plan(dataset, f"openai:m@{url}", out, options=options, concurrency=2))


def answers(out: Path) -> dict[str, Response]:
    return {r.question: r for r in open_run(out).responses()}


def parts(*listed: object) -> dict[str, object]:
    reply = completion("")
    reply["choices"][0]["message"]["content"] = list(listed)  # type: ignore[index]
    return reply


TOLD: dict[str, dict[str, object]] = {
    "reasoning_content": completion("B", reasoning_content="It faces left."),
    "reasoning": completion("B", reasoning="It faces left."),
    "both, the same": completion("B", reasoning="It faces left.", reasoning_content="It faces left."),
    "details": completion("B", reasoning_details=[{"type": "reasoning.text", "text": "It faces left."}]),
    "a part": parts({"type": "reasoning", "text": "It faces left."}, {"type": "text", "text": "B"}),
    "a part that thinks": parts(
        {"type": "thinking", "thinking": [{"type": "text", "text": "It faces left."}]},
        {"type": "text", "text": "B"},
    ),
    "a part with a summary": parts(
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "It faces left."}]},
        {"type": "output_text", "text": "B"},
    ),
    "a tag": completion("<think>\nIt faces left.\n</think>\n\nB"),
    "a tag that the prompt opened": completion("It faces left.\n</think>\n\nB"),
    "a tag of another kind": completion("◁think▷It faces left.◁/think▷B"),
}


@pytest.mark.parametrize("reply", TOLD.values(), ids=TOLD)
def test_what_a_model_thinks_is_kept_beside_its_answer_and_never_in_it(
    dataset: Dataset, tmp_path: Path, reply: dict[str, object]
) -> None:
    with serving(lambda before, asked: (200, reply, {})) as server:
        ask(dataset, server.url, tmp_path / "r")
    assert {(r.status, r.text, r.reasoning) for r in answers(tmp_path / "r").values()} == {
        ("ok", "B", "It faces left.")
    }


def stream(*deltas: dict[str, object], finish: str = "stop", ended: bool = True) -> bytes:
    chunks: list[dict[str, Any]] = [{"model": "m", "choices": [{"index": 0, "delta": d}]} for d in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    chunks.append({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}})
    lines = [f"data: {json.dumps(chunk)}" for chunk in (chunks if ended else chunks[:-2])]
    return "\n\n".join([": a comment", *lines, *["data: [DONE]"] * ended]).encode()


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_a_reply_that_comes_as_a_stream_is_put_together(name: str) -> None:
    body = stream({name: "It faces "}, {name: "left."}, {"content": "The answer "}, {"content": "is B"})
    answer = read_reply(200, body)
    assert (answer.text, answer.reasoning, answer.finish) == ("The answer is B", "It faces left.", "stop")
    assert (answer.input_tokens, answer.output_tokens) == (9, 4)


def test_a_stream_that_breaks_off_is_no_answer() -> None:
    with pytest.raises(ValueError, match="broke off"):
        read_reply(200, stream({"content": "The answer "}, ended=False))


@pytest.mark.parametrize(
    ("usage", "out", "thought"),
    [
        ({"completion_tokens": 90, "completion_tokens_details": {"reasoning_tokens": 80}}, 90, 80),
        ({"completion_tokens": 10, "completion_tokens_details": {"reasoning_tokens": 80}}, 90, 80),
        (
            {"prompt_tokens": 5, "completion_tokens": 100, "total_tokens": 185}
            | {"completion_tokens_details": {"reasoning_tokens": 80}},
            180,
            80,
        ),
        ({"completion_tokens": 90, "reasoning_tokens": 80}, 90, 80),
        ({"completion_tokens": 90, "completion_tokens_details": None}, 90, 0),
    ],
)
def test_tokens_of_reasoning_are_counted_and_paid_for(usage: dict[str, Any], out: int, thought: int) -> None:
    answer = read_reply(200, json.dumps(completion("B") | {"usage": usage}).encode())
    assert (answer.output_tokens, answer.reasoning_tokens) == (out, thought)


def test_tokens_of_reasoning_stand_in_the_runs_counts_and_its_cost(dataset: Dataset, tmp_path: Path) -> None:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 90,
        "completion_tokens_details": {"reasoning_tokens": 80},
    }
    reply = completion("B", reasoning="hm") | {"usage": usage}
    with serving(lambda before, asked: (200, reply, {})) as server:
        summary = ask(dataset, server.url, tmp_path / "r")
    assert summary.cost(Price(0.0, 10.0)) == pytest.approx(12 * 90 * 10 / 1e6)
    assert open_run(tmp_path / "r").manifest.counts["reasoning_tokens"] == 12 * 80
    assert "(960 of them reasoning)" in str(summary)


@pytest.mark.parametrize(
    "broken",
    [
        '{"prompt_tokens": NaN, "completion_tokens": 7}',
        '{"prompt_tokens": "many", "completion_tokens": 7}',
        '{"prompt_tokens": -1, "completion_tokens": 7.0, "note": "\\ud83d"}',
        '{"completion_tokens": 7, "prompt_tokens_details": [1]}',
    ],
)
def test_numbers_of_tokens_that_are_none_leave_the_answer_good(broken: str) -> None:
    text = json.dumps(completion("B \udc00 or C") | {"usage": 1}).replace('"usage": 1', f'"usage": {broken}')
    answer = read_reply(200, text.encode())
    assert (answer.status, answer.text) == ("ok", "B \ufffd or C")
    assert (answer.input_tokens, answer.output_tokens) == (0, 7)


@pytest.mark.parametrize(
    ("text", "tag", "found"),
    [
        ("<think>a</think>b", "auto", ("a", "b")),
        ("<think>a", "auto", ("a", "")),
        ("a</think>b", "auto", ("a", "b")),
        ("It says <think> on the sign", "auto", ("", "It says <think> on the sign")),
        ("<think>a</think>b", "", ("", "<think>a</think>b")),
        ("<plan>a</plan>b", "plan", ("a", "b")),
        ("<plan>a</plan>b", "auto", ("", "<plan>a</plan>b")),
        ("<think></think>b", "auto", ("", "b")),
    ],
)
def test_thoughts_in_front_of_an_answer_are_told_by_their_tag(
    text: str, tag: str, found: tuple[str, str]
) -> None:
    assert split_thoughts(text, tag) == found


CALL = [{"id": "1", "type": "function", "function": {"name": "zoom", "arguments": "{}"}}]
SILENT: dict[str, tuple[dict[str, object], str]] = {
    "null": (completion(None), "the text is empty"),
    "empty": (completion(""), "the text is empty"),
    "blanks": (completion(" \n "), "the text is empty"),
    "a tool": (completion(None, finish="tool_calls", tool_calls=CALL), r"called a tool \(zoom\)"),
    "reasoning alone": (completion(None, reasoning_content="hm"), "the model reasoned .* ended without one"),
    "a tag alone": (completion("<think>hm</think>"), "the model reasoned .* ended without one"),
    "cut off in thought": (completion("<think>hm", finish="length"), "the reasoning came to the limit"),
    "a part of reasoning": (parts({"type": "reasoning", "text": "B"}), "the model reasoned"),
}


@pytest.mark.parametrize(("reply", "why"), SILENT.values(), ids=SILENT)
def test_a_reply_without_a_text_is_a_failure_with_its_reason_and_is_asked_again(
    dataset: Dataset, tmp_path: Path, reply: dict[str, object], why: str
) -> None:
    def now_and_then(before: int, asked: str) -> Reply:
        return (200, reply, {}) if "(2)" in asked else right(before, asked)

    with serving(now_and_then) as server:
        summary = ask(dataset, server.url, tmp_path / "r", thinks="no")
        assert (summary.ok, summary.failed, summary.complete) == (11, 1, False)
        failed = answers(tmp_path / "r")["q2"]
        assert failed.status == "failed"
        assert re.search(why, failed.error)
        assert f"The first failure: {failed.error}" in str(summary)
        assert failed.cut_off == (failed.finish == "length")
        server.behave = right
        again = ask(dataset, server.url, tmp_path / "r", thinks="no")
    assert (again.skipped, again.ok, again.complete) == (11, 1, True)
    assert Counter(server.asked)[2] == 2


class Silent:
    """A model of somebody's own, without words for every other question."""

    name, revision = "own", ""
    parameters: dict[str, str] = {}
    notes: tuple[str, ...] = ()

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        return [spoken(r, self.name, " " if int(r.asked.id[1:]) % 2 else "1") for r in requests]


def open_silent(target: str, options: object, context: object) -> Silent:
    return Silent()


def test_silence_of_any_backend_is_a_failure_and_of_a_baseline_its_answer(
    dataset: Dataset, tmp_path: Path
) -> None:
    own = run_plan(plan(dataset, "tests.inference.test_thinking:open_silent", tmp_path / "own"))
    mute = run_plan(plan(dataset, "scripted:mute", tmp_path / "mute"))
    assert (own.ok, own.failed, mute.ok, mute.failed) == (6, 6, 12, 0)
    assert "the text is empty" in answers(tmp_path / "own")["q1"].error


def thinker(needed: int, text: str = "B") -> Any:
    """Return a server whose model thinks for so many tokens before it answers."""

    def behave(before: int, asked: str) -> Reply:
        body = json.loads(asked)
        given = body.get("max_tokens", body.get("max_completion_tokens", 1 << 20))
        if given < needed:
            return 200, completion(None, finish="length", reasoning_content="hm " * 9), {}
        return 200, completion(text, reasoning_content="hm " * 9), {}

    return behave


def limits(server: Any) -> Counter[int]:
    return Counter(body["max_tokens"] for body in server.bodies)


def test_a_model_that_turns_out_to_think_is_not_cut_off_by_the_usual_limit(
    dataset: Dataset, tmp_path: Path
) -> None:
    with serving(thinker(9000)) as server:
        summary = ask(dataset, server.url, tmp_path / "r")
    assert (summary.ok, summary.failed, summary.complete) == (12, 0, True)
    assert limits(server)[16_384] == 12
    assert limits(server)[1024] <= 2 + openai.AHEAD, "what was ready when it was found out, and no more"
    run = open_run(tmp_path / "r").manifest
    assert "the model thinks before it answers: up to 16384 tokens an answer" in run.notes
    assert run.counts["output_tokens"] == 7 * len(server.bodies), "what was cut off is paid for too"


def test_a_model_that_does_not_think_keeps_the_usual_limit(dataset: Dataset, tmp_path: Path) -> None:
    with serving(lambda before, asked: (200, completion("B and so", finish="length"), {})) as server:
        summary = ask(dataset, server.url, tmp_path / "r")
    assert (summary.ok, summary.cut_short, limits(server)) == (12, 12, Counter({1024: 12}))


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({"max_tokens": "2000"}, 2000),
        ({"thinks": "no"}, 1024),
        ({"thinks": "yes"}, 16_384),
        ({"thinks": "yes", "thinking_tokens": "30000"}, 30_000),
    ],
)
def test_a_limit_that_was_given_is_kept(
    dataset: Dataset, tmp_path: Path, options: dict[str, str], sent: int
) -> None:
    with serving(thinker(500)) as server:
        ask(dataset, server.url, tmp_path / "r", **options)
    assert set(limits(server)) == {sent}


def test_a_limit_that_goes_by_another_name_is_sent_under_that(dataset: Dataset, tmp_path: Path) -> None:
    error = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."

    def newer(before: int, asked: str) -> Reply:
        old = "max_tokens" in json.loads(asked)
        return (400, {"error": {"message": error}}, {}) if old else thinker(9000)(before, asked)

    with serving(newer) as server:
        summary = ask(dataset, server.url, tmp_path / "r")
    assert (summary.ok, summary.complete) == (12, True)
    assert Counter(b.get("max_completion_tokens") for b in server.bodies)[16_384] == 12


def test_a_response_written_before_there_was_reasoning_is_read() -> None:
    old = (
        b'{"key":"00","question":"q","status":"ok","text":"A","finish":"length","usage":{"output_tokens":3}}'
    )
    found = msgspec.json.decode(old, type=Response)
    assert (found.reasoning, found.cut_off, found.usage.reasoning_tokens) == ("", True, 0)


def test_answers_that_were_cut_off_are_asked_again_alone_with_more_tokens(
    dataset: Dataset, tmp_path: Path
) -> None:
    def wordy(before: int, asked: str) -> Reply:
        long = "(2)" in asked or "(5)" in asked
        cut = long and json.loads(asked)["max_tokens"] < 4000
        return 200, completion("so much" if cut else "1", finish="length" if cut else "stop"), {}

    with serving(wordy) as server:
        ask(dataset, server.url, tmp_path / "r")
        assert open_run(tmp_path / "r").manifest.counts["cut_short"] == 2
        assert ask(dataset, server.url, tmp_path / "r").asked == 0
        for more, left in ((2000, 2), (4000, 0), (8000, 0)):
            whole = plan(dataset, f"openai:m@{server.url}", tmp_path / "r")
            run_plan(replace(whole, config=replace(whole.config, more_tokens=more)))
            assert open_run(tmp_path / "r").manifest.counts.get("cut_short", 0) == left
    asked = Counter(zip(server.asked, (body["max_tokens"] for body in server.bodies), strict=True))
    assert {pair for pair in asked if pair[1] != 1024} == {(2, 2000), (5, 2000), (2, 4000), (5, 4000)}
    assert len(server.bodies) == 12 + 4
    found = answers(tmp_path / "r")
    assert (len(found), found["q2"].text, found["q2"].cut_off) == (12, "1", False)
    notes = " ".join(open_run(tmp_path / "r").manifest.notes)
    assert "asked again with up to 4000 tokens" in notes
