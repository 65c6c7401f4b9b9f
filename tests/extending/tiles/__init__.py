"""Tiles: a benchmark of two tasks about patterns of tiles, imported from its official file."""

from __future__ import annotations

from fathom.extraction import with_extractors
from fathom.records import Benchmark
from tests.extending.metric import answer_length
from tests.extending.tiles.protocol import PROTOCOLS

BENCHMARK = Benchmark(
    name="tiles",
    title="Tiles",
    version="1",
    paper="https://example.org/tiles",
    tasks={"count": "Counting", "color": "Colors"},
    protocols=PROTOCOLS,
    extractors=with_extractors(),
    default_extractor="fathom",
    metrics=answer_length,
    layouts="tests.extending.tiles.official:LAYOUTS",
)
