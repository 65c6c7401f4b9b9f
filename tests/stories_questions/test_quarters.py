"""Tasks that share what can be asked are filled in turn, and what is missing is missing of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fathom.questions.balancing.animated import AnimatedSampler
from fathom.questions.balancing.sampler import QuestionSampler
from fathom.questions.candidate import Cell, Stratum
from fathom.questions.mix import AnimatedMix
from fathom.questions.repeating.animated import FactsCheck


class Shared(QuestionSampler[Any, Any]):
    """Two cells that take from one store."""

    def __init__(self, parts: tuple[float, ...], store: int) -> None:
        super().__init__(AnimatedMix(), FactsCheck())
        self.PARTS = parts
        self.store = store
        self.has: dict[Cell, int] = {}

    def fill(self, cell: Cell, strata: Mapping[Stratum, Sequence[Any]], wanted: int) -> tuple[int, str]:
        more = min(wanted - self.has.get(cell, 0), self.store)
        self.store -= more
        self.has[cell] = self.has.get(cell, 0) + more
        return self.has[cell], "there is no more"


def filled(parts: tuple[float, ...], store: int) -> Shared:
    sampler = Shared(parts, store)
    sampler.sample([], {("action", ""): 20, ("time", ""): 12}, sampler.fill)
    return sampler


def test_what_is_missing_is_missing_of_all() -> None:
    at_once, in_turn = filled((1.0,), 24), filled(AnimatedSampler.PARTS, 24)
    assert at_once.has == {("action", ""): 20, ("time", ""): 4}
    assert in_turn.has == {("action", ""): 15, ("time", ""): 9}
    assert dict(in_turn.selection.short) == {("action", ""): 5, ("time", ""): 3}
    assert set(in_turn.selection.reasons) == {("action", ""), ("time", "")}


def test_what_is_whole_in_the_end_has_no_reason() -> None:
    whole = filled(AnimatedSampler.PARTS, 100)
    assert whole.has == {("action", ""): 20, ("time", ""): 12}
    assert not whole.selection.reasons and not any(whole.selection.short.values())
