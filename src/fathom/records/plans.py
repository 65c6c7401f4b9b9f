"""Benchmarks and protocols as frozen values: names, settings, and functions as fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fathom.records.manifest import Setting
from fathom.records.question import Asked, Media, Question
from fathom.records.response import Prompt, Variant
from fathom.records.score import Mark, Score


@dataclass(frozen=True)
class Reading:
    """What a policy read in an answer: the text picked (None: nothing could be read), and by which rule."""

    picked: str | None
    how: str


@dataclass(frozen=True)
class Policy:
    """A versioned way to read and mark answers: `read` finds the answer, `value` says what it is worth."""

    name: str
    version: str
    read: Callable[[Question, str], Reading]
    value: Callable[[Question, Reading], float]


MediaOf = Callable[[str], Media]
"""From a media id to its entry: how long a video is, and how large."""


@dataclass(frozen=True)
class Protocol:
    """How a benchmark is put to a model.

    `settings` are all choices that the prompt depends on (views, frames, sampling rule, options shown …), as
    they stand in the run's manifest; `changed` returns the protocol with some of them set otherwise, and
    raises InputError for one that it does not have. None: there is nothing to set.
    """

    name: str
    version: str
    prompt: Callable[[Asked, Variant, MediaOf], Prompt]
    variants: Callable[[Asked], tuple[Variant, ...]] = lambda asked: (Variant(),)
    parameters: Mapping[str, float | int | str] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    changed: Callable[[Mapping[str, str]], Protocol] | None = None
    example_answer: Callable[[str], str] = lambda answer: answer
    """How a perfect model would write `answer` (what the oracle and the random baseline say)."""


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper as data; `rows` maps a model's name to its cells, None where a cell is empty.

    `ours` names for each column the score of ours that belongs under it, by name and group (an empty name:
    there is none); where `per_cent`, scores are shown times 100.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]
    note: str = ""
    ours: tuple[tuple[str, Mapping[str, str]], ...] = ()
    per_cent: bool = True


@dataclass(frozen=True)
class Benchmark:
    """One benchmark: what it is called, how it is put, read, scored, and what its paper published.

    `construct` builds it (the signature is build's own), `metrics` turns marks into scores beyond plain
    accuracy, and `tables` are the published ones.
    """

    name: str
    title: str
    version: str
    paper: str
    tasks: Mapping[str, str]
    protocols: Mapping[str, Protocol]
    policies: Mapping[str, Policy]
    default_policy: str
    construct: str = ""
    metrics: Callable[[Sequence[Question], Sequence[Mark], int], list[Score]] | None = None
    tables: tuple[PublishedTable, ...] = ()
