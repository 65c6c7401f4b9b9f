"""What a build of questions came to: answers and their balance, what was rejected and why, what order
tells.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fathom.records import Question


@dataclass
class Tally:
    """Counts over a build.

    `tried` counts candidates by what became of them; `short` questions that were wanted and could not be had;
    `checked` the questions of the last check by fault: "jitter flips", "droppable relation", "droppable
    filter", "margin below 1", "small in sight", and "questions", of which they are shares.
    """

    answers: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    possible: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    asks: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    chance: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    tried: Counter[str] = field(default_factory=Counter)
    short: Counter[str] = field(default_factory=Counter)
    checked: Counter[str] = field(default_factory=Counter)
    order: OrderLeak = field(default_factory=lambda: OrderLeak())

    def add(self, questions: Iterable[Question]) -> None:
        """Count questions, in the order of the file."""
        for q in questions:
            self.answers[q.task][q.answer] += 1
            self.asks[q.task][q.tags.get("asks", "")] += 1
            self.chance[q.task] += 1 / len(q.possible)
            for a in q.possible:
                self.possible[q.task][a] += 1
            self.order.add(q)

    def entropy_bits(self, task: str) -> tuple[float, float]:
        """Return the entropy of a task's answers, and that of answers drawn evenly from each question's
        own.
        """
        total = self.answers[task].total()
        even = dict.fromkeys(self.possible[task], 0.0)
        for a, n in self.possible[task].items():
            even[a] = n / self.possible[task].total()
        return _entropy([n / total for n in self.answers[task].values()]), _entropy(list(even.values()))

    @property
    def acceptance(self) -> float:
        """The share of complete proposals that passed every check."""
        return self.tried["accepted"] / max(self.tried["proposed"], 1)

    def share(self, fault: str) -> float:
        """Return the share of checked questions with a fault."""
        return self.checked[fault] / max(self.checked["questions"], 1)

    def rows(self) -> list[tuple[str, ...]]:
        """Return a row a task: questions, wanted, answers, bits of most possible, chance."""
        out: list[tuple[str, ...]] = []
        for task, answers in self.answers.items():
            bits, most = self.entropy_bits(task)
            n = answers.total()
            out.append(
                (
                    task,
                    str(n),
                    str(self.short[task]),
                    str(len(answers)),
                    f"{bits:.2f} of {most:.2f}",
                    f"{self.chance[task] / n:.3f}",
                )
            )
        return out


@dataclass
class OrderLeak:
    """How well "the answer that this family has had least often so far" guesses, against chance.

    A guess is scored by what it is worth where several answers are equally rare.
    """

    seen: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    n: int = 0
    right: float = 0.0
    chance: float = 0.0
    variance: float = 0.0

    def add(self, question: Question) -> None:
        """Guess one question from those before it, and then count its answer."""
        family = self.seen[question.tags.get("template", question.task)]
        fewest = min(family[a] for a in question.possible)
        rarest = [a for a in question.possible if family[a] == fewest]
        p = 1 / len(question.possible)
        self.n += 1
        self.right += (question.answer in rarest) / len(rarest)
        self.chance += p
        self.variance += p / len(rarest) - p * p
        family[question.answer] += 1

    @property
    def z(self) -> float:
        """How many standard deviations the guesser is above chance."""
        return (self.right - self.chance) / math.sqrt(max(self.variance, 1e-12))


def _entropy(shares: Sequence[float]) -> float:
    return -sum(p * math.log2(p) for p in shares if p > 0)
