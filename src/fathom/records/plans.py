"""Benchmarks and protocols as frozen values: names, settings, and functions as fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from fathom.records.manifest import Setting
from fathom.records.question import Media, Question, UnansweredQuestion
from fathom.records.reported import Contrast, FacetFigure, ModelStudy
from fathom.records.response import Prompt, Variant
from fathom.records.score import SampleScore, Score


@dataclass(frozen=True)
class ExtractedAnswer:
    """What an extractor read in an answer: the text picked (None: nothing could be read), and by which rule.

    `quote` holds the words that it was read in, where the rule says which.
    """

    picked: str | None
    how: str
    quote: str = ""


@dataclass(frozen=True)
class Extractor:
    """A versioned way to read and mark answers: `read` finds the answer, `value` says what it is worth.

    What `read` does not find is put to a reader of last resort where one is asked, which is shown the options
    and the text. One with a `reader` of "question" is whole only with a reader, which is shown the question
    too.
    """

    name: str
    version: str
    read: Callable[[Question, str], ExtractedAnswer]
    value: Callable[[Question, ExtractedAnswer], float]
    reader: Literal["options", "question"] = "options"


MediaOf = Callable[[str], Media]
"""From a media id to its entry: how long a video is, and how large."""


@dataclass(frozen=True)
class Protocol:
    """How a benchmark is put to a model.

    `settings` are all choices that the prompt depends on (views, frames, sampling rule, options shown …), as
    they stand in the run's manifest, and `own` is the settings dataclass that they come from. `changed` takes
    names with values, or such a dataclass, and returns the protocol with these settings; it raises
    InputError for one that it does not have. None: there is nothing to set.

    `prepared` is there where the protocol cannot put a question before it has gone through all of them, as
    when views are chosen by the evidence, which no prompt may see. It takes the dataset's questions and
    returns the protocol that can; what it found out is among that one's settings, as a hash.
    """

    name: str
    version: str
    prompt: Callable[[UnansweredQuestion, Variant, MediaOf], Prompt]
    variants: Callable[[UnansweredQuestion], tuple[Variant, ...]] = lambda asked: (Variant(),)
    parameters: Mapping[str, float | int | str] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    own: Any = None
    changed: Callable[[Mapping[str, object] | object], Protocol] | None = None
    prepared: Callable[[Iterable[Question], MediaOf], Protocol] | None = None
    joined: tuple[Literal["circular", "flip"], ...] = ()
    """Which passes of a question count as one, right only when all are: option orders, the mirror image."""
    example_answer: Callable[[str], str] = lambda answer: answer
    """How a perfect model would write `answer` (what the oracle and the random baseline say)."""


@dataclass(frozen=True)
class PublishedCell:
    """Where a published number stands: its table, row and column by name."""

    table: str
    row: str
    column: str


@dataclass(frozen=True)
class Derivation:
    """How one published cell follows from others: `derive` takes the values of `inputs`, in that order.

    `how` says it in words. `recovered` says that it takes numbers which the paper does not print, such as
    the sizes of tasks, and which were found by fitting its tables.
    """

    cell: PublishedCell
    how: str
    inputs: tuple[PublishedCell, ...]
    derive: Callable[[Sequence[float]], float]
    recovered: bool = False


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper as data; `rows` maps a model's name to its cells, None where a cell is empty.

    `ours` names for each column the score of ours that belongs under it, by name and group (an empty name:
    there is none); where `per_cent`, scores are shown times 100, and where there are `scales`, times that of
    their column.

    `ranked_by` names for a column of ranks the column that they rank, best first.

    `decimals` are those that the paper prints in each column (not given: 2, or 3 where not `per_cent`).
    `row` says what a row is of, and `labels` say more of each, such as its type of model; `sizes` how many
    questions a column has.
    `cut_short` holds the digits of cells that the text of the paper at hand breaks off. `derivations` say
    which cells follow from others, also from those of other tables. `about` tells whether a question is of
    the kind that the table is about: of a dataset with others, nothing is set beside it.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]
    note: str = ""
    ours: tuple[tuple[str, Mapping[str, str]], ...] = ()
    ranked_by: Mapping[str, str] = field(default_factory=dict)
    per_cent: bool = True
    scales: tuple[float, ...] = ()
    decimals: tuple[int, ...] = ()
    row: str = "model"
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    cut_short: Mapping[tuple[str, str], str] = field(default_factory=dict)
    derivations: tuple[Derivation, ...] = ()
    about: Callable[[Question], bool] = lambda question: True


@dataclass(frozen=True)
class StudyMeasure:
    """A number by which the points of a study are compared: a score by its name and group, shown times
    `scale` with so many `decimals`.

    A single answer holds it as the mean of the `details` of its mark (none: as the mark's value), between 0
    and `top`.
    """

    name: str = "accuracy"
    title: str = "accuracy, %"
    group: Mapping[str, str] = field(default_factory=dict)
    details: tuple[str, ...] = ()
    top: float = 1.0
    scale: float = 100.0
    decimals: int = 2


@dataclass(frozen=True)
class StudyPoint:
    """One way of putting the questions of a study: what is set otherwise, and where it stands on the axis.

    Points of one name are the same run in every study of a benchmark.
    """

    name: str
    title: str
    settings: Mapping[str, str] = field(default_factory=dict)
    at: float | None = None


@dataclass(frozen=True)
class PublishedStudy:
    """What a paper says of one model in a study: its values by point, or the changes from the first point.

    `ends` are two values of a curve of which the text says no more than that it goes from one to the other.
    `where` says where in the paper they stand, `decimals` with how many it prints them, `mean` that the row
    is the mean of the others.
    """

    model: str
    where: str
    values: Mapping[str, float] = field(default_factory=dict)
    changes: Mapping[str, float] = field(default_factory=dict)
    ends: tuple[float, float] | None = None
    decimals: int = 2
    mean: bool = False


@dataclass(frozen=True)
class Study:
    """A benchmark's questions put in several ways: what varies, of which tasks, and what was published of it.

    Every point is compared with the `baseline`. `axis` says what the places of the points are (views,
    frames); without one the points are no scale. `settings` hold for all of them and can be changed by
    whoever runs the study, those of the points cannot. No `tasks`: all there are. The first of the `measures`
    that has a value at every point is the one that is compared; `published` numbers are of the first of all.
    """

    name: str
    title: str
    ref: str
    points: tuple[StudyPoint, ...]
    baseline: str
    axis: str = ""
    protocol: str = "default"
    settings: Mapping[str, str] = field(default_factory=dict)
    tasks: tuple[str, ...] = ()
    measures: tuple[StudyMeasure, ...] = (StudyMeasure(),)
    published: tuple[PublishedStudy, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class ErrorLabel:
    """A reason why an answer is wrong, for people to choose: its name in files, its title, what it means."""

    name: str
    title: str
    meaning: str


OTHER_ERROR = ErrorLabel(
    "other",
    "Something else, or cannot be told",
    "a slip of arithmetic, a refusal, no reasoning that tells, or a question that is at fault",
)
"""What fits no other label; every benchmark has it."""

ERROR_LABELS = (
    ErrorLabel("seeing", "Seen wrongly", "something that is shown is not seen, or taken for something else"),
    ErrorLabel(
        "grounding", "Another object or time", "the words are taken for another object, or another time"
    ),
    ErrorLabel("space", "Spatial relation", "where objects are, or which way they face, is judged wrongly"),
    ErrorLabel("reasoning", "Reasoning", "what is seen is right, and the conclusion from it is not"),
    OTHER_ERROR,
)
"""The labels of a benchmark that declares none of its own."""


@dataclass(frozen=True)
class WrittenForm:
    """A form in which people write questions: words with the letters A, B and C for what they name.

    `options` are its answers in words with the same letters, `letters` those that it has.
    """

    task: str
    title: str
    text: str
    options: tuple[str, ...]
    letters: tuple[str, ...]


@dataclass(frozen=True)
class OwnTable:
    """What a benchmark's own table calls otherwise than other tables: an export of it can be imported again.

    `tags` maps a tag to its column. `options` is how the columns of options are called, around a letter.
    `segment` is the column that holds both ends of a span, `number` the one that counts within a task; "" for
    none.
    """

    tags: Mapping[str, str] = field(default_factory=dict)
    options: str = "{}"
    segment: str = ""
    number: str = ""


@dataclass(frozen=True)
class Benchmark:
    """One benchmark: what it is called, how it is put, read, scored, and what its paper published.

    `generators` says what its scenes are made by, under the names of the registry of datasets or as
    "module:attribute", each with the "module:attribute" of what the benchmark makes of them (what that is,
    its generator says); the first is the one that is built where none is named. `text_reader` names the
    function that reads the words of a built question back and says whether they mean its program, `authoring`
    how models write its questions (the first that fits a dataset), `written_forms` (of a function) the forms
    in which people do. `operators` names the operators that its programs need besides the project's, and
    `verification` the same in the second derivation, each as the "module:attribute" of a tuple. `metrics`
    turns marks into scores beyond plain accuracy, and `tables` are the published ones; `published_counts`
    says of each task how many questions the paper has.
    `facets` names further ways to divide its questions than by task; each tells the part that a question
    belongs to ("": none), and every part is scored like a task; `part_orders` gives the order of parts
    whose names do not tell it. `curves` names those whose parts are
    stretches of a number, each with its parts in order: the report draws accuracy over them. `figures` are
    the paper's over the parts of a facet, and `contrasts` pairs of questions that differ in one thing: the
    report shows both.
    No `tasks`: they are those that the dataset lists, and its title stands for this one.
    `headline` names the score that leads where a run has it; else it is plain accuracy. `studies` and
    `model_studies` are the
    paper's, and more of that kind. `error_labels` are the reasons among which people choose when they say why
    an answer is wrong.

    `layouts` names ("module:attribute") the ways in which its questions are published, `annotated` how they
    are written from annotations of videos, `predictions` the ways in which models' answers to them are;
    `own_table` is for exports, `official_files` names what writes the authors' own files ("": nothing), and
    `models` are its own baselines, which `--model` finds by name. `caption_protocols` are its own names for
    the protocols under which captions are scored (scoring/metrics/captions/protocols.py).
    """

    name: str
    title: str
    version: str
    paper: str
    tasks: Mapping[str, str]
    protocols: Mapping[str, Protocol]
    extractors: Mapping[str, Extractor]
    default_extractor: str
    generators: Mapping[str, str] = field(default_factory=dict)
    text_reader: str = ""
    operators: str = ""
    verification: str = ""
    authoring: tuple[str, ...] = ()
    written_forms: str = ""
    metrics: Callable[[Sequence[Question], Sequence[SampleScore], int], list[Score]] | None = None
    tables: tuple[PublishedTable, ...] = ()
    published_counts: Mapping[str, int] = field(default_factory=dict)
    facets: Mapping[str, Callable[[Question], str]] = field(default_factory=dict)
    part_orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    curves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    figures: tuple[FacetFigure, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    headline: str = "accuracy"
    studies: tuple[Study, ...] = ()
    model_studies: tuple[ModelStudy, ...] = ()
    error_labels: tuple[ErrorLabel, ...] = ERROR_LABELS
    layouts: str = ""
    annotated: str = ""
    predictions: str = ""
    own_table: OwnTable = OwnTable()
    official_files: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    caption_protocols: Mapping[str, str] = field(default_factory=dict)

    def in_order(self, key: str, parts: Iterable[str]) -> list[str]:
        """Return the tasks (of key "task") or parts of a facet in the order of tables, others at the end."""
        known = self.tasks if key == "task" else self.part_orders.get(key) or self.curves.get(key, ())
        place = {part: k for k, part in enumerate(known)}
        return sorted(parts, key=lambda part: (place.get(part, len(place)), part))
