"""PulseCheck457: a diagnostic benchmark of 6D spatial reasoning (published as Spatial457).

Xingrui Wang, Wufei Ma, Tiezheng Zhang, Celso M. de Melo, Jieneng Chen, Alan Yuille. CVPR 2025.
https://arxiv.org/abs/2502.08636

What differs from the paper under the rules `fathom`: every answer is proved twice and holds by a margin;
words say whose left is meant; directions are judged along the ray to the object; all occluders count; a
collision is with the first object in the way; answers are balanced so that nothing can be guessed blind. The
rules `paper` keep the published thresholds and wording. docs/benchmarks/pulsecheck457.md has the whole list.
"""

from __future__ import annotations

from fathom.benchmarks.pulsecheck457.extraction import EXTRACTOR
from fathom.benchmarks.pulsecheck457.metrics import scores
from fathom.benchmarks.pulsecheck457.mistakes import ERROR_LABELS
from fathom.benchmarks.pulsecheck457.paper import TABLES
from fathom.benchmarks.pulsecheck457.paper import TASKS as TASK_ORDER
from fathom.benchmarks.pulsecheck457.protocol import PROTOCOLS
from fathom.benchmarks.pulsecheck457.tasks import TASKS
from fathom.extraction import with_extractors
from fathom.records import Benchmark, OwnTable

BENCHMARK = Benchmark(
    name="pulsecheck457",
    title="PulseCheck457",
    version="7",
    paper="https://arxiv.org/abs/2502.08636",
    tasks={task: TASKS[task] for task in TASK_ORDER},
    protocols=PROTOCOLS,
    extractors=with_extractors(EXTRACTOR),
    default_extractor="fathom",
    generators={"stills": "fathom.benchmarks.pulsecheck457.construction:recipe"},
    text_reader="fathom.benchmarks.pulsecheck457.sentences:read_text",
    metrics=scores,
    tables=TABLES,
    error_labels=ERROR_LABELS,
    layouts="fathom.benchmarks.pulsecheck457.official:LAYOUTS",
    own_table=OwnTable(number="question_index"),
)
"""Ref: PulseCheck457."""
