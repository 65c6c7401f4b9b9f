"""Which words a reader of texts reads in painted pictures: RapidOCR, where it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from fathom.authoring.information.optical import words_in
from fathom.geometry.cameras import project
from fathom.geometry.poses import to_world
from fathom.records import Media, Question, Scene

OPERATOR = "written"
"""The operator of questions whose answer is a word in the picture."""

MARGIN, LARGER = 0.6, 2
"""How much around a word is looked at, in its own heights, and by how much larger."""


def can_read() -> bool:
    """Return whether the reader of texts is installed."""
    return find_spec("rapidocr") is not None


def asks_for_writing(question: Question) -> bool:
    """Return whether a question's answer is a word in the picture."""
    return bool(question.program) and question.program[-1].op == OPERATOR


def unread(
    out: Path, questions: Iterable[Question], scenes: Mapping[str, Scene], media: Mapping[str, Media]
) -> frozenset[str]:
    """Return the questions whose word is not read where it stands in the painted picture."""
    return frozenset(
        q.id
        for q in questions
        if asks_for_writing(q) and not _reads(out / media[q.media[0]].path, q.answer, scenes[q.scene])
    )


def _reads(path: Path, word: str, scene: Scene) -> bool:
    from PIL import Image

    with Image.open(path) as picture:
        cut = picture.convert("RGB").crop(_around(scene, word, picture.size))
    large = cut.resize((cut.width * LARGER, cut.height * LARGER), Image.Resampling.BICUBIC)
    return word.casefold() in {said.casefold() for said in words_in(np.asarray(large))}


def _around(scene: Scene, word: str, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the rectangle of a picture around a word of a scene: left, top, right, bottom."""
    obj = next(o for o in scene.objects if o.attributes.get("text") == word)
    _, wide, high = obj.size_m
    corners = np.array([[0.0, y, z] for y in (-wide / 2, wide / 2) for z in (0.0, high)])
    at, _ = project(scene.cameras[0], to_world(obj.poses[0], corners))
    room = MARGIN * float(np.ptp(at[:, 1]))
    low, top = np.maximum(at.min(axis=0) - room, 0), np.minimum(at.max(axis=0) + room, size)
    return int(low[0]), int(low[1]), int(top[0]) + 1, int(top[1]) + 1
