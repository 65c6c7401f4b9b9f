"""Replies of many providers: which are answers, which are refusals, and which are neither."""

from __future__ import annotations

import json

import pytest

from fathom.inference.models.openai_replies import read_reply
from tests.inference.endpoints import completion

REFUSALS: dict[str, tuple[int, dict[str, object]]] = {
    "a filter, by its code": (400, {"error": {"code": "content_filter", "message": "no"}}),
    "a filter, by its inner code": (
        400,
        {"error": {"code": None, "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
    ),
    "a policy, by its code": (
        400,
        {"error": {"code": "content_policy_violation", "type": "bad_request"}},
    ),
    "a flagged prompt": (
        400,
        {"error": {"code": "invalid_prompt", "message": "Invalid prompt: your prompt was flagged"}},
    ),
    "an inspection of the data": (400, {"code": "DataInspectionFailed", "message": "Input may be bad."}),
    "sensitive content": (400, {"error": {"code": "InputImageSensitiveContentDetected", "message": "x"}}),
    "moderation in front of a model": (
        403,
        {"error": {"code": 403, "message": "x", "metadata": {"reasons": ["moderation/violence"]}}},
    ),
    "words alone": (403, {"error": "Content violates usage guidelines. Failed check: SAFETY_CHECK"}),
    "legal reasons": (451, {"error": {"message": "blocked by our content policy"}}),
    "no choice, and a reason": (
        200,
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "choices": []},
    ),
    "no choice at all": (200, {"error": {"code": "content_filter"}, "choices": None}),
    "a message that declines": (200, completion(None, refusal="I cannot help with that.")),
    "cut off by a filter": (200, completion("The third person is", finish="content_filter")),
    "ended for safety": (200, completion(None, finish="SAFETY")),
    "ended as a refusal": (200, completion("", finish="refusal")),
    "ended as sensitive": (200, completion("", finish="sensitive")),
    "stopped by a guardrail": (200, completion("blocked", finish="guardrail_intervened")),
}

FAULTS: dict[str, tuple[int, dict[str, object] | str]] = {
    "a wrong parameter": (400, {"error": {"code": "invalid_request_error", "message": "max_tokens: no"}}),
    "a prompt that is too long": (400, {"error": {"code": "context_length_exceeded", "message": "8192"}}),
    "no access": (403, {"error": {"code": "permission_denied", "message": "no access to this model"}}),
    "a page of a proxy": (403, "<html>content_filter</html>"),
    "too fast": (429, {"error": {"code": "rate_limit_exceeded", "message": "flagged as too fast"}}),
    "an error under a good status": (200, {"error": {"code": 502, "message": "upstream"}}),
    "an error in a choice": (200, {"choices": [{"error": {"code": 502}, "message": {"content": ""}}]}),
    "no choices": (200, {"id": "x"}),
    "choices of another form": (200, {"choices": {"0": "yes"}}),
    "half a reply": (200, json.dumps(completion("yes"))[:40]),
    "a stream": (200, 'data: {"choices": [{"delta": {"content": "y"}}]}\n\n'),
    "bytes that are no text": (200, '{"choices": [{"message": {"content": "\udcff"}}]}'),
}


@pytest.mark.parametrize(("status", "reply"), REFUSALS.values(), ids=REFUSALS)
def test_what_a_provider_declines_is_a_refusal(status: int, reply: dict[str, object]) -> None:
    assert read_reply(status, json.dumps(reply).encode()).status == "refused"


@pytest.mark.parametrize(("status", "reply"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_neither_an_answer_nor_a_refusal(status: int, reply: dict[str, object] | str) -> None:
    body = reply if isinstance(reply, str) else json.dumps(reply)
    with pytest.raises(ValueError):
        read_reply(status, body.encode(errors="surrogateescape"))


def test_what_was_said_before_a_filter_cut_it_off_is_kept() -> None:
    answer = read_reply(200, json.dumps(completion("The third person is", finish="content_filter")).encode())
    assert (answer.text, answer.finish) == ("The third person is", "content_filter")


@pytest.mark.parametrize("finish", ["stop", "length", "eos_token", "tool_calls", "", None])
def test_an_answer_that_ended_is_an_answer_however_it_ended(finish: str | None) -> None:
    answer = read_reply(200, json.dumps(completion("B", finish=finish)).encode())  # type: ignore[arg-type]
    assert (answer.status, answer.text, answer.finish) == ("ok", "B", finish or "")


def test_words_about_policies_in_an_answer_are_an_answer() -> None:
    text = "The sign says: content policy violation, flagged for moderation."
    answer = read_reply(200, json.dumps(completion(text)).encode())
    assert (answer.status, answer.text) == ("ok", text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_leave_the_answer_readable(number: str) -> None:
    body = json.dumps(completion("B") | {"prompt_logprobs": [None, {"7": {"logprob": 0.25}}]})
    answer = read_reply(200, body.replace("0.25", number).encode())
    assert (answer.status, answer.text) == ("ok", "B")
    assert number.encode() in answer.prompt_logprobs


def test_cached_tokens_are_counted_apart() -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 64}}
    answer = read_reply(200, json.dumps(completion("B") | {"usage": usage}).encode())
    assert (answer.input_tokens, answer.cached_tokens, answer.output_tokens) == (100, 64, 7)
