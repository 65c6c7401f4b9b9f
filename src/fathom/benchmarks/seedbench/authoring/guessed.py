"""How much of what models wrote can be answered by who sees nothing, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.filters import BLIND, BLIND_RIGHT
from fathom.authoring.work import Work
from fathom.benchmarks.seedbench.paper_text import PUBLISHED_BLIND
from fathom.benchmarks.seedbench.tasks import TASKS
from fathom.datasets.checks import blind_table
from fathom.english import rounded
from fathom.pages.tables import as_text
from fathom.records import MissingExtraError, Question
from fathom.stats.blind import stress_test


def blind_shares(work: Work, written: Sequence[QuestionCandidate]) -> list[str]:
    """Return how many questions all blind readers got right: in all, by dimension, and by writer."""
    gone = {r.id for r in work.outcomes.rejected if r.step == BLIND.name and r.reason == BLIND_RIGHT}

    def share(listed: Sequence[QuestionCandidate]) -> str:
        n = sum(c.id in gone for c in listed)
        return f"{n:,} of {len(listed):,} ({rounded(100 * n / max(1, len(listed)), 2)} %)"

    lines = [f"right blind by all readers: {share(written)}; in the paper {PUBLISHED_BLIND} %"]
    for what in ("kind", "writer"):
        parts: dict[str, list[QuestionCandidate]] = {}
        for c in written:
            parts.setdefault(getattr(c, what), []).append(c)
        lines += [f"  {TASKS.get(name, name)}: {share(listed)}" for name, listed in parts.items()]
    return lines


def blind_forest(questions: Sequence[Question]) -> list[str]:
    """Return what a forest guesses that learnt the other questions and sees nothing, as of any dataset."""
    if not questions:
        return []
    try:
        return [as_text(blind_table(stress_test(questions)))]
    except MissingExtraError as e:
        return [f"no forest guesses beside the readers: {e}"]
