"""Score runs, and compare them with each other and with what was published."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import benchmark_named, benchmark_of
from fathom.api.paths import takes_paths
from fathom.records import InputError

if TYPE_CHECKING:
    from fathom.scoring.folder import ScoredRun, ScorePlan


Say = Callable[[str], None]
"""Is told a sentence for each run of which answers that were due are not there."""


def unheard(text: str) -> None:
    pass


def tell_incomplete(runs: Sequence[ScoredRun], say: Say) -> None:
    """Tell for each of these runs whether answers that were due are not there, and how many."""
    for run in runs:
        if not run.scope.complete:
            say(" ".join(run.scope.notes(f"{run.folder.path}")))


@takes_paths
def score_run(
    run: Path,
    *,
    policy: str = "",
    seed: str = "0",
    judge_requests: Path | None = None,
    reader_requests: Path | None = None,
    responses: Sequence[Path] | None = None,
    human_scores: Path | None = None,
    say: Say = unheard,
) -> str:
    """Mark and score a run, write RUN/scores/POLICY, and return the paper's tables as text.

    `judge_requests` and `reader_requests` are folders to write what another model is to be asked; `responses`
    are the runs that answer such requests, and `human_scores` people's scores of the captions. Where
    answers are not there, that is in the text, and `say` is told. Raises InputError where what helps belongs
    to another run.
    """
    from fathom.pages.tables import as_text
    from fathom.scoring.folder import ScorePlan
    from fathom.scoring.tables import score_tables

    plan = ScorePlan(
        policy=policy,
        seed=seed,
        responses=responses,
        judge_requests=judge_requests,
        reader_requests=reader_requests,
        human_scores=human_scores,
        environ=dict(os.environ),
    )
    scored = scored_run(run, plan)
    model, scope = scored.model, scored.scope
    tables = score_tables(scored.benchmark, scored.scores, model, scored.official, scope)
    tell_incomplete([scored], say)
    return "\n".join([*map(as_text, tables), *scored.said, scored.written.as_posix()])


def scored_run(path: Path, plan: ScorePlan) -> ScoredRun:
    """Return a run, marked and scored; the marks and scores are written beside it."""
    from fathom.scoring.folder import score_folder
    from fathom.store.runs import open_run

    folder = open_run(path)
    dataset = folder.dataset()
    return score_folder(folder, dataset, benchmark_of(dataset.manifest), plan)


@dataclass(frozen=True)
class Compared:
    """What `fathom compare` found, as text and as JSON, and whether the first run is surely worse."""

    text: str
    json: str
    first_is_worse: bool


@takes_paths
def compare_runs(
    runs: Sequence[Path],
    *,
    policy: str = "",
    policies: str = "",
    grouping: str = "",
    seed: str = "0",
    say: Say = unheard,
) -> Compared:
    """Return how two runs on one dataset differ, or one run read by two policies ("a,b").

    `grouping` says which passes count as one (plain, circular, flip or both); as the runs were made if not
    given. Raises InputError where the runs cannot be compared.
    """
    from fathom.pages.scope import sentences
    from fathom.pages.tables import as_text
    from fathom.scoring.best import compare_scored, disagreement_tables
    from fathom.scoring.compare import as_json, comparison_table, reading_sentence
    from fathom.scoring.folder import ScorePlan

    read_by = [name.strip() for name in policies.split(",")] if policies else [policy, policy]
    if len(read_by) != 2 or len(runs) != (1 if policies else 2):
        raise InputError("fathom compare: expected two run folders, or one with --policies a,b")
    environ = dict(os.environ)
    a, b = (
        scored_run(run, ScorePlan(policy=name, seed=seed, environ=environ))
        for run, name in zip([runs[0], runs[-1]], read_by, strict=True)
    )
    if a.dataset.manifest.identity != b.dataset.manifest.identity:
        raise InputError(
            f"{b.folder.path}: was made on another dataset than {a.folder.path}; compare runs on one dataset"
        )
    names = (a.model, b.model) if not policies else (read_by[0], read_by[1])
    if names[0] == names[1] and not policies:
        names = (str(a.folder.path), str(b.folder.path))
    found = compare_scored(a, b, names, grouping, seed)
    both = (a,) if policies else (a, b)
    tell_incomplete(both, say)
    said = [*found.sentences, *sentences([(run.name, run.scope) for run in both])]
    tables = [comparison_table(found)]
    if policies:
        said.insert(0, reading_sentence(*names, a.marks, b.marks))
        tables += disagreement_tables(a, names)
    text = "\n".join([as_text(tables[0]), *said, *(f"\n{as_text(t)}".rstrip() for t in tables[1:])])
    return Compared(text, as_json(found), found.first_is_worse)


def published_tables(benchmark: str) -> str:
    """Return the published tables as text, and which of their cells follow from others."""
    from fathom.pages.tables import as_text
    from fathom.scoring.published import published_tables as tables_of

    found = benchmark_named(benchmark)
    if not found.tables:
        raise InputError(f"{benchmark}: has no published tables; name a benchmark of a paper")
    return "\n".join(as_text(table) for table in tables_of(found.tables, found.tasks))
