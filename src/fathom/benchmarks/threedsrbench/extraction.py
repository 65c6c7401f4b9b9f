"""The extractor `3dsrbench-official`: VLMEvalKit's rules, as the authors ran them, without its judge.

The published numbers also lean on a judge (a chat model of January 2024) for answers that the rules cannot
read, and on a random option where the judge failed. That cannot be repeated; here such answers cannot be
read, and their number is part of the result. extraction/vlmevalkit.py has the rules and their faults.

Ref: 3DSRBench §4; its evaluation in VLMEvalKit.
"""

from __future__ import annotations

from fathom.extraction.lmms_eval import read_ladder
from fathom.extraction.published import value
from fathom.extraction.vlmevalkit import read_choice
from fathom.records import Extractor

EXTRACTOR = Extractor(name="3dsrbench-official", version="1", read=read_choice, value=value)

LMMS_EVAL = Extractor(name="lmms-eval-3dsrbench", version="1", read=read_ladder, value=value)
"""lmms-eval's rules for this benchmark: extraction/lmms_eval.py has them and their faults."""
