"""What a report is made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from fathom.pages.scope import WHOLE_SCOPE, Scope
from fathom.pages.tables import Table
from fathom.records import Benchmark, Manifest, Media, Outline, Question, Response, SampleScore, Scene, Score


class Found(msgspec.Struct):
    """What is shown of a dataset's own checks."""

    tables: tuple[Table, ...]


@dataclass(frozen=True)
class ReportDataset:
    """The dataset that the runs were made on.

    `picture` gives the bytes of a picture by its media id, `path` says where a video lies, and `still` gives
    the bytes of a frame of which a picture lies beside it. `checks` are the tables of what was found about
    the dataset itself (blind stress test, second derivation, jitter …).
    `official` says that it is the imported official one, the only one whose scores compare with published
    ones.
    """

    manifest: Manifest
    questions: Sequence[Question]
    picture: Callable[[str], bytes]
    path: Callable[[str], Path] | None = None
    still: Callable[[str, int], bytes] | None = None
    media: Mapping[str, Media] = field(default_factory=dict)
    scenes: Mapping[str, Scene] = field(default_factory=dict)
    outlines: Sequence[Outline] = ()
    checks: Sequence[Table] = ()
    official: bool = False


@dataclass(frozen=True)
class ReportRun:
    """One model's run, read under one extractor; `responses` holds the response to each question by its id.

    `model` is as `scope` names it, which is what its numbers stand on. A `baseline` (random, the blind prior,
    an oracle) is shown like a model, and never called the best.
    """

    model: str
    manifest: Manifest
    sample_scores: Sequence[SampleScore]
    scores: Sequence[Score]
    responses: Mapping[str, Response] = field(default_factory=dict)
    baseline: bool = False
    scope: Scope = WHOLE_SCOPE

    @property
    def text_only(self) -> bool:
        """Whether every answer was given without images and videos."""
        answered = [s for s in self.sample_scores if s.status == "ok"]
        return bool(answered) and all(s.variant.media_withheld for s in answered)

    @property
    def protocol(self) -> str:
        """The protocol by which questions were put, with the grouping of passes where its name is another."""
        settings = self.manifest.settings
        name, grouping = (str(settings.get(k) or "") for k in ("protocol", "protocol.grouping"))
        return f"{name}, {grouping}" if grouping not in ("", "plain", name) else name


@dataclass(frozen=True)
class ReportData:
    """A report's whole input; `pictures_shown` limits the gallery.

    `compared` says in sentences how the best two runs differ.
    """

    benchmark: Benchmark
    dataset: ReportDataset
    runs: Sequence[ReportRun]
    pictures_shown: int = 60
    compared: Sequence[str] = ()
