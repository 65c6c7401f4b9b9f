"""Show what was found: the report, and wrong answers for people to label."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import BASELINES, benchmark_of
from fathom.api.paths import takes_paths
from fathom.api.scoring import Say, scored_run, tell_incomplete, unheard
from fathom.records import InputError

if TYPE_CHECKING:
    from fathom.reporting.data import ReportDataset, ReportRun
    from fathom.scoring.folder import ScoredRun
    from fathom.store.datasets import Dataset


@takes_paths
def write_report(
    runs: Sequence[Path],
    out: Path,
    *,
    extractor: str = "",
    gallery_scenes: int = 60,
    seed: str = "0",
    figures: bool = True,
    say: Say = unheard,
) -> Path:
    """Write the report of runs on one dataset and return the page's path.

    Without `figures` the charts are on the page alone, not in files for papers and slides, which take longer
    than all else of a small report. Where answers of a run are not there, the report says so, and `say` is
    told.

    Raises InputError where the runs were made on different datasets.
    """
    from fathom.reporting.data import ReportData
    from fathom.reporting.page import write_report as write
    from fathom.scoring.folder import ScorePlan
    from fathom.scoring.pairwise import best_compared

    if not runs:
        raise InputError("report: expected at least one run folder, found none")
    plan = ScorePlan(extractor=extractor, seed=seed, environ=dict(os.environ))
    scored = [scored_run(run, plan) for run in runs]
    first = scored[0]
    for other in scored[1:]:
        if other.dataset.manifest.identity != first.dataset.manifest.identity:
            raise InputError(
                f"{other.folder.path}: was made on another dataset than {first.folder.path}; "
                "give each its own report"
            )
    tell_incomplete(scored, say)
    shown = [_shown(s, name) for name, s in zip(names_of(scored), scored, strict=True)]
    models = [s for s, run in zip(scored, shown, strict=True) if not (run.baseline or run.text_only)]
    data = ReportData(
        benchmark=first.benchmark,
        dataset=report_dataset(first.dataset, first.official),
        runs=shown,
        pictures_shown=gallery_scenes,
        compared=best_compared(models, seed),
    )
    return write(out, data, figures)


def _shown(run: ScoredRun, name: str) -> ReportRun:
    """Return a scored run as a report takes it."""
    from fathom.reporting.data import ReportRun

    return ReportRun(
        model=name,
        manifest=run.folder.manifest,
        sample_scores=run.sample_scores,
        scores=run.scores,
        responses=run.responses,
        scope=run.scope,
        baseline=run.name.partition(":")[0] in BASELINES,
    )


def names_of(runs: Sequence[ScoredRun]) -> list[str]:
    """Return what runs are called in a report: their models, and where these are the same, their folders."""
    models = [run.name for run in runs]
    folders = [run.folder.path.name for run in runs]
    names = (
        model if models.count(model) == 1 or folder == model else f"{model} ({folder})"
        for model, folder in zip(models, folders, strict=True)
    )
    return [run.scope.named(name) for run, name in zip(runs, names, strict=True)]


@takes_paths
def read_error_labels(run: Path, out: Path, labels: Sequence[Path]) -> str:
    """Write what people said of a run's wrong answers as a figure and a table, and return the table.

    Raises InputError for labels that there are not, and of another dataset's questions.
    """
    from fathom.pages.figures import save_figure, save_png
    from fathom.pages.tables import as_csv, as_latex, as_text
    from fathom.review.error_figures import labels_figure, labels_table
    from fathom.review.errors import read_labels, shares_of
    from fathom.store.files import write_text
    from fathom.store.runs import open_run

    dataset = open_run(run).dataset()
    benchmark = benchmark_of(dataset.manifest)
    lines = read_labels(labels, benchmark.error_labels)
    known = {q.id for q in dataset.questions()}
    strangers = [line.question for line in lines if line.question not in known]
    if strangers:
        raise InputError(
            f"--labels: {strangers[0]!r} is no question of the dataset that {run} was made on; give the "
            "labels of this run"
        )
    found, titles = shares_of(lines, benchmark.error_labels), benchmark.tasks
    table, figure = labels_table(found, titles, lines[0].model), labels_figure(found, titles, lines[0].model)
    files = [*save_figure(figure, out / "labels"), save_png(figure, out / "labels")]
    for kind, text in (("csv", as_csv(table)), ("tex", as_latex(table))):
        write_text(out / f"labels.{kind}", text)
        files.append(out / f"labels.{kind}")
    return "\n".join([as_text(table), *map(str, files)])


def report_dataset(dataset: Dataset, official: bool) -> ReportDataset:
    from fathom.records import Media, Outline
    from fathom.reporting.data import Found, ReportDataset
    from fathom.store.files import read_json, read_jsonl

    outlines, checks = dataset.path / "outlines.jsonl", dataset.path / "checks.json"
    return ReportDataset(
        manifest=dataset.manifest,
        questions=tuple(dataset.questions()),
        picture=dataset.media_bytes,
        path=lambda media: dataset.media_path(dataset.media(media)),
        still=dataset.still_bytes,
        media={m.id: m for m in read_jsonl(dataset.path / "media.jsonl", Media)},
        scenes={s.id: s for s in dataset.scenes()},
        outlines=tuple(read_jsonl(outlines, Outline)) if outlines.exists() else (),
        checks=read_json(checks, Found).tables if checks.exists() else (),
        official=official,
    )
