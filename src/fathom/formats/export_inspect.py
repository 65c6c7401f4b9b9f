"""Inspect: samples with their media beside them, and a task that needs nothing but Inspect.

OUT/samples.jsonl   a sample a line: id, input (pictures, then the question), choices, target, metadata
OUT/task.py         the task: `inspect eval OUT/task.py`
OUT/media/

Inspect's own solver shows the options and its own scorer reads the letter. With Fathom's protocols and
extractors a dataset runs there as it is: see docs/exporting.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from fathom.formats import __path__ as here
from fathom.formats.export_media import ExportedMedia, MediaShelf, shown
from fathom.formats.export_plan import ExportPlan, Progress, Survey, letter_of
from fathom.records import Question, UnfitError

MEDIA = "media"

_FORMATS = {".mp4": "mp4", ".m4v": "mp4", ".mov": "mov", ".mpeg": "mpeg", ".mpg": "mpeg"}
_REPLY = "Reply with the answer alone: a word, a few words, or a number."


def export_inspect(plan: ExportPlan, found: Survey, shelf: MediaShelf, progress: Progress) -> list[str]:
    """Write samples and task, and return what is to be known about them.

    Raises UnfitError for captions, which its scorers cannot mark, and for videos that it cannot show.
    """
    if found.captions:
        raise UnfitError(
            f"{plan.dataset.path}: has {found.captions:,} captions, which Inspect's scorers cannot mark; "
            "export questions with answers, or captions for huggingface"
        )
    encoder = msgspec.json.Encoder()
    with (shelf.out / "samples.jsonl").open("wb") as out:
        for number, sample in enumerate(_samples(plan, shelf), 1):
            out.write(encoder.encode(sample) + b"\n")
            progress("exporting", number, found.questions, "samples.jsonl")
    # Read as text: to import it takes Inspect.
    task = Path(here[0], "export_inspect_task.py").read_text(encoding="utf-8")
    (shelf.out / "task.py").write_text(task, encoding="utf-8")
    return ["inspect eval takes the path of task.py; its options are shown, and its answers read, by Inspect"]


def _samples(plan: ExportPlan, shelf: MediaShelf) -> Iterator[dict[str, object]]:
    for question in plan.dataset.questions():
        media = [_content(s, shelf) for s in shown(plan.dataset, question)]
        text = question.text if question.choices else f"{question.text}\n\n{_REPLY}"
        sample: dict[str, object] = {
            "id": question.id,
            "input": [{"role": "user", "content": [*media, {"type": "text", "text": text}]}],
            "target": _target(question),
            "metadata": {
                "task": question.task,
                "cluster": question.groups.cluster or question.scene or question.id,
                "flip": question.groups.flip,
                "tags": question.tags,
            },
        }
        if question.choices:
            sample["choices"] = question.choices
        yield sample


def _target(question: Question) -> str | list[str]:
    if question.choices:
        return letter_of(question)
    return [question.answer, *question.equivalents] if question.equivalents else question.answer


def _content(seen: ExportedMedia, shelf: MediaShelf) -> dict[str, str]:
    """Return a medium as Inspect shows it. Raises UnfitError for a video that it cannot show."""
    media = seen.media
    if seen.kind == "image":
        return {"type": "image", "image": shelf.picture_file(seen, MEDIA)}
    suffix = PurePosixPath(media.path).suffix.casefold()
    if suffix not in _FORMATS:
        raise UnfitError(
            f"{media.path}: Inspect shows videos in mp4, mov and mpeg, found {suffix or 'no ending'}; run "
            "the dataset there with Fathom's own task, which shows frames (docs/exporting.md)"
        )
    return {"type": "video", "video": shelf.video_file(media, MEDIA), "format": _FORMATS[suffix]}
