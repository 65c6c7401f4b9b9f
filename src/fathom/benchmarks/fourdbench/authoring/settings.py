"""What is written about objects, and from what."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.authoring.prompts import PROMPTS
from fathom.records import InputError, Record


class ObjectWriting(Record, frozen=True, kw_only=True):
    """What is written, and from what.

    seed : what is drawn follows from it
    tasks : the subtasks that questions are written for
    views : how many views of an object the models see
    frames : how many frames of each view the models see
    each : how many questions a writer is asked for, of each object and subtask
    objects : how many objects; 0: all
    readers : a question that so many models without the pictures all get right goes
    """

    seed: str = "0"
    tasks: tuple[str, ...] = tuple(PROMPTS.kinds)
    views: int = 3
    frames: int = 6
    each: int = 1
    objects: int = 0
    readers: int = 2


def check_settings(writing: ObjectWriting) -> None:
    """Raise InputError for settings that make no sense."""
    for name in writing.tasks:
        if name not in PROMPTS.kinds:
            raise InputError(
                f"task {name!r}: nobody has said how to write it; there are {', '.join(PROMPTS.kinds)}"
            )
    if not writing.tasks or min(writing.views, writing.frames, writing.each, writing.readers) < 1:
        raise InputError(
            f"writing {writing.each} questions of {len(writing.tasks)} subtasks from {writing.views} × "
            f"{writing.frames} frames with {writing.readers} readers: expected at least one of each"
        )
