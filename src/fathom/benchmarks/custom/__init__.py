"""Anybody's own questions, from a table: multiple choice or open, about images, videos, or words alone.

It is no benchmark of a paper. Tasks and title are the dataset's; protocols, answer extraction, statistics and
reports are those that any benchmark has.
"""

from __future__ import annotations

from fathom.benchmarks.custom.protocol import PROTOCOLS
from fathom.extraction import with_extractors
from fathom.records import Benchmark
from fathom.scoring.likelihood import RANKINGS

BENCHMARK = Benchmark(
    name="jsonl",
    title="Own questions",
    version="1",
    paper="",
    tasks={},
    protocols=PROTOCOLS,
    extractors={**with_extractors(), **RANKINGS},
    default_extractor="fathom",
    layouts="fathom.benchmarks.custom.table:LAYOUTS",
)
"""`fathom import jsonl`."""
