"""Tables of scores: our own with intervals, and the paper's with our rows beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fathom.pages.errors import numbers_table, smallest_table
from fathom.pages.names import MEAN_OF_PASSES, PEOPLE, number_of
from fathom.pages.priors import priors_table
from fathom.pages.published import NOT_AVAILABLE, beside_published, find_score
from fathom.pages.scope import WHOLE_SCOPE, Scope
from fathom.pages.tables import Table, per_cent
from fathom.pages.viewpoints import viewpoint_table
from fathom.records import Benchmark, Score
from fathom.scoring.caption_scores import caption_table, of_people
from fathom.scoring.grouping_tables import grouped_tables, guessed

GUESSING = "Guessing, from the options here"
"""The row of what chance gives on the dataset's own questions."""


MEAN_NOTE = (
    f"{MEAN_OF_PASSES}: the mean over questions of the share of a question's passes that are right; chance "
    "is that of the same mean"
)

SHARES: Mapping[str, str] = {
    "unreadable": "unreadable",
    "refused": "refused",
    "failed": "failed",
    "missing": "missing",
    "empty": "empty",
    "cut_off": "cut off",
}
"""Share of the answers due → the column that it stands in."""


def accuracy_table(
    benchmark: Benchmark, scores: Sequence[Score], model: str, scope: Scope = WHOLE_SCOPE
) -> Table:
    """Return accuracy with its interval for each task, and the shares of answers that are not there.

    `model` is as `scope` names it.
    """
    tasks = [s.group["task"] for s in scores if s.name == "accuracy" and set(s.group) == {"task"}]
    levels = [s.group["level"] for s in scores if s.name == "accuracy" and set(s.group) == {"level"}]
    rows = [_accuracy_row(benchmark.tasks.get(t, t), scores, {"task": t}) for t in tasks]
    rows += [_accuracy_row(f"Level {level.lstrip('L')}", scores, {"level": level}) for level in levels]
    parts = [
        (key, part)
        for key in benchmark.facets
        for part in benchmark.in_order(
            key, (s.group[key] for s in scores if s.name == "accuracy" and set(s.group) == {key})
        )
    ]
    rows += [_accuracy_row(part.replace("_", " ").capitalize(), scores, {key: part}) for key, part in parts]
    rows.append(_accuracy_row("All questions", scores, {}))
    overall = find_score(scores, "accuracy", {})
    grouped = find_score(scores, "accuracy_plain") is not None
    notes = [MEAN_NOTE] if grouped else []
    notes += [
        "accuracy in %, with its 95 % interval clustered by what shares a scene, picture or video; what was "
        "refused, failed, is missing or empty, or could not be read counts as wrong; an answer that was cut "
        "off is read as it stands"
    ]
    if overall and overall.method == NOT_AVAILABLE:
        notes.insert(0, f"{NOT_AVAILABLE}: {overall.note}")
    return Table(
        title=f"{benchmark.title}: {model}" + (f", {number_of(overall.n, 'question')}" if overall else ""),
        columns=(
            "",
            MEAN_OF_PASSES if grouped else "accuracy",
            "95 % interval",
            "chance",
            "questions",
            *SHARES.values(),
        ),
        rows=tuple(rows),
        notes=(*notes, *scope.notes(model)),
        groups=tuple(n for n in (len(tasks), len(levels), len(parts), 1) if n),
    )


def _accuracy_row(title: str, scores: Sequence[Score], group: Mapping[str, str]) -> tuple[str, ...]:
    score = find_score(scores, "accuracy", group)
    if score is None:
        return title, "–", "", "", "0", *("" for _ in SHARES)
    guessed = find_score(scores, "chance", group)
    interval = "" if score.low is None else f"{per_cent(score.low)} to {per_cent(score.high)}"
    shares = [find_score(scores, name, group) for name in SHARES]
    return (
        title,
        per_cent(score.value),
        interval,
        per_cent(guessed.value) if guessed else "",
        str(score.n),
        *(per_cent(s.value) if s else "" for s in shares),
    )


def score_tables(
    benchmark: Benchmark,
    scores: Sequence[Score],
    model: str,
    official: bool = False,
    scope: Scope = WHOLE_SCOPE,
    own: Sequence[Score] = (),
) -> list[Table]:
    """Return what `fathom score` prints: our accuracies, then each published table that has a row of ours.

    `own` are scores of metrics from outside, which have a table of their own.
    """
    captions = caption_table(benchmark, scores, model)
    overall = find_score(scores, "accuracy")
    of_captions = bool(captions and not (overall and overall.n))
    tables = [] if of_captions else [accuracy_table(benchmark, scores, model, scope)]
    grouped, lead = grouped_tables(benchmark, scores, model), find_score(scores, benchmark.headline)
    leads = benchmark.headline != "accuracy" and lead is not None and lead.value is not None
    tables = [*grouped, *tables] if leads else [*tables, *grouped]
    here, titles = [(model, scores)], benchmark.tasks
    more = (
        priors_table(here),
        numbers_table(here, titles),
        smallest_table(here),
        viewpoint_table(here),
        own_table(own, model),
        captions,
    )
    tables += [table for table in more if table]
    ours = [(model, scores), (PEOPLE, of_people(scores)), (GUESSING, guessed(scores))]
    tables += [
        beside_published(published, ours, benchmark.tasks, official)
        for published in benchmark.tables
        if any(_is_there(scores, name, group) for name, group in published.ours)
    ]
    return tables


def own_table(own: Sequence[Score], model: str) -> Table | None:
    """Return the scores of metrics from outside as a table, a row for each; None where there are none."""
    rows = [
        (
            ", ".join([s.name, *(f"{key} {part}" for key, part in s.group.items())]),
            _value_of(s),
            "" if s.low is None or s.high is None else f"{s.low:.4g} to {s.high:.4g}",
            str(s.n),
            s.note or s.method,
        )
        for s in own
    ]
    if not rows:
        return None
    return Table(f"Metrics of your own: {model}", ("", "value", "interval", "n", "how"), tuple(rows))


def _value_of(score: Score) -> str:
    if score.value is None:
        return NOT_AVAILABLE if score.method == NOT_AVAILABLE else "–"
    return f"{score.value:.4g}"


def _is_there(scores: Sequence[Score], name: str, group: Mapping[str, str]) -> bool:
    """Return whether a score of ours belongs into a published table, available or not."""
    found = find_score(scores, name, group) if name else None
    return found is not None and bool(found.n or found.method == NOT_AVAILABLE)
