"""What a blind stress test found, and what it could have found.

"At chance" is said only where a leak of five points would have been noticed in four sets of five; what is
above chance says so, however few the questions; all else is too little to tell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fathom.english import rounded
from fathom.stats.intervals import accuracy_interval, mean_interval

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

FEWEST_QUESTIONS, FEWEST_SCENES = 100, 6
"""With fewer scenes there is no telling chance from a leak, and with fewer questions none is called clean."""

NEAR_CHANCE_FROM = 10_000
"""From so many questions on, the accuracy has to lie near chance too, however wide its interval."""
NEAR_CHANCE = 0.015

WAYS, FALSE_ALARMS, TASKS_SHARE = 3, 0.05, 0.25
"""A set is called leaky where one of three ways to hold out, or one task, is above chance. Each bound is so
far out (Bonferroni) that all of them together raise a false alarm on at most one clean set in twenty; a
quarter of that is left to the tasks."""

NOTICED, POWER = 0.05, 0.8
"""A set is called clean only where so much beyond chance would have been noticed with this probability."""

Verdict = Literal["at chance", "above chance", "too few to tell"]
TOO_FEW: Verdict = "too few to tell"

SAME = 1e-9
"""A standard error below this is that of scenes which all say the same."""

_POWER_ERRORS = NormalDist().inv_cdf(POWER)

FOLDS_TEACH_EACH_OTHER = math.sqrt(2)
"""What k-fold errors are widened by. Each pair of folds teaches one another: a chance likeness between two
folds makes both guesses right, a chance difference both wrong, and the clustered error counts each pair once
where it acts twice. The square root of 2 bounds this; 1.0 to 1.25 was measured on clean sets."""


@dataclass(frozen=True)
class FoldResult:
    """What the forest guessed under one way to hold questions out.

    `low` and `high` bound the accuracy, clustered by scene; of a clean set, `low` lies below chance in all
    ways to hold out together with 95 % confidence. `noticeable` is the smallest excess over chance that would
    have been noticed in four sets of five. `chance` is the mean of 1 / candidates over the same `n`
    questions on `scenes` scenes. `cues` are the columns that the trees leaned on most, with their share of
    the forest's gain.
    """

    folds: str
    accuracy: float
    low: float
    high: float
    chance: float
    n: int
    cues: tuple[tuple[str, float], ...]
    scenes: int
    noticeable: float = math.inf

    @property
    def verdict(self) -> Verdict:
        """Whether the lower bound reaches chance and, with many questions, the accuracy lies near it.

        What would not have noticed a leak of five points does not call a set clean; a leak that is found is
        one, however few the questions.
        """
        if self.scenes < FEWEST_SCENES:
            return TOO_FEW
        near = self.n < NEAR_CHANCE_FROM or self.accuracy <= self.chance + NEAR_CHANCE
        if self.low > self.chance or not near:
            return "above chance"
        enough = self.n >= FEWEST_QUESTIONS and self.noticeable <= NOTICED
        return "at chance" if enough else TOO_FEW


@dataclass(frozen=True)
class BlindResult:
    """The stress test of a set of questions.

    `folds` has a result for each way to hold out that must stay at chance, as far as the set allows it;
    `same_picture` shows what other answers on a picture tell, None where no scene has two questions. `tasks`
    holds each task by itself, named "task, way to hold out".
    `bias_scores` has for each tested question the mean probability that the forest put on the right answer in
    the random folds and those by scene, less chance: above 0 the answer is easier to guess than it should be.
    `untested` counts questions with fewer than two candidates, for which chance is not defined.
    """

    n: int
    untested: int
    chance: float
    folds: tuple[FoldResult, ...]
    bias_scores: dict[str, float]
    same_picture: FoldResult | None = None
    tasks: tuple[FoldResult, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """What all of it comes to: at chance only where each way to hold out could have told otherwise."""
        if self.leaks:
            return "above chance"
        told = self.folds and all(result.verdict == "at chance" for result in self.folds)
        return "at chance" if told else TOO_FEW

    @property
    def leaks(self) -> tuple[FoldResult, ...]:
        """The ways to hold out, and the tasks, that are above chance."""
        return tuple(r for r in (*self.folds, *self.tasks) if r.verdict == "above chance")

    @property
    def noticeable(self) -> float:
        """The smallest excess over chance that every way to hold out would have noticed."""
        return max((result.noticeable for result in self.folds), default=math.inf)

    @property
    def passed(self) -> bool:
        """Whether the forest is nowhere above chance; too few questions to tell are no reason to fail."""
        return self.verdict != "above chance"


def seen_words(found: BlindResult) -> str:
    """Return in words what a stress test could have seen."""
    if not found.n:
        return "no question has two or more possible answers to guess among"
    if found.verdict == "above chance":
        return ""
    points = f"{rounded(100 * found.noticeable)} points"
    if found.verdict == TOO_FEW:
        missed = (
            f"a leak below {points} could go unnoticed, and one of {100 * NOTICED:.0f} points should not"
            if found.noticeable < 1
            else "any leak could go unnoticed"
        )
        return f"{TOO_FEW}: {missed}; it takes more questions, on more scenes or pictures"
    return f"a leak of {points} or more would be noticed in {rounded(100 * POWER, 0)} sets of 100"


def compare_with_chance(
    kind: str,
    shares: Floats,
    right: Ints,
    chances: Floats,
    scenes: Sequence[str],
    held: Flags,
    leaned: tuple[tuple[str, float], ...],
    alarms: float = FALSE_ALARMS * (1 - TASKS_SHARE) / WAYS,
) -> FoldResult:
    """Return the accuracy on held-out questions against chance; equally likely guesses share the credit.

    `alarms` is how often a clean set may lie above its lower bound.
    """
    best = shares >= shares.max(axis=1, keepdims=True) - 1e-12
    credit = (best[np.arange(len(right)), right] / best.sum(axis=1))[held]
    chance = float(chances[held].mean())
    some = [s for s, h in zip(scenes, held, strict=True) if h]
    excess = mean_interval(credit - chances[held], some, confidence=1 - 2 * alarms)
    wider = 1.0 if kind == "in file order" else FOLDS_TEACH_EACH_OTHER
    accuracy, half = float(credit.mean()), wider * (excess.high - excess.value)
    low, high = max(0.0, accuracy - half), min(1.0, accuracy + half)
    if excess.standard_error < SAME:
        # All scenes say the same, and others need not: Wilson's interval has a width even then.
        alike = accuracy_interval(credit, some, confidence=1 - 2 * alarms)
        low, high = alike.low, alike.high
    noticeable = _noticeable(half, wider * excess.standard_error, chance)
    return FoldResult(kind, accuracy, low, high, chance, len(credit), leaned, excess.clusters, noticeable)


def _noticeable(half: float, error: float, chance: float) -> float:
    """Return the excess over chance of which four sets of five have a lower bound above chance.

    Right answers spread more, the nearer they come to every second one: so the error of a set with the leak
    is taken, and not that of the set at hand.
    """
    if not math.isfinite(half) or not 0 < chance < 1 or error <= 0:  # all guesses alike say nothing of it
        return math.inf
    found = half + _POWER_ERRORS * error
    for _ in range(8):
        share = min(chance + found, max(chance, 0.5))
        larger = math.sqrt(share * (1 - share) / (chance * (1 - chance)))
        found = larger * (half + _POWER_ERRORS * error)
    return found
