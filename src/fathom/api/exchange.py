"""Datasets and runs from other kits' files, and to them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import Progress, silent
from fathom.api.paths import takes_paths
from fathom.records import InputError

if TYPE_CHECKING:
    from fathom.store.kits.export_plan import ExportReport
    from fathom.store.kits.findings import ImportReport
    from fathom.store.kits.layouts import Layout
    from fathom.store.kits.shelf import Inspection

LAYOUTS: dict[str, str] = {
    "4d-bench": "fathom.benchmarks.fourdbench.official:LAYOUTS",
    "seed-bench": "fathom.benchmarks.seedbench.official:LAYOUTS",
    "pulsecheck457": "fathom.benchmarks.pulsecheck457.official:LAYOUTS",
    "sti-bench": "fathom.benchmarks.stibench.official:LAYOUTS",
    "3dsrbench": "fathom.benchmarks.threedsrbench.official:LAYOUTS",
}
"""How the official files of each benchmark are written, and other kits' copies of them."""


@takes_paths
def import_dataset(
    benchmark: str,
    path: Path,
    out: Path,
    *,
    media: Path | None = None,
    copy: bool = False,
    layout: str = "",
    limit: int = 0,
    progress: Progress = silent,
) -> ImportReport:
    """Make a dataset of a benchmark's files and return what was mended and left out.

    `media` is where pictures and videos lie, if not beside the questions; they stay there unless `copy`.
    Raises InputError or MissingExtraError.
    """
    from fathom.store.kits.importing import ImportPlan, import_files

    plan = ImportPlan(
        path=path,
        out=out,
        layouts=layouts_named(benchmark),
        inspect=_inspection(),
        media=media,
        copy=copy,
        layout=layout,
        limit=limit,
    )
    return import_files(plan, progress)


def layouts_named(benchmark: str) -> tuple[Layout, ...]:
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
    from fathom.media.images import as_png, inspect_image, mirror_image
    from fathom.media.video import probe
    from fathom.store.kits.shelf import Inspection, VideoFacts

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


@takes_paths
def export_dataset(
    dataset: Path, kit: str, out: Path, *, files: bool = False, progress: Progress = silent
) -> ExportReport:
    """Write a dataset as another kit reads it, and return what is there.

    With `files`, pictures lie beside VLMEvalKit's table instead of in it. Raises InputError, UnfitError or
    MissingExtraError.
    """
    from fathom.store.datasets import open_dataset
    from fathom.store.kits.export_plan import ExportPlan
    from fathom.store.kits.exporting import export_files

    return export_files(ExportPlan(open_dataset(dataset), kit, out, files), progress)
