"""From a dataset to a folder that another kit reads; the folder is there whole or not at all.

Every export has, beside what its kit reads, OUT/export.json: of which dataset it is, and what is to be known.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace

from fathom.formats.export_huggingface import export_huggingface
from fathom.formats.export_inspect import export_inspect
from fathom.formats.export_lmms import export_lmms
from fathom.formats.export_media import MediaShelf
from fathom.formats.export_plan import REPORT, ExportPlan, ExportReport, Progress, Survey, survey
from fathom.formats.export_vlmevalkit import export_vlmevalkit
from fathom.named import attribute_of
from fathom.records import InputError
from fathom.store.files import write_json

Write = Callable[[ExportPlan, Survey, MediaShelf, Progress], list[str]]


def export_official(plan: ExportPlan, found: Survey, shelf: MediaShelf, progress: Progress) -> list[str]:
    """Write the files in which the benchmark's authors publish it, and return what is to be known."""
    if not plan.official:
        raise InputError(
            f"--to official: nothing here writes the files of {plan.dataset.manifest.benchmark}; "
            "choose vlmevalkit or huggingface"
        )
    write: Write = attribute_of(plan.official)
    return write(plan, found, shelf, progress)


KITS: Mapping[str, Write] = {
    "official": export_official,
    "vlmevalkit": export_vlmevalkit,
    "lmms-eval": export_lmms,
    "huggingface": export_huggingface,
    "inspect": export_inspect,
}
"""Kit → what writes its folder, and returns what is to be known about it."""


def export_files(plan: ExportPlan, progress: Progress) -> ExportReport:
    """Write the folder and return what is in it.

    Raises InputError for an unknown kit, and for a folder that is not empty; UnfitError for a dataset that
    the kit cannot hold; DataError for media that are missing or were changed; MissingExtraError.
    """
    if plan.kit not in KITS:
        raise InputError(f"--to {plan.kit}: there is {', '.join(KITS)}")
    if plan.files and plan.kit != "vlmevalkit":
        raise InputError(f"--pictures files: is for vlmevalkit; {plan.kit} has its own way with pictures")
    out = plan.out.resolve()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{plan.out}: is not empty; choose another folder, or remove this one first")
    part = out.with_name(f".{out.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        report = _write(replace(plan, out=part), progress)
        if out.exists():
            out.rmdir()
        part.replace(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return report


def _write(plan: ExportPlan, progress: Progress) -> ExportReport:
    found = survey(plan.dataset)
    shelf = MediaShelf(plan.dataset, plan.out)
    notes = KITS[plan.kit](plan, found, shelf, progress)
    if not found.pictures and not found.videos:
        notes.insert(0, "no question has a picture or a video: the dataset was built without them")
    manifest = plan.dataset.manifest
    report = ExportReport(
        kit=plan.kit,
        benchmark=manifest.benchmark,
        benchmark_version=manifest.benchmark_version,
        identity=manifest.identity,
        questions=found.questions,
        pictures=len(shelf.pictures),
        videos=len(shelf.videos),
        notes=tuple(notes),
    )
    write_json(plan.out / REPORT, report)
    return report
