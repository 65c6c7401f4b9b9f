"""What a benchmark wants a report to show beyond tasks: parts beside published rows, and contrasts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from fathom.records.question import Question


@dataclass(frozen=True)
class FacetFigure:
    """A figure of the paper over the parts of a facet, ours beside the published.

    `parts` maps each part to what it is called, `columns` to its column in the published `table`. `rows` are
    the published models that are shown, and `line` is the row that is drawn as a line: that of people.
    """

    facet: str
    title: str
    table: str
    parts: Mapping[str, str]
    columns: Mapping[str, str]
    rows: tuple[str, ...] = ()
    line: str = ""


@dataclass(frozen=True)
class Contrast:
    """Two questions that are the same but for one thing, such as the viewpoint of their pictures.

    `key` tells which belong together ("": none), `part` which of the two `parts` a question is. `names` are
    those of the parts, and `lead` says what a model that is right on the first and wrong on the second lacks.
    """

    name: str
    title: str
    lead: str
    key: Callable[[Question], str]
    part: Callable[[Question], str]
    parts: tuple[str, str]
    names: tuple[str, str]


@dataclass(frozen=True)
class ModelStudy:
    """A study of several models, told apart by labels such as the vision encoder.

    `table` names the published table whose rows have these `labels`, and `scores` says which score of ours
    stands in each of its columns: name and group.
    Where models are compared, passes count as one by `grouping`.
    """

    name: str
    title: str
    ref: str
    table: str
    labels: tuple[str, ...]
    scores: tuple[tuple[str, Mapping[str, str]], ...]
    protocol: str = "default"
    grouping: Literal["plain", "circular", "flip", "both"] = "plain"
