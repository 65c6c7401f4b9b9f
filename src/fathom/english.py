"""English nouns: articles, plurals and small numbers; how numbers are rounded where they are shown."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

VOWEL_SOUND = {"suv": True, "utility": False, "hour": True, "unicycle": False}
"""Words whose first letter misleads about the article."""

IRREGULAR = {
    "aircraft": "aircraft", "bus": "buses", "calf": "calves", "child": "children", "deer": "deer",
    "dwarf": "dwarves", "elf": "elves", "fish": "fish", "foot": "feet", "goose": "geese", "half": "halves",
    "hoof": "hooves", "jellyfish": "jellyfish", "knife": "knives", "leaf": "leaves", "loaf": "loaves",
    "man": "men", "mouse": "mice", "ox": "oxen", "person": "people", "scarf": "scarves", "sheep": "sheep",
    "shelf": "shelves", "squid": "squid", "starfish": "starfish", "thief": "thieves", "tooth": "teeth",
    "wolf": "wolves", "woman": "women",
}  # fmt: skip
_ONE_OF = {many: one for one, many in IRREGULAR.items()}


NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""The words of numbers as they stand before a noun."""


def number(count: int) -> str:
    """Return a number as it is written before a noun: in words up to twelve."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def rounded(value: float, digits: int = 1) -> str:
    """Return a number with so many decimals, halves away from 0, as papers round; 0 has no minus sign.

    A number that is a half when it is written down is one, whatever its last bit.

    >>> rounded(33.05), rounded(84.95), rounded(-0.04), rounded(2.5, 0)
    ('33.1', '85.0', '0.0', '3')
    """
    if not math.isfinite(value):
        return f"{value:.{digits}f}"
    found = Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return f"{found if found else abs(found):f}"


def signed(value: float, digits: int = 1) -> str:
    """Return a rounded number with its sign.

    >>> signed(0.25), signed(-1), signed(0)
    ('+0.3', '-1.0', '+0.0')
    """
    found = rounded(value, digits)
    return found if found.startswith("-") else f"+{found}"


def plural(noun: str) -> str:
    """Return the plural of a noun, which may have words before it ("school bus": "school buses")."""
    *before, last = noun.split(" ")
    if last in IRREGULAR:
        many = IRREGULAR[last]
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        many = last[:-1] + "ies"
    else:
        many = last + "es" if last.endswith(("s", "x", "z", "ch", "sh")) else last + "s"
    return " ".join([*before, many])


def singular(word: str) -> str:
    """Return a word without the ending of a plural; what is no plural may lose an s, too.

    >>> [singular(word) for word in ("boxes", "shelves", "cities", "glass", "buses", "people")]
    ['box', 'shelf', 'city', 'glass', 'bus', 'person']
    """
    if word in _ONE_OF:
        return _ONE_OF[word]
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return word[:-2]
    plain = len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is"))
    return word if plain else word[:-1]


def article(words: str) -> str:
    """Return "a" or "an", by the sound with which the words begin."""
    first = words.split(" ", 1)[0]
    return "an" if VOWEL_SOUND.get(first, first[0] in "aeiou") else "a"


def bare(phrase: str) -> str:
    """Return what is done as it stands after "does", from what stands after "it".

    >>> bare("kicks"), bare("lunges forward"), bare("catches"), bare("carries something")
    ('kick', 'lunge forward', 'catch', 'carry something')
    """
    verb, *rest = phrase.split(" ")
    if verb.endswith("ies"):
        verb = f"{verb[:-3]}y"
    else:
        verb = verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes", "zzes")) else verb[:-1]
    return " ".join((verb, *rest))
