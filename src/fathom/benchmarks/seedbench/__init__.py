"""SEED-Bench: multiple choice about images and videos in twelve dimensions, answered by likelihood.

Bohao Li, Rui Wang, Guangzhi Wang, Yuying Ge, Yixiao Ge, Ying Shan. 2023. https://arxiv.org/abs/2307.16125

What differs from the paper: how the likelihood of an option is normalised is named and recorded, since the
published code does it in three ways. The columns Spatial, Temporal and Overall, there called averages over
dimensions, are shares of all their questions, as their numbers are. The questions that can be had today are
17,990: the videos were screened again after the paper, which has 19,242, so that its temporal column cannot
be run again.
"""

from __future__ import annotations

from dataclasses import replace

from fathom.benchmarks.seedbench.extraction import EXTRACTOR
from fathom.benchmarks.seedbench.mistakes import ERROR_LABELS
from fathom.benchmarks.seedbench.paper import PUBLISHED_COUNTS, TABLES
from fathom.benchmarks.seedbench.protocol import PROTOCOLS
from fathom.benchmarks.seedbench.tasks import TASKS, of_first_version, part_of
from fathom.extraction import with_extractors
from fathom.records import Benchmark, OwnTable
from fathom.scoring.likelihood import RANKINGS

BENCHMARK = Benchmark(
    name="seed-bench",
    title="SEED-Bench",
    version="13",
    paper="https://arxiv.org/abs/2307.16125",
    tasks=TASKS,
    protocols=PROTOCOLS,
    extractors={**with_extractors(EXTRACTOR), **RANKINGS},
    default_extractor="fathom",
    generators={"dimensions": "fathom.benchmarks.seedbench.construction:recipe"},
    text_reader="fathom.benchmarks.seedbench.sentences:read_text",
    authoring=(
        "fathom.benchmarks.seedbench.authoring:AUTHORING",
        "fathom.benchmarks.seedbench.videos.authoring:AUTHORING",
    ),
    facets={"part": part_of},
    published_counts=PUBLISHED_COUNTS,
    tables=tuple(replace(table, about=of_first_version) for table in TABLES),
    error_labels=ERROR_LABELS,
    layouts="fathom.benchmarks.seedbench.official:LAYOUTS",
    annotated="fathom.benchmarks.seedbench.videos:ANNOTATED",
    predictions="fathom.benchmarks.seedbench.predictions:FORMATS",
    official_files="fathom.benchmarks.seedbench.official_files:export_official",
    own_table=OwnTable(
        tags={"level": "level", "data_type": "data_type", "data_source": "data_source"},
        options="choice_{}",
        segment="segment",
    ),
)
"""Ref: SEED-Bench."""
