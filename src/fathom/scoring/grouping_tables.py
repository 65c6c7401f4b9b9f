"""The groupings of passes as a table: each way of joining them is a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from fathom.pages.names import GROUPED
from fathom.pages.published import NOT_AVAILABLE, find_score
from fathom.pages.tables import Table, per_cent, with_interval
from fathom.records import Benchmark, Score
from fathom.scoring.groups import GROUPINGS, Grouping

_ACCURACY, _CHANCE = "accuracy", "chance"

GROUPED_NOTE = (
    "accuracy in % [95 % interval]; plain: every pass by itself, so that questions with more passes weigh "
    "more; chance is what guessing scores under the same way of counting"
)


def guessed(scores: Sequence[Score]) -> list[Score]:
    """Return what guessing would score, under the names of what the model scored."""
    return [
        msgspec.structs.replace(s, name=_ACCURACY + s.name.removeprefix(_CHANCE))
        for s in scores
        if s.name == _CHANCE or s.name.startswith(f"{_CHANCE}_")
    ]


def grouped_tables(benchmark: Benchmark, scores: Sequence[Score], model: str) -> list[Table]:
    """Return the table of groupings, or nothing where the run and the dataset have none."""
    lead = benchmark.headline.removeprefix(f"{_ACCURACY}_")
    ordered = sorted(GROUPINGS, key=lambda g: g != lead)
    whole = {g: s for g in ordered if (s := find_score(scores, f"{_ACCURACY}_{g}"))}
    if not whole:
        return []
    keys = ("task", *benchmark.facets)
    parts = [(key, part) for key in keys for part in benchmark.in_order(key, _parts(scores, key))]
    rows = [_row(_title(benchmark, key, part), scores, {key: part}, whole) for key, part in parts]
    rows.append(_row("All questions", scores, {}, whole))
    rows.append(("Chance, counted alike", *(_chance(scores, g) for g in whole)))
    notes = [f"{GROUPED[g]}: {s.note}" for g, s in whole.items() if s.note]
    sizes = [sum(k == key for k, _ in parts) for key in keys]
    return [
        Table(
            title=f"{benchmark.title}: {model}, passes that count as one, right only where all of them are",
            columns=("", *(f"{GROUPED[g]}, leading" if g == lead else GROUPED[g] for g in whole)),
            rows=tuple(rows),
            notes=(GROUPED_NOTE, *notes),
            groups=tuple(n for n in (*sizes, 1, 1) if n),
        )
    ]


def _parts(scores: Sequence[Score], key: str) -> set[str]:
    return {s.group[key] for s in scores if s.name.startswith(f"{_ACCURACY}_") and set(s.group) == {key}}


def _title(benchmark: Benchmark, key: str, part: str) -> str:
    return benchmark.tasks.get(part, part) if key == "task" else part.replace("_", " ").capitalize()


def _row(
    title: str, scores: Sequence[Score], group: Mapping[str, str], whole: Mapping[Grouping, Score]
) -> tuple[str, ...]:
    return (
        title,
        *(_cell(find_score(scores, f"{_ACCURACY}_{g}", group), of_all) for g, of_all in whole.items()),
    )


def _cell(score: Score | None, of_all: Score) -> str:
    if of_all.method == NOT_AVAILABLE:
        return NOT_AVAILABLE
    return "–" if score is None else with_interval(score.value, score.low, score.high)


def _chance(scores: Sequence[Score], grouping: Grouping) -> str:
    score = find_score(scores, f"{_CHANCE}_{grouping}")
    return per_cent(score.value) if score else "–"
