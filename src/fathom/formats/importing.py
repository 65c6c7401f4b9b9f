"""From a benchmark's files to a dataset folder, a row at a time.

DATASET/manifest.json    kind dataset, command import; `media_root` says where media lie that were not copied
DATASET/questions.jsonl  in the order of the rows
DATASET/media.jsonl      every medium with its hash; DATASET/media/ holds those that were copied
DATASET/import.json      what was corrected and left out, with file and line

An import that was cut off is begun again from its beginning; what it wrote before is overwritten. One that is
refused, because nothing of its files can be imported, leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from fathom.formats.circular_copies import REPEATED
from fathom.formats.format_detection import QuestionFile, question_files
from fathom.formats.import_findings import ImportFindings, ImportReport
from fathom.formats.imported_media import WORK, Inspection, NamesOnly, Shelf
from fathom.formats.layouts import Layout
from fathom.formats.question_files import Progress, Writer
from fathom.formats.sources import Folder, Source, open_source
from fathom.records import InputError, Manifest, MissingExtraError, Question, Setting
from fathom.store.datasets import (
    MANIFEST,
    MEDIA,
    MEDIA_FOLDER,
    MEDIA_ROOT,
    QUESTIONS,
    SCHEMA_VERSION,
    TASKS,
    TITLE,
)
from fathom.store.files import read_json, read_jsonl, sha256_file, sweep, write_json
from fathom.version import __version__

REPORT = "import.json"

_SHOWN = 3
"""So many questions a dry run shows."""


@dataclass(frozen=True)
class ImportPlan:
    """What to import, from where, and how; `layout` names one where several would do."""

    path: Path
    out: Path
    layouts: tuple[Layout, ...]
    inspect: Inspection
    media: Path | None = None
    copy: bool = False
    layout: str = ""
    limit: int = 0
    title: str = ""
    """What a dataset of somebody's own is called; the name of its folder or file if not given."""


def import_files(plan: ImportPlan, progress: Progress) -> ImportReport:
    """Write the dataset and return what was found on the way.

    Raises InputError where no file is one of the benchmark's, where a file is damaged, or where nothing can
    be imported; MissingExtraError where a package to read it with is missing.
    """
    _check_folder(plan.out)
    findings = ImportFindings()
    work = plan.out / WORK
    new = not plan.out.exists()
    try:
        with closing(open_source(plan.path, work, without=plan.out)) as source:
            files = question_files(source, plan.layouts, plan.layout, work)
            manifest = _begin(plan, files)
            media = _media_sources(plan, source)
            with closing(Shelf(plan.out, media, plan.inspect, findings, plan.copy)) as shelf:
                writer = Writer(plan.out, shelf, findings, progress, plan.limit)
                questions_sha = writer.write(files)
                report = writer.report(files)
                _end(plan, manifest, shelf, report, questions_sha, files[0].layout)
    except (InputError, MissingExtraError):
        _take_back(plan.out, new)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return report


def import_previewed(plan: ImportPlan, progress: Progress) -> ImportReport:
    """Return what an import would find, with its first questions; nothing is left on disk.

    Pictures and videos are looked for and not opened; rows that cannot be questions are counted, and where
    the import would be refused for them the report says so. Raises what `import_files` raises where no file
    fits, or where nothing can be imported.
    """
    layouts = tuple(replace(layout, strict=False) for layout in plan.layouts)
    findings = ImportFindings()
    with TemporaryDirectory(prefix="fathom-") as folder:
        there = replace(plan, out=Path(folder), layouts=layouts)
        work = there.out / WORK
        with closing(open_source(plan.path, work, without=plan.out)) as source:
            files = question_files(source, layouts, plan.layout, work)
            media = _media_sources(there, source)
            with closing(NamesOnly(there.out, media, plan.inspect, findings, plan.copy)) as shelf:
                writer = Writer(there.out, shelf, findings, progress, plan.limit)
                writer.write(files)
                report, strict = writer.report(files), {x.name for x in plan.layouts if x.strict}
                refused = findings.rows_left_out and files[0].layout.name in strict
                why = str(writer.not_all(files)) if refused else ""
        first = tuple(islice(read_jsonl(there.out / QUESTIONS, Question), _SHOWN))
    return msgspec.structs.replace(report, first=first, dry_run=True, refused=why)


def _take_back(out: Path, new: bool) -> None:
    """Remove what a refused import wrote, and the folder itself where it made it."""
    for name in (MANIFEST, QUESTIONS, MEDIA, REPORT, f".{QUESTIONS}.part", f".{MEDIA}.part"):
        (out / name).unlink(missing_ok=True)
    shutil.rmtree(out / MEDIA_FOLDER, ignore_errors=True)
    if new:
        shutil.rmtree(out, ignore_errors=True)


def _media_sources(plan: ImportPlan, source: Source) -> list[Source]:
    """Return where media are looked for: the folder named for them, then beside the questions."""
    single = plan.path.is_file() and isinstance(source, Folder)
    beside = Folder(plan.path.parent, without=plan.out) if single else source
    if plan.media is None:
        return [beside]
    named = open_source(plan.media, plan.out / WORK, without=plan.out)
    return [named] if single else [named, beside]


def _check_folder(out: Path) -> None:
    """Raise InputError where `out` holds anything but an import that was cut off."""
    if not out.exists():
        return
    if not out.is_dir():
        raise InputError(f"{out}: expected a folder to write to, found a file; choose another one")
    sweep(out, MANIFEST, REPORT)
    if (out / MANIFEST).is_file():
        found = read_json(out / MANIFEST, Manifest)
        if found.kind == "dataset" and found.command == "import" and not found.complete:
            for name in (QUESTIONS, MEDIA, REPORT, f".{QUESTIONS}.part", f".{MEDIA}.part"):
                (out / name).unlink(missing_ok=True)
            return
    elif not any(p.name != WORK for p in out.iterdir()):
        return
    raise InputError(f"{out}: is not empty; choose another folder, or remove this one first")


def _begin(plan: ImportPlan, files: Sequence[QuestionFile]) -> Manifest:
    layout = files[0].layout
    settings: dict[str, Setting] = {"source": layout.source, "layout": layout.name, "limit": plan.limit}
    inputs = {file.name: sha256_file(file.path) for file in files}
    settings["inputs_sha256"] = hashlib.sha256(msgspec.json.encode(sorted(inputs.items()))).hexdigest()
    if layout.open_tasks:
        named = plan.path.resolve()
        settings[TITLE] = plan.title or (named.stem if named.is_file() else named.name)
    manifest = Manifest(
        kind="dataset",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="import",
        name=plan.out.name,
        benchmark=layout.benchmark,
        benchmark_version=layout.release,
        settings=settings,
        split="test",
        inputs=inputs,
    )
    write_json(plan.out / MANIFEST, manifest)
    return manifest


def _end(
    plan: ImportPlan,
    manifest: Manifest,
    shelf: Shelf,
    report: ImportReport,
    questions_sha: str,
    layout: Layout,
) -> None:
    """Write report and manifest.

    Whole is a set from which nothing that was in its files is missing; official is one that also has as many
    questions as the published one.
    """
    settings = dict(manifest.settings)
    harmless = sum(f.count for f in report.findings if f.reason in (REPEATED, *layout.not_asked))
    if shelf.media_root is not None:
        settings[MEDIA_ROOT] = _seen_from(plan.out, shelf.media_root)
    settings["whole"] = not plan.limit and report.left_out == harmless
    settings["official"] = settings["whole"] and layout.least is not None and report.imported >= layout.least
    if layout.open_tasks:
        settings[TASKS] = list(report.tasks)
    hashes = {QUESTIONS: questions_sha, MEDIA: shelf.finish()}
    write_json(plan.out / REPORT, report)
    write_json(
        plan.out / MANIFEST,
        msgspec.structs.replace(
            manifest,
            settings=settings,
            files=hashes,
            counts={
                "read": report.read,
                "imported": report.imported,
                "folded": report.folded,
                "mended": report.mended,
                "left out": report.left_out,
            },
            identity=hashlib.sha256(f"{manifest.benchmark}\n{questions_sha}".encode()).hexdigest(),
            complete=True,
        ),
    )


def _seen_from(out: Path, folder: Path) -> str:
    """Return a folder as seen from the dataset, so that both can be moved together."""
    try:
        return Path(os.path.relpath(folder, os.path.abspath(out))).as_posix()  # noqa: PTH100
    except ValueError:  # another drive
        return folder.as_posix()
