"""What every build does with its parts: make those that are missing, stop where they contradict, and end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from fathom.datasets.findings import Checks, Disagreement
from fathom.records import Manifest, Question, Scene, UnfitError
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCENES, identity
from fathom.store.files import read_json, sha256_file, write_json, write_jsonl
from fathom.workers import spread

T = TypeVar("T")
R = TypeVar("R")

Progress = Callable[[str, int, int, str], None]
"""What is done, how much of it, of how much, and a note."""

CHECKS, DISAGREEMENTS, UNTRUE = "checks.json", "disagreements.json", "untrue-captions.json"


def make_missing(
    what: str,
    total: int,
    missing: Sequence[T],
    work: Callable[[T], R],
    workers: int,
    progress: Progress,
    start: Callable[[], None] | None = None,
) -> None:
    """Make the parts that are missing of `total`; each is on disk when its work is done.

    Raises what the work raises.
    """
    done = total - len(missing)
    progress(what, done, total, "")
    for _ in spread(work, missing, workers, start):
        done += 1
        progress(what, done, total, "")


def stop_at_disagreement(out: Path, found: Sequence[Disagreement]) -> None:
    """Raise UnfitError where two derivations gave two answers; all such questions are written first."""
    if not found:
        return
    path = out / DISAGREEMENTS
    write_json(path, found)
    first = found[0]
    raise UnfitError(
        f"{first.question}: the two derivations of its answer disagree ({first.first!r} from the scene, "
        f"{first.second!r} from the pixels), and so do {len(found) - 1} more in {path}; "
        "one of them is wrong: report it, with the command and the seed"
    )


def stop_at_untrue(out: Path, found: Mapping[str, str]) -> None:
    """Raise UnfitError where captions say what is not so; all of them, and why, are written first."""
    if not found:
        return
    path = out / UNTRUE
    write_json(path, dict(found))
    text, why = next(iter(found.items()))
    raise UnfitError(
        f"{text!r}: the second check of captions disagrees ({why}), and with {len(found) - 1} more in "
        f"{path}; either the caption or the check is wrong: report it, with the command and the seed"
    )


def write_checks(out: Path, checks: Checks, strict: bool) -> None:
    """Write what was found about a dataset. Raises UnfitError under `strict` where a check is not met."""
    write_json(out / CHECKS, checks)
    if strict and not checks.passed:
        failed = "; ".join(v.name for v in checks.verdicts if not v.passed)
        raise UnfitError(
            f"{out}: these checks are not met: {failed}; see {CHECKS}, or build without --strict"
        )


def complete(
    out: Path,
    work: Path,
    wanted: Manifest,
    scenes: Sequence[Scene],
    questions: Sequence[Question],
    truth: Mapping[str, str],
    counts: Mapping[str, int],
    files: Mapping[str, str],
) -> None:
    """Write scenes and questions, then the manifest, by which a dataset is whole; the parts are thrown away.

    The manifest says of each promise in checks.json whether it is kept. `truth` and `files` hold the hashes
    of other files, by their paths in `out`; identity hangs on `truth`.
    """
    write_jsonl(out / SCENES, scenes)
    write_jsonl(out / QUESTIONS, questions)
    hashes = {name: sha256_file(out / name) for name in (SCENES, QUESTIONS, MEDIA, CHECKS)}
    done = msgspec.structs.replace(
        wanted,
        files={**hashes, **files, **truth},
        identity=identity(hashes[SCENES], questions, truth),
        counts={"scenes": len(scenes), "questions": len(questions), **counts},
        checks={v.name: v.verdict for v in read_json(out / CHECKS, Checks).verdicts},
        complete=True,
    )
    for name in (DISAGREEMENTS, UNTRUE):
        (out / name).unlink(missing_ok=True)
    write_json(out / MANIFEST, done)
    shutil.rmtree(work, ignore_errors=True)
