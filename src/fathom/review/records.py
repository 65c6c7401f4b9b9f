"""What people are shown and asked, and what they said: the records of a review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from fathom.records import MediaPart

MOST_CHARACTERS = 10_000
"""A text that a person writes has at most so many."""

FormKind = Literal["choice", "option", "text", "lines", "boxes"]
"""One of given values, one of the item's options, a text, a list of texts, or marks on a picture."""

Values = dict[str, Any]
"""Field → what was given: a text, a list of texts, or a list of marks on a picture."""


class FormChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A value that can be chosen, with its title and the key that chooses it."""

    value: str
    title: str
    key: str = ""
    meaning: str = ""


class FormField(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a person is asked for one item.

    `when` maps another field to the values with which this one is asked for; `needed` says whether it can be
    left out, and `left_out` what stands beside the title of one that can. `most` is how many texts a list has
    at most.
    """

    name: str
    kind: FormKind
    title: str
    choices: tuple[FormChoice, ...] = ()
    needed: bool = True
    left_out: str = "if you like"
    when: Mapping[str, tuple[str, ...]] = {}
    placeholder: str = ""
    most: int = 1
    rows: int = 2


class ReviewStage(msgspec.Struct, frozen=True, kw_only=True):
    """One pass over an item: its fields, and which of the item's hidden entries are shown in it."""

    name: str
    title: str
    fields: tuple[FormField, ...]
    reveals: tuple[str, ...] = ()


class ReviewClip(msgspec.Struct, frozen=True, kw_only=True):
    """Frames that are played, or a video file as a whole (`whole`: its media id).

    `times_s` says when in the video each frame stands, in seconds; empty where that is not told.
    """

    frames: tuple[MediaPart, ...] = ()
    times_s: tuple[float, ...] = ()
    fps: float = 1.0
    whole: str = ""
    title: str = ""


class OfferedMark(msgspec.Struct, frozen=True, kw_only=True):
    """An object that is known of a picture: a word for it, and its box in shares of the picture's sides."""

    label: str
    box: tuple[float, float, float, float]
    picture: int = 0


class ReviewItem(msgspec.Struct, frozen=True, kw_only=True):
    """One object to look at and to judge.

    name : its key, unique in a review
    group : the task, dimension or condition by which progress and agreement are told
    pictures, clips : what is shown, by media ids of the dataset
    hidden : what only later stages show: title → text
    about : the ids of the questions, objects or captions that it is about
    facts : short lines shown beside it, title → text
    weight : how many items of the source it stands for, where a sample was drawn evenly from strata
    without : fields of its stages that are not asked of it
    outlined : picture → box (x0, y0, x1, y1 in shares of its sides) of what is meant, drawn on the picture
    offered : objects that are known of its pictures, as words and marks to take
    """

    name: str
    group: str
    title: str
    text: str = ""
    options: tuple[str, ...] = ()
    pictures: tuple[MediaPart, ...] = ()
    clips: tuple[ReviewClip, ...] = ()
    hidden: dict[str, str] = {}
    about: tuple[str, ...] = ()
    facts: dict[str, str] = {}
    cluster: str = ""
    choices: tuple[FormChoice, ...] = ()
    weight: float = 1.0
    without: tuple[str, ...] = ()
    outlined: dict[int, tuple[float, float, float, float]] = {}
    offered: tuple[OfferedMark, ...] = ()


class ReviewEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What one person said of one item in one stage, when, and how long it took them.

    Entries are never changed: who says something else adds an entry, and the last one counts. One that is
    `undone` counts as if it had not been made; it stays.
    """

    id: int
    item: str
    person: str
    stage: str
    values: Values
    at: str
    seconds: float = 0.0
    undone: bool = False


@dataclass(frozen=True)
class ForeignAnswer:
    """What somebody said of an item elsewhere: the values of each stage, in the order of the stages."""

    item: str
    person: str
    stages: Mapping[str, Values]
    seconds: float
