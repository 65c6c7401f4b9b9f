"""The extractor `3dsrbench-official`: VLMEvalKit's rules, as the authors ran them, without its judge.

The published numbers also lean on a judge (a chat model of January 2024) for answers that the rules cannot
read, and on a random option where the judge failed. That cannot be repeated; here such answers cannot be
read, and their number is part of the result. extraction/vlmevalkit.py has the rules and their faults.

`paper-llm` is the whole of what the paper calls LLM-involved choice extraction: the same rules, and a model
that matches what they cannot read to an option, shown question, options and text. Which model that is, is
told by its scores' extractor. Where it fails too, the answer cannot be read; no option is drawn.

Ref: 3DSRBench §3.4, §4; its evaluation in VLMEvalKit.
"""

from __future__ import annotations

from fathom.extraction.lmms_eval import read_ladder
from fathom.extraction.published import value
from fathom.extraction.vlmevalkit import read_choice
from fathom.records import Extractor

EXTRACTOR = Extractor(name="3dsrbench-official", version="1", read=read_choice, value=value)

PAPER_LLM = Extractor(name="paper-llm", version="1", read=read_choice, value=value, reader="question")
"""The paper's rules with a model as reader, asked by `fathom score --reader-requests`."""

LMMS_EVAL = Extractor(name="lmms-eval-3dsrbench", version="1", read=read_ladder, value=value)
"""lmms-eval's rules for this benchmark: extraction/lmms_eval.py has them and their faults."""
