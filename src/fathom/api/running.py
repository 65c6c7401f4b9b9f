"""Put datasets to models, once or in every way that a study compares."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import (
    BASELINES,
    Progress,
    benchmark_named,
    benchmark_of,
    check_baseline,
    silent,
)
from fathom.api.paths import takes_paths
from fathom.api.scoring import Say, scored_run, tell_incomplete, unheard
from fathom.records import InputError, Study, StudyPoint

if TYPE_CHECKING:
    from fathom.inference.models.function import Answering
    from fathom.inference.plans import Plan, RunConfig, RunPlan
    from fathom.inference.summary import Summary
    from fathom.store.datasets import Dataset


@dataclass(frozen=True)
class Ran:
    """What `fathom run` did, in words, how many requests failed this time, and which limit ended it."""

    text: str
    requests: int = 0
    failed: int = 0
    stopped: str = ""


@takes_paths
def run_model(
    dataset: str | Path,
    model: str | Answering,
    out: str | Path,
    *,
    options: Mapping[str, str] | None = None,
    protocol: str = "default",
    settings: Mapping[str, object] | object | None = None,
    limit: int = 0,
    repeats: int = 1,
    concurrency: int = 32,
    tasks: Sequence[str] = (),
    seed: str = "0",
    prices: Path | None = None,
    max_requests: int = 0,
    max_cost: float = 0.0,
    more_tokens: int = 0,
    dry_run: bool = False,
    progress: Progress = silent,
) -> Ran:
    """Put a dataset, or a folder of requests, to a model; only what has no answer yet is asked.

    `model` is what --model takes, or a function that returns an answer: of a question (its text, options and
    images), or of a prompt's text and its pictures' bytes.
    `options` are the model's, added to those in `model`; `settings` change those of the protocol; of
    named `tasks`, only their questions are put. With `more_tokens`, answers that were cut off are asked once
    more, with so many. The run ends early after `max_requests` of this start, or where it could cost more
    than `max_cost` US dollars in all, by the `prices` of a file before our own. Raises InputError,
    MissingExtraError or EndpointError.
    """
    from fathom.inference.estimate import estimate_plan
    from fathom.inference.plans import RunConfig
    from fathom.inference.prices import read_prices
    from fathom.inference.runner import RunLimits
    from fathom.inference.start import run_plan

    dataset, out = Path(dataset), Path(out)
    config = RunConfig(
        model=model,
        out=out,
        limit=limit,
        concurrency=concurrency,
        seed=seed,
        options=options,
        environ=dict(os.environ),
        prices=read_prices(prices, os.environ),
        limits=RunLimits(max_requests, max_cost),
        more_tokens=more_tokens,
        asks=not dry_run,
    )
    notes: list[str] = []
    plan = _plan(dataset, config, protocol, settings or {}, repeats, notes, tasks)
    if dry_run:
        return Ran("\n".join([*notes, str(estimate_plan(plan))]))
    summary = run_plan(plan, told(progress, config.shown_model), notes.append)
    text = "\n".join([*notes, f"{out}: {summary}"])
    return Ran(text, summary.total, summary.failed, summary.stopped)


def _plan(
    folder: Path,
    config: RunConfig,
    protocol: str,
    settings: Mapping[str, object] | object,
    repeats: int,
    notes: list[str],
    tasks: Sequence[str] = (),
) -> Plan:
    """Return the plan of a run, and add to `notes` what is to be said beforehand."""
    from fathom.inference.plans import RequestsPlan
    from fathom.store.datasets import open_dataset
    from fathom.store.requests import holds_requests, open_requests

    if holds_requests(folder):
        if protocol != "default" or settings or repeats != 1 or tasks:
            raise InputError(
                f"{folder}: holds requests, which are put as they are written; leave --protocol, --set, "
                "--task and --repeats out"
            )
        return RequestsPlan(config, open_requests(folder))
    opened = open_dataset(folder)
    if not opened.manifest.counts.get("media", 1) and config.shown_model.partition(":")[0] not in BASELINES:
        notes.append(f"{folder}: was built without pictures, and the model is shown none")
    return run_plan_of(opened, config, protocol, settings, repeats, tasks)


def run_plan_of(
    opened: Dataset,
    config: RunConfig,
    protocol: str,
    settings: Mapping[str, object] | object,
    repeats: int = 1,
    tasks: Sequence[str] = (),
) -> RunPlan:
    """Return the plan of a run on a dataset. Raises InputError for what there is not."""
    from fathom.inference.plans import RunPlan
    from fathom.scoring.early_stopping import early_stop_of

    benchmark = benchmark_of(opened.manifest)
    check_baseline(config.shown_model, benchmark)
    if protocol not in benchmark.protocols:
        raise InputError(f"--protocol {protocol}: {benchmark.name} has {', '.join(benchmark.protocols)}")
    chosen = benchmark.protocols[protocol]
    if settings:
        if chosen.changed is None:
            given = ", ".join(settings) if isinstance(settings, Mapping) else type(settings).__name__
            raise InputError(
                f"--set {given}: there is no such setting; the protocol {protocol} of {benchmark.name} has "
                "none: leave it out"
            )
        chosen = chosen.changed(settings)
    if unknown := set(tasks) - set(benchmark.tasks):
        raise InputError(f"--task {min(unknown)}: {benchmark.name} has {', '.join(benchmark.tasks)}")
    if chosen.prepared is not None:
        chosen = chosen.prepared(opened.questions(), opened.media)
    stop = early_stop_of(chosen, benchmark.extractors, opened, config.limit)
    more = stop.settings() if stop else {}
    only = tuple(task for task in benchmark.tasks if task in tasks)
    return RunPlan(config, opened, benchmark, chosen, repeats, only, stop, more)


@dataclass(frozen=True)
class Studied:
    """What a study found, in words; how many requests failed, and the files that it wrote."""

    text: str
    requests: int = 0
    failed: int = 0
    files: tuple[Path, ...] = ()


@takes_paths
def run_study(
    study: str,
    dataset: Path,
    model: str,
    out: Path,
    *,
    options: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
    limit: int = 0,
    concurrency: int = 32,
    extractor: str = "",
    seed: str = "0",
    prices: Path | None = None,
    dry_run: bool = False,
    progress: Progress = silent,
    say: Say = unheard,
) -> Studied:
    """Put a dataset to a model in every way that a study of its benchmark compares, and compare them.

    Each point is a run in OUT/runs; those that are there are carried on. `settings` change those of every
    point, but not what the study varies; `say` is told where answers are not there. Raises what
    `run_model` and `score_run` raise.
    """
    from fathom.inference.estimate import estimate_plan, estimates_text
    from fathom.inference.start import run_plan
    from fathom.pages.tables import as_text
    from fathom.scoring.folder import ScorePlan
    from fathom.scoring.study import seen_of, study_found
    from fathom.scoring.study_files import write_study
    from fathom.scoring.study_tables import study_tables

    def plan(found: Study, opened: Dataset, point: StudyPoint) -> RunPlan:
        from fathom.inference.plans import RunConfig
        from fathom.inference.prices import read_prices
        from fathom.scoring.study import RUNS, settings_of

        known, place = read_prices(prices, os.environ), out / RUNS / point.name
        config = RunConfig(
            model, place, limit, concurrency, seed, options, dict(os.environ), known, asks=not dry_run
        )
        chosen = settings_of(found, point, settings or {})
        return run_plan_of(opened, config, found.protocol, chosen, tasks=found.tasks)

    opened = _opened(dataset)
    found = _study_named(study, opened.manifest.benchmark)
    plans = {point.name: plan(found, opened, point) for point in found.points}
    if not next(iter(plans.values())).count():
        raise InputError(
            f"{dataset}: the study {study} is about {', '.join(found.tasks)}; no question here is of such "
            "a task; choose another study"
        )
    if dry_run:
        return Studied(estimates_text({name: estimate_plan(plan) for name, plan in plans.items()}))
    summaries = [run_plan(plan, told(progress, name)) for name, plan in plans.items()]
    scoring = ScorePlan(extractor=extractor, seed=seed, environ=dict(os.environ))
    runs = [scored_run(plan.config.out, scoring) for plan in plans.values()]
    seen = [seen_of(r.questions, p.protocol, opened.media) for r, p in zip(runs, plans.values(), strict=True)]
    result = study_found(found, runs, seen, seed)
    files = write_study(out, result)
    text = [*map(as_text, study_tables(result).values()), *map(str, files)]
    requests, failed = (sum(n) for n in zip(*((s.total, s.failed) for s in summaries), strict=True))
    tell_incomplete(runs, say)
    return Studied("\n".join(text), requests, failed, tuple(files))


def _opened(path: Path) -> Dataset:
    from fathom.store.datasets import open_dataset

    return open_dataset(path)


def told(progress: Progress, what: str) -> Callable[[Summary], None]:
    """Return what tells of a run of a study how far it is."""
    return lambda summary: progress(what, summary.settled, summary.total, summary.note())


def _study_named(name: str, benchmark: str) -> Study:
    studies = {study.name: study for study in benchmark_named(benchmark).studies}
    if name not in studies:
        known = f"has {', '.join(studies)}" if studies else "has none"
        raise InputError(f"{name!r}: no such study; {benchmark} {known}")
    return studies[name]
