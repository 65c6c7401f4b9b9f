"""How somebody is spoken of: a man has his arms, a woman hers, a pirate theirs, and a robot its."""

from __future__ import annotations

import re

MEN = frozenset(
    (
        *("boy", "cowboy", "father", "gentleman", "grandfather", "husband", "king", "male", "man", "monk"),
        *("policeman", "prince", "santa", "son", "uncle"),
    )
)
WOMEN = frozenset(
    (
        *("female", "girl", "grandmother", "lady", "mother", "nun", "policewoman", "princess", "queen"),
        *("witch", "wife", "woman"),
    )
)
OTHERS = frozenset(
    (
        *("archer", "astronaut", "barbarian", "captain", "character", "chef", "child", "clown", "elder"),
        *("farmer", "fighter", "guard", "hero", "human", "knight", "mage", "ninja", "nurse", "person"),
        *("pirate", "rogue", "samurai", "skater", "soldier", "survivor", "thief", "viking", "warrior"),
        *("wizard", "worker"),
    )
)

OWN = {"he": "his", "she": "her", "they": "their"}
OBJECT = {"he": "him", "she": "her", "they": "them"}
SELF = {"he": "himself", "she": "herself", "they": "themselves"}


def pronoun_of(noun: str) -> str:
    """Return "he", "she" or "they" for a noun of a person, by its last word; "it" for all else.

    >>> pronoun_of("old man"), pronoun_of("witch"), pronoun_of("pirate"), pronoun_of("astronaut frog")
    ('he', 'she', 'they', 'it')
    """
    last = noun.casefold().rsplit(" ", 1)[-1]
    return "he" if last in MEN else "she" if last in WOMEN else "they" if last in OTHERS else "it"


def subject_of(noun: str) -> str:
    """Return what stands for somebody before a verb in the singular: "he", "it", but "the pirate".

    >>> subject_of("man"), subject_of("pirate"), subject_of("robot")
    ('he', 'the pirate', 'it')
    """
    word = pronoun_of(noun)
    return f"the {noun}" if word == "they" else word


def personal(text: str, noun: str) -> str:
    """Return a text with the words for a person where its noun is one. It speaks of the noun as "its" and
    "itself", and as "it" after "in front of", "behind", "near", "on" and "from" alone.

    >>> personal("On its left side", "man"), personal("Behind it", "queen"), personal("On its back", "fox")
    ('On his left side', 'Behind her', 'On its back')
    """
    word = pronoun_of(noun)
    if word == "it":
        return text
    text = re.sub(
        r"\b(in front of|behind|near|on|from) it\b", rf"\1 {OBJECT[word]}", text, flags=re.IGNORECASE
    )
    for plain, own in (("its", OWN[word]), ("itself", SELF[word])):
        text = re.sub(rf"\b{plain}\b", own, text)
        text = re.sub(rf"\b{plain.capitalize()}\b", own.capitalize(), text)
    return text
