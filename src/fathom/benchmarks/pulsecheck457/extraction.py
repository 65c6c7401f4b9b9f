"""The extractor `pulsecheck457-official`: as the benchmark's authors score it in VLMEvalKit, faults included.

The paper's own evaluator was never released; this is the published code that comes nearest to it. Kept so
that scores can be set beside published ones; no score of ours is made of it by default. The rules and their
faults stand in extraction/vlmevalkit_open.py.
"""

from __future__ import annotations

from fathom.extraction.vlmevalkit_open import read, value
from fathom.records import Extractor

EXTRACTOR = Extractor(name="pulsecheck457-official", version="1", read=read, value=value)
