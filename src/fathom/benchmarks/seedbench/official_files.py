"""SEED-Bench's own JSON of a dataset, as its authors publish theirs and as their loader reads it.

OUT/SEED-Bench.json    questions: answer, choice_a … choice_d, data_id, data_type, question, question_id,
question_type_id, segment; question_type: dimension → number
OUT/SEED-Bench-image/  the pictures, named by data_id
OUT/videos/            the videos, data_id being their path there
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fathom.benchmarks.seedbench.tasks import NUMBERS, NUMBERS_SECOND, TASKS, of_first_version
from fathom.formats.export_columns import segment_of
from fathom.formats.export_media import MediaShelf
from fathom.formats.export_plan import ExportPlan, Progress, Survey, letter_of
from fathom.records import Question, UnfitError

FILE, IMAGES, VIDEOS = "SEED-Bench.json", "SEED-Bench-image", "videos"
LETTERED = "abcd"

ONLY_SECOND = frozenset({"level", "data_source"})
"""By what a file has of these it is known to be of the second version."""


def export_official(plan: ExportPlan, found: Survey, shelf: MediaShelf, progress: Progress) -> list[str]:
    """Write the file and the media beside it; return what is to be known.

    Questions have the numbers of the second version where any of them belongs to it. Raises UnfitError for a
    question without four options or without a picture or a video.
    """
    second = not all(map(of_first_version, plan.dataset.questions()))
    numbers = {task: number for number, task in (NUMBERS_SECOND if second else NUMBERS).items()}
    rows = []
    for number, row in enumerate(_rows(plan, found, shelf, numbers, second), 1):
        rows.append(row)
        progress("exporting", number, found.questions, FILE)
    types = {TASKS[task]: number for task, number in sorted(numbers.items(), key=lambda item: item[1])}
    (shelf.out / FILE).write_text(
        json.dumps({"questions": rows, "question_type": types}, indent=4, ensure_ascii=False), "utf-8"
    )
    return [f"the authors' loader finds pictures in {IMAGES} and videos in {VIDEOS} by their data_id"]


def _rows(
    plan: ExportPlan, found: Survey, shelf: MediaShelf, numbers: dict[str, int], second: bool
) -> Iterator[dict[str, object]]:
    for question in plan.dataset.questions():
        if len(question.choices) != len(LETTERED):
            raise UnfitError(
                f"question {question.id}: the official file holds four options, and it has "
                f"{len(question.choices)}; use --to vlmevalkit"
            )
        row: dict[str, object] = {"answer": letter_of(question)}
        row |= {f"choice_{letter}": question.choices[k] for k, letter in enumerate(LETTERED)}
        row |= {"data_id": _data(question, shelf), "data_type": _kind(question, shelf)}
        row |= {"question": question.text, "question_id": question.tags.get("official_id") or question.id}
        row["question_type_id"] = numbers[question.task]
        for tag, column in plan.own.tags.items():
            if tag in found.tags and tag not in row and (second or tag not in ONLY_SECOND):
                row[column] = question.tags.get(tag) or row.get(column, "")
        if (segment := segment_of(question)) is not None:
            # The authors' loader tells frames from seconds by their being whole numbers.
            frames = question.tags.get("segment_unit") == "frames"
            row["segment"] = [round(v) for v in segment] if frames else segment
        yield row


def _kind(question: Question, shelf: MediaShelf) -> str:
    return question.tags.get("data_type") or ("video" if shelf.of(question, "video") else "image")


def _data(question: Question, shelf: MediaShelf) -> str | list[str]:
    """Return what stands for the media: the name of one, or a list of several."""
    pictures = [shelf.picture_file(p, IMAGES) for p in shelf.of(question, "image")]
    videos = shelf.video_files(shelf.of(question, "video"), VIDEOS)
    names = [path.partition("/")[2] for path in (*pictures, *videos)]
    if not names:
        raise UnfitError(f"question {question.id}: has no picture and no video; the official file names one")
    return names[0] if len(names) == 1 else names
