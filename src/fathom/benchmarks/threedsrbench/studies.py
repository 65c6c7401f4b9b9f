"""The paper's study of vision encoders: models that differ in what they see with, and how it is joined.

Ref: 3DSRBench §4.3, Table 3.
"""

from __future__ import annotations

from fathom.benchmarks.threedsrbench.paper import ACCURACY, ENCODERS
from fathom.records import ModelStudy

MODEL_STUDIES = (
    ModelStudy(
        name="encoders",
        title="Vision encoders and connectors",
        ref="§4.3, Table 3",
        table=ENCODERS.name,
        labels=("vision", "connector"),
        scores=ACCURACY.ours,
        grouping="circular",
    ),
)
