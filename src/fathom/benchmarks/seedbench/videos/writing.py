"""From annotations and videos to a dataset: questions by rule, wrong options levelled, clips cut.

DATASET/manifest.json    kind dataset, command import; complete when the last file is in place
DATASET/questions.jsonl  each with the annotations that it comes from
DATASET/media.jsonl      every clip with its hash; DATASET/media/ holds them
DATASET/annotations.json what they were written from (kept.py)
DATASET/import.json      what was left out, with file and line

Started again with the same arguments it goes on: clips that are there are not cut again.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from fathom.benchmarks.seedbench.videos.balancing import with_wrong_options
from fathom.benchmarks.seedbench.videos.clips import Clips, check_length, find_video, inspect_video
from fathom.benchmarks.seedbench.videos.drafts import DraftWithOptions, VideoDraft, drawn_evenly
from fathom.benchmarks.seedbench.videos.kept import ANNOTATIONS, all_drafts, keep_annotations
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings, check_settings
from fathom.benchmarks.seedbench.videos.shortcuts import position_of, shortcut_table
from fathom.formats.actions.reading import read_actions
from fathom.formats.actions.record import ActionAnnotations
from fathom.formats.annotated import LAYOUT, AnnotationPlan
from fathom.formats.import_findings import ImportFindings, ImportReport, LeftOutError
from fathom.formats.importing import REPORT
from fathom.formats.lookup import Lookup
from fathom.formats.question_files import Progress
from fathom.formats.sources import Folder, open_source
from fathom.media.video import VideoInfo
from fathom.records import Annotation, Groups, InputError, Manifest, Media, Question
from fathom.settings import flat
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCHEMA_VERSION
from fathom.store.files import read_json, sha256_file, sweep, write_json, write_jsonl
from fathom.version import __version__

_WORK = ".importing"
_SHOWN = 3
"""So many questions a dry run shows."""

Found = dict[str, tuple[Path, VideoInfo]]
"""Video → its file, and what that is."""


def write_video_questions(plan: AnnotationPlan, progress: Progress) -> ImportReport:
    """Write the dataset, or nothing where there is no folder to write to, and return what was found.

    Raises InputError where no file holds annotations, no question can be written, or the folder holds
    something else.
    """
    settings = plan.settings
    assert isinstance(settings, VideoQuestionSettings)
    check_settings(settings)
    findings = ImportFindings()
    annotations = read_actions(plan.path, findings)
    if plan.out is None:
        asked = _chosen(plan, all_drafts(annotations, settings, findings), findings)
        questions = [question_of(one, settings.seed, ()) for one in asked]
        report = _report(plan, annotations, asked, questions, findings)
        return msgspec.structs.replace(report, first=tuple(questions[:_SHOWN]), dry_run=True)
    manifest = _begin(plan, annotations)
    try:
        return _written(plan, plan.out, manifest, annotations, findings, progress)
    except InputError:
        _take_back(plan.out)
        raise
    finally:
        shutil.rmtree(plan.out / _WORK, ignore_errors=True)


def _take_back(out: Path) -> None:
    """Remove a folder in which nothing but the manifest stands."""
    shutil.rmtree(out / _WORK, ignore_errors=True)
    if [p.name for p in out.iterdir()] == [MANIFEST]:
        shutil.rmtree(out)


def _written(
    plan: AnnotationPlan,
    out: Path,
    manifest: Manifest,
    annotations: ActionAnnotations,
    findings: ImportFindings,
    progress: Progress,
) -> ImportReport:
    settings = plan.settings
    found = _videos(plan, out, annotations, findings, progress)
    drafts = _with_videos(all_drafts(annotations, settings, findings), found, findings)
    asked = _chosen(plan, drafts, findings)
    clips = Clips(out, settings)
    shown: list[DraftWithOptions] = []
    questions: list[Question] = []
    for done, one in enumerate(asked, 1):
        try:
            media = clips.clip(one.draft, *found[one.draft.video.id])
        except LeftOutError as e:
            findings.leave_out(e.reason, one.draft.actions[0].place, e.detail)
            continue
        shown.append(one)
        questions.append(question_of(one, settings.seed, (media.id,)))
        progress("clips", done, len(asked), "")
    if not questions:
        raise _nothing(plan.path, findings)
    report = _report(plan, annotations, shown, questions, findings)
    clips.tidy()
    keep_annotations(out, annotations, settings, {one.draft.video.id for one in shown})
    _end(out, manifest, questions, clips.listed(), report)
    return report


def _videos(
    plan: AnnotationPlan,
    out: Path,
    annotations: ActionAnnotations,
    findings: ImportFindings,
    progress: Progress,
) -> Found:
    """Return the videos that are there and can be read; the others are left out and told."""
    beside = plan.path if plan.path.is_dir() else plan.path.parent
    source = open_source(plan.media, out / _WORK, without=out) if plan.media else Folder(beside, without=out)
    found: Found = {}
    with closing(source):
        lookup = Lookup([source], out / _WORK)
        for done, video in enumerate(annotations.videos, 1):
            try:
                path = find_video(lookup, video)
                found[video.id] = path, inspect_video(path)
            except LeftOutError as e:
                findings.leave_out(e.reason, video.id, e.detail)
            progress("videos", done, len(annotations.videos), "")
        for other in lookup.sources:
            other.close()
    return found


def _with_videos(drafts: Sequence[VideoDraft], found: Found, findings: ImportFindings) -> list[VideoDraft]:
    """Return the drafts whose videos are there, and as long as what is annotated in them."""
    kept = []
    for draft in drafts:
        if draft.video.id not in found:
            continue
        try:
            check_length(draft, found[draft.video.id][1])
        except LeftOutError as e:
            findings.leave_out(e.reason, draft.actions[0].place, e.detail)
            continue
        kept.append(draft)
    return kept


def _chosen(
    plan: AnnotationPlan, drafts: Sequence[VideoDraft], findings: ImportFindings
) -> list[DraftWithOptions]:
    """Return what is asked, with options. Raises InputError where that is nothing."""
    most, seed = plan.settings.most, plan.settings.seed
    even = drawn_evenly([d for d in drafts if d.exchange is None], most, seed)
    # What is exchanged has to be exchanged with something, so there the draw comes last.
    every = with_wrong_options([*even, *(d for d in drafts if d.exchange)], plan.settings, findings)
    kept = {d.id for d in drawn_evenly([one.draft for one in every], most, seed)}
    place = {d.id: k for k, d in enumerate(drafts)}
    asked = sorted((one for one in every if one.draft.id in kept), key=lambda one: place[one.draft.id])
    asked = asked[: plan.limit] if plan.limit else asked
    if not asked:
        raise _nothing(plan.path, findings)
    return asked


def _nothing(path: Path, findings: ImportFindings) -> InputError:
    why = "; ".join(f"{f.reason}: {f.count:,}" for f in findings.listed())
    return InputError(f"{path}: no question can be written of it ({why or 'it holds no actions'}); fix that")


def question_of(one: DraftWithOptions, seed: int, media: tuple[str, ...]) -> Question:
    """Return a draft as the question of a dataset, its options in the places that are drawn for it."""
    draft = one.draft
    choices = tuple(one.options[i].text for i in position_of(draft.id, seed))
    return Question(
        id=draft.id,
        task=draft.task,
        text=draft.text,
        answer=draft.answer.text,
        media=media,
        choices=choices,
        possible=choices,
        annotations=tuple(
            Annotation(id=a.id, place=a.place, words=a.words, start_s=a.start_s, stop_s=a.stop_s)
            for a in draft.actions
        ),
        groups=Groups(cluster=draft.video.id),
        tags={"data_source": draft.video.source, "data_type": "video", "distractors": one.rule},
        source="annotations",
    )


def _report(
    plan: AnnotationPlan,
    annotations: ActionAnnotations,
    asked: Sequence[DraftWithOptions],
    questions: Sequence[Question],
    findings: ImportFindings,
) -> ImportReport:
    rules = Counter(f"{q.task}, {q.tags['distractors']}" for q in questions)
    return ImportReport(
        layout=LAYOUT,
        files=tuple(annotations.files),
        read=annotations.rows,
        imported=len(questions),
        left_out=findings.rows_left_out,
        findings=findings.listed(),
        tasks=dict(Counter(q.task for q in questions)),
        tables=(
            "wrong options: " + "; ".join(f"{rule} {n:,}" for rule, n in rules.items()),
            shortcut_table({"right": asked}, plan.settings.seed),
        ),
    )


def _begin(plan: AnnotationPlan, annotations: ActionAnnotations) -> Manifest:
    """Write the manifest. Raises InputError where the folder holds anything but the same work, cut off."""
    out = plan.out
    assert out is not None
    manifest = Manifest(
        kind="dataset",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="import",
        name=out.name,
        benchmark=plan.benchmark,
        benchmark_version=plan.release,
        settings={
            "source": LAYOUT,
            "layout": LAYOUT,
            "limit": plan.limit,
            **flat("videos", plan.settings),
        },
        seed=str(plan.settings.seed),
        split="test",
        inputs=dict(annotations.files),
    )
    sweep(out, MANIFEST, ANNOTATIONS, QUESTIONS, MEDIA, REPORT)
    if (out / MANIFEST).is_file():
        there = read_json(out / MANIFEST, Manifest)
        if there != manifest:
            raise InputError(
                f"{out}: expected nothing, or the same work cut off, found a {there.kind} that is whole or "
                "has other settings; choose another folder"
            )
    elif out.exists() and (not out.is_dir() or any(p.name != _WORK for p in out.iterdir())):
        raise InputError(f"{out}: is not empty; choose another folder, or remove this one first")
    write_json(out / MANIFEST, manifest)
    return manifest


def _end(
    out: Path,
    manifest: Manifest,
    questions: Sequence[Question],
    media: Sequence[Media],
    report: ImportReport,
) -> None:
    write_jsonl(out / QUESTIONS, questions)
    write_jsonl(out / MEDIA, media)
    write_json(out / REPORT, report)
    files = {name: sha256_file(out / name) for name in (QUESTIONS, MEDIA, ANNOTATIONS)}
    write_json(
        out / MANIFEST,
        msgspec.structs.replace(
            manifest,
            settings={**manifest.settings, "whole": False, "official": False},
            files=files,
            counts={"read": report.read, "imported": report.imported, "left out": report.left_out},
            identity=hashlib.sha256(f"{manifest.benchmark}\n{files[QUESTIONS]}".encode()).hexdigest(),
            complete=True,
            notes=("questions written by rule from published annotations of videos",),
        ),
    )
