"""Videos with a counter drawn into their frames, and annotations of them in the published formats."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.media.film import FilmWriter

BITS = 12
SLOW = 2.0
"""Frames a second of long videos: there are few of them, and every whole second has one."""

_SIDE = 8
_WIDTH, _HEIGHT = BITS * _SIDE, 32

HEADER = (
    "narration_id,participant_id,video_id,narration_timestamp,start_timestamp,stop_timestamp,start_frame,"
    "stop_frame,narration,verb,verb_class,noun,noun_class,all_nouns,all_noun_classes"
)
VERBS = ("take", "put", "wash", "open", "cut")
NOUNS = ("plate", "knife", "tap", "cup", "bowl", "spoon", "bread", "cheese")

CLASSES: Mapping[str, int] = {
    "Pushing [something] from left to right": 86,
    "Lifting [something] up": 35,
    "Turning [something] upside down": 170,
    "Dropping [something]": 20,
    "Showing [something] to the camera": 145,
    "Tearing [something] into two pieces": 160,
    "Putting [something] onto [something]": 112,
}


def counted(number: int) -> NDArray[np.uint8]:
    """Return a frame that shows a number as black and white squares."""
    bits = [255 * (number >> k & 1) for k in range(BITS)]
    row = np.repeat(np.array(bits, np.uint8), _SIDE)
    return np.ascontiguousarray(np.broadcast_to(row[None, :, None], (_HEIGHT, _WIDTH, 3)))


def number_in(picture: NDArray[np.uint8]) -> int:
    """Return the number that a frame shows, at whatever size."""
    columns = picture.mean(axis=(0, 2)).reshape(BITS, -1).mean(axis=1)
    return sum(int(shade > 127) << k for k, shade in enumerate(columns))


def film(path: Path, seconds: float, fps: float = 10) -> Path:
    """Write a video whose frames are numbered from 0."""
    with FilmWriter(path, fps, (_WIDTH, _HEIGHT)) as out:
        for number in range(round(seconds * fps)):
            out.add(counted(number))
    return path


def clock(seconds: float) -> str:
    """Return a time as EPIC-KITCHENS-100 writes it."""
    return f"{int(seconds // 3600):02}:{int(seconds // 60) % 60:02}:{seconds % 60:05.2f}"


def epic_row(name: str, start: float, stop: float, verb: int, noun: int) -> str:
    """Return a row of the CSV file."""
    video = name.rpartition("_")[0]
    said = f"{VERBS[verb]} {NOUNS[noun]}"
    times = f"{clock(start)},{clock(start)},{clock(stop)}"
    frames = f"{round(start * 60)},{round(stop * 60)}"
    last = f"\"['{NOUNS[noun]}']\",[{noun}]"
    return (
        f"{name},{video[:3]},{video},{times},{frames},{said},{VERBS[verb]},{verb},{NOUNS[noun]},{noun},{last}"
    )


def epic(path: Path, videos: int = 3, nouns: int = 4) -> Path:
    """Write a CSV file: in each video twelve actions, one every three seconds for a second."""
    rows = [HEADER]
    for v in range(videos):
        for k in range(12):
            verb, noun = (k + v) % len(VERBS), (k // 2 + v) % nouns
            rows.append(epic_row(f"P01_{10 + v}_{k}", 3.0 * k, 3.0 * k + 1, verb, noun))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(rows) + "\n")
    return path


def something(folder: Path, entries: Sequence[tuple[str, str]]) -> Path:
    """Write the list of videos (id and template) and the labels."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for name, template in entries:
        objects = ["a cup", "the table"][: template.count("[")]
        label = template
        for thing in objects:
            label = label.replace("[something]", thing, 1)
        listed.append({"id": name, "label": label.lower(), "template": template, "placeholders": objects})
    (folder / "validation.json").write_text(json.dumps(listed))
    labels = {t.replace("[", "").replace("]", ""): str(n) for t, n in CLASSES.items()}
    (folder / "labels.json").write_text(json.dumps(labels))
    return folder


def breakfast(folder: Path, name: str, steps: Sequence[str], each: int = 30) -> Path:
    """Write the segmentation of a video: silence, steps of so many frames, silence."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, at = [], 1
    for label in ("SIL", *steps, "SIL"):
        rows.append(f"{at}-{at + each - 1} {label}  ")
        at += each
    path = folder / f"{name}.txt"
    path.write_text("\n".join(rows) + "\n")
    return path
