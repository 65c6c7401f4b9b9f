"""English nouns: articles, plurals and small numbers."""

from __future__ import annotations

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


NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""The words of numbers as they stand before a noun."""


def number(count: int) -> str:
    """Return a number as it is written before a noun: in words up to twelve."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


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


def article(words: str) -> str:
    """Return "a" or "an", by the sound with which the words begin."""
    first = words.split(" ", 1)[0]
    return "an" if VOWEL_SOUND.get(first, first[0] in "aeiou") else "a"
