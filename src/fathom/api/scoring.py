"""Score runs, and compare them with each other and with what was published."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.datasets import frame, html_table
from fathom.api.names import benchmark_named, benchmark_of
from fathom.api.paths import takes_paths
from fathom.api.scores import Scores
from fathom.english import signed
from fathom.records import InputError

if TYPE_CHECKING:
    import pandas

    from fathom.scoring.compare import Comparison
    from fathom.scoring.compare_metrics import MetricDifference
    from fathom.scoring.folder import ScoredRun, ScorePlan
    from fathom.stats.paired import Difference


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
    extractor: str = "",
    metrics: Sequence[str] = (),
    seed: str = "0",
    judge_requests: Path | None = None,
    reader_requests: Path | None = None,
    responses: Sequence[Path] | None = None,
    human_scores: Path | None = None,
    say: Say = unheard,
) -> Scores:
    """Score a run, write RUN/scores/EXTRACTOR, and return the scores.

    Args:
        run: the run folder.
        extractor: how answers are extracted; "" for the benchmark's own way.
        seed: what the bootstrap follows from.
        judge_requests: a folder to write what a judge of captions is to be asked.
        reader_requests: a folder to write what a reader of unreadable answers is to be asked.
        responses: runs that answer such requests; None takes those that helped before.
        human_scores: a CSV file of people's scores of the captions.
        say: is told a sentence where answers that were due are not there; every number says so too.

    Raises InputError for an unknown extractor, or where what helps belongs to another run.

    Example:
        >>> fathom.score("my-run")["accuracy"].value  # doctest: +SKIP
    """
    from fathom.pages.tables import as_text
    from fathom.scoring.folder import ScorePlan
    from fathom.scoring.tables import score_tables

    plan = ScorePlan(
        extractor=extractor,
        metrics=tuple(metrics),
        seed=seed,
        responses=responses,
        judge_requests=judge_requests,
        reader_requests=reader_requests,
        human_scores=human_scores,
        environ=dict(os.environ),
    )
    scored = scored_run(run, plan)
    model, scope = scored.model, scored.scope
    tables = score_tables(scored.benchmark, scored.scores, model, scored.official, scope, scored.own)
    tell_incomplete([scored], say)
    text = "\n".join([*map(as_text, tables), *scored.said, scored.written.as_posix()])
    return Scores(model, scored.extractor, scope.complete, scored.scores, text, scored.written)


def scored_run(path: Path, plan: ScorePlan) -> ScoredRun:
    """Return a run, marked and scored; the sample scores and scores are written beside it."""
    from fathom.scoring.folder import score_folder
    from fathom.store.runs import open_run

    folder = open_run(path)
    dataset = folder.dataset()
    return score_folder(folder, dataset, benchmark_of(dataset.manifest), plan)


@dataclass(frozen=True)
class RunComparison:
    """What `fathom compare` found: as text, as JSON, and as the records behind both.

    `first_is_worse` is true where the first run is surely worse, on all questions or on a task after Holm.
    """

    text: str = field(repr=False)
    json: str = field(repr=False)
    found: Comparison

    @property
    def first_is_worse(self) -> bool:
        """Return whether the first run is surely worse than the second."""
        return self.found.first_is_worse

    @property
    def difference(self) -> Difference:
        """Return the first run's accuracy minus the second's, with its interval and p-value."""
        return self.found.overall

    def __str__(self) -> str:
        """Return what `fathom compare` prints."""
        return self.text

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row for everything and for each task: difference, low, high, p, and p after Holm.

        Raises MissingExtraError where pandas is not installed.
        """
        every = self.found.overall
        rows: list[tuple[object, ...]] = [("", every.value, every.low, every.high, every.p_value, None)]
        rows += [
            (
                t.task,
                t.difference.value,
                t.difference.low,
                t.difference.high,
                t.difference.p_value,
                t.adjusted,
            )
            for t in self.found.tasks
        ]
        return frame(rows, ("task", "difference", "low", "high", "p", "p_holm"))

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the sentences, and the difference on everything and on each task."""
        rows = [("all", _signed(self.found.overall))]
        rows += [(t.title, _signed(t.difference)) for t in self.found.tasks]
        title = f"{self.found.first} − {self.found.second}"
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.found.sentences)
        return said + html_table(title, ("task", "difference [95 %]"), rows)


def _signed(d: Difference) -> str:
    return f"{signed(100 * d.value)} [{signed(100 * d.low)}, {signed(100 * d.high)}] points"


@takes_paths
def compare_runs(
    runs: Sequence[Path],
    *,
    extractor: str = "",
    extractors: str = "",
    grouping: str = "",
    metrics: Sequence[str] = (),
    seed: str = "0",
    say: Say = unheard,
) -> RunComparison:
    """Return how two runs on one dataset differ, or one run read by two extractors ("a,b").

    `grouping` says which passes count as one (plain, circular, flip or both); as the runs were made if not
    given. `metrics` are "module:attribute" of metrics of one's own, by which the runs are compared too.
    Raises InputError where the runs cannot be compared.
    """
    from fathom.pages.scope import sentences
    from fathom.pages.tables import as_text
    from fathom.scoring.compare import as_json, comparison_table, reading_sentence
    from fathom.scoring.compare_metrics import metrics_table
    from fathom.scoring.folder import ScorePlan
    from fathom.scoring.pairwise import compare_scored, disagreement_tables

    read_by = [name.strip() for name in extractors.split(",")] if extractors else [extractor, extractor]
    if len(read_by) != 2 or len(runs) != (1 if extractors else 2):
        raise InputError("compare: expected two run folders, or one with --extractors a,b")
    environ = dict(os.environ)
    a, b = (
        scored_run(run, ScorePlan(extractor=name, seed=seed, environ=environ))
        for run, name in zip([runs[0], runs[-1]], read_by, strict=True)
    )
    names = (read_by[0], read_by[1]) if extractors else _told_apart(a, b)
    found = replace(compare_scored(a, b, names, grouping, seed), own=_by_metrics(a, b, metrics, seed))
    both = (a,) if extractors else (a, b)
    tell_incomplete(both, say)
    said = [*found.sentences, *sentences([(run.name, run.scope) for run in both])]
    tables = [comparison_table(found), *([metrics_table(found.own, names)] if found.own else [])]
    if extractors:
        said.insert(0, reading_sentence(*names, a.sample_scores, b.sample_scores))
        tables += disagreement_tables(a, names)
    text = "\n".join([as_text(tables[0]), *said, *(f"\n{as_text(t)}".rstrip() for t in tables[1:])])
    return RunComparison(text, as_json(found), found)


def _told_apart(first: ScoredRun, second: ScoredRun) -> tuple[str, str]:
    """Return what two runs are called: their models, or their folders. Raises InputError for two datasets."""
    if first.dataset.manifest.identity != second.dataset.manifest.identity:
        raise InputError(
            f"{second.folder.path}: was made on another dataset than {first.folder.path}; compare runs on "
            "one dataset"
        )
    if first.model == second.model:
        return str(first.folder.path), str(second.folder.path)
    return first.model, second.model


def _by_metrics(
    first: ScoredRun, second: ScoredRun, metrics: Sequence[str], seed: str
) -> tuple[MetricDifference, ...]:
    """Return how two runs differ by metrics of one's own. Raises InputError where a run was stopped early."""
    from fathom.scoring.compare_metrics import compare_metrics
    from fathom.scoring.own_code import metrics_named
    from fathom.store.seeds import rng

    if metrics and (first.stopped or second.stopped):
        raise InputError(
            "compare --metric: a run was stopped early, so its metrics are not known; compare without "
            "--metric, or run the model without stopping"
        )
    return compare_metrics(
        list(first.dataset.questions()),
        first.sample_scores,
        second.sample_scores,
        metrics_named(metrics),
        int(rng(seed, "score").integers(2**31)),
    )


def published_tables(benchmark: str) -> str:
    """Return the published tables as text, and which of their cells follow from others."""
    from fathom.pages.tables import as_text
    from fathom.scoring.published import published_tables as tables_of

    found = benchmark_named(benchmark)
    if not found.tables:
        raise InputError(f"{benchmark}: has no published tables; name a benchmark of a paper")
    return "\n".join(as_text(table) for table in tables_of(found.tables, found.tasks))
