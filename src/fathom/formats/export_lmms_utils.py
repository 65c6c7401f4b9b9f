"""How a question of this task is put, and how its answer is marked.

An answer to a question with options counts where it states an option's letter after the word "answer" (or
"option", "choice"), the last time that it does; else where one letter, and no other, stands alone, in
brackets, or at the beginning of a line; else where it is an option's text. Anything else is wrong, and is
counted as unreadable too. An answer without options counts where it is the answer's text, or one that means
the same.

What the model wrote is in the samples that --log_samples keeps: `fathom import-run` reads them again under
any extractor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

LETTERS = "ABCDEFGHIJ"
HERE = Path(__file__).resolve().parent

# A and I are words too: before another word they state nothing.
_LETTER = r"(?:([B-HJ])\b(?!['’])|([AI])\b(?!['’]|\s+[a-z]))"
_SAID = re.compile(rf"(?i:answer|option|choice)(?i:\s+is)?\W{{0,4}}\b{_LETTER}")
_ALONE = re.compile(r"^\W*([A-J])\W*$|\(([A-J])\)|^\W*([A-J])[.):](?:\s|$)", re.MULTILINE)


def doc_to_visual(doc: Mapping[str, Any]) -> list[Any]:
    """Return the pictures of a question, and its videos as paths."""
    pictures = doc.get("images") or [doc.get("image")]
    shown = [picture.convert("RGB") for picture in pictures if picture is not None]
    return shown + [str(HERE / path) for path in doc.get("video") or ()]


def doc_to_text(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Mapping[str, str] | None = None) -> str:
    """Return the question, its options with their letters, and how to reply."""
    words = lmms_eval_specific_kwargs or {}
    options = [f"{letter}. {text}" for letter, text in zip(LETTERS, doc["choices"], strict=False)]
    reply = "Reply with the letter of the best option." if options else "Reply with the answer alone."
    body = "\n".join([doc["question"], *options, words.get("post_prompt") or reply])
    return words.get("pre_prompt", "") + body


def process_results(doc: Mapping[str, Any], results: Iterable[str]) -> dict[str, Any]:
    """Return whether the answer is right, and whether none could be read, each 1 or 0; and the question's id.

    The id is no metric, and nothing is made of it: it is logged with the sample, whose row is all that some
    versions log beside it.
    """
    picked = read(next(iter(results), ""), doc["choices"])
    if doc["choices"]:
        right = picked is not None and picked == doc["answer_text"]
    else:
        right = picked in {plain(text) for text in (doc["answer_text"], *doc["equivalents"])}
    scores = {"accuracy": float(right), "unreadable": float(picked is None)}
    return {**scores, "fathom_question": doc["index"]} if "index" in doc else scores


def read(answer: str, choices: list[str]) -> str | None:
    """Return the option that an answer states, or its plain text where there are no options; else None."""
    if not choices:
        return plain(answer) or None
    said, alone = (_letters(rule, answer) for rule in (_SAID, _ALONE))
    if said or len(set(alone)) == 1:
        place = LETTERS.index((said or alone)[-1])
        return choices[place] if place < len(choices) else None
    return next((text for text in choices if plain(text) == plain(answer)), None)


def _letters(rule: re.Pattern[str], answer: str) -> list[str]:
    return ["".join(filter(None, found.groups())) for found in rule.finditer(answer)]


def plain(text: str) -> str:
    """Return a text in small letters, without the blanks and the punctuation around it."""
    return re.sub(r"^\W+|\W+$", "", " ".join(text.split())).casefold()


def mean(values: Iterable[float]) -> float:
    """Return the mean of all questions."""
    values = list(values)
    return sum(values) / len(values) if values else 0.0
