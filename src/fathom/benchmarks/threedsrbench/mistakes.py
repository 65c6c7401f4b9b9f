"""Why an answer is wrong: the reasons among which people choose.

The first two are what the paper sees in its failure cases; the other groups are ours.

Ref: 3DSRBench §4.5, Figure 5.
"""

from __future__ import annotations

from fathom.records import OTHER_ERROR, ErrorLabel

ERROR_LABELS = (
    ErrorLabel(
        "cue",
        "A cue in place of geometry",
        "what merely goes along with it is taken for distance, height or direction: detail or size for "
        "nearness, the place in the picture, what is usual, a landmark",
    ),
    ErrorLabel(
        "guess",
        "A short guess",
        "the question takes several steps, and the answer comes without any",
    ),
    ErrorLabel(
        "grounding",
        "Another object",
        "the words are taken for another object than the one that is meant",
    ),
    ErrorLabel(
        "location",
        "3D location",
        "height, depth or distance is reasoned about, and judged wrongly",
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
