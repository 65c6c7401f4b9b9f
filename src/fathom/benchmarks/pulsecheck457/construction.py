"""How PulseCheck457 is made from scenes: which rules, which words, how many questions.

Ref: PulseCheck457 §3.2–3.4, §4.1.
"""

from __future__ import annotations

from collections.abc import Mapping

from fathom.benchmarks.pulsecheck457.tasks import AMOUNTS, TEMPLATES, VOCABULARY, WORDINGS
from fathom.build.questions.asking import asking_under
from fathom.build.questions.jitter import SightsUnder
from fathom.build.questions.making import Recipe
from fathom.programs.rules import rules_named


def recipe(
    seed: str,
    rules: str = "fathom",
    amounts: Mapping[str, float] = AMOUNTS,
    sights_under: SightsUnder | None = None,
    media: str = "{scene}",
) -> Recipe:
    """Return what decides the questions: `amounts` maps a task to its questions per scene.

    Under the rules `fathom` every check is enforced; under `paper` they are only reported. Raises InputError
    for rules that do not exist.
    """
    chosen = rules_named(rules)
    return Recipe(
        seed=seed,
        rules=chosen,
        asking=asking_under(rules, TEMPLATES, VOCABULARY, amounts, enforce=chosen.dead_bands),
        wording=WORDINGS[rules],
        sights_under=sights_under,
        media=media,
    )
