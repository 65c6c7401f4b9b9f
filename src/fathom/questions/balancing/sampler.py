"""Selecting the questions of a build: cell by cell, within the room that scenes have, and nothing twice.

Which of the candidates of a cell are taken, so that nothing can be guessed from them, differs by what answers
are: texts of films (`animated`), or numbers, words and orders of videos (`video`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from fathom.questions.candidate import Candidate, Cell, Selected, Selection, Stratum
from fathom.questions.mix import Mix

C = TypeVar("C", bound=Candidate)
C_contra = TypeVar("C_contra", bound=Candidate, contravariant=True)
S = TypeVar("S", bound=Selected[Any, Any])


Strata = Mapping[Cell, Mapping[Stratum, Sequence[C]]]
"""The candidates of each cell, by stratum."""

Fill = Callable[[Cell, Mapping[Stratum, Sequence[C]], int], tuple[int, str]]
"""What selects up to so many questions of a cell: how many there are then, and why there are no more."""


class RepeatsCheck(Protocol[C_contra]):
    """What the questions asked so far tell, so that none is asked twice or answered by another."""

    def clashes(self, candidate: C_contra, /) -> bool:
        """Return whether a question repeats one that is asked, tells its answer, or is told its own."""

    def add(self, candidate: C_contra, /) -> None:
        """Take in a question that is asked."""


class SceneRoom:
    """How many questions each scene still takes: of all tasks, of one, and of one template."""

    def __init__(self, mix: Mix) -> None:
        self._mix = mix
        self._used: Counter[tuple[str, ...]] = Counter()

    def left(self, candidate: Candidate) -> int:
        """Return how many more questions like this one its scene takes."""
        scene, template = candidate.scene, candidate.template
        return min(
            self.of_scene(scene),
            self._mix.most_per_task - self._used[scene, template.task],
            self._mix.most(template) - self._used[scene, template.task, template.id],
        )

    def of_scene(self, scene: str) -> int:
        """Return how many more questions a scene takes."""
        return self._mix.most_per_scene - self._used[(scene,)]

    def count(self, candidate: Candidate, by: int = 1) -> None:
        """Count a question that is asked, or with −1 one that is asked no more."""
        names = candidate.scene, candidate.template.task, candidate.template.id
        for k in range(len(names)):
            self._used[names[: k + 1]] += by


class QuestionSampler(Generic[C, S]):
    """The questions of a build while they are selected."""

    PARTS: tuple[float, ...] = (1.0,)
    """Up to which shares of what is wanted all cells are filled, one after the other, before the next one."""

    def __init__(self, mix: Mix, repeats: RepeatsCheck[C]) -> None:
        self.room = SceneRoom(mix)
        self.repeats = repeats
        self.selection: Selection[S] = Selection()

    def has_room(self, candidate: C) -> bool:
        """Return whether a scene may be asked one more question like this."""
        return self.room.left(candidate) > 0 and not self.repeats.clashes(candidate)

    def sample(self, candidates: Iterable[C], wanted: Mapping[Cell, int], fill: Fill[C]) -> None:
        """Select as many questions of each cell as are wanted, where there are; the scarcest cell first."""
        strata = strata_of(candidates)
        self.selection.wanted = dict(wanted)
        order = sorted(wanted, key=lambda cell: (self.plenty(cell, strata, wanted), cell))
        for part in self.PARTS:
            for cell in order:
                given, why = fill(cell, strata.get(cell, {}), math.ceil(part * wanted[cell]))
                self.selection.short[cell] = wanted[cell] - given
                if given < wanted[cell] and why:
                    self.selection.reasons[cell] = why
        for cell in wanted:
            if not self.selection.short[cell]:
                self.selection.reasons.pop(cell, None)

    def plenty(self, cell: Cell, strata: Strata[C], wanted: Mapping[Cell, int]) -> float:
        """Return how many candidates a cell has for each question that is wanted of it."""
        return count_of(strata.get(cell, {})) / max(wanted[cell], 1)


def strata_of(candidates: Iterable[C]) -> dict[Cell, dict[Stratum, list[C]]]:
    """Return candidates by cell and stratum, in their order."""
    found: dict[Cell, dict[Stratum, list[C]]] = defaultdict(lambda: defaultdict(list))
    for c in candidates:
        found[c.cell][c.stratum].append(c)
    return found


def count_of(strata: Mapping[Stratum, Sequence[C]]) -> int:
    """Return how many candidates strata have together."""
    return sum(map(len, strata.values()))
