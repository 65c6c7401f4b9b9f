"""Answer extraction: from what a model wrote to what it picked, by versioned extractors.

What belongs to one benchmark stands in its folder; here is what any benchmark can use.
"""

from __future__ import annotations

from collections.abc import Mapping

from fathom.extraction import fathom_extractor, lmms_eval, vlmevalkit
from fathom.records import Extractor

GENERAL = (fathom_extractor.EXTRACTOR, vlmevalkit.EXTRACTOR, lmms_eval.EXTRACTOR)
"""The extractors for questions with options and without, of any benchmark."""


def with_extractors(*own: Extractor) -> Mapping[str, Extractor]:
    """Return a benchmark's extractors by name: the general ones, its `own` behind the first of them."""
    first, *others = GENERAL
    return {extractor.name: extractor for extractor in (first, *own, *others)}
