"""Sentences beside a question: frames, signs, how wide the camera sees, and what the answer is given in."""

from __future__ import annotations

import re

from fathom.records import UnreadableError

_NUMBER = r"([−-]?\d+(?:\.\d+)?)"

REMARKS: dict[str, str] = {
    "view": rf"the camera's view is {_NUMBER}° wide\.",
    "upright": r"up and down are those of (the world), not of the picture\.",
    "own view": r"directions are those of (its own view)\.",
    "yaw": r"the yaw says where its front points: (0° is the way that camera looks, 90° its \w+)\.",
    "level frame": r"take a level frame at the camera's first place: "
    r"(x \w+, y \w+ \(along gravity\), z level and straight ahead) of the first view, in meters\.",
    "turns": r"from straight ahead it turns "
    r"(\w+ by the yaw, \w+ from the horizon by the pitch, \S+ by the roll)\.",
    "told turns": r"a change of direction by (15° or more is told as a turn: from where 5 % of it is done to "
    r"where 95 % are, and one eighteenth of that time longer at either end)\.",
    "slower": r"below 0 means that it gets (\w+)\.",
    "positive": r"turns to the (\w+) count as positive\.",
    "wish": r"give the answer in (\w+(?: \w+)*?(?:, and say to which side)?)\.",
}
"""Subject → the words of a sentence, whose first group is what it says."""

_REMARKS = {subject: re.compile(words) for subject, words in REMARKS.items()}

_IF = re.compile(
    r",? ?if turns to the (\w+) count as positive and turns to the (\w+) as negative", re.IGNORECASE
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return re.split(r"(?<=[.?!]) +(?=[A-Z(])", text.strip())


def take_remarks(text: str) -> tuple[str, dict[str, str]]:
    """Return a text without the sentences beside its question, and what these say. Raises UnreadableError
    where one object is said twice.
    """
    found: dict[str, str] = {}
    left = []
    for sentence in sentences(text):
        for subject, words in _REMARKS.items():
            match = words.fullmatch(sentence.casefold())
            if match is not None:
                if subject in found:
                    raise UnreadableError(f"two sentences about the {subject}")
                found[subject] = match[1]
                break
        else:
            left.append(sentence)
    core, n = _IF.subn("", " ".join(left))
    if n:
        match = _IF.search(" ".join(left))
        sides = match.groups() if match else ()
        if n > 1 or "positive" in found or sorted(sides) != ["left", "right"]:
            raise UnreadableError("what counts as positive is said more than once")
        found["positive"] = sides[0]
    return core, found
