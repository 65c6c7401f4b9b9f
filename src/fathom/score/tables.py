"""Tables of scores: our own with intervals, and the paper's with our rows beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fathom.pages.tables import Table, per_cent, with_interval
from fathom.records import Benchmark, PublishedTable, Score

NOT_OFFICIAL = "comparable only where the dataset is the imported official one"
OFFICIAL = "the dataset is the imported official one: rows compare where the reading policy is the paper's"
OURS = " (this run)"


def find_score(scores: Sequence[Score], name: str, group: Mapping[str, str]) -> Score | None:
    """Return the score of this name and exactly this group, None where there is none."""
    return next((s for s in scores if s.name == name and s.group == group), None)


def accuracy_table(benchmark: Benchmark, scores: Sequence[Score], model: str) -> Table:
    """Return accuracy with its interval for each task, and the shares of answers that are not there."""
    tasks = [s.group["task"] for s in scores if s.name == "accuracy" and set(s.group) == {"task"}]
    levels = [s.group["level"] for s in scores if s.name == "accuracy" and set(s.group) == {"level"}]
    rows = [_accuracy_row(benchmark.tasks.get(t, t), scores, {"task": t}) for t in tasks]
    rows += [_accuracy_row(f"Level {level.lstrip('L')}", scores, {"level": level}) for level in levels]
    rows.append(_accuracy_row("All questions", scores, {}))
    overall = find_score(scores, "accuracy", {})
    notes = [
        "accuracy in %, with its 95 % interval clustered by scene; what was refused, failed or could not be "
        "read counts as wrong"
    ]
    missing = find_score(scores, "missing", {})
    if missing and missing.value:
        notes.append(
            f"the run is not complete: {round(missing.value * missing.n)} questions have no response"
        )
    return Table(
        title=f"{benchmark.title}: {model}" + (f", {overall.n} questions" if overall else ""),
        columns=("", "accuracy", "95 % interval", "questions", "unreadable", "refused", "failed"),
        rows=tuple(rows),
        notes=tuple(notes),
        groups=tuple(n for n in (len(tasks), len(levels), 1) if n),
    )


def _accuracy_row(title: str, scores: Sequence[Score], group: Mapping[str, str]) -> tuple[str, ...]:
    score = find_score(scores, "accuracy", group)
    if score is None:
        return title, "–", "", "0", "", "", ""
    interval = "" if score.low is None else f"{per_cent(score.low)} to {per_cent(score.high)}"
    shares = [find_score(scores, name, group) for name in ("unreadable", "refused", "failed")]
    return (
        title,
        per_cent(score.value),
        interval,
        str(score.n),
        *(per_cent(s.value) if s else "" for s in shares),
    )


def beside_published(
    published: PublishedTable, ours: Mapping[str, Sequence[Score]], titles: Mapping[str, str], official: bool
) -> Table:
    """Return a published table with a row for each of our models below it.

    A note says whether they compare.
    `ours` holds the scores of each model, `titles` those of columns that are named after tasks.
    """
    rows = [(name, *_published_cells(published, cells)) for name, cells in published.rows.items()]
    own = [
        (
            model + OURS,
            *(_our_cell(scores, name, group, published.per_cent) for name, group in published.ours),
        )
        for model, scores in ours.items()
        if published.ours
    ]
    notes = [OFFICIAL if official else NOT_OFFICIAL] if own else []
    return Table(
        title=f"{published.title}" + (", published and ours" if own else ", published"),
        columns=("", *(titles.get(c, c) for c in published.columns)),
        rows=(*rows, *own),
        notes=(*notes, *([published.note] if published.note else [])),
        groups=(len(rows), len(own)) if own else (),
    )


def _published_cells(published: PublishedTable, cells: Sequence[float | None]) -> list[str]:
    digits = 2 if published.per_cent else 3
    return ["–" if c is None else f"{c:.{digits}f}" for c in cells]


def _our_cell(scores: Sequence[Score], name: str, group: Mapping[str, str], as_per_cent: bool) -> str:
    score = find_score(scores, name, group) if name else None
    if score is None or score.value is None:
        return "–"
    return per_cent(score.value, 2) if as_per_cent else f"{score.value:.3f}"


def interval_table(published: PublishedTable, scores: Sequence[Score], model: str) -> Table:
    """Return our row of a published table upright, each cell with its interval."""
    rows = []
    for column, (name, group) in zip(published.columns, published.ours, strict=True):
        score = find_score(scores, name, group) if name else None
        if score is None:
            continue
        if published.per_cent:
            cell = with_interval(score.value, score.low, score.high)
        else:
            cell = _plain_with_interval(score)
        rows.append((column, cell, str(score.n)))
    return Table(f"{published.title}: {model}", ("", "value [95 %]", "questions"), tuple(rows))


def _plain_with_interval(score: Score) -> str:
    if score.value is None:
        return "–"
    if score.low is None or score.high is None:
        return f"{score.value:.3f}"
    return f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]"


def score_tables(
    benchmark: Benchmark, scores: Sequence[Score], model: str, official: bool = False
) -> list[Table]:
    """Return what `fathom score` prints: our accuracies, then each published table that has a row of ours."""
    tables = [accuracy_table(benchmark, scores, model)]
    tables += [
        beside_published(published, {model: scores}, benchmark.tasks, official)
        for published in benchmark.tables
        if any(name and find_score(scores, name, group) for name, group in published.ours)
    ]
    return tables
