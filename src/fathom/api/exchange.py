"""Datasets and runs from other kits' files, and to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import BENCHMARKS, Progress, benchmark_named, loaded, silent
from fathom.api.paths import takes_paths
from fathom.named import attribute_of
from fathom.records import Benchmark, InputError, OwnTable

if TYPE_CHECKING:
    from fathom.formats.annotated import AnnotationImport, AnnotationPlan
    from fathom.formats.export_plan import ExportReport
    from fathom.formats.import_findings import ImportReport
    from fathom.formats.imported_media import Inspection
    from fathom.formats.layouts import Layout
    from fathom.formats.predictions import Format
    from fathom.settings import SettingLine

_NOWHERE = ".fathom-dry-run"
"""The folder of a dry run, which is not made."""


@takes_paths
def import_dataset(
    benchmark: str,
    path: Path,
    out: Path | None = None,
    *,
    media: Path | None = None,
    copy: bool = False,
    layout: str = "",
    limit: int = 0,
    columns: str = "",
    name: str = "",
    leave_out: bool = False,
    settings: Mapping[str, object] | object | None = None,
    dry_run: bool = False,
    progress: Progress = silent,
) -> ImportReport:
    """Make a dataset of a benchmark's files and return what was corrected and left out.

    `media` is where pictures and videos lie, if not beside the questions; they stay there unless `copy`.
    Of somebody's own questions (jsonl) `columns` says which column holds what and `name` what the dataset is
    called; a row that cannot be a question is an error there, unless `leave_out`. With the layout annotations
    questions are written by rule from annotations of videos, under `settings`. A `dry_run` needs no
    `out`: nothing is written, and the first questions are in what is returned. Raises InputError or
    MissingExtraError.
    """
    from fathom.formats.annotated import LAYOUT
    from fathom.formats.importing import ImportPlan, import_files, import_previewed

    if out is None and not dry_run:
        raise InputError("import: expected the folder to make; say it with --out")
    if layout == LAYOUT:
        _refuse_with_annotations({"--columns": columns, "--name": name, "--leave-out": leave_out})
        plan_of = _annotations_plan(benchmark, path, None if dry_run else out, media, limit, settings)
        return annotated_by(benchmark).make(plan_of, progress)
    if settings:
        raise InputError(f"--set: only questions from annotations have settings; say --layout {LAYOUT}")
    plan = ImportPlan(
        path=path,
        out=out or Path(_NOWHERE),
        layouts=tuple(_as_said(found, columns, name, leave_out) for found in layouts_named(benchmark)),
        title=name,
        inspect=_inspection(),
        media=media,
        copy=copy,
        layout=layout,
        limit=limit,
    )
    return import_previewed(plan, progress) if dry_run else import_files(plan, progress)


def import_settings(benchmark: str) -> Sequence[SettingLine]:
    """Return the settings of questions that are written from annotations; () where there are none."""
    from fathom.settings import listed

    found = loaded(benchmark)
    if not isinstance(found, Benchmark) or not found.annotated:
        return ()
    return listed(annotated_by(benchmark).settings)


def annotated_by(benchmark: str) -> AnnotationImport:
    """Return how a benchmark's questions are written from annotations. Raises InputError for others."""
    found = loaded(benchmark)
    if not isinstance(found, Benchmark) or not found.annotated:
        raise InputError(
            f"--layout annotations: no questions of {benchmark} are written from annotations of videos; give "
            "a benchmark whose questions are"
        )
    made: AnnotationImport = attribute_of(found.annotated)
    return made


def _annotations_plan(
    benchmark: str,
    path: Path,
    out: Path | None,
    media: Path | None,
    limit: int,
    settings: Mapping[str, object] | object | None,
) -> AnnotationPlan:
    from fathom.formats.annotated import AnnotationPlan
    from fathom.settings import with_settings

    own = annotated_by(benchmark).settings
    chosen = with_settings(own, settings, " of questions from annotations") if settings else own
    release = benchmark_named(benchmark).version
    return AnnotationPlan(path, out, media, limit, chosen, benchmark, release)


def _refuse_with_annotations(options: Mapping[str, object]) -> None:
    for option, said in options.items():
        if said:
            raise InputError(f"{option}: annotations of videos have their own; leave it out")


def _as_said(layout: Layout, columns: str, name: str, leave_out: bool) -> Layout:
    """Return a layout with the columns that were said. Raises InputError where a benchmark has its own."""
    for option, said, takes in (
        ("--columns", columns, layout.with_columns is not None),
        ("--name", name, layout.open_tasks),
    ):
        if said and not takes:
            raise InputError(f"{option}: {layout.benchmark} has its own; leave it out, or import as jsonl")
    found = layout.with_columns(columns) if columns and layout.with_columns else layout
    return replace(found, strict=found.strict and not leave_out)


def layouts_named(benchmark: str) -> tuple[Layout, ...]:
    """Return the layouts of a benchmark's files; `benchmark` may also name the layouts themselves.

    Raises InputError where there is no such benchmark, or it has none.
    """
    found, own = loaded(benchmark), False
    if isinstance(found, Benchmark):
        own = found.name not in BENCHMARKS
        found = attribute_of(found.layouts) if found.layouts else ()
    if not isinstance(found, tuple | list) or not found:
        raise InputError(
            f"{benchmark}: has no layouts to import; give a benchmark that has them, or "
            "module:attribute of layouts"
        )
    # By the address of a benchmark from outside the other stages find it again.
    return tuple(
        replace(layout, benchmark=benchmark) if own and ":" in benchmark else layout for layout in found
    )


def _inspection() -> Inspection:
    from fathom.formats.imported_media import Inspection, VideoFacts
    from fathom.media.images import as_png, inspect_image, mirror_image
    from fathom.media.video import probe

    def image(data: bytes, where: str) -> tuple[str, int, int]:
        info = inspect_image(data, where)
        return info.mime, info.width, info.height

    def video(path: Path) -> VideoFacts:
        info = probe(path)
        return VideoFacts(info.frames, info.fps, info.width, info.height)

    return Inspection(image=image, video=video, mirrored=mirror_image, plain=as_png)


@takes_paths
def import_run(
    dataset: Path,
    path: Path,
    out: Path,
    *,
    format: str = "",
    model: str = "",
    columns: str = "",
    partial: bool = False,
    progress: Progress = silent,
) -> ImportReport:
    """Make a run of predictions made elsewhere and return what was left out.

    `partial`: only the questions that have a prediction count; else the others count as failed. Raises
    InputError or MissingExtraError.
    """
    from fathom.formats.run_import import RunImportPlan, import_predictions
    from fathom.store.datasets import open_dataset

    opened = open_dataset(dataset)
    plan = RunImportPlan(
        dataset=opened,
        path=path,
        out=out,
        format=format,
        model=model,
        columns=columns,
        partial=partial,
        formats=formats_of(opened.manifest.benchmark),
    )
    return import_predictions(plan, progress)


@takes_paths
def export_dataset(
    dataset: Path, kit: str, out: Path, *, files: bool = False, progress: Progress = silent
) -> ExportReport:
    """Write a dataset as another kit, or its benchmark's own code, reads it, and return what is there.

    With `files`, pictures lie beside VLMEvalKit's table instead of in it. Raises InputError, UnfitError or
    MissingExtraError.
    """
    from fathom.formats.export_plan import ExportPlan
    from fathom.formats.exporting import export_files
    from fathom.store.datasets import open_dataset

    opened = open_dataset(dataset)
    known = _known(opened.manifest.benchmark)
    own = known.own_table if known else OwnTable()
    official = known.official_files if known else ""
    return export_files(ExportPlan(opened, kit, out, files, own, official), progress)


def formats_of(benchmark: str) -> tuple[Format, ...]:
    """Return the formats in which predictions for a benchmark are published, beside those of any."""
    known = _known(benchmark)
    return tuple(attribute_of(known.predictions)) if known and known.predictions else ()


def _known(benchmark: str) -> Benchmark | None:
    """Return the benchmark of a dataset, None where whoever made it is not here."""
    try:
        return benchmark_named(benchmark)
    except InputError:
        return None


@takes_paths
def upgrade_folder(folder: Path) -> bool:
    """Bring a dataset or a run of the format before over to that of today, in place; only names change.

    Return whether there was anything to do. Raises InputError where the folder is of another kind or was left
    unfinished, and DataError where a file in it does not fit.
    """
    from fathom.store.schema1 import upgrade

    return upgrade(folder)
