"""One public function a verb; what the command line does, a program can do with the same words."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fathom.records import Benchmark, InputError

if TYPE_CHECKING:
    from fathom.build.checks import Checks
    from fathom.report.data import ReportDataset, ReportRun
    from fathom.store.datasets import Dataset
    from fathom.store.runs import RunFolder

__all__ = [
    "BENCHMARKS",
    "Checked",
    "Progress",
    "benchmark_named",
    "build_dataset",
    "check_dataset",
    "index_assets",
    "published_tables",
    "quickstart",
    "run_model",
    "score_run",
    "write_report",
]

BENCHMARKS: dict[str, str] = {
    "pulsecheck457": "fathom.benchmarks.pulsecheck457:BENCHMARK",
}
"""Name → "module:attribute"; such a string can be given wherever a name can."""

BASELINES = ("random", "prior", "oracle", "scripted")

_TRAIN = "/train"


class Progress(Protocol):
    """What is told how far a long piece of work has come."""

    def __call__(self, what: str, done: int, total: int, note: str = "", /) -> None:
        """Show that `done` of `total` parts of `what` are done."""


def _silent(what: str, done: int, total: int, note: str = "", /) -> None:
    pass


def benchmark_named(name: str) -> Benchmark:
    """Return a benchmark by its name or its "module:attribute". Raises InputError where there is none."""
    where = BENCHMARKS.get(name, name)
    module, colon, attribute = where.partition(":")
    if not colon:
        raise InputError(
            f"{name!r}: no such benchmark; there is {', '.join(BENCHMARKS)}, or give module:attribute"
        )
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError, SyntaxError) as e:
        raise InputError(f"{name!r}: cannot be imported ({e}); check the module and the attribute") from e
    if not isinstance(found, Benchmark):
        raise InputError(f"{name!r}: expected a fathom.records.Benchmark, found a {type(found).__name__}")
    return found


def build_dataset(
    benchmark: str,
    out: Path,
    *,
    scenes: int = 100,
    seed: str = "0",
    rules: str = "fathom",
    assets: Path | None = None,
    environment: Path | None = None,
    renderer: str = "mitsuba",
    quality: str = "final",
    workers: int = 0,
    train_scenes: int = 0,
    headings: Sequence[Path] = (),
    strict: bool = False,
    progress: Progress = _silent,
) -> Checks:
    """Build a dataset in `out` and return what was found about it; `train_scenes` builds a second split.

    Raises InputError, AssetError or UnfitError; started again with the same arguments it carries on.
    """
    from fathom.build.pipeline import build
    from fathom.build.plan import Plan
    from fathom.build.render.paint import QUALITIES
    from fathom.build.render.variants import RENDERERS
    from fathom.programs.rules import rules_named

    found = benchmark_named(benchmark)
    if not found.construct:
        raise InputError(f"{benchmark}: can be imported and run, but not built")
    if scenes < 1 or train_scenes < 0:
        raise InputError(
            f"--scenes {scenes}, --train-scenes {train_scenes}: expected at least 1, and at least 0"
        )
    if seed.endswith(_TRAIN):
        raise InputError(
            f"--seed {seed}: {_TRAIN} at its end belongs to training splits; choose another seed"
        )
    rules_named(rules)
    for name, value, known in (("renderer", renderer, RENDERERS), ("quality", quality, tuple(QUALITIES))):
        if value not in known:
            raise InputError(f"--{name} {value}: there is {', '.join(known)}")

    def plan(folder: Path, split: str, number: int, its_seed: str) -> Plan:
        return Plan(
            out=folder,
            # By this the other stages find the benchmark again.
            benchmark=found.name if found.name in BENCHMARKS else benchmark,
            benchmark_version=found.version,
            construct=found.construct,
            scenes=number,
            seed=its_seed,
            rules=rules,
            split=split,
            assets=assets,
            environment=environment,
            renderer=renderer,
            quality=quality,
        )

    checks = build(plan(out, "test", scenes, seed), workers, headings, strict, progress)
    if train_scenes:
        named = out if out.name not in ("", "..") else out.resolve()
        beside = named.with_name(f"{named.name}-train")
        build(plan(beside, "train", train_scenes, seed + _TRAIN), workers, headings, strict, progress)
    return checks


def run_model(
    dataset: Path,
    model: str,
    out: Path,
    *,
    protocol: str = "default",
    limit: int = 0,
    concurrency: int = 32,
    seed: str = "0",
    dry_run: bool = False,
    progress: Progress = _silent,
) -> str:
    """Put a dataset to a model and return in words what was done; only what has no answer yet is asked.

    Raises InputError, MissingExtraError or EndpointError.
    """
    from fathom.run.start import RunPlan, estimate_run, run_dataset
    from fathom.store.datasets import open_dataset

    opened = open_dataset(dataset)
    benchmark = benchmark_named(opened.manifest.benchmark)
    if protocol not in benchmark.protocols:
        raise InputError(f"--protocol {protocol}: {benchmark.name} has {', '.join(benchmark.protocols)}")
    plan = RunPlan(
        dataset=opened,
        benchmark=benchmark,
        protocol=benchmark.protocols[protocol],
        model=model,
        out=out,
        limit=limit,
        concurrency=concurrency,
        seed=seed,
        environ=dict(os.environ),
    )
    if dry_run:
        return str(estimate_run(plan))
    notes: list[str] = []
    summary = run_dataset(
        plan,
        lambda s: progress(model, s.skipped + s.asked, s.total, f"{s.failed} failed" if s.failed else ""),
        notes.append,
    )
    return "\n".join([*notes, f"{out}: {summary}"])


def score_run(run: Path, *, policy: str = "", seed: str = "0") -> str:
    """Mark and score a run, write RUN/scores/POLICY, and return the paper's tables as text."""
    from fathom.pages.tables import as_text
    from fathom.score.tables import score_tables

    scored = _scored(run, policy, seed)
    tables = score_tables(scored.benchmark, scored.run.scores, scored.run.model, scored.official)
    return "\n".join([as_text(t) for t in tables] + [f"{scored.folder.path}/scores/{scored.policy}"])


@dataclass(frozen=True)
class _Scored:
    folder: RunFolder
    dataset: Dataset
    benchmark: Benchmark
    policy: str
    official: bool
    run: ReportRun


def _scored(path: Path, policy_name: str, seed: str) -> _Scored:
    """Return a run, marked and scored; the marks and scores are written beside it."""
    from fathom.report.data import ReportRun
    from fathom.score.marks import mark_responses
    from fathom.score.scores import score_marks
    from fathom.store.files import write_jsonl
    from fathom.store.runs import open_run
    from fathom.store.seeds import rng

    folder = open_run(path)
    dataset = folder.dataset()
    benchmark = benchmark_named(dataset.manifest.benchmark)
    name = policy_name or benchmark.default_policy
    if name not in benchmark.policies:
        raise InputError(f"--policy {name}: there is {', '.join(benchmark.policies)}")
    responses = {r.question: r for r in folder.responses()}
    questions = [q for q in dataset.questions() if folder.manifest.complete or q.id in responses]
    if not questions:
        raise InputError(f"{path}: holds no answers yet; start `fathom run` again to carry it on")
    marks = mark_responses(questions, folder.responses(), benchmark.policies[name])
    scores = score_marks(benchmark, questions, marks, int(rng(seed, "score").integers(2**31)))
    write_jsonl(path / "scores" / name / "marks.jsonl", marks)
    write_jsonl(path / "scores" / name / "scores.jsonl", scores)
    kind = folder.manifest.name.partition(":")[0]
    run = ReportRun(
        model=folder.manifest.name,
        manifest=folder.manifest,
        marks=marks,
        scores=scores,
        responses=responses,
        baseline=kind in BASELINES,
    )
    official = dataset.manifest.command == "import" and dataset.manifest.settings.get("official") is True
    return _Scored(folder, dataset, benchmark, name, official, run)


def write_report(
    runs: Sequence[Path], out: Path, *, policy: str = "", gallery_scenes: int = 60, seed: str = "0"
) -> Path:
    """Write the report of runs on one dataset and return the page's path.

    Raises InputError where the runs were made on different datasets.
    """
    from fathom.report.data import ReportData
    from fathom.report.page import write_report as write

    if not runs:
        raise InputError("fathom report: expected at least one run folder, found none")
    scored = [_scored(run, policy, seed) for run in runs]
    first = scored[0]
    for other in scored[1:]:
        if other.dataset.manifest.identity != first.dataset.manifest.identity:
            raise InputError(
                f"{other.folder.path}: was made on another dataset than {first.folder.path}; "
                "give each its own report"
            )
    data = ReportData(
        benchmark=first.benchmark,
        dataset=_report_dataset(first.dataset, first.official),
        runs=[s.run for s in scored],
        pictures_shown=gallery_scenes,
    )
    return write(out, data)


def _report_dataset(dataset: Dataset, official: bool) -> ReportDataset:
    from fathom.records import Media, Outline
    from fathom.report.data import Found, ReportDataset
    from fathom.store.files import read_json, read_jsonl

    outlines, checks = dataset.path / "outlines.jsonl", dataset.path / "checks.json"
    return ReportDataset(
        manifest=dataset.manifest,
        questions=tuple(dataset.questions()),
        picture=dataset.media_bytes,
        media={m.id: m for m in read_jsonl(dataset.path / "media.jsonl", Media)},
        scenes={s.id: s for s in dataset.scenes()},
        outlines=tuple(read_jsonl(outlines, Outline)) if outlines.exists() else (),
        checks=read_json(checks, Found).tables if checks.exists() else (),
        official=official,
    )


@dataclass(frozen=True)
class Checked:
    """What `fathom check` found, in words, and whether all of it is well."""

    text: str
    passed: bool


def check_dataset(dataset: Path, *, blind: bool = True, progress: Progress = _silent) -> Checked:
    """Check files and records of a dataset, derive every answer again, and repeat the blind stress test.

    Raises DataError for a file that was changed or does not validate.
    """
    from fathom.build.recheck import recheck
    from fathom.store.datasets import open_dataset

    text, passed = recheck(open_dataset(dataset), blind, progress)
    return Checked(text, passed)


def published_tables(benchmark: str) -> str:
    """Return the published tables as text."""
    from fathom.pages.tables import Table, as_text

    tables = []
    for t in benchmark_named(benchmark).tables:
        rows = tuple((m, *("–" if v is None else f"{v:g}" for v in cells)) for m, cells in t.rows.items())
        notes = (t.note,) if t.note else ()
        tables.append(as_text(Table(title=t.title, columns=("model", *t.columns), rows=rows, notes=notes)))
    return "\n".join(tables)


def index_assets(folder: Path, out: Path | None = None) -> str:
    """Propose a manifest for a folder of models, draw its contact sheet, and say what was found."""
    from fathom.build.assets.index import index_folder

    return index_folder(folder, out)


def quickstart(out: Path, *, scenes: int = 12, seed: str = "0", progress: Progress = _silent) -> str:
    """Build a small dataset, run three baselines, write the report; return where it is and what is next."""
    dataset, blind, runs = out / "pulsecheck457", out / "blind-prior", out / "runs"
    build_dataset("pulsecheck457", dataset, scenes=scenes, seed=seed, quality="preview", progress=progress)
    build_dataset(
        "pulsecheck457",
        blind,
        scenes=2 * scenes,
        seed=f"{seed}/prior",
        renderer="none",
        progress=lambda what, done, total, note="": progress(f"{what} (prior)", done, total, note),
    )
    models = {
        "random": "random",
        "prior": f"prior:{blind}",
        "oracle": "oracle",
    }
    for name, spec in models.items():
        run_model(dataset, spec, runs / name, progress=progress)
    page = write_report([runs / name for name in models], out / "report")
    return (
        f"{page}\n\n"
        "Open that page in a browser. Next, with a real model:\n\n"
        f"    export OPENAI_API_KEY=…\n"
        f"    fathom run {dataset} --model openai:MODEL --out {runs / 'MODEL'}\n"
        f"    fathom report {runs / 'random'} {runs / 'MODEL'} --out {out / 'report'}\n\n"
        "A server of your own (vLLM, SGLang, Ollama, llama.cpp) is openai:MODEL@http://localhost:8000/v1. "
        "A larger dataset is fathom build pulsecheck457 --out my-set --scenes 1000."
    )
