"""What the steps of a build leave on disk: scenes, what is asked of them, proofs and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from fathom.authoring.captions.claims import Caption
from fathom.records import Media, Question, Record, Scene, TextReading

E = TypeVar("E")
W = TypeVar("W")
T = TypeVar("T")

AGREE, DISAGREE, UNDECIDED = "agree", "disagree", "cannot decide"
VERDICTS = (AGREE, DISAGREE, UNDECIDED)


class ScenePart(Record, Generic[E], frozen=True, kw_only=True):
    """A scene that is done: the record, the hashes of what lies in the dataset about it, and what its
    generator knows besides.

    `files` are other files than its truth, by their paths in the dataset.
    """

    scene: Scene
    truth_sha256: str
    files: dict[str, str] = {}
    own: E


class QuestionChoice(Record, Generic[W, T], frozen=True, kw_only=True):
    """What is asked of all scenes: index → what becomes questions, and what the choice came to.

    `indices` are the scenes of the dataset in order. `lacking` says how much of what is wanted could not be
    had, the most important first: of two choices the one that lacks less is taken.
    """

    indices: tuple[int, ...]
    work: dict[int, W]
    tally: T
    lacking: tuple[int, ...] = ()


class Proof(Record, frozen=True, kw_only=True):
    """The questions of a scene; what each derivation of their answers comes to, and whether it is the same;
    what the last check found; and whether the words of each mean its program.

    `captions` describe the scene, and `untrue` says of those in which a second check finds a fault, by their
    texts, what that is. `more` are questions without a program, to which the captions are references.
    """

    questions: tuple[Question, ...]
    first: dict[str, str]
    second: dict[str, str | None]
    verdicts: dict[str, str]
    found: dict[str, int] = {}
    texts: dict[str, TextReading] = {}
    captions: tuple[Caption, ...] = ()
    untrue: dict[str, str] = {}
    more: tuple[Question, ...] = ()


class ScenePictures(Record, frozen=True, kw_only=True):
    """The media of one scene."""

    media: tuple[Media, ...]


def compared(first: Mapping[str, str], second: Mapping[str, str | None]) -> dict[str, str]:
    """Return for each question whether both derivations come to the same."""
    return {name: verdict_of(answer, second[name]) for name, answer in first.items()}


def verdict_of(first: str, second: str | None) -> str:
    """Return whether a second derivation, None: cannot be decided, comes to the first answer."""
    return UNDECIDED if second is None else AGREE if second == first else DISAGREE
