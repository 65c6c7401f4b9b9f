"""What is written about clips, and how it is sorted."""

from __future__ import annotations

from fathom.benchmarks.seedbench.videos.authoring.prompts import PROMPTS
from fathom.records import InputError, Record


class ClipWriting(Record, frozen=True, kw_only=True):
    """What is written, and how it is sorted.

    seed : what is drawn follows from it
    dimensions : those whose wrong options are written
    most : questions of each dimension, the first ones of the dataset; 0: all
    factor : how many times as long, or as short, as the right option a wrong one may be, in characters
    readers : a question that so many models without the clip all get right goes
    people : how many people answer each question
    """

    seed: str = "0"
    dimensions: tuple[str, ...] = tuple(PROMPTS.kinds)
    most: int = 0
    factor: float = 2.5
    readers: int = 3
    people: int = 1


def check_settings(writing: ClipWriting) -> None:
    """Raise InputError for settings that make no sense."""
    for name in writing.dimensions:
        if name not in PROMPTS.kinds:
            raise InputError(f"dimension {name!r}: it is none of clips; there are {', '.join(PROMPTS.kinds)}")
    if not writing.dimensions or min(writing.readers, writing.people) < 1 or writing.most < 0:
        raise InputError(
            f"writing for {len(writing.dimensions)} dimensions with most={writing.most}, {writing.readers} "
            f"readers and {writing.people} people: expected at least one dimension, reader and person, and "
            "most from 0"
        )
    if not writing.factor >= 1:
        raise InputError(f"--set factor={writing.factor:g}: expected at least 1; correct it")
