"""What a review works on: a dataset's questions, a run's answers, or a folder of photographs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fathom.records import ErrorLabel, MediaPart, Prompt, Question, WrittenForm
from fathom.review.records import OfferedMark, ReviewClip, ReviewItem

FRAMES = 16
"""So many frames of a video are shown where no protocol says which."""

MOST_POSSIBLE = 24
"""A question without options shows the answers that it can have as options, up to so many."""


@dataclass(frozen=True)
class PutQuestion:
    """A question as a protocol puts it: the part of its prompt that a person is shown."""

    question: Question
    prompt: Prompt


@dataclass(frozen=True)
class Answered:
    """A question with what a model answered; `asked_s` are the seconds of the video that it names.

    Its options are in the order in which it was put.
    """

    question: Question
    picked: str
    said: str
    setting: str = ""
    asked_s: tuple[float, ...] = ()


@dataclass(frozen=True)
class OpenDraft:
    """What models wrote and people are to decide about, and what is shown of it.

    `outlined` is the box of what is meant on the first picture, in shares of its sides.
    """

    question: Question
    title: str
    facts: Mapping[str, str]
    pictures: tuple[MediaPart, ...]
    clips: tuple[ReviewClip, ...]
    outlined: tuple[float, float, float, float] | None = None
    kinds: tuple[str, ...] = ()
    mendable: bool = False


@dataclass(frozen=True)
class ReviewSource:
    """What there is to review.

    path, title, identity : of the dataset or run, or of the folder of photographs
    questions : the questions, in file order; of named tasks alone where some were named
    shown : the pictures and clips of a question, as far as they are there
    requests : the questions as the protocol puts them
    answers : of a run, the answers of a model
    tasks : name → title
    error_labels : the reasons why an answer is wrong, among which people choose
    forms : the forms in which people write questions
    drafts : of the work of `fathom write-questions`, what waits for people
    described : of such work, two descriptions each of the same object
    offered : the objects that are known of a question's pictures
    """

    path: Path
    title: str
    identity: str = ""
    benchmark: str = ""
    model: str = ""
    tasks: Mapping[str, str] = field(default_factory=dict)
    questions: Callable[[], Iterator[Question]] = lambda: iter(())
    shown: Callable[[Question], tuple[tuple[MediaPart, ...], tuple[ReviewClip, ...]]] = lambda question: (
        (),
        (),
    )
    requests: Callable[[], Iterator[PutQuestion]] = lambda: iter(())
    answers: Callable[[], Iterator[Answered]] = lambda: iter(())
    error_labels: Sequence[ErrorLabel] = ()
    forms: Sequence[WrittenForm] = ()
    drafts: Callable[[], Iterator[OpenDraft]] = lambda: iter(())
    described: Callable[[], Iterator[tuple[OpenDraft, OpenDraft]]] = lambda: iter(())
    offered: Callable[[Question], tuple[OfferedMark, ...]] = lambda question: ()

    def item(self, question: Question, name: str = "", **more: object) -> ReviewItem:
        """Return a question as an item: text, options, pictures and clips, nothing that tells the answer."""
        pictures, clips = self.shown(question)
        values: dict[str, object] = {
            "name": name or question.id,
            "group": question.task,
            "title": self.tasks.get(question.task, question.task),
            "text": question.text,
            "options": question.choices
            or (question.possible if len(question.possible) <= MOST_POSSIBLE else ()),
            "pictures": pictures,
            "clips": clips,
            "about": (question.id,),
            "cluster": question.groups.cluster or question.scene or question.id,
            **more,
        }
        return ReviewItem(**values)  # type: ignore[arg-type]
