"""What is said of a person, as it is said of anything else: "his left arm" is "its left arm"."""

from __future__ import annotations

import re

from fathom.records import ContradictionError

OF_PERSONS = {
    "he": (
        "boy cowboy father gentleman grandfather husband king male man monk policeman prince santa son uncle"
    ),
    "she": "female girl grandmother lady mother nun policewoman princess queen witch wife woman",
    "they": (
        "archer astronaut barbarian captain character chef child clown elder farmer fighter guard hero human "
        "knight mage ninja nurse person pirate rogue samurai skater soldier survivor thief viking warrior "
        "wizard worker"
    ),
}
"""What stands for a person → the nouns of whom it is said."""

FORMS = {
    "he": {"his": "its", "him": "it", "himself": "itself", "he": "it"},
    "she": {"her": "its", "herself": "itself", "she": "it"},
    "they": {"their": "its", "them": "it", "themselves": "itself"},
}
"""What stands for a person → its forms, and those of "it" that say the same."""

_AFTER = r"\b(in front of|behind|near|on|from) her\b(?= ?[?.,;]|$)"


def impersonal(text: str, noun: str) -> str:
    """Return a text in small letters, which speaks of a noun, as if that were no person.

    "They" may be several objects. Raises ContradictionError where "he" or "she" is no word for that noun.
    """
    own = next((who for who, nouns in OF_PERSONS.items() if noun.split(" ")[-1] in nouns.split(" ")), "")
    text = re.sub(_AFTER, r"\1 it", text) if own == "she" else text
    for who, forms in FORMS.items():
        for form, plain in forms.items():
            found = re.search(rf"\b{form}\b", text)
            if found and who != own and who != "they":
                raise ContradictionError(f"{form!r} is said of the {noun}")
            if who == own:
                text = re.sub(rf"\b{form}\b", plain, text)
    return text
