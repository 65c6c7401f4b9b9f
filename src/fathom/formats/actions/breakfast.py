"""Breakfast: a text file a video, with a row an action, in frames counted from 1 at 15 a second.

    1-30 SIL
    31-150 take_cup

The name says person, camera and activity: P03_cam01_P03_cereals.txt, or P03_cereals.avi.labels in the folders
P03/cam01.
"""

from __future__ import annotations

import re
from pathlib import Path

from fathom.formats.actions.record import BREAKFAST, MALFORMED, AnnotatedVideo, LabelledAction
from fathom.formats.actions.text import text_in
from fathom.formats.import_findings import ImportFindings

FPS = 15.0
"""Frames are counted at so many a second, whatever the file of the video says."""

NOTHING = "SIL"
"""The label of stretches in which nothing is done."""

_ROW = re.compile(r"(\d{1,9})-(\d{1,9})\s+(\S+)")
_LONG = re.compile(r"(P\d+)_(cam\d+|webcam\d+|stereo\d*)_(P\d+_([A-Za-z]+))")
_SHORT = re.compile(r"(P\d+_([A-Za-z]+?))(?:_ch\d)?(?:\.avi)?")
_ENDINGS = (".txt", ".labels")


def is_breakfast(path: Path) -> bool:
    """Return whether a file is named as these are, and begins with such a row."""
    if path.suffix not in _ENDINGS or _names(path) is None:
        return False
    with path.open("rb") as f:
        return bool(_ROW.match(f.readline(200).decode("utf-8", "replace").strip()))


def read_breakfast(path: Path, findings: ImportFindings) -> tuple[AnnotatedVideo, int]:
    """Return the video of a file, and how many rows it has. Malformed rows are left out and told."""
    named = _names(path)
    assert named is not None
    video, names, activity = named
    actions: list[LabelledAction] = []
    last, gap, rows = 0, False, 0
    for number, line in enumerate(text_in(path).splitlines(), 1):
        if not line.strip():
            continue
        rows += 1
        match = _ROW.fullmatch(line.strip())
        if match is None or not last < int(match[1]) <= int(match[2]):
            findings.leave_out(MALFORMED, f"{path.name}:{number}", line.strip())
            gap = True
            continue
        first, last = int(match[1]), int(match[2])
        verb, _, noun = match[3].partition("_")
        actions.append(
            LabelledAction(
                id=f"{video}:{number}",
                video=video,
                words=match[3],
                verb=verb,
                noun=noun.replace("_", " "),
                place=f"{path.name}:{number}",
                start_s=(first - 1) / FPS,
                stop_s=last / FPS,
                after_gap=gap,
            )
        )
        gap = False
    return AnnotatedVideo(video, BREAKFAST, names, tuple(actions), activity), rows


def _names(path: Path) -> tuple[str, tuple[str, ...], str] | None:
    """Return the name of the video, how its file may be called, and its activity; None for other files."""
    stem = path.name.removesuffix(path.suffix)
    if match := _LONG.fullmatch(stem):
        person, camera, short, activity = match.groups()
        folder = "stereo" if camera.startswith("stereo") else camera
        channel = (f"{person}/{folder}/{short}_ch0",) if folder == "stereo" else ()
        return stem, (f"{person}/{folder}/{short}", *channel, stem), activity
    if match := _SHORT.fullmatch(stem):
        camera, person = path.parent.name, match[1].partition("_")[0]
        plain = stem.removesuffix(".avi")
        video = f"{person}_{camera}_{match[1]}"
        return video, (f"{person}/{camera}/{plain}", video), match[2]
    return None
