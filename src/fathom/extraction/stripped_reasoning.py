"""What a model says once it has thought, without the marks of its chat template."""

from __future__ import annotations

import re
import unicodedata

_THOUGHT = r"(?:[a-z]{1,16}:)?(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)"
THOUGHTS_END = re.compile(
    rf"</\s*{_THOUGHT}\s*>|◁/think▷|\[/THINK\]|<\|end_of_thought\|>|<\|end_thinking\|>"
    r"|<\|channel\|>\s*final\s*<\|message\|>",
    re.IGNORECASE,
)
THOUGHTS_BEGIN = re.compile(
    rf"<\s*{_THOUGHT}(?:\s[^<>]{{0,80}})?>|◁think▷|\[THINK\]|<\|begin_of_thought\|>|<\|start_thinking\|>"
    r"|<\|channel\|>\s*(?:analysis|commentary)\b",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"<\|[a-z_]{1,32}\|>|</?s>|<end_of_turn>|<eos>")
_UNSEEN = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")
_MANY = re.compile(r"\s{40,}")


def strip_reasoning(text: str) -> str:
    """Return what is said once thinking has ended; nothing where it never came to an end."""
    closed = list(THOUGHTS_END.finditer(text))
    if closed:
        text = text[closed[-1].end() :]
    opened = THOUGHTS_BEGIN.search(text)
    if opened:
        text = text[: opened.start()]
    return _TOKENS.sub(" ", text).strip()


def plain(text: str) -> str:
    """Return a text in form NFKC (full-width letters made plain), without what cannot be seen."""
    return _MANY.sub("\n\n", _UNSEEN.sub("", unicodedata.normalize("NFKC", text))).strip()
