"""EPIC-KITCHENS-100: a CSV file with a row an action, with times as hours:minutes:seconds.

    narration_id,participant_id,video_id,narration_timestamp,start_timestamp,stop_timestamp,start_frame,
    stop_frame,narration,verb,verb_class,noun,noun_class,all_nouns,all_noun_classes

Verbs and nouns are said by their classes: by the key that EPIC_100_verb_classes.csv and
EPIC_100_noun_classes.csv give, where these lie beside, else by the words that are commonest in the class.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from fathom.formats.actions.record import EPIC, MALFORMED, AnnotatedVideo, LabelledAction
from fathom.formats.actions.text import text_in
from fathom.formats.import_findings import ImportFindings
from fathom.records import InputError

COLUMNS = frozenset(
    {"narration_id", "participant_id", "video_id", "start_timestamp", "stop_timestamp", "narration"}
    | {"verb", "verb_class", "noun", "noun_class"}
)
_CLASSES = {"verb": "EPIC_100_verb_classes.csv", "noun": "EPIC_100_noun_classes.csv"}
_TIME = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d(?:\.\d+)?)")
_VIDEO = re.compile(r"P\d+_\d+")

Row = Mapping[str, str]


def is_epic(path: Path) -> bool:
    """Return whether a CSV file has the columns of these annotations."""
    with path.open("rb") as f:
        first = f.readline(10_000).decode("utf-8", "replace").strip()
    return set(first.split(",")) >= COLUMNS


def read_epic(path: Path, findings: ImportFindings) -> tuple[list[AnnotatedVideo], int]:
    """Return the videos of a CSV file, and how many rows it has. Malformed rows are left out and told."""
    rows = list(_rows(path))
    words = {part: _class_words(path, part, rows) for part in _CLASSES}
    found: dict[str, list[LabelledAction]] = defaultdict(list)
    gap, ids = False, set[str]()
    for place, row in rows:
        try:
            action = _action(place, row, words)
            if action.id in ids:
                raise ValueError(f"narration_id {action.id} stands there twice")
        except ValueError as e:
            findings.leave_out(MALFORMED, place, str(e))
            gap = True
            continue
        ids.add(action.id)
        found[action.video].append(replace(action, after_gap=gap))
        gap = False
    return [_video(name, actions) for name, actions in found.items()], len(rows)


def _rows(path: Path) -> Iterator[tuple[str, Row]]:
    reader = csv.DictReader(io.StringIO(text_in(path)), restval="")
    try:
        for row in reader:
            plain = {name: value for name, value in row.items() if isinstance(name, str)}
            yield f"{path.name}:{reader.line_num}", plain
    except csv.Error as e:
        raise InputError(f"{path}:{reader.line_num}: expected rows of CSV, found {e}; correct it") from e


def _class_words(path: Path, part: str, rows: list[tuple[str, Row]]) -> dict[str, str]:
    """Return class number → how the class is called."""
    beside = path.with_name(_CLASSES[part])
    if beside.is_file():
        return {row.get("id", ""): row.get("key", "") for _, row in _rows(beside)}
    used: dict[str, Counter[str]] = defaultdict(Counter)
    for _, row in rows:
        used[row.get(f"{part}_class", "")][row.get(part, "")] += 1
    return {number: max(sorted(said), key=said.__getitem__) for number, said in used.items()}


def _action(place: str, row: Row, words: Mapping[str, Mapping[str, str]]) -> LabelledAction:
    """Return the action of a row. Raises ValueError that says what is wrong with it."""
    video = row["video_id"]
    if not _VIDEO.fullmatch(video):
        raise ValueError(f"video_id {video!r} is not like P01_11")
    if not row["narration_id"]:
        raise ValueError("there is no narration_id")
    start, stop = _seconds(row["start_timestamp"]), _seconds(row["stop_timestamp"])
    if stop <= start:
        raise ValueError(f"the action stops at {stop:g} s and starts at {start:g} s")
    said = {part: words[part].get(row[f"{part}_class"], "") for part in words}
    for part, text in said.items():
        if not text:
            raise ValueError(f"{part}_class {row[f'{part}_class']!r} is unknown")
    return LabelledAction(
        id=row["narration_id"],
        video=video,
        words=row["narration"],
        verb=said["verb"].replace("-", " "),
        noun=_in_order(said["noun"]),
        place=place,
        start_s=start,
        stop_s=stop,
    )


def _in_order(noun: str) -> str:
    """Return a noun as it is said: "board:chopping" is a chopping board."""
    head, *others = noun.replace("-", " ").split(":")
    return " ".join([*others, head])


def _seconds(text: str) -> float:
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no time like 00:01:02.34")
    return int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])


def _video(name: str, actions: list[LabelledAction]) -> AnnotatedVideo:
    folder = name.partition("_")[0]
    return AnnotatedVideo(
        id=name,
        source=EPIC,
        names=(f"{folder}/{name}", f"{folder}/videos/{name}", name),
        actions=tuple(sorted(actions, key=lambda a: (a.start_s, a.stop_s, a.id))),
    )
