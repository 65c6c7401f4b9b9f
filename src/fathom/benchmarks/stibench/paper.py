"""The published tables of STI-Bench as data.

Neither the sizes of the tasks nor those of the scenes are printed. The ones here are whole numbers that add
up to 2,064 and come nearest to the ten overall accuracies of Table 3 (at most 0.04 and 0.09 points off);
others, up to some thirty questions away, fit as well within the rounding. No size from 50 to 400 gives all
ten accuracies of any one task as shares of whole questions: not every model was scored on the same questions.

Two averages of Table 2, of GPT-4o and of Gemini-2.0-Flash, follow neither from their own rows nor equal those
of Table 3. The second would follow with 40.8 under Ego Orient. instead of the 10.8 that is printed.

Ref: STI-Bench §4.2, Tables 2 and 3.
"""

from __future__ import annotations

from types import MappingProxyType

from fathom.records import PublishedCell, PublishedTable
from fathom.stats.derivations import along_rows, one, ranks, same, weighted

TASKS = (
    "dimensional_measurement",
    "spatial_relation",
    "3d_video_grounding",
    "displacement_path_length",
    "speed_acceleration",
    "ego_centric_orientation",
    "trajectory_description",
    "pose_estimation",
)
"""The eight tasks in the order of the columns of Table 2: three static, five dynamic."""

HEADINGS = (
    "Dim. Meas.",
    "Spatial Relation",
    "3D Video Grounding",
    "Disp. & P.L.",
    "Speed & Acc.",
    "Ego Orient.",
    "Traj. Desc.",
    "Pose Est.",
)
"""What these columns are called."""

STATIC, DYNAMIC = TASKS[:3], TASKS[3:]
SETTINGS = ("Outdoor", "Indoor", "Desktop")
"""The three kinds of scene in the order of the columns of Table 3: Waymo, ScanNet, Omni6DPose."""

QUESTIONS = 2_064
TASK_SIZES = MappingProxyType(dict(zip(TASKS, (293, 141, 308, 364, 329, 185, 73, 371), strict=True)))
SETTING_SIZES = MappingProxyType(dict(zip(SETTINGS, (797, 850, 417), strict=True)))

_CLOSED, _OPEN = "proprietary (API)", "open-source"
TYPES = MappingProxyType(
    {
        "GPT-4o": _CLOSED,
        "Gemini-2.0-Flash": _CLOSED,
        "Claude-3.7-Sonnet": _CLOSED,
        "Gemini-2.5-Pro": _CLOSED,
        "MiniCPM-V-2.6": _OPEN,
        "VideoChat-R1": _OPEN,
        "VideoLLaMA3-7B": _OPEN,
        "VideoChat-Flash": _OPEN,
        "InternVL2.5-78B": _OPEN,
        "Qwen2.5-VL-72B": _OPEN,
    }
)
MODELS = tuple(TYPES)
_LABELS = MappingProxyType({name: {"type": kind} for name, kind in TYPES.items()})

CHANCE = 20.0
"""The accuracy (%) of guessing among five options."""

BY_TASK = PublishedTable(
    name="table2",
    title="Table 2: accuracy (%) by task",
    columns=("Rank", "Avg.", *HEADINGS),
    rows=MappingProxyType(
        {
            "GPT-4o": (8, 34.8, 27.1, 51.8, 29.0, 23.2, 35.4, 33.7, 32.0, 53.6),
            "Gemini-2.0-Flash": (4, 38.7, 31.9, 50.0, 31.8, 27.7, 32.1, 10.8, 38.5, 61.3),
            "Claude-3.7-Sonnet": (3, 40.5, 29.8, 45.5, 35.7, 28.9, 38.8, 40.0, 47.4, 62.6),
            "Gemini-2.5-Pro": (1, 41.4, 38.7, 53.8, 36.9, 33.9, 33.1, 52.5, 47.4, 50.4),
            "MiniCPM-V-2.6": (10, 26.9, 27.7, 44.5, 29.0, 19.0, 25.7, 7.0, 30.8, 35.6),
            "VideoChat-R1": (9, 32.8, 23.2, 47.3, 31.5, 22.4, 31.1, 26.0, 47.9, 48.3),
            "VideoLLaMA3-7B": (7, 35.2, 29.4, 48.6, 36.1, 21.5, 36.7, 23.2, 54.6, 48.1),
            "VideoChat-Flash": (6, 36.3, 33.6, 51.4, 33.1, 27.1, 32.3, 22.2, 54.2, 51.4),
            "InternVL2.5-78B": (5, 38.5, 29.9, 52.8, 31.6, 24.9, 37.2, 49.2, 43.6, 53.6),
            "Qwen2.5-VL-72B": (2, 40.7, 31.5, 47.6, 39.1, 25.1, 38.4, 43.8, 51.3, 60.6),
        }
    ),
    note="the first three tasks are static understanding, the other five dynamic; a random guess is right in "
    "20 % of all tasks",
    ours=(("", {}), ("accuracy", {}), *(("accuracy", {"task": task}) for task in TASKS)),
    scales=(1.0, *[100.0] * 9),
    decimals=(0, *[1] * 9),
    labels=_LABELS,
    sizes=MappingProxyType({"Avg.": QUESTIONS, **dict(zip(HEADINGS, TASK_SIZES.values(), strict=True))}),
    derivations=(
        *along_rows(
            "table2",
            MODELS,
            "Avg.",
            HEADINGS,
            weighted(tuple(TASK_SIZES.values())),
            "the eight tasks, weighted by their questions",
            recovered=True,
        ),
        *along_rows("table2", MODELS, "Avg.", ("Overall",), same, "Overall of Table 3", source="table3"),
        *ranks("table2", MODELS, "Rank", "Avg.", "the place among the ten in Avg."),
    ),
)

BY_SETTING = PublishedTable(
    name="table3",
    title="Table 3: accuracy (%) by kind of scene",
    columns=(*SETTINGS, "Overall"),
    rows=MappingProxyType(
        {
            "MiniCPM-V-2.6": (27.9, 26.1, 26.6, 26.9),
            "VideoChat-R1": (41.1, 28.0, 27.1, 32.8),
            "GPT-4o": (41.4, 33.1, 27.3, 35.2),
            "VideoLLaMA3-7B": (41.2, 31.9, 30.5, 35.2),
            "Gemini-2.0-Flash": (39.1, 35.9, 30.5, 36.0),
            "VideoChat-Flash": (38.6, 36.7, 31.3, 36.3),
            "InternVL2.5-78B": (46.1, 34.5, 32.1, 38.5),
            "Claude-3.7-Sonnet": (47.2, 38.2, 32.3, 40.5),
            "Qwen2.5-VL-72B": (50.6, 35.0, 33.5, 40.7),
            "Gemini-2.5-Pro": (48.7, 37.1, 35.8, 41.4),
        }
    ),
    note="VideoChat-R1 is printed as VideoChat-R1.7B here",
    ours=(*(("accuracy", {"setting": setting.lower()}) for setting in SETTINGS), ("accuracy", {})),
    scales=(100.0,) * 4,
    decimals=(1, 1, 1, 1),
    labels=_LABELS,
    sizes=MappingProxyType({**SETTING_SIZES, "Overall": QUESTIONS}),
    derivations=(
        *along_rows(
            "table3",
            MODELS,
            "Overall",
            SETTINGS,
            weighted(tuple(SETTING_SIZES.values())),
            "the three kinds of scene, weighted by their questions",
            recovered=True,
        ),
        *along_rows(
            "table3",
            MODELS,
            "Overall",
            HEADINGS,
            weighted(tuple(TASK_SIZES.values())),
            "the eight tasks of Table 2, weighted by their questions",
            source="table2",
            recovered=True,
        ),
    ),
)

_SAID = MappingProxyType(
    {
        "Gemini-2.5-Pro, average (§4.2)": (41.4, "Gemini-2.5-Pro", "Avg."),
        "Qwen2.5-VL-72B, average (§4.2)": (40.7, "Qwen2.5-VL-72B", "Avg."),
        "best in dimensional measurement (§4.2)": (38.7, "Gemini-2.5-Pro", "Dim. Meas."),
        "best in displacement and path length (§4.2)": (33.9, "Gemini-2.5-Pro", "Disp. & P.L."),
        "best in pose estimation (§4.2)": (62.7, "Claude-3.7-Sonnet", "Pose Est."),
        "best in spatial relation (§4.2)": (53.8, "Gemini-2.5-Pro", "Spatial Relation"),
        "Gemini-2.5-Pro, ego-centric orientation (§4.3)": (
            52.5,
            "Gemini-2.5-Pro",
            "Ego Orient.",
        ),
    }
)

TEXT = PublishedTable(
    name="text",
    title="Numbers in the text (%)",
    columns=("said",),
    rows=MappingProxyType({name: (value,) for name, (value, _, _) in _SAID.items()}),
    decimals=(1,),
    derivations=tuple(
        d
        for name, (_, model, column) in _SAID.items()
        for d in one(
            PublishedCell("text", name, "said"),
            [PublishedCell("table2", model, column)],
            same,
            "the same cell of Table 2",
        )
    ),
)

TABLES = (BY_TASK, BY_SETTING, TEXT)
