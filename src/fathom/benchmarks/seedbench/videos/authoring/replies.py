"""What a writer said → three wrong options, or the reason why they are none.

The form of a reply is mended where it says plainly what was meant: JSON with text around it, letters before
options, a list in place of commas, capitals, full stops and articles that the right option does not have, and
a fourth option, of which the one goes that is no wrong option. Else the words are never changed.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec

from fathom.authoring.replies import EMPTY, LONG_REPLY, LONGEST_REPLY, NO_JSON, one_line, unfit
from fathom.benchmarks.seedbench.videos.drafts import WRONG, VideoDraft, VideoOption
from fathom.extraction.lenient_json import objects
from fathom.extraction.words import canonical
from fathom.formats.table_cells import unmarked

NOT_THREE = "other than three wrong options, or an empty one"
RIGHT = "a wrong option that is the right one"
ALIKE = "two wrong options that are the same"
LENGTH = "a wrong option much longer, or much shorter, than the right one"

_KEY = "wrong"
_ARTICLE = re.compile(r"\b(?:an?|the) ", re.IGNORECASE)


def read_reply(reply: str, draft: VideoDraft, factor: float) -> tuple[VideoOption, ...] | str:
    """Return the wrong options that a writer wrote for a question, or why there are none.

    None is more than `factor` times as long, or as short, as the right one.
    """
    listed = _listed(reply)
    if isinstance(listed, str):
        return listed
    texts = _mended(listed, draft.answer.text)
    faults = [_fault(text, draft, factor) for text in texts]
    again = Counter[str]()
    for k, text in enumerate(texts):
        again[canonical(text)] += 1
        faults[k] = faults[k] or (ALIKE if again[canonical(text)] > 1 else "")
    if len(texts) == WRONG + 1:
        gone = next((k for k, fault in enumerate(faults) if fault), WRONG)
        del texts[gone], faults[gone]
    if len(texts) != WRONG or not all(texts):
        return NOT_THREE
    fault = next((f for f in faults if f), "")
    return fault or tuple(draft.ground.option(text) for text in texts)


def _listed(reply: str) -> list[str] | str:
    """Return the options of a reply as texts, or why there are none."""
    if not reply.strip():
        return EMPTY
    if len(reply) > LONGEST_REPLY:
        return LONG_REPLY
    try:
        whole: Any = msgspec.json.decode(reply)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        whole = next((o for o in objects(reply) if _KEY in o), None)
    found = whole.get(_KEY) if isinstance(whole, dict) else whole
    if not isinstance(found, list):
        return NO_JSON
    texts = [", ".join(o) if isinstance(o, list) and all(isinstance(s, str) for s in o) else o for o in found]
    return texts if all(isinstance(text, str) for text in texts) else NO_JSON


def _mended(listed: list[str], answer: str) -> list[str]:
    """Return options in the form of the right one."""
    texts = [one_line(text) for text in listed]
    if all(unmarked(text) != text for text in texts):
        texts = [unmarked(text) for text in texts]
    if not answer.endswith("."):
        texts = [text.rstrip(". ") for text in texts]
    if not _ARTICLE.search(answer):
        texts = [_ARTICLE.sub("", text) for text in texts]
    if answer == answer.lower():
        return [text.lower() for text in texts]
    return [text[:1].lower() + text[1:] if answer[:1].islower() else text for text in texts]


def _fault(text: str, draft: VideoDraft, factor: float) -> str:
    """Return why a text cannot be a wrong option, "" where it can."""
    if not canonical(text):
        return NOT_THREE
    answer = draft.answer.text
    if canonical(text) == canonical(answer):
        return RIGHT
    if wrong := unfit([text]) or draft.ground.wrong(text):
        return wrong
    return "" if len(answer) / factor <= len(text) <= factor * len(answer) else LENGTH
