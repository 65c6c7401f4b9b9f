"""What is lost from a common to an uncommon viewpoint, and how many complementary pairs are solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fathom.pages.published import find_score
from fathom.pages.tables import Table, per_cent, with_interval
from fathom.records import Score

DROP, PAIRS = "viewpoint_drop", "accuracy_pairs"
"""The scores that the table holds."""


def viewpoint_table(runs: Sequence[tuple[str, Sequence[Score]]]) -> Table | None:
    """Return both scores of each model, by category; None where no run has any."""
    groups = list(dict.fromkeys((s.name, *s.group.items()) for _, scores in runs for s in scores
                                if s.name in (DROP, PAIRS)))  # fmt: skip
    if not groups:
        return None
    groups.sort(key=lambda found: found[0] != DROP)
    drops = sum(found[0] == DROP for found in groups)
    return Table(
        title="Common and uncommon viewpoints, and pairs",
        columns=("", "questions or pairs", *(model for model, _ in runs)),
        rows=tuple(_row(str(name), dict(parts), runs) for name, *parts in groups),  # type: ignore[arg-type]
        notes=(
            "points lost: accuracy from the common viewpoint less that from the uncommon one, over the same "
            "questions, with its 95 % interval from draws of scenes",
            "pairs solved: the same question on a room as it was and changed, with another answer, in "
            "%; only where both are right",
        ),
        groups=tuple(n for n in (drops, len(groups) - drops) if n),
    )


def _row(name: str, group: Mapping[str, str], runs: Sequence[tuple[str, Sequence[Score]]]) -> tuple[str, ...]:
    found = [find_score(scores, name, group) for _, scores in runs]
    what = "Points lost" if name == DROP else "Pairs solved"
    part = ", ".join(value.replace("_", " ").removeprefix("synthetic-") for value in group.values())
    n = max((s.n for s in found if s), default=0)
    cells = [with_interval(s.value, s.low, s.high) if s else per_cent(None) for s in found]
    return f"… {part}" if part else what, str(n), *cells
