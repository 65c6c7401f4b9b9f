"""VLMEvalKit's rules for questions without options, faults included.

They were written for one benchmark, of scenes of vehicles. What they do:

- the answer is what stands between single quotes after `Answer': '`, else between double quotes after
  `Answer": "`, else one digit after `Answer': `; else the whole text is the answer ("format error");
- so an unquoted 10 is read as 1, an unquoted number after a double quote is not read, and an apostrophe cuts
  an answer short;
- "none" means No; 0 counts for No, and 1 to 9 count for Yes; number words count for numbers;
- any vehicle of the right class counts for the right vehicle ("school bus" for "double bus"), because only
  the first words are compared, by class.
"""

from __future__ import annotations

import re

from fathom.extraction.words import NUMBER_WORDS
from fathom.records import ExtractedAnswer, Question

CLASSES = {
    "car": ("suv", "wagon", "minivan", "sedan", "truck", "addi", "car"),
    "bus": ("articulated", "regular", "double", "school", "bus"),
    "motorbike": ("chopper", "dirtbike", "scooter", "cruiser", "motorbike"),
    "aeroplane": ("jet", "fighter", "biplane", "airliner", "aeroplane"),
    "bicycle": ("road", "utility", "mountain", "tandem", "bicycle"),
}
_CLASS_OF = {word: name for name, words in CLASSES.items() for word in words}
_PATTERNS = (
    ("single quotes", re.compile("Answer': '(.*?)'")),
    ("double quotes", re.compile('Answer": "(.*?)"')),
    ("digit", re.compile(r"Answer': (\d)")),
)
_COUNTS = frozenset("123456789")
_NUMBERS = {word: number for word, number in NUMBER_WORDS.items() if int(number) <= 10}


def read(question: Question, text: str) -> ExtractedAnswer:
    """Return what the kit takes for the answer; it always takes something."""
    for how, pattern in _PATTERNS:
        found = pattern.search(text)
        if found:
            return ExtractedAnswer(found.group(1), how)
    return ExtractedAnswer(text, "format error")


def value(question: Question, reading: ExtractedAnswer) -> float:
    """Return 1 where the kit counts the answer as correct, else 0."""
    said = (reading.picked or "").lower()
    right = question.answer.lower()
    if said == "none":
        said = "no"
    return float(
        said == right
        or (said == "0" and right == "no")
        or (said in _COUNTS and right == "yes")
        or (said in _NUMBERS and _NUMBERS[said] == right)
        or _same_class(said, right)
    )


def _same_class(said: str, right: str) -> bool:
    a, b = (_CLASS_OF.get(text.split(" ")[0]) for text in (said, right))
    return a is not None and a == b
