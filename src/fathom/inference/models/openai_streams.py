"""Replies that come as a stream of events, put together into one."""

from __future__ import annotations

from typing import Any

import msgspec

_JOINED = ("content", "reasoning_content", "reasoning", "thinking", "refusal")


def is_stream(body: bytes) -> bool:
    """Return whether a reply is a stream of events (server-sent events)."""
    return body.lstrip()[:5] in (b"data:", b"event") or body.lstrip()[:1] == b":"


def joined(body: bytes) -> bytes:
    """Return the completion that a stream tells piece by piece, as JSON.

    Raises ValueError where the stream breaks off before its end, or holds something else.
    """
    whole: dict[str, Any] = {}
    message: dict[str, Any] = {}
    finish, ended = None, False
    for line in body.splitlines():
        name, _, data = line.partition(b":")
        if name.strip() != b"data":
            continue
        if data.strip() == b"[DONE]":
            ended = True
            break
        chunk = msgspec.json.decode(data, type=dict[str, Any])
        if chunk.get("error"):
            return msgspec.json.encode({"error": chunk["error"]})
        whole |= {k: chunk[k] for k in ("model", "usage") if chunk.get(k)}
        for choice in chunk.get("choices") or ():
            if choice.get("index") in (0, None):
                _add(message, choice.get("delta") or choice.get("message") or {})
                finish = choice.get("finish_reason") or finish
    if not (ended or finish):
        raise ValueError("the stream broke off before its end")
    return msgspec.json.encode({**whole, "choices": [{"message": message, "finish_reason": finish}]})


def _add(message: dict[str, Any], delta: dict[str, Any]) -> None:
    for name in _JOINED:
        piece = delta.get(name)
        if isinstance(piece, str):
            message[name] = message.get(name, "") + piece
        elif isinstance(piece, list):
            message[name] = [*_as_parts(message.get(name)), *piece]
    if delta.get("tool_calls"):
        message.setdefault("tool_calls", delta["tool_calls"])


def _as_parts(value: object) -> list[Any]:
    if isinstance(value, list):
        return value
    return [{"type": "text", "text": value}] if value else []
