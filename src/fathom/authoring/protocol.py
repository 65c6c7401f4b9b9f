"""What a benchmark supplies so that models can write its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from fathom.authoring.requests import ModelStep
from fathom.authoring.review import ReviewLine
from fathom.authoring.work import Work
from fathom.records import Question, Record
from fathom.store.datasets import Dataset
from fathom.store.subjects import Subject

S = TypeVar("S", bound=Record)


@dataclass(frozen=True)
class Writing:
    """One piece of work as it is begun at each call: what is written about, and how it goes on.

    `columns` are those of the table: what outcomes are counted by, and its title. `go_on` goes from step to
    step, and returns the questions that were kept; it raises WaitError where somebody is waited for.
    """

    subjects: Mapping[str, Subject]
    columns: Mapping[str, str]
    seed: str
    go_on: Callable[[Work], Sequence[Question]]


@dataclass(frozen=True)
class Authoring(Generic[S]):
    """How a benchmark's questions are written by models.

    needs : which datasets it `fits`, in words
    settings : those of the work, with their defaults; `key` is where they stand in WORK/settings.json
    check : raises InputError for settings that make no sense
    begin : opens a dataset; it raises InputError where nothing can be written about it
    steps : the names of all steps in their order; `model_steps` those that models do
    version : of the prompt set; it stands with each request
    replaces : whether they take the place of the dataset's own questions, and do not stand behind them
    line : what stands in a line of the review file, where people decide; None: nobody is asked
    source : what the source of a question begins with that was written so
    note : what a dataset says that got questions; it may say {count} and {models}
    prove : raises UnfitError for a question that the dataset does not bear out
    """

    needs: str
    fits: Callable[[Dataset], bool]
    settings: S
    key: str
    check: Callable[[S], None]
    begin: Callable[[Dataset, S], Writing]
    steps: tuple[str, ...]
    model_steps: tuple[ModelStep, ...]
    version: str
    source: str
    note: str
    prove: Callable[[Dataset, Sequence[Question]], None] = lambda dataset, questions: None
    replaces: bool = False
    line: type[ReviewLine] | None = None
