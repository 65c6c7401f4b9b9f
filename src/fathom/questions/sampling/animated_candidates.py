"""What is asked of films, how much of it, and what a question is before it is written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fathom.programs.rules import ANIMATED_RULES, AnimatedRules
from fathom.questions.contexts.animated_words import Language, VerbWords
from fathom.questions.distractors.sources import Option, Supply
from fathom.questions.templates import Fill, Template
from fathom.records import Scene, Step


@dataclass(frozen=True)
class AnimatedQuestionMix:
    """How much is asked.

    questions_per_object : on average, at most; `most_per_object` of any one, `most_per_task` of a task
    shares : task → its share of the questions
    both : the least share that needs several views and several times
    form_share : the largest share of a task's questions that one form may have, where the others suffice
    beyond : the largest share that the cells which are always shown do not answer
    """

    questions_per_object: float = 8.5
    most_per_object: int = 11
    most_per_task: int = 5
    shares: Mapping[str, float] = field(
        default_factory=lambda: {
            "object_counting": 0.19, "temporal_relationship": 0.2, "action": 0.22,
            "spatial_relationship": 0.19, "appearance": 0.2,
        }
    )  # fmt: skip
    both: float = 0.5
    form_share: float = 0.12
    beyond: float = 0.15


@dataclass(frozen=True)
class AnimatedQuestionRecipe:
    """All that decides which questions a set of films gets.

    `shown` gives the cells of a film that are always shown: view → frames; `vague` the parts of its actor of
    which the colour has no one name.
    `tries` is how many fillings of a form are tried in one film. `media` names a view's film: "{scene}",
    "{view}".
    """

    seed: str
    forms: tuple[Template, ...]
    language: Language
    verbs: Mapping[str, VerbWords]
    supply: Supply
    mix: AnimatedQuestionMix = field(default_factory=AnimatedQuestionMix)
    rules: AnimatedRules = ANIMATED_RULES
    tries: int = 40
    shakes: int = 20
    shake_share: float = 0.01
    shake_deg: float = 1.8
    media: str = "{scene}/view_{view}"
    shown: Callable[[Scene], Mapping[int, Sequence[int]]] | None = None
    vague: Callable[[Scene], frozenset[str]] | None = None


Told = tuple[str, ...]
"""A fact about a film, in stable words: ("does", "next", "jump")."""


@dataclass(frozen=True)
class AnimatedCandidate:
    """A question that could be asked: its form and fills, its program without the choice, its answer, and the
    false choices that it can have. `asks` are the facts that its answer gives away, `tells` those that its
    words do. `several_views` and `several_times` say what it takes, `shown` whether what is always shown is
    enough.
    """

    scene: str
    asset: str
    form: str
    fills: Mapping[str, Fill]
    steps: tuple[Step, ...]
    answer: Option
    pool: tuple[Option, ...]
    prior: Option | None = None
    asks: tuple[Told, ...] = ()
    tells: tuple[Told, ...] = ()
    several_views: bool = False
    several_times: bool = False
    shown: bool = True

    @property
    def both(self) -> bool:
        """Whether neither one view nor one time is enough."""
        return self.several_views and self.several_times

    @property
    def worth(self) -> int:
        """How much it takes: 0 for one view and one time, 1 for several of either, 3 for several of both."""
        return self.several_views + self.several_times + self.both

    @property
    def identity(self) -> tuple[str, ...]:
        """What is asked, in whichever film."""
        return (self.form, *(f"{slot}={f.key}" for slot, f in sorted(self.fills.items())))


@dataclass(frozen=True)
class SceneCandidates:
    """What one film offers, and what became of everything that was tried there."""

    scene: str
    asset: str
    candidates: tuple[AnimatedCandidate, ...]
    tried: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Picked:
    """A candidate that becomes a question, and its choices in the order shown."""

    candidate: AnimatedCandidate
    choices: tuple[Option, ...]
