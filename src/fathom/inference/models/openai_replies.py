"""What comes back from an OpenAI-compatible endpoint: an answer, a refusal, or neither."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from fathom.inference.models.openai_messages import called_of, reasoning_of, text_of
from fathom.inference.models.openai_streams import is_stream, joined
from fathom.records import Status

NULL = b"null"
_NOTHING = msgspec.Raw(NULL)

_REFUSING_CODES = (
    "contentfilter",
    "contentpolicy",
    "policyviolation",
    "datainspection",
    "sensitive",
    "moderation",
    "safety",
    "guardrail",
    "prohibited",
    "invalidprompt",
    "blocklist",
    "refus",
)
"""In codes, types and reasons of providers, letters alone: content_filter, DataInspectionFailed …"""
_REFUSING_WORDS = (
    "usage polic",
    "usage guideline",
    "content management policy",
    "content policy",
    "content filter",
    "safety system",
    "flagged",
    "inappropriate content",
    "sensitive content",
)
"""In the messages of providers whose codes say no more than that the request was bad."""
_REFUSING_STATUSES = (400, 403, 422, 451)
_CODES = frozenset({"code", "type", "status", "reason", "reasons", "blockReason", "block_reason"})


class Lenient(msgspec.Struct, frozen=True):
    """Fields that are read; whatever else a server sends is passed over."""


class _Choice(Lenient, frozen=True):
    message: dict[str, Any] | None = None
    text: str | None = None
    finish_reason: str | None = None
    error: msgspec.Raw = _NOTHING
    logprobs: msgspec.Raw = _NOTHING
    prompt_logprobs: msgspec.Raw = _NOTHING


class _Completion(Lenient, frozen=True):
    choices: list[_Choice] | None = None
    model: str | None = ""
    usage: Any = None
    prompt_logprobs: msgspec.Raw = _NOTHING


@dataclass(frozen=True)
class Answer:
    """What a reply says; `called` is a tool that it calls in place of an answer.

    `renames_limit`: the server wants the limit of an answer called max_completion_tokens.
    `logprobs` and `prompt_logprobs` are JSON as it came, for who asked for them.
    """

    status: Status
    text: str = ""
    reasoning: str = ""
    called: str = ""
    renames_limit: bool = False
    finish: str = ""
    error: str = ""
    model: str = ""
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    logprobs: bytes = NULL
    prompt_logprobs: bytes = NULL
    option_logprobs: tuple[float, ...] = ()
    option_tokens: tuple[int, ...] = ()


_HALVES = re.compile("[\ud800-\udfff]")
_DECODER = msgspec.json.Decoder(_Completion)


def read_reply(status: int, body: bytes) -> Answer:
    """Return the answer or the refusal in a reply. Raises ValueError where it holds neither."""
    if not 200 <= status < 300:
        if status in _REFUSING_STATUSES and _refuses(body):
            return Answer("refused", error=f"HTTP {status}: {_shown(body)}")
        if status == 400 and all(name in body for name in (b"'max_tokens'", b"'max_completion_tokens'")):
            return Answer("failed", error=f"HTTP {status}: {_shown(body)}", renames_limit=True)
        raise ValueError("")
    completion = _completion(body)
    if not completion.choices:
        if _refuses(body):
            return Answer("refused", error=_shown(body), model=completion.model or "")
        raise ValueError("the reply holds no choice")
    choice = completion.choices[0]
    if _given(choice.error):
        raise ValueError("the reply holds an error in place of an answer")
    message = choice.message or {}
    text = text_of(message.get("content") if choice.text is None else choice.text)
    refusal = text_of(message.get("refusal"))
    finish = choice.finish_reason or ""
    refused = (not text and bool(refusal)) or _says_no(finish)
    return Answer(
        status="refused" if refused else "ok",
        text=text or refusal,
        reasoning=reasoning_of(message),
        called=called_of(message),
        finish=finish,
        model=completion.model or "",
        logprobs=bytes(choice.logprobs),
        prompt_logprobs=bytes(_given(completion.prompt_logprobs) or choice.prompt_logprobs),
        **_tokens(completion.usage),
    )


def _tokens(usage: object) -> dict[str, Any]:
    """Return the numbers of tokens that a reply tells; what is no number of tokens counts as not told."""
    told = usage if isinstance(usage, dict) else {}
    read, written = _count(told, "prompt_tokens"), _count(told, "completion_tokens")
    thought = _count(told.get("completion_tokens_details"), "reasoning_tokens")
    thought = thought or _count(told, "reasoning_tokens")
    # Some providers count what was thought beside what was written, and charge for both.
    beside = thought > written or _count(told, "total_tokens") == read + written + thought
    return {
        "input_tokens": read,
        "cached_tokens": _count(told.get("prompt_tokens_details"), "cached_tokens"),
        "output_tokens": written + thought if beside else written,
        "reasoning_tokens": thought,
    }


def _count(told: object, name: str) -> int:
    value = told.get(name) if isinstance(told, dict) else None
    return int(value) if isinstance(value, int | float) and 0 <= value < 1e15 else 0


def _completion(body: bytes) -> _Completion:
    try:
        return _DECODER.decode(joined(body) if is_stream(body) else body)
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        if isinstance(e, msgspec.DecodeError) and not isinstance(e, msgspec.ValidationError):
            mended = _mended(body)
            if mended is not None:
                return mended
        raise ValueError(f"the reply is not a chat completion ({e})") from e


def _mended(body: bytes) -> _Completion | None:
    """Return a reply that is JSON but for NaN, Infinity and halves of characters; None for another.

    Such numbers are written as texts, and such halves as U+FFFD. What a model or a server makes of a number
    that is none, or of half a character, is its doing, and asking again would not help.
    """
    try:
        return _DECODER.decode(msgspec.json.encode(_whole(json.loads(body, parse_constant=str))))
    except (ValueError, RecursionError):
        return None


def _whole(value: Any) -> Any:
    """Return JSON without halves of characters (lone surrogates)."""
    if isinstance(value, str):
        return _HALVES.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value


def as_number(value: float | str | None) -> float:
    """Return a log-probability as a number, NaN where there is none. Raises ValueError for words."""
    return math.nan if value is None else float(value)


def _given(raw: msgspec.Raw) -> msgspec.Raw | None:
    return None if bytes(raw) == NULL else raw


def _says_no(reason: str) -> bool:
    letters = "".join(c for c in reason.lower() if c.isalpha())
    return any(code in letters for code in _REFUSING_CODES)


def _refuses(body: bytes) -> bool:
    """Return whether an error is about what was shown or asked: by its codes, else by its words."""
    try:
        return _refuses_in(msgspec.json.decode(body), 0)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def _refuses_in(value: object, depth: int) -> bool:
    if isinstance(value, list):
        return depth < 6 and any(_refuses_in(item, depth + 1) for item in value)
    if not isinstance(value, dict) or depth == 6:
        return False
    for key, item in value.items():
        texts = [t for t in (item if isinstance(item, list) else [item]) if isinstance(t, str)]
        if key in _CODES and any(_says_no(text) for text in texts):
            return True
        if key in ("message", "error", "detail") and any(
            words in text.lower() for text in texts for words in _REFUSING_WORDS
        ):
            return True
        if _refuses_in(item, depth + 1):
            return True
    return False


def _shown(body: bytes) -> str:
    return " ".join(body[:300].decode(errors="replace").split())
