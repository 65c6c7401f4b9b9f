"""Which files of a folder annotate actions, and what all of them say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fathom.formats.actions.breakfast import is_breakfast, read_breakfast
from fathom.formats.actions.epic_kitchens import is_epic, read_epic
from fathom.formats.actions.record import ActionAnnotations, AnnotatedVideo
from fathom.formats.actions.something import (
    contents,
    is_labels,
    is_something,
    plain,
    read_labels,
    read_something,
)
from fathom.formats.import_findings import ImportFindings
from fathom.records import InputError
from fathom.store.files import sha256_file

TWICE = "a video that another file annotated already"

_MOST_FILES = 100_000


def read_actions(path: Path, findings: ImportFindings) -> ActionAnnotations:
    """Return what a file, or all files of a folder, say of actions in videos.

    Malformed rows are left out and told. Raises InputError where no file annotates any.
    """
    if not path.exists():
        raise InputError(f"{path}: expected annotations of videos, but there is nothing; correct the path")
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())[:_MOST_FILES]
    root = path.parent if path.is_file() else path
    videos: list[AnnotatedVideo] = []
    used: list[Path] = []
    rows = 0
    for file in files:
        if file.suffix == ".csv" and is_epic(file):
            found, count = read_epic(file, findings)
        elif is_breakfast(file):
            one, count = read_breakfast(file, findings)
            found = [one]
        else:
            continue
        videos += found
        rows += count
        used.append(file)
    beside = sorted(path.parent.glob("*.json")) if path.is_file() and path.suffix == ".json" else []
    templates, more, count, read = _something(files, beside, findings)
    videos += more
    if not videos:
        raise InputError(
            f"{path}: expected annotations of Something-Something-v2 (JSON), EPIC-KITCHENS-100 (CSV) or "
            "Breakfast (text), found none that can be read; give the file or a folder that holds it"
        )
    hashes = {file.relative_to(root).as_posix(): sha256_file(file) for file in [*used, *read]}
    return ActionAnnotations(_once(videos, findings), templates, hashes, rows + count)


def _something(
    files: Sequence[Path], beside: Sequence[Path], findings: ImportFindings
) -> tuple[dict[str, int], list[AnnotatedVideo], int, list[Path]]:
    """Return templates, videos, the number of entries, and the files of Something-Something-v2."""
    held = {file: contents(file) for file in files if file.suffix == ".json"}
    lists = {file: value for file, value in held.items() if is_something(value)}
    if not lists:
        return {}, [], 0, []
    held |= {file: contents(file) for file in beside if file not in held}
    label_files = {file: value for file, value in held.items() if is_labels(value)}
    labels: dict[str, int] = {}
    for value in label_files.values():
        labels |= read_labels(value)
    videos = [v for file, value in lists.items() for v in read_something(file.name, value, labels, findings)]
    numbers: dict[str, int] = {}
    for video in videos:
        template = video.actions[0].verb
        numbers.setdefault(template, labels.get(plain(template), len(numbers)))
    return numbers, videos, sum(map(len, lists.values())), [*lists, *label_files]


def _once(videos: Sequence[AnnotatedVideo], findings: ImportFindings) -> tuple[AnnotatedVideo, ...]:
    """Return each video once: what is annotated a second time is left out and told."""
    found: dict[tuple[str, str], AnnotatedVideo] = {}
    for video in videos:
        if found.setdefault((video.source, video.id), video) is not video:
            findings.leave_out(TWICE, video.actions[0].place if video.actions else video.id, video.id)
    return tuple(found.values())
