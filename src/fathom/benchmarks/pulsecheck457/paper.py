"""The published tables of PulseCheck457 (Spatial457) as data.

What reads oddly in them: InternVL2-8B and both LLaVA-NeXT rows of Table 2 have the same number under
collision and under 6D spatial, although these are different questions. Table 4 prints five numbers under
four headings: the fourth column, low for GPT-4o and Qwen2-VL, can only be size (of two labels), so that the
unnamed second one stands between shape and color. The second is above the first in all five rows, as it
would be with more labels: we put the five classes beside the first and the 21 shapes beside the second.

Ref: PulseCheck457 §4, Tables 2 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from fathom.records import PublishedTable
from fathom.stats.derivations import along_rows, mean

TASKS = (
    "L1_single",
    "L2_objects",
    "L3_2d_spatial",
    "L4_occ",
    "L4_pose",
    "L5_collision",
    "L5_6d_spatial",
)
"""The seven tasks in the order of the columns of Table 2."""

FACTORS = ("Multi.", "2D Loc.", "3D Ori.", "3D Loc.")
"""The four factors of Table 3."""

_EDGES = (
    (("L2_objects", "L1_single"),),
    (("L3_2d_spatial", "L2_objects"),),
    (("L4_pose", "L3_2d_spatial"), ("L5_collision", "L4_occ")),
    (("L4_occ", "L3_2d_spatial"), ("L5_6d_spatial", "L4_pose")),
)
FACTOR_EDGES: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    dict(zip(FACTORS, _EDGES, strict=True))
)
"""Which steps of the roadmap add which factor, as (harder task, easier task).

RPDR is the mean of min(1, accuracy of the harder / accuracy of the easier) over a factor's steps: a retention
rate, although it is called a dropping rate. The paper's formula is lost in its published text; this one
gives all 16 cells of Table 3 from Table 2 to within 0.02 (tests/scoring/test_paper.py).
"""


def _kept(values: Sequence[float]) -> float:
    """Return the RPDR (%) from the accuracies of (harder, easier, harder, easier …)."""
    return mean([100 * min(1.0, b / a) for b, a in zip(values[::2], values[1::2], strict=True)])


_TYPES = MappingProxyType(
    {
        "Random": "baseline",
        "GPT-4o": "closed-source",
        "GeminiPro 1.5": "closed-source",
        "Claude 3.5 Sonnet": "closed-source",
        "Qwen2-VL-7B-Inst.": "open-source",
        "InternVL2-8B": "open-source",
        "LLaVA-v1.5-7B": "open-source",
        "LLaVA-NeXT-vicuna-7B": "open-source",
        "LLaVA-NeXT-llama3-8B": "open-source",
        "PO3D-VQA": "3D symbolic",
        "Human": "human",
    }
)

ACCURACY = PublishedTable(
    name="table2",
    title="Table 2: accuracy (%)",
    columns=TASKS,
    rows=MappingProxyType(
        {
            "Random": (33.05, 32.77, 33.47, 22.04, 18.99, 21.02, 19.41),
            "GPT-4o": (74.46, 62.88, 56.14, 48.40, 42.41, 38.41, 37.01),
            "GeminiPro 1.5": (73.26, 62.54, 54.49, 47.65, 43.67, 41.19, 39.36),
            "Claude 3.5 Sonnet": (68.24, 57.40, 54.19, 30.84, 38.40, 35.34, 33.48),
            "Qwen2-VL-7B-Inst.": (71.96, 61.44, 55.34, 27.87, 34.29, 36.58, 33.75),
            "InternVL2-8B": (58.11, 58.76, 57.40, 33.25, 32.32, 34.30, 34.30),
            "LLaVA-v1.5-7B": (44.87, 44.72, 42.20, 24.34, 24.55, 23.63, 23.86),
            "LLaVA-NeXT-vicuna-7B": (50.72, 49.47, 46.01, 29.68, 29.35, 31.95, 31.95),
            "LLaVA-NeXT-llama3-8B": (52.15, 49.73, 45.92, 30.31, 29.77, 32.12, 32.12),
            "PO3D-VQA": (86.46, 82.55, 80.64, 70.49, 81.40, 68.12, 71.06),
            "Human": (89.97, 86.83, 84.95, 82.76, 84.95, 81.82, 79.94),
        }
    ),
    note="as printed; the last two cells of InternVL2-8B and of both LLaVA-NeXT rows are equal in the paper",
    labels=MappingProxyType({name: {"type": kind} for name, kind in _TYPES.items()}),
    sizes=MappingProxyType(dict(zip(TASKS, (1000, 5000, 4995, 3534, 4555, 4357, 4995), strict=True))),
    ours=tuple(("accuracy", {"task": task}) for task in TASKS),
)

RETENTION = PublishedTable(
    name="table3",
    title="Table 3: RPDR (%), the share of accuracy kept when a factor is added",
    columns=FACTORS,
    rows=MappingProxyType(
        {
            "GPT-4o": (84.45, 89.27, 77.46, 86.74),
            "GeminiPro 1.5": (85.37, 87.13, 83.28, 88.79),
            "Claude 3.5 Sonnet": (84.12, 94.41, 85.43, 72.05),
            "Qwen2-VL-7B-Inst.": (85.39, 90.06, 80.99, 74.40),
        }
    ),
    note="called a dropping rate in the paper; 100 means that nothing was lost, and more counts as 100",
    ours=tuple(("rpdr", {"factor": factor}) for factor in FACTORS),
    derivations=tuple(
        d
        for factor in FACTORS
        for d in along_rows(
            "table3",
            ("GPT-4o", "GeminiPro 1.5", "Claude 3.5 Sonnet", "Qwen2-VL-7B-Inst."),
            factor,
            [task for edge in FACTOR_EDGES[factor] for task in edge],
            _kept,
            "accuracies of Table 2, harder over easier, at most 1, the mean over a factor's steps",
            source="table2",
        )
    ),
)

VARIATION = PublishedTable(
    name="table4",
    title="Table 4: coefficient of variation of the predicted labels",
    columns=("Shape", "(no heading)", "Color", "Size", "Pose"),
    rows=MappingProxyType(
        {
            "GPT-4o": (0.485, 0.623, 0.521, 0.043, 0.752),
            "GeminiPro 1.5": (0.498, 0.567, 0.366, 0.297, 0.760),
            "Claude 3.5 Sonnet": (0.720, 0.777, 0.465, 0.574, 1.063),
            "Qwen2-VL-7B-Inst.": (0.545, 0.868, 0.558, 0.067, 0.688),
            "Human": (0.093, 0.110, 0.082, 0.055, 0.126),
        }
    ),
    note="the paper prints five numbers under four headings, and does not say whether σ is of the population "
    "or of a sample; ours is of the population",
    ours=(
        ("cv_population", {"attribute": "shape class", "of": "predictions"}),
        ("cv_population", {"attribute": "shape", "of": "predictions"}),
        *(("cv_population", {"attribute": a, "of": "predictions"}) for a in ("color", "size", "pose")),
    ),
    per_cent=False,
)

REAL_POSE = PublishedTable(
    name="table5",
    title="Table 5: pose on real images (L4-Pose-Real, from SUN RGB-D)",
    columns=("Accuracy (%)", "CV"),
    rows=MappingProxyType(
        {
            "GPT-4o": (38.75, 0.690),
            "GeminiPro 1.5": (40.50, 0.762),
            "Claude 3.5 Sonnet": (38.75, 0.374),
            "Qwen2-VL-7B-Inst.": (26.50, 0.934),
            "Human": (92.64, 0.197),
        }
    ),
    note="those images and questions were not published",
    decimals=(2, 3),
)

TABLES = (ACCURACY, RETENTION, VARIATION, REAL_POSE)
