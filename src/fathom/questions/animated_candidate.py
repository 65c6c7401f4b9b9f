"""What decides the questions on films, and what such a question is before it is written out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fathom.programs.rules import ANIMATED_RULES, AnimatedRules
from fathom.questions.candidate import Candidate, Selected, Stratum
from fathom.questions.contexts.animated_words import Language, VerbWords
from fathom.questions.distractors.sources import Option, Supply
from fathom.questions.mix import AnimatedMix
from fathom.questions.templates import Fill, Template
from fathom.records import Scene


@dataclass(frozen=True)
class AnimatedQuestionRecipe:
    """All that decides which questions a set of films gets.

    `shown` gives the cells of a film that are always shown: view → frames; `vague` the parts of its actor of
    which the colour has no one name.
    `tries` is how many fillings of a form are tried in one film, for each slot beyond the first. `media`
    names a view's film: "{scene}", "{view}".
    """

    seed: str
    forms: tuple[Template, ...]
    language: Language
    verbs: Mapping[str, VerbWords]
    supply: Supply
    mix: AnimatedMix = field(default_factory=AnimatedMix)
    rules: AnimatedRules = ANIMATED_RULES
    tries: int = 40
    shakes: int = 20
    shake_share: float = 0.01
    shake_deg: float = 1.8
    media: str = "{scene}/view_{view}"
    shown: Callable[[Scene], Mapping[int, Sequence[int]]] | None = None
    vague: Callable[[Scene], frozenset[str]] | None = None

    @property
    def only_shown(self) -> bool:
        """Whether nothing is asked that the cells which are always shown do not answer."""
        return self.shown is not None and not self.mix.beyond


Told = tuple[str, ...]
"""A fact about a film, in stable words: ("does", "next", "jump")."""


@dataclass(frozen=True, kw_only=True)
class AnimatedCandidate(Candidate):
    """A question that could be asked of a film: what fills its form, its answer, and the false choices that
    it can have. `asks` are the facts that its answer gives away, `tells` those that its
    words do. `several_views` and `several_times` say what it takes, `shown` whether what is always shown is
    enough.
    """

    asset: str
    fills: Mapping[str, Fill]
    answer: Option
    pool: tuple[Option, ...]
    prior: Option | None = None
    asks: tuple[Told, ...] = ()
    tells: tuple[Told, ...] = ()
    several_views: bool = False
    several_times: bool = False
    shown: bool = True

    @property
    def stratum(self) -> Stratum:
        """With which other candidates its answers are balanced: of its template, or of some together."""
        return (self.template.balanced or self.template.id,)

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
        return (self.template.id, *(f"{slot}={f.key}" for slot, f in sorted(self.fills.items())))


AnimatedSelected = Selected[AnimatedCandidate, tuple[Option, ...]]
"""A candidate of a film that becomes a question, and its choices in the order shown."""
