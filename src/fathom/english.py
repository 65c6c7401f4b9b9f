"""English nouns: articles and plurals."""

from __future__ import annotations

VOWEL_SOUND = {"suv": True, "utility": False, "hour": True, "unicycle": False}
"""Words whose first letter misleads about the article."""

IRREGULAR = {
    "bus": "buses", "aircraft": "aircraft", "sheep": "sheep", "fish": "fish", "deer": "deer", "man": "men",
    "woman": "women", "person": "people", "child": "children", "mouse": "mice", "goose": "geese",
    "wolf": "wolves", "calf": "calves", "shelf": "shelves", "knife": "knives", "leaf": "leaves",
}  # fmt: skip


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
