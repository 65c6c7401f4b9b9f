"""Put a dataset to several models that differ in labelled parts, and compare them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import Progress, benchmark_of, silent
from fathom.api.paths import takes_paths
from fathom.api.running import Studied, run_plan_of, told
from fathom.api.scoring import Say, scored_run, tell_incomplete, unheard
from fathom.records import InputError, ModelStudy

if TYPE_CHECKING:
    from fathom.inference.plans import RunConfig
    from fathom.scoring.model_study import LabelledModel


@takes_paths
def run_model_study(
    study: str,
    dataset: Path,
    models: Path,
    out: Path,
    *,
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
    """Put a dataset to each model of a file, in the paper's way, and set them beside the published rows.

    `models` is CSV with the columns name, model (as `--model` takes it, options after a comma) and one for
    each label of the study. Each model is a run in OUT/runs; those that are there are carried on. `say` is
    told where answers are not there. Raises what `run_model` and `score_run` raise.
    """
    from fathom.inference.estimate import estimate_plan, estimates_text
    from fathom.inference.start import run_plan
    from fathom.pages.tables import as_text
    from fathom.scoring.folder import ScorePlan
    from fathom.scoring.model_study import model_tables, models_found, read_models, write_models
    from fathom.store.datasets import open_dataset

    opened = open_dataset(dataset)
    found = model_study_named(study, {s.name: s for s in benchmark_of(opened.manifest).model_studies})
    labelled = read_models(models, found)
    configs = _configs(labelled, out, limit, concurrency, seed, prices, not dry_run)
    plans = {
        name: run_plan_of(opened, config, found.protocol, settings or {}) for name, config in configs.items()
    }
    if dry_run:
        return Studied(estimates_text({name: estimate_plan(plan) for name, plan in plans.items()}))
    summaries = [run_plan(plan, told(progress, name)) for name, plan in plans.items()]
    scoring = ScorePlan(extractor=extractor, seed=seed, environ=dict(os.environ))
    runs = [scored_run(plan.config.out, scoring) for plan in plans.values()]
    files = write_models(out, result := models_found(found, labelled, runs, seed))
    text = [*map(as_text, model_tables(result).values()), *map(str, files)]
    requests, failed = (sum(n) for n in zip(*((s.total, s.failed) for s in summaries), strict=True))
    tell_incomplete(runs, say)
    return Studied("\n".join(text), requests, failed, tuple(files))


def _configs(
    models: Sequence[LabelledModel],
    out: Path,
    limit: int,
    concurrency: int,
    seed: str,
    prices: Path | None,
    asks: bool,
) -> dict[str, RunConfig]:
    """Return how each model is run, by its name."""
    from fathom.inference.plans import RunConfig
    from fathom.inference.prices import read_prices
    from fathom.scoring.study import RUNS

    known, environ = read_prices(prices, os.environ), dict(os.environ)
    return {
        m.name: RunConfig(
            m.model, out / RUNS / m.folder, limit, concurrency, seed, None, environ, known, asks=asks
        )
        for m in models
    }


def model_study_named(name: str, known: Mapping[str, ModelStudy]) -> ModelStudy:
    """Return a study of models by its name. Raises InputError where the benchmark has none of it."""
    if name not in known:
        there = f"there is {', '.join(known)}" if known else "the benchmark has none"
        raise InputError(f"{name!r}: no study of several models; {there}")
    return known[name]
