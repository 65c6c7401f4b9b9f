"""What comes back from an OpenAI-compatible endpoint: an answer, a refusal, or neither."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import msgspec

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


class _Piece(Lenient, frozen=True):
    text: str | None = ""


class _Message(Lenient, frozen=True):
    content: str | list[_Piece] | None = None
    refusal: str | None = None


class _Choice(Lenient, frozen=True):
    message: _Message | None = None
    text: str | None = None
    finish_reason: str | None = None
    error: msgspec.Raw = _NOTHING
    logprobs: msgspec.Raw = _NOTHING
    prompt_logprobs: msgspec.Raw = _NOTHING


class _Details(Lenient, frozen=True):
    cached_tokens: int | None = 0


class _Tokens(Lenient, frozen=True):
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    prompt_tokens_details: _Details | None = None


class _Completion(Lenient, frozen=True):
    choices: list[_Choice] | None = None
    model: str | None = ""
    usage: _Tokens | None = None
    prompt_logprobs: msgspec.Raw = _NOTHING


@dataclass(frozen=True)
class Answer:
    """What a reply says; `logprobs` and `prompt_logprobs` are JSON as it came, for who asked for them."""

    status: Status
    text: str = ""
    finish: str = ""
    error: str = ""
    model: str = ""
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    logprobs: bytes = NULL
    prompt_logprobs: bytes = NULL
    option_logprobs: tuple[float, ...] = ()
    option_tokens: tuple[int, ...] = ()


_DECODER = msgspec.json.Decoder(_Completion)


def read_reply(status: int, body: bytes) -> Answer:
    """Return the answer or the refusal in a reply. Raises ValueError where it holds neither."""
    if not 200 <= status < 300:
        if status in _REFUSING_STATUSES and _refuses(body):
            return Answer("refused", error=f"HTTP {status}: {_shown(body)}")
        raise ValueError("")
    completion = _completion(body)
    if not completion.choices:
        if _refuses(body):
            return Answer("refused", error=_shown(body), model=completion.model or "")
        raise ValueError("the reply holds no choice")
    choice = completion.choices[0]
    if _given(choice.error):
        raise ValueError("the reply holds an error in place of an answer")
    message = choice.message or _Message()
    content = message.content if choice.text is None else choice.text
    text = content if isinstance(content, str) else "".join(piece.text or "" for piece in content or ())
    refusal = message.refusal or ""
    finish = choice.finish_reason or ""
    refused = (not text and bool(refusal)) or _says_no(finish)
    tokens = completion.usage or _Tokens()
    details = tokens.prompt_tokens_details or _Details()
    return Answer(
        status="refused" if refused else "ok",
        text=text or refusal,
        finish=finish,
        model=completion.model or "",
        input_tokens=tokens.prompt_tokens or 0,
        cached_tokens=details.cached_tokens or 0,
        output_tokens=tokens.completion_tokens or 0,
        logprobs=bytes(choice.logprobs),
        prompt_logprobs=bytes(_given(completion.prompt_logprobs) or choice.prompt_logprobs),
    )


def _completion(body: bytes) -> _Completion:
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        if isinstance(e, msgspec.DecodeError) and not isinstance(e, msgspec.ValidationError):
            mended = _without_numbers_that_are_none(body)
            if mended is not None:
                return mended
        raise ValueError(f"the reply is not a chat completion ({e})") from e


def _without_numbers_that_are_none(body: bytes) -> _Completion | None:
    """Return a reply that is JSON but for NaN and Infinity, these written as texts; None for another.

    A log-probability that is none is the model's doing, and asking again would not help.
    """
    if b"NaN" not in body and b"Infinity" not in body:
        return None
    try:
        value = json.loads(body, parse_constant=str)
        return _DECODER.decode(msgspec.json.encode(value))
    except (ValueError, RecursionError):
        return None


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
