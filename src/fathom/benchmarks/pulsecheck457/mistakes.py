"""Why an answer is wrong: the reasons among which people choose.

The groups are ours.
"""

from __future__ import annotations

from fathom.records import OTHER_ERROR, ErrorLabel

ERROR_LABELS = (
    ErrorLabel(
        "recognition",
        "Object or attribute",
        "an object is not seen, or its kind, color or size is taken for another",
    ),
    ErrorLabel(
        "grounding",
        "Another object",
        "the words are taken for another object than the one that they point out",
    ),
    ErrorLabel(
        "viewpoint",
        "Whose left and right",
        "sides are taken as the camera sees them where the object’s own are meant, or the reverse",
    ),
    ErrorLabel(
        "pose",
        "3D position or pose",
        "how far away an object is, or which way it faces, is judged wrongly",
    ),
    ErrorLabel(
        "occlusion",
        "Occlusion or collision",
        "what hides what, or what would hit what, is judged wrongly",
    ),
    ErrorLabel(
        "reasoning",
        "Steps of reasoning",
        "what is seen is right, and counting, comparing or joining it is not",
    ),
    OTHER_ERROR,
)
