"""One public function a verb; what the command line does, a program can do with the same words."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fathom.records import Benchmark, InputError, Question, Study, StudyPoint

if TYPE_CHECKING:
    from fathom.build.checks import Checks
    from fathom.report.data import ReportDataset
    from fathom.run.plans import Asking, Plan, RunPlan
    from fathom.run.summary import Summary
    from fathom.score.folder import ScoredRun, ScorePlan
    from fathom.store.datasets import Dataset
    from fathom.store.kits.export_plan import ExportReport
    from fathom.store.kits.findings import ImportReport
    from fathom.store.kits.layouts import Layout
    from fathom.store.kits.shelf import Inspection

__all__ = [
    "BENCHMARKS",
    "Checked",
    "Compared",
    "Progress",
    "Ran",
    "Studied",
    "benchmark_named",
    "build_dataset",
    "check_dataset",
    "compare_runs",
    "export_dataset",
    "import_dataset",
    "import_run",
    "index_assets",
    "published_tables",
    "quickstart",
    "read_error_labels",
    "run_model",
    "run_study",
    "sample_errors",
    "score_run",
    "take_captions",
    "train_classifier",
    "write_questions",
    "write_report",
]

BENCHMARKS: dict[str, str] = {
    "4d-bench": "fathom.benchmarks.fourdbench:BENCHMARK",
    "seed-bench": "fathom.benchmarks.seedbench:BENCHMARK",
    "pulsecheck457": "fathom.benchmarks.pulsecheck457:BENCHMARK",
    "sti-bench": "fathom.benchmarks.stibench:BENCHMARK",
    "3dsrbench": "fathom.benchmarks.threedsrbench:BENCHMARK",
}
"""Name → "module:attribute"; such a string can be given wherever a name can."""

BASELINES = ("random", "prior", "oracle", "depth", "scripted")

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
    settings: Mapping[str, str] | None = None,
    lexicon: Path | None = None,
    verdicts: Path | None = None,
    classifier: Path | None = None,
    clip: Path | None = None,
    strict: bool = False,
    progress: Progress = _silent,
) -> Checks:
    """Build a dataset in `out` and return what was found about it; `train_scenes` builds a second split.

    `settings` are those of its worlds. For films, `lexicon` is a file of verbs, `verdicts` what people
    decided about objects, and `classifier` the folder of a training, which grades with the CLIP model in
    `clip`. Raises InputError, AssetError or UnfitError; started again with the same arguments it carries on.
    """
    from fathom.build.render.paint import QUALITIES
    from fathom.build.render.variants import RENDERERS
    from fathom.build.requests import films_asked, only_for, scenes_asked, videos_asked
    from fathom.programs.rules import rules_named

    found = benchmark_named(benchmark)
    if not (found.construct or found.films or found.videos):
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

    # By this the other stages find the benchmark again.
    name = found.name if found.name in BENCHMARKS else benchmark
    given = settings or {}
    splits = [(out, "test", scenes, seed)]
    if train_scenes:
        named = out if out.name not in ("", "..") else out.resolve()
        splits.append((named.with_name(f"{named.name}-train"), "train", train_scenes, seed + _TRAIN))
    checks = []
    for folder, split, number, its_seed in splits:
        common = {
            "out": folder, "benchmark": name, "benchmark_version": found.version, "scenes": number,
            "seed": its_seed, "split": split, "assets": assets, "renderer": renderer, "quality": quality,
        }  # fmt: skip
        of_films = {"lexicon": lexicon, "verdicts": verdicts, "classifier": classifier, "clip": clip}
        of_scenes = {"environment": environment, "headings": headings[0] if headings else None}
        shared = (given, workers, strict, progress)
        if found.films:
            only_for("scenes that stand still", of_scenes, benchmark, {"environment": "environment"})
            checks.append(films_asked(common | {"construct": found.films}, of_films, *shared))
        elif found.videos:
            only_for("films of animated objects", of_films, benchmark)
            only_for("scenes that stand still", of_scenes, benchmark)
            checks.append(videos_asked(common | {"construct": found.videos}, *shared))
        else:
            only_for("films of animated objects", of_films, benchmark)
            more = {"construct": found.construct, "rules": rules, "environment": environment}
            checks.append(scenes_asked(common | more, headings, *shared))
    return checks[0]


LAYOUTS: dict[str, str] = {
    "4d-bench": "fathom.benchmarks.fourdbench.official:LAYOUTS",
    "seed-bench": "fathom.benchmarks.seedbench.official:LAYOUTS",
    "pulsecheck457": "fathom.benchmarks.pulsecheck457.official:LAYOUTS",
    "sti-bench": "fathom.benchmarks.stibench.official:LAYOUTS",
    "3dsrbench": "fathom.benchmarks.threedsrbench.official:LAYOUTS",
}
"""How the official files of each benchmark are written, and other kits' copies of them."""


def import_dataset(
    benchmark: str,
    path: Path,
    out: Path,
    *,
    media: Path | None = None,
    copy: bool = False,
    layout: str = "",
    limit: int = 0,
    progress: Progress = _silent,
) -> ImportReport:
    """Make a dataset of a benchmark's files and return what was mended and left out.

    `media` is where pictures and videos lie, if not beside the questions; they stay there unless `copy`.
    Raises InputError or MissingExtraError.
    """
    from fathom.store.kits.importing import ImportPlan, import_files

    plan = ImportPlan(
        path=path,
        out=out,
        layouts=_layouts_named(benchmark),
        inspect=_inspection(),
        media=media,
        copy=copy,
        layout=layout,
        limit=limit,
    )
    return import_files(plan, progress)


def _layouts_named(benchmark: str) -> tuple[Layout, ...]:
    module, colon, attribute = LAYOUTS.get(benchmark, benchmark).partition(":")
    if not colon:
        raise InputError(
            f"{benchmark!r}: no such benchmark to import; there is {', '.join(LAYOUTS)}, or give "
            "module:attribute of its layouts"
        )
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError, SyntaxError) as e:
        raise InputError(f"{benchmark!r}: cannot be loaded ({e}); check module and attribute") from e
    return tuple(found)


def _inspection() -> Inspection:
    from fathom.media.images import inspect_image, mirror_image
    from fathom.media.video import probe
    from fathom.store.kits.shelf import Inspection, VideoFacts

    def image(data: bytes, where: str) -> tuple[str, int, int]:
        info = inspect_image(data, where)
        return info.mime, info.width, info.height

    def video(path: Path) -> VideoFacts:
        info = probe(path)
        return VideoFacts(info.frames, info.fps, info.width, info.height)

    return Inspection(image=image, video=video, mirrored=mirror_image)


def import_run(
    dataset: Path,
    path: Path,
    out: Path,
    *,
    format: str = "",
    model: str = "",
    columns: str = "",
    partial: bool = False,
    progress: Progress = _silent,
) -> ImportReport:
    """Make a run of predictions made elsewhere and return what was left out.

    `partial`: only the questions that have a prediction count; else the others count as failed. Raises
    InputError or MissingExtraError.
    """
    from fathom.store.datasets import open_dataset
    from fathom.store.kits.run_import import RunImportPlan, import_predictions

    plan = RunImportPlan(
        dataset=open_dataset(dataset),
        path=path,
        out=out,
        format=format,
        model=model,
        columns=columns,
        partial=partial,
    )
    return import_predictions(plan, progress)


def export_dataset(
    dataset: Path, kit: str, out: Path, *, files: bool = False, progress: Progress = _silent
) -> ExportReport:
    """Write a dataset as another kit reads it, and return what is there.

    With `files`, pictures lie beside VLMEvalKit's table instead of in it. Raises InputError, UnfitError or
    MissingExtraError.
    """
    from fathom.store.datasets import open_dataset
    from fathom.store.kits.export_plan import ExportPlan
    from fathom.store.kits.exporting import export_files

    return export_files(ExportPlan(open_dataset(dataset), kit, out, files), progress)


@dataclass(frozen=True)
class Ran:
    """What `fathom run` did, in words, how many requests failed this time, and which limit ended it."""

    text: str
    requests: int = 0
    failed: int = 0
    stopped: str = ""


def run_model(
    dataset: Path,
    model: str,
    out: Path,
    *,
    options: Mapping[str, str] | None = None,
    protocol: str = "default",
    settings: Mapping[str, str] | None = None,
    limit: int = 0,
    repeats: int = 1,
    concurrency: int = 32,
    tasks: Sequence[str] = (),
    seed: str = "0",
    prices: Path | None = None,
    max_requests: int = 0,
    max_cost: float = 0.0,
    dry_run: bool = False,
    progress: Progress = _silent,
) -> Ran:
    """Put a dataset, or a folder of requests, to a model; only what has no answer yet is asked.

    `options` are the model's, added to those in `model`; `settings` change those of the protocol; of named
    `tasks`, only their questions are put. The run
    ends early after `max_requests` of this start, or where it could cost more than `max_cost` US dollars in
    all, by the `prices` of a file before our own. Raises InputError, MissingExtraError or EndpointError.
    """
    from fathom.run.estimate import estimate_plan
    from fathom.run.plans import Asking
    from fathom.run.prices import read_prices
    from fathom.run.runner import Limits
    from fathom.run.start import run_plan

    asking = Asking(
        model=model,
        out=out,
        limit=limit,
        concurrency=concurrency,
        seed=seed,
        options=options,
        environ=dict(os.environ),
        prices=read_prices(prices, os.environ),
        limits=Limits(max_requests, max_cost),
    )
    notes: list[str] = []
    plan = _plan(dataset, asking, protocol, settings or {}, repeats, notes, tasks)
    if dry_run:
        return Ran("\n".join([*notes, str(estimate_plan(plan))]))
    summary = run_plan(plan, lambda s: progress(model, s.settled, s.total, s.note()), notes.append)
    text = "\n".join([*notes, f"{out}: {summary}"])
    return Ran(text, summary.total, summary.failed, summary.stopped)


def _plan(
    folder: Path,
    asking: Asking,
    protocol: str,
    settings: Mapping[str, str],
    repeats: int,
    notes: list[str],
    tasks: Sequence[str] = (),
) -> Plan:
    """Return the plan of a run, and add to `notes` what is to be said beforehand."""
    from fathom.run.plans import RequestsPlan
    from fathom.store.datasets import open_dataset
    from fathom.store.requests import holds_requests, open_requests

    if holds_requests(folder):
        if protocol != "default" or settings or repeats != 1 or tasks:
            raise InputError(
                f"{folder}: holds requests, which are put as they are written; leave --protocol, --set, "
                "--task and --repeats out"
            )
        return RequestsPlan(asking, open_requests(folder))
    opened = open_dataset(folder)
    if not opened.manifest.counts.get("media", 1) and asking.model.partition(":")[0] not in BASELINES:
        notes.append(f"{folder}: was built without pictures, and the model is shown none")
    return _run_plan(opened, asking, protocol, settings, repeats, tasks)


def _run_plan(
    opened: Dataset,
    asking: Asking,
    protocol: str,
    settings: Mapping[str, str],
    repeats: int = 1,
    tasks: Sequence[str] = (),
) -> RunPlan:
    """Return the plan of a run on a dataset. Raises InputError for what there is not."""
    from fathom.run.plans import RunPlan
    from fathom.score.early import early_stop_of

    benchmark = benchmark_named(opened.manifest.benchmark)
    if protocol not in benchmark.protocols:
        raise InputError(f"--protocol {protocol}: {benchmark.name} has {', '.join(benchmark.protocols)}")
    chosen = benchmark.protocols[protocol]
    if settings:
        if chosen.changed is None:
            raise InputError(f"--set: the protocol {protocol} of {benchmark.name} has nothing to set")
        chosen = chosen.changed(settings)
    if unknown := set(tasks) - set(benchmark.tasks):
        raise InputError(f"--task {min(unknown)}: {benchmark.name} has {', '.join(benchmark.tasks)}")
    if chosen.prepared is not None:
        chosen = chosen.prepared(opened.questions(), opened.media)
    stop = early_stop_of(chosen, benchmark.policies, opened, asking.limit)
    more = stop.settings() if stop else {}
    only = tuple(task for task in benchmark.tasks if task in tasks)
    return RunPlan(asking, opened, benchmark, chosen, repeats, only, stop, more)


def score_run(
    run: Path,
    *,
    policy: str = "",
    seed: str = "0",
    judge_requests: Path | None = None,
    reader_requests: Path | None = None,
    responses: Sequence[Path] | None = None,
    human_scores: Path | None = None,
) -> str:
    """Mark and score a run, write RUN/scores/POLICY, and return the paper's tables as text.

    `judge_requests` and `reader_requests` are folders to write what another model is to be asked; `responses`
    are the runs that answer such requests, and `human_scores` people's scores of the captions. Raises
    InputError where they belong to another run.
    """
    from fathom.pages.tables import as_text
    from fathom.score.folder import ScorePlan
    from fathom.score.tables import score_tables

    plan = ScorePlan(
        policy=policy,
        seed=seed,
        responses=responses,
        judge_requests=judge_requests,
        reader_requests=reader_requests,
        human_scores=human_scores,
        environ=dict(os.environ),
    )
    scored = _scored(run, plan)
    tables = score_tables(scored.benchmark, scored.scores, scored.model, scored.official)
    return "\n".join([*map(as_text, tables), *scored.said, scored.written.as_posix()])


def _scored(path: Path, plan: ScorePlan) -> ScoredRun:
    """Return a run, marked and scored; the marks and scores are written beside it."""
    from fathom.score.folder import score_folder
    from fathom.store.runs import open_run

    folder = open_run(path)
    dataset = folder.dataset()
    return score_folder(folder, dataset, benchmark_named(dataset.manifest.benchmark), plan)


@dataclass(frozen=True)
class Studied:
    """What a study found, in words; how many requests failed, and the files that it wrote."""

    text: str
    requests: int = 0
    failed: int = 0
    files: tuple[Path, ...] = ()


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
    policy: str = "",
    seed: str = "0",
    prices: Path | None = None,
    dry_run: bool = False,
    progress: Progress = _silent,
) -> Studied:
    """Put a dataset to a model in every way that a study of its benchmark compares, and compare them.

    Each point is a run in OUT/runs; those that are there are carried on. `settings` change those of every
    point, but not what the study varies. Raises what `run_model` and `score_run` raise.
    """
    from fathom.pages.tables import as_text
    from fathom.run.estimate import estimate_plan, estimates_text
    from fathom.run.start import run_plan
    from fathom.score.folder import ScorePlan
    from fathom.score.study import seen_of, study_found
    from fathom.score.study_files import write_study
    from fathom.score.study_tables import study_tables

    def plan(found: Study, opened: Dataset, point: StudyPoint) -> RunPlan:
        from fathom.run.plans import Asking
        from fathom.run.prices import read_prices
        from fathom.score.study import RUNS, settings_of

        known, place = read_prices(prices, os.environ), out / RUNS / point.name
        asking = Asking(model, place, limit, concurrency, seed, options, dict(os.environ), known)
        chosen = settings_of(found, point, settings or {})
        return _run_plan(opened, asking, found.protocol, chosen, tasks=found.tasks)

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
    summaries = [run_plan(plan, _told(progress, name)) for name, plan in plans.items()]
    scoring = ScorePlan(policy=policy, seed=seed, environ=dict(os.environ))
    runs = [_scored(plan.asking.out, scoring) for plan in plans.values()]
    seen = [seen_of(r.questions, p.protocol, opened.media) for r, p in zip(runs, plans.values(), strict=True)]
    result = study_found(found, runs, seen, seed)
    files = write_study(out, result)
    text = [*map(as_text, study_tables(result).values()), *map(str, files)]
    requests, failed = (sum(n) for n in zip(*((s.total, s.failed) for s in summaries), strict=True))
    return Studied("\n".join(text), requests, failed, tuple(files))


def _opened(path: Path) -> Dataset:
    from fathom.store.datasets import open_dataset

    return open_dataset(path)


def _told(progress: Progress, what: str) -> Callable[[Summary], None]:
    return lambda summary: progress(what, summary.settled, summary.total, summary.note())


def _study_named(name: str, benchmark: str) -> Study:
    studies = {study.name: study for study in benchmark_named(benchmark).studies}
    if name not in studies:
        known = f"has {', '.join(studies)}" if studies else "has none"
        raise InputError(f"{name!r}: no such study; {benchmark} {known}")
    return studies[name]


def write_report(
    runs: Sequence[Path], out: Path, *, policy: str = "", gallery_scenes: int = 60, seed: str = "0"
) -> Path:
    """Write the report of runs on one dataset and return the page's path.

    Raises InputError where the runs were made on different datasets.
    """
    from fathom.report.data import ReportData, ReportRun
    from fathom.report.page import write_report as write
    from fathom.score.best import best_compared
    from fathom.score.folder import ScorePlan

    if not runs:
        raise InputError("fathom report: expected at least one run folder, found none")
    plan = ScorePlan(policy=policy, seed=seed, environ=dict(os.environ))
    scored = [_scored(run, plan) for run in runs]
    first = scored[0]
    for other in scored[1:]:
        if other.dataset.manifest.identity != first.dataset.manifest.identity:
            raise InputError(
                f"{other.folder.path}: was made on another dataset than {first.folder.path}; "
                "give each its own report"
            )
    names = _names_of(scored)
    shown = [
        ReportRun(
            model=name,
            manifest=s.folder.manifest,
            marks=s.marks,
            scores=s.scores,
            responses=s.responses,
            baseline=s.model.partition(":")[0] in BASELINES,
        )
        for name, s in zip(names, scored, strict=True)
    ]
    models = [s for s, run in zip(scored, shown, strict=True) if not run.baseline]
    data = ReportData(
        benchmark=first.benchmark,
        dataset=_report_dataset(first.dataset, first.official),
        runs=shown,
        pictures_shown=gallery_scenes,
        compared=best_compared(models, seed),
    )
    return write(out, data)


def _names_of(runs: Sequence[ScoredRun]) -> list[str]:
    """Return what runs are called in a report: their models, and where these are the same, their folders."""
    models = [run.model for run in runs]
    folders = [run.folder.path.name for run in runs]
    return [
        model if models.count(model) == 1 or folder == model else f"{model} ({folder})"
        for model, folder in zip(models, folders, strict=True)
    ]


def sample_errors(run: Path, out: Path, *, number: int = 200, policy: str = "", seed: str = "0") -> str:
    """Write a stratified sample of a run's wrong answers for people to label, and say what is next.

    `out` gets the file and a page. Raises InputError where there is no wrong answer, or labels are there.
    """
    from fathom.report.shots import strips_of
    from fathom.review.errors import FILE, PAGE, sample_errors, write_errors
    from fathom.review.errors_page import ErrorShot, errors_html
    from fathom.score.folder import ScorePlan
    from fathom.store.files import write_text

    scored = _scored(run, ScorePlan(policy=policy, seed=seed, environ=dict(os.environ)))
    setting_of = scored.benchmark.facets.get("setting", lambda question: "")
    name = _names_of([scored])[0]
    lines = sample_errors(scored.questions, scored.marks, scored.responses, setting_of, name, number, seed)
    dataset = _report_dataset(scored.dataset, scored.official)

    def shots_of(question: str) -> tuple[list[ErrorShot], str]:
        strips = strips_of(dataset, scored.dataset.question(question))
        shots = [ErrorShot(s.words, s.uri, s.width, s.height) for strip in strips for s in strip.shots]
        return shots, " ".join(strip.note for strip in strips if strip.note)

    path = write_errors(out / FILE, lines)
    write_text(out / PAGE, errors_html(lines, scored.benchmark.tasks, shots_of))
    return (
        f"{path}: {len(lines)} wrong answers of {name}\n{out / PAGE}\n"
        f"next: label them on the page, save the labels, then fathom errors {run} --out {out} --labels FILE"
    )


def read_error_labels(run: Path, out: Path, labels: Sequence[Path]) -> str:
    """Write what people said of a run's wrong answers as a figure and a table, and return the table.

    Raises InputError for labels that there are not, and of another dataset's questions.
    """
    from fathom.pages.figures import save_figure, save_png
    from fathom.pages.tables import as_csv, as_latex, as_text
    from fathom.review.errors import read_labels, shares_of
    from fathom.review.errors_page import labels_figure, labels_table
    from fathom.store.files import write_text
    from fathom.store.runs import open_run

    dataset = open_run(run).dataset()
    lines = read_labels(labels)
    known = {q.id for q in dataset.questions()}
    strangers = [line.question for line in lines if line.question not in known]
    if strangers:
        raise InputError(
            f"--labels: {strangers[0]!r} is no question of the dataset that {run} was made on; give the "
            "labels of this run"
        )
    found, titles = shares_of(lines), benchmark_named(dataset.manifest.benchmark).tasks
    table, figure = labels_table(found, titles, lines[0].model), labels_figure(found, titles, lines[0].model)
    files = [*save_figure(figure, out / "labels"), save_png(figure, out / "labels")]
    for kind, text in (("csv", as_csv(table)), ("tex", as_latex(table))):
        write_text(out / f"labels.{kind}", text)
        files.append(out / f"labels.{kind}")
    return "\n".join([as_text(table), *map(str, files)])


def _report_dataset(dataset: Dataset, official: bool) -> ReportDataset:
    from fathom.records import Media, Outline
    from fathom.report.data import Found, ReportDataset
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


@dataclass(frozen=True)
class Checked:
    """What `fathom check` found, in words, and whether all of it is well."""

    text: str
    passed: bool


def check_dataset(
    dataset: Path,
    *,
    blind: bool = True,
    prune: str = "",
    assets: Path | None = None,
    progress: Progress = _silent,
) -> Checked:
    """Check files and records of a dataset, derive every answer again, and repeat the blind stress test.

    `prune` (50, 10%) writes verdicts that reject as many of the questions that are guessed blind most easily.
    `assets` is the folder of models that films were built from. Raises DataError for a file that was changed
    or does not validate, InputError for other models.
    """
    from fathom.build.recheck import recheck
    from fathom.store.datasets import open_dataset

    text, passed = recheck(open_dataset(dataset), blind, progress, prune, assets)
    return Checked(text, passed)


@dataclass(frozen=True)
class Compared:
    """What `fathom compare` found, as text and as JSON, and whether the first run is surely worse."""

    text: str
    json: str
    first_is_worse: bool


def compare_runs(
    runs: Sequence[Path], *, policy: str = "", policies: str = "", grouping: str = "", seed: str = "0"
) -> Compared:
    """Return how two runs on one dataset differ, or one run read by two policies ("a,b").

    `grouping` says which passes count as one (plain, circular, flip or both); as the runs were made if not
    given. Raises InputError where the runs cannot be compared.
    """
    from fathom.pages.tables import as_text
    from fathom.score.best import compare_scored, disagreement_tables
    from fathom.score.compare import as_json, comparison_table, reading_sentence
    from fathom.score.folder import ScorePlan

    read_by = [name.strip() for name in policies.split(",")] if policies else [policy, policy]
    if len(read_by) != 2 or len(runs) != (1 if policies else 2):
        raise InputError("fathom compare: expected two run folders, or one with --policies a,b")
    environ = dict(os.environ)
    a, b = (
        _scored(run, ScorePlan(policy=name, seed=seed, environ=environ))
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
    said = list(found.sentences)
    tables = [comparison_table(found)]
    if policies:
        said.insert(0, reading_sentence(*names, a.marks, b.marks))
        tables += disagreement_tables(a, names)
    text = "\n".join([as_text(tables[0]), *said, *(f"\n{as_text(t)}".rstrip() for t in tables[1:])])
    return Compared(text, as_json(found), found.first_is_worse)


def published_tables(benchmark: str) -> str:
    """Return the published tables as text, and which of their cells follow from others."""
    from fathom.pages.tables import as_text
    from fathom.score.published import published_tables as tables_of

    found = benchmark_named(benchmark)
    return "\n".join(as_text(table) for table in tables_of(found.tables, found.tasks))


def index_assets(
    folder: Path,
    out: Path | None = None,
    *,
    animated: bool | None = None,
    lexicon: Path | None = None,
    progress: Progress = _silent,
) -> str:
    """Propose a manifest for a folder of models, draw its contact sheets, and say what was found.

    Whether they are `animated` is found out where it is not said; then `lexicon` is a file of verbs beside
    the project's. Raises AssetError where nothing can be used.
    """
    from fathom.build.assets.animated.indexing import index_cast, mostly_animated
    from fathom.build.assets.index import index_folder

    if mostly_animated(folder) if animated is None else animated:
        return index_cast(folder, out, lexicon, progress)
    return index_folder(folder, out, progress)


def train_classifier(
    dataset: Path,
    verdicts: Path,
    clip: Path,
    out: Path,
    *,
    settings: Mapping[str, str] | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> str:
    """Train a classifier of quality on what people decided about objects, and say how good it is.

    `clip` is the folder of a CLIP model; `out` is what a build is given. Started again it carries on. Raises
    InputError where there is too little to learn from, MissingExtraError without transformers.
    """
    from fathom.build.curating import train_on, training_text
    from fathom.build.curation.training import TrainingSettings
    from fathom.build.settings import record_with
    from fathom.store.datasets import open_dataset

    chosen = record_with(TrainingSettings(), settings or {})
    return training_text(train_on(open_dataset(dataset), verdicts, clip, out, chosen, say))


def write_questions(
    dataset: Path,
    work: Path,
    *,
    responses: Sequence[Path] = (),
    settings: Mapping[str, str] | None = None,
    out: Path | None = None,
) -> str:
    """Go on having models write questions about a dataset's objects or videos, and say what is next.

    `work` holds requests, what came of them, and the file that people review; `responses` are runs that
    answer the requests. With `out`, the dataset and the questions that were kept become a new one. Raises
    InputError where the folder is of other work, or a review cannot be read.
    """
    from fathom.build.settings import record_with
    from fathom.build.written import adding, candidates, steps
    from fathom.build.written.videos import adding as adding_to_videos
    from fathom.build.written.videos import footage
    from fathom.build.written.videos import settings as of_videos
    from fathom.build.written.videos import steps as steps_of_videos
    from fathom.store.datasets import open_dataset

    opened = open_dataset(dataset)
    add: Callable[[Dataset, Path, Sequence[Question]], int] = adding.with_written
    if footage.is_of_videos(opened):
        videos = record_with(of_videos.VideoWriting(), settings) if settings else None
        worded = steps_of_videos.next_step(dataset, work, responses, videos)
        said, questions = f"{worded.table}\n\n{worded.say}", worded.questions
        add = adding_to_videos.with_worded
    else:
        objects = record_with(candidates.Writing(), settings) if settings else None
        found = steps.next_step(dataset, work, responses, objects)
        said, questions = f"{found.table}\n\n{found.say}", found.questions
    if out is None:
        return said
    added = add(opened, out, questions)
    return f"{said}\n{out}: {added:,} questions that models wrote are among its questions"


def take_captions(
    dataset: Path, path: Path, out: Path, *, add: bool = False, writer: str = ""
) -> ImportReport:
    """Make a dataset in `out` with captions that people wrote or revised, and return what was left out.

    Those that were written take the place of an object's own, or stand behind them with `add`; `writer` is
    who wrote those of which the file does not say it. Raises InputError where the file is not one.
    """
    from fathom.build.captions.taking import with_captions
    from fathom.store.datasets import open_dataset

    return with_captions(open_dataset(dataset), path, out, "add" if add else "replace", writer)


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
