"""One form for words that mean the same: case, spacing, quotes, articles, number words, spellings."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_COUNTING = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
NUMBER_WORDS = {word: str(number) for number, word in enumerate(_COUNTING)}

PHRASES = {
    "fighter jet": "fighter",
    "jet fighter": "fighter",
    "fighter plane": "fighter",
    "dirt bike": "dirtbike",
    "mini van": "minivan",
    "bi plane": "biplane",
    "air liner": "airliner",
    "double decker": "double",
    "doubledecker": "double",
    "sport utility vehicle": "suv",
    "motor bike": "motorbike",
}
SPELLINGS = {
    "grey": "gray",
    "big": "large",
    "tiny": "small",
    "little": "small",
    "airplane": "aeroplane",
    "motorcycle": "motorbike",
    "bicycle": "bike",
    "buss": "bus",
}

_MARKS = re.compile(r"[*_`\"“”‘’«»#$\\{}\[\]<>]+|(?<!\w)'|'(?!\w)")
_SPACES = re.compile(r"[\s\-–—‑/]+")
_EDGES = " \t\n.,;:!?()"
_ARTICLE = re.compile(r"^(?:(?:a|an|the|it is|it's|is)\s+)+(?=\S)")
_WHOLE = re.compile(r"^([+-]?\d+)\.0+$")
_PHRASES = re.compile(r"\b(" + "|".join(map(re.escape, PHRASES)) + r")\b")


@lru_cache(maxsize=8192)
def canonical(text: str) -> str:
    """Return `text` in the one form in which equal answers are equal: "The Grey." → "gray", "Three" → "3"."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _SPACES.sub(" ", _MARKS.sub(" ", text)).strip(_EDGES)
    text = _ARTICLE.sub("", text)
    text = _PHRASES.sub(lambda match: PHRASES[match.group()], text)
    words = [SPELLINGS.get(word, word) for word in text.split()]
    if len(words) == 1:
        words[0] = NUMBER_WORDS.get(words[0], words[0])
        words[0] = _WHOLE.sub(r"\1", words[0])
        if words[0].lstrip("+-").isdecimal():
            words[0] = str(int(words[0]))
    return " ".join(words)
