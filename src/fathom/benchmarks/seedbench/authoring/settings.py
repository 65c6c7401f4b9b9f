"""What is written about pictures, and from what."""

from __future__ import annotations

from typing import Literal

from fathom.authoring.information.nouns import Tagger
from fathom.benchmarks.seedbench.authoring.prompts import PROMPTS
from fathom.records import InputError, Record


class PictureWriting(Record, frozen=True, kw_only=True):
    """What is written, and from what.

    seed : what is drawn follows from it
    dimensions : those that questions are written for
    apart : those that another model writes: their requests stand in folders of their own
    each : how many questions a writer is asked for, of each picture and dimension
    pictures : how many pictures; 0: all
    nouns : a picture is left out where no more different nouns than these are said of it, in captions and as
        classes of objects
    tagger : what finds them: a rule that needs no model, or spaCy's tagger (`pip install
        'fathom-bench[nouns]'`)
    alike : of how many pictures the same may be asked, with the same options and the same answer; 0: of any
        number
    readers : a question that so many models without the picture all get right goes
    people : how many people answer each question
    balance : which questions stay: all, as many of each dimension, or in the shares of the paper
    """

    seed: str = "0"
    dimensions: tuple[str, ...] = tuple(PROMPTS.kinds)
    apart: tuple[str, ...] = ("visual_reasoning",)
    each: int = 2
    pictures: int = 0
    nouns: int = 5
    tagger: Tagger = "rule"
    alike: int = 5
    readers: int = 3
    people: int = 1
    balance: Literal["none", "even", "paper"] = "none"


def check_settings(writing: PictureWriting) -> None:
    """Raise InputError for settings that make no sense."""
    for name in (*writing.dimensions, *writing.apart):
        if name not in PROMPTS.kinds:
            raise InputError(
                f"dimension {name!r}: nothing is written of it; there are {', '.join(PROMPTS.kinds)}"
            )
    least = min(writing.each, writing.readers, writing.people)
    if not writing.dimensions or least < 1 or min(writing.nouns, writing.pictures, writing.alike) < 0:
        raise InputError(
            f"writing {writing.each} questions of {len(writing.dimensions)} dimensions with "
            f"{writing.readers} readers and {writing.people} people: expected at least one of each"
        )
