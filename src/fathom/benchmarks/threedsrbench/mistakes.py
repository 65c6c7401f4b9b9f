"""Why an answer is wrong: the reasons among which people choose.

The groups are ours.
"""

from __future__ import annotations

from fathom.records import OTHER_ERROR, ErrorLabel

ERROR_LABELS = (
    ErrorLabel(
        "grounding",
        "Another object",
        "the words are taken for another object than the one that is meant",
    ),
    ErrorLabel(
        "location",
        "3D location",
        "height, depth or distance is judged by the place in the picture, or wrongly",
    ),
    ErrorLabel(
        "orientation",
        "3D orientation",
        "which way an object faces is judged wrongly",
    ),
    ErrorLabel(
        "viewpoint",
        "Whose point of view",
        "sides are taken as the camera sees them where the object’s own are meant",
    ),
    ErrorLabel(
        "reasoning",
        "Relation of several objects",
        "places and directions are right, and what follows for several objects is not",
    ),
    OTHER_ERROR,
)
