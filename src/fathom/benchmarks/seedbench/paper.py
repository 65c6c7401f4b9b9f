"""The published tables of SEED-Bench as data.

The paper's questions are 14,233 on images (spatial) and 5,009 on videos (temporal). The captions speak of
averages over nine and three dimensions; the overall accuracies follow from those of the two parts with the
numbers of questions as weights, and not with nine to three. The text gives Instance Location 4,649 questions,
which is the number of Instance Attributes; and it lists PandaGPT, which has no row.

Ref: SEED-Bench §4.2, Tables 1 and 3, Figure 1; the numbers of its text are in `paper_text.py`.
"""

from __future__ import annotations

from types import MappingProxyType

from fathom.benchmarks.seedbench.paper_models import LABELS, MODELS, TASKS, title_of
from fathom.benchmarks.seedbench.paper_text import CLAIMS, TEXT
from fathom.records import PublishedCell, PublishedTable
from fathom.stats.derivations import along_rows, count, one, ranks, same, weighted

SPATIAL, TEMPORAL = TASKS[:9], TASKS[9:]

SIZES = MappingProxyType({"Spatial": 14_233, "Temporal": 5_009, "Overall": 19_242})
"""How many questions the parts have in the paper; the 17,990 that can be had today have fewer on videos."""

PUBLISHED_COUNTS = MappingProxyType(
    dict(zip(TASKS, (3158, 1831, 4649, 978, 2447, 657, 97, 331, 85, 1740, 2077, 1192), strict=True))
)
"""How many questions each dimension has. The paper prints 4,649, 85 and 1,740; the others are those of the
published files, and of the parts the sums are the paper's. Ref: Figure 1 (left)."""

_COLUMNS = ("Spatial", "Spatial rank", "Temporal", "Temporal rank", "Overall", "Overall rank")

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
    labels=LABELS,
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
    labels=LABELS,
    derivations=(
        *along_rows("figure1", MODELS, "accuracy", ("Overall",), same, "Overall of Table 3", source="table3"),
        *along_rows(
            "figure1", MODELS, "rank", ("Overall rank",), same, "Overall rank of Table 3", source="table3"
        ),
    ),
)

COMPARISON = PublishedTable(
    name="table1",
    title="Table 1: benchmarks of multimodal language models",
    columns=("answers", "models"),
    rows=MappingProxyType(
        {
            "MME": (2194, 10),
            "LAMM": (None, 4),
            "LVLM-eHub": (None, 8),
            "MMBench": (2974, 14),
            "SEED-Bench": (19242, 18),
        }
    ),
    note="answers: questions with an answer by people; judge: whether people or GPT are asked to evaluate",
    decimals=(0, 0),
    row="benchmark",
    labels=MappingProxyType(
        {
            name: dict(zip(("shows", "own questions", "type of answer", "judge"), cells, strict=True))
            for name, cells in {
                "MME": ("Image", "yes", "Y/N", "N/A"),
                "LAMM": ("Image & Point cloud", "no", "free-form", "GPT"),
                "LVLM-eHub": ("Image", "no", "free-form", "Human"),
                "MMBench": ("Image", "yes", "free-form", "GPT"),
                "SEED-Bench": ("Image & Video", "yes", "A/B/C/D", "N/A"),
            }.items()
        }
    ),
    derivations=(
        *one(
            PublishedCell("table1", "SEED-Bench", "answers"),
            [PublishedCell("figure1-left", title_of(task), "questions") for task in TASKS],
            sum,
            "the sum of the twelve dimensions of Figure 1",
        ),
        *one(
            PublishedCell("table1", "SEED-Bench", "models"),
            [PublishedCell("table3", name, "Overall") for name in MODELS],
            count,
            "the number of rows of Table 3",
        ),
    ),
)

_PARTS = MappingProxyType({"all of images": SPATIAL, "all of videos": TEMPORAL, "all": TASKS})

COUNTS = PublishedTable(
    name="figure1-left",
    title="Figure 1 (left): questions in each dimension",
    columns=("questions",),
    rows=MappingProxyType(
        {title_of(task): (number,) for task, number in PUBLISHED_COUNTS.items()}
        | dict(zip(_PARTS, ((n,) for n in SIZES.values()), strict=True))
    ),
    decimals=(0,),
    note="the text prints 4,649, 85, 1,740 and the sum 19,242; the others are those of the published files",
    derivations=tuple(
        d
        for part, tasks in _PARTS.items()
        for d in one(
            PublishedCell("figure1-left", part, "questions"),
            [PublishedCell("figure1-left", title_of(task), "questions") for task in tasks],
            sum,
            "the sum of its dimensions",
        )
    ),
)

TABLES = (COMPARISON, ACCURACY, COUNTS, LEADERBOARD, TEXT, CLAIMS)
