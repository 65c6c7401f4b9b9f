"""How questions of a built 4D-Bench are made from films: which forms, which words, how many questions.

Ref: 4D-Bench §3.1, §3.3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from fathom.benchmarks.fourdbench.paper import SIZES
from fathom.benchmarks.fourdbench.words import LANGUAGE, VERBS
from fathom.programs.rules import ANIMATED_RULES, AnimatedRules
from fathom.questions.animated_candidate import AnimatedQuestionRecipe
from fathom.questions.contexts.animated_words import VerbWords
from fathom.questions.distractors.sources import Supply
from fathom.questions.mix import AnimatedMix
from fathom.questions.template_files import read_templates
from fathom.questions.templates import Template
from fathom.records import Scene

TASKS = ("action", "temporal_relationship", "object_counting", "spatial_relationship", "appearance")
"""The subtasks, each of which has a file of templates."""

PAPER_SHARES = {task: SIZES[task] / sum(SIZES.values()) for task in TASKS}
"""The paper's mix by subtask: 28 % of its questions are about actions."""


FOLDERS = {"props": ("templates",), "alone": ("templates", "templates_alone")}
"""The folders of templates of each stage: of an object alone, those of objects among props serve as well."""

NOT_ALONE = frozenset(
    (
        *("temporal.longest", "action.limb_way", "counting.legs"),
        *("action.when_change", "action.before_change", "action.after_change"),
        *("temporal.which", "temporal.becomes", "temporal.turns_into", "appearance.changer"),
        *("temporal.second_event", "action.before"),
        *("counting.changes", "counting.changes_of_kind", "counting.changes_while"),
        *("counting.changes_before", "counting.changes_after"),
    )
)
"""Forms of objects among props that are not asked of an object alone: six pictures do not tell how long its
actions take, its legs are counted by a form of its own, and what comes or goes on it is called by its kind.
"""

MIXES = {
    "props": AnimatedMix(),
    "alone": AnimatedMix(
        shares=PAPER_SHARES, both=0.25, views=1 / 3, times=1 / 3, over=0.35, beyond=0.0
    ).asking(4.0),
}
"""How much is asked of each stage. Of the object alone as the paper does: with more than four questions of a
film on average too few would be about actions, of which a film has only so many.
"""


@cache
def templates(stage: str = "alone") -> tuple[Template, ...]:
    """Return the templates of a stage, read once. Raises InputError where one does not fit together."""
    here = Path(__file__).parent
    every = (t for name in FOLDERS[stage] for t in read_templates(here / name, TASKS).templates)
    return tuple(t for t in every if stage != "alone" or t.id not in NOT_ALONE)


def recipe(
    seed: str,
    supply: Supply,
    verbs: Mapping[str, VerbWords] | None = None,
    mix: AnimatedMix | None = None,
    rules: AnimatedRules = ANIMATED_RULES,
    media: str = "{scene}/view_{view}",
    shown: Callable[[Scene], Mapping[int, Sequence[int]]] | None = None,
    vague: Callable[[Scene], frozenset[str]] | None = None,
    stage: str = "alone",
) -> AnimatedQuestionRecipe:
    """Return what decides the questions.

    `supply` has what films lack: the verbs of each asset's clips, names and colours of props. `verbs` are the
    lexicon's words for actions, by key; none: those of the built-in actors. `media` names the film of a view,
    `shown` the cells of a film that are always shown, `vague` the parts of its actor whose colour has no one
    name.
    `stage` is how the films are staged, on which forms and mix hang.
    Raises InputError where a template does not fit together.
    """
    words: Mapping[str, VerbWords] = {**VERBS, **(verbs or {})}
    return AnimatedQuestionRecipe(
        seed=seed,
        forms=templates(stage),
        language=LANGUAGE,
        verbs=words,
        supply=supply,
        mix=mix or MIXES[stage],
        rules=rules,
        media=media,
        shown=shown,
        vague=vague,
    )
