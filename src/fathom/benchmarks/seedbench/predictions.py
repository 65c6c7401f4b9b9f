"""How SEED-Bench's published predictions are written down.

| format | recognised by | text |
|---|---|---|
| seed-bench | `question_id` and `prediction` | `prediction` |
"""

from __future__ import annotations

from fathom.formats.predictions import Format, has_columns, with_prediction

FORMATS = (
    Format(
        "seed-bench",
        has_columns("question_id", "prediction"),
        with_prediction,
        "question_id and prediction",
    ),
)
