"""The annotations that a dataset was written from, kept in it: others can write its wrong options.

DATASET/annotations.json    what was read, and the settings; of Something-Something-v2 the videos asked about
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from fathom.benchmarks.seedbench.videos.drafts import VideoDraft
from fathom.benchmarks.seedbench.videos.prediction import prediction_drafts
from fathom.benchmarks.seedbench.videos.procedure import procedure_drafts
from fathom.benchmarks.seedbench.videos.recognition import recognition_drafts
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.formats.actions.record import SOMETHING, ActionAnnotations
from fathom.formats.import_findings import ImportFindings
from fathom.records import Record
from fathom.store.files import read_json, write_json

ANNOTATIONS = "annotations.json"


class KeptAnnotations(Record, frozen=True, kw_only=True):
    """The file: annotations, and what questions were written of them with."""

    settings: VideoQuestionSettings
    annotations: ActionAnnotations


def all_drafts(
    annotations: ActionAnnotations, settings: VideoQuestionSettings, findings: ImportFindings
) -> list[VideoDraft]:
    """Return a draft of everything that can be asked; of the rest it is counted why not."""
    return [
        *recognition_drafts(annotations),
        *prediction_drafts(annotations, settings, findings),
        *procedure_drafts(annotations, settings, findings),
    ]


def keep_annotations(
    out: Path, annotations: ActionAnnotations, settings: VideoQuestionSettings, shown: Collection[str]
) -> None:
    """Write the file; `shown` are the videos that are asked about."""
    videos = tuple(v for v in annotations.videos if v.source != SOMETHING or v.id in shown)
    kept = KeptAnnotations(settings=settings, annotations=replace(annotations, videos=videos))
    write_json(out / ANNOTATIONS, kept)


def has_annotations(folder: Path) -> bool:
    """Return whether a dataset has the file."""
    return (folder / ANNOTATIONS).is_file()


def kept_drafts(folder: Path) -> tuple[VideoQuestionSettings, dict[str, VideoDraft]]:
    """Return the settings and the drafts of a dataset, by the ids of their questions.

    Raises DataError where the file is none.
    """
    kept = read_json(folder / ANNOTATIONS, KeptAnnotations)
    drafts = all_drafts(kept.annotations, kept.settings, ImportFindings())
    return kept.settings, {draft.id: draft for draft in drafts}
