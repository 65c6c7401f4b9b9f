"""What a model thinks before it answers: told apart from the answer, and why there is none behind it."""

from __future__ import annotations

import re

from fathom.extraction.stripped_reasoning import THOUGHTS_BEGIN, THOUGHTS_END
from fathom.records import CUT_OFF

AUTO = "auto"
_OPENED = re.compile(rf"\s*(?:{THOUGHTS_BEGIN.pattern})", re.IGNORECASE)


def split_thoughts(text: str, tag: str = AUTO) -> tuple[str, str]:
    """Return (reasoning, answer) of a text with <tag>…</tag> in front of its answer; ("", text) without.

    `tag` is a name, `auto` for the usual ones, or "" for none. Where the prompt opened the tag, only its end
    is there; where the text was cut off, only its beginning.
    """
    if not tag:
        return "", text
    own = re.escape(tag)
    opened = _OPENED if tag == AUTO else re.compile(rf"\s*<{own}>")
    closed = THOUGHTS_END if tag == AUTO else re.compile(rf"</{own}>")
    begun = opened.match(text)
    ends = list(closed.finditer(text))
    start = begun.end() if begun else 0
    if ends:
        return text[start : max(start, ends[-1].start())].strip(), text[ends[-1].end() :].strip()
    return (text[start:].strip(), "") if begun else ("", text)


def opened_at_end(prompt: str, tag: str = AUTO) -> str:
    """Return the tag that a prompt ends with, so that what is written begins with thoughts; "" for none."""
    begins = _OPENED if tag == AUTO else re.compile(rf"\s*<{re.escape(tag)}>")
    last = list(begins.finditer(prompt)) if tag else []
    return last[-1].group().strip() if last and not prompt[last[-1].end() :].strip() else ""


def why_silent(finish: str, reasoning: str, output_tokens: int = 0, called: str = "") -> str:
    """Return why what came back without a text is no answer."""
    spent = f" ({output_tokens:,} tokens)" if output_tokens else ""
    if called:
        return f"no answer: the model called a tool ({called}) and wrote no text"
    if finish in CUT_OFF:
        return (
            f"no answer: {'the reasoning' if reasoning.strip() else 'what was written'} came to the limit of "
            f"its length{spent} before an answer began; --more-tokens gives it more"
        )
    if reasoning.strip():
        return f"no answer: the model reasoned{spent} and ended without one"
    return f"no answer: the text is empty{spent}" + (f" (it ended with {finish!r})" if finish else "")
