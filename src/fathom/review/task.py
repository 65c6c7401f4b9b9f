"""What a kind of work for people is.

A `ReviewTask` declares one kind of work in one file of `fathom.review.tasks`: what is shown, what is asked,
by which keys, and how agreement is told. Everything else (pages, storing, dealing out, agreement, export) is
the same for all tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fathom.review.planted import Plant
from fathom.review.records import ReviewItem, ReviewStage, Values
from fathom.review.results import Results, ReviewTable
from fathom.review.source import ReviewSource


@dataclass(frozen=True)
class ReviewTask:
    """One kind of work for people.

    name, title, guidelines : what it is called, and what people read before they begin
    stages : what is asked, in order; each is asked when the one before it is done
    items : what there is to judge in a dataset, a run or a folder of photographs
    label : what an entry's values come to for agreement and consensus; "" where nothing was said
    check : what is wrong with values beyond what the fields say, as a sentence; "" where nothing is
    write : writes what people said into a folder; returns the files
    group_title : what `ReviewItem.group` is ("task", "dimension")
    drawn_options : whether each person sees the options in an order of their own
    source : what it works on; work: that of `fathom write-questions`
    checks : whether items can be shown a second time, to see whether a person says the same again
    plant : makes an item that a person should say something known of; None: nothing is planted
    stratum : what a drawn sample has equally many of; None: it is drawn from all items alike
    tables : what else there is to tell of what people said, on the progress page
    together : so many items stand on a page, and one key judges one of them; its first field is a choice then
    wanted : what would be welcome from whoever has an item, in lines; None: the page does not offer it
    """

    name: str
    title: str
    guidelines: tuple[str, ...]
    stages: tuple[ReviewStage, ...]
    items: Callable[[ReviewSource], Iterator[ReviewItem]]
    label: Callable[[Mapping[str, Mapping[str, Any]]], str]
    write: Callable[[Results, Path], Sequence[Path]]
    check: Callable[[ReviewItem, Values], str] = lambda item, values: ""
    group_title: str = "task"
    drawn_options: bool = False
    source: Literal["dataset", "run", "photos", "work"] = "dataset"
    checks: bool = False
    plant: Plant | None = None
    stratum: Callable[[ReviewItem], tuple[str, ...]] | None = None
    tables: Callable[[Results], Sequence[ReviewTable]] = lambda results: ()
    together: int = 1
    wanted: Callable[[Results, ReviewItem], Sequence[str]] | None = None

    def stage(self, name: str) -> ReviewStage | None:
        """Return a stage by its name, None where there is none."""
        return next((s for s in self.stages if s.name == name), None)
