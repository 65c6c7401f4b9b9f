"""A benchmark with an operator of its own: what is nearest to the camera."""

from __future__ import annotations

from fathom.benchmarks.pulsecheck457.protocol import PROTOCOLS
from fathom.extraction import with_extractors
from fathom.records import Benchmark

BENCHMARK = Benchmark(
    name="nearest",
    title="Nearest",
    version="1",
    paper="https://example.org/nearest",
    tasks={"nearest": "Nearest object"},
    protocols=PROTOCOLS,
    extractors=with_extractors(),
    default_extractor="fathom",
    generators={"stills": "tests.extending.nearest.questions:recipe"},
    operators="tests.extending.nearest.operator:OPERATORS",
    verification="tests.extending.nearest.verified:OPERATORS",
)
