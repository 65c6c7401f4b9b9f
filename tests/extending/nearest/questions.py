"""What the benchmark makes of still scenes: its templates, and how many questions of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fathom.benchmarks.pulsecheck457.tasks import FATHOM_WORDING, VOCABULARY
from fathom.programs.rules import rules_named
from fathom.questions.asking import asking_under
from fathom.questions.jitter import SightsUnder
from fathom.questions.making import Recipe
from fathom.questions.template_files import read_templates


def recipe(
    seed: str,
    rules: str = "fathom",
    sights_under: SightsUnder | None = None,
    kinds: Sequence[tuple[str, str]] = (),
) -> Recipe:
    """Return what decides the questions: four a scene."""
    chosen = rules_named(rules)
    templates = read_templates(Path(__file__).with_name("templates"), ("nearest",)).templates
    return Recipe(
        seed=seed,
        rules=chosen,
        asking=asking_under(rules, templates, VOCABULARY, {"nearest": 4.0}, enforce=chosen.dead_bands),
        wording=FATHOM_WORDING,
        sights_under=sights_under,
    )
