"""What a build counts while it proves its questions, and what it says of its own dataset in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fathom.authoring.captions.claims import Caption
from fathom.datasets.plan import AnyPlan
from fathom.datasets.proofs import DISAGREE, Proof, QuestionChoice, ScenePart
from fathom.datasets.texts import Texts
from fathom.pages.tables import Table, as_text
from fathom.records import Question, Record
from fathom.stats.blind_verdicts import TOO_FEW, BlindResult


class Disagreement(Record, frozen=True, kw_only=True):
    """One question whose two derivations give different answers."""

    question: str
    first: str
    second: str


class CheckResult(Record, frozen=True, kw_only=True):
    """One promise about the whole dataset, and whether it is kept; `enforced` ones fail a strict build.

    Of one that is not `told` nothing was found against it, and a fault could well have gone unnoticed.
    """

    name: str
    passed: bool
    found: str
    enforced: bool = True
    told: bool = True

    @property
    def verdict(self) -> str:
        """Whether it is kept, in words."""
        return "NO" if not self.passed else "yes" if self.told else TOO_FEW


class Checks(Record, frozen=True, kw_only=True):
    """Everything that was found about a dataset."""

    verdicts: tuple[CheckResult, ...]
    tables: tuple[Table, ...]

    @property
    def passed(self) -> bool:
        """Whether every enforced promise is kept."""
        return all(v.passed or not v.enforced for v in self.verdicts)

    def __str__(self) -> str:
        """Return all of it for a terminal."""
        return "\n".join(as_text(t) for t in self.tables)


@dataclass
class Findings:
    """What is counted while questions are proved; `every` has also those that no program answers."""

    questions: list[Question] = field(default_factory=list)
    every: list[Question] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    second: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)
    captions: list[Caption] = field(default_factory=list)
    untrue: dict[str, str] = field(default_factory=dict)

    def add(self, proof: Proof) -> None:
        """Count a scene's questions, the last check of each, its second derivations, and its captions."""
        self.questions += proof.questions
        self.every += (*proof.questions, *proof.more)
        self.checked.update(proof.found)
        self.texts.add(proof.questions, proof.texts)
        self.captions += proof.captions
        self.untrue.update(proof.untrue)
        for q in proof.questions:
            verdict, second = proof.verdicts[q.id], proof.second[q.id]
            self.second[q.task, verdict] += 1
            if verdict == DISAGREE:
                self.disagreements.append(
                    Disagreement(question=q.id, first=proof.first[q.id], second=second or "")
                )

    def total(self, verdict: str) -> int:
        """Return how many second derivations came to a verdict."""
        return sum(n for (_, v), n in self.second.items() if v == verdict)


@dataclass(frozen=True)
class Made:
    """What was made of a plan; `questions` are those that programs answer, in the order of the file."""

    plan: AnyPlan
    choice: QuestionChoice[Any, Any]
    parts: Sequence[ScenePart[Any]]
    findings: Findings
    questions: Sequence[Question]
    blind: BlindResult
