"""Which of the five the answer is to be, and how far apart they are to lie, dealt out before they are drawn.

Each place among the five is dealt as often as the others: in each task of a setting, and in each form. Levels
are dealt so that their shares come out over a setting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fathom.build.options.fine.adjusting import POINTS
from fathom.build.options.fine.five import Options
from fathom.build.options.fine.grading import Slot, level_of
from fathom.build.questions.tracks.asking import Draft, Picked, TrackRecipe
from fathom.build.questions.tracks.spreading import is_ranked
from fathom.store.seeds import rng

Cell = tuple[str, str]


@dataclass
class Deck:
    """What has been asked so far: how often the answer was at each place, and each level."""

    recipe: TrackRecipe
    had: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def deal(self, one: Draft, count: int, turn: str) -> list[Slot]:
        """Return what the options of the next questions of a pool are to be."""
        g = rng(self.recipe.seed, "slots", one.setting, one.form.id, turn, sum(self.had.values()))
        shares = self.recipe.mix.levels if self.recipe.errors == "graded" else {}
        planned: Counter[tuple[str, ...]] = Counter()

        def so_far(*key: str) -> int:
            return self.had[key] + planned[key]

        out = []
        for _ in range(count):
            rank = -1
            if is_ranked(one):
                rank = min(
                    range(POINTS),
                    key=lambda r: (*(so_far(*k, str(r)) for k in _places(one)), g.random()),
                )
            level = _most_wanted(shares, {s: so_far(one.setting, s) for s in shares})
            out.append(Slot(rank, level))
            planned.update([*((*k, str(rank)) for k in _places(one)), (one.setting, level)])
        return out

    def lopsided(self, one: Draft, options: Options) -> int:
        """Return how often the answer was already, in each of its numbers, at its place by size among the
        five.
        """
        return sum(self.had[key] for key in _places_of_parts(one, options))

    def count(self, picked: Picked, options: Options, by: int = 1) -> None:
        """Count a question that is asked, or with −1 one that is asked no more."""
        one = picked.draft
        keys = [(*k, str(picked.slot.rank)) for k in _places(one)] if is_ranked(one) else []
        if one.form.kind == "order":
            keys.append((one.form.task, one.setting, str(one.answered.value)))
        if picked.slot.level and options.nearest_shown is not None:
            keys.append((one.setting, level_of(options.nearest_shown / one.precise_to)))
        for key in (*keys, *_places_of_parts(one, options)):
            self.had[key] += by

    def surplus(self, ranked: Sequence[Picked]) -> list[Picked]:
        """Return the questions of a cell that are too many: none of the places is to be the answer's more
        often than another by more than one.
        """
        by_rank: dict[int, list[Picked]] = {r: [] for r in range(POINTS)}
        for p in ranked:
            by_rank[p.slot.rank].append(p)
        most = min(map(len, by_rank.values())) + 1
        return [p for found in by_rank.values() for p in found[most:]]


def _most_wanted(shares: Mapping[str, float], had: Mapping[str, int]) -> str:
    total = sum(had.values()) + 1
    return max(shares, key=lambda s: shares[s] * total - had[s]) if shares else ""


def _places(one: Draft) -> tuple[tuple[str, ...], ...]:
    return ((one.form.task, one.setting),)


def _places_of_parts(one: Draft, options: Options) -> list[tuple[str, ...]]:
    """Return of which number the answer is at which place, of several that have no order."""
    if is_ranked(one) or not options.numbers:
        return []
    out: list[tuple[str, ...]] = []
    for k, column in enumerate(zip(*options.numbers, strict=True)):
        if min(column) < max(column):
            place = sum(x < column[options.index] for x in column)
            out.append((one.form.task, one.setting, f"number {k}", str(place)))
    return out
