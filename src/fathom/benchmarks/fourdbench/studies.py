"""The paper's studies, and more of their kind: what varies, and what was published of it.

Figures 7 and 8 are known from the text alone, which gives some of their points. Points of one name are the
same run, so that studies can share a folder.

Ref: 4D-Bench §4.5, Table 3, Figures 7 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.benchmarks.fourdbench.paper import ROBUSTNESS, TEXT
from fathom.benchmarks.fourdbench.tasks import CAPTION, COUNTING, TASKS
from fathom.records import PublishedStudy, Study, StudyMeasure, StudyPoint

VIEWS = (1, 2, 3, 6, 12, 24)
FRAMES = (1, 3, 6, 9, 12, 24)

_QUESTIONS = tuple(task for task in TASKS if task != CAPTION)
_CAPTIONS = (
    StudyMeasure(
        "judge_mean", "judge’s mean, 0 to 5", {}, ("judge/appearance", "judge/action"), 5.0, 1.0, decimals=3
    ),
    StudyMeasure(
        "cider", "CIDEr × 100", {"protocol": "4dbench"}, ("4dbench/cider",), 10.0, 100.0, decimals=1
    ),
    StudyMeasure("rouge_l", "ROUGE-L × 100", {"protocol": "4dbench"}, ("4dbench/rouge_l",), decimals=1),
)

_ENDS = "published: the text says between which values a curve goes, and not at which numbers they stand"
_RUBRIC = (
    "published: GPT-Eval; a judge here has a rubric of Fathom's own, and its means do not compare with it"
)


def _amounts(
    numbers: Sequence[int], what: str, unit: str, prefix: str = "", original: int = 0
) -> tuple[StudyPoint, ...]:
    """Return a point for each number of views or frames, the paper's own (if given) as the original."""
    return tuple(
        StudyPoint(
            name="original" if n == original else f"{prefix}{what}-{n}",
            title=f"{n} {unit}{'s' * (n != 1)}",
            settings={what: str(n)},
            at=n,
        )
        for n in numbers
    )


def _table3(point: str, column: int) -> tuple[PublishedStudy, ...]:
    """Return the rows of Table 3 for one of its two settings; the change stands right of the accuracy."""
    return tuple(
        PublishedStudy(
            model,
            "Table 3",
            values={"original": row[0] or 0.0, point: row[column] or 0.0},
            changes={point: row[column + 1] or 0.0},
            mean=model == "Average",
        )
        for model, row in ROBUSTNESS.rows.items()
    )


def _said(row: str) -> float:
    return TEXT.rows[row][0] or 0.0


_ORIGINAL = StudyPoint("original", "all frames of a view first")

STUDIES = (
    Study(
        name="views",
        title="More views of an object, 6 frames each",
        ref="Figure 7, left",
        points=_amounts(VIEWS, "views", "view"),
        baseline="views-1",
        axis="views",
        settings={"view-choice": "even"},
        tasks=_QUESTIONS,
        published=(PublishedStudy("Gemini 1.5 Flash", "§4.5, Figure 7", ends=(41.3, 53.7), decimals=1),),
        note=_ENDS,
    ),
    Study(
        name="frames",
        title="More frames of each of 3 views",
        ref="Figure 7, right",
        points=_amounts(FRAMES, "frames", "frame", original=6),
        baseline="frames-1",
        axis="frames a view",
        tasks=_QUESTIONS,
        published=(PublishedStudy("Gemini 1.5 Flash", "§4.5, Figure 7", ends=(46.3, 53.7), decimals=1),),
        note=_ENDS,
    ),
    Study(
        name="caption-views",
        title="Captions from more views of an object, 6 frames each",
        ref="Figure 8, left",
        points=_amounts(VIEWS, "views", "view", prefix="captions-"),
        baseline="captions-views-1",
        axis="views",
        protocol="captions",
        settings={"view-choice": "even"},
        tasks=(CAPTION,),
        measures=_CAPTIONS,
        published=(
            PublishedStudy(
                "Qwen2-VL 7B", "§4.5, Figure 8", {"captions-views-1": 2.79, "captions-views-6": 2.98}
            ),
        ),
        note=_RUBRIC,
    ),
    Study(
        name="caption-frames",
        title="Captions from more frames of each of 3 views",
        ref="Figure 8, right",
        points=_amounts(FRAMES, "frames", "frame", prefix="captions-"),
        baseline="captions-frames-1",
        axis="frames a view",
        protocol="captions",
        tasks=(CAPTION,),
        measures=_CAPTIONS,
        published=(
            PublishedStudy(
                "Qwen2-VL 7B",
                "§4.5, Figure 8",
                {"captions-frames-1": 2.48, "captions-frames-3": 2.89, "captions-frames-6": 2.96},
            ),
        ),
        note=_RUBRIC,
    ),
    Study(
        name="order",
        title="Frames in the order of views against the order of time",
        ref="Table 3",
        points=(_ORIGINAL, StudyPoint("time-major", "all views of a moment first", {"order": "time-major"})),
        baseline="original",
        tasks=_QUESTIONS,
        published=_table3("time-major", 1),
    ),
    Study(
        name="time-stamps",
        title="The time of each frame before it",
        ref="Table 3",
        points=(
            StudyPoint("original", "without times"),
            StudyPoint("time-stamps", "with times", {"time-stamps": "yes"}),
        ),
        baseline="original",
        tasks=_QUESTIONS,
        published=_table3("time-stamps", 3),
    ),
    Study(
        name="sampling",
        title="Which 6 frames of a view are shown",
        ref="§4.2",
        points=(
            StudyPoint("original", "floor-step"),
            StudyPoint("linspace", "linspace", {"sampling": "linspace"}),
            StudyPoint("segment-centre", "segment-centre", {"sampling": "segment-centre"}),
        ),
        baseline="original",
        tasks=_QUESTIONS,
        note="the official code takes floor-step for 9 of the models and linspace for 5; the paper does not "
        "compare them",
    ),
    Study(
        name="chain-of-thought",
        title="Steps before the answer",
        ref="§4.5",
        points=(
            StudyPoint("original", "the letter alone"),
            StudyPoint("chain-of-thought", "step by step", {"reasoning": "yes"}),
        ),
        baseline="original",
        tasks=_QUESTIONS,
        published=(
            PublishedStudy(
                "Qwen2-VL 7B",
                "§4.5",
                changes={"chain-of-thought": _said("Qwen2-VL 7B with chain of thought, change (§4.5)")},
            ),
        ),
    ),
    Study(
        name="counting-prompt",
        title="How to count over views and time, said in the prompt",
        ref="§4.5",
        points=(
            StudyPoint("counting-original", "question alone"),
            StudyPoint("counting-prompt", "with the prompt", {"counting-hints": "yes"}),
        ),
        baseline="counting-original",
        tasks=(COUNTING,),
        published=(
            PublishedStudy(
                "Qwen2-VL 7B",
                "§4.5",
                changes={"counting-prompt": _said("Qwen2-VL 7B with a prompt for counting, change (§4.5)")},
            ),
        ),
        note="over the questions that ask to count",
    ),
    Study(
        name="view-choice",
        title="Random views against those that show what has to be seen",
        ref="§4.5",
        points=(
            StudyPoint("random-views", "random view", {"view-choice": "random"}),
            StudyPoint("chosen-views", "chosen view", {"view-choice": "evidence"}),
        ),
        baseline="random-views",
        settings={"views": "1"},
        tasks=_QUESTIONS,
        published=(
            PublishedStudy(
                "a model that the text does not name", "§4.5", changes={"chosen-views": 3.6}, decimals=1
            ),
        ),
        note="published: people chose the views; here the evidence of each question does, and built datasets "
        "alone have it",
    ),
)
"""In the order of the paper."""
