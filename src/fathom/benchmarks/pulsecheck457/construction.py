"""How PulseCheck457 is made from scenes: which rules, which words, how many questions.

Ref: PulseCheck457 §3.2–3.4, §4.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fathom.benchmarks.pulsecheck457.tasks import AMOUNTS, VOCABULARY, WORDINGS, templates
from fathom.programs.rules import rules_named
from fathom.programs.views.still import SHAPE_NAMES
from fathom.questions.asking import asking_under
from fathom.questions.jitter import SightsUnder
from fathom.questions.making import Recipe
from fathom.questions.vocabulary import Vocabulary
from fathom.records import InputError


def recipe(
    seed: str,
    rules: str = "fathom",
    amounts: Mapping[str, float] = AMOUNTS,
    sights_under: SightsUnder | None = None,
    media: str = "{scene}",
    kinds: Sequence[tuple[str, str]] = (),
) -> Recipe:
    """Return what decides the questions: `amounts` maps a task to its questions per scene.

    `kinds` are the (class, subtype) pairs of the models that scenes are drawn from; none: the built-in ones.
    Under the rules `fathom` every check is enforced; under `paper` they are only reported. Raises InputError
    for rules that do not exist, and for kinds that no word could tell apart.
    """
    chosen = rules_named(rules)
    words = vocabulary_of(kinds) if kinds else VOCABULARY
    return Recipe(
        seed=seed,
        rules=chosen,
        asking=asking_under(rules, templates(), words, amounts, enforce=chosen.dead_bands),
        wording=WORDINGS[rules],
        sights_under=sights_under,
        media=media,
    )


def vocabulary_of(kinds: Sequence[tuple[str, str]]) -> Vocabulary:
    """Return the words for these (class, subtype) pairs: no shape is missing, and none can never be seen.

    The paper's shapes keep its order, others follow in their own. Raises InputError where one name would
    stand for two kinds.
    """
    found: dict[str, str] = {}
    for category, subtype in kinds:
        name = SHAPE_NAMES.get(subtype, subtype)
        usual = VOCABULARY.shapes.get(name, category) if name != subtype else category
        for other in (usual, found.get(name, category)):
            if other != category:
                raise InputError(
                    f"the subtype {subtype!r} of the class {category!r}: expected another name, because "
                    f"{name!r} is a kind of {other} already; rename one of them in fathom-assets.json"
                )
        found[name] = category
    known = [name for name in VOCABULARY.shapes if name in found]
    return replace(VOCABULARY, shapes={name: found[name] for name in dict.fromkeys([*known, *found])})
