"""The scores that are 4D-Bench's own: how near captions come to what people wrote.

Ref: 4D-Bench §4.1.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from fathom.records import Mark, Question, Score
from fathom.score.metrics.captions.captions import captions_of, tools_from
from fathom.score.metrics.captions.scoring import score_captions

PROTOCOLS = ("4dbench", "coco")
"""The paper's way of scoring captions, and that of COCO."""


def scores(questions: Sequence[Question], marks: Sequence[Mark], seed: int) -> list[Score]:
    """Return the scores of captions under both protocols; nothing where none was asked for.

    Files that a metric needs are found through environment variables; without them its score has no value,
    and says which file is missing.
    """
    asked = [q for q in questions if q.references]
    names = {q.id for q in asked}
    captions = captions_of(asked, [m for m in marks if m.question in names])
    if not captions:
        return []
    tools = tools_from(os.environ)
    return [s for name in PROTOCOLS for s in score_captions(captions, name, tools, seed).scores]
