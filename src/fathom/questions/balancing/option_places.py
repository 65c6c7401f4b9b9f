"""Which of the five the answer is to be, and how far apart they are to lie, dealt out before they are drawn.

Places are dealt by chance: in each task of a setting each of the five is as likely every time, whatever was
dealt before. Were each dealt as often as the others, what is rare among some questions would be frequent
among the rest: who learns from the ones would guess the others worse than by chance, and who then says the
opposite better. Over a whole build no place is dealt far more often than another. Levels are dealt so that
their shares come out over a setting: what trajectories, turns and poses have too much of is dealt less to all
others alike, not to the last ones alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fathom.questions.candidate import Cell
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.numeric.error_sampling import POINTS
from fathom.questions.numeric.separation import Slot, level_of
from fathom.questions.video_candidate import VideoCandidate, VideoSelected
from fathom.store.seeds import rng

LOOSE = 2.0
"""By so many standard deviations any place may be dealt more or less often than the others in a build: so far
that those who always guess one place are at chance, and hardly nearer than by chance alone."""

DEALS = 200
"""So many times places are dealt anew, until none is too frequent."""


@dataclass
class OptionPlaces:
    """What has been asked so far: how often the answer was at each place, and each level.

    places : for each task of a setting the places of its answers, in the order in which they are dealt
    graded : how many questions of a setting are wanted that have a level
    """

    recipe: VideoQuestionRecipe
    places: Mapping[Cell, Sequence[int]]
    graded: Mapping[str, int] = field(default_factory=dict)
    had: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def deal(self, one: VideoCandidate, count: int, turn: str) -> list[Slot]:
        """Return what the options of the next questions of a pool are to be."""
        g = rng(self.recipe.seed, "slots", one.setting, one.template.id, turn, sum(self.had.values()))
        shares = self._left_of_levels(one.setting) if self.recipe.errors == "graded" else {}
        planned: Counter[tuple[str, ...]] = Counter()

        def so_far(*key: str) -> int:
            return self.had[key] + planned[key]

        out = []
        for _ in range(count):
            rank = -1
            if one.is_ranked:
                asked = {r: so_far(*one.cell, str(r)) for r in range(POINTS)}
                rank = next(_left(self.places[one.cell], asked), int(g.integers(POINTS)))
            level = str(g.choice([*shares], p=[*shares.values()])) if shares else ""
            out.append(Slot(rank, level))
            planned[*one.cell, str(rank)] += 1
        return out

    def _left_of_levels(self, setting: str) -> dict[str, float]:
        """Return which share each level has of the questions of a setting that are still to be asked."""
        levels, total = self.recipe.mix.levels, self.graded.get(setting, 0)
        left = {s: max(share * total - self.had[setting, s], 0.0) for s, share in levels.items()}
        whole = sum(left.values())
        return {s: n / whole for s, n in left.items()} if whole else dict(levels)

    def count(self, selected: VideoSelected, by: int = 1) -> None:
        """Count a question that is asked, or with −1 one that is asked no more."""
        one, options, slot = selected.candidate, selected.options, selected.plan.slot
        keys: list[tuple[str, ...]] = [(*one.cell, str(slot.rank))] if selected.plan.is_ranked else []
        if one.template.asks == "order":
            keys.append((one.template.task, one.setting, str(one.answered.value)))
        if one.known and options.nearest_shown is not None:
            keys.append((one.setting, level_of(options.nearest_shown / one.precise_to)))
        for key in keys:
            self.had[key] += by

    def surplus(self, ranked: Sequence[VideoSelected]) -> list[VideoSelected]:
        """Return the questions of a cell that are too many: what is left is what was dealt first, without a
        gap. A place for which fewer answers are found would be the answer's more seldom.
        """
        by_rank: dict[int, list[VideoSelected]] = {r: [] for r in range(POINTS)}
        for p in ranked:
            by_rank[p.plan.slot.rank].append(p)
        kept = Counter[int]()
        for rank in self.places[ranked[0].candidate.cell] if ranked else ():
            if kept[rank] == len(by_rank[rank]):
                break
            kept[rank] += 1
        return [p for rank, found in by_rank.items() for p in found[kept[rank] :]]


def dealt_places(wanted: Mapping[Cell, int], recipe: VideoQuestionRecipe) -> dict[Cell, list[int]]:
    """Return the places of the answers of each task of a setting, as many as are wanted: each at any place,
    dealt anew where a place comes up too often, or too seldom, in all together.
    """
    total = sum(wanted.values())
    most = LOOSE * math.sqrt(total * (POINTS - 1)) / POINTS
    found: dict[Cell, list[int]] = {}
    for turn in range(DEALS):
        found = {
            cell: rng(recipe.seed, "places", *cell, turn).integers(POINTS, size=count).tolist()
            for cell, count in wanted.items()
        }
        counts = Counter(place for places in found.values() for place in places)
        if all(abs(counts[r] - total / POINTS) <= most for r in range(POINTS)):
            break
    return found


def _left(places: Sequence[int], asked: Mapping[int, int]) -> Iterator[int]:
    """Yield the places that are dealt and not yet asked, in their order."""
    seen = Counter[int]()
    for place in places:
        seen[place] += 1
        if seen[place] > asked[place]:
            yield place
