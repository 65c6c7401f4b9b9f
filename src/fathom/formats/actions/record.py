"""What published annotations say of actions in videos, in one form for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SOMETHING = "Something-Something-v2"
EPIC = "EPIC-KITCHENS-100"
BREAKFAST = "Breakfast"

MALFORMED = "a malformed row"


@dataclass(frozen=True)
class LabelledAction:
    """One action as it is annotated.

    start_s, stop_s : from when to when, in seconds; both 0 where the whole video is the action
    verb, noun : classes in plain words; a template with [something] is a verb, and has no noun
    words : what the annotation itself says
    objects : what stands for each [something]
    place : file and line
    after_gap : the row before it could not be read, so that what came before is not known
    """

    id: str
    video: str
    words: str
    verb: str
    place: str
    noun: str = ""
    start_s: float = 0.0
    stop_s: float = 0.0
    objects: tuple[str, ...] = ()
    after_gap: bool = False

    @property
    def pair(self) -> tuple[str, str]:
        """Verb and noun, by which two actions are the same."""
        return self.verb, self.noun

    @property
    def text(self) -> str:
        """The action in the words of its classes."""
        return f"{self.verb} {self.noun}".strip()


@dataclass(frozen=True)
class AnnotatedVideo:
    """One video with its actions in the order in which they begin.

    names : how its file may be called, with folders and without extension; the first that is found counts
    activity : what all actions together come to, where that is said
    """

    id: str
    source: str
    names: tuple[str, ...]
    actions: tuple[LabelledAction, ...]
    activity: str = ""


@dataclass(frozen=True)
class ActionAnnotations:
    """All videos that some files annotate.

    templates : of Something-Something-v2, template → class number
    files : file → SHA-256
    rows : how many rows were read, malformed ones included
    """

    videos: tuple[AnnotatedVideo, ...] = ()
    templates: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    rows: int = 0
