"""The published tables of 4D-Bench as data.

How many questions each task has is not printed. Of all sizes up to 751 only one set adds up to 751 and gives
every accuracy of Table 1 as a share of whole questions; with it, every Overall follows to the last digit.
The headings of Table 2 name the metrics of §4.1; ROUGE is ROUGE-L, and BLEU is BLEU-4.

Ref: 4D-Bench §4, Tables 1 to 3.
"""

from __future__ import annotations

from types import MappingProxyType

from fathom.records import PublishedCell, PublishedTable
from fathom.stats.derivations import along_rows, change, down_columns, mean, micro, one, same

TASKS = ("object_counting", "temporal_relationship", "action", "spatial_relationship", "appearance")
"""The five tasks in the order of the columns of Table 1."""

HEADINGS = ("Object Counting", "Temporal Relationship", "Action", "Spatial Relationship", "Appearance")
"""What these columns are called."""

SIZES = MappingProxyType(dict(zip(TASKS, (127, 140, 214, 134, 136), strict=True)))
"""How many questions each task has: recovered, see above."""

_OPEN, _CLOSED, _ALL = "open-source", "closed-source", "mean of the models"

TYPES = MappingProxyType(
    {
        "MiniGPT4-Video": _OPEN,
        "VideoChat2": _OPEN,
        "InternVL2 8B": _OPEN,
        "LLaVA-OneVision 7B": _OPEN,
        "LLaVA-Video 7B": _OPEN,
        "Qwen2-VL 7B": _OPEN,
        "InternVL2 76B": _OPEN,
        "LLaVA-OneVision 72B": _OPEN,
        "LLaVA-Video 72B": _OPEN,
        "Qwen2-VL 72B": _OPEN,
        "Gemini 1.5 Flash": _CLOSED,
        "GPT-4o mini": _CLOSED,
        "Gemini 1.5 Pro": _CLOSED,
        "GPT-4o": _CLOSED,
        "Average": _ALL,
        "Human": "human",
    }
)
MODELS = tuple(name for name, kind in TYPES.items() if kind in (_OPEN, _CLOSED))
_LABELS = MappingProxyType({name: {"type": kind} for name, kind in TYPES.items()})
_MEAN = "the mean of the 14 models"

QUESTIONS = PublishedTable(
    name="table1",
    title="Table 1: question answering, accuracy (%)",
    columns=(*HEADINGS, "Overall"),
    rows=MappingProxyType(
        {
            "MiniGPT4-Video": (22.05, 26.43, 22.90, 22.39, 22.06, 23.17),
            "VideoChat2": (22.83, 31.43, 33.18, 38.81, 34.56, 32.36),
            "InternVL2 8B": (18.11, 31.43, 35.98, 32.09, 39.71, 32.09),
            "LLaVA-OneVision 7B": (42.52, 52.86, 42.99, 57.46, 74.26, 53.00),
            "LLaVA-Video 7B": (42.52, 55.00, 52.80, 56.72, 78.68, 56.86),
            "Qwen2-VL 7B": (38.58, 56.43, 57.94, 58.96, 71.32, 56.99),
            "InternVL2 76B": (28.35, 45.00, 42.52, 38.81, 64.71, 43.94),
            "LLaVA-OneVision 72B": (49.61, 58.57, 60.75, 61.19, 76.47, 61.38),
            "LLaVA-Video 72B": (54.33, 58.57, 57.48, 66.42, 77.21, 62.32),
            "Qwen2-VL 72B": (45.67, 55.71, 58.41, 61.19, 72.06, 58.72),
            "Gemini 1.5 Flash": (26.77, 50.00, 53.27, 60.45, 66.18, 51.80),
            "GPT-4o mini": (40.16, 50.71, 50.00, 61.94, 72.06, 54.59),
            "Gemini 1.5 Pro": (46.46, 58.57, 59.35, 64.18, 68.38, 59.52),
            "GPT-4o": (44.09, 59.29, 63.55, 69.40, 77.21, 62.98),
            "Average": (37.29, 49.29, 49.37, 53.57, 63.92, 50.69),
            "Human": (88.98, 89.29, 94.39, 91.04, 89.71, 91.08),
        }
    ),
    note="Overall is called an average across the sub-tasks; its numbers are shares of all 751 questions",
    ours=(*(("accuracy", {"task": task}) for task in TASKS), ("accuracy", {})),
    labels=_LABELS,
    sizes=MappingProxyType(
        {**dict(zip(HEADINGS, SIZES.values(), strict=True)), "Overall": sum(SIZES.values())}
    ),
    derivations=(
        *along_rows(
            "table1",
            (*MODELS, "Human"),
            "Overall",
            HEADINGS,
            micro(tuple(SIZES.values())),
            "right answers of the five tasks over 751",
            recovered=True,
        ),
        *down_columns("table1", "Average", (*HEADINGS, "Overall"), MODELS, mean, _MEAN),
    ),
)

JUDGED = ("GPT-Appearance", "GPT-Action", "GPT-Eval")
_OURS = ("cider", "bleu_4", "meteor", "rouge_l", "bert_score", "sbert")
_OVERLAP = ("CIDEr", "BLEU-4", "METEOR", "ROUGE-L", "BERTScore", "SBERT")

CAPTIONS = PublishedTable(
    name="table2",
    title="Table 2: captions; n-gram and embedding scores × 100, GPT scores from 0 to 5",
    columns=(*_OVERLAP, *JUDGED),
    rows=MappingProxyType(
        {
            "MiniGPT4-Video": (18.4, 0.6, 23.1, 13.2, 50.7, 51.2, 1.737, 1.351, 1.544),
            "InternVL2 8B": (48.4, 2.5, 27.9, 22.6, 58.2, 60.3, 2.531, 1.877, 2.204),
            "VideoChat2": (79.0, 6.9, 33.5, 33.5, 65.4, 59.7, 2.578, 1.912, 2.245),
            "LLaVA-OneVision 7B": (86.4, 10.0, 39.2, 32.7, 63.2, 65.6, 3.166, 2.479, 2.823),
            "LLaVA-Video 7B": (102.6, 14.6, 41.7, 38.8, 66.7, 68.1, 3.235, 2.552, 2.894),
            "Qwen2-VL 7B": (84.5, 10.1, 36.9, 36.4, 65.7, 66.9, 3.170, 2.666, 2.918),
            "InternVL2 76B": (72.0, 5.5, 34.2, 27.1, 60.9, 65.3, 3.099, 2.637, 2.868),
            "LLaVA-OneVision 72B": (107.4, 16.1, 41.1, 41.5, 68.5, 68.0, 3.180, 2.268, 2.724),
            "LLaVA-Video 72B": (106.2, 15.1, 39.8, 40.9, 68.5, 68.1, 3.138, 2.471, 2.804),
            "Qwen2-VL 72B": (95.1, 12.4, 40.3, 38.0, 66.8, 67.5, 3.324, 2.791, 3.057),
            "Gemini 1.5 Flash": (84.3, 7.3, 36.5, 32.9, 65.3, 68.9, 3.246, 2.931, 3.088),
            "GPT-4o mini": (51.1, 2.7, 30.8, 24.0, 59.3, 63.5, 3.311, 3.131, 3.221),
            "Gemini 1.5 Pro": (94.8, 11.2, 38.7, 39.0, 68.5, 68.8, 3.311, 2.983, 3.147),
            "GPT-4o": (69.0, 6.4, 35.9, 32.1, 64.1, 66.4, 3.507, 3.258, 3.382),
            "Average": (*[None] * 6, 3.038, 2.522, 2.780),
            "Human": (126.6, 14.12, 45.01, 43.48, 71.69, 76.30, 3.772, 3.879, 3.826),
        }
    ),
    note="the row VideoChat2 is VideoChat2-Mistral; GPT-4o judges itself among the others; a judge here "
    "has a rubric of Fathom's own, and its means do not compare with the published ones",
    ours=(
        *((name, {"protocol": "4dbench"}) for name in _OURS),
        *((f"judge_{name}", {}) for name in ("appearance", "action", "mean")),
    ),
    per_cent=False,
    scales=(*[100.0] * len(_OVERLAP), *[1.0] * len(JUDGED)),
    decimals=(1, 1, 1, 1, 1, 1, 3, 3, 3),
    labels=_LABELS,
    sizes=MappingProxyType(dict.fromkeys((*_OVERLAP, *JUDGED), 580)),
    derivations=(
        *along_rows(
            "table2",
            (*MODELS, "Human"),
            "GPT-Eval",
            JUDGED[:2],
            mean,
            "the mean of GPT-Appearance and GPT-Action",
        ),
        *down_columns("table2", "Average", JUDGED, MODELS, mean, _MEAN),
    ),
)

_ORDER, _STAMP = "frames in order of time", "with time stamps"

ROBUSTNESS = PublishedTable(
    name="table3",
    title="Table 3: other ways of putting the frames, accuracy (%)",
    columns=("original", _ORDER, "change by order", _STAMP, "change by time stamps"),
    rows=MappingProxyType(
        {
            "MiniGPT4-Video": (23.17, 17.58, -5.59, 17.18, -5.99),
            "VideoChat2": (32.36, 33.95, 1.59, 23.04, -9.32),
            "InternVL2 8B": (32.09, 38.88, 6.79, 33.69, 1.60),
            "LLaVA-OneVision 7B": (53.00, 51.40, -1.60, 53.53, 0.53),
            "LLaVA-Video 7B": (56.86, 59.25, 2.39, 57.52, 0.66),
            "Qwen2-VL 7B": (56.99, 49.80, -7.19, 57.52, 0.53),
            "InternVL2 76B": (43.94, 47.54, 3.60, 46.07, 2.13),
            "LLaVA-OneVision 72B": (61.38, 61.25, -0.13, 60.59, -0.79),
            "LLaVA-Video 72B": (62.32, 62.72, 0.40, 61.92, -0.40),
            "Qwen2-VL 72B": (58.72, 54.46, -4.26, 59.25, 0.53),
            "Gemini 1.5 Flash": (51.80, 51.80, 0.00, 52.86, 1.06),
            "GPT-4o mini": (54.59, 53.66, -0.93, 53.79, -0.80),
            "Gemini 1.5 Pro": (59.52, 58.72, -0.80, 59.25, -0.27),
            "GPT-4o": (62.98, 60.85, -2.13, 63.12, 0.14),
            "Average": (50.69, 50.13, -0.56, 49.95, -0.74),
        }
    ),
    labels=_LABELS,
    derivations=(
        *along_rows(
            "table3",
            (*MODELS, "Average"),
            "original",
            ("Overall",),
            same,
            "Overall of Table 1",
            source="table1",
        ),
        *along_rows(
            "table3",
            (*MODELS, "Average"),
            "change by order",
            ("original", _ORDER),
            change,
            "accuracy minus the original",
        ),
        *along_rows(
            "table3",
            (*MODELS, "Average"),
            "change by time stamps",
            ("original", _STAMP),
            change,
            "accuracy minus the original",
        ),
        *down_columns("table3", "Average", ("original", _ORDER, _STAMP), MODELS, mean, _MEAN),
    ),
)

_SAID = MappingProxyType(
    {
        "all models, Object Counting (§4.3)": (37.29, "Object Counting"),
        "all models, Temporal Relationship (§4.3)": (49.29, "Temporal Relationship"),
        "all models, Action (§4.3)": (49.37, "Action"),
    }
)

TEXT = PublishedTable(
    name="text",
    title="Numbers in the text (%)",
    columns=("said",),
    rows=MappingProxyType(
        {
            **{name: (value,) for name, (value, _) in _SAID.items()},
            "GPT-4o, all questions (§4.3)": (62.98,),
            "Qwen2-VL 7B with chain of thought, change (§4.5)": (-9.72,),
            "Qwen2-VL 7B with a prompt for counting, change (§4.5)": (5.51,),
        }
    ),
    note="9.72 % is 73 of 751 questions, and 5.51 % is 7 of the 127 that ask to count",
    derivations=(
        *(
            d
            for name, (_, task) in _SAID.items()
            for d in one(
                PublishedCell("text", name, "said"),
                [PublishedCell("table1", "Average", task)],
                same,
                "the same cell of Table 1",
            )
        ),
        *one(
            PublishedCell("text", "GPT-4o, all questions (§4.3)", "said"),
            [PublishedCell("table1", "GPT-4o", "Overall")],
            same,
            "the same cell of Table 1",
        ),
    ),
)

TABLES = (QUESTIONS, CAPTIONS, ROBUSTNESS, TEXT)
