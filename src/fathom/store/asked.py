"""Which questions of a dataset a run puts: all, those of some tasks, or so many spread over the tasks."""

from __future__ import annotations

from collections.abc import Collection

from fathom.store.datasets import Dataset
from fathom.store.seeds import digest


def wanted_questions(dataset: Dataset, limit: int, tasks: Collection[str]) -> frozenset[int] | None:
    """Return the ordinals of the questions to be asked, None for all of them."""
    if limit:
        return spread_evenly(dataset, limit, tasks)
    if not tasks:
        return None
    return frozenset(i for i, question in enumerate(dataset.questions()) if question.task in tasks)


def spread_evenly(dataset: Dataset, limit: int, tasks: Collection[str] = ()) -> frozenset[int]:
    """Return the ordinals of `limit` questions, as many of each task (or of each of `tasks`) as can be.

    Which ones is a matter of the questions' ids alone, so that a higher limit keeps those of a lower one.
    """
    by_task: dict[str, list[tuple[bytes, int]]] = {}
    for ordinal, question in enumerate(dataset.questions()):
        if tasks and question.task not in tasks:
            continue
        by_task.setdefault(question.task, []).append((digest("limit", question.id)[:8], ordinal))
    for listed in by_task.values():
        listed.sort()
    chosen: list[int] = []
    rank = 0
    while len(chosen) < limit:
        row = [listed[rank][1] for _, listed in sorted(by_task.items()) if rank < len(listed)]
        if not row:
            break
        chosen += row[: limit - len(chosen)]
        rank += 1
    return frozenset(chosen)
