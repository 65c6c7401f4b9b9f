"""What makes scenes of one kind, the questions on them, and their pictures: the pipeline does the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from fathom.datasets.findings import CheckResult, Made
from fathom.datasets.operators import enter_operators
from fathom.datasets.plan import AnyPlan, DatasetPlan
from fathom.datasets.proofs import Proof, QuestionChoice, ScenePart
from fathom.named import attribute_of
from fathom.pages.tables import Table
from fathom.records import Media, Question, Scene, Setting
from fathom.render.variants import Engine
from fathom.store.datasets import Dataset

S = TypeVar("S")
E = TypeVar("E")
W = TypeVar("W")
T = TypeVar("T")

Step = Callable[[int, int, str], None]
"""How much is done, of how much, and a note."""


@dataclass(frozen=True)
class AnswerPair:
    """What both derivations of a question's answer come to: "" for none, None where the second cannot decide.

    `without` says what is not at hand for the second one.
    """

    first: str
    second: str | None
    without: str = ""


NO_MODELS = "no models at hand"
"""What is not at hand where the models that a dataset was built from are others, or not there."""

Again = Callable[[Scene, Sequence[Question]], Iterator[AnswerPair]]
"""From a scene of a dataset and its questions to the answers, derived again."""


@dataclass(frozen=True)
class PaintedQuestions:
    """Questions with their painted pictures; scenes and media by their ids."""

    questions: Sequence[Question]
    scenes: Mapping[str, Scene]
    media: Mapping[str, Media]


class Generator(Protocol[S, E, W, T]):
    """Makes scenes of one kind. S: its settings; E: what it keeps of a scene; W: what becomes the questions
    of a scene; T: what its choice of questions came to.

    title : what it makes, in the plural: "films of animated objects"
    plural : one word for that, in sentences and where work is reported
    defaults : its settings where nothing is set: a frozen dataclass (fathom/settings.py)
    makes : the names by which its scenes say that it made them (`Scene.generator`)
    built_in_assets : what the models are called that are taken where no folder is given
    curates : whether scenes are drawn first, and some then left out
    rounds : how often further scenes are drawn for what is short
    drafts : whether what a scene offers is found when questions are chosen, and not when it is made
    """

    title: str
    plural: str
    defaults: S
    makes: frozenset[str]
    built_in_assets: str
    part_type: type[ScenePart[E]]
    choice_type: type[QuestionChoice[W, T]]
    drawn_type: Any = None
    curates: bool = False
    rounds: int = 0
    drafts: bool = False

    # What it is asked for.

    def examined(self, plan: DatasetPlan[S], workers: int) -> DatasetPlan[S]:
        """Return the plan without the models that cannot be used."""
        return plan

    def settings(self, plan: DatasetPlan[S]) -> dict[str, Setting]:
        """Return its settings as they stand in the manifest."""
        ...

    def inputs(self, plan: DatasetPlan[S]) -> dict[str, str]:
        """Return the hashes of models and files that scenes are made from; opens every one of them."""
        ...

    def check(self, plan: DatasetPlan[S]) -> None:
        """Raise InputError for what cannot be made, before anything is written."""
        ...

    def enforced(self, plan: DatasetPlan[S]) -> bool:
        """Return whether both derivations have to agree, and whether promises count under --strict."""
        return True

    # Scenes.

    def draw(self, plan: DatasetPlan[S], index: int) -> Scene:
        """Return scene `index`. Raises UnfitError where there can be none."""
        ...

    def drawn(self, plan: DatasetPlan[S], index: int) -> Any:
        """Return a record of a scene (None where it cannot be drawn) and of what was measured of it, where
        scenes are curated.
        """
        return None

    def keep(self, plan: DatasetPlan[S], drawn: Sequence[int]) -> list[int]:
        """Return which of the scenes that were drawn stay. Raises UnfitError where none does."""
        return list(drawn)

    def observe(self, plan: DatasetPlan[S], index: int, scene: Scene) -> ScenePart[E]:
        """Write the truth of a scene, and return what is known of it."""
        ...

    # Questions.

    def offers(self, plan: DatasetPlan[S], part: ScenePart[E]) -> Any:
        """Return what a scene offers to ask, where that is found when questions are chosen."""
        return None

    def choose(
        self, plan: DatasetPlan[S], indices: Sequence[int], offers: Mapping[int, Any], step: Step
    ) -> QuestionChoice[W, T]:
        """Return what is asked of these scenes. A function of the plan and the scenes alone."""
        ...

    def further(self, plan: DatasetPlan[S], choice: QuestionChoice[W, T], drawn: Sequence[int]) -> list[int]:
        """Return which scenes are drawn besides for what a choice lacks; none: that is all there can be."""
        return []

    def prove(self, plan: DatasetPlan[S], part: ScenePart[E], chosen: W | None) -> Proof:
        """Return the questions chosen for a scene, with both derivations of their answers."""
        ...

    # Pictures.

    def whole(self, plan: DatasetPlan[S], place: int, index: int) -> bool:
        """Return whether all frames are painted of a scene, the dataset's `place`-th."""
        return False

    def paint(
        self, plan: DatasetPlan[S], part: ScenePart[E], engine: Engine, whole: bool
    ) -> tuple[Media, ...]:
        """Paint a scene, and return its media."""
        ...

    def unpainted(self, plan: DatasetPlan[S], part: ScenePart[E]) -> tuple[Media, ...]:
        """Return the media of a scene that is not painted."""
        return ()

    def illegible(self, plan: DatasetPlan[S], made: PaintedQuestions) -> frozenset[str]:
        """Return the questions that cannot be answered from what was painted; they are left out."""
        return frozenset()

    # What is said of it.

    def slim(self, own: E) -> E:
        """Return of what is kept of a scene that which is still needed when its questions are proved."""
        return own

    def tables(self, made: Made) -> Iterator[Table]:
        """Yield what was found of scenes and questions, besides what is said of every dataset."""
        ...

    def promises(self, made: Made) -> Iterator[CheckResult]:
        """Yield the promises about the whole, besides those of every dataset."""
        ...

    def write(self, made: Made) -> tuple[str, ...]:
        """Write further files of the dataset, and return the paths of those that its manifest vouches for."""
        return ()

    def again(self, plan: DatasetPlan[S]) -> None:
        """Do what is asked of a dataset that is whole already."""
        return

    # Later.

    def derivation(self, dataset: Dataset, assets: Path | None) -> Again:
        """Return what derives answers again from what a dataset keeps. Raises InputError for other models."""
        ...

    def captions(self, dataset: Dataset, asked: Sequence[Question]) -> Iterator[tuple[str, list[str] | None]]:
        """Yield each caption and what a second check finds wrong with it, None where nothing says what it
        claims.
        """
        yield from ((text, None) for q in asked for text in q.references)


GENERATOR = "generator"
"""The setting of a manifest that names a generator which is not the project's."""

AnyGenerator: TypeAlias = Generator[Any, Any, Any, Any]


def made_by(plan: AnyPlan) -> AnyGenerator:
    """Return the generator of a plan; the operators that its benchmark brings along are there, too."""
    enter_operators(plan.operators, plan.verification)
    found: AnyGenerator = attribute_of(plan.generator)
    return found


def settings_of(plan: AnyPlan) -> dict[str, Setting]:
    """Return what stands in the manifest of a plan, and what must be the same to carry on."""
    generator = made_by(plan)
    common: dict[str, Setting] = {
        "scenes": plan.scenes,
        "assets": plan.assets.name if plan.assets else generator.built_in_assets,
        "renderer": plan.renderer,
        "quality": plan.quality,
    }
    # Of the project's own generators the scenes say which it was.
    own = plan.generator.partition(".")[0] == __name__.partition(".")[0]
    named: dict[str, Setting] = {} if own else {GENERATOR: plan.generator}
    return common | named | generator.settings(plan)
