"""Why an answer is wrong: the reasons among which people choose.

The groups are ours.
"""

from __future__ import annotations

from fathom.records import OTHER_ERROR, ErrorLabel

ERROR_LABELS = (
    ErrorLabel(
        "appearance",
        "Appearance",
        "shape, color, part or kind of the object is seen wrongly, or missed in a view",
    ),
    ErrorLabel(
        "action",
        "Action",
        "what the object or a part of it does is taken for something else",
    ),
    ErrorLabel(
        "time",
        "Order over time",
        "what comes first, or how often something happens, is followed wrongly",
    ),
    ErrorLabel(
        "views",
        "Several views",
        "views are not brought together: an object is counted twice, or the wrong side is taken",
    ),
    ErrorLabel(
        "prior",
        "What is usual",
        "what such objects usually look like or do is answered, and not what is shown",
    ),
    OTHER_ERROR,
)
