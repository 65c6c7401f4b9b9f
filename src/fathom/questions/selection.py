"""Which candidates become questions: answers drawn first, uniformly and one by one.

For every question the answer is drawn from its family's answers, each as likely as the other and without
regard to what was drawn before (exact quotas would let the order of the file tell the answers that are still
due). Then a candidate with that answer is drawn from the block's scenes by its weight (see `balance`), each
scene taking about the same number.
"""

from __future__ import annotations

import gc
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from fathom.geometry.poses import Array
from fathom.questions.asking import FEWEST, FROM_SCENES, Asking, Chances, StillCandidate, StillSelected
from fathom.questions.balance import Pool, pools_of
from fathom.questions.candidate import SceneCandidates, Selected
from fathom.questions.columns import Ints
from fathom.questions.repeats import Told, said_by
from fathom.questions.templates import Template

BLOCK = 250
"""Scenes whose candidates are pooled."""


def blocks(count: int, size: int = BLOCK) -> list[range]:
    """Return the blocks of `count` scenes: as even as can be, none larger than one and a half times
    `size`.
    """
    if not count:
        return []
    number = max(1, round(count / size))
    edges = [round(k * count / number) for k in range(number + 1)]
    return [range(a, b) for a, b in pairwise(edges)]


@contextmanager
def uncollected() -> Iterator[None]:
    """Put off the search for reference cycles, of which drafting makes none: a tenth of its time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            # What was made meanwhile goes to the oldest generation, which is not searched at once.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


@uncollected()
def select(
    lots: Sequence[SceneCandidates[StillCandidate]], asking: Asking, seed: str, block: int, scenes: int = 0
) -> tuple[dict[str, list[StillSelected]], Counter[str]]:
    """Return the chosen candidates of each scene of a block, and how often what was drawn could not be had.

    As many are wanted as of so many `scenes`, 0 for those of the lots. A pure function of the lots in their
    order, the settings, the seed and the block's number.
    """
    families = {t.id: t for t in asking.templates}
    offered: dict[str, list[StillCandidate]] = defaultdict(list)
    for lot in lots:
        for c in lot.candidates:
            offered[c.template].append(c)
    sizes = sorted(len(lot.candidates) for lot in lots)
    edges = [sizes[len(sizes) * q // 4] for q in range(1, 4)]
    richness = {lot.scene: sum(len(lot.candidates) >= q for q in edges) for lot in lots}
    order = {lot.scene: k for k, lot in enumerate(lots)}
    chosen: dict[str, list[StillSelected]] = {lot.scene: [] for lot in lots}
    short: Counter[str] = Counter()
    told: defaultdict[str, Told] = defaultdict(Told)
    count = scenes or len(lots)
    targets = asking.targets(count)
    for task, per_scene in asking.amounts.items():
        total = round(per_scene * count)
        found = {name: some for name, some in offered.items() if families[name].task == task}
        pools = pools_of(found, families, asking.vocabulary, total, richness, targets)
        chances = Chances(seed, "select", task, block)
        room = np.full(len(order), float(math.ceil(per_scene * 1.25)))
        draw = Draw(pools, found, order, families, told, chances, room)
        draw.every_turn()
        if count >= FROM_SCENES:
            draw.at_least({name: min(FEWEST, round(targets[name] * total)) for name in pools})
        short[task] = total - len(draw.drawn)
        for one in draw.drawn:
            chosen[one.candidate.scene].append(one)
    return chosen, short


class _AnswerStratum:
    """The candidates of one template with one answer, drawn by weight and without return."""

    def __init__(self, members: Ints, weights: Array, scenes: Ints) -> None:
        self.members = members
        self.weights = weights[members]
        self.scenes = scenes[members]

    def draw(self, pull: Array, u: float) -> int:
        """Return the index of a member, each drawn by its weight times its scene's `pull`, −1 where none is
        left.
        """
        sums = (self.weights * pull.take(self.scenes)).cumsum()
        if sums[-1] <= 0:
            return -1
        k = int(sums.searchsorted(u * sums[-1], side="right"))
        self.weights[k] = 0.0
        return int(self.members[k])


@dataclass
class Draw:
    """What is drawn of the pools of a task; `room` is how many more questions each scene takes, and `told`
    what the questions of all tasks say so far of each.
    """

    pools: dict[str, Pool]
    found: dict[str, list[StillCandidate]]
    order: dict[str, int]
    families: Mapping[str, Template]
    told: defaultdict[str, Told]
    chances: Chances
    room: Array
    drawn: list[StillSelected] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)

    @cached_property
    def pull(self) -> Array:
        """How much likelier the candidates of each scene are drawn for the room that it has."""
        return self.room**2

    @cached_property
    def strata(self) -> dict[str, list[_AnswerStratum]]:
        """The candidates of each template by their answers."""
        strata = {}
        for name, pool in self.pools.items():
            scenes = np.array([self.order[c.scene] for c in self.found[name]], dtype=np.int64)
            strata[name] = [_AnswerStratum(m, pool.weights, scenes) for m in pool.members]
        return strata

    def every_turn(self) -> None:
        """Draw as many questions of each template as are wanted, and of each the answer first."""
        turns = [name for name in sorted(self.pools) for _ in range(self.pools[name].wanted)]
        while turns:
            name = turns.pop(self.chances.below(len(turns)))
            self._take(name, self.chances.below(len(self.pools[name].answers)))

    def at_least(self, numbers: Mapping[str, int]) -> None:
        """Draw of templates that were asked less often than this, also where an answer ran out, with whatever
        is left.
        """
        for name in sorted(self.pools):
            answers = list(range(len(self.pools[name].answers)))
            while answers and self.asked[name] < numbers[name]:
                answer = answers[self.chances.below(len(answers))]
                if not self._take(name, answer):
                    answers.remove(answer)

    def _take(self, name: str, answer: int) -> bool:
        """Draw a question of a template with this answer; return whether there was one.

        The answer stays until a candidate is found, so that none is rarer for being harder to ask.
        """
        answers, stratum = self.pools[name].answers, self.strata[name][answer]
        while (k := stratum.draw(self.pull, self.chances.unit())) >= 0:
            c = self.found[name][k]
            left = tuple([a for a in answers if a not in c.ruled_out])
            told, says = self.told[c.scene], said_by(c, self.families[name])
            if len(left) >= 2 and not told.clashes(says):
                told.add(says)
                self._fill(self.order[c.scene])
                self.drawn.append(Selected(c, left))
                self.asked[name] += 1
                return True
        return False

    def _fill(self, scene: int) -> None:
        """Take in that a scene has room for one question less."""
        self.room[scene] -= 1
        self.pull[scene] = self.room[scene] ** 2
