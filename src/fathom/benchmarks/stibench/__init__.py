"""STI-Bench: distances, motion and poses in metres, degrees and seconds, asked about videos.

Yun Li, Yiming Zhang, Tao Lin, XiangRui Liu, Wenxiao Cai, Zheng Liu, Bo Zhao. ICCV 2025.
https://arxiv.org/abs/2503.23765

What differs from the paper: frames are taken evenly from the whole clip, its end included, and keep their
colours; a question that was not answered in time counts as wrong instead of being left out.
"""

from __future__ import annotations

from fathom.benchmarks.stibench.extraction import EXTRACTOR
from fathom.benchmarks.stibench.metrics import scores
from fathom.benchmarks.stibench.mistakes import ERROR_LABELS
from fathom.benchmarks.stibench.paper import TABLES, TASK_SIZES
from fathom.benchmarks.stibench.protocol import PROTOCOLS
from fathom.benchmarks.stibench.tasks import PART_ORDERS, TASKS, difficulty_of, setting_of
from fathom.extraction import with_extractors
from fathom.records import Benchmark, OwnTable
from fathom.scoring.likelihood import RANKINGS

BENCHMARK = Benchmark(
    name="sti-bench",
    title="STI-Bench",
    version="8",
    paper="https://arxiv.org/abs/2503.23765",
    tasks=TASKS,
    protocols=PROTOCOLS,
    extractors={**with_extractors(EXTRACTOR), **RANKINGS},
    default_extractor="fathom",
    generators={"videos": "fathom.benchmarks.stibench.construction:recipe"},
    text_reader="fathom.benchmarks.stibench.sentences:read_text",
    authoring=("fathom.benchmarks.stibench.authoring:AUTHORING",),
    metrics=scores,
    facets={"setting": setting_of, "difficulty": difficulty_of},
    part_orders=PART_ORDERS,
    published_counts=TASK_SIZES,
    tables=TABLES,
    error_labels=ERROR_LABELS,
    layouts="fathom.benchmarks.stibench.official:LAYOUTS",
    predictions="fathom.benchmarks.stibench.predictions:FORMATS",
    own_table=OwnTable(tags={"source": "source", "setting": "Scene", "kind": "QType"}),
    models={"depth": "fathom.benchmarks.stibench.depth:open_depth"},
)
"""Ref: STI-Bench."""
