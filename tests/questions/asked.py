"""Scenes to questions in one call, block by block: the steps of a build, without its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Protocol, TypeVar

from fathom.questions.making import Recipe, fitted, offer, write
from fathom.questions.selection import blocks, select, uncollected
from fathom.questions.tally import Tally
from fathom.records import Question, Scene

A = TypeVar("A")
B = TypeVar("B")


class Mapper(Protocol):
    """What `map` does, and what a pool's ordered map does: the results in the order of the arguments."""

    def __call__(self, function: Callable[[A], B], values: Iterable[A], /) -> Iterable[B]:
        """Return the function's results in order."""


def question_blocks(
    scenes: Sequence[Scene], recipe: Recipe, mapper: Mapper = map
) -> Iterator[tuple[list[Question], Tally]]:
    """Yield the questions of each block of scenes in the order of the file, with a tally of that block."""
    for number, block in enumerate(blocks(len(scenes), recipe.block)):
        with uncollected():
            some = [scenes[k] for k in block]
            mean = fmean(len(scene.objects) for scene in some)
            lots = list(mapper(partial(offer, recipe=fitted(recipe, len(some), mean)), some))
            chosen, short = select(lots, recipe.asking, recipe.seed, number)
            tally = Tally(short=short)
            for lot in lots:
                tally.tried.update(lot.tried)
            out: list[Question] = []
            work = [(scene, chosen[scene.id]) for scene in some]
            for questions, found in mapper(partial(write, recipe=recipe), work):
                out += questions
                tally.checked.update(found)
            tally.add(out)
        yield out, tally


def make_questions(
    scenes: Sequence[Scene], recipe: Recipe, mapper: Mapper = map
) -> tuple[list[Question], Tally]:
    """Return the questions of all scenes in the order of the file, and what the build came to."""
    every: list[Question] = []
    tally = Tally()
    for questions, part in question_blocks(scenes, recipe, mapper):
        every += questions
        tally.tried.update(part.tried)
        tally.short.update(part.short)
        tally.checked.update(part.checked)
        tally.add(questions)
    return every, tally
