"""What models make of counterfactual objects, as a table: in a terminal and on a page alike."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.pages.published import find_score
from fathom.pages.tables import Table, per_cent, with_interval
from fathom.records import Score

PRIOR, RIGHT, OF_WRONG, BY_CHANCE = "prior_chosen", "prior_right", "prior_of_wrong", "prior_of_wrong_chance"
"""Scores: world knowledge picked, the right option picked, the first among wrong answers, and by chance."""

KIND = "counterfactual"
"""The tag of a question, and the group of a score, that says how an object differs from what is known."""


def priors_table(runs: Sequence[tuple[str, Sequence[Score]]]) -> Table | None:
    """Return a row a model, and where there is one model alone a row a kind; None without such questions."""
    found = [(model, scores) for model, scores in runs if find_score(scores, PRIOR)]
    if not found:
        return None
    rows = [_row(model, scores, {}) for model, scores in found]
    blocks = [len(rows)]
    if len(found) == 1:
        scores = found[0][1]
        kinds = [s.group[KIND] for s in scores if s.name == PRIOR and KIND in s.group]
        rows += [_row(kind, scores, {KIND: kind}) for kind in kinds]
        blocks.append(len(kinds))
    return Table(
        title="Counterfactual objects: what world knowledge says, or what is shown",
        columns=("", "world knowledge", "right", "of wrong answers", "by chance", "questions"),
        rows=tuple(rows),
        notes=(
            "answers in % [95 % interval], clustered by object; of wrong answers: how many of them are what "
            "world knowledge says, and how many would be by chance",
        ),
        groups=tuple(n for n in blocks if n),
    )


def _row(title: str, scores: Sequence[Score], group: dict[str, str]) -> tuple[str, ...]:
    held = [find_score(scores, name, group) for name in (PRIOR, RIGHT, OF_WRONG)]
    shown = ["–" if s is None else with_interval(s.value, s.low, s.high) for s in held]
    chance = find_score(scores, BY_CHANCE, group)
    return (title, *shown, per_cent(chance.value if chance else None), str(held[0].n if held[0] else 0))
