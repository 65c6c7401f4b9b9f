"""Datasets whose questions are written by rule from published annotations of videos."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fathom.formats.import_findings import ImportReport
from fathom.formats.question_files import Progress

LAYOUT = "annotations"
"""What `fathom import --layout` calls them."""


@dataclass(frozen=True)
class AnnotationPlan:
    """What to write questions from, and where to.

    path : the file of annotations, or a folder of them
    out : the dataset folder; None: nothing is written, and no video is opened
    media : the folder of the videos, if not beside the annotations
    limit : only the first so many questions; 0: all
    settings : those of the benchmark
    """

    path: Path
    out: Path | None
    media: Path | None
    limit: int
    settings: Any
    benchmark: str
    release: str


@dataclass(frozen=True)
class AnnotationImport:
    """How a benchmark's questions are written from annotations: its settings, and what writes them."""

    settings: Any
    make: Callable[[AnnotationPlan, Progress], ImportReport]
