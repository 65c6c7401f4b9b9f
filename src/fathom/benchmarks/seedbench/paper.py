"""The published tables of SEED-Bench as data.

The paper's questions are 14,233 on images (spatial) and 5,009 on videos (temporal). The captions speak of
averages over nine and three dimensions; the overall accuracies follow from those of the two parts with the
numbers of questions as weights, and not with nine to three. The text gives Instance Location 4,649 questions,
which is the number of Instance Attributes; and it lists PandaGPT, which has no row.

Ref: SEED-Bench §4.2, Table 3, Figure 1.
"""

from __future__ import annotations

from types import MappingProxyType

from fathom.records import PublishedTable
from fathom.stats.derivations import along_rows, ranks, same, weighted

TASKS = (
    "scene_understanding",
    "instance_identity",
    "instance_attributes",
    "instance_location",
    "instances_counting",
    "spatial_relation",
    "instance_interaction",
    "visual_reasoning",
    "text_understanding",
    "action_recognition",
    "action_prediction",
    "procedure_understanding",
)
"""The twelve dimensions in the order of their numbers, 1 to 12; the last three are on videos."""

SPATIAL, TEMPORAL = TASKS[:9], TASKS[9:]

SIZES = MappingProxyType({"Spatial": 14_233, "Temporal": 5_009, "Overall": 19_242})
"""How many questions the parts have in the paper; the 17,990 that can be had today have fewer on videos."""

PUBLISHED_COUNTS = MappingProxyType(
    dict(zip(TASKS, (3158, 1831, 4649, 978, 2447, 657, 97, 331, 85, 1740, 2077, 1192), strict=True))
)
"""How many questions each dimension has. The paper prints 4,649, 85 and 1,740; the others are those of the
published files, and of the parts the sums are the paper's. Ref: Figure 1 (left)."""

_LLM, _IMAGE, _VIDEO = "LLM", "ImageLLM", "VideoLLM"
_COLUMNS = ("Spatial", "Spatial rank", "Temporal", "Temporal rank", "Overall", "Overall rank")

_MODELS = MappingProxyType(
    {
        "Flan-T5": (_LLM, "Flan-T5-XL"),
        "Vicuna": (_LLM, "Vicuna-7B"),
        "LLaMA": (_LLM, "LLaMA-7B"),
        "BLIP-2": (_IMAGE, "Flan-T5-XL"),
        "InstructBLIP": (_IMAGE, "Flan-T5-XL"),
        "InstructBLIP Vicuna": (_IMAGE, "Vicuna-7B"),
        "LLaVA": (_IMAGE, "LLaMA-7B"),
        "MiniGPT-4": (_IMAGE, "Flan-T5-XL"),
        "VPGTrans": (_IMAGE, "LLaMA-7B"),
        "MultiModal-GPT": (_IMAGE, "LLaMA-7B"),
        "Otter": (_IMAGE, "LLaMA-7B"),
        "OpenFlamingo": (_IMAGE, "LLaMA-7B"),
        "LLaMA-Adapter V2": (_IMAGE, "LLaMA-7B"),
        "GVT": (_IMAGE, "Vicuna-7B"),
        "mPLUG-Owl": (_IMAGE, "LLaMA-7B"),
        "VideoChat": (_VIDEO, "Vicuna-7B"),
        "Video-ChatGPT": (_VIDEO, "LLaMA-7B"),
        "Valley": (_VIDEO, "LLaMA-13B"),
    }
)
MODELS = tuple(_MODELS)
_LABELS = MappingProxyType(
    {name: {"type": kind, "language model": language} for name, (kind, language) in _MODELS.items()}
)

ACCURACY = PublishedTable(
    name="table3",
    title="Table 3: accuracy (%) and rank",
    columns=_COLUMNS,
    rows=MappingProxyType(
        {
            "Flan-T5": (27.32, 17, 28.56, 11, 27.65, 17),
            "Vicuna": (28.16, 16, 29.46, 8, 28.50, 16),
            "LLaMA": (26.56, 18, 27.27, 13, 26.75, 18),
            "BLIP-2": (49.74, 3, 36.71, 3, 46.35, 3),
            "InstructBLIP": (57.80, 2, 38.31, 1, 52.73, 2),
            "InstructBLIP Vicuna": (58.76, 1, 38.05, 2, 53.37, 1),
            "LLaVA": (36.96, 8, 23.75, 16, 33.52, 9),
            "MiniGPT-4": (47.40, 4, 29.89, 7, 42.84, 4),
            "VPGTrans": (41.81, 5, 31.40, 5, 39.10, 5),
            "MultiModal-GPT": (34.54, 12, 29.21, 10, 33.15, 11),
            "Otter": (35.16, 11, 30.35, 6, 33.91, 8),
            "OpenFlamingo": (34.51, 13, 29.25, 9, 33.14, 12),
            "LLaMA-Adapter V2": (35.19, 10, 25.75, 14, 32.73, 13),
            "GVT": (35.49, 9, 27.77, 12, 33.48, 10),
            "mPLUG-Owl": (37.88, 7, 23.02, 18, 34.01, 7),
            "VideoChat": (39.02, 6, 33.68, 4, 37.63, 6),
            "Video-ChatGPT": (33.88, 14, 23.46, 17, 31.17, 14),
            "Valley": (32.04, 15, 25.41, 15, 30.32, 15),
        }
    ),
    note="the parts are called averages over dimensions; Overall follows from them by numbers of questions",
    ours=(
        ("accuracy", {"part": "spatial"}),
        ("", {}),
        ("accuracy", {"part": "temporal"}),
        ("", {}),
        ("accuracy", {}),
        ("", {}),
    ),
    ranked_by={f"{part} rank": part for part in ("Spatial", "Temporal", "Overall")},
    decimals=(2, 0, 2, 0, 2, 0),
    labels=_LABELS,
    sizes=SIZES,
    derivations=(
        *along_rows(
            "table3",
            MODELS,
            "Overall",
            ("Spatial", "Temporal"),
            weighted((SIZES["Spatial"], SIZES["Temporal"])),
            "Spatial and Temporal, weighted by 14,233 and 5,009 questions",
        ),
        *(
            d
            for part in ("Spatial", "Temporal", "Overall")
            for d in ranks("table3", MODELS, f"{part} rank", part, f"the place among the 18 in {part}")
        ),
    ),
)

LEADERBOARD = PublishedTable(
    name="figure1",
    title="Figure 1: the overall leaderboard, accuracy (%)",
    columns=("rank", "accuracy"),
    rows=MappingProxyType(
        {
            "InstructBLIP Vicuna": (1, 53.37),
            "InstructBLIP": (2, 52.73),
            "BLIP-2": (3, 46.35),
            "MiniGPT-4": (4, 42.84),
            "VPGTrans": (5, 39.10),
            "VideoChat": (6, 37.63),
            "mPLUG-Owl": (7, 34.01),
            "Otter": (8, 33.91),
            "LLaVA": (9, 33.52),
            "GVT": (10, 33.48),
            "MultiModal-GPT": (11, 33.15),
            "OpenFlamingo": (12, 33.14),
            "LLaMA-Adapter V2": (13, 32.73),
            "Video-ChatGPT": (14, 31.17),
            "Valley": (15, 30.32),
            "Vicuna": (16, 28.50),
            "Flan-T5": (17, 27.65),
            "LLaMA": (18, 26.75),
        }
    ),
    decimals=(0, 2),
    labels=_LABELS,
    derivations=(
        *along_rows("figure1", MODELS, "accuracy", ("Overall",), same, "Overall of Table 3", source="table3"),
        *along_rows(
            "figure1", MODELS, "rank", ("Overall rank",), same, "Overall rank of Table 3", source="table3"
        ),
    ),
)

PUBLISHED_BLIND = 5.52
"""The per cent of its questions that the paper's three readers all got right. Ref: SEED-Bench §3.3."""

TEXT = PublishedTable(
    name="text",
    title="Numbers in the text (%)",
    columns=("said",),
    rows=MappingProxyType(
        {
            "questions that three language models all answer without the picture (§3.3)": (PUBLISHED_BLIND,),
            "VideoChat, instance location (§4.3)": (39.98,),
            "VideoChat above LLaVA, instance location (§4.3)": (11.55,),
            "the best model above VideoChat, instance location (§4.3)": (3.58,),
            "InstructBLIP, the best model, spatial relation (§4.3)": (40,),
            "VPGTrans, the best model, above LLaMA, procedure understanding (§4.3)": (5,),
        }
    ),
    decimals=(0,),
    note="Table 3 has the two parts and no dimensions, so that none of these follows from it",
)

TABLES = (ACCURACY, LEADERBOARD, TEXT)
