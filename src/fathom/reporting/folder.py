"""The folder of a report: its manifest, and what an earlier report left there.

REPORT/manifest.json   kind "report"; inputs are the identities of the dataset and of the runs
REPORT/report.html     the page, which carries everything it shows
REPORT/figures/        its charts as SVG and PDF
REPORT/tables/         its tables as CSV and LaTeX
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from fathom.records import InputError, Manifest
from fathom.reporting.data import ReportData, ReportRun
from fathom.store.datasets import MANIFEST, SCHEMA_VERSION, check_manifest
from fathom.store.files import inside, read_json, sha256_file, sweep, write_json
from fathom.version import __version__

PAGE, FIGURES, TABLES = "report.html", "figures", "tables"
_WRITTEN = (
    f"{FIGURES}/*.svg",
    f"{FIGURES}/*.pdf",
    f"{TABLES}/*.csv",
    f"{TABLES}/*.tex",
    f"{FIGURES}/.*.part",
    f"{TABLES}/.*.part",
)


def manifest_of(out: Path, data: ReportData) -> Manifest:
    """Return what stands in the report's manifest from its start; the same input gives the same."""
    dataset = data.dataset.manifest
    extractors = sorted({sample_score.extractor for run in data.runs for sample_score in run.sample_scores})
    return Manifest(
        kind="report",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="report",
        name=out.resolve().name,
        benchmark=dataset.benchmark,
        benchmark_version=dataset.benchmark_version,
        split=dataset.split,
        settings={"extractor": ", ".join(extractors), "gallery_scenes": data.pictures_shown},
        inputs={
            "dataset": dataset.identity,
            **{f"run:{k}:{run.model}": run_identity(run) for k, run in enumerate(data.runs)},
        },
        counts={"runs": len(data.runs), "questions": len(data.dataset.questions)},
    )


def run_identity(run: ReportRun) -> str:
    """Return the hash that a run is known by: of its settings, its answers and how they were marked."""
    settings = {name: value for name, value in sorted(run.manifest.settings.items()) if name != "dataset"}
    encoder = msgspec.json.Encoder()
    h = hashlib.sha256(encoder.encode((run.model, settings, run.manifest.inputs)))
    for _, response in sorted(run.responses.items()):
        h.update(encoder.encode(response) + b"\n")
    for sample_score in sorted(run.sample_scores, key=lambda m: (m.question, repr(m.variant))):
        h.update(encoder.encode(sample_score) + b"\n")
    return h.hexdigest()


def begin_report(out: Path, manifest: Manifest) -> None:
    """Take out what an earlier report left in the folder, and write the unfinished manifest.

    Raises InputError where the folder holds something that is no report.
    """
    earlier = _left_by_an_earlier_report(out)
    write_json(out / MANIFEST, manifest)
    for path in earlier:
        path.unlink(missing_ok=True)


def end_report(out: Path, manifest: Manifest, files: list[Path]) -> None:
    """Write the finished manifest with the hash of every file."""
    hashes = {path.relative_to(out).as_posix(): sha256_file(path) for path in sorted(files)}
    write_json(out / MANIFEST, msgspec.structs.replace(manifest, files=hashes, complete=True))


def _left_by_an_earlier_report(out: Path) -> list[Path]:
    """Return the files that an earlier report named, or may have written before it was cut off."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: expected a folder, found a file; choose another with --out")
    sweep(out, MANIFEST, PAGE)
    if (out / MANIFEST).exists():
        before = read_json(out / MANIFEST, Manifest)
        check_manifest(out, before, "report")
        if before.complete:
            return [inside(out, name) for name in before.files]
    elif out.exists() and any(out.iterdir()) and not (out / PAGE).exists():
        raise InputError(f"{out}: is not empty, and not a report; choose another folder with --out")
    return [out / PAGE, *(path for pattern in _WRITTEN for path in out.glob(pattern))]
