"""4D-Bench: questions about, and captions of, 3D objects that move, seen in multi-view videos.

Wenxuan Zhu, Bing Li, Cheng Zheng, Jinjie Mai, Jun Chen, Letian Jiang, Abdullah Hamdi, Sara Rojas Martinez,
Chia-Wen Lin, Mohamed Elhoseiny, Bernard Ghanem. ICCV 2025. https://arxiv.org/abs/2503.17827

What differs from the paper: the column Overall, there called an average across sub-tasks, is the share of all
751 questions that were answered rightly, as its numbers are. What could not be read, and what never came,
counts as wrong and is shown in a share of its own.
"""

from __future__ import annotations

from fathom.benchmarks.fourdbench.extraction import EXTRACTOR, LETTER
from fathom.benchmarks.fourdbench.metrics import FACETS, scores
from fathom.benchmarks.fourdbench.mistakes import ERROR_LABELS
from fathom.benchmarks.fourdbench.paper import TABLES
from fathom.benchmarks.fourdbench.protocol import PROTOCOLS
from fathom.benchmarks.fourdbench.studies import STUDIES
from fathom.benchmarks.fourdbench.tasks import TASKS
from fathom.extraction import with_extractors
from fathom.records import Benchmark
from fathom.scoring.likelihood import RANKINGS

BENCHMARK = Benchmark(
    name="4d-bench",
    title="4D-Bench",
    version="18",
    paper="https://arxiv.org/abs/2503.17827",
    tasks=TASKS,
    protocols=PROTOCOLS,
    extractors={**with_extractors(EXTRACTOR, LETTER), **RANKINGS},
    default_extractor="fathom",
    generators={"animated-objects": "fathom.benchmarks.fourdbench.films:films"},
    metrics=scores,
    text_reader="fathom.benchmarks.fourdbench.sentences:read_text",
    authoring=("fathom.benchmarks.fourdbench.authoring:AUTHORING",),
    caption_protocols={"plain": "4dbench"},
    tables=TABLES,
    facets=FACETS,
    studies=STUDIES,
    error_labels=ERROR_LABELS,
    layouts="fathom.benchmarks.fourdbench.official:LAYOUTS",
    predictions="fathom.benchmarks.fourdbench.predictions:FORMATS",
)
"""Ref: 4D-Bench."""
