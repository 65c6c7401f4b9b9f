"""Why an answer is wrong: the reasons among which people choose.

Ref: STI-Bench §4.3, Figure 7.
"""

from __future__ import annotations

from fathom.records import OTHER_ERROR, ErrorLabel

ERROR_LABELS = (
    ErrorLabel(
        "quantification",
        "Inaccurate spatial quantification",
        "a size, a distance or a place is estimated wrongly from what the pictures show",
    ),
    ErrorLabel(
        "temporal",
        "Flawed temporal dynamics understanding",
        "motion over time is followed wrongly: speed, way, turning, own motion and that of objects",
    ),
    ErrorLabel(
        "grounding",
        "Weak cross-modal grounding and integration",
        "the words are not brought together with what is shown: another object, another time, a given pose "
        "not used",
    ),
    OTHER_ERROR,
)
