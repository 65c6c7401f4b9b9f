"""Seven ways to guess without looking, each of which has to come out at chance.

    middle value     the option whose numbers are nearest to the middle of all five
    most frequent    the text that has been the answer most often, learnt on the other half of the scenes
    longest text     the option with the most characters
    most digits      the option with the most digits
    most shared      the option that has the most parts in common with others: numbers, or objects of an order
    usual pose       of poses: how cameras are usually carried, learnt on other scenes (`pose_guesser`)
    usual size       of sizes: what objects of the same noun measure, learnt on other scenes (`size_guesser`)

Where several options tie, a guess is worth the share of them that is right. The intervals hold together: of
twenty sets in which nothing can be guessed, one has a guesser whose interval misses chance.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from fathom.english import rounded
from fathom.questions.numeric.error_sampling import POINTS
from fathom.questions.numeric.pose_guesser import is_pose, usual_poses
from fathom.questions.numeric.size_guesser import is_size, usual_sizes
from fathom.records import Question
from fathom.stats.blind_verdicts import POWER
from fathom.stats.intervals import accuracy_interval
from fathom.store.seeds import rng

Floats = NDArray[np.float64]

CHANCE = 1 / POINTS
CONFIDENCE = 0.95
_NORMAL = NormalDist()
_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Guessed:
    """How often a guesser was right, with an interval clustered by scene; those of all guessers together hold
    at 95 %.

    learnt : it took the rule that did best elsewhere. Where answers are spread evenly, what was right too
        often there is right too seldom here, so that it may come out below chance.
    """

    guesser: str
    accuracy: float
    low: float
    high: float
    n: int
    learnt: bool = False

    @property
    def fair(self) -> bool:
        """Whether the interval reaches chance."""
        return self.low <= CHANCE and (self.learnt or self.high >= CHANCE)

    @property
    def noticeable(self) -> float:
        """The smallest excess over chance that would be noticed in four sets of five."""
        half = self.accuracy - self.low
        return half * (1 + _NORMAL.inv_cdf(POWER) / _NORMAL.inv_cdf(0.5 + CONFIDENCE / 2))

    @property
    def row(self) -> tuple[str, str, str, str, str]:
        """The guesser, its accuracy and interval in per cent, the number of questions, and a verdict."""
        reached = self.low <= CHANCE <= self.high
        found = "at chance" if reached else "above chance" if self.low > CHANCE else "below chance"
        interval = f"{rounded(100 * self.low)} to {rounded(100 * self.high)}"
        return self.guesser, rounded(100 * self.accuracy), interval, str(self.n), found


def guessers(questions: Sequence[Question]) -> list[Guessed]:
    """Return what the guessers come to on the questions with five choices, () where there are none.

    The last two are there where poses, and sizes, are asked for. The order of the questions does not matter.
    """
    asked = sorted((q for q in questions if len(q.choices) == POINTS), key=lambda q: q.id)
    if not asked:
        return []
    clusters = [q.groups.cluster or q.scene for q in asked]
    halves = _halves(clusters, asked)
    scores: dict[str, Callable[[int], Sequence[float]]] = {
        "middle value": lambda i: _middle(asked[i].choices),
        "most frequent": lambda i: [halves[i][asked[i].task, c] for c in asked[i].choices],
        "longest text": lambda i: [len(c) for c in asked[i].choices],
        "most digits": lambda i: [sum(x.isdigit() for x in c) for c in asked[i].choices],
        "most shared": lambda i: _shared(asked[i].choices),
    }
    posed = [i for i, q in enumerate(asked) if is_pose(q)]
    sized = [i for i, q in enumerate(asked) if is_size(q) and single_values(q.choices)]
    # Bonferroni, as in the blind stress test.
    each = 1 - (1 - CONFIDENCE) / (len(scores) + bool(posed) + bool(sized))
    out = []
    for name, score in scores.items():
        values = [_worth(q, np.asarray(score(i), dtype=np.float64)) for i, q in enumerate(asked)]
        found = accuracy_interval(values, clusters, each)
        out.append(Guessed(name, found.value, found.low, found.high, found.n))
    if posed:
        own, where = [asked[i] for i in posed], [clusters[i] for i in posed]
        out.append(_learnt("usual pose", own, where, usual_poses(own, where), each))
    if sized:
        own, where = [asked[i] for i in sized], [clusters[i] for i in sized]
        numbers = [np.array(single_values(q.choices)) for q in own]
        out.append(_learnt("usual size", own, where, usual_sizes(own, where, numbers), each))
    return out


def _learnt(
    name: str, asked: Sequence[Question], clusters: Sequence[str], liked: Sequence[Floats], confidence: float
) -> Guessed:
    values = [_worth(q, scores) for q, scores in zip(asked, liked, strict=True)]
    found = accuracy_interval(values, clusters, confidence)
    return Guessed(name, found.value, found.low, found.high, found.n, learnt=True)


def _worth(question: Question, scores: Floats) -> float:
    """Return the share of the options with the highest score that are the answer."""
    best = np.flatnonzero(scores >= scores.max() - 1e-9)
    return sum(question.choices[i] == question.answer for i in best) / len(best)


def _middle(choices: Sequence[str]) -> list[float]:
    """Return how near each option is to the middle of all five; all the same where they are no numbers."""
    said = [[float(x.replace("−", "-")) for x in _NUMBER.findall(c)] for c in choices]
    if not said[0] or len({len(numbers) for numbers in said}) > 1:
        return [0.0] * len(choices)
    values = np.array(said) * _signs(choices)[:, None]
    spread = values.std(axis=0)
    away = np.abs(values - np.median(values, axis=0))[:, spread > 0] / spread[spread > 0]
    return [-round(x, 6) for x in away.sum(axis=1).tolist()]


def _shared(choices: Sequence[str]) -> list[float]:
    """Return how many parts each option shares with others, at the same place."""
    said = [_NUMBER.findall(c) or c.lower().split(", ") for c in choices]
    columns = [Counter(column) for column in zip(*said, strict=False)]
    return [float(sum(counts[part] for counts, part in zip(columns, own, strict=False))) for own in said]


def single_values(choices: Sequence[str]) -> list[float]:
    """Return the one number of each option, those to the right below 0; () where they are not such."""
    said = [_NUMBER.findall(c) for c in choices]
    if any(len(numbers) != 1 for numbers in said):
        return []
    values = np.array([float(numbers[0].replace("−", "-")) for numbers in said]) * _signs(choices)
    return [float(v) for v in values]


def _signs(choices: Sequence[str]) -> Floats:
    """Return −1 for what is "to the right" where other options are "to the left", else 1."""
    return np.array([-1.0 if c.endswith("to the right") else 1.0 for c in choices])


def _halves(clusters: Sequence[str], asked: Sequence[Question]) -> list[Counter[tuple[str, str]]]:
    """Return for each question how often a text was the answer in its task, on the other half of scenes."""
    names = sorted({c or q.id for c, q in zip(clusters, asked, strict=True)})
    order = rng("halves of scenes", *names[:1], len(names)).permutation(len(names))
    half = {name: int(order[i] % 2) for i, name in enumerate(names)}
    own = [half[c or q.id] for c, q in zip(clusters, asked, strict=True)]
    learnt: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]] = (Counter(), Counter())
    for h, q in zip(own, asked, strict=True):
        learnt[1 - h][q.task, q.answer] += 1
    return [learnt[h] for h in own]
