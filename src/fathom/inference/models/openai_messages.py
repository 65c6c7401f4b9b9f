"""What is said in one message of a chat: the answer, and the reasoning before it.

Providers put reasoning beside the answer (`reasoning_content`, `reasoning`), or among the parts of its
content (type `reasoning` or `thinking`); none of it is ever part of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

THINKING = frozenset({"reasoning", "thinking", "redacted_thinking", "thought"})
"""Types of parts of a message that are no part of the answer."""

_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")
_TEXTS = ("text", "content", "thinking", "reasoning", "summary", "refusal")


def text_of(content: object) -> str:
    """Return the answer in a message's content: a text, or the parts of it that are none of its reasoning."""
    if not isinstance(content, list):
        return _plain(content)
    return "".join(_plain(part) for part in content if not _thinks(part))


def reasoning_of(message: Mapping[str, Any]) -> str:
    """Return the reasoning in a message, wherever it stands; the same text told twice is kept once."""
    told = [_plain(message.get(name)) for name in _REASONING_FIELDS]
    if not any(told):
        told = [_plain(message.get("reasoning_details"))]
    content = message.get("content")
    if isinstance(content, list):
        told.append("".join(_plain(part) for part in content if _thinks(part)))
    return "\n\n".join(dict.fromkeys(text for text in told if text.strip()))


def called_of(message: Mapping[str, Any]) -> str:
    """Return the name of the first tool that a message calls, "" where it calls none."""
    calls = message.get("tool_calls")
    one = calls[0] if isinstance(calls, list) and calls else message.get("function_call")
    if not isinstance(one, dict):
        return ""
    inner = one.get("function")
    name = (inner if isinstance(inner, dict) else one).get("name")
    return name if isinstance(name, str) and name else "without a name"


def _thinks(part: object) -> bool:
    if not isinstance(part, dict):
        return False
    kind = part.get("type")
    if isinstance(kind, str):
        return kind in THINKING or kind.startswith("reasoning") or kind.endswith("thinking")
    return not _plain(part.get("text")) and any(part.get(name) for name in _REASONING_FIELDS)


def _plain(value: object) -> str:
    """Return the text in a value: a text itself, or what the parts of a list or a part hold."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_plain(part) for part in value)
    if isinstance(value, dict):
        return next((text for name in _TEXTS if (text := _plain(value.get(name)))), "")
    return ""
