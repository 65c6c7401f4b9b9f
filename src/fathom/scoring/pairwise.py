"""Scored runs compared: two that were named, the best two of a report, or two extractors on one run."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.extraction.disagreements import HEADER, disagreement_rows, disagreements
from fathom.extraction.numeric_answers import is_measured
from fathom.pages.published import find_score
from fathom.pages.tables import Table
from fathom.records import InputError, Question, SampleScore
from fathom.scoring.compare import Comparison, compare_samples
from fathom.scoring.folder import ScoredRun, extractor_named
from fathom.scoring.groups import FLIPPED, GROUPINGS, Grouping, Stopped, form_groups, values_of
from fathom.scoring.sample_scores import MISSING

MOST_SHOWN = 50
"""Answers that two extractors read differently which are printed one by one."""


def compare_scored(
    first: ScoredRun, second: ScoredRun, names: tuple[str, str], grouping: str = "", seed: str = "0"
) -> Comparison:
    """Return how two scored runs differ; passes are grouped as the first was made, unless that is given.

    Numbers on a scale are left out where there are other answers, which are right or wrong. Where a run was
    stopped early, verdicts are compared and not passes. Raises InputError for an unknown
    grouping, and for one that a run stopped early cannot tell, or cannot tell yet.
    """
    found = _grouping(grouping or _made(first))
    for run in (first, second):
        if run.stopped is not None:
            _check_stopped(run, run.stopped, found)
    questions = list(first.dataset.questions())
    chosen = [q for q in questions if not is_measured(q)] or questions
    ids = {q.id for q in chosen}
    return compare_samples(
        chosen,
        [m for m in first.sample_scores if m.question in ids],
        [m for m in second.sample_scores if m.question in ids],
        names=names,
        titles=first.benchmark.tasks,
        grouping=found,
        early=(first.stopped is not None, second.stopped is not None),
        seed=seed,
    )


def _made(run: ScoredRun) -> str:
    return str(run.folder.manifest.settings.get("protocol.grouping", "plain"))


def _grouping(name: str) -> Grouping:
    found = next((g for g in GROUPINGS if g == name), None)
    if found is None:
        raise InputError(f"--grouping {name}: there is {', '.join(GROUPINGS)}")
    return found


def _check_stopped(run: ScoredRun, stopped: Stopped, grouping: Grouping) -> None:
    """Raise InputError where the verdicts of a run that was stopped early are others, or not all there."""
    read_by = {m.extractor for m in run.sample_scores}
    if not stopped.knows(grouping) or read_by - {stopped.extractor}:
        raise InputError(
            f"{run.folder.path}: was stopped early, once {stopped.grouping} groups were decided under "
            f"{stopped.extractor}; compare with --grouping {stopped.grouping} --extractor "
            f"{stopped.extractor.rpartition('-')[0]}"
        )
    if run.folder.manifest.complete:
        return
    undecided = _undecided(list(run.dataset.questions()), run.sample_scores, grouping)
    if undecided:
        # One wrong pass decides a group and only all its passes make it right: what is there so far leans
        # towards what is wrong, and leaving out the rest would not be fair to this run.
        raise InputError(
            f"{run.folder.path}: was stopped early and is not finished: {undecided} {grouping} groups are "
            "undecided, and wrong ones are decided first; carry the run on with `fathom run` before comparing"
        )


def _undecided(
    questions: Sequence[Question], sample_scores: Sequence[SampleScore], grouping: Grouping
) -> int:
    """Return how many groups wait for a pass that was not asked yet, rather than for one that failed."""
    groups, _ = form_groups(questions, values_of(sample_scores), grouping, early=True)
    put: dict[str, int] = {}
    for sample_score in sample_scores:
        if sample_score.how == MISSING:
            continue
        put[sample_score.question] = put.get(sample_score.question, 0) + 1
    flips: dict[str, list[str]] = {}
    for q in questions:
        if grouping in FLIPPED and q.groups.flip:
            flips.setdefault(q.groups.flip, []).append(q.id)
    open_ = 0
    for group in groups:
        members = flips.get(group.question.groups.flip) or [group.question.id]
        open_ += group.right is None and sum(put.get(m, 0) for m in members) < group.passes
    return open_


def best_compared(runs: Sequence[ScoredRun], seed: str = "0") -> tuple[str, ...]:
    """Return what is to be said of the best two of these runs, by the score that leads; () for one run.

    Where they cannot be compared, that is what is said.
    """
    name = lead(runs)
    ranked = [(score.value, -i, run) for i, run in enumerate(runs)
              if (score := find_score(run.scores, name)) is not None and score.value is not None]  # fmt: skip
    if len(ranked) < 2:
        return ()
    a, b = (run for _, _, run in sorted(ranked, key=lambda r: r[:2], reverse=True)[:2])
    names = (a.model, b.model) if a.model != b.model else (str(a.folder.path), str(b.folder.path))
    grouping = name.removeprefix("accuracy_") if name != "accuracy" else "plain"
    try:
        return compare_scored(a, b, names, grouping, seed).sentences
    except InputError as e:
        return (f"{names[0]} and {names[1]} are not compared: {e}",)


def lead(runs: Sequence[ScoredRun]) -> str:
    """Return the score by which runs are ranked: the benchmark's own where one has it, else accuracy."""
    headline = runs[0].benchmark.headline if runs else "accuracy"
    for name in (headline, "accuracy", *(f"accuracy_{g}" for g in GROUPINGS)):
        if any((s := find_score(r.scores, name)) is not None and s.value is not None for r in runs):
            return name
    return "accuracy"


def disagreement_tables(run: ScoredRun, extractors: tuple[str, str]) -> list[Table]:
    """Return where two extractors read one run differently, as a table; nothing where they never do."""
    a, b = (extractor_named(run.benchmark, name) for name in extractors)
    rows = disagreement_rows(disagreements(a, b, run.questions, run.folder.responses()))
    if not rows:
        return []
    more = len(rows) - MOST_SHOWN
    notes = ["✓ and ✗: right and wrong; those that move the score come first"]
    notes += [f"and {more:,} more"] if more > 0 else []
    shown = tuple(rows[:MOST_SHOWN])
    return [
        Table(
            f"Read differently: {extractors[0]} (first) and {extractors[1]} (second)",
            HEADER,
            shown,
            tuple(notes),
        )
    ]
