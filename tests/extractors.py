"""All extractors by name, whichever benchmark they belong to."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.api import BENCHMARKS, benchmark_named
from fathom.records import Extractor
from fathom.scoring.likelihood import RANKINGS

EXTRACTORS: Mapping[str, Extractor] = {
    extractor.name: extractor
    for name in BENCHMARKS
    for extractor in benchmark_named(name).extractors.values()
    if extractor.name not in RANKINGS
}

OPEN: Mapping[str, Extractor] = dict(benchmark_named("pulsecheck457").extractors)
"""The extractors that read answers to questions without options."""
