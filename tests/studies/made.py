"""A made-up set of moving objects whose questions say which cells (view, frame) show what has to be seen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from fathom.benchmarks.fourdbench.tasks import CAPTION, TASKS
from fathom.records import Evidence, Groups, Media, Need, Question
from fathom.store.seeds import rng
from tests.protocols.made import write_dataset

VIEWS, FRAMES, FPS = 24, 48, 12.0
PER_OBJECT = 5
TEMPLATES = tuple(task for task in TASKS if task != CAPTION)


def ranges_of(frames: Iterable[int]) -> str:
    """Return frames as ranges: [18, 0, 1, 2] is "0-2,18"."""
    runs: list[list[int]] = []
    for frame in sorted(set(frames)):
        if runs and frame == runs[-1][1] + 1:
            runs[-1][1] = frame
        else:
            runs.append([frame, frame])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def views_of(uid: str) -> list[Media]:
    return [
        Media(
            id=f"{uid}/view_{k}",
            path=f"media/{uid}/view_{k}_rgb_white_bg.mp4",
            kind="video",
            size=(512, 512),
            sha256=hashlib.sha256(f"{uid}/{k}".encode()).hexdigest(),
            scene=uid,
            view=k,
            frames=FRAMES,
            fps=FPS,
        )
        for k in range(VIEWS)
    ]


def need(what: str, *names: str | int) -> Need:
    """Something that an arc of the views shows during a stretch of the time."""
    g = rng("made", what, *names)
    first, width = int(g.integers(VIEWS)), int(g.integers(3, 14))
    start, length = int(g.integers(FRAMES - 6)), int(g.integers(4, 30))
    frames = ranges_of(range(start, min(FRAMES, start + length)))
    return Need(what=what, cells={(first + k) % VIEWS: frames for k in range(width)})


def question(uid: str, number: int) -> Question:
    task = TEMPLATES[number % len(TEMPLATES)]
    choices = tuple(f"{word} of {uid}" for word in ("alpha", "beta", "gamma", "delta"))
    g = rng("made", uid, number)
    needs = tuple(need(f"need {k}", uid, number) for k in range(int(g.integers(1, 4))))
    right = int(g.integers(4))
    odd = number % 5 == 4
    return Question(
        id=f"{uid}_{task}_{number}",
        task=task,
        text=f"What of {uid}, {number}?",
        answer=choices[right],
        choices=choices,
        media=tuple(m.id for m in views_of(uid)),
        scene=uid,
        evidence=Evidence(objects=(), needs=needs),
        groups=Groups(cluster=f"asset {int(uid, 16) % 7}"),
        tags={
            "views": "several" if len(needs) > 1 else "one",
            "time": "one",
            **({"counterfactual": "legs", "prior_answer": choices[(right + 1) % 4]} if odd else {}),
        },
    )


def write_objects(folder: Path, objects: int = 12) -> Path:
    uids = [f"{k:032x}" for k in range(1, objects + 1)]
    questions = [question(uid, number) for uid in uids for number in range(PER_OBJECT)]
    return write_dataset(folder, "4d-bench", questions, [m for uid in uids for m in views_of(uid)])
