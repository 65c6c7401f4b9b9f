"""What is written about videos, and the records that move from step to step."""

from __future__ import annotations

from typing import Literal

from fathom.records import InputError, Question, Record, Step

MOST_PICTURES = 30


class VideoWriting(Record, frozen=True, kw_only=True):
    """What is written, and from what.

    seed : what is drawn follows from it
    objects : how many objects are described in each video and span
    spans : in how many spans of a video, beside the whole of it
    each : how many questions are written about a video, on average
    frames : how many of the frames that are shown the describing model sees
    videos : how many videos (0: all)
    readers : what so many blind readers all get right goes; 0: nobody reads
    people : whether people are asked for what only they can decide; else it goes
    """

    seed: str = "0"
    objects: int = 6
    spans: int = 1
    each: int = 4
    frames: int = 8
    videos: int = 0
    readers: int = 2
    people: Literal["yes", "no"] = "yes"


def check_settings(writing: VideoWriting) -> None:
    """Raise InputError for settings that make no sense."""
    counts = (writing.spans, writing.videos, writing.readers, writing.frames)
    if min(writing.objects, writing.each) < 1 or min(counts) < 0 or writing.frames > MOST_PICTURES:
        raise InputError(
            f"writing {writing.each} questions about {writing.objects} objects a video from {writing.frames} "
            f"frames with {writing.readers} readers: expected at least one question and object, and at most "
            f"{MOST_PICTURES} frames"
        )


class Target(Record, frozen=True, kw_only=True):
    """One request for descriptions: a video, a span as places among its shown frames, and who is meant.

    first, last : the places of the ends; 0 and −1 stand for the whole video
    objects : what an object is called in the request → its id
    """

    id: str
    scene: str
    setting: str
    media: str
    first: int
    last: int
    objects: dict[str, str]


class Description(Record, frozen=True, kw_only=True):
    """A description as a model wrote it, and what the truth says of it."""

    id: str
    target: str
    scene: str
    setting: str
    media: str
    object_id: str
    first: int
    last: int
    words: str
    writer: str
    outcome: Literal["fits", "people", "rejected"]
    reason: str = ""
    detail: str = ""
    program: tuple[Step, ...] = ()


class Fact(Record, frozen=True, kw_only=True):
    """Something true of a video, that a question is to ask for: `question` holds its program and options.

    words : the descriptions that the question must use; descriptions : their ids
    times : the times that it must state, in their order
    fixed : what it must say word for word, since a number hangs on it
    left : why it is not asked for, "" where it is
    """

    id: str
    question: Question
    setting: str
    form: str
    words: tuple[str, ...]
    descriptions: tuple[str, ...]
    times: tuple[str, ...]
    fixed: tuple[str, ...]
    left: str = ""
