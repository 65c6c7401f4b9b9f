"""The verbs as a program uses them: each returns an object that can be looked at and printed."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fathom.api.building import build_dataset
from fathom.api.datasets import BenchmarkDataset, load_dataset
from fathom.api.exchange import import_dataset as import_files
from fathom.api.names import Progress, silent
from fathom.api.reporting import write_report
from fathom.api.running import run_model
from fathom.api.runs import ModelRun, load_run
from fathom.api.scores import Scores
from fathom.api.scoring import RunComparison, compare_runs, score_run

if TYPE_CHECKING:
    from fathom.inference.models.function import Answering

Folder = str | Path


def build(
    benchmark: str,
    out: Folder,
    *,
    scenes: int = 100,
    seed: str | int = "0",
    settings: Mapping[str, object] | object | None = None,
    generator: str = "",
    assets: Folder | None = None,
    renderer: str = "mitsuba",
    quality: str = "final",
    workers: int = 0,
    train_scenes: int = 0,
    strict: bool = False,
    progress: Progress = silent,
) -> BenchmarkDataset:
    """Build a dataset, or what is still missing of one, and return it.

    Args:
        benchmark: its name, or "module:attribute" of a `Benchmark` of your own.
        out: the folder to make.
        scenes: how many scenes, animated objects or videos.
        seed: everything random follows from it.
        settings: those of the generator: its settings dataclass (`StillSettings(rules="paper")`), that of a
            part (`Scatter(most=6)`), or a mapping of names to values (`{"most": 6}`, `{"desktop.most": 8}`,
            `{"desktop": Desktop(most=8)}`). `fathom build BENCHMARK --help` lists them.
        generator: what makes the scenes: one of the benchmark's by name, or "module:attribute" of your own.
        assets: a folder of models; None: the built-in ones.
        renderer: mitsuba, mitsuba-scalar, or none: ground truth and questions without images.
        quality: of the images: draft, preview or final.
        workers: processes to work with; 0: one a core. The result is the same.
        train_scenes: also build a training split of so many scenes, in OUT-train.
        strict: fail where a model cannot be used, or a check of the whole dataset is not met.
        progress: is told (what, done, total, note).

    Raises InputError for a setting that there is not, AssetError for models that cannot be used, UnfitError
    where a scene cannot be made or the two derivations disagree.

    Example:
        >>> dataset = fathom.build("pulsecheck457", "my-set", scenes=20, renderer="none")  # doctest: +SKIP
    """
    build_dataset(
        benchmark,
        Path(out),
        scenes=scenes,
        seed=str(seed),
        settings=settings,
        generator=generator,
        assets=None if assets is None else Path(assets),
        renderer=renderer,
        quality=quality,
        workers=workers,
        train_scenes=train_scenes,
        strict=strict,
        progress=progress,
    )
    return load_dataset(out)


def import_dataset(benchmark: str, path: Folder, out: Folder, **options: Any) -> BenchmarkDataset:
    """Make a dataset of a benchmark's published files, or of another kit's copy, and return it.

    Args:
        benchmark: its name, or "module:attribute" of layouts of your own.
        path: the file or folder with the questions.
        out: the folder to make.
        options: what else `fathom import` takes, under the same names (media, copy, columns, limit …).

    Raises InputError where no layout fits, MissingExtraError for a package that reads such files.

    Example:
        >>> dataset = fathom.import_dataset("sti-bench", "qa.parquet", "sti")  # doctest: +SKIP
    """
    import_files(benchmark, Path(path), Path(out), **options)
    return load_dataset(out)


def run(
    dataset: Folder | BenchmarkDataset,
    model: str | Answering,
    out: Folder,
    *,
    protocol: str = "default",
    settings: Mapping[str, object] | object | None = None,
    **options: Any,
) -> ModelRun:
    """Put a dataset to a model and return the run; what has an answer already is not asked again.

    Args:
        dataset: the folder, or what `load_dataset` returned. Of a filtered one all questions are put: name
            tasks with `tasks`, or a number with `limit`.
        model: what `--model` takes, or a function. One argument: a `QuestionView` (text, options, prompt,
            images); two: the prompt as text and the pictures as bytes. It returns a text, and may be `async`.
        out: the run folder.
        protocol: one of the benchmark's.
        settings: those of the protocol: a mapping, which changes what it names, or the protocol's settings
            dataclass, which replaces all of them.
        options: what else `fathom run` takes, under the same names (limit, repeats, concurrency, tasks …).

    Raises InputError, MissingExtraError or EndpointError. Failures of single questions are responses.

    Example:
        >>> def first(question):  # doctest: +SKIP
        ...     return "A"
        >>> fathom.run("my-set", first, "my-run")  # doctest: +SKIP
    """
    place = dataset.path if isinstance(dataset, BenchmarkDataset) else dataset
    outcome = run_model(place, model, out, protocol=protocol, settings=settings, **options)
    return dataclasses.replace(load_run(out), outcome=outcome)


async def run_async(
    dataset: Folder | BenchmarkDataset, model: str | Answering, out: Folder, **options: Any
) -> ModelRun:
    """Put a dataset to a model without blocking the event loop of whoever calls, as a notebook's.

    Args and errors are those of `run`.

    Example:
        >>> found = await fathom.run_async("my-set", "openai:my-model", "my-run")  # doctest: +SKIP
    """
    return await asyncio.to_thread(lambda: run(dataset, model, out, **options))


def score(run: Folder | ModelRun, **options: Any) -> Scores:
    """Score a run and return the scores; files are written to RUN/scores/EXTRACTOR.

    Args:
        run: the folder, or what `run` or `load_run` returned.
        options: what else `fathom score` takes, under the same names (extractor, seed, responses …).

    Raises InputError for an unknown extractor, or a run without answers.

    Example:
        >>> fathom.score("my-run").by("task")  # doctest: +SKIP
    """
    return score_run(_folder(run), **options)


def compare(
    first: Folder | ModelRun, second: Folder | ModelRun | None = None, **options: Any
) -> RunComparison:
    """Compare two runs on one dataset, or, with `extractors="a,b"`, two ways of extracting one run's answers.

    Args:
        first: the run that is looked at.
        second: the run to compare it with.
        options: what else `fathom compare` takes, under the same names (extractor, extractors,
            grouping, metrics, seed).

    Raises InputError where the runs cannot be compared.

    Example:
        >>> fathom.compare("run-a", "run-b").difference.value  # doctest: +SKIP
    """
    runs = [_folder(r) for r in (first, second) if r is not None]
    return compare_runs(runs, **options)


def report(runs: Folder | ModelRun | Sequence[Folder | ModelRun], out: Folder, **options: Any) -> Path:
    """Write the report of runs on one dataset and return the page's path.

    Args:
        runs: run folders, or what `run` or `load_run` returned.
        out: the folder to make.
        options: what else `fathom report` takes, under the same names (extractor, gallery_scenes,
            figures, seed).

    Raises InputError where the runs were made on different datasets.

    Example:
        >>> fathom.report(["run-a", "run-b"], "my-report")  # doctest: +SKIP
    """
    several = [runs] if isinstance(runs, str | Path | ModelRun) else runs
    return write_report([_folder(r) for r in several], Path(out), **options)


def _folder(run: Folder | ModelRun) -> Path:
    return run.path if isinstance(run, ModelRun) else Path(run)
