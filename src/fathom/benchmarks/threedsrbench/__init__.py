"""3DSRBench: height, location, orientation and relations of several objects in photographs.

Wufei Ma, Haoyu Chen, Guofeng Zhang, Yu-Cheng Chou, Jieneng Chen, Celso M. de Melo, Alan Yuille. ICCV 2025.
https://arxiv.org/abs/2412.07825

What differs from the paper: an answer that cannot be read counts as wrong, and no option is drawn in its
place. The published numbers join the rotations of the options (circular) but not an image and its mirror
image (flip), although the paper describes both; here each of the four ways has its name.
"""

from __future__ import annotations

from fathom.benchmarks.threedsrbench.extraction import EXTRACTOR, LMMS_EVAL, PAPER_LLM
from fathom.benchmarks.threedsrbench.metrics import scores
from fathom.benchmarks.threedsrbench.mistakes import ERROR_LABELS
from fathom.benchmarks.threedsrbench.overview import CONTRASTS, FIGURES
from fathom.benchmarks.threedsrbench.paper import TABLES
from fathom.benchmarks.threedsrbench.protocol import PROTOCOLS
from fathom.benchmarks.threedsrbench.studies import MODEL_STUDIES
from fathom.benchmarks.threedsrbench.tasks import (
    CURVES,
    TASKS,
    category_of,
    height_of,
    pitch_of,
    roll_of,
    split_and_category,
    split_of,
    viewpoint_of,
)
from fathom.extraction import with_extractors
from fathom.records import Benchmark, OwnTable
from fathom.scoring.likelihood import RANKINGS

BENCHMARK = Benchmark(
    name="3dsrbench",
    title="3DSRBench",
    version="4",
    paper="https://arxiv.org/abs/2412.07825",
    tasks=TASKS,
    protocols=PROTOCOLS,
    extractors={**with_extractors(EXTRACTOR, PAPER_LLM, LMMS_EVAL), **RANKINGS},
    default_extractor="fathom",
    facets={
        "category": category_of,
        "split": split_of,
        "split and category": split_and_category,
        "viewpoint": viewpoint_of,
        "camera height": height_of,
        "camera pitch": pitch_of,
        "camera roll": roll_of,
    },
    curves=CURVES,
    figures=FIGURES,
    contrasts=CONTRASTS,
    metrics=scores,
    generators={"viewpoints": "fathom.benchmarks.threedsrbench.construction:recipe"},
    written_forms="fathom.benchmarks.threedsrbench.forms:written_forms",
    text_reader="fathom.benchmarks.threedsrbench.sentences:read_text",
    headline="accuracy_circular",
    model_studies=MODEL_STUDIES,
    models={"boxes": "fathom.benchmarks.threedsrbench.boxes:open_boxes"},
    tables=TABLES,
    error_labels=ERROR_LABELS,
    layouts="fathom.benchmarks.threedsrbench.official:LAYOUTS",
    official_files="fathom.benchmarks.threedsrbench.official_files:export_official",
    own_table=OwnTable(tags={"image_source": "image_source"}),
)
"""Ref: 3DSRBench."""
