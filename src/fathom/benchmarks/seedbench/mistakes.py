"""Why an answer is wrong: the reasons among which people choose.

The groups are ours.
"""

from __future__ import annotations

from fathom.records import OTHER_ERROR, ErrorLabel

ERROR_LABELS = (
    ErrorLabel(
        "recognition",
        "Recognition",
        "an object, a scene, an attribute or a text is not seen, or taken for another",
    ),
    ErrorLabel(
        "space",
        "Place or number",
        "where objects are, how they stand to each other, or how many there are, is judged wrongly",
    ),
    ErrorLabel(
        "time",
        "Order of events",
        "what happens, when, or what comes next is followed wrongly",
    ),
    ErrorLabel(
        "grounding",
        "Another object or moment",
        "the words are taken for another object, or for another part of the video",
    ),
    ErrorLabel(
        "reasoning",
        "Reasoning or knowledge",
        "what is seen is right, and the conclusion or what has to be known beside it is not",
    ),
    OTHER_ERROR,
)
