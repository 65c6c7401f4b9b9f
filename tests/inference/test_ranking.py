"""Likelihoods from an endpoint: by the prompt's own log-probabilities, by echo, and by letters."""

from __future__ import annotations

import json
import math
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fathom.inference.models import openai
from fathom.inference.pace import Patience
from fathom.inference.start import run_plan
from fathom.inference.summary import Summary
from fathom.records import EndpointError, InputError, Prompt, Response, TextPart, UnansweredQuestion, Variant
from fathom.scoring.likelihood import Ranking, pick
from fathom.store.datasets import Dataset
from fathom.store.runs import open_run
from tests.inference.endpoints import Behaviour, Reply, completion, serving
from tests.inference.folders import make_dataset, plan

QUICK = Patience(first_wait_s=0.002, longest_wait_s=0.02, attempts=3)
OPTIONS = ("left of the bus", "right", "behind the red car")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "Patience", lambda: QUICK)


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d", questions=3)


def logprob(word: str) -> float:
    """Return what the model behind the test's server thinks of a word, wherever it stands."""
    return -(zlib.crc32(word.encode()) % 1000 + 1) / 100


def expected(option: str) -> float:
    return math.fsum(logprob(word) for word in option.split())


def words_of(body: dict[str, Any]) -> list[str]:
    """Return the prompt as the server cuts it: the template, the words, what the answer begins with."""
    words: list[str] = []
    for message in body["messages"]:
        content = message["content"]
        texts = [content] if isinstance(content, str) else [p.get("text", "<image>") for p in content]
        words += [f"<{message['role']}>", *" ".join(texts).split()]
    return words + ["<assistant>"] * body.get("add_generation_prompt", True)


def prompt_logprobs(before: int, asked: str) -> Reply:
    """Answer as vLLM does: for each place of the prompt but the first, its token and log-probability."""
    body = json.loads(asked)
    assert (body["prompt_logprobs"], body["max_tokens"]) == (0, 1)
    assert body["add_generation_prompt"] != body["continue_final_message"]
    words = words_of(body)
    told = [
        {str(zlib.crc32(w.encode())): {"logprob": logprob(w), "rank": 1, "decoded_token": w}} for w in words
    ]
    reply = completion("x") | {"prompt_logprobs": [None, *told[1:]]}
    reply["usage"] = {"prompt_tokens": len(words), "completion_tokens": 1}
    return 200, reply, {}


def echoed(before: int, asked: str) -> Reply:
    body = json.loads(asked)
    assert (body["echo"], body["logprobs"], body["max_tokens"]) == (True, 1, 1)
    words = body["prompt"].split()
    told = [None, *map(logprob, words[1:]), -0.5]
    choice = {"text": body["prompt"] + " so", "finish_reason": "length", "index": 0}
    logprobs = {"tokens": [*words, "so"], "token_logprobs": told, "text_offset": [0] * len(told)}
    usage = {"prompt_tokens": len(words), "completion_tokens": 1}
    return 200, {"choices": [choice | {"logprobs": logprobs}], "usage": usage}, {}


def letters(told: dict[str, float | None]) -> Behaviour:
    top = [{"token": token, "logprob": x, "bytes": None} for token, x in told.items()]
    first = {"token": "A", "logprob": -0.1, "top_logprobs": top}
    reply = completion("A")
    reply["choices"] = [reply["choices"][0] | {"logprobs": {"content": [first]}}]  # type: ignore[index]
    return lambda before, asked: (200, reply, {})


def rank(
    dataset: Dataset,
    behave: Behaviour,
    out: Path,
    ranking: str = "",
    continuations: tuple[str, ...] = OPTIONS,
    **more: object,
) -> tuple[Summary, dict[str, Response]]:
    """Put the questions of a dataset and return what was said about the continuations."""

    def prompt(asked: UnansweredQuestion, variant: Variant, media_of: object) -> Prompt:
        shown = (
            () if ranking == ",ranking=echo" else whole.protocol.prompt(asked, variant, dataset.media).parts
        )
        words = TextPart(text=f"{asked.text} Answer: ")
        return Prompt(parts=(*shown, words), continuations=continuations)

    with serving(behave) as server:
        whole = plan(dataset, f"openai:m@{server.url}{ranking}", out)
        config = replace(whole.config, **more)  # type: ignore[arg-type]
        protocol = replace(whole.protocol, prompt=prompt)
        summary = run_plan(replace(whole, config=config, protocol=protocol))
    return summary, {r.question: r for r in open_run(out).responses()}


@pytest.mark.parametrize(
    ("ranking", "behave"),
    [("", prompt_logprobs), (",ranking=prompt", prompt_logprobs), (",ranking=echo", echoed)],
)
def test_the_sum_is_over_the_tokens_that_the_option_adds_to_the_prompt(
    dataset: Dataset, tmp_path: Path, ranking: str, behave: Behaviour
) -> None:
    summary, said = rank(dataset, behave, tmp_path / "r", ranking)
    assert summary.complete
    for response in said.values():
        assert response.option_logprobs == pytest.approx([expected(option) for option in OPTIONS])
        assert response.option_tokens == (4, 1, 4)
        assert response.usage.attempts == 1 + len(OPTIONS)
    best = max(OPTIONS, key=expected)
    one = said["q0"]
    assert pick(OPTIONS, one.option_logprobs, one.option_tokens, Ranking()).text == best


def test_the_prompt_goes_out_with_its_pictures_and_without_what_belongs_to_writing(
    dataset: Dataset, tmp_path: Path
) -> None:
    bodies: list[dict[str, Any]] = []

    def noting(before: int, asked: str) -> Reply:
        bodies.append(json.loads(asked))
        return prompt_logprobs(before, asked)

    rank(dataset, noting, tmp_path / "r", ",reasoning_effort=low", limit=1)
    assert len(bodies) == 1 + len(OPTIONS)
    for body in bodies:
        assert [part["type"] for part in body["messages"][0]["content"]].count("image_url") == 1
        assert "reasoning_effort" not in body
    assert [b["messages"][1:] for b in bodies[1:]] == [
        [{"role": "assistant", "content": option}] for option in OPTIONS
    ]


@pytest.mark.parametrize("ranking", ["prompt", "echo", "letter"])
def test_a_server_that_ignores_the_wish_in_silence_ends_the_run_in_one_sentence(
    dataset: Dataset, tmp_path: Path, ranking: str
) -> None:
    plain = completion("A") | {
        "choices": [{"text": "A", "message": {"content": "A"}, "finish_reason": "stop"}]
    }
    remedy = rf"ranking={ranking} .was asked for .*, and sent none.; let it write .*answer=generation"
    with pytest.raises(EndpointError, match=remedy):
        rank(
            dataset, lambda before, asked: (200, plain, {}), tmp_path / "r", f",ranking={ranking}", ("A", "B")
        )
    assert list(open_run(tmp_path / "r").responses()) == []


def test_a_server_that_does_not_know_the_wish_ends_the_run_with_the_remedy(
    dataset: Dataset, tmp_path: Path
) -> None:
    error: dict[str, object] = {"error": {"message": "Unrecognized request argument: prompt_logprobs"}}
    with pytest.raises(EndpointError, match=r"Unrecognized request argument.*--set answer=generation"):
        rank(dataset, lambda before, asked: (400, error, {}), tmp_path / "r")


@pytest.mark.parametrize(
    ("value", "why"),
    [("NaN", "is missing, or is none"), ("null", "is missing, or is none"), ("-Infinity", "is infinite")],
)
@pytest.mark.parametrize("ranking", ["prompt", "echo"])
def test_a_log_probability_that_is_none_is_a_failure_with_a_reason(
    dataset: Dataset, tmp_path: Path, ranking: str, value: str, why: str
) -> None:
    """Question 1 meets a model that overflows; the others are ranked, and it is asked once more later."""
    behave = prompt_logprobs if ranking == "prompt" else echoed

    def overflowing(before: int, asked: str) -> Reply:
        status, reply, headers = behave(before, asked)
        if "(1)" in asked:
            reply = json.dumps(reply).replace(str(logprob("bus")), value)
        return status, reply, headers

    summary, said = rank(dataset, overflowing, tmp_path / "r", f",ranking={ranking}")
    assert (summary.ok, summary.failed) == (2, 1)
    assert said["q1"].status == "failed"
    assert said["q1"].error.startswith("a log-probability of option 1 ")
    assert why in said["q1"].error
    assert said["q1"].option_logprobs == ()
    again, _ = rank(dataset, behave, tmp_path / "r", f",ranking={ranking}")
    assert (again.ok, again.skipped, again.complete) == (1, 2, True)


def test_options_that_grow_into_the_prompt_are_noticed(dataset: Dataset, tmp_path: Path) -> None:
    """Where a tokenizer joins both ends, what the option's own tokens are cannot be told."""

    def joining(before: int, asked: str) -> Reply:
        body = json.loads(asked)
        if body["continue_final_message"]:
            last = body["messages"][0]["content"][-1]
            last["text"] = last["text"].rstrip() + body["messages"].pop()["content"]
            body |= {"add_generation_prompt": True, "continue_final_message": False}
        return prompt_logprobs(before, json.dumps(body))

    with pytest.raises(EndpointError, match="cut the prompt into other tokens"):
        rank(dataset, joining, tmp_path / "r")


def test_an_option_without_tokens_is_a_failure_of_its_question(dataset: Dataset, tmp_path: Path) -> None:
    _, said = rank(dataset, prompt_logprobs, tmp_path / "r", continuations=("right", "left"), limit=1)
    assert [r.status for r in said.values()] == ["ok"]
    with pytest.raises(EndpointError, match="no token of option 2"):
        rank(dataset, prompt_logprobs, tmp_path / "s", continuations=("right", " "))


def test_letters_are_compared_by_the_first_token_with_and_without_its_space(
    dataset: Dataset, tmp_path: Path
) -> None:
    told = {" A": -1.0, "A": -1.5, "B": -0.9, "▁C": -3.0, "The": -2.0, "Aha": -0.1}
    _, said = rank(dataset, letters(dict(told)), tmp_path / "r", ",ranking=letter", ("A", "B", "C"))
    a = math.log(math.exp(-1.0) + math.exp(-1.5))
    assert said["q0"].option_logprobs == pytest.approx((a, -0.9, -3.0))
    assert said["q0"].option_tokens == (1, 1, 1)


def test_a_letter_that_is_not_told_never_wins(dataset: Dataset, tmp_path: Path) -> None:
    told: dict[str, float | None] = {"B": -0.2, "The": -2.0, "A": -4.0}
    _, said = rank(dataset, letters(told), tmp_path / "r", ",ranking=letter", ("A", "B", "C"))
    assert said["q0"].option_logprobs == (-4.0, -0.2, -4.0)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"The": -0.1, "\n": -3.0}, "none of A, B is among the 2 likeliest tokens"),
        ({"A": None, "B": -1.0}, "a log-probability is missing, or is none"),
        ({"A": math.inf, "B": -1.0}, "a log-probability is infinite"),
    ],
)
def test_letters_without_numbers_are_failures(
    dataset: Dataset, tmp_path: Path, told: dict[str, float | None], why: str
) -> None:
    good = letters({"A": -1.0, "B": -2.0})

    def mostly(before: int, asked: str) -> Reply:
        status, reply, headers = (letters(told) if "(1)" in asked else good)(before, asked)
        return status, json.dumps(reply), headers

    summary, said = rank(dataset, mostly, tmp_path / "r", ",ranking=letter", ("A", "B"))
    assert (summary.ok, summary.failed) == (2, 1)
    assert said["q1"].error.startswith(why)


def test_letters_are_asked_of_one_token_as_many_as_the_server_tells(dataset: Dataset, tmp_path: Path) -> None:
    bodies: list[dict[str, Any]] = []

    def noting(before: int, asked: str) -> Reply:
        bodies.append(json.loads(asked))
        return letters({"A": -1.0})(before, asked)

    rank(dataset, noting, tmp_path / "r", ",ranking=letter,logprobs=5", ("A", "B"), limit=1)
    (body,) = bodies
    assert (body["max_tokens"], body["logprobs"], body["top_logprobs"]) == (1, True, 5)


def test_what_a_way_of_ranking_cannot_do_is_said_before_anything_is_sent(
    dataset: Dataset, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="expected single letters to compare, found 'behind the red car'"):
        rank(dataset, prompt_logprobs, tmp_path / "r", ",ranking=letter")
    with pytest.raises(InputError, match="ranking: expected prompt, echo, letter, found 'first'"):
        rank(dataset, prompt_logprobs, tmp_path / "r", ",ranking=first")


def test_a_refusal_to_rank_is_a_refusal(dataset: Dataset, tmp_path: Path) -> None:
    flagged: dict[str, object] = {"error": {"code": "content_filter", "message": "flagged"}}
    summary, said = rank(dataset, lambda before, asked: (400, flagged, {}), tmp_path / "r")
    assert (summary.refused, summary.complete) == (3, True)
    assert said["q0"].option_logprobs == ()
